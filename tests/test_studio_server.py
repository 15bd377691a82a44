"""The studio without a browser: who is let in, mistakes, games, sessions and the lab."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Literal

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import conspirator as cn
from conspirator.cli import main
from conspirator.studio.app import MOST_SOCKETS, Seat, make_app
from conspirator.studio.choice import Games
from conspirator.studio.desk import Desk
from conspirator.studio.guard import Guard, kept_token
from conspirator.studio.lab import Lab
from conspirator.studio.wire import Passing
from studio_client import HOST, TOKEN, Page, Refused, make_desk, studio


def wait_until(true: Callable[[], bool]) -> None:
    ends = monotonic() + 180
    while not true():
        assert monotonic() < ends
        sleep(0.01)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return make_desk(tmp_path)


@pytest.fixture
def page(desk: Desk) -> Iterator[Page]:
    with studio(desk) as open_page, open_page() as page:
        page.told = page.ask("hello")
        yield page


# who is let in


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/ping", {}, 403),
        ("/ping?token=wrong", {}, 403),
        (f"/ping?token={TOKEN}", {}, 200),
        (f"/ping?token={TOKEN}", {"origin": "http://evil.example"}, 403),
        (f"/ping?token={TOKEN}", {"origin": "null"}, 403),
        (f"/ping?token={TOKEN}", {"origin": f"https://{HOST}"}, 403),
        (f"/ping?token={TOKEN}", {"host": "evil.example:8330"}, 403),
        (f"/ping?token={TOKEN}", {"sec-fetch-site": "cross-site"}, 403),
        (f"/ping?token={TOKEN}", {"origin": f"http://{HOST}"}, 200),
        ("/", {"origin": "http://evil.example"}, 403),
        ("/", {}, 200),
        ("/assets/../app.py", {}, 404),
        ("/assets/%2e%2e/%2e%2e/app.py", {}, 404),
    ],
)
def test_requests(desk: Desk, path: str, headers: dict[str, str], status: int) -> None:
    client = TestClient(make_app(Guard(TOKEN), desk), base_url=f"http://{HOST}")
    answer = client.get(path, headers=headers)
    assert answer.status_code == status
    if status == 200:
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert TOKEN not in answer.text


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        ("", {}),
        ("wrong", {}),
        (TOKEN, {"origin": "http://evil.example"}),
        (TOKEN, {"origin": f"http://{HOST}.evil.example"}),
        (TOKEN, {"host": "evil.example"}),
    ],
)
def test_sockets_that_are_refused(desk: Desk, token: str, headers: dict[str, str]) -> None:
    with studio(desk) as open_page, pytest.raises(WebSocketDisconnect), open_page(token, **headers):
        pass


def test_too_many_sockets(desk: Desk) -> None:
    from contextlib import ExitStack

    with studio(desk) as open_page, ExitStack() as stack:
        pages = [stack.enter_context(open_page()) for _ in range(MOST_SOCKETS)]
        with open_page() as extra, pytest.raises(WebSocketDisconnect) as closed:
            extra.ask("hello")
        assert closed.value.code == 1013
        assert pages[0].ask("hello")["state"]["game"] == "connect-four"


def test_the_token_is_kept_for_this_user_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    token = kept_token()
    assert len(token) > 40
    assert kept_token() == token
    file = tmp_path / "conspirator" / "studio.json"
    assert file.stat().st_mode & 0o077 == 0
    file.chmod(0o644)  # somebody else may have read it
    assert kept_token() != token
    assert kept_token(fresh=True) != kept_token(fresh=True)


# mistakes and hostile input


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"do": "nothing"}, "nothing called 'nothing'"),
        ({"do": "__init__"}, "nothing called"),
        ({"do": None}, "nothing called"),
        ({"do": "move", "move": "9"}, "9"),
        ({"do": "move", "move": {"a": 1}}, "the move must be a text"),
        ({"do": "go", "step": -1}, "no move number"),
        ({"do": "go", "step": True}, "no move number"),
        ({"do": "new", "game": "my_game.py:Game"}, "no game 'my_game.py:Game'"),
        ({"do": "new", "game": "open-spiel:chess"}, "no game"),
        ({"do": "new", "game": "explicit-tree"}, "no game"),
        ({"do": "new", "game": "hex", "options": {"size": 10**9}}, "size"),
        ({"do": "new", "game": "chess", "position": "x" * 300_000}, "too long"),
        ({"do": "new", "game": "chess", "position": "<script>alert(1)</script>"}, "a board has"),
        ({"do": "open", "name": "<img src=x onerror=alert(1)>", "text": "(;B[c3]"}, "SGF"),
        ({"do": "open", "name": "a.pgn", "text": "1. e5"}, "move 1"),
        ({"do": "analyse", "choice": {"player": "uci:rm -rf /"}}, "no player"),
        ({"do": "analyse", "choice": {"search": "uci"}}, "no search"),
        (
            {"do": "analyse", "choice": {"search": "best-first", "parameters": {"command": "ls"}}},
            "no parameter",
        ),
        ({"do": "analyse", "choice": {}, "budget": {"memory": 1}}, "budget"),
        ({"do": "analyse", "choice": {}, "budget": {"seconds": "NaN"}}, "seconds"),
        ({"do": "view", "lane": "main", "left": 0, "right": 1}, "nothing has been searched"),
        ({"do": "select", "lane": "main", "path": [-1]}, "nothing has been searched"),
        ({"do": "seek", "step": 1}, "nothing has been searched"),
        ({"do": "tour", "name": "../mcallester"}, "no tour"),
        ({"do": "table", "file": "../../etc/passwd"}, "no match"),
        ({"do": "start", "match": {"game": "connect-four", "players": [], "name": "a"}}, "players"),
        ({"do": "start", "match": {"game": "connect-four", "players": [{}, {}], "name": "../a"}}, "name"),
        ({"do": "seat", "sides": {"max": {"player": "deep", "level": 99}}}, "level"),
        ({"do": "seat", "sides": {}, "clock": {"minutes": 1e9}}, "clock"),
    ],
)
def test_mistakes_are_one_line(page: Page, message: dict[str, Any], says: str) -> None:
    what = message.pop("do")
    with pytest.raises(Refused, match=says) as refused:
        page.ask(what, **message)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 600
    page.ask("overlays")  # it goes on


@pytest.mark.parametrize("text", ["", "[]", "{", "1", "[" * 100_000, '{"do":' * 5000, "x" * 2_000_000])
def test_what_is_no_message(desk: Desk, text: str) -> None:
    with studio(desk) as open_page, open_page() as page:
        page.socket.send_text(text)
        assert "error" in page._hear()
        assert page.ask("hello")["state"]["current"] == 0


# games


def test_moves_with_branches(page: Page) -> None:
    for move in ("4", "4", "5"):
        page.ask("move", move=move)
    page.ask("back")
    page.ask("move", move="3")
    page.ask("overlays")
    steps = page.state["steps"]
    assert [(step["parent"], step["move"]) for step in steps[1:]] == [(0, "4"), (1, "4"), (2, "5"), (2, "3")]
    page.ask("go", step=3)
    page.ask("overlays")
    assert page.state["current"] == 3
    assert page.state["board"]["to_move"] == "min"


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("connect-four", {}),
        ("hex", {"size": 4}),
        ("othello", {}),
        ("amazons", {"size": 6}),
        ("chess", {}),
        ("random-tree", {"branching": 3, "depth": 4}),
    ],
)
def test_players_play_each_game_to_its_end(page: Page, game: str, options: dict[str, Any]) -> None:
    page.ask("new", game=game, options=options)
    quick = {"search": "alpha-beta", "budget": {"nodes": 40}}
    random = {"search": "uct", "budget": {"expansions": 3}}
    page.ask("seat", sides={"max": quick, "min": random})
    page.until(lambda: page.state["board"]["outcome"] is not None or page.state["current"] > 400)
    assert page.state["board"]["outcome"] is not None or game == "chess"
    shown = page.state["board"]
    assert shown["svg"].startswith("<svg")


def test_a_person_plays_and_is_answered(page: Page) -> None:
    reply = {"player": "deep", "level": 2, "budget": {"nodes": 500}}
    page.ask("seat", sides={"max": None, "min": reply}, clock={"minutes": 5, "increment": 1})
    page.ask("move", move="4")
    page.until(lambda: page.state["current"] == 2 and not page.state["thinking"])
    assert page.state["clock"]["runs"] == "max"
    assert page.state["steps"][2]["value"] is not None
    page.ask("back")
    page.ask("overlays")
    assert page.state["current"] == 0


def test_a_hint(page: Page) -> None:
    page.ask("new", game="connect-four", position="112233")
    page.ask("hint")
    page.until(lambda: any(each["push"] == "hint" for each in page.news))
    assert next(each for each in page.news if each["push"] == "hint")["move"] == "4"


def test_cells_and_heat(page: Page) -> None:
    page.ask("new", game="hex", options={"size": 5}, position="c3 b4")
    said = page.ask("overlays")
    assert set(said["heats"]) == {"energy", "policy"}
    assert max(said["heats"]["policy"].values()) == 1
    assert said["hex"]["connections"]
    board = page.state["board"]
    assert all(cell in board["cells"] for move in board["moves"] for cell in move["cells"])


def test_chess960_from_a_file_and_by_its_number(page: Page) -> None:
    fen = "nqrkbbnr/pppppppp/8/8/8/8/PPPPPPPP/NQRKBBNR w HChc - 0 1"
    page.ask("open", name="a.pgn", text=f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 e5 *')
    assert (page.state["options"], page.state["start"]) == ({"chess960": True}, fen)
    kept = {key: page.state[key] for key in ("game", "options", "start", "steps", "current", "sides")}
    assert page.ask("hello", document=kept)["state"]["board"]["notation"] == page.state["board"]["notation"]
    page.ask("new", game="chess", options={"chess960": True, "start": 42})
    assert page.state["board"]["notation"].startswith("nnqrbbkr/")


@pytest.mark.parametrize(
    ("name", "text", "game", "last"),
    [
        ("a.pgn", '[Event "<script>alert(1)</script>"]\n\n1. f3 e5 2. g4 Qh4# 0-1', "chess", "Qh4#"),
        ("a.sgf", "(;FF[4]GM[11]SZ[5];B[c3];W[bb])", "hex", "b2"),
        ("a.sgf", "(;FF[4]GM[2]SZ[8];B[f5];W[f6])", "othello", "f6"),
    ],
)
def test_files(page: Page, name: str, text: str, game: str, last: str) -> None:
    page.ask("open", name=name, text=text)
    page.ask("overlays")
    assert page.state["game"] == game
    assert page.state["steps"][-1]["name"] == last


class Countdown(cn.Game):
    """A game of the user's, with a hostile name for a move."""

    def start(self) -> Any:
        return (5, True)

    def to_move(self, state: Any) -> Literal["max", "min"]:
        return "max" if state[1] else "min"

    def moves(self, state: Any) -> list[Any]:
        return [1, 2][: state[0]]

    def play(self, state: Any, move: Any) -> Any:
        return (state[0] - move, not state[1])

    def outcome(self, state: Any) -> float | None:
        return None if state[0] else (-1.0 if state[1] else 1.0)

    def move_name(self, state: Any, move: Any) -> str:
        return f"<img src=x onerror=alert({move})>"


