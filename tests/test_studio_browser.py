"""The studio in a real browser: played, watched, scrubbed, compared, attacked and restarted.

`STUDIO_PICTURES=FOLDER` keeps the pictures that the tests make, in both themes and on a narrow screen.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import conspirator as cn
from conspirator._widget import PAGE, TreeView
from studio_browser import CHROMIUM, Server, open_browser, wait

pytest.importorskip("playwright")
pytest.importorskip("uvicorn")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
    pytest.mark.xdist_group("studio"),  # one browser for all
]

WIDE, NARROW = {"width": 1360, "height": 900}, {"width": 390, "height": 844}
OWN_GAME = """
import conspirator as cn

class Countdown(cn.Game):
    def start(self): return (5, True)
    def to_move(self, state): return "max" if state[1] else "min"
    def moves(self, state): return [1, 2][: state[0]]
    def play(self, state, move): return (state[0] - move, not state[1])
    def outcome(self, state): return None if state[0] else (-1.0 if state[1] else 1.0)
    def move_name(self, state, move): return f"<img src=x onerror='document.title=1'>{move}"
    def show(self, state): return f"<script>document.title=2</script> {state[0]} left"
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("studio")) as server:
        yield server


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    context = browser.new_context(viewport=WIDE, color_scheme="light")
    yield opened(context.new_page(), server.address)
    context.close()


def opened(page: Any, address: str) -> Any:
    """Open the studio; whatever goes wrong in the page is a failure."""
    page.mistakes = []
    page.on("pageerror", lambda error: page.mistakes.append(str(error)))
    page.goto(address)
    page.wait_for_selector(".left .board")
    return page


def choose(page: Any, game: str) -> None:
    page.select_option("[aria-label=Game]", game)
    wait(page, f"document.title.startsWith('{game}')")


def search(page: Any, rule: str, amount: int, unit: str = "expansions") -> None:
    page.click("#tab-Tree")
    page.select_option("[aria-label='Search with']", f"search {rule}")
    page.select_option("[aria-label='Budget in: Search with']", unit)
    page.fill("[aria-label='Budget: Search with']", str(amount))
    page.click(".search .primary")
    wait(page, "document.querySelector('.stats').innerText.match(/spent|proven|decided|converged/)")


def move(page: Any, text: str) -> None:
    page.fill("[aria-label='Type a move']", text)
    page.keyboard.press("Enter")


def keep(page: Any, name: str) -> None:
    """Keep a picture, if anybody wants it, from the top of the page."""
    page.evaluate("scrollTo(0, 0)")
    folder = os.environ.get("STUDIO_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png")


# playing


@pytest.mark.parametrize(
    ("game", "option"),
    [
        ("connect-four", None),
        ("hex", ("size", "4")),
        ("othello", None),
        ("amazons", ("size", "5")),
        ("random-tree", ("depth", "5")),
    ],
)
def test_a_game_to_its_end_by_clicks(page: Any, game: str, option: tuple[str, str] | None) -> None:
    choose(page, game)
    if option is not None:
        page.fill(f".options [data-name={option[0]}]", option[1])
        page.click("text=New game")
        wait(page, "document.querySelectorAll('.step').length === 1")
    # both sides by clicks: the last free cell each time
    page.evaluate(
        """async () => {
          const over = () => /wins|draw/.test(document.querySelector('.now').innerText);
          for (let n = 0; n < 400 && !over(); n++) {
            const steps = document.querySelectorAll('.step').length;
            for (let m = 0; m < 4 && document.querySelectorAll('.step').length === steps && !over(); m++) {
              const dots = [...document.querySelectorAll('.cell.legal:not(.picked)')];
              const picked = document.querySelectorAll('.cell.picked').length > 0;
              const open = picked ? dots.filter((cell) => cell.querySelector('.dot')) : dots;
              const spot = open[open.length - 1] ?? document.querySelector('.offer');
              spot?.dispatchEvent(new MouseEvent('click', {bubbles: true}));
              for (let wait = 0; wait < 12 && document.querySelectorAll('.step').length === steps; wait++)
                await new Promise((done) => setTimeout(done, 4));
            }
          }
        }"""
    )
    wait(page, "/wins|draw/.test(document.querySelector('.now').innerText)")
    assert page.mistakes == []


