"""What a search answers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from conspirator._budget import Budget
from conspirator._certain import AnyModel, Known
from conspirator._errors import ArgumentError
from conspirator._native import Position, Tree
from conspirator._tree import central, check_count

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path

    from conspirator import _native
    from conspirator._evaluator import AnyEvaluator
    from conspirator._rule import GrowthRule
    from conspirator.certainty.doubts import Doubt
    from conspirator.figures.drawing import Drawing


class Recipe(NamedTuple):
    """How a search was made: what is needed to make it again."""

    rule: str | GrowthRule
    parameters: dict[str, Any]
    evaluator: AnyEvaluator = None


def line_of(position: Position, places: list[int]) -> list[Any]:
    """Return the moves at these places, one after the other, as far as there are such."""
    moves: list[Any] = []
    for place in places:
        choices = position.moves()
        if place >= len(choices):
            break
        moves.append(choices[place])
        position = position.play(choices[place])
    return moves


class Result:
    """The answer of a search: the move, its value, the line behind it, and what it cost.

    >>> import conspirator as cn
    >>> game = cn.games.ExplicitTree({"value": 0, "children": [{"value": 3}, {"value": 5}]})
    >>> result = cn.search(game.start(), "best-first", expansions=1)
    >>> result.move, result.value, result.line, result.status
    ('1', 5.0, ['1'], 'proven')
    """

    def __init__(
        self,
        position: Position,
        core: _native.Search,
        recipe: Recipe,
        progress: Any = None,
        error_model: AnyModel = None,
    ) -> None:
        self._core = core
        self._known = Known(position, recipe.rule, recipe.evaluator, error_model)
        self._error_model = error_model
        self._recipe = recipe
        self._progress = progress
        self.position = position
        """The position that was searched."""
        self._report: dict[str, Any] = core.report()
        self._ladder: list[tuple[float, float]] = []

    @property
    def move(self) -> Any:
        """The chosen move."""
        return self.position.moves()[self._report["best"]]

    @property
    def value(self) -> float:
        """The value of the root, from Max's side: its minimax value, or a mean for `uct`, `pn-mcts`,
        `puct`, `prior-penalty` and `relevance`.

        `tree.root.value` is always the minimax value of the leaves.
        """
        return float(self._report["value"])

    @property
    def won(self) -> bool | None:
        """For a search that asks whether Max gets at least the `goal`: the answer, once it is known."""
        won = self._report["won"]
        return None if won is None else bool(won)

    @cached_property
    def line(self) -> list[Any]:
        """The principal variation: best play for both sides as far as the search knows."""
        return line_of(self.position, self._report["line"])

    @property
    def status(self) -> str:
        """Why the search ended: 'proven', 'converged', 'decided', 'budget' or 'interrupted'."""
        return str(self._report["status"])

    @property
    def limit(self) -> str | None:
        """Which part of the budget ended the search, if one did: 'expansions', 'seconds', ..."""
        limit = self._report["limit"]
        return None if limit is None else str(limit)

    @property
    def expansions(self) -> int:
        """Leaves expanded, the root included; for a depth-first search, inner nodes visited."""
        return int(self._report["expansions"])

    @property
    def nodes(self) -> int:
        """Nodes generated, the root included."""
        return int(self._report["nodes"])

    @property
    def move_calls(self) -> int:
        """Calls of the game's play, as the search's paper counts them."""
        return int(self._report["move_calls"])

    @property
    def seconds(self) -> float:
        """Wall-clock time."""
        return float(self._report["seconds"])

    @property
    def artificial_time(self) -> int:
        """Units of artificial time, counted while there is a budget of them (Utgoff and Cochran 2001)."""
        return int(self._report["artificial_time"])

    @property
    def depth(self) -> int:
        """Ply of the deepest node; for a depth-first search, the last completed depth."""
        return int(self._report["depth"])

    @property
    def bytes_per_node(self) -> float | None:
        """Memory per node of the tree, positions and the rule's numbers included."""
        size = self._report["bytes_per_node"]
        return None if size is None else float(size)

    @property
    def iterations(self) -> list[dict[str, Any]]:
        """The completed iterations of a search that deepens: depth, move, value, move_calls of each."""
        moves = self.position.moves()
        return [
            {
                "depth": done["depth"],
                "move": moves[done["best"]],
                "value": done["value"],
                "move_calls": done["move_calls"],
            }
            for done in self._report["iterations"]
        ]

    @property
    def trace(self) -> list[list[int]]:
        """With `trace=True`: the expanded leaves in order, as paths of child indices; [] is the root."""
        trace = self._core.trace()
        if trace is None:
            raise ArgumentError("the search was not recorded: call it with trace=True")
        return trace

    @property
    def has_tree(self) -> bool:
        """Whether the search keeps its tree; depth-first searches do not."""
        return self._core.tree() is not None

    @property
    def tree(self) -> Tree:
        """The grown tree."""
        self._informed  # noqa: B018 -- so that nodes can tell their distributions
        tree = self._core.tree()
        if tree is None:
            raise ArgumentError("this search keeps no tree: a depth-first search forgets where it has been")
        return tree

    def interval(self, n: int) -> tuple[float, float]:
        """Return (Vmin, Vmax): how far the value can go if at most `n` leaves of the tree are wrong.

        With n = 0 both are the value, except for `uct`, `pn-mcts`, `puct`, `prior-penalty` and `relevance`.
        Their value is a mean, and the interval contains both the mean and the minimax value of the same
        leaves.

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=100)
        >>> result.interval(0) == (result.value, result.value)
        True
        >>> result = cn.search(cn.games.ConnectFour().start(), "puct", expansions=100)
        >>> result.interval(0) == tuple(sorted([result.value, result.tree.root.value]))
        True
        """
        if len(self._ladder) <= check_count(n):
            self._ladder = self.tree.ladder(max(n, 8))
        # the ladder is cut at a million conspirators, which are as good as all
        low, high = self._ladder[min(n, len(self._ladder) - 1)]
        return min(low, self.value), max(high, self.value)

    @cached_property
    def probabilities(self) -> dict[Any, float] | None:
        """For every move the probability that it is a best one; None without a tree or an error model.

        Several moves can be best, so these need not add up to 1. `error_model` of `cn.search` says how far
        the leaves can be trusted; for our own games' evaluators there are models (see `cn.ErrorModel`).

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().position("445326"), "least-certainty", expansions=300)
        >>> max(result.probabilities, key=result.probabilities.get) == result.move
        True
        """
        if not self._informed:
            return None
        found = self.tree.probabilities
        if found is None:
            return None
        chances = dict(found)
        return {move: chances.get(place, 0.0) for place, move in enumerate(self.position.moves())}

    @property
    def confidence(self) -> float | None:
        """The probability that the move is a best one: 1 if it is proven; None if nobody knows.

        >>> import conspirator as cn
        >>> position = cn.games.ConnectFour().position("445326")
        >>> result = cn.search(position, "relevance", until=0.6, expansions=9999)
        >>> result.confidence >= 0.6
        True
        """
        if self.status == "proven":
            return 1.0
        likely = self.probabilities
        return None if likely is None else likely[self.move]

    @property
    def gain(self) -> float | None:
        """The most that more search can gain, in parts of the range of outcomes; None if nobody knows.

        How much better the best move is than the one that promises most, on average, if all becomes known
        before the choice: E[max] - max E (Baum and Smith 1997). `until="cost=0.00001"` stops when this is not
        worth the expansions that it would take.

        >>> import conspirator as cn
        >>> position = cn.games.ConnectFour().position("445326")
        >>> result = cn.search(position, "relevance", until="cost=0.0001", expansions=9999)
        >>> result.status, result.gain <= 0.0001 * result.expansions
        ('decided', True)
        """
        if self.status == "proven":
            return 0.0
        return self.tree._gain() if self._informed else None

    def outcome_interval(self, level: float = 0.9) -> tuple[float, float] | None:
        """Return between which outcomes the truth lies with this probability; None without an error model.

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().position("445326"), "relevance", expansions=300)
        >>> result.outcome_interval(0.9)
        (1.0, 1023.0)
        """
        if not 0 < level < 1:
            raise ArgumentError(f"level must lie between 0 and 1, not {level!r}")
        if not self._informed:
            return None
        likely = self.tree.root.distribution
        return None if likely is None else central(likely, level)

    def doubts(self, most: int = 3) -> list[Doubt]:
        """Return the positions whose judgement matters most for the choice, and what happens if one is wrong.

        At most so many, the first one matters most; none without an error model, or where all is proven.

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().position("445326"), "best-first", expansions=300)
        >>> doubt = result.doubts()[0]
        >>> len(doubt.line) > 1, sum(case.probability for case in doubt.cases)
        (True, 1.0)
        """
        from conspirator.certainty.doubts import doubts

        return doubts(self, check_count(most)) if self._informed else []

    @cached_property
    def _informed(self) -> bool:
        """Tell the core how far the leaves can be trusted; whether anybody knows."""
        tree = self._core.tree()
        if tree is None:
            return False
        if tree.outcomes is None:
            told = self._known.told(self._core.leaves)
            if told is not None:
                self._core.inform(told)
        return tree.outcomes is not None

    def conspirators(self, value: float) -> list[list[Any]] | None:
        """Return a smallest set of leaves that must all change for the root to have `value`.

        Each leaf is the line of moves that leads to it. Empty if the root has that value; None if no
        change of leaves can give it (McAllester 1988, Section 2).

        >>> import conspirator as cn
        >>> game = cn.games.RandomTree(branching=2, depth=3, seed=1)
        >>> result = cn.search(game.start(), "best-first", expansions=3)
        >>> result.conspirators(result.value)
        []
        >>> len(result.conspirators(result.interval(1)[1]))
        1
        """
        leaves = self.tree.conspirators(value)
        return None if leaves is None else [leaf.line for leaf in leaves]

    def resume(self, *, budget: Budget | None = None, **limits: Any) -> Result:
        """Search on from here with a new budget, as `cn.search` takes it, and return the new answer.

        The tree goes on growing as if it had never stopped. This result keeps its own figures, but its
        tree is the grown one.

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().start(), "best-first", expansions=100)
        >>> result.resume(expansions=100).expansions
        200
        """
        given = Budget.take(limits)
        if limits:
            raise ArgumentError(f"a search that goes on takes a budget only, not {', '.join(limits)}")
        budget = budget or given
        if budget.until is not None:
            self._known.inform(self._core)
        self._core.run(budget.arguments(), progress=self._progress)
        return Result(self.position, self._core, self._recipe, self._progress, self._error_model)

    def figure(self, kind: str, path: Sequence[int] = ()) -> Drawing:
        """Draw a figure: 'tree', 'ladder', 'numbers', 'values', 'growth', 'certainty'; a notebook shows it.

        The tree, node by node if it is small; the ladder of `interval(n)`; how many leaves must change for a
        node to reach a value, for rules that keep such numbers: the root, or the node at a `path` of places
        among siblings; the value and its intervals against expansions; how the tree grew; how likely each
        move is a best one. 'values' and 'growth' search the position once more, for as many expansions. Needs
        matplotlib.

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=100)
        >>> result.figure("tree").save("tree.svg")                  # doctest: +SKIP
        PosixPath('tree.svg')
        """
        from conspirator.figures import draw

        return draw(self, kind, path)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the search, its tree included, to a file that `cn.load` reads; return the file's path.

        What was there before is replaced, and only when everything is written. Growth after loading is the
        same as without. Depth-first searches keep no tree and cannot be saved.

        >>> import conspirator as cn, tempfile
        >>> result = cn.search(cn.games.Othello().start(), "best-first", expansions=1000)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     cn.load(result.save(f"{folder}/othello.tree"))
        <Result: move ..., 1,000 expansions, ... nodes>
        """
        from conspirator._saved import save

        return save(self, path)

    def advance(self, move: Any) -> Result:
        """Return the search of the position after a move: the tree below the move, without the rest.

        The new result has grown as far as the old one had below that move; `resume` lets it grow on, with
        the numbers of the rule computed for the new root. This result stays as it is.

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().start(), "best-first", expansions=1000)
        >>> reply = result.advance(result.move)
        >>> reply.position == result.position.play(result.move), reply.expansions > 100
        (True, True)
        >>> reply.resume(expansions=1000).expansions == reply.expansions + 1000
        True
        """
        from conspirator._saved import advance

        return advance(self, move)

    def widget(self) -> Any:
        """Return the tree as a widget for notebooks: zoom, select, see the rule's numbers. Needs anywidget.

        >>> import conspirator as cn
        >>> result = cn.search(cn.games.ConnectFour().start(), "conspiracy", expansions=100)
        >>> result.widget()                                             # doctest: +SKIP
        """
        from conspirator._widget import widget

        return widget(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Show the widget too, where there is a notebook that can; all else is as it was."""
        from conspirator._widget import has_widgets

        if not (self.has_tree and has_widgets()):
            return {}
        shown = self.widget()._repr_mimebundle_()
        bundle = shown[0] if isinstance(shown, tuple) else shown
        return {kind: part for kind, part in (bundle or {}).items() if kind.startswith("application/")}

    def _repr_html_(self) -> str:
        from conspirator._html import result

        return result(self)

    def __repr__(self) -> str:
        return (
            f"<Result: move {self.move}, value {self.value:g}, {self.status}, "
            f"{self.expansions:,} expansions, {self.nodes:,} nodes>"
        )