def test_a_game_of_the_user(tmp_path: Path) -> None:
    own = ("my_game.py:Countdown", Countdown().position((5, True)))
    first: dict[str, Any] = {"game": own[0], "options": {}, "position": None}
    with studio(Desk(Games(own), first, Lab(tmp_path))) as open_page, open_page() as page:
        told = page.ask("hello")
        board = told["state"]["board"]
        assert board["svg"] is None
        assert board["moves"][0]["name"] == "<img src=x onerror=alert(1)>"
        page.ask("move", move=board["moves"][1]["move"])
        page.ask("seat", sides={"max": None, "min": {"search": "best-first", "budget": {"expansions": 20}}})
        page.until(lambda: page.state["current"] == 2)
        page.ask("new", game=own[0], position="(2, True)")
        page.ask("overlays")
        assert page.state["board"]["count"] == 2
        kept = {key: page.state[key] for key in ("game", "options", "start", "steps", "current", "sides")}
        with open_page() as other:
            assert other.ask("hello", document=kept)["state"]["board"]["count"] == 2


# sessions


def test_a_page_comes_back_to_its_session(desk: Desk, tmp_path: Path) -> None:
    with studio(desk) as open_page:
        with open_page() as page:
            session = page.ask("hello")["state"]["session"]
            page.ask("move", move="4")
            page.ask("overlays")
            kept = page.state
        with open_page() as page, open_page() as other:
            assert page.ask("hello", session=session)["state"]["current"] == 1
            assert other.ask("hello")["state"]["current"] == 0  # a tab of its own
        with open_page() as page, open_page() as same:
            page.ask("hello", session=session)
            same.ask("hello", session=session)
            page.ask("move", move="5")
            same.until(lambda: bool(same.news))
            assert same.state["current"] == 2
    with studio(make_desk(tmp_path)) as open_page, open_page() as page:  # a studio that was started again
        state = page.ask("hello", session=session, document=kept)["state"]
        assert state["current"] == 1
        assert state["session"] != session


