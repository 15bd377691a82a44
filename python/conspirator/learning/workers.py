"""Who plays the games: this process, or the processors of a Ray cluster."""

from __future__ import annotations

from typing import Any, Protocol

from conspirator._cluster import join
from conspirator.evaluators import torch as torch_evaluator
from conspirator.learning.lessons import Lessons, Play, joined, play_game
from conspirator.learning.tower import make_tower, pytorch
from conspirator.learning.view import View
from conspirator.matches.on_ray import by_value

CACHE = 20_000
"""Positions whose values are remembered while the network stays the same."""


def evaluator_of(view: View, module: Any, cache: int = CACHE) -> Any:
    """Return an evaluator around a network for a game."""
    return torch_evaluator(module, encode=view.encode, moves=view.places, cache=cache)


def play_games(view: View, shape: tuple[int, int], weights: Any, play: Play, seeds: list[int]) -> Lessons:
    """Play some games with a network of these weights; channels and blocks are its shape."""
    pytorch().set_num_threads(1)
    module = make_tower(view.planes, view.outputs, *shape)
    module.load_state_dict(weights)
    evaluator = evaluator_of(view, module)
    return joined([play_game(view, evaluator, play, seed) for seed in seeds])


class Workers(Protocol):
    """What plays games."""

    def play(self, shape: tuple[int, int], weights: Any, play: Play, seeds: list[int]) -> Lessons:
        """Play a game for every seed, and return what they teach."""

    def close(self) -> None:
        """Give back what was taken."""


class Here:
    """This process."""

    def __init__(self, view: View) -> None:
        self._view = view

    def play(self, shape: tuple[int, int], weights: Any, play: Play, seeds: list[int]) -> Lessons:
        """Play one game after the other."""
        return play_games(self._view, shape, weights, play, seeds)

    def close(self) -> None:
        """There is nothing to give back."""


class OnRay:
    """A Ray cluster: its processors share the games. A game whose worker dies is played again."""

    def __init__(self, view: View, on: str) -> None:
        self._ray: Any
        self._ray, self._began = join(on, None, "games to learn from are played")
        self._hands = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        with by_value(self._ray, [type(view.game)]):
            self._view = self._ray.put(view)
        self._task: Any = self._ray.remote(play_games).options(num_cpus=1, max_retries=20)

    def play(self, shape: tuple[int, int], weights: Any, play: Play, seeds: list[int]) -> Lessons:
        """Give every processor a part of the games."""
        stored = self._ray.put(weights)
        parts = [seeds[at :: self._hands] for at in range(self._hands)]
        tasks = [self._task.remote(self._view, shape, stored, play, part) for part in parts if part]
        try:
            return joined(self._ray.get(tasks))
        except self._ray.exceptions.RayTaskError as error:
            raise getattr(error, "cause", None) or error from None

    def close(self) -> None:
        """Leave the cluster, if it was we who came."""
        if self._began:
            self._ray.shutdown()


def workers(view: View, on: str | None) -> Workers:
    """Return who plays: None is this process, else "ray" or "ray://HOST:PORT"."""
    return Here(view) if on is None else OnRay(view, on)
