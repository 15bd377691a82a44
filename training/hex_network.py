"""The network of the Hex player: its layers, and the file that the player reads."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from towers import Convolution, Tower


class Network(Tower):
    """A tower over cells and their neighbours: one logit a cell, and one for the player to move.

    It can be used on boards of any size.
    """

    def __init__(self, channels: int, blocks: int) -> None:
        mask = torch.ones(3, 3)
        mask[0, 0] = mask[2, 2] = 0.0  # these corners are no neighbours in Hex
        super().__init__(2, channels, blocks, edge=1, mask=mask)
        self.policy = nn.Conv2d(channels, 32, 1)
        self.policy_out = nn.Conv2d(32, 1, 1)
        self.value = nn.Conv2d(channels, 32, 1)
        self.value_hidden = nn.Linear(64, 64)
        self.value_out = nn.Linear(64, 1)
        for head in (self.policy_out, self.value_out):
            nn.init.zeros_(head.weight)

    def heads(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the same from what the last block gives."""
        policy = self.policy_out(F.relu(self.policy(x))).flatten(1)
        y = F.relu(self.value(x)).flatten(2)
        pooled = torch.cat([y.mean(2), y.amax(2)], 1)
        return policy, self.value_out(F.relu(self.value_hidden(pooled))).squeeze(1)


@torch.no_grad()
def deepened(net: Network, blocks: int) -> Network:
    """Return a network of more blocks that says the same: the new ones, in between, add nothing yet.

    The last norm of a new block has weight 0, as in a network that has learnt nothing.
    """
    channels, old = net.shape
    deep = Network(channels, blocks)
    for name in ("first", "first_norm", "policy", "policy_out", "value", "value_hidden", "value_out"):
        getattr(deep, name).load_state_dict(getattr(net, name).state_dict())
    for block in range(old):
        to = block * blocks // old
        for part in range(2):
            deep.convs[2 * to + part].load_state_dict(net.convs[2 * block + part].state_dict())
            deep.norms[2 * to + part].load_state_dict(net.norms[2 * block + part].state_dict())
    return deep


