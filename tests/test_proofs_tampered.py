"""Tampered certificates: every change of a byte, and every change of what they say, is rejected.

A changed file whose checksum was made right again may still be a proof: another winning move, say. So
whatever the checker accepts is held against a plain walk by the games of the core.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import conspirator as cn
from certificates import Parts, is_accepted, put_together, take_apart, walk
from conspirator.proofs.cells import walk_cells
from conspirator.proofs.rejected import Rejected
from conspirator.proofs.rules import RULES

SAVED = sorted((Path(__file__).parent / "data/proofs").glob("*.proof"))
SMALL = [path for path in SAVED if path.stat().st_size < 400]
NAMES = [path.stem for path in SAVED]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_every_change_of_a_byte_is_rejected(path: Path, tmp_path: Path) -> None:
    content, random = path.read_bytes(), Random(1)
    changed = tmp_path / "changed.proof"
    for place in range(0, len(content), 1 + len(content) // 200):
        for byte in {content[place] ^ 1, random.randrange(256)} - {content[place]}:
            assert not is_accepted(changed, content[:place] + bytes([byte]) + content[place + 1 :])
        assert not is_accepted(changed, content[:place])
        assert not is_accepted(changed, content[:place] + content[place + 1 :])
        assert not is_accepted(changed, content[:place] + b"\n" + content[place:])
    assert not is_accepted(changed, content + b"\0")
    assert not is_accepted(changed, content * 2)
    assert is_accepted(changed, content)


HEADERS = [
    (b"conspirator proof 1", b"conspirator proof 2"),
    (b"\ngame ", b"\ngame  "),
    (b"\ngame ", b"\noption x 1\ngame "),
    (b"\nposition ", b"\noption x 1\nposition "),
    (b"\nposition ", b"\noption size 6\nposition "),
    (b"\nposition ", b"\nposition  "),
    (b"\nclaim ", b"\nclaim at least 1.0\nclaim at least 1.0\nclaim "),
    (b"\nclaim ", b"\n\nclaim "),
    (b".0\n", b"\n"),
    (b".0\n", b".00\n"),
    (b".0\n", b"e0\n"),
    (b".0\n", b".5\n"),
    (b".0\n", b"\r\n"),
    (b"at least", b"at most"),
    (b"at most", b"at least"),
    (b"claim at least 512.0\n", b""),
    (b"claim at most 512.0\n", b""),
    (b"claim at most 38.0\n", b""),
    (b" X\n", b" O\n"),
    (b" O\n", b" X\n"),
    (b" w\n", b" b\n"),
    (b" X\n", b" X \n"),
    (b"\n\n", b"\n\n\n"),
    (b"size 5", b"size 05"),
    (b"size 5", b"size 7"),
    (b"size 4", b"size 3"),
    (b"size 4", b"size 12"),
]


@pytest.mark.parametrize(("old", "new"), HEADERS)
def test_another_statement_is_rejected(old: bytes, new: bytes, tmp_path: Path) -> None:
    tried = 0
    for path in SAVED:
        parts = take_apart(path.read_bytes())
        header = parts.header.replace(old, new, 1)
        # a claim of less follows from one of more, and needs the same strategy
        if header != parts.header and not (new == b".5\n" and b"at most" in header):
            tried += 1
            assert not is_accepted(tmp_path / "x.proof", put_together(parts._replace(header=header)))
    assert tried


@pytest.mark.parametrize("change", [-2, -1, 1, 2, 256])
@pytest.mark.parametrize("field", ["positions", "choice_count"])
def test_wrong_counts_are_rejected(field: str, change: int, tmp_path: Path) -> None:
    for path in SAVED:
        parts = take_apart(path.read_bytes())
        wrong = parts._replace(**{field: getattr(parts, field) + change})
        assert not is_accepted(tmp_path / "x.proof", put_together(wrong))


def changes(choices: tuple[int, ...], random: Random) -> Iterator[tuple[int, ...]]:
    """Yield lists of choices that differ: changed, missing, doubled, exchanged, moved, cut, continued."""
    for place, choice in enumerate(choices):
        for other in {(choice + 1) % 7, (choice + 3) % 7, choice + 7, choice % 7, 0, 127} - {choice}:
            yield (*choices[:place], other, *choices[place + 1 :])
        yield choices[:place] + choices[place + 1 :]
        yield (*choices[: place + 1], *choices[place:])
        yield choices[:place]
        at = random.randrange(len(choices))
        yield tuple(
            choices[at] if n == place else choices[place] if n == at else c for n, c in enumerate(choices)
        )
        yield (*choices[at:], *choices[:at])
    yield (*choices, 0)


@pytest.mark.parametrize("name", ["connect-four-win", "connect-four-following", "othello", "amazons-5"])
def test_other_choices_are_accepted_only_if_they_are_proofs(name: str, tmp_path: Path) -> None:
    path = SAVED[NAMES.index(name)]
    checked, parts = cn.verify(path), take_apart(path.read_bytes())
    options = {option: int(value) for option, value in checked.options.items()}
    position = cn.games.make(checked.game, **options).position(checked.position)
    claims = [("at least", checked.at_least), ("at most", checked.at_most)]
    stated = [(kind, value) for kind, value in claims if value is not None]
    accepted = rejected = 0
    others = list(set(changes(parts.choices, Random(4))) - {parts.choices})
    for choices in Random(5).sample(sorted(others), min(len(others), 400)):
        positions = walk(position, stated, choices)
        changed = Parts(parts.header, choices, positions or parts.positions, len(choices))
        assert is_accepted(tmp_path / "x.proof", put_together(changed)) == (positions is not None)
        accepted, rejected = accepted + (positions is not None), rejected + (positions is None)
    assert rejected > 4 * accepted


def test_no_choices_prove_what_is_false(tmp_path: Path) -> None:
    """Whatever the choices: a draw is no win, and a lost game is not won."""
    random, path = Random(6), tmp_path / "x.proof"
    parts = take_apart(SAVED[NAMES.index("connect-four-draw")].read_bytes())
    header = parts.header.replace(b"claim at least 512.0\nclaim at most 512.0", b"claim at least 1023.0")
    hexes = take_apart(SAVED[NAMES.index("hex-4")].read_bytes())
    lost = hexes.header.replace(b"at least 1.0", b"at most -1.0")
    for choices in changes(parts.choices[:40], random):
        assert not is_accepted(path, put_together(Parts(header, choices, parts.positions, len(choices))))
    for _ in range(400):
        choices = tuple(random.choices([0, *range(16)], k=random.randint(1, 60)))  # claims among them
        for statement, positions in ((lost, random.randint(1, 60)), (header, random.randint(1, 60))):
            assert not is_accepted(path, put_together(Parts(statement, choices, positions, len(choices))))


def test_changed_strategies_of_hex_are_rejected(tmp_path: Path) -> None:
    """A part of a strategy is none; other cells may be as good, where the other player could turn the board
    round."""
    random, path = Random(8), tmp_path / "x.proof"
    large = take_apart(SAVED[NAMES.index("hex-5-e2")].read_bytes())
    for _ in range(100):
        place = random.randrange(len(large.choices))
        for choices in (large.choices[:place], large.choices[:place] + large.choices[place + 1 :]):
            changed = large._replace(choices=choices, choice_count=len(choices))
            assert not is_accepted(path, put_together(changed))


class MoreError(Exception):
    """The numbers so far are no mistake, and there are none left."""


def guess(text: str, by_max: bool, random: Random, steps: int) -> bool:
    """Guess the numbers of a strategy on 3x3, one after another; tell whether the checker was convinced."""
    rules, cells = RULES["hex"]({"size": "3"}), 9
    root = rules.read(text)
    numbers: list[int] = []
    for _ in range(steps):
        tried = [*numbers, random.choice([0, random.randrange(cells), cells + 1 + random.randrange(20)])]
        left = iter(tried)

        def choose(left: Iterator[int] = left) -> int:
            for number in left:
                return number
            raise MoreError

        try:
            walk_cells(rules, root, lambda value: True, by_max, choose)
            return True
        except MoreError:
            numbers = tried
        except Rejected:
            if random.random() < 0.02:
                del numbers[random.randrange(len(numbers) + 1) :]
    return False


def test_nobody_guesses_a_proof_of_what_is_false() -> None:
    random, found = Random(2), 0
    for text in ["a1", "b1", "b2", "c2", "a3", "a2 b2", "a1 c3", "a1 b3 b2"]:
        wins = cn.solve(cn.games.Hex(size=3).position(text)).value == 1
        found += guess(text, wins, random, 2000)
        assert not guess(text, not wins, random, 2000)
    assert found >= 3
