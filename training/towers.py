"""Residual networks of a policy and a value, how they learn and how they are used in games."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HALF = torch.float16 if DEVICE == "cuda" else torch.float32


class Convolution(nn.Conv2d):
    """A convolution of 3x3 cells, whose weights may be masked."""

    def __init__(self, ins: int, outs: int, padding: int = 1, mask: Tensor | None = None) -> None:
        super().__init__(ins, outs, 3, padding=padding, bias=False)
        mask = torch.ones(3, 3) if mask is None else mask
        self.register_buffer("mask", mask, persistent=False)
        nn.init.normal_(self.weight, std=math.sqrt(2.0 / (float(mask.sum()) * ins)))

    def forward(self, x: Tensor) -> Tensor:
        """Convolve."""
        return F.conv2d(x, self.weight * self.mask, None, padding=self.padding)


class Tower(nn.Module):
    """Residual blocks; games add the heads. `edge` is how many rows of the input lie around the board."""

    def __init__(
        self, planes: int, channels: int, blocks: int, edge: int = 0, mask: Tensor | None = None
    ) -> None:
        super().__init__()
        self.shape = (channels, blocks)
        self.first = Convolution(planes, channels, 1 - edge, mask)
        self.first_norm = nn.BatchNorm2d(channels)
        self.convs = nn.ModuleList(Convolution(channels, channels, 1, mask) for _ in range(2 * blocks))
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(2 * blocks))
        for norm in list(self.norms)[1::2]:
            nn.init.zeros_(norm.weight)  # a block adds nothing at first

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the policy's logits, and the log odds that the player to move wins."""
        x = F.relu(self.first_norm(self.first(x)))
        for i in range(0, len(self.convs), 2):
            y = F.relu(self.norms[i](self.convs[i](x)))
            x = F.relu(x + self.norms[i + 1](self.convs[i + 1](y)))
        return self.heads(x)

    def heads(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the same from what the last block gives."""
        raise NotImplementedError

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


class BoardTower(Tower):
    """A tower for boards of one size: each head sees every cell of a few channels."""

    def __init__(self, board: tuple[int, int, int], moves: int, channels: int, blocks: int) -> None:
        planes, rows, columns = board
        super().__init__(planes, channels, blocks)
        self.board, self.moves = board, moves
        self.policy = nn.Conv2d(channels, 16, 1)
        self.policy_out = nn.Linear(16 * rows * columns, moves)
        self.value = nn.Conv2d(channels, 8, 1)
        self.value_hidden = nn.Linear(8 * rows * columns, 128)
        self.value_out = nn.Linear(128, 1)
        for head in (self.policy_out, self.value_out):
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def heads(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return policy and value from what the last block gives."""
        policy = self.policy_out(F.relu(self.policy(x)).flatten(1))
        hidden = F.relu(self.value_hidden(F.relu(self.value(x)).flatten(1)))
        return policy, self.value_out(hidden).squeeze(1)


class Folded:
    """A tower as it is used in games: folded and in half precision. Its weights keep their places."""

    def __init__(self, net: Tower, empty: Tower) -> None:
        self.net = empty.to(DEVICE, HALF).to(memory_format=torch.channels_last)
        self.convs = [(w.to(HALF), b.to(HALF)) for w, b in self._folded(net)]
        self.learn(net)

    @staticmethod
    def _folded(net: Tower) -> list[tuple[Tensor, Tensor]]:
        return [(w.contiguous(memory_format=torch.channels_last), b) for w, b in net.folded()]

    @torch.no_grad()
    def learn(self, net: Tower) -> None:
        """Take over a network's weights."""
        self.net.load_state_dict(net.state_dict())
        for kept, new in zip(self.convs, self._folded(net), strict=True):
            kept[0].copy_(new[0])
            kept[1].copy_(new[1])

    @torch.no_grad()
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return policy and value of planes."""
        x = x.to(HALF, memory_format=torch.channels_last)
        edge = self.net.first.padding
        if DEVICE == "cuda":
            one = (1, 1)
            w, b = self.convs[0]
            x = torch.cudnn_convolution_relu(x, w, b, one, edge, one, 1)
            for (w1, b1), (w2, b2) in zip(self.convs[1::2], self.convs[2::2], strict=True):
                y = torch.cudnn_convolution_relu(x, w1, b1, one, one, one, 1)
                x = torch.cudnn_convolution_add_relu(y, w2, x, 1.0, b2, one, one, one, 1)
        else:
            x = F.relu(F.conv2d(x, *self.convs[0], padding=edge))
            for (w1, b1), (w2, b2) in zip(self.convs[1::2], self.convs[2::2], strict=True):
                y = F.relu(F.conv2d(x, w1, b1, padding=1))
                x = F.relu(F.conv2d(y, w2, b2, padding=1) + x)
        policy, value = self.net.heads(x)
        return policy.float(), value.float()


class Plain(nn.Module):
    """A tower as users get it: planes to the policy's logits and a value from -1 to 1 for the mover."""

    def __init__(self, net: Tower) -> None:
        super().__init__()
        self.net = net.eval()

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return policy and value."""
        policy, odds = self.net(planes)
        return policy, torch.tanh(odds / 2)


def write_onnx(net: Tower, board: tuple[int, int, int], target: Path) -> None:
    """Write a network for `cn.evaluators.onnx`: input `planes`, outputs `policy` and `value`."""
    example: Any = (torch.zeros(1, *board),)
    names = {"input_names": ["planes"], "output_names": ["policy", "value"]}
    axes = {name: {0: "positions"} for name in ("planes", "policy", "value")}
    torch.onnx.export(Plain(net.cpu()), example, str(target), dynamic_axes=axes, dynamo=False, **names)
    print(f"{target}: {target.stat().st_size} bytes")
