"""How often a search is right when it says that it is sure: stated probabilities against the truth.

Positions are sampled apart from those that the error models were fitted on. For each, every search chooses a
move and states how likely it is a best one; exact solving says whether it was. Beside the probability stand
three other signals of how sure a search may be, from the same trees: the margin of values between the two
best moves, the share of the tree below the chosen one, and how many leaves must be wrong for the value to
fall to the second best.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import conspirator as cn
from conspirator._errors import ArgumentError
from conspirator.certainty.calibrate import Root, Sampler
from conspirator.certainty.model import ErrorModel
from conspirator.certainty.scores import OPEN, Answer, Scores, auc, fitted_loss, scores
from conspirator.certainty.truth import Truth
from conspirator.experiments.report import Cell, Report, yes
from conspirator.experiments.work import Work

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEED = 2001
"""Where the sample begins; error models are fitted with another."""
BUDGETS = (100, 300, 1000)
BAR_AT = 300
_MOST_LEAVES = 16


@dataclass(frozen=True)
class Field:
    """A game, and the positions of it that are judged."""

    name: str
    plies: tuple[int, int]
    searches: dict[str, dict[str, Any]]
    options: dict[str, Any]
    part: float = 1.0
    """The part of the positions that are taken where the truth is expensive."""
    evaluator: str | None = None
    deep: int | None = None
    """Nodes of a much longer search, where nobody knows the truth."""
    most: int = 1000
    """Larger budgets are left out."""
    seconds: float = 1.0
    """What solving a position may take."""

    @property
    def title(self) -> str:
        """What tables call it."""
        size = f" {self.options['size']}x{self.options['size']}" if "size" in self.options else ""
        return f"{self.name}{size}" + (f" {self.evaluator}" if self.evaluator else "")

    def game(self, number: int) -> Any:
        """Return the game; random trees differ from position to position."""
        seed = {"seed": SEED + number} if self.name == "random-tree" else {}
        return cn.games.make(self.name, **self.options, **seed)

    def root(self, number: int) -> Root | None:
        """Return a position with the truth about every move; None if that takes too long."""
        game = self.game(number)
        truth = Truth(game, self.evaluator, self.seconds, self.deep)
        sampler = Sampler(game, self.evaluator, truth, self.plies, Random(SEED * 1000 + number))
        if self.name != "random-tree":
            found, model = sampler.root(), ErrorModel.of(game, self.evaluator)
            if found is None or model is None or self.deep is None:
                return found
            return found.among(model.outcomes)
        start = game.start()
        truth = Truth(game, solver=lambda position: cn.search(position, "alpha-beta", depth=99).value)
        outcomes = truth.moves(start)
        return None if outcomes is None else Root(start, outcomes)


RULES: dict[str, dict[str, Any]] = {
    "relevance": {},
    "best-first": {},
    "conspiracy": {},
    "minmax-approximation": {},
    "least-certainty": {},
}
ON_RANDOM_TREES: dict[str, dict[str, Any]] = {
    "relevance": {},
    "best-first": {},
    "conspiracy": {},
    "minmax-approximation": {"variant": "published", "shift": 30.0},
    "least-certainty": {"variant": "published"},
}
FIELDS = (
    Field("connect-four", (12, 22), RULES, {}, seconds=50),
    Field("connect-four", (12, 22), RULES, {}, evaluator="network", seconds=50),
    Field("othello", (44, 48), RULES, {}, part=0.25),
    Field("othello", (44, 48), RULES, {}, part=0.25, evaluator="network"),
    Field("hex", (2, 10), RULES, {"size": 5}, most=300),
    Field("hex", (4, 14), RULES, {"size": 6}, part=0.4, most=300),
    Field("random-tree", (0, 0), ON_RANDOM_TREES, {"branching": 8, "depth": 6}),
    Field("chess", (6, 40), RULES, {}, part=0.1, deep=300_000, most=300),
    Field("hex", (8, 30), {"puct": {}}, {"size": 11}, part=0.1, evaluator="network", deep=400_000, most=300),
)


@dataclass(frozen=True)
class Judged:
    """An answer with all signals of how sure it was."""

    answer: Answer
    margin: float
    share: float
    leaves: int


Key = tuple[str, str, int, int]
"""Field, search, expansions, and how many positions were sampled."""


class Store:
    """Answers that have been judged, in a file if there is one: the same command goes on where it ended."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.known: dict[Key, list[Judged]] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
        for line in lines:
            version, key, judged = json.loads(line)
            if version == cn.__version__:
                self.known[tuple(key)] = [Judged(Answer(p, right), *rest) for p, right, *rest in judged]

    def __contains__(self, key: Key) -> bool:
        return key in self.known

    def __getitem__(self, key: Key) -> list[Judged]:
        return self.known[key]

    def keep(self, key: Key, judged: list[Judged]) -> None:
        """Keep what was found."""
        self.known[key] = judged
        if self.path is None:
            return
        plain = [[one.answer.stated, one.answer.right, one.margin, one.share, one.leaves] for one in judged]
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([cn.__version__, key, plain]) + "\n")


