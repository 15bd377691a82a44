"""How a tower learns: losses, the optimizer, and the mean of its weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from boards import Rules, rules_of
from gumbel import Player
from hex_network import Network
from self_play import UNKNOWN, Lessons
from torch import Tensor, nn
from towers import DEVICE, BoardTower, Folded, Tower


def tower_of(name: str, channels: int, blocks: int) -> Tower:
    """Return a network that has learnt nothing."""
    if name == "hex":
        return Network(channels, blocks)
    rules = rules_of(name)
    return BoardTower(rules.board, rules.moves, channels, blocks)


def folded(name: str, net: Tower) -> Folded:
    """Return a network as it is used in games."""
    return Folded(net, tower_of(name, *net.shape))


def player_on(rules: Rules, tower: Folded) -> Player:
    """Return a tower as the player of a game."""
    return lambda state: tower(rules.planes(state))


def losses(net: Tower, lessons: Lessons, share: float) -> tuple[Tensor, Tensor, Tensor]:
    """Return the losses of policy and value, and the mean square error of values.

    `share` is the result's share of a value's target; the rest is what the search said.
    """
    known = (lessons.result < UNKNOWN).float()
    weight = known / known.sum().clamp_min(1.0)
    target = share * lessons.result + (1 - share) * lessons.value
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        logits, odds = net(lessons.planes)
    logits, odds = logits.float(), odds.float()
    logs = torch.log_softmax(logits.masked_fill(~lessons.legal, -1e9), 1).clamp_min(-50.0)
    wanted = lessons.policy
    far = (wanted * (wanted.clamp_min(1e-9).log() - logs)).sum(1)
    parts = F.binary_cross_entropy_with_logits(odds, (1 + target) / 2, reduction="none")
    error = (torch.tanh(odds / 2) - lessons.result) ** 2
    return (far * weight).sum(), (parts * weight).sum(), (error * weight).sum()


class Learner:
    """A network, its mean over the last steps, which is what is exported, and the optimizer."""

    def __init__(self, name: str, net: Tower, rate: float) -> None:
        self.name, self.rate = name, rate
        self.net = net.to(DEVICE).to(memory_format=torch.channels_last)
        self.mean = tower_of(name, *net.shape).to(DEVICE)
        self.mean.load_state_dict(net.state_dict())
        parameters = self.net.parameters()
        self.optimizer = torch.optim.AdamW(parameters, lr=rate, weight_decay=1e-4, fused=DEVICE == "cuda")
        self.steps = 0

    def step(self, lessons: Lessons, share: float, rate: float) -> Tensor:
        """Go one step down the gradient; return both losses and the value's error."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * rate
        self.net.train()
        policy, value, error = losses(self.net, lessons, share)
        self.optimizer.zero_grad(set_to_none=True)
        (policy + value).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimizer.step()
        self.steps += 1
        with torch.no_grad():
            decay = min(0.999, 1 - 1 / (1 + self.steps))
            kept, new = list(self.mean.state_dict().values()), list(self.net.state_dict().values())
            some = [at for at, one in enumerate(new) if one.is_floating_point()]
            torch._foreach_lerp_([kept[at] for at in some], [new[at] for at in some], 1 - decay)
        return torch.stack([policy.detach(), value.detach(), error.detach()])

    def saved(self) -> dict[str, Any]:
        """Return all that is needed to go on."""
        return {
            "shape": self.net.shape,
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
        }

    def load(self, saved: dict[str, Any]) -> None:
        """Go on from what was saved."""
        self.net.load_state_dict(saved["net"])
        self.mean.load_state_dict(saved["mean"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.steps = saved["steps"]


def write(state: dict[str, Any], target: Path) -> None:
    """Write a file at once or not at all."""
    partial = target.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(target)
