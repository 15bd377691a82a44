"""Sentences about a tree: why a leaf was chosen, and why one move was preferred to another."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from conspirator._errors import ConspiratorError
from conspirator._native import Node, Tree
from conspirator._result import Result
from conspirator.figures.colours import number
from conspirator.studio.looks import Names, Path, best_first, principal

MOST_NODES = 2_000_000
"""Larger trees are not asked how many leaves must change."""


def say_line(names: Names, tree: Tree, path: Path) -> str:
    """Return the moves to a node as one text; of the root, that it is the root."""
    return " ".join(names.line(tree, path)) if path else "the root"


def reason(rule: str, tree: Tree | None, path: Path, names: Names, threshold: int = 1) -> str:
    """Return why a rule expands a leaf next, in the terms of its paper; the tree is the one before.

    >>> import conspirator as cn
    >>> game = cn.games.ExplicitTree({"value": 0, "children": [{"value": 3}, {"value": 5}]})
    >>> tree = cn.Tree.from_dict({"value": 0, "children": [{"value": 3}, {"value": 5}]}, "best-first")
    >>> reason("best-first", tree, (1,), Names(None))
    'It is the principal leaf: best play of both sides leads there, and the root has its value, 5.'
    """
    if tree is None or not path:
        return "The root is expanded first: without its moves there is nothing to choose."
    say = REASONS.get(rule)
    try:
        return say(tree, path, names, threshold) if say is not None else f"The rule {rule} chose it."
    except (ConspiratorError, KeyError, TypeError, ValueError, IndexError):
        return f"The rule {rule} chose it."


def _principal(tree: Tree, path: Path, names: Names, _: int) -> str:  # noqa: ARG001
    leaf = tree.node(path)
    if leaf.value == tree.root.value:
        return (
            "It is the principal leaf: best play of both sides leads there, and the root has its value, "
            f"{number(leaf.value)}."
        )
    return (
        f"It is the best open leaf: its value is {number(leaf.value)}, the root's {number(tree.root.value)}."
    )


def _conspiracy(tree: Tree, path: Path, names: Names, threshold: int) -> str:  # noqa: ARG001
    root = tree.root.value
    low, high = tree.interval(threshold)
    leaves = f"{threshold} conspirator{'s' * (threshold != 1)}"
    far = f"from {number(low)} to {number(high)}"
    said = f"With {leaves} the root's value, {number(root)}, can be anything {far}."
    for end, word in ((high, "rise to"), (low, "fall to")):
        if end == root:
            continue
        # an infinite end stands for all values beyond the last finite one
        group = tree.conspirators(end)
        if group is not None and any(tuple(leaf.path) == path for leaf in group):
            with_it = len(group) - 1
            others = f", with {with_it} other{'s' * (with_it != 1)}" if with_it else ", all by itself"
            return f"{said} It is a conspirator for the root to {word} {number(end)}{others}."
    return f"{said} It is on the way to a leaf that could move the end that the procedure wants to rule out."


def _penalty(tree: Tree, path: Path, names: Names, _: int) -> str:
    weights = [float(tree.node(path[:end]).numbers["w"]) for end in range(1, len(path) + 1)]
    rivals = []
    for child in tree.root.children:
        pi = child.numbers["pi"]
        if child.place != path[0] and pi < inf:
            rivals.append((float(child.numbers["w"]) + float(pi), child))
    said = (
        f"The arrows lead to it: the penalties of its moves, {' + '.join(f'{w:.3g}' for w in weights)}, "
        f"make {sum(weights):.3g}, the least of all open leaves"
    )
    if rivals:
        least, child = min(rivals, key=lambda rival: rival[0])
        said += f"; the best one below {names.name(tree, tuple(child.path))} has {least:.3g}"
    return said + "."


def _swing(tree: Tree, path: Path, names: Names, _: int) -> str:
    first, leaf, best = tree.node(path[:1]), tree.node(path), best_first(tree.root)[0]
    own, name = float(first.numbers["swing"]), names.name(tree, path[:1])
    swings = {child.place: float(child.numbers["swing"]) for child in tree.root.children}
    others = sorted(swing for place, swing in swings.items() if place != first.place and swing > 0)
    rivals = [
        swing for place, swing in swings.items() if place not in (first.place, best.place) and swing > 0
    ]
    if not others or own <= others[0]:
        said = f"The decision is least certain at {name}: a swing of {own:g} of its leaves would change it"
        said += f", elsewhere it takes {others[0]:g} or more" if others else ""
    elif first == best:  # the best variant: the best move and the others take turns
        said = f"It is the best move's turn: a swing of {own:g} of its leaves would make another one better"
    else:
        said = f"It is the turn of the moves that are not best: {name} would become it by a swing of {own:g}"
        said += ", the least of them" if own <= min(rivals, default=inf) else ""
    return f"{said}. This leaf would have to change by {float(leaf.numbers['swing']):g}."


def _sibling(tree: Tree, path: Path, names: Names, _: int) -> str:  # noqa: ARG001
    numbers = tree.root.numbers
    low, high = float(numbers["vmin"]), float(numbers["vmax"])
    return (
        f"The search interval is v_min = {number(low)}, v_max = {number(high)}. At Max nodes the child with "
        "the least p(v_max) leads to it, at Min nodes the one with the least d(v_min): it counts for both."
    )


def _proof(tree: Tree, path: Path, names: Names, _: int) -> str:  # noqa: ARG001
    numbers = tree.root.numbers
    return (
        f"It is a most-proving leaf: the root needs {number(float(numbers['pn']))} leaves to be proven and "
        f"{number(float(numbers['dn']))} to be disproven, and this one counts for both."
    )


def _product(tree: Tree, path: Path, names: Names, _: int) -> str:
    first, root = tree.node(path[:1]), tree.root
    mine = "p" if root.is_max else "q"
    return (
        f"At each node the likeliest move of its player was taken: {names.name(tree, path[:1])} wins with a "
        f"chance of {float(first.numbers[mine]):.3g}, the root with {float(root.numbers[mine]):.3g}."
    )


def _explored(tree: Tree, path: Path, names: Names, _: int) -> str:
    first = tree.node(path[:1])
    return (
        f"It is the end of the best line that is not resolved: {names.name(tree, path[:1])} is worth "
        f"{number(first.value)}, and has been explored {float(first.numbers['visits']):.0f} times."
    )


def _two_values(tree: Tree, path: Path, names: Names, _: int) -> str:
    numbers = tree.node(path[:1]).numbers
    low, high = float(numbers["low"]), float(numbers["high"])
    return (
        f"{names.name(tree, path[:1])} is worth between {number(low)} and {number(high)}. The search brings "
        "these together, to separate one move from the others. Below it each player goes to the best hope."
    )


def _visits(tree: Tree, path: Path, names: Names, _: int) -> str:
    first = tree.node(path[:1])
    numbers = first.numbers
    visits, whole = float(numbers["visits"]), float(tree.root.numbers["visits"])
    said = (
        f"At each node the child with the greatest mean plus bonus was taken: {names.name(tree, path[:1])} "
        f"has {visits:.0f} of {whole:.0f} visits"
    )
    if numbers.get("reward") is not None:
        said += f" and a mean of {float(numbers['reward']):.3g}"
    if numbers.get("prior") is not None:
        said += f", and a prior of {float(numbers['prior']):.2g}"
    return said + "."


def _prior_penalty(tree: Tree, path: Path, names: Names, _: int) -> str:
    numbers, least = tree.node(path[:1]).numbers, float(tree.root.numbers["penalty"])
    said = (
        f"This leaf has the least penalty of all, {least:.3g}: the sum of -ln D over its moves and a "
        f"constant for each ply. {names.name(tree, path[:1])} has a prior of {float(numbers['prior']):.2g}"
    )
    if numbers.get("reward") is not None:
        said += f" and a reward of {float(numbers['reward']):.3g}"
    return said + "."


def _relevance(tree: Tree, path: Path, names: Names, _: int) -> str:  # noqa: ARG001
    numbers = tree.node(path).numbers
    said = "Its being wrong would change most of what the player to move expects"
    if "relevance" not in numbers:
        return said + "."
    return f"{said}: by {float(numbers['relevance']):.2g} of the range of outcomes on the mean."


REASONS: dict[str, Callable[[Tree, Path, Names, int], str]] = {
    "best-first": _principal,
    "unbounded-minimax": _explored,
    "descent": _explored,
    "b-star": _two_values,
    "conspiracy": _conspiracy,
    "improved-conspiracy": _conspiracy,
    "minmax-approximation": _penalty,
    "least-certainty": _swing,
    "sibling-conspiracy": _sibling,
    "relevance": _relevance,
    "proof-number": _proof,
    "product-propagation": _product,
    "uct": _visits,
    "pn-mcts": _visits,
    "puct": _visits,
    "prior-penalty": _prior_penalty,
}
"""How each rule says why."""


def why_not(result: Result, path: Path, names: Names) -> list[str]:
    """Return why a move was not chosen, in sentences: the node at the end of `path` against its best sibling.

    >>> import conspirator as cn
    >>> result = cn.search(cn.games.ConnectFour().position("4453"), "conspiracy", expansions=300)
    >>> worst = min(result.tree.root.children, key=lambda child: child.value)
    >>> why_not(result, tuple(worst.path), Names(result.position))[0][:20]
    '... is worth ...
    """
    tree = result.tree
    if not path:
        path = tuple(_chosen(result, tree.root).path)
    node = tree.node(path)
    parent = node.parent
    assert parent is not None
    best = _chosen(result, parent)
    name = names.name(tree, path)
    if best == node:
        second = next((child for child in best_first(parent) if child != best), None)
        if second is None:
            return [f"{name} is the only move."]
        runner = names.name(tree, tuple(second.path))
        return [
            f"{name} is the chosen move. Against {runner}, the next best:",
            *_compare(tree, second, best, names),
        ]
    return _compare(tree, node, best, names)


def _chosen(result: Result, parent: Node) -> Node:
    if parent.parent is None:
        place = result.position.place(result.move)
        for child in parent.children:
            if child.legal_place == place:
                return child
    return best_first(parent)[0]


def _compare(tree: Tree, node: Node, best: Node, names: Names) -> list[str]:
    path, best_path = tuple(node.path), tuple(best.path)
    name, other = names.name(tree, path), names.name(tree, best_path)
    parent = node.parent
    assert parent is not None
    side = "Max" if parent.is_max else "Min"
    said = [f"{name} is worth {number(node.value)}, {other} {number(best.value)}, for Max; {side} chooses."]
    if node.value == best.value:
        said.append("By value they are equal: the rule's own numbers, or the order of the moves, decided.")
    if node.is_solved:
        said.append(f"The value of {name} is certain: however far the tree grows, it stays.")
    elif node.is_open:
        said.append(f"{name} is still a leaf: the search found other leaves more important.")
    else:
        line = names.line(tree, principal(tree, path))[len(path) :]
        if line:
            said.append(f"After {name} the best answer is {' '.join(line[:6])}.")
    worse = node.value < best.value if parent.is_max else node.value > best.value
    if worse and not node.is_solved and len(tree) <= MOST_NODES:
        leaves = tree.conspiracy(node, best.value)
        if leaves == inf:
            said.append(f"No change of its leaves can make {name} as good as {other}.")
        else:
            count = f"{leaves:g} leaves" if leaves != 1 else "One leaf"
            said.append(f"{count} would have to be wrong for {name} to be as good as {other}.")
    said += _by_numbers(node, best, name, other)
    return said


def _by_numbers(node: Node, best: Node, name: str, other: str) -> list[str]:
    """Return what the rule's own numbers say, where both have the same."""
    mine, theirs = node.numbers, best.numbers
    words = {
        "visits": "visits",
        "reward": "a mean reward of",
        "swing": "a swing of",
        "pi": "pi",
        "pn": "a proof number of",
        "dn": "a disproof number of",
    }
    said = []
    for key, word in words.items():
        if _is_number(mine.get(key)) and _is_number(theirs.get(key)):
            a, b = (number(float(numbers[key])) for numbers in (mine, theirs))
            said.append(
                f"{name} has {a} {word}, {other} {b}."
                if key == "visits"
                else f"{name} has {word} {a}, {other} {b}."
            )
    return said


def _is_number(entry: Any) -> bool:
    return isinstance(entry, (int, float)) and not isinstance(entry, bool)


def least_path(rule: str, tree: Tree) -> Path:
    """Return the path that the rule's own numbers point along: the arrows, the least swing, the most proving.

    Where a rule has none, it is the principal line.
    """
    node, path = tree.root, []
    while node.children:
        place = _next_place(rule, node)
        if place is None:
            break
        path.append(place)
        node = node.children[place]
    return tuple(path) if path else principal(tree)


def _next_place(rule: str, node: Node) -> int | None:
    if rule == "minmax-approximation":
        arrow = node.numbers.get("arrow")
        return int(arrow) if isinstance(arrow, (int, float)) else None
    keys = {"least-certainty": "swing", "proof-number": "pn" if node.is_max else "dn"}
    key = keys.get(rule)
    if key is not None:
        open_ones = [child for child in node.children if not child.is_solved]
        return min(open_ones, key=lambda child: float(child.numbers[key])).place if open_ones else None
    if rule in ("uct", "pn-mcts", "puct", "prior-penalty"):
        return max(node.children, key=lambda child: float(child.numbers["visits"])).place
    return best_first(node)[0].place
