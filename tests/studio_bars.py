"""How fast the studio is: `python tests/studio_bars.py [NODES]`; needs Chromium and Playwright.

A search grows a tree of that many nodes while a browser watches. Measured are frames a second while
somebody pans and zooms, the time from an expansion to the screen, bytes a minute, and the speed of the
search with and without the page.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from time import monotonic, perf_counter, sleep, thread_time
from typing import Any

import conspirator as cn
from conspirator._native import overview
from studio_browser import Server, open_browser, wait

RULE = "conspiracy"
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
  return {drawn: (window.studioStats.drawn - before) / seconds, worst};
}"""


def alone(position: cn.Position, nodes: int) -> float:
    """Return the nodes a second of a search that nobody watches."""
    began = perf_counter()
    result = cn.search(position, RULE, nodes=nodes)
    return result.nodes / (perf_counter() - began)


def one_pass(position: cn.Position, nodes: int) -> float:
    """Return the CPU milliseconds of the core's pass over a tree, the least of many."""
    tree = cn.search(position, RULE, nodes=nodes).tree
    times = []
    for _ in range(30):
        began = thread_time()
        overview(tree, [()], least=1 / 700, most=1400)
        times.append(thread_time() - began)
    return round(1000 * min(times), 1)


def watch(page: Any, until: int) -> dict[str, Any]:
    """Watch a tree grow; return how late its pictures were, and how many bytes came."""
    lags: list[float] = []
    began, first = monotonic(), page.evaluate("window.studioStats?.bytes ?? 0")
    drawn = -1
    while monotonic() - began < 60:
        said = page.evaluate("({...window.studioStats})")
        if said.get("drawn", 0) != drawn and said.get("lag") is not None:
            drawn = said["drawn"]
            lags.append(said["lag"])
        if said.get("nodes", 0) >= until:
            break
        sleep(0.03)
    seconds = monotonic() - began
    lags.sort()
    return {
        "seconds": round(seconds, 2),
        "lag, middle": round(lags[len(lags) // 2]),
        "lag, 95 %": round(lags[int(len(lags) * 0.95)]),
        "MB a minute": round((page.evaluate("window.studioStats.bytes") - first) / seconds * 60 / 1e6, 1),
    }


def search(page: Any, nodes: int) -> None:
    """Start a search in the page."""
    page.select_option("[aria-label='Search with']", f"search {RULE}")
    page.select_option("[aria-label='Budget in: Search with']", "nodes")
    page.fill("[aria-label='Budget: Search with']", str(nodes))
    page.click(".search .primary")


def main(nodes: int) -> None:
    """Measure, and print JSON."""
    position = cn.games.ConnectFour().start()
    told: dict[str, Any] = {"version": cn.__version__, "nodes": nodes, "rule": RULE, "cores": os.cpu_count()}
    told["one pass over the tree, CPU ms"] = one_pass(position, nodes)
    told["load before"] = round(os.getloadavg()[0], 1)
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, open_browser() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(server.address)
        page.wait_for_selector(".board svg")
        # first paint: a page that comes to a tree of 200,000 nodes
        search(page, 200_000)
        wait(page, "window.studioStats?.nodes >= 199000")
        began = perf_counter()
        page.reload()
        wait(page, "window.studioStats?.nodes >= 199000")
        told["first paint of 200,000 nodes, seconds"] = round(perf_counter() - began, 2)
        speeds, parts = [], []
        for _ in range(3):
            free = alone(position, nodes)
            search(page, nodes)
            wait(page, "window.studioStats?.nodes < 150000 && window.studioStats.nodes > 10")
            seen = watch(page, nodes - 5000)
            wait(page, "document.querySelector('.stats')?.innerText.includes('budget')")
            wall = page.evaluate("window.studioStats.wall")
            speeds.append(nodes / wall / free)
            parts.append(page.evaluate("window.studioStats.part"))
            told |= seen
        told["speed, of that alone"] = [round(speed, 3) for speed in sorted(speeds)]
        told["part of the CPU time in the search"] = [round(part, 3) for part in sorted(parts)]
        told["frames a second, tree at rest"] = page.evaluate(FRAMES)
        page.click("text=Whole tree")
        search(page, 3 * nodes)
        wait(page, f"window.studioStats?.nodes > {nodes}")
        told["frames a second, tree growing"] = page.evaluate(FRAMES)
        told["nodes then"] = page.evaluate("window.studioStats.nodes")
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
