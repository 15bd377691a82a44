"""How fast the studio is: `python tests/studio_bars.py [NODES]`; needs Chromium and Playwright.

A search grows a tree of that many nodes while somebody watches: first a program that only reads the
pictures, then a browser. Measured are the speed of the search with and without them, by the clock and by
CPU time, the time from an expansion to the screen, bytes a minute, and frames a second while somebody pans
and zooms. Runs with and without the studio take turns, so that other work on the machine slows down both.
"""

from __future__ import annotations

import json
import os
import platform
import struct
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time, time
from typing import Any

import conspirator as cn
from conspirator._native import overview
from studio_browser import Server, open_browser, wait

RULE = "conspiracy"
ROUNDS = 5
FRAMES = """async () => {
  const canvas = document.querySelector('.tree canvas'), box = canvas.getBoundingClientRect();
  const before = window.studioStats.drawn, began = performance.now();
  let n = 0, worst = 0, last = began;
  while (performance.now() - began < 3000) {
    n += 1;
    const x = box.left + box.width * (0.5 + 0.4 * Math.sin(n / 9)), y = box.top + 60;
    const turn = {deltaY: n % 60 < 30 ? -40 : 40, clientX: x, clientY: y, bubbles: true, cancelable: true};
    canvas.dispatchEvent(new WheelEvent('wheel', turn));
    await new Promise(requestAnimationFrame);
    worst = Math.max(worst, performance.now() - last);
    last = performance.now();
  }
  const seconds = (performance.now() - began) / 1000;
  const drawn = (window.studioStats.drawn - before) / seconds;
  return {'a second': Math.round(drawn), 'longest, ms': Math.round(worst)};
}"""

GROWN = """async (nodes) => {
  const pause = () => new Promise((done) => setTimeout(done, 100)), stats = window.studioStats;
  while (stats.nodes > 0.9 * nodes) await pause();
  while (stats.nodes < nodes - 5000) await pause();
  while (!document.querySelector('.stats').innerText.includes('budget')) await pause();
}"""
"""The page itself waits for its tree: to be asked all the time would keep it from drawing."""


class Reader:
    """A page without a browser: it reads all pictures and draws none."""

    def __init__(self, server: Server) -> None:
        from websockets.sync.client import connect

        address = f"ws://127.0.0.1:{server.port}/socket?token={server.token}"
        self.socket = connect(address, max_size=None, compression=None).__enter__()
        self._ask("hello")

    def _ask(self, what: str, **more: Any) -> None:
        self.socket.send(json.dumps({"id": 1, "do": what, **more}))

    def watch(self, nodes: int) -> dict[str, Any]:
        """Let a tree grow; return what was seen."""
        self._ask("analyse", choice={"search": RULE}, budget={"nodes": nodes})
        self._ask("view", lane="main", left=0, right=1)
        lags, size, began = [], 0, perf_counter()
        while True:
            data = self.socket.recv()
            size += len(data)
            if isinstance(data, str):
                continue
            (length,) = struct.unpack_from("<I", data)
            head = json.loads(data[4 : 4 + length])
            if head.get("nodes", 0) > 10 and head["running"]:
                lags.append(1000 * (time() - head["made"]))
            if not head["running"] and head.get("nodes", 0) > nodes - 5000:
                break
        return told(head["wall"], head["cpu"], lags, size, perf_counter() - began)