@torch.no_grad()
def measure_norms(net: Network, x: Tensor) -> None:
    """Tell the norms of an exported network what they would have measured on these positions.

    Such a norm only multiplies and adds. After this it can learn from batches again, and the network says
    the same as before.
    """

    def normed(conv: Convolution, norm: nn.BatchNorm2d, x: Tensor) -> Tensor:
        y = conv(x)
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        bias = norm.bias - norm.running_mean * scale
        mean, variance = y.mean((0, 2, 3)), y.var((0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
        norm.bias.copy_(bias + scale * mean)
        return y * scale[:, None, None] + bias[:, None, None]

    x = F.relu(normed(net.first, net.first_norm, x))
    for i in range(0, len(net.convs), 2):
        y = F.relu(normed(net.convs[i], net.norms[i], x))
        x = F.relu(x + normed(net.convs[i + 1], net.norms[i + 1], y))


TAPS = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]
"""A cell and its neighbours, row by row."""


MOST = 127
"""The greatest input of a convolution in bytes, and the greatest weight."""
LIMIT = 32767 // MOST
"""The greatest sum of the weights of one sign among four that the player adds up in 16 bits."""


@torch.no_grad()
def weights_in_bytes(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Return weights [tap][input][output] as whole numbers, and what 1 of them is worth for each output."""
    step = weight.abs().amax((0, 1)) / MOST
    while True:
        whole = torch.round(weight / step).clamp(-MOST, MOST)
        # the player adds products of inputs 0, 1, 4, 5 and 2, 3, 6, 7 of each eight in 16 bits
        fours = whole.view(len(TAPS), -1, 2, 2, 2, whole.shape[-1]).transpose(2, 3).flatten(3, 4)
        most = torch.maximum(fours.clamp_min(0).sum(3), (-fours).clamp_min(0).sum(3)).amax((0, 1, 2))
        if (most <= LIMIT).all():
            return whole, step
        step = torch.where(most > LIMIT, step * (most / LIMIT).clamp_min(1.002), step)


@torch.no_grad()
def unit_for(x: Tensor) -> float:
    """Return how many units of a byte make an input of 1, so that bytes are nearest to these inputs."""
    x = x[x > 0]
    if not len(x):
        return 1.0
    tried = [float(x.max()) * part / 40 for part in range(8, 41)]
    error = [((x - (x * MOST / top).round().clamp(0, MOST) * top / MOST) ** 2).mean().item() for top in tried]
    return MOST / tried[error.index(min(error))]


class Bytes(NamedTuple):
    """A convolution in a file: whole weights [tap][input][output], and what makes its numbers of them."""

    weights: Tensor
    biases: Tensor
    units: float
    """How many units of a byte make an input of 1."""
    scales: Tensor
    """What 1 of a sum is worth, for each output."""


class Layers(NamedTuple):
    """The layers in a file that `export` wrote."""

    shape: tuple[int, int]
    first: tuple[Tensor, Tensor]
    convs: list[Bytes]
    heads: list[tuple[Tensor, Tensor]]


def layers(source: Path) -> Layers:
    """Return what is in a file that `export` wrote."""
    data = bytearray(source.read_bytes())
    if data[:8] != b"hexnet02":
        raise SystemExit(f"{source} is no network of this program")
    channels, blocks = struct.unpack("<II", data[8:16])
    at = 16

    def take(kind: torch.dtype, *shape: int) -> Tensor:
        nonlocal at
        count = math.prod(shape)
        part = torch.frombuffer(data, dtype=kind, count=count, offset=at)
        at += count * part.element_size()
        return part.float().view(shape)

    half, single, byte = torch.float16, torch.float32, torch.int8
    first = take(half, len(TAPS), 2, channels), take(half, channels)
    convs = []
    for _ in range(2 * blocks):
        units, scales, biases = take(single, 1), take(single, channels), take(single, channels)
        convs.append(Bytes(take(byte, len(TAPS), channels, channels), biases, float(units), scales))
    sizes = [(channels, 32), (32, 1), (channels, 32), (64, 64), (64, 1)]
    heads = [(take(half, ins, outs).T, take(half, outs)) for ins, outs in sizes]
    return Layers((channels, blocks), first, convs, heads)


def taps_to_square(weights: Tensor) -> Tensor:
    """Return weights [tap][input][output] as a 3x3 convolution has them."""
    square = weights.new_zeros(weights.shape[2], weights.shape[1], 3, 3)
    for (r, c), weight in zip(TAPS, weights, strict=True):
        square[:, :, r, c] = weight.T
    return square


@torch.no_grad()
def imported(source: Path) -> Network:
    """Return the network of a file that `export` wrote; its norms change nothing until `measure_norms`."""
    read = layers(source)
    net = Network(*read.shape)
    folded = [read.first, *((c.weights * c.scales * c.units, c.biases) for c in read.convs)]
    pairs = zip([net.first, *net.convs], [net.first_norm, *net.norms], strict=True)
    for (conv, norm), (weights, biases) in zip(pairs, folded, strict=True):
        conv.weight.copy_(taps_to_square(weights))
        norm.weight.fill_(1.0)
        norm.running_var.fill_(1.0 - norm.eps)
        norm.bias.copy_(biases)
    heads = (net.policy, net.policy_out, net.value, net.value_hidden, net.value_out)
    for head, (weights, biases) in zip(heads, read.heads, strict=True):
        head.weight.copy_(weights.reshape(head.weight.shape))
        head.bias.copy_(biases)
    return net


class InBytes:
    """The network in a file as the package computes it: inputs of convolutions are bytes.

    Sums of products of whole numbers are exact in single precision, and the rest is done in the same order.
    """

    def __init__(self, source: Path) -> None:
        read = layers(source)
        self.first = taps_to_square(read.first[0]), read.first[1]
        self.convs = [(taps_to_square(c.weights), c) for c in read.convs]
        self.net = imported(source).eval()

    @torch.no_grad()
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return policy and value."""
        x = F.relu(F.conv2d(x.float(), *self.first))
        y = x
        for number, (weights, conv) in enumerate(self.convs):
            whole = (y * conv.units + 0.5).floor().clamp(0, MOST)
            sums = F.conv2d(whole, weights, padding=1)
            y = sums * conv.scales[:, None, None] + conv.biases[:, None, None]
            if number % 2:
                y = x = F.relu(x + y)
        policy, value = self.net.heads(x)
        return policy, value


@torch.no_grad()
def export(net: Network, x: Tensor, target: Path) -> None:
    """Write a network as the player reads it; x are positions of games, by which bytes are chosen.

    The format is described in `crates/core/src/evaluators/hex/neural/mod.rs`.
    """

    def half(*parts: Tensor) -> bytes:
        return b"".join(part.detach().half().contiguous().numpy().astype("<f2").tobytes() for part in parts)

    def taps(weight: Tensor) -> Tensor:
        return torch.stack([weight[:, :, r, c].T for r, c in TAPS])

    (weight, bias), *rest = net.folded()
    out = [b"hexnet02" + struct.pack("<II", *net.shape), half(taps(weight), bias)]
    x = F.relu(F.conv2d(x, weight, bias))
    skip = x
    for number, (weight, bias) in enumerate(rest):
        units = unit_for(x)
        whole, step = weights_in_bytes(taps(weight))
        floats = torch.cat([torch.tensor([units]), step / units, bias])
        out += [floats.numpy().astype("<f4").tobytes(), whole.to(torch.int8).numpy().tobytes()]
        x = F.conv2d((x * units).round().clamp(0, MOST) / units, weight, bias, padding=1)
        x = F.relu(x + skip if number % 2 else x)
        skip = x if number % 2 else skip
    for head in (net.policy, net.policy_out, net.value, net.value_hidden, net.value_out):
        out.append(half(head.weight.flatten(1).T, head.bias))
    target.write_bytes(b"".join(out))
    print(f"{target}: {target.stat().st_size} bytes")
