"""What the page can ask for, by name: one function for each word of the protocol."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

import conspirator as cn
from conspirator._errors import ArgumentError
from conspirator._players import LEVELS
from conspirator.studio import boards
from conspirator.studio.choice import UNITS, Games, searches_listed, short_text, simple
from conspirator.studio.editor import edited
from conspirator.studio.explain import least_path, why_not
from conspirator.studio.guide import Guide
from conspirator.studio.lab import Lab
from conspirator.studio.lane import Lane
from conspirator.studio.looks import Path
from conspirator.studio.replay import Replay
from conspirator.studio.session import Page, Session
from conspirator.studio.tours import tours

MOST_SESSIONS = 64
"""Sessions that are kept; the one that was used least recently goes."""
MOST_COMPARED = 4
"""Searches side by side."""
MOST_CONSPIRATORS = 64
"""For so many wrong leaves it is asked how far the value can go."""
PATIENCE = 60.0
"""Seconds that a question to a lane may take."""


class Desk:
    """All sessions of a studio, and what pages ask of them."""

    def __init__(self, games: Games, first: dict[str, Any], lab: Lab) -> None:
        self.games = games
        self.first = first
        """The game that a new page begins with: `game`, `options`, `position`."""
        self.lab = lab
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._lock = Lock()

    def handle(self, page: Page, session: Session | None, message: dict[str, Any]) -> Any:
        """Answer one message; mistakes are one of our errors."""
        word = message.get("do")
        if word == "hello":
            return self.hello(page, message)
        if session is None:
            raise ArgumentError("say hello first")
        answer = ASKED.get(word) if isinstance(word, str) else None
        if answer is None:
            raise ArgumentError(f"there is nothing called {word!r} to ask for")
        if word in UNLOCKED:
            return answer(self, page, session, message)
        with session.lock:
            said = answer(self, page, session, message)
            if word in CHANGING:
                session.tell_state()
        return said

    def hello(self, page: Page, message: dict[str, Any]) -> dict[str, Any]:
        """Let a page join its session, or a new one, made again from what the page has kept."""
        name = message.get("session")
        session = self._sessions.get(name) if isinstance(name, str) else None
        if session is None:
            session = self._open()
            if message.get("document"):
                with session.lock:
                    session.restore(message["document"])
            elif message.get("game"):
                with session.lock:
                    session.new(
                        short_text(message["game"], "the game"),
                        simple(message.get("options")),
                        message.get("position"),
                    )
        session.join(page)
        return {
            "session": session,
            "told": {
                "version": cn.__version__,
                "games": self.games.listed(),
                "searches": searches_listed(),
                "tours": [tour.listed() for tour in tours().values()],
                "units": UNITS,
                "levels": len(LEVELS),
                "state": session.state(),
                "lanes": list(session.lanes),
            },
        }

    def _open(self) -> Session:
        name = secrets.token_urlsafe(12)
        first = self.first
        session = Session(name, self.games, first["game"], first["options"], first["position"])
        with self._lock:
            self._sessions[name] = session
            while len(self._sessions) > MOST_SESSIONS:
                empty = next((key for key, each in self._sessions.items() if not each.pages), None)
                key = empty or next(iter(self._sessions))
                self._sessions.pop(key).close_lanes()
        return session

    def close(self) -> None:
        """End all searches and matches."""
        for session in self._sessions.values():
            session.close_lanes()
        self.lab.close()

    # the game

    def new(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Begin a game."""
        session.new(
            short_text(message.get("game"), "the game"),
            simple(message.get("options")),
            message.get("position"),
        )

    def open(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Open a file."""
        session.open_file(message.get("name"), message.get("text"))

    def edit(self, _: Page, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Return a board on which a position is set up, after one more piece; the game stays as it is."""
        return edited(session.moves.position, message).told()

    def move(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Make a move."""
        session.move(message.get("move"))

    def go(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Look at a position of the game."""
        session.go(message.get("step"))

    def back(self, _: Page, session: Session, __: dict[str, Any]) -> None:
        """Take back."""
        session.take_back()

    def seat(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Say who plays."""
        session.seat(message.get("sides"), message.get("clock"))

    def reply(self, _: Page, session: Session, __: dict[str, Any]) -> None:
        """Let the player whose turn it is move."""
        session.paused = False
        session.reply()

    def hint(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Ask for a hint."""
        session.hint(message.get("choice"))

    def overlays(self, _: Page, session: Session, __: dict[str, Any]) -> dict[str, Any]:
        """Return what can be drawn over the board."""
        return session.overlays()

    # searches

    def analyse(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Search the position."""
        session.analyse(message.get("choice"), message.get("budget"))

    def compare(self, _: Page, session: Session, message: dict[str, Any]) -> list[str]:
        """Search the position in several ways, in step and with one budget."""
        choices = message.get("choices")
        if not isinstance(choices, list) or not 1 < len(choices) <= MOST_COMPARED:
            raise ArgumentError(f"compare two to {MOST_COMPARED} searches")
        return session.compare(choices, message.get("budget"))

    def sides(self, _: Page, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Let the searches that are compared stop, go on, or show themselves after so many expansions."""
        together, step = session.together, message.get("step")
        if together is None:
            raise ArgumentError("nothing is compared yet")
        if step == "go":
            together.go()
        elif step == "halt":
            together.halt()
            for side in together.sides:
                side.ask(side.show)
        else:
            return together.seek(step)
        return {"of": together.steps}

    def halt(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Stop a search."""
        name = message.get("lane")
        lane = session.lanes.get(name) if isinstance(name, str) else None
        if lane is None:
            return
        lane.halt()
        if name == "main":
            session.thinking, session.paused = "", True
        lane.ask(lane.show)

    def resume(self, _: Page, session: Session, message: dict[str, Any]) -> None:
        """Let a search go on."""
        lane = session.lane(message.get("lane"))
        if isinstance(lane, Replay):
            raise ArgumentError("this tree does not grow by itself")
        lane.go()

    def view(self, page: Page, session: Session, message: dict[str, Any]) -> None:
        """Look at a part of a tree."""
        left, right = message.get("left", 0.0), message.get("right", 1.0)
        numbers = all(isinstance(end, (int, float)) and not isinstance(end, bool) for end in (left, right))
        if not numbers or not 0 <= left < right <= 1:
            raise ArgumentError("a view is a part of the width, from 0 to 1")
        lane = session.lane(message.get("lane"))
        lane.ask(lambda: lane.look(page.name, left=float(left), right=float(right)))

    def select(self, page: Page, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Select a node of a tree; return the board there."""
        lane, path = session.lane(message.get("lane")), read_path(message.get("path"))

        def look() -> dict[str, Any]:
            lane.select(page.name, path)
            if lane.names._root is None:
                return {"path": path}
            position = lane.names.position(lane.tree, path)
            last = None
            if path:
                before = lane.names.position(lane.tree, path[:-1])
                last = before.moves()[lane.tree.node(path).legal_place]
            return {
                "path": path,
                "line": lane.names.line(lane.tree, path),
                "board": boards.picture(position, last),
            }

        return lane.ask(look).result(PATIENCE)

    def why(self, _: Page, session: Session, message: dict[str, Any]) -> list[str]:
        """Say why a move was not chosen."""
        lane, path = session.lane(message.get("lane")), read_path(message.get("path"))

        def say() -> list[str]:
            if lane.result is None:
                raise ArgumentError("this tree was not searched: there is no chosen move")
            return why_not(lane.result, path, lane.names)

        return lane.ask(say).result(PATIENCE)

    def marks(self, _: Page, session: Session, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Return nodes to mark in a tree: the principal line, conspirators, the rule's own path, doubts."""
        lane, kind = session.lane(message.get("lane")), message.get("kind")
        wanted = MARKS.get(kind) if isinstance(kind, str) else None
        if wanted is None:
            raise ArgumentError(f"marks are one of {', '.join(MARKS)}, not {kind!r}")
        return lane.ask(
            lambda: [
                {"path": path, "line": lane.names.line(lane.tree, path), "said": said}
                for path, said in wanted(lane, message)
            ]
        ).result(PATIENCE)

    def samples(self, _: Page, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Return what the charts of a search show."""
        lane = session.lane(message.get("lane"))

        def ask() -> dict[str, Any]:
            tree = lane.result.tree if lane.result is not None and lane.result.has_tree else None
            moves = (
                [] if tree is None else [lane.names.name(tree, (n,)) for n in range(len(tree.root.children))]
            )
            return {
                "samples": lane.samples,
                "moves": moves,
                "histogram": [] if tree is None else tree.depth_histogram(),
            }

        return lane.ask(ask).result(PATIENCE)

    # replay and tours

    def replay(self, page: Page, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Show a search again, from its last step."""
        source = session.lane(message.get("lane"))

        def grown() -> int:
            if source.result is None or not source.result.has_tree:
                raise ArgumentError("this search keeps no tree: there is no growth to show")
            return source.result.expansions

        steps = source.ask(grown).result(PATIENCE)
        with session.lock:
            lane = self._put(session, Replay("replay", source.position, source.player, session.show, steps))
        lane.views[page.name] = _view()
        return {"of": lane.steps}

    def seek(self, _: Page, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Go to a step of a replay."""
        lane = session.lane("replay")
        assert isinstance(lane, Replay)
        lane.ask(lambda: lane.seek(message.get("step"))).result(PATIENCE)
        return lane.said

    def tour(self, page: Page, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Begin a tour."""
        found = tours().get(str(message.get("name")))
        if found is None:
            raise ArgumentError(f"there is no tour {message.get('name')!r}")
        with session.lock:
            lane = self._put(session, Guide("tour", found, session.show))
        lane.views[page.name] = _view()
        lane.ask(lambda: lane.stop(0)).result(PATIENCE)
        return dict(lane.said)

    def stop(self, _: Page, session: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Go to a step of a tour."""
        lane = session.lane("tour")
        assert isinstance(lane, Guide)
        lane.ask(lambda: lane.stop(message.get("stop"))).result(PATIENCE)
        return lane.said

    def _put(self, session: Session, lane: Any) -> Any:
        old = session.lanes.pop(lane.name, None)
        if old is not None:
            old.close()
        session.lanes[lane.name] = lane
        return lane

    # the laboratory

    def matches(self, *_: Any) -> list[dict[str, Any]]:
        """Return the matches there are."""
        return self.lab.listed()

    def table(self, _: Page, __: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Return how a match stands."""
        return self.lab.table(message.get("file"))

    def game(self, _: Page, __: Session, message: dict[str, Any]) -> dict[str, Any]:
        """Return a game of a match."""
        return self.lab.game(message.get("file"), message.get("number"))

    def start(self, _: Page, __: Session, message: dict[str, Any]) -> str:
        """Start a match."""
        return self.lab.start(message.get("match"))

    def end(self, _: Page, __: Session, message: dict[str, Any]) -> None:
        """Stop a match."""
        self.lab.stop(message.get("file"))


def _view() -> Any:
    from conspirator.studio.looks import View

    return View()


def read_path(given: Any) -> Path:
    """Return a path of the page.

    >>> read_path([0, 3])
    (0, 3)
    """
    if (
        not isinstance(given, list)
        or len(given) > 10_000
        or not all(type(n) is int and n >= 0 for n in given)
    ):
        raise ArgumentError("a path is a list of places among siblings")
    return tuple(given)


def _principal(lane: Lane, _: dict[str, Any]) -> list[tuple[Path, str]]:
    from conspirator.studio.looks import principal

    return [(principal(lane.tree), "the principal line")]


def _least(lane: Lane, _: dict[str, Any]) -> list[tuple[Path, str]]:
    return [(least_path(str(lane.player.search), lane.tree), "where the rule's own numbers point")]


def _conspirators(lane: Lane, message: dict[str, Any]) -> list[tuple[Path, str]]:
    value = message.get("value")
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        value = nearest_other(lane.tree)
    leaves = lane.tree.conspirators(float(value))
    if leaves is None:
        raise ArgumentError(f"no change of leaves can make the root worth {value:g}")
    return [(tuple(leaf.path), f"must change for the root to be worth {value:g}") for leaf in leaves[:200]]


def nearest_other(tree: cn.Tree) -> float:
    """Return the other value that the fewest wrong leaves can give the root.

    >>> import conspirator as cn
    >>> nearest_other(cn.Tree.from_dict({"value": 0, "children": [{"value": 3}, {"value": 5}]}, "best-first"))
    inf
    """
    root = tree.root.value
    for low, high in tree.ladder(MOST_CONSPIRATORS):
        if (low, high) != (root, root):
            return high if high != root else low
    raise ArgumentError(f"more than {MOST_CONSPIRATORS} leaves would have to be wrong")


def _doubts(lane: Lane, _: dict[str, Any]) -> list[tuple[Path, str]]:
    if lane.result is None:
        return []
    chosen = lane.result.move
    return [(tuple(doubt.path), doubt.words(chosen)) for doubt in lane.result.doubts(9)]


MARKS: dict[str, Callable[[Lane, dict[str, Any]], list[tuple[Path, str]]]] = {
    "principal": _principal,
    "conspirators": _conspirators,
    "least": _least,
    "doubts": _doubts,
}
"""What can be marked in a tree."""
ASKED: dict[str, Callable[..., Any]] = {
    name: getattr(Desk, name)
    for name in (
        *("new", "open", "move", "go", "back", "seat", "reply", "hint", "overlays", "edit"),
        *("analyse", "compare", "sides", "halt", "resume", "view", "select", "why", "marks", "samples"),
        *("replay", "seek", "tour", "stop"),
        *("matches", "table", "game", "start", "end"),
    )
}
"""The words of the protocol."""
UNLOCKED = frozenset(
    [
        "select",
        "why",
        "marks",
        "samples",
        "sides",
        "replay",
        "seek",
        "tour",
        "stop",
        "matches",
        "table",
        "game",
        "start",
        "end",
    ]
)
"""What waits for a search or for a file, and must not keep the session from others meanwhile."""
CHANGING = frozenset(["new", "open", "move", "go", "back", "seat", "reply", "hint", "analyse", "halt"])
"""What changes the game, which all pages then hear."""