def told(wall: float, cpu: float, lags: list[float], size: int, seconds: float) -> dict[str, Any]:
    """Return what one growing tree showed."""
    lags = sorted(lags)
    return {
        "wall": wall,
        "cpu": cpu,
        "pictures": len(lags),
        "lag, middle, ms": lags[len(lags) // 2],
        "lag, 95 %, ms": lags[int(len(lags) * 0.95)],
        "MB a minute": size / seconds * 60 / 1e6,
    }


def look(page: Any, nodes: int) -> dict[str, Any]:
    """Let a tree grow in a browser; return what was seen."""
    page.evaluate("window.studioStats.lags = []")
    first, began = page.evaluate("window.studioStats.bytes"), perf_counter()
    search(page, nodes)
    page.evaluate(GROWN, nodes)
    seconds = perf_counter() - began
    stats = page.evaluate("({...window.studioStats})")
    return told(stats["wall"], stats["cpu"], stats["lags"], stats["bytes"] - first, seconds)


def alone(position: cn.Position, nodes: int) -> tuple[float, float]:
    """Return the seconds of a search that nobody watches, by the clock and of CPU time."""
    began, worked = perf_counter(), thread_time()
    cn.search(position, RULE, nodes=nodes)
    return perf_counter() - began, thread_time() - worked


def compare(position: cn.Position, nodes: int, watch: Any) -> dict[str, Any]:
    """Return how fast the search is while it is watched, of its speed alone: of each, the middle round."""
    rounds = []
    for _ in range(ROUNDS):
        (wall, cpu), seen = alone(position, nodes), watch(nodes)
        rounds.append(
            {"speed, by the clock": wall / seen["wall"], "speed, by CPU time": cpu / seen["cpu"]}
            | {
                "CPU s alone": cpu,
                "CPU s watched": seen.pop("cpu"),
                "s alone": wall,
                "s watched": seen.pop("wall"),
            }
            | seen
        )
    rounds = [{name: round(value, 3) for name, value in each.items()} for each in rounds]
    return {name: round(median(each[name] for each in rounds), 3) for name in rounds[0]} | {"rounds": rounds}


def one_pass(position: cn.Position, nodes: int) -> float:
    """Return the CPU milliseconds of the core's pass over a tree, the least of many."""
    tree = cn.search(position, RULE, nodes=nodes).tree
    times = []
    for _ in range(30):
        began = thread_time()
        overview(tree, [()], least=1 / 700, most=1400)
        times.append(thread_time() - began)
    return round(1000 * min(times), 1)


def search(page: Any, nodes: int) -> None:
    """Start a search in the page."""
    page.select_option("[aria-label='Search with']", f"search {RULE}")
    page.select_option("[aria-label='Budget in: Search with']", "nodes")
    page.fill("[aria-label='Budget: Search with']", str(nodes))
    page.click(".search .primary")


def main(nodes: int) -> None:
    """Measure, and print JSON."""
    position = cn.games.ConnectFour().start()
    said: dict[str, Any] = {
        "command": f"python tests/studio_bars.py {nodes}",
        "version": cn.__version__,
        "machine": f"{platform.system()}, {platform.machine()}, {os.cpu_count()} cores",
        "nodes": nodes,
        "rule": RULE,
        "load before": round(os.getloadavg()[0], 1),
        "one pass over the tree, CPU ms": one_pass(position, nodes),
    }
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        said["a program reads"] = compare(position, nodes, Reader(server).watch)
        with open_browser() as browser:
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(server.address)
            page.wait_for_selector(".board svg")
            search(page, 200_000)
            wait(page, "window.studioStats?.nodes >= 199000")
            began = perf_counter()
            page.reload()  # a page that comes to a tree of 200,000 nodes
            wait(page, "window.studioStats?.nodes >= 199000")
            said["first paint of 200,000 nodes, s"] = round(perf_counter() - began, 2)
            said["a browser draws"] = compare(position, nodes, lambda most: look(page, most))
            said["frames, tree at rest"] = page.evaluate(FRAMES)
            page.click("text=Whole tree")
            search(page, 3 * nodes)
            wait(page, f"window.studioStats?.nodes > {nodes}")
            said["frames, tree growing"] = page.evaluate(FRAMES)
            said["nodes then"] = page.evaluate("window.studioStats.nodes")
    said["load after"] = round(os.getloadavg()[0], 1)
    print(json.dumps(said, indent=2))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
