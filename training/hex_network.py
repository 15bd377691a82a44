"""The network of the Hex player: its layers, how it is used in games, and the file that the player reads."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HALF = torch.float16 if DEVICE == "cuda" else torch.float32


class HexConv(nn.Conv2d):
    """A 3x3 convolution without the two corners that are no neighbours in Hex."""

    def __init__(self, ins: int, outs: int, padding: int = 1) -> None:
        super().__init__(ins, outs, 3, padding=padding, bias=False)
        mask = torch.ones(3, 3)
        mask[0, 0] = mask[2, 2] = 0.0
        self.register_buffer("mask", mask, persistent=False)
        nn.init.normal_(self.weight, std=math.sqrt(2.0 / (7 * ins)))

    def forward(self, x: Tensor) -> Tensor:
        """Convolve."""
        return F.conv2d(x, self.weight * self.mask, None, padding=self.padding)


class Network(nn.Module):
    """Residual blocks; a head of one logit a cell and a head of one logit for the player to move."""

    def __init__(self, channels: int, blocks: int) -> None:
        super().__init__()
        self.shape = (channels, blocks)
        self.first = HexConv(2, channels, padding=0)
        self.first_norm = nn.BatchNorm2d(channels)
        self.convs = nn.ModuleList(HexConv(channels, channels) for _ in range(2 * blocks))
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(2 * blocks))
        self.policy = nn.Conv2d(channels, 32, 1)
        self.policy_out = nn.Conv2d(32, 1, 1)
        self.value = nn.Conv2d(channels, 32, 1)
        self.value_hidden = nn.Linear(64, 64)
        self.value_out = nn.Linear(64, 1)
        for norm in list(self.norms)[1::2]:
            nn.init.zeros_(norm.weight)
        for head in (self.policy_out, self.value_out):
            nn.init.zeros_(head.weight)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the policy, a logit a cell, and the log odds that the player to move wins."""
        x = F.relu(self.first_norm(self.first(x)))
        for i in range(0, len(self.convs), 2):
            y = F.relu(self.norms[i](self.convs[i](x)))
            x = F.relu(x + self.norms[i + 1](self.convs[i + 1](y)))
        return self.heads(x)

    def heads(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the same from what the last block gives."""
        policy = self.policy_out(F.relu(self.policy(x))).flatten(1)
        y = F.relu(self.value(x)).flatten(2)
        pooled = torch.cat([y.mean(2), y.amax(2)], 1)
        return policy, self.value_out(F.relu(self.value_hidden(pooled))).squeeze(1)

    @torch.no_grad()
    def folded(self) -> list[tuple[Tensor, Tensor]]:
        """Return the convolutions with the norms in them: weights and biases."""
        out = []
        convs, norms = [self.first, *self.convs], [self.first_norm, *self.norms]
        for conv, norm in zip(convs, norms, strict=True):
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            weight = conv.weight * conv.mask * scale[:, None, None, None]
            out.append((weight, norm.bias - norm.running_mean * scale))
        return out


class Player:
    """The network as it is used in games: folded and in half precision."""

    def __init__(self, net: Network) -> None:
        self.net = Network(*net.shape).to(DEVICE, HALF).to(memory_format=torch.channels_last)
        self.learn(net)

    @torch.no_grad()
    def learn(self, net: Network) -> None:
        """Take over a network's weights."""
        self.net.load_state_dict(net.state_dict())
        self.convs = [
            (w.to(HALF).contiguous(memory_format=torch.channels_last), b.to(HALF)) for w, b in net.folded()
        ]

    @torch.no_grad()
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return policy and value."""
        x = x.to(HALF, memory_format=torch.channels_last)
        if DEVICE == "cuda":
            one = (1, 1)
            w, b = self.convs[0]
            x = torch.cudnn_convolution_relu(x, w, b, one, (0, 0), one, 1)
            for (w1, b1), (w2, b2) in zip(self.convs[1::2], self.convs[2::2], strict=True):
                y = torch.cudnn_convolution_relu(x, w1, b1, one, one, one, 1)
                x = torch.cudnn_convolution_add_relu(y, w2, x, 1.0, b2, one, one, one, 1)
        else:
            x = F.relu(F.conv2d(x, *self.convs[0]))
            for (w1, b1), (w2, b2) in zip(self.convs[1::2], self.convs[2::2], strict=True):
                y = F.relu(F.conv2d(x, w1, b1, padding=1))
                x = F.relu(F.conv2d(y, w2, b2, padding=1) + x)
        policy, value = self.net.heads(x)
        return policy.float(), value.float()


def planes(own: Tensor, other: Tensor) -> Tensor:
    """Return the network's input: the players' stones, with edges as rows of stones around the board."""
    x = torch.stack([own, other], 1)
    x = F.pad(x, (1, 1, 1, 1))
    x[:, 0, 0, :] = x[:, 0, -1, :] = 1
    x[:, 1, 1:-1, 0] = x[:, 1, 1:-1, -1] = 1
    return x


TAPS = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]
"""A cell and its neighbours, row by row."""


@torch.no_grad()
def imported(source: Path) -> Network:
    """Return the network of a file that `export` wrote; its norms change nothing, and must stay frozen."""
    data = source.read_bytes()
    channels, blocks = struct.unpack("<II", data[8:16])
    numbers = torch.frombuffer(bytearray(data[16:]), dtype=torch.float16).float()
    net = Network(channels, blocks)

    def take(*shape: int) -> Tensor:
        nonlocal numbers
        part, numbers = numbers[: math.prod(shape)], numbers[math.prod(shape) :]
        return part.view(shape)

    pairs = zip([net.first, *net.convs], [net.first_norm, *net.norms], strict=True)
    for conv, norm in pairs:
        outs, ins = conv.weight.shape[:2]
        for (r, c), weight in zip(TAPS, take(len(TAPS), ins, outs), strict=True):
            conv.weight[:, :, r, c] = weight.T
        norm.weight.fill_(1.0)
        norm.running_var.fill_(1.0 - norm.eps)
        norm.bias.copy_(take(outs))
    for head in (net.policy, net.policy_out, net.value, net.value_hidden, net.value_out):
        outs, ins = head.weight.shape[:2]
        head.weight.copy_(take(ins, outs).T.reshape(head.weight.shape))
        head.bias.copy_(take(outs))
    return net


def export(source: Path, target: Path) -> None:
    """Write the mean network as the player reads it: a header, then half floats.

    Each convolution as [tap][input][output] with its seven taps row by row, then its biases; then the heads.
    """
    saved = torch.load(source, map_location="cpu")
    net = Network(*saved["shape"])
    net.load_state_dict(saved["mean"])
    parts: list[Tensor] = []
    for weight, bias in net.folded():
        parts += [torch.stack([weight[:, :, r, c].T for r, c in TAPS]), bias]
    for head in (net.policy, net.policy_out, net.value, net.value_hidden, net.value_out):
        parts += [head.weight.flatten(1).T, head.bias]
    numbers = torch.cat([part.detach().flatten() for part in parts]).half().numpy()
    target.write_bytes(b"hexnet01" + struct.pack("<II", *saved["shape"]) + numbers.astype("<f2").tobytes())
    print(f"{target}: {len(numbers)} numbers")
