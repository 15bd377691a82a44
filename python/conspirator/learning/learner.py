"""A network that learns a game by playing it, in a folder, for as long as one lets it.

network.pt    the network: the mean of its weights over the last steps, which is what plays
state.pt      all that is needed to go on: weights, the optimizer's numbers, the last positions
curve.csv     a row for every round
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from pickle import UnpicklingError
from time import monotonic
from typing import Any

from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._files import replaced
from conspirator._native import Position
from conspirator._planes import numpy
from conspirator.evaluators import torch as torch_evaluator
from conspirator.learning.lessons import Lessons, Play
from conspirator.learning.tower import losses, make_tower, pytorch
from conspirator.learning.view import AnyGame, View
from conspirator.learning.window import Window
from conspirator.learning.workers import CACHE, workers

COLUMNS = ("seconds", "games", "positions", "moves a game", "policy loss", "value loss")
Tell = Callable[[float, str], None]


@dataclass(frozen=True)
class Recipe:
    """How a network learns. What is not said stays as it was in a folder that is there."""

    channels: int = 32
    blocks: int = 3
    games: int = 32
    """Played in a round, before the network learns."""
    expansions: int = 32
    """For a move of these games."""
    window: int = 50_000
    """Positions that are remembered."""
    reuse: float = 8.0
    """How often a position is learnt from, on average."""
    batch: int = 64
    """Positions in a step of learning."""
    rate: float = 2e-3
    seed: int = 1

    def check(self) -> None:
        """Raise an error if a number makes no sense."""
        for name, value in asdict(self).items():
            least = 0 if name in ("seed", "blocks") else 1e-9 if isinstance(value, float) else 1
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= least:
                raise ArgumentError(f"{name} must be a number from {least:g} up, not {value!r}")


@dataclass(frozen=True)
class Learnt:
    """What has been learnt so far."""

    folder: Path
    seconds: float
    """Of all runs in this folder."""
    games: int
    positions: int
    rounds: int

    @property
    def evaluator(self) -> Any:
        """The network as an evaluator, for searches and players."""
        return learnt(self.folder)


class Learner:
    """The network, its mean, the optimizer, and the last positions."""

    def __init__(self, view: View, folder: Path, recipe: Recipe) -> None:
        torch = pytorch()
        recipe.check()
        self.view, self.folder, self.recipe = view, folder, recipe
        torch.manual_seed(recipe.seed)
        shape = (recipe.channels, recipe.blocks)
        self.net = make_tower(view.planes, view.outputs, *shape)
        self.mean = make_tower(view.planes, view.outputs, *shape)
        self.mean.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=recipe.rate, weight_decay=1e-4)
        self.window = Window(view, recipe.window)
        self.seconds, self.games, self.positions, self.rounds = 0.0, 0, 0, 0
        self.steps_owed = 0.0

    @property
    def shape(self) -> tuple[int, int]:
        """Channels and blocks."""
        return self.recipe.channels, self.recipe.blocks

    def take(self, lessons: Lessons) -> tuple[float, float]:
        """Learn from new lessons and from older ones; return the mean losses of policy and value."""
        torch, np = pytorch(), numpy()
        self.window.add(lessons)
        self.games, self.positions = self.games + lessons.games, self.positions + lessons.positions
        self.rounds += 1
        random = np.random.default_rng([self.recipe.seed, self.rounds])
        self.steps_owed += lessons.positions * self.recipe.reuse / self.recipe.batch
        steps, self.steps_owed = divmod(self.steps_owed, 1.0)
        sums = np.zeros(2)
        self.net.train()
        for _ in range(int(steps)):
            count = min(self.recipe.batch, len(self.window))
            planes, policies, values = map(torch.from_numpy, self.window.sample(count, random))
            policy, value = losses(self.net(planes), policies, values)
            self.optimizer.zero_grad(set_to_none=True)
            (policy + value).backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
            self.optimizer.step()
            sums += policy.item(), value.item()
            with torch.no_grad():
                pairs = zip(self.mean.parameters(), self.net.parameters(), strict=True)
                for kept, new in pairs:
                    kept.lerp_(new, 0.02)
        policy_loss, value_loss = sums / max(1, int(steps))
        return float(policy_loss), float(value_loss)

    def facts(self) -> dict[str, Any]:
        """Return what says which network this is."""
        return {
            "planes": self.view.planes,
            "outputs": self.view.outputs,
            "recipe": asdict(self.recipe),
            "game": str(self.view.game),
        }

    def save(self) -> None:
        """Write the folder's files, each at once or not at all."""
        numbers = {
            name: getattr(self, name) for name in ("seconds", "games", "positions", "rounds", "steps_owed")
        }
        state = {
            "facts": self.facts(),
            "numbers": numbers,
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "window": [pytorch().from_numpy(part) for part in self.window.lessons[:3]],
        }
        _write(self.folder / "state.pt", state)
        _write(self.folder / "network.pt", {"facts": self.facts(), "mean": self.mean.state_dict()})

    def load(self) -> None:
        """Go on where the folder's last run was saved."""
        saved = _read(self.folder / "state.pt")
        self.net.load_state_dict(saved["net"])
        self.mean.load_state_dict(saved["mean"])
        self.optimizer.load_state_dict(saved["optimizer"])
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate
        for name, number in saved["numbers"].items():
            setattr(self, name, number)
        planes, policies, values = (part.numpy() for part in saved["window"])
        self.window.add(Lessons(planes, policies, values, 0))


