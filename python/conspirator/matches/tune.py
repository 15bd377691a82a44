"""Finding the parameters with which a search scores best in matches, by Optuna: an optional extra."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from conspirator._errors import ArgumentError, ConspiratorError
from conspirator._players import Player, as_player
from conspirator._values import read_number, read_value
from conspirator.matches.plan import Typed, find_game
from conspirator.matches.run import match
from conspirator.matches.scores import Score

STUDY = "conspirator tune"
NAME = "tuned"
"""What the player is called in its matches."""


@dataclass(frozen=True)
class Range:
    """A range of numbers: of whole ones if both ends are."""

    low: float
    high: float
    log: bool = False
    """Whether small values are as likely as large ones."""

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ArgumentError(
                f"a range goes from a lower to a higher number, not {self.low:g}:{self.high:g}"
            )
        if self.log and self.low <= 0:
            raise ArgumentError(f"a range with log begins above 0, not at {self.low:g}")

    def suggest(self, trial: Any, name: str) -> Any:
        """Let a trial choose."""
        whole = isinstance(self.low, int) and isinstance(self.high, int)
        return (trial.suggest_int if whole else trial.suggest_float)(name, self.low, self.high, log=self.log)

    def __str__(self) -> str:
        return f"{self.low!r}:{self.high!r}" + (":log" if self.log else "")


@dataclass(frozen=True)
class Choice:
    """Some values to choose from."""

    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        if len(self.values) < 2:
            raise ArgumentError("a choice needs at least two values, as in means=exact|reverse")

    def suggest(self, trial: Any, name: str) -> Any:
        """Let a trial choose."""
        return trial.suggest_categorical(name, list(self.values))

    def __str__(self) -> str:
        return "|".join(map(str, self.values))


def read_space(text: str) -> tuple[str, Range | Choice]:
    """Return a parameter and where its values are looked for.

    >>> read_space("step=0.01:0.2:log"), read_space("depth=2:6")
    (('step', Range(low=0.01, high=0.2, log=True)), ('depth', Range(low=2, high=6, log=False)))
    >>> read_space("means=exact|reverse")
    ('means', Choice(values=('exact', 'reverse')))
    """
    name, equals, values = text.partition("=")
    name = name.strip().replace("-", "_")
    if not (name and equals):
        raise ArgumentError(f"what is varied is written as name=low:high or name=a|b, not {text!r}")
    if "|" in values:
        return name, Choice(tuple(read_value(word.strip()) for word in values.split("|")))
    low, high, *rest = (*values.split(":"), "")
    numbers = [read_number(word.strip()) for word in (low, high)]
    if rest not in ([""], ["log", ""]) or numbers[0] is None or numbers[1] is None:
        raise ArgumentError(f"what is varied is written as name=low:high or name=a|b, not {text!r}")
    return name, Range(numbers[0], numbers[1], rest[0] == "log")


@dataclass(frozen=True)
class Tuned:
    """What was found."""

    player: Player
    """The player with the best parameters."""
    parameters: dict[str, Any]
    points: float
    """Its part of the points, in the match of its trial."""
    trials: int
    """How many trials there were."""


def tune(
    player: Player | str,
    opponents: Sequence[Player | str],
    game: Any = "connect-four",
    *,
    vary: Mapping[str, Range | Choice] | Sequence[str],
    trials: int = 50,
    seed: int = 1,
    store: str | PathLike[str] | None = None,
    typed: Typed | None = None,
    progress: Callable[[Tuned], object] | None = None,
    **settings: Any,
) -> Tuned:
    """Look for the parameters with which a player scores best; `settings` are those of its matches.

    All trials play from the same openings. With a `store`, an SQLite file, the same call goes on until there
    are as many trials.

    >>> from conspirator.matches.tune import tune
    >>> found = tune("best-first:expansions=5", ["best-first:expansions=50"], vary=["expansions=10:200"],
    ...              trials=3, games=4)
    >>> found.trials, 10 <= found.parameters["expansions"] <= 200
    (3, True)
    """
    try:
        optuna: Any = import_module("optuna")
    except ImportError:
        raise ArgumentError("tuning needs Optuna: pip install optuna sqlalchemy") from None
    made, name, options = find_game(game, typed)
    base, others = as_player(player, made), [as_player(opponent, made) for opponent in opponents]
    if not others:
        raise ArgumentError("tuning needs an opponent to play against")
    space = dict(vary) if isinstance(vary, Mapping) else dict(map(read_space, vary))
    if not space:
        raise ArgumentError("tuning needs something to vary, such as step=0.01:0.2:log")
    if base.command is not None or not isinstance(base.search, str):
        raise ArgumentError(f"{base.name} has no parameters to tune: name one of the searches")
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise ArgumentError(f"trials must be a whole number from 1 up, not {trials!r}")
    settings = {"seed": seed, **settings, "schedule": "gauntlet"}

    def candidate(values: Mapping[str, Any]) -> Player:
        return base.but(name=NAME, **values)

    def objective(trial: Any) -> float:
        values = {key: where.suggest(trial, key) for key, where in space.items()}
        score: Score = match([candidate(values), *others], made, typed=(name, options), **settings).score(
            NAME
        )
        return score.points

    definition = {
        "game": [name, options],
        "player": base.spec,
        "opponents": [str(other) for other in others],
        "vary": {key: str(where) for key, where in space.items()},
        "match": {key: str(value) for key, value in settings.items() if key not in ("concurrency", "on")},
    }
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = _open(optuna, store, definition, seed)

    def found() -> Tuned:
        best, done = study.best_trial, _done(optuna, study)
        return Tuned(candidate(best.params), dict(best.params), float(best.value), done)

    while (done := _done(optuna, study)) < trials:
        study.sampler = optuna.samplers.TPESampler(seed=seed + done)
        study.optimize(objective, n_trials=1)
        if progress is not None:
            progress(found())
    return found()


def _done(optuna: Any, study: Any) -> int:
    return len(study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.COMPLETE,)))


def _open(optuna: Any, store: str | PathLike[str] | None, definition: dict[str, Any], seed: int) -> Any:
    """Return the study of a file, or a new one."""
    if store is not None and not Path(store).absolute().parent.is_dir():
        raise ArgumentError(f"there is no folder {Path(store).parent} for {Path(store).name}")
    text = json.dumps(definition, default=str, sort_keys=True)
    try:
        study = optuna.create_study(
            storage=None if store is None else f"sqlite:///{Path(store).absolute()}",
            study_name=STUDY,
            direction="maximize",
            load_if_exists=True,
            sampler=optuna.samplers.TPESampler(seed=seed),
        )
        there = study.user_attrs.get("definition")
        if there is None:
            study.set_user_attr("definition", text)
    except Exception as error:  # SQLAlchemy's, Optuna's and SQLite's own
        raise ConspiratorError(
            f"cannot use {store}: {str(error).splitlines()[0]}; use another file"
        ) from None
    if there not in (None, text):
        other = json.loads(there)
        key = next(key for key, value in json.loads(text).items() if other.get(key) != value)
        raise ArgumentError(f"{store} has other trials: their {key} differs; use another file")
    return study


__all__ = ["Choice", "Range", "Tuned", "read_space", "tune"]
