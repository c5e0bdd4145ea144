"""Playthroughs: whole games as readable text, with states, views, legal actions and choices.

``python -m tests.playthroughs.playthrough`` writes the stored playthroughs again. Read the
difference, and commit it if the change in behaviour is intended.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from byzanz.arena import seeded_match
from byzanz.messages import GameLogWriter
from byzanz.notation import write_action, write_cards, write_state, write_view
from byzanz.rules import Event, Game, Played, TurnedUp, options

FOLDER = Path(__file__).parent

GAMES = {
    3: (103, ["random", "greedy", "random"]),
    4: (104, ["greedy", "random", "greedy", "random"]),
    5: (105, ["random", "random", "greedy", "random", "random"]),
    6: (106, ["random", "greedy", "random", "greedy", "random", "random"]),
}
"""The seed and the bots of each stored game, by number of players."""


def playthrough(players: int) -> str:
    """Play the stored game for this many players and return its text."""
    seed, bots = GAMES[players]
    final = seeded_match(players, seed, bots)
    lines = [
        f"players {players}  seed {seed}  bots {' '.join(bots)}",
        *(f"hand {seat}: {write_cards(hand)}" for seat, hand in enumerate(final.deal.hands)),
        f"removed: {write_cards(final.deal.removed)}",
        f"deck, in drawing order: {' '.join(map(str, final.deal.deck))}",
    ]
    writer = GameLogWriter([f"Seat {seat}" for seat in range(players)])
    game = Game.start(final.deal)
    lines += _log_lines(writer, game.course)
    for number, played in enumerate(final.plays, start=1):
        lines += _before(game, number, played)
        after = game.play(played.seat, played.action)
        lines += _log_lines(writer, after.course[len(game.course) :])
        game = after
    lines += ["", f"at the end: {write_state(game.state)}", ""]
    return "\n".join(lines)


def path(players: int) -> Path:
    """Return the file of a stored playthrough."""
    return FOLDER / f"players{players}.txt"


def _before(game: Game, number: int, played: Played) -> Iterator[str]:
    seat, waiting = played.seat, " ".join(map(str, game.state.waiting_for))
    yield ""
    yield f"# {number}: waiting for seat {waiting}"
    if isinstance(game.course[-1], TurnedUp):
        yield write_state(game.state)
        for viewer in (None, *range(len(game.state.players))):
            yield write_view(game.view(viewer))
    else:
        yield write_view(game.view(None))
    legal = [write_action(action) for action in options(game.state, seat)]
    yield f"seat {seat} holds {write_cards(game.state.players[seat].hand) or '-'}"
    yield f"{len(legal)} legal: {'; '.join(legal)}"
    yield f"seat {seat} plays: {write_action(played.action)}"


def _log_lines(writer: GameLogWriter, events: tuple[Event, ...]) -> list[str]:
    return [f"| {line}".rstrip() for event in events for line in writer.lines(event)]


if __name__ == "__main__":
    for count in GAMES:
        path(count).write_text(playthrough(count), encoding="utf-8")