def judge(
    root: Root, search: str, settings: dict[str, Any], expansions: int, evaluator: str | None = None
) -> Judged | None:
    """Search a position, and see whether the move was right."""
    result = cn.search(root.position, search, evaluator=evaluator, expansions=expansions, **settings)
    if result.confidence is None:
        return None
    sign = 1 if root.position.to_move == "max" else -1
    children = result.tree.root.children
    ordered = sorted((sign * child.value for child in children), reverse=True)
    sizes = result.tree.child_sizes(result.tree.root)
    place = next(c.place for c in children if c.legal_place == root.position.place(result.move))
    return Judged(
        Answer(result.confidence, root.is_best(result.move)),
        ordered[0] - ordered[1] if len(ordered) > 1 else float("inf"),
        sizes[place] / sum(sizes),
        leaves_to_second(result, sign, ordered),
    )


def leaves_to_second(result: cn.Result, sign: int, ordered: list[float]) -> int:
    """Return how many leaves must be wrong for the value to fall to that of the second best move."""
    if len(ordered) < 2 or result.status == "proven":
        return _MOST_LEAVES
    for count in range(1, _MOST_LEAVES):
        low, high = result.tree.interval(count)
        if (low if sign > 0 else -high) <= ordered[1]:
            return count
    return _MOST_LEAVES


def calibration(work: Work) -> Report:
    """Judge all searches on all fields."""
    titles = [field.title for field in FIELDS]
    if other := set(work.only) - {*titles}:
        raise ArgumentError(f"the calibration has no game {min(other)!r}; there are {', '.join(titles)}")
    fields = [field for field in FIELDS if field.title in (work.only or titles)]
    fields = [field for field in fields if ErrorModel.of(field.game(0), field.evaluator) is not None]
    budgets = (BAR_AT,) if work.quick else BUDGETS
    store = Store(None if work.folder is None or work.quick else work.folder / "calibration.jsonl")
    rows: list[list[Cell]] = []
    found: dict[tuple[str, str, int], list[Judged]] = {}
    for field in fields:
        count = max(1, round(work.games * field.part))
        todo = [(search, budget) for search in field.searches for budget in budgets if budget <= field.most]
        asked = [pair for pair in todo if (field.title, *pair, count) not in store]
        roots: list[Root] = []
        if asked:
            kept = work.over(field.root, range(count), f"positions of {field.title}")
            roots = [root for root in kept if root is not None]
        for search, budget in todo:
            key = (field.title, search, budget, count)
            if key not in store:
                answer = partial(
                    judge,
                    search=search,
                    settings=field.searches[search],
                    expansions=budget,
                    evaluator=field.evaluator,
                )
                judged = work.over(answer, roots, f"positions of {field.title}, {search} with {budget}")
                store.keep(key, [one for one in judged if one is not None])
            if answers := store[key]:
                found[field.title, search, budget] = answers
                rows.append(row(field.title, search, budget, answers))
    at_bar = {key: judged for key, judged in found.items() if key[2] == BAR_AT}
    kept_promise = all(keeps(game, search, judged) for (game, search, _), judged in at_bar.items())
    return Report(
        title="How often searches are right when they say that they are sure",
        paper="E. B. Baum and W. D. Smith 1997, and beyond",
        columns=[
            *("game", "search", "expansions", "positions", "right", "stated", "ECE", "ECE by chance"),
            *("log loss", "loss of margin", "loss of share", "loss of leaves"),
            *("AUC", "AUC of margin", "AUC of share", "AUC of leaves"),
            *("open", "AUC of open", "open AUC of margin", "log loss of open"),
        ],
        rows=rows,
        agrees=kept_promise,
        draw=lambda axes: draw(axes, found),
        convention=[
            "Positions are sampled with another seed than those of the error models. Half of the moves "
            "before them are random, half are chosen by small searches. None is left out because of its "
            "truth.",
            "A move is right if no other one has a better outcome, by exact solving; in chess and on large "
            "Hex boards by a much longer search, as far as the model tells outcomes apart. ECE: the expected "
            "calibration error over ten classes; by chance: that of a perfect forecast with the same "
            "statements. Open: answers that were not stated with certainty.",
            "Margin: between the values of the two best moves. Share: the part of the tree below the "
            "chosen one. Leaves: how many must be wrong for the value to fall to that of the second best "
            "move. Their log loss is that of a logistic curve, fitted on one half and used on the other.",
            f"Agreement, at {BAR_AT} expansions in Connect-Four: ECE at most .02 for relevance and .035 "
            "for the others, AUC of the probability at least that of the margin; on random trees an ECE "
            "within .015 of chance.",
        ],
        notes=[f"All promises kept: {yes(kept_promise)}."],
        reference="its criterion",
        seeds=f"{work.games} positions of each game, from seed {SEED}",
    )