def learn(
    game: AnyGame,
    folder: str | Path,
    *,
    minutes: float | None = None,
    rounds: int | None = None,
    on: str | None = None,
    tell: Tell | None = None,
    **recipe: Any,
) -> Learnt:
    """Let a network learn a game by playing it, and keep it in a folder; the same call goes on from there.

    A native game of one board, or a game of yours with `encode`, `output` and `outputs` (see `cn.Game`). It
    learns for so many `minutes`, or so many `rounds` of games; Ctrl-C ends it, and loses no more than the
    last round. `on="ray"` or `"ray://HOST:PORT"` lets a cluster play the games. The recipe: `channels` and
    `blocks` of the network, `games` a round, `expansions` a move, `window`, `reuse`, `batch`, `rate`, `seed`.
    Needs PyTorch.

    >>> import conspirator as cn
    >>> cn.learn(cn.games.Hex(size=4), "hex4", minutes=20).evaluator                        # doctest: +SKIP
    """
    if (minutes is None) == (rounds is None):
        raise ArgumentError("say how long to learn: minutes= or rounds=")
    for name, amount in (("minutes", minutes), ("rounds", rounds)):
        if amount is not None and not amount > 0:
            raise ArgumentError(f"{name} must be greater than 0, not {amount!r}")
    unknown = sorted(recipe.keys() - asdict(Recipe()).keys())
    if unknown:
        raise ArgumentError(f"there is no setting {unknown[0]!r}; there are {', '.join(asdict(Recipe()))}")
    threads = pytorch().get_num_threads()
    learner = _open(View.of(game), Path(folder), recipe)
    hands = workers(learner.view, on)
    pytorch().set_num_threads(1)  # small networks gain nothing from more, and lose much on a busy machine
    begun, before, first = monotonic(), learner.seconds, learner.rounds
    try:
        while True:
            spent = monotonic() - begun
            done = spent / (60 * minutes) if minutes else (learner.rounds - first) / (rounds or 1)
            if done >= 1:
                break
            if tell is not None:
                tell(done, f"{learner.games:,} games, {learner.positions:,} positions")
            _round(learner, hands, lambda: before + monotonic() - begun)
    except KeyboardInterrupt:
        if learner.rounds == 0:
            raise
    finally:
        pytorch().set_num_threads(threads)
        hands.close()
    return Learnt(learner.folder, learner.seconds, learner.games, learner.positions, learner.rounds)