def test_searches_outlive_a_reload_but_not_a_page_that_stays_away(desk: Desk) -> None:
    with studio(desk) as open_page:
        with open_page() as page:
            name = page.ask("hello")["state"]["session"]
            page.ask("analyse", choice={"search": "best-first"})
        session = desk._sessions[name]
        with open_page() as page:
            assert page.ask("hello", session=name)["lanes"] == ["main"]
            session.rest()  # somebody watches
            page.ask("view", lane="main")
            page.until(lambda: len(page.frames) > 2)
            assert page.frames[-1]["running"]
        wait_until(lambda: not session.pages)
        session.rest()
        assert not session.lanes["main"].running


# the lab


def test_a_match_from_the_page(page: Page) -> None:
    players = [{"search": "best-first", "budget": {"nodes": n}} for n in (30, 300)]
    file = page.ask("start", match={"game": "connect-four", "players": players, "games": 4, "name": "small"})
    page.until(lambda: [each["done"] for each in page.ask("matches")] == [4])
    table = page.ask("table", file=file)
    assert len(table["players"]) == 2
    assert sum(player["wins"] + player["losses"] + player["draws"] for player in table["players"]) == 8
    game = page.ask("game", file=file, number=table["list"][0]["number"])
    assert len(game["boards"]) == len(game["moves"]) + 1
    assert len(game["values"]) == len(game["moves"])


# the command


def test_without_its_packages_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["studio", "--no-browser"]) == 2
    assert "pip install 'conspirator[studio]'" in capsys.readouterr().err


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["studio", "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
    assert "is taken" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["nogame"], ["chess", "--position", "x"], ["hex", "--game-option", "size=0"]]
)
def test_mistakes_of_the_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studio", *arguments, "--no-browser"]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_slow_page_hears_the_newest_and_misses_no_news() -> None:
    async def waiting() -> list[Any]:
        seat = Seat(None, asyncio.get_running_loop())  # type: ignore[arg-type]
        said: list[tuple[Any, str | None]] = [
            (b"full 1", "lane"),
            (Passing(b"light 2"), "lane"),
            ({"push": "hint"}, None),
            (Passing(b"light 3"), "lane"),
            (b"other", "another lane"),
            (b"full 4", "lane"),
            (Passing(b"light 5"), "lane"),
            (Passing(b"light 6"), "lane"),
        ]
        for message, slot in said:
            seat._put(message, slot)
        return [message for _, message in seat._waiting]

    assert asyncio.run(waiting()) == [{"push": "hint"}, b"other", b"full 4", b"light 6"]
