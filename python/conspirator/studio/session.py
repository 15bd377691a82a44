"""One table of the studio: a game with its branches, who plays it, and the searches that look at it."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock, Thread, Timer
from typing import Any, Protocol

from conspirator._budget import Budget
from conspirator._errors import ArgumentError
from conspirator._players import Player
from conspirator.cli.play_clock import GameClock
from conspirator.studio import boards, knowledge
from conspirator.studio.choice import (
    Games,
    evaluators_of,
    players_of,
    read_budget,
    read_choice,
    short_text,
    simple,
)
from conspirator.studio.files import open_game
from conspirator.studio.lane import Lane
from conspirator.studio.looks import View
from conspirator.studio.moves import Moves
from conspirator.studio.sides import Side, Together

MOST_LANES = 8
"""Searches of one session, those that stand still included."""
GRACE = 15.0
"""Seconds that searches go on after the last page has left: it may only be loaded again."""
HINT = Budget(seconds=1.0)
"""What a hint may cost."""


class Page(Protocol):
    """A page that is connected to a session."""

    name: str

    def post(self, message: bytes | dict[str, Any], slot: str | None = None) -> None:
        """Send something soon; what has the same slot and was not sent yet is replaced."""


class Session:
    """A game, its players and its searches; pages come and go."""

    def __init__(self, name: str, games: Games, game: str, options: dict[str, Any], text: str | None) -> None:
        self.name = name
        self.games = games
        self.pages: dict[str, Page] = {}
        self.lanes: dict[str, Lane] = {}
        self.together: Together | None = None
        """The searches that are compared."""
        self.lock = RLock()
        self.new(game, options, text)

    def new(self, game: str, options: dict[str, Any], text: str | None) -> None:
        """Begin another game."""
        start = self.games.position(game, options, text)
        self.close_lanes()
        self.game, self.options = game, options
        self.moves = Moves(start)
        self.sides: dict[str, dict[str, Any] | None] = {"max": None, "min": None}
        self.clock: GameClock | None = None
        self.flag = ""
        self.paused = True
        self.thinking = ""

    # pages

    def join(self, page: Page) -> None:
        """Let a page watch."""
        with self.lock:
            self.pages[page.name] = page

    def leave(self, page: Page) -> None:
        """Let a page go; if none comes back, searches stop soon."""
        with self.lock:
            self.pages.pop(page.name, None)
            for lane in self.lanes.values():
                lane.views.pop(page.name, None)
            if not self.pages:
                timer = Timer(GRACE, self.rest)
                timer.daemon = True
                timer.start()

    def rest(self) -> None:
        """Stop all searches, unless somebody watches."""
        with self.lock:
            if self.pages:
                return
            for lane in self.lanes.values():
                lane.halt()
            if self.thinking:
                self.thinking, self.paused = "", True

    def tell(self, message: dict[str, Any], slot: str | None = None) -> None:
        """Send something to all pages."""
        for page in list(self.pages.values()):
            page.post(message, slot)

    def tell_state(self) -> None:
        """Send the state to all pages."""
        self.tell({"push": "state", "state": self.state()}, "state")

    def state(self) -> dict[str, Any]:
        """Return the game as the page shows it."""
        position = self.moves.position
        step = self.moves.steps[self.moves.current]
        return {
            "session": self.name,
            "game": self.game,
            "options": self.options,
            "start": self._start(),
            "steps": self.moves.told(),
            "current": self.moves.current,
            "sides": self.sides,
            "paused": self.paused,
            "thinking": self.thinking,
            "flag": self.flag,
            "clock": self._clock(),
            "players": players_of(position),
            "evaluators": evaluators_of(position),
            "board": boards.show(position, step.move),
        }

    def _start(self) -> str:
        start = self.moves.steps[0].position
        own = self.games.own
        if own is not None and self.game == own[0] and start == own[1]:
            return ""
        return str(start.notation())

    def _clock(self) -> dict[str, Any] | None:
        if self.clock is None:
            return None
        left = {side: self.clock.left(side) for side in ("max", "min")}
        return {**left, "runs": self.clock._running[0] if self.clock._running else None}

    # lanes

    def lane(self, name: Any) -> Lane:
        """Return one of the searches of the page."""
        found = self.lanes.get(name) if isinstance(name, str) else None
        if found is None:
            raise ArgumentError("nothing has been searched here yet")
        return found

    def open_lane(self, name: str, player: Player, position: Any = None) -> Lane:
        """Begin a search, in place of the one of that name; nothing runs yet."""
        old = self.lanes.pop(name, None)
        views = {} if old is None else {page: type(view)(most=view.most) for page, view in old.views.items()}
        if old is not None:
            old.close()
        if len(self.lanes) >= MOST_LANES:
            raise ArgumentError(f"there are {MOST_LANES} searches already: close one")
        lane = Lane(name, position or self.moves.position, player, self.show)
        lane.views = views
        self.lanes[name] = lane
        return lane

    def show(self, lane: Lane, message: bytes | dict[str, Any], page: str | None) -> None:
        """Pass on what a lane has to say; called in its thread."""
        if self.lanes.get(lane.name) is not lane:
            return  # another one has taken its place
        for each in list(self.pages.values()):
            if page is None or each.name == page:
                each.post(message, f"lane {lane.name}")

    def close_lanes(self) -> None:
        """End all searches."""
        self.close_sides()
        for lane in self.lanes.values():
            lane.close()
        self.lanes = {}

    # playing

    def move(self, move: Any) -> None:
        """Make a person's move; who plays the other side answers."""
        self._stop_thinking()
        self._stop_clock()
        self.moves.play(short_text(move, "the move"))
        self.paused = self.flag != ""
        self.reply()

    def take_back(self) -> None:
        """Go back to the last position in which a person is to move."""
        self._stop_thinking()
        self.flag = ""
        self.moves.back()
        while self.sides[self.moves.position.to_move] is not None and self.moves.current:
            self.moves.back()
        self.paused = True

    def go(self, number: Any) -> None:
        """Look at another position of the game."""
        self._stop_thinking()
        self.moves.go(number)
        self.paused = True

    def seat(self, sides: Any, clock: Any) -> None:
        """Say who plays each side: None is a person."""
        chosen = simple(sides)
        game = self.moves.position.game
        for side in ("max", "min"):
            if chosen.get(side) is not None:
                read_choice(game, chosen[side]).try_out(self.moves.steps[0].position)
        self._stop_thinking()
        self.sides = {side: chosen.get(side) for side in ("max", "min")}
        self.flag = ""
        self.clock = read_clock(clock)
        self.paused = False
        self.reply()

    def reply(self) -> None:
        """Let a player make the next move, if it is a player's turn."""
        position = self.moves.position
        if position.outcome is not None or self.paused:
            return
        if self.clock is not None:
            self.clock.start(position.to_move)
        choice = self.sides[position.to_move]
        if choice is None:
            return
        player = read_choice(position.game, choice)
        if self.clock is not None:
            share = self.clock.pace(position.to_move, position.moves_left)
            player = player.with_budget((player.budget if choice.get("budget") else Budget()).paced(share))
        lane = self.open_lane("main", player)
        self.thinking = position.to_move
        lane.go(then=lambda: _soon(lambda: self._moved(lane)))

    def _moved(self, lane: Lane) -> None:
        with self.lock:
            if self.lanes.get("main") is not lane or not self.thinking:
                return
            self.thinking = ""
            if lane.result is None:
                self.paused = True
                self.tell({"push": "error", "error": lane.failed or "the player gave up"})
            elif self._stop_clock():
                self.moves.play(lane.result.move, lane.result.value)
                self.reply()
            self.tell_state()

    def _stop_clock(self) -> bool:
        """End a turn; tell whether it was in time."""
        if self.clock is None or self.clock._running is None:
            return True
        side = self.clock._running[0]
        late = self.clock.left(side) <= 0
        self.clock.stop()
        if late:
            self.flag, self.paused = side, True
        return not late

    def _stop_thinking(self) -> None:
        if self.thinking:
            self.thinking = ""
            self.lane("main").halt()

    # looking

    def hint(self, choice: Any) -> None:
        """Let a player think about the position for a second, and say what it would do."""
        self._stop_thinking()
        player = read_choice(self.moves.position.game, choice).with_budget(HINT)
        lane = self.open_lane("main", player)

        def tell() -> None:
            if lane.result is not None:
                self.tell({"push": "hint", "move": str(lane.result.move), "value": lane.result.value})

        lane.go(then=tell)

    def analyse(self, choice: Any, budget: Any) -> None:
        """Search the position."""
        (player,) = self._searchers([choice])
        limits = read_budget(budget)
        self.open_lane(
            "main", player.with_budget(limits if limits.is_limited else Budget(seconds=3600.0))
        ).go()

    def compare(self, choices: list[Any], budget: Any) -> list[str]:
        """Search the position in several ways, in step and with one budget; return the names of the lanes."""
        players, limits = self._searchers(choices), read_budget(budget)
        self.close_sides()
        sides = [
            Side(f"side {n}", self.moves.position, player, self.show) for n, player in enumerate(players)
        ]
        for side in sides:
            side.views = {page: View() for page in self.pages}
            self.lanes[side.name] = side
        self.together = Together(sides, limits)
        self.together.go()
        return [side.name for side in sides]

    def close_sides(self) -> None:
        """End the searches that are compared."""
        if self.together is not None:
            self.together.halt()
        for name in [name for name in self.lanes if name.startswith("side ")]:
            self.lanes.pop(name).close()
        self.together = None

    def _searchers(self, choices: list[Any]) -> list[Player]:
        self._stop_thinking()
        here = self.moves.position
        players = [read_choice(here.game, each, tree=True) for each in choices]
        for player in players:
            player.try_out(here)
        if here.outcome is not None:
            raise ArgumentError("the game is over: there is nothing to search")
        return players

    def open_file(self, name: Any, text: Any) -> None:
        """Open a game from a file, at its end."""
        opened = open_game(name, text)
        moves = Moves(opened.start)
        for number, move in enumerate(opened.moves, 1):
            try:
                moves.play(move)
            except ArgumentError:
                break
            except Exception as error:
                raise ArgumentError(f"move {number}, {move}, of the file: {error}") from None
        self.new(opened.game, opened.options, None)
        self.moves = moves

    def overlays(self) -> dict[str, Any]:
        """Return what can be drawn over the board."""
        position = self.moves.position
        return {
            "step": self.moves.current,
            "heats": knowledge.heats(position),
            "hex": knowledge.connections(position),
        }

    def restore(self, document: Any) -> None:
        """Take over a game that the page has kept from a studio that is no longer there."""
        document = simple(document)
        start = document.get("start") or None
        self.new(short_text(document.get("game"), "the game"), simple(document.get("options")), start)
        self.moves.restore(document.get("steps") or [None], document.get("current"))
        sides = simple(document.get("sides"))
        self.sides = {side: sides.get(side) for side in ("max", "min")}


def read_clock(given: Any) -> GameClock | None:
    """Return a clock: minutes for the game and seconds for each move."""
    if given is None:
        return None
    minutes: Any = simple(given).get("minutes")
    increment: Any = simple(given).get("increment", 0)
    fits = all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in (minutes, increment))
    if not fits or not (0 < minutes <= 600 and 0 <= increment <= 600):
        raise ArgumentError("a clock has up to 600 minutes for the game and up to 600 seconds for each move")
    return GameClock(60.0 * minutes, float(increment))


def _soon(work: Callable[[], object]) -> None:
    """Do something in another thread: a lane's own must not wait for a session."""
    Thread(target=work, daemon=True).start()
