"""The network: residual blocks of convolutions, or of layers where a position is a row of numbers."""

from __future__ import annotations

from typing import Any

from conspirator._errors import ArgumentError


def pytorch() -> Any:
    """Return PyTorch, or say how to get it."""
    try:
        import torch
    except ImportError:
        raise ArgumentError("learning needs PyTorch: pip install 'conspirator[torch]'") from None
    return torch


def make_tower(planes: tuple[int, int, int], outputs: int, channels: int, blocks: int) -> Any:
    """Return a module from planes to (logits of the policy, values from -1 to 1 of the player to move)."""
    torch = pytorch()
    nn = torch.nn
    count, rows, columns = planes
    flat = rows == 1 or columns == 1

    def layer(ins: int, outs: int) -> Any:
        return nn.Linear(ins, outs) if flat else nn.Conv2d(ins, outs, 3, padding=1)

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        """Two layers, and what was there before."""

        def __init__(self) -> None:
            super().__init__()
            self.one, self.two = layer(channels, channels), layer(channels, channels)
            nn.init.zeros_(self.two.weight)  # a block adds nothing at first

        def forward(self, x: Any) -> Any:
            return torch.relu(x + self.two(torch.relu(self.one(x))))

    class Tower(nn.Module):  # type: ignore[misc, name-defined]
        """The first layer, the blocks, and the two heads."""

        def __init__(self) -> None:
            super().__init__()
            self.first = layer(count * rows * columns if flat else count, channels)
            self.blocks = nn.Sequential(*(Block() for _ in range(blocks)))
            wide = channels if flat else 4 * rows * columns
            self.narrow = nn.Identity() if flat else nn.Conv2d(channels, 4, 1)
            self.policy = nn.Linear(wide, outputs)
            self.value = nn.Sequential(nn.Linear(wide, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())
            for head in (self.policy, self.value[2]):
                nn.init.zeros_(head.weight)
                nn.init.zeros_(head.bias)

        def forward(self, x: Any) -> tuple[Any, Any]:
            x = self.blocks(torch.relu(self.first(x.flatten(1) if flat else x)))
            x = torch.relu(self.narrow(x)).flatten(1)
            return self.policy(x), self.value(x).squeeze(1)

    return Tower()


def losses(outputs: tuple[Any, Any], policies: Any, values: Any) -> tuple[Any, Any]:
    """Return the losses of policy and value: how far the policy is from the one to learn, and (v - z)^2."""
    torch = pytorch()
    logits, said = outputs
    logs = torch.log_softmax(logits.masked_fill(policies < 0, -1e9), 1)
    wanted = policies.clamp_min(0)
    entropy = torch.where(wanted > 0, wanted * wanted.clamp_min(1e-9).log(), 0.0).sum(1)
    cross = -(wanted * logs.clamp_min(-50.0)).sum(1)
    return (cross + entropy).mean(), ((said - values) ** 2).mean()
