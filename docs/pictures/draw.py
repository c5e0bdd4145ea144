"""Draws the pictures of the documentation: ``python docs/pictures/draw.py``."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI

from byzanz.arena import seeded_match
from byzanz.messages import GameLogWriter
from byzanz.rules import Game, Phase
from byzanz.terminal.drawing import render_view

FOLDER = Path(__file__).parent
NAMES = ("Guest", "Theodora", "Justinian", "Irene")


def table() -> str:
    """The terminal in the middle of an auction, as SVG."""
    final = seeded_match(4, 5, ["greedy"] * 4)
    game = Game.start(final.deal)
    writer = GameLogWriter(NAMES)
    story = list(_lines(writer, game, 0))
    for played in final.plays:
        if game.state.round == 3 and game.state.turn == 0 and game.state.phase is Phase.AUCTION:
            break
        told = len(game.course)
        game = game.play(played.seat, played.action)
        story += _lines(writer, game, told)
    console = Console(record=True, width=112, file=io.StringIO(), highlight=False)
    for line in story[-9:]:
        console.print(line)
    console.print(render_view(game.view(0), NAMES))
    console.print(f"[bold]Your turn: the highest bid is {game.state.highest}. Beat it, or pass.[/]")
    console.print("> bid 3 5")
    svg = console.export_svg(title="byzanz play", theme=DIMMED_MONOKAI, unique_id="byzanz")
    # The picture must not fetch a font from elsewhere: any monospaced one will do.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "DejaVu Sans Mono")


def _lines(writer: GameLogWriter, game: Game, told: int) -> list[str]:
    return [line for event in game.course[told:] for line in writer.lines(event) if line]


if __name__ == "__main__":
    (FOLDER / "terminal.svg").write_text(table(), encoding="utf-8")