def _round(learner: Learner, hands: Any, clock: Callable[[], float]) -> None:
    """Play games, learn from them, and save."""
    recipe = learner.recipe
    seeds = [recipe.seed * 1_000_000 + learner.games + at for at in range(recipe.games)]
    play = Play(expansions=recipe.expansions)
    lessons = hands.play(learner.shape, learner.mean.state_dict(), play, seeds)
    policy, value = learner.take(lessons)
    learner.seconds = clock()
    learner.save()
    path = learner.folder / "curve.csv"
    fresh = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        if fresh:
            out.writerow(COLUMNS)
        moves = lessons.positions / lessons.games
        out.writerow(
            [
                f"{learner.seconds:.1f}",
                learner.games,
                learner.positions,
                f"{moves:.1f}",
                f"{policy:.4f}",
                f"{value:.4f}",
            ]
        )


def _open(view: View, folder: Path, recipe: dict[str, Any]) -> Learner:
    """Return the learner of a folder: a new one, or as it was saved."""
    state = folder / "state.pt"
    if not state.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArgumentError(f"cannot write to {folder}: {error.strerror}") from None
        return Learner(view, folder, Recipe(**recipe))
    facts = _read(state)["facts"]
    if (tuple(facts["planes"]), facts["outputs"]) != (view.planes, view.outputs):
        raise ArgumentError(
            f"{folder} has a network for {facts['game']}, not for {view.game}: name another folder"
        )
    kept = facts["recipe"]
    for name in ("channels", "blocks"):
        if recipe.get(name, kept[name]) != kept[name]:
            raise ArgumentError(f"the network in {folder} has {name}={kept[name]}: name another folder")
    learner = Learner(view, folder, Recipe(**{**kept, **recipe}))
    learner.load()
    return learner


def learnt(folder: str | Path) -> Any:
    """Return the network in a folder that `cn.learn` wrote, as an evaluator.

    The command line, players and `cn.search` take it by name, as `evaluator="learnt(folder=hex4)"`.

    >>> cn.search(position, "puct", evaluator=learnt("hex4"), expansions=400)               # doctest: +SKIP
    """
    path = Path(folder) / "network.pt"
    if not path.is_file():
        raise ArgumentError(f"{folder} has no network.pt: conspirator train GAME --to {folder} makes one")
    module, facts = _module(path.resolve(), path.stat().st_mtime_ns)
    last: list[View] = []

    def view(position: Position) -> View:
        game = position.game
        if not last or last[0].game is not game:
            last[:] = [View.of(game)]
            if (last[0].planes, last[0].outputs) != (tuple(facts["planes"]), facts["outputs"]):
                raise ArgumentError(f"the network in {folder} has learnt {facts['game']}, not {game}")
        return last[0]

    return torch_evaluator(
        module,
        encode=lambda positions: view(positions[0]).encode(positions),
        moves=lambda position: view(position).places(position),
        cache=CACHE,
    )


@lru_cache(maxsize=8)
def _module(path: Path, written: int) -> tuple[Any, dict[str, Any]]:  # noqa: ARG001 - a file written anew is read anew
    saved = _read(path)
    facts = saved["facts"]
    recipe = facts["recipe"]
    module = make_tower(tuple(facts["planes"]), facts["outputs"], recipe["channels"], recipe["blocks"])
    module.load_state_dict(saved["mean"])
    return module.eval(), facts


def _write(path: Path, what: Any) -> None:
    """Write a file at once or not at all."""
    with replaced(path) as file:
        try:
            pytorch().save(what, file)
        except RuntimeError as error:  # PyTorch's word for a full disk
            raise ConspiratorError(f"cannot write {path}: {_first_line(error)}") from None


def _read(path: Path) -> Any:
    """Read a file that `_write` wrote: numbers and words only, so that a stranger's file runs nothing."""
    try:
        return pytorch().load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, ValueError, EOFError, KeyError, UnpicklingError) as error:
        raise ArgumentError(
            f"{path} is no file of a network that learnt a game: {_first_line(error)}"
        ) from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
