"""Draw docs/images/analyze.svg: what `conspirator analyze` prints, as README.md shows it."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from conspirator.cli.analysis import describe
from conspirator.cli.analyze import analyze
from conspirator.cli.request import read_request
from conspirator.cli.show import print_analysis

COMMAND = "conspirator analyze connect-four --player principal --position 5441565551"
TARGET = Path(__file__).parent / "images" / "analyze.svg"
COLUMNS = 84
RUNS = 5
"""The quickest of them is drawn: it was disturbed least."""

THEME = TerminalTheme(
    (27, 30, 36),
    (214, 218, 224),
    [
        (27, 30, 36),
        (235, 110, 110),
        (122, 200, 130),
        (230, 190, 90),
        (110, 160, 235),
        (200, 140, 220),
        (100, 195, 205),
        (214, 218, 224),
    ],
)

# rich's own frame has a title bar, and fonts that come from a server
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<style>
text {{ font: {char_height}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }}
{styles}
</style>
<rect fill="#1b1e24" width="{width}" height="{height}" rx="8"/>
<g transform="translate({terminal_x}, 25)">
{matrix}
</g>
</svg>
"""
NEEDLESS = re.compile(r' clip-path="[^"]*"|<text [^>]*>\n</text>')
"""Clipping that a fixed width makes unnecessary, and the ends of lines as texts of their own."""


def draw() -> str:
    """Search the position and return the drawing."""
    _, _, *arguments = shlex.split(COMMAND)
    request = read_request(analyze.make_context("analyze", arguments).params)
    result = min((request.run() for _ in range(RUNS)), key=lambda result: result.seconds)
    console = Console(
        record=True,
        file=io.StringIO(),
        width=COLUMNS,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    console.print(Text("$ ", style="dim").append(COMMAND, style="not dim bold"))
    print_analysis(describe(request, result), console)
    drawing = console.export_svg(theme=THEME, code_format=FRAME, unique_id="a")
    return NEEDLESS.sub("", drawing).replace("</text>", "</text>\n")


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(draw(), encoding="utf-8")