def test_chess_is_played_to_mate(page: Any) -> None:
    choose(page, "chess")
    page.click("[data-cell=f2]")
    assert page.locator(".cell .dot").count() == 2  # the squares that the pawn can go to
    page.click("[data-cell=f3]")
    wait(page, "document.querySelectorAll('.step').length === 2")
    for text, steps in (("e5", 3), ("g4", 4), ("Qh4#", 5)):
        move(page, text)
        wait(page, f"document.querySelectorAll('.step').length === {steps}")
    wait(page, "document.querySelector('.now').innerText.includes('Black wins')")
    page.click("text=Take back")
    wait(page, "document.querySelector('.now').innerText.includes('Black (min) to move')")
    keep(page, "chess")


def test_a_player_answers_and_the_page_can_be_reloaded(page: Any) -> None:
    page.select_option("[aria-label='Second side']", "player deep")
    page.select_option("[aria-label='Budget in: Second side']", "nodes")
    page.fill("[aria-label='Budget: Second side']", "3000")
    page.click(".seats .primary")
    page.click("[data-cell='4']")
    wait(page, "document.querySelectorAll('.step').length === 3")
    page.reload()
    wait(page, "document.querySelectorAll('.step').length === 3")
    assert page.mistakes == []


def test_the_board_by_keyboard(page: Any) -> None:
    choose(page, "othello")
    page.focus(".cell.legal[tabindex='0']")
    first = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.cell") != first
    page.keyboard.press("Enter")
    wait(page, "document.querySelectorAll('.step').length === 2")


def test_a_hint_is_drawn_and_a_small_value_is_no_win(page: Any) -> None:
    choose(page, "othello")
    page.click("text=Hint")
    wait(page, "document.querySelector('.overlay .hint') !== null")
    wait(page, "document.querySelector('.thought').innerText.includes('value')")
    part = page.evaluate(
        "parseFloat(document.querySelector('.bar-of-value').style.getPropertyValue('--part'))"
    )
    assert 5 < part < 95


def test_a_position_is_set_up_by_hand(page: Any) -> None:
    choose(page, "chess")
    page.click("text=Position and files")
    page.click("text=Set up by hand")
    page.click(".editor >> text=Empty")
    wait(page, "document.querySelector('.editor .problem').innerText.includes('king')")
    assert page.is_disabled(".editor .primary")
    for piece, cell in (("White king", "e1"), ("Black king", "e8"), ("White rook", "a7")):
        page.click(f".palette [aria-label='{piece}']")
        page.click(f".editor [data-spot={cell}]")
        wait(page, f"document.querySelector('.editor [data-spot={cell}]').ariaLabel.includes('{piece}')")
    keep(page, "editor")
    page.focus(".editor [data-spot=a7]")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.spot") == "b7"
    page.click(".editor .primary")
    wait(page, "document.querySelector('.left textarea').value === '4k3/R7/8/8/8/8/8/4K3 w - - 0 1'")
    assert not page.is_visible(".editor")
    assert page.mistakes == []


def test_hex_shows_what_it_knows(page: Any) -> None:
    choose(page, "hex")
    for n, text in enumerate(("f6", "e7", "g4", "d8"), 2):
        move(page, text)
        wait(page, f"document.querySelectorAll('.step').length === {n}")
    page.check(".hexonly input")
    wait(page, "document.querySelectorAll('line.link').length > 0")
    page.select_option("[aria-label='Heat on the board']", "policy")
    wait(page, "document.querySelectorAll('.heat').length > 1")
    keep(page, "hex")


# looking


