"""Searches of all kinds for a long time: the process must not grow, and every tree must stay whole.

`make soak SECONDS=3600`. After a warm-up in which each kind has run, memory may grow by a tenth and 20 MB.
"""

from __future__ import annotations

import gc
import sys
import tempfile
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import conspirator as cn

MEMORY = 30_000_000
"""Bytes for each search."""
SLACK = 20_000_000


def resident() -> int:
    """Return the bytes of memory that the process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def values(positions: list[cn.Position]) -> list[float]:
    """Value positions as a user's evaluator would."""
    low, high = (max(-1e6, min(1e6, end)) for end in positions[0].value_range)
    return [low + (high - low) * (hash(position) % 1000) / 1000 for position in positions]


def one(random: Random, folder: Path) -> str:
    """Run one search of a random kind from a random position; return what it was."""
    game = cn.games.make(random.choice(list(cn.games.all_games())))
    position = game.start()
    for _ in range(random.randrange(30)):
        after = position.play(random.choice(position.moves()))
        if after.outcome is not None:
            break
        position = after
    name, info = random.choice(list(cn.searches().items()))
    evaluator: Any = random.choice([None, None, values, *game.evaluators])
    try:
        result = cn.search(position, name, evaluator=evaluator, nodes=20_000, seconds=0.5, memory=MEMORY)
        if info.tree:
            result.tree.check()
            if random.random() < 0.2 and evaluator is not values:
                cn.load(result.save(folder / "tree")).tree.check()
            if random.random() < 0.2:
                result.advance(result.move)
    except cn.ArgumentError:
        pass  # this game has no such search
    return f"{name} on {game!r}"


def main(seconds: float) -> None:
    """Search until the time is over; fail if memory has grown."""
    random, begun, told = Random(1), monotonic(), monotonic()
    warm, count, last = 0, 0, ""
    with tempfile.TemporaryDirectory() as folder:
        while (spent := monotonic() - begun) < seconds:
            last, count = one(random, Path(folder)), count + 1
            if spent < seconds / 4:
                gc.collect()
                warm = max(warm, resident())
            elif count % 50 == 0:
                gc.collect()
                if resident() > 1.1 * warm + SLACK:
                    sys.exit(
                        f"{resident() / 1e6:.0f} MB after {count} searches, {warm / 1e6:.0f} before: {last}"
                    )
            if monotonic() - told > 30:
                told = monotonic()
                print(f"{spent:.0f} s: {count} searches, {resident() / 1e6:.0f} MB", flush=True)
    print(f"{count} searches; at the most {warm / 1e6:.0f} MB early, {resident() / 1e6:.0f} MB now")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
