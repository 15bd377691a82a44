"""A game in the terminal: what people type, what they see, and what they can keep."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
from pathlib import Path

import chess.pgn
import pytest

import conspirator as cn
from command_line import Run, complaint_of, program, result_of, runner
from conspirator._record import GameRecord, cells
from conspirator._sgf import read_sgf
from conspirator.cli.board import MARK, draw, marks
from conspirator.cli.moves import find_move
from conspirator.cli.play_clock import GameClock
from conspirator.cli.play_game import COMMANDS


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


FOUR = "play connect-four --expansions 50"
SMALL_HEX = "play hex --game-option size=3 --expansions 9"
QUICK_CHESS = "play chess --nodes 50"


# What is typed


@pytest.mark.parametrize(
    ("game", "position", "text", "move"),
    [
        ("chess", "", "Nf3", "g1f3"),
        ("chess", "", "nf3", "g1f3"),
        ("chess", "", "NF3", "g1f3"),
        ("chess", "", "g1f3", "g1f3"),
        ("chess", "", "G1F3", "g1f3"),
        ("chess", "", "e2-e4", "e2e4"),
        ("chess", "", "e2 e4", "e2e4"),
        ("chess", "", "E4", "e2e4"),
        ("chess", "e4 d5", "exd5", "e4d5"),
        ("chess", "e4 d5", "ed5", "e4d5"),
        ("chess", "e4 d5", "EXD5", "e4d5"),
        ("chess", "e4 e5 Nf3 Nf6 Be2 Be7", "0-0", "e1g1"),
        ("chess", "e4 e5 Nf3 Nf6 Be2 Be7", "o-o", "e1g1"),
        ("chess", "e4 e5 Nf3 Nf6 Be2 Be7", "O-O", "e1g1"),
        ("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8q", "a7a8q"),
        ("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=N", "a7a8n"),
        ("chess", "f3 e5 g4", "Qh4", "d8h4"),
        ("chess", "f3 e5 g4", "qh4#", "d8h4"),
        ("hex", "", "A1", "a1"),
        ("hex", "", "c11", "c11"),
        ("othello", "", "F5", "f5"),
        ("amazons", "", "D1-D7/G7", "d1-d7-g7"),
        ("amazons", "", "d1 d7 g7", "d1-d7-g7"),
        ("connect-four", "", "4", "4"),
    ],
)
def test_moves_as_people_write_them(game: str, position: str, text: str, move: str) -> None:
    assert find_move(cn.games.make(game).position(position), text) == move


@pytest.mark.parametrize("game", ["chess", "hex", "othello", "amazons", "connect-four"])
def test_every_move_is_read_in_all_its_forms(game: str) -> None:
    position = cn.games.make(game).start()
    for _ in range(6):
        for move in position.moves()[:: 1 + len(position.moves()) // 20]:
            assert find_move(position, move) == move
            assert find_move(position, move.upper()) == move
            assert find_move(position, position.describe(move)) == move
        position = position.play(position.moves()[-1])


def test_a_bishop_is_not_a_pawn() -> None:
    """Both bxc4 and Bxc4 are legal here: the case decides, and where it cannot, the two are named."""
    position = cn.games.Chess().position("4k3/8/8/8/2p5/1P6/4B3/4K3 w - - 0 1")
    assert find_move(position, "bxc4") == "b3c4"
    assert find_move(position, "Bxc4") == "e2c4"
    with pytest.raises(cn.PositionError, match=r"could be .*bxc4.*; write one of them"):
        find_move(position, "BXC4")


@pytest.mark.parametrize(
    ("line", "typed", "words"),
    [
        (FOUR, "9", "'9' is not a legal move here; legal: 1, 2, 3, 4, 5, 6, 7"),
        (FOUR, "hnit", "(or did you mean 'hint'?)"),
        (QUICK_CHESS, "Ke5", "'Ke5' is not a legal move here; legal: a3, a4, b3"),
        ("play hex --expansions 9", "z9", "'z9' is not a legal move here; legal: a1, b1"),
        ("play hex --expansions 9", "z9", "and 91 more (type: moves)"),
        (FOUR, "level 11", "'11' is no level; type a number from 1 to 10, such as: level 3"),
        (FOUR, "level two", "'two' is no level"),
        (FOUR, "undo", "there is nothing to undo"),
        (FOUR, "save", "type one name, such as: save game.txt"),
        (FOUR, "save 'a b", "saved: 'a b"),
        (FOUR, "save none/such.txt", "cannot write none/such.txt"),
        (FOUR, "save tree.json", "there is already a file tree.json; choose another name"),
        (FOUR, "save game.sgf", "SGF is for hex and othello here; save connect-four as NAME.txt instead"),
        (QUICK_CHESS, "save game.sgf", "save chess as NAME.pgn instead"),
        (SMALL_HEX, "save game.pgn", "PGN is for chess; save hex as NAME.sgf instead"),
        (FOUR, "clock", "there is no clock; start with one: conspirator play --clock 5+3"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_lost(run: Run, line: str, typed: str, words: str) -> None:
    output = result_of(run, line, f"{typed}\nshow\n")
    told = [row for row in output.splitlines() if words in row]
    assert len(told) == 1
    before, _, shown, _ = output.split("your move> ")
    assert before.partition("\n")[2] == shown


def test_help_lists_every_command(run: Run) -> None:
    output = result_of(run, FOUR, "help\n")
    for command in COMMANDS:
        assert re.search(
            rf"^ *{re.escape(command.usage)} +{re.escape(command.meaning)}", output, re.MULTILINE
        )
    assert result_of(run, FOUR, "?\n") == result_of(run, FOUR, "HELP\n") == output


def test_levels_hints_and_analyses(run: Run) -> None:
    output = result_of(
        run, "play othello --player deep --nodes 2k", "level\nlevel 3\nhint\nanalyse\nf5\nquit\n"
    )
    assert "deep plays at level 10 of 10" in output
    assert "deep plays at level 3 of 10" in output
    assert re.search(r"hint: [a-h][1-8]  value .*\n   .*\n   as far as it sees: \d+ moves deep", output)
    assert "iterations\n" in output
    assert re.search(r"\nO: .*  budget: the 1,080 nodes are spent", output)
    tree = result_of(run, "play connect-four --search best-first --expansions 50", "hint\n")
    assert "mistake in its tree" in tree
    assert "sure: it is proven" in result_of(run, f"{FOUR} --position 112233", "hint\n")


def test_an_analysis_at_a_low_level(run: Run) -> None:
    assert "budget: the 360 nodes are spent" in result_of(run, "analyze chess --level 2")


def test_moves_are_taken_back(run: Run) -> None:
    for word in ("undo", "takeback", "take back", "Take Back"):
        output = result_of(run, FOUR, f"1\n{word}\n{word}\n")
        assert output.count("there is nothing to undo") == 1
        assert output.count("last move: X 1") == 1


def test_giving_up_and_coming_back(run: Run) -> None:
    output = result_of(run, FOUR, "4\nresign\n4\nundo\n4\nresign\nhint\nquit\n")
    assert output.count("The game is over: X resigns, O wins.") == 2
    assert output.count("game over> the game is over; type: save FILE, undo or quit") == 2
    assert output.count("last move: O ") > 2
    assert output.endswith("Goodbye.\n")


def test_a_finished_game_can_be_saved_or_continued(run: Run, tmp_path: Path) -> None:
    typed = "3\nsave won.txt\nsave won.txt\nundo\n2\n"
    output = result_of(run, "play connect-four --position 445566 --expansions 10", typed)
    assert "The game is over: X wins, value 1023." in output
    assert "Type: save game.txt to keep it, undo, or quit." in output
    assert output.count("saved: won.txt") == 2  # its own file may be written again
    text = (tmp_path / "won.txt").read_text()
    assert "position: ......./......./......./......./...OOO./...XXX. X\n" in text
    assert "X: human\nO: conspirator network\nmoves: 3\nresult: X wins\n" in text
    assert "last move: X 2" in output


def test_a_text_names_the_options_of_the_game(run: Run, tmp_path: Path) -> None:
    result_of(run, "play amazons --game-option size=4 --nodes 9", "b1-b2-b1\nsave game.txt\n")
    assert (tmp_path / "game.txt").read_text().startswith("game: amazons size=4\nW: human\nB: conspirator ")


def test_the_end_of_input_is_polite(run: Run) -> None:
    output = result_of(run, SMALL_HEX, "a1\n")
    found = re.search(r"To go on later: conspirator (play .*)\n.*save game.sgf\nGoodbye.\n$", output)
    assert found is not None
    again = result_of(run, found[1] + " --expansions 9", "show\n")
    last = re.findall(r"(?s)   a b c\n.*?(?=\nlast|\n\n)", output)[-1]
    assert last in again
    assert result_of(run, SMALL_HEX, "").endswith("your move> \nGoodbye.\n")  # nothing is lost


# What is kept


def test_chess_is_kept_as_pgn(run: Run, tmp_path: Path) -> None:
    result_of(run, QUICK_CHESS, "nf3\nE4\nresign\nsave game.pgn\n")
    with (tmp_path / "game.pgn").open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert not game.errors
    moves = [move.uci() for move in game.mainline_moves()]
    assert moves[::2] == ["g1f3", "e2e4"]
    assert len(moves) == 4
    assert (game.headers["Result"], game.headers["White"]) == ("0-1", "human")
    assert game.headers["Black"].startswith("conspirator ")


@pytest.mark.parametrize(
    ("position", "moves", "winner"),
    [
        ("", ["e2e4", "e7e5"], None),
        ("e4", ["e7e5", "g1f3"], None),
        ("e4 e5 Nf3 Nc6 Ng1", ["g8f6"], "neither"),
        ("8/P6k/8/8/8/8/8/K7 b - - 3 40", ["h7g7", "a7a8q"], "max"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["e1g1", "e8c8"], "min"),
    ],
)
def test_pgn_is_read_by_another_program(position: str, moves: list[str], winner: str | None) -> None:
    start = cn.games.Chess().position(position)
    record = GameRecord("chess", start, moves, {"max": "Ann, B.", "min": "C"}, winner)
    game = chess.pgn.read_game(io.StringIO(record.pgn()))
    assert game is not None
    assert not game.errors
    assert game.headers["White"] == "Ann, B."
    end = start
    for move in moves:
        end = end.play(move)
    assert game.end().board().fen() == end.notation().partition(" moves ")[0] or " moves " in end.notation()
    assert [move.uci() for move in game.mainline_moves()][-len(moves) :] == moves


@pytest.mark.parametrize(
    ("game", "options", "position", "count"),
    [("hex", {"size": 4}, "", 5), ("hex", {"size": 4}, "b2 c3 a1", 4), ("othello", {}, "", 12)],
)
def test_sgf_is_read_back(game: str, options: dict[str, int], position: str, count: int) -> None:
    start = cn.games.make(game, **options).position(position)
    place, moves = start, []
    for _ in range(count):
        moves.append(place.moves()[0])
        place = place.play(moves[-1])
    read = read_sgf(GameRecord(game, start, moves, {"max": "a]b", "min": "c\\"}, "max", "time").sgf())
    assert read.size == options.get("size", 8)
    colours = ["black", "white"] if start.to_move == "max" else ["white", "black"]
    assert read.moves == [(colours[number % 2], move) for number, move in enumerate(moves)]
    stones = {cell: stone for cell, stone in cells(str(start)).items() if stone in "XO"}
    if position:
        assert dict.fromkeys(read.setup["black"], "X") | dict.fromkeys(read.setup["white"], "O") == stones


def test_a_swap_and_a_pass_in_sgf() -> None:
    swapped = GameRecord("hex", cn.games.Hex(size=3, swap=True).start(), ["a2", "swap", "b2"])
    assert ";W[swap-pieces]\n;B[b2])" in swapped.sgf()
    rows = ["-" * 24, "XXXXXO--", "---XX---", "---X----", "--X-----", "-X------"]
    start = cn.games.Othello().position("".join(rows) + " O")
    assert start.moves() == ["pass"]
    assert GameRecord("othello", start, ["pass"]).sgf().endswith(";W[])\n")
    assert "PL[W]" in GameRecord("othello", start, ["pass"]).sgf()


def test_the_margin_of_othello() -> None:
    full = "X" * 62 + "O-" + " X"
    start = cn.games.Othello().position(full)
    record = GameRecord("othello", start, ["h8"], winner="max")
    assert "RE[B+64]" in record.sgf()


# The clock


def test_the_clock_of_a_game() -> None:
    now = [0.0]
    clock = GameClock(30, 5, now=lambda: now[0])
    clock.start("max")
    now[0] = 10.0
    clock.start("max")  # it runs already
    assert (clock.left("max"), clock.left("min")) == (20, 30)
    clock.stop()
    assert (clock.left("max"), clock.say("max"), clock.say("min")) == (25, "0:25", "0:30")
    clock.stop()  # nobody's turn
    assert clock.left("max") == 25
    clock.start("min")
    now[0] = 100.0
    clock.stop()
    assert (clock.left("max"), clock.left("min"), clock.say("min")) == (25, -60, "0:00")  # nothing is added


@pytest.mark.parametrize(
    ("left", "increment", "moves_left", "least", "most"),
    [(60, 0, None, 1.5, 2.5), (60, 10, None, 9, 11), (1, 10, None, 0.4, 0.5), (60, 0, 10, 9, 15)],
)
def test_a_move_takes_its_share(
    left: float, increment: float, moves_left: int | None, least: float, most: float
) -> None:
    assert least <= GameClock(left, increment).share("max", moves_left) <= most


def test_who_has_no_time_left_loses(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conspirator.cli.play_clock.GameClock.left", lambda clock, side: -1.0)
    output = result_of(run, f"{FOUR} --clock 1", "clock\n4\nundo\nsave late.txt\n")
    assert "X 0:00  O 0:00" in output
    assert "The game is over: X has no time left, O wins." in output
    assert "there is no way back: the time is over" in output
    assert "result: O wins on time" in Path("late.txt").read_text()


def test_the_engine_plays_by_the_clock(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []
    think = cn.Player.think

    def record(player: cn.Player, position: cn.Position, **more: object) -> cn.Result:
        budget = more["budget"]
        assert isinstance(budget, cn.Budget)
        assert budget.seconds is not None
        assert budget.seconds <= 60
        asked.append(budget.usual)
        return think(player, position, budget=cn.Budget(nodes=10))

    monkeypatch.setattr(cn.Player, "think", record)
    output = result_of(run, "play chess --seconds 60 --clock 10+3", "e4\n")
    assert asked[0] is not None
    assert 10 < asked[0] < 25
    assert re.search(r"last move: White e4  \(White 10:0\d, Black 10:00\)", output)


@pytest.mark.parametrize("clock", ["five", "5+", "-1+2", "0+0", "5+3+1", "nan"])
def test_a_clock_that_cannot_be_read(run: Run, clock: str) -> None:
    assert f"'{clock}' is no clock; write minutes" in complaint_of(run, f"play chess --clock={clock}")


# What is seen


@pytest.mark.parametrize(
    ("game", "position", "move", "shown"),
    [
        ("connect-four", "4", "4", "O"),
        ("hex", "a1", "b2", "O"),
        ("othello", "", "f5", "X"),
        ("chess", "", "g1f3", "N."),
        ("chess", "e4 e5", "f1a6", "B."),
        ("amazons", "", "d1-d7-g7", ".Wx"),
    ],
)
def test_the_last_move_is_marked(game: str, position: str, move: str, shown: str) -> None:
    before = cn.games.make(game).position(position)
    after = before.play(move)
    text = draw(game, str(after), marked=marks(before, move, after))
    marked = [text.plain[span.start] for span in text.spans if MARK in str(span.style)]
    assert sorted(marked) == sorted(shown)


def test_a_swap_is_marked_where_the_stone_is() -> None:
    before = cn.games.Hex(size=4, swap=True).position("b1")
    after = before.play("swap")
    [(line, at)] = marks(before, "swap", after)
    assert str(after).split("\n")[line][at] == "O"


def test_pieces_have_colours_and_letters_beside_the_board_have_none() -> None:
    text = draw("chess", str(cn.games.Chess().start()))
    styles = {span.start: str(span.style) for span in text.spans}
    for number, sign in enumerate(text.plain):
        if text.plain[:number].count("\n") < 8 and sign.isalpha():
            assert styles[number] == ("bold yellow" if sign.isupper() else "bold red")
        elif sign.isalnum():
            assert number not in styles


def test_no_colour_without_a_terminal(run: Run) -> None:
    assert "\x1b" not in result_of(run, QUICK_CHESS, "e4\nquit\n")


class Terminal:
    """A game in a terminal of its own."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **variables}
        for name in {"NO_COLOR", "FORCE_COLOR"} - variables.keys():
            environment.pop(name, None)
        self.process = program(
            *arguments, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self._shown = b""

    def read_until(self, words: str) -> str:
        """Return what is shown up to some words; the test fails if they never come."""
        wanted = words.encode()
        while wanted not in self._shown:
            ready, _, _ = select.select([self.master], [], [], 60)
            assert ready, self._shown
            try:
                self._shown += os.read(self.master, 65536)
            except OSError:
                break
        text, found, self._shown = self._shown.partition(wanted)
        assert found, text
        return (text + found).decode()

    def interrupt(self) -> None:
        """Press Ctrl-C until it is noticed: a signal just before a line is read waits for the next key."""
        while True:
            os.kill(self.process.pid, signal.SIGINT)
            if select.select([self.master], [], [], 2)[0]:
                return

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        code = self.process.wait(timeout=180)
        os.close(self.master)
        return code


COLOUR = re.compile(r"\x1b\[[0-9;]*\b3[0-7]m")


def test_a_terminal_has_colours_and_line_editing() -> None:
    game = Terminal("play", "chess", "--nodes", "50", "--quiet")
    shown = game.read_until("your move> ")
    assert COLOUR.search(shown)
    game.type("e4x\x7f\n")  # the last sign is rubbed out
    shown = game.read_until("last move: Black")
    game.read_until("your move> ")
    assert re.search(r"\x1b\[[0-9;]*\b7[0-9;]*m", shown)  # the last move is marked
    game.type("undo\n")
    game.read_until("your move> ")
    game.type("\x1b[A\x1b[A\n")  # the line before the last, by the arrow key
    assert "White e4" in game.read_until("Black: ")
    game.read_until("your move> ")
    game.type("quit\n")
    game.read_until("Goodbye.")
    assert game.end() == 0


def test_no_colour_where_nobody_wants_any() -> None:
    game = Terminal("play", "connect-four", "--expansions", "9", "--quiet", NO_COLOR="1")
    shown = game.read_until("your move> ")
    game.type("4\n")
    shown += game.read_until("O: ") + game.read_until("your move> ")
    assert not COLOUR.search(shown)
    game.type("\x04")
    assert "To go on later: conspirator play connect-four --position" in game.read_until("Goodbye.")
    assert game.end() == 0


def test_an_interrupt_is_polite() -> None:
    game = Terminal("play", "hex", "--game-option", "size=4", "--expansions", "9", "--quiet")
    game.read_until("your move> ")
    game.type("B2\n")
    game.read_until("your move> ")
    game.interrupt()
    shown = game.read_until("Goodbye.")
    assert "save game.sgf" in shown
    assert "Traceback" not in shown
    assert game.end() == 0


def test_a_game_of_yours_is_played_by_the_names_of_its_moves(run: Run) -> None:
    game = Path(__file__).parent.parent / "examples" / "tic_tac_toe.py"
    output = result_of(run, f"play {game}:TicTacToe --nodes 100", "moves\nB2\nb2\nquit\n")
    assert "a3 b3 c3 a2 b2 c2 a1 b1 c1" in output
    assert "last move: Min" in output
    assert "is not a legal move" in output  # the second time