def test_a_search_is_watched_and_asked(page: Any) -> None:
    for n, text in enumerate(("4", "4", "5", "3"), 2):
        move(page, text)
        wait(page, f"document.querySelectorAll('.step').length === {n}")
    search(page, "minmax-approximation", 100_000)
    keep(page, "studio")
    search(page, "conspiracy", 20_000)
    wait(page, "document.querySelectorAll('.node').length > 5")
    page.click(".node >> nth=3")
    wait(page, "document.querySelector('.peek')?.innerText.includes('After')")
    page.click(".tree button:has-text('Why not')")
    wait(page, "document.querySelector('.answer').innerText.includes('worth')")
    page.click(".tree button:has-text('Conspirators')")
    wait(page, "document.querySelector('.answer').innerText.includes('must change')")
    keep(page, "tree")
    page.click("#tab-Charts")
    wait(page, "document.querySelectorAll('.charts canvas').length >= 2")
    keep(page, "charts")
    for theme, size in (("dark", WIDE), ("light", NARROW), ("dark", NARROW)):
        page.set_viewport_size(size)
        if page.evaluate("document.documentElement.dataset.theme ?? 'light'") != theme:
            page.click("[aria-label='Light or dark']")
        name = f"{theme}-{'wide' if size is WIDE else 'narrow'}"
        keep(page, f"charts-{name}")
        page.click("#tab-Tree")
        keep(page, f"tree-{name}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
        page.click("#tab-Charts")
    assert page.mistakes == []


CONTROLS = "button, input, select, textarea, canvas, [role=button], [role=img]"
NAMELESS = """(controls) => [...document.querySelectorAll(controls)]
  .filter((each) => !each.parentElement.closest('[role=img]'))
  .filter((each) => !(each.ariaLabel || each.textContent.trim() || each.title
    || [...(each.labels ?? [])].some((label) => label.textContent.trim())))
  .map((each) => each.outerHTML.slice(0, 200))"""


def test_everything_has_a_name_for_those_who_cannot_see_it(page: Any) -> None:
    choose(page, "chess")
    search(page, "conspiracy", 200)
    page.click("text=Position and files")
    page.click("text=Set up by hand")
    page.wait_for_selector(".editor svg")
    page.click("#tab-Replay")
    page.click("text=Replay this search")
    page.click("#tab-Compare")
    page.fill("[aria-label='Budget of each search']", "50")
    page.click("#panel-Compare .primary")
    wait(page, "!document.querySelector('#panel-Compare .scrubber').hidden")
    page.click("#tab-Tours")
    page.click(".tour >> nth=4")
    wait(page, "document.querySelectorAll('#panel-Tours .node').length > 1")
    page.click("#tab-Lab")
    assert page.evaluate(NAMELESS, CONTROLS) == []
    assert page.evaluate("document.querySelectorAll('[tabindex=\"0\"], button, input').length") > 50
    assert page.mistakes == []


def test_the_tree_by_keyboard(page: Any) -> None:
    search(page, "best-first", 500)
    page.focus(".tree canvas")
    page.keyboard.press("ArrowDown")
    wait(page, "document.querySelectorAll('.crumb').length === 2")
    page.keyboard.press("ArrowUp")
    wait(page, "document.querySelectorAll('.crumb').length === 1")


def test_a_replay_goes_both_ways(page: Any) -> None:
    search(page, "minmax-approximation", 40)
    page.click("#tab-Replay")
    page.click("text=Replay this search")
    wait(page, "document.querySelector('#panel-Replay .sentence').innerText.includes('Expansion 1:')")
    page.click("[aria-label='One expansion on']")
    wait(page, "document.querySelector('#panel-Replay .sentence').innerText.includes('arrows')")
    page.click("[aria-label='Last expansion']")
    wait(page, "document.querySelector('#panel-Replay .sentence').innerText.includes('Expansion 40:')")
    page.click("[aria-label='One expansion back']")
    wait(page, "document.querySelector('#panel-Replay .sentence').innerText.includes('Expansion 39:')")
    keep(page, "replay")


def test_searches_side_by_side(page: Any) -> None:
    page.click("#tab-Compare")
    page.fill("[aria-label='Budget of each search']", "500")
    page.click("#panel-Compare .primary")
    wait(
        page,
        "[...document.querySelectorAll('.sides dl')].filter((e) => e.innerText.includes('500')).length === 2",
    )
    wait(page, "document.querySelector('#panel-Compare .scrub output').innerText === '500 of 500'")
    keep(page, "compare")
    page.fill("#panel-Compare [aria-label=Expansion]", "40")  # both go back together, and say why
    wait(
        page,
        "[...document.querySelectorAll('.sides .sentence')]"
        ".filter((e) => e.innerText.includes('Expansion 40:')).length === 2",
    )
    keep(page, "compare-scrubbed")
    page.click("#panel-Compare [aria-label='One expansion back']")
    wait(page, "document.querySelectorAll('.sides .sentence')[1].innerText.includes('Expansion 39:')")
    page.click("#panel-Compare >> text=Go on")
    wait(
        page,
        "[...document.querySelectorAll('.sides dl')].filter((e) => /1.000/.test(e.innerText)).length === 2",
    )
    assert page.mistakes == []


def test_a_tour(page: Any) -> None:
    page.click("#tab-Tours")
    page.click(".tour >> nth=1")
    sentence = "document.querySelector('#panel-Tours .sentence')?.innerText"
    for _ in range(2):  # a step at a time: a second click before the first is answered does nothing
        wait(page, sentence)
        before = page.evaluate(f"() => {sentence}")
        page.click("#panel-Tours .primary")
        wait(page, f"{sentence} && {sentence} !== {json.dumps(before)}")
    wait(page, f"{sentence}.includes('1.07')")
    wait(page, "document.querySelectorAll('#panel-Tours .node').length > 1")
    keep(page, "tour")


def test_a_match(page: Any) -> None:
    page.click("#tab-Lab")
    for n in (1, 2):
        page.fill(f"[aria-label='Budget: Player {n}']", "200")
    page.fill("[aria-label='Games of each pairing']", "2")
    page.click("text=Start the match")
    wait(page, "document.querySelectorAll('.games button').length === 2")
    page.click(".games button >> nth=0")
    page.click("[aria-label='Last position']")
    wait(page, "document.querySelector('.viewer svg') !== null")
    keep(page, "lab")


# pages, servers and attacks


def test_two_tabs_are_two_tables(browser: Any, server: Server) -> None:
    context = browser.new_context()
    one, other = (opened(context.new_page(), server.address) for _ in range(2))
    move(one, "4")
    wait(one, "document.querySelectorAll('.step').length === 2")
    move(other, "1")
    wait(other, "document.querySelectorAll('.step').length === 2")
    assert "1. 4" in one.inner_text(".moves")
    assert "1. 1" in other.inner_text(".moves")
    context.close()


def test_a_position_is_shared_by_its_address(page: Any, server: Server) -> None:
    for n, text in enumerate("44", 2):
        move(page, text)
        wait(page, f"document.querySelectorAll('.step').length === {n}")
    page.click("text=Share")
    wait(page, "document.querySelector('.toast').dataset.address")
    address = page.evaluate("document.querySelector('.toast').dataset.address")
    assert server.token not in address
    assert "token" not in page.url
    other = opened(page.context.new_page(), address)
    wait(other, "document.querySelector('.left textarea').value.includes('X')")


def test_the_page_comes_back_after_the_server(browser: Any, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        page = opened(browser.new_page(), server.address)
        move(page, "4")
        wait(page, "document.querySelectorAll('.step').length === 2")
        server.kill()
        wait(page, "document.body.dataset.status === 'lost' && !document.querySelector('.banner').hidden")
        keep(page, "lost")
        server.start()
        wait(page, "document.body.dataset.status === 'open' && document.querySelector('.banner').hidden")
        move(page, "5")
        wait(page, "document.querySelectorAll('.step').length === 3")
        page.close()


def test_hostile_names_are_only_text(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(OWN_GAME, encoding="utf-8")
    with Server(tmp_path, f"{tmp_path}/hostile.py:Countdown") as server:
        page = opened(browser.new_page(), server.address)
        assert "<script>" in page.inner_text(".board pre")
        page.click(".offer >> nth=0")
        wait(page, "document.querySelectorAll('.step').length === 2")
        search(page, "best-first", 20)
        page.set_input_files(
            "[type=file]",
            {"name": "<img src=x onerror=alert(1)>.pgn", "mimeType": "text/plain", "buffer": b"1. zz"},
        )
        wait(page, "document.querySelector('.toast.shown') !== null")
        assert page.locator("img").count() == 0
        assert page.evaluate("document.title") not in ("1", "2")
        assert page.mistakes == []
        page.close()


def test_ten_megabytes_are_refused(page: Any) -> None:
    page.evaluate("document.querySelector('.left textarea').closest('details').open = true")
    page.evaluate("document.querySelector('.left textarea').value = 'x'.repeat(1_000_000)")
    page.click("text=Set up this position")
    wait(page, "document.querySelector('.toast.shown')?.innerText.includes('too long')")
    page.evaluate(  # and by a page that does not ask first
        """async () => {
          const socket = new WebSocket(`ws://${location.host}/socket?token=${localStorage.getItem('token')}`);
          await new Promise((done) => { socket.onopen = done; });
          socket.send('x'.repeat(10_000_000));
          await new Promise((done) => { socket.onclose = done; });
        }"""
    )
    move(page, "4")
    wait(page, "document.querySelectorAll('.step').length === 2")


def test_a_wrong_token_and_another_origin(browser: Any, server: Server, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(f"{server.origin}/?token=wrong")
    wait(page, "document.body.dataset.status === 'refused'")
    assert "token" in page.inner_text(".banner")
    page.close()
    with Server(tmp_path) as other:  # a page of another origin that even knows the token
        page = browser.new_page()
        page.goto(other.address)
        page.wait_for_selector(".board svg")
        code = page.evaluate(
            f"""() => new Promise((done) => {{
              const socket = new WebSocket('ws://127.0.0.1:{server.port}/socket?token={server.token}');
              socket.onopen = () => done('open');
              socket.onerror = () => done('refused');
            }})"""
        )
        assert code == "refused"
        page.close()


def test_a_thousand_sockets(page: Any, server: Server) -> None:
    from websockets.asyncio.client import connect

    async def crowd() -> int:
        address = f"ws://127.0.0.1:{server.port}/socket?token={server.token}"
        tried = await asyncio.gather(
            *(connect(address, open_timeout=60, origin=None) for _ in range(1000)), return_exceptions=True
        )
        sockets = [socket for socket in tried if not isinstance(socket, BaseException)]
        await asyncio.gather(*(socket.close() for socket in sockets))
        return len(sockets)

    with ThreadPoolExecutor(1) as pool:  # Playwright has an event loop of its own in this thread
        assert pool.submit(asyncio.run, crowd()).result() > 50
    move(page, "4")  # the page that was there goes on
    wait(page, "document.querySelectorAll('.step').length === 2")


def test_the_widget_of_a_notebook(browser: Any) -> None:
    result = cn.search(cn.games.ConnectFour().position("4453"), "minmax-approximation", expansions=2000)
    view = TreeView(result)
    script, style = ((PAGE / name).read_bytes() for name in ("widget.js", "widget.css"))
    page = browser.new_page(viewport=WIDE)
    page.expose_function("answer", lambda asked: base64.b64encode(view.answer(asked)).decode())
    page.set_content(f"<style>{style.decode()}</style><div id='cell'></div>")
    page.evaluate(
        """async (source) => {
          const listeners = [];
          const model = {
            on: (_, listener) => listeners.push(listener),
            send: async (asked) => {
              const bytes = Uint8Array.from(atob(await window.answer(asked)), (c) => c.charCodeAt(0));
              for (const listener of listeners) listener({push: 'frame'}, [new DataView(bytes.buffer)]);
            },
          };
          const made = await import(`data:text/javascript;base64,${source}`);
          made.default.render({model, el: document.querySelector('#cell')});
        }""",
        base64.b64encode(script).decode(),
    )
    wait(page, "document.querySelectorAll('.node').length > 5")
    page.click(".node >> nth=2")
    wait(page, "document.querySelectorAll('.crumb').length > 1")
    keep(page, "widget")
    page.close()