def keeps(game: str, search: str, judged: list[Judged]) -> bool:
    """Tell whether stated probabilities are as good as promised."""
    of = scores([one.answer for one in judged])
    if game == "random-tree":
        return of.ece <= of.floor + 0.015
    if game != "connect-four":
        return True
    margin = auc([one.margin for one in judged], [one.answer.right for one in judged])
    better = of.auc is None or margin is None or of.auc >= margin
    return better and of.ece <= (0.02 if search == "relevance" else 0.035)


def row(game: str, search: str, budget: int, judged: list[Judged]) -> list[Cell]:
    """Return a line of the table."""
    right = [one.answer.right for one in judged]
    of: Scores = scores([one.answer for one in judged])
    signals = [[float(getattr(one, name)) for one in judged] for name in ("margin", "share", "leaves")]
    stated = sum(one.answer.stated for one in judged) / len(judged)
    unsure = [one for one in judged if one.answer.stated < 1 - OPEN]
    open_margin = auc([one.margin for one in unsure], [one.answer.right for one in unsure])
    numbers: list[float | None] = [of.right, stated, of.ece, of.floor]
    numbers += [of.log_loss, *(fitted_loss(signal, right) for signal in signals)]
    numbers += [of.auc, *(auc(signal, right) for signal in signals)]
    numbers += [of.open_share, of.open_auc, open_margin, of.open_loss]
    shown: list[Cell] = [None if x is None else round(x, 3) for x in numbers]
    return [game, search, budget, len(judged), *shown]


def draw(axes: Axes, found: dict[tuple[str, str, int], list[Judged]]) -> None:
    """Draw a reliability diagram: how often right against what was stated, in all games that were played."""
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    shown = [key for key in found if key[2] == BAR_AT and key[1] in ("relevance", "puct")]
    shown += [key for key in found if key[:1] == ("connect-four",) and key[2] == BAR_AT and key not in shown]
    for game, search, budget in shown:
        judged = found[game, search, budget]
        classes: dict[int, list[Answer]] = {}
        for one in judged:
            classes.setdefault(min(int(one.answer.stated * 10), 9), []).append(one.answer)
        points = sorted(
            (sum(a.stated for a in members) / len(members), sum(a.right for a in members) / len(members))
            for members in classes.values()
            if len(members) >= 10
        )
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            marker="o",
            markersize=4,
            label=f"{game}: {search}",
        )
    axes.set(xlabel="stated probability that the move is right", ylabel="share of right moves")
    axes.legend(frameon=False, fontsize=8)
