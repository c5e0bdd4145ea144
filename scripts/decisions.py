"""Count the decisions that one player makes in a game: ``python -m scripts.decisions [GAMES]``.

Bots play all seats. A decision is an action of seat 0 that the rules did not force: the last give
of a round (R3.11) and the only possible take are left out. Bids, passes, sales, discards and the
end of the final sale count.
"""

from __future__ import annotations

import sys
from statistics import mean, quantiles

from byzanz.arena.game import seeded_match
from byzanz.rules import SETUPS, Game, Give, Phase, Take

BOT = "trader"
GAMES = 200


def decisions(game: Game, seat: int = 0) -> int:
    """Return the number of decisions that the seat made in this game."""
    state, count = Game.start(game.deal), 0
    for play in game.plays:
        if play.seat == seat and not _is_forced(state, play.action):
            count += 1
        state = state.play(play.seat, play.action)
    return count


def _is_forced(game: Game, action: object) -> bool:
    state = game.state
    match action:
        case Give():
            return state.phase is Phase.GIVE and len(state.stack) == 1 and len(state.offer) == 1
        case Take():
            return len({card.kind for card in state.market}) == 1
    return False


def main() -> None:
    """Print a table with a row for each number of players."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    print("| players | rounds | decisions per game, mean | middle 80 % of the games |")
    print("|---|---|---|---|")
    for players, setup in SETUPS.items():
        found = [decisions(seeded_match(players, seed, [BOT] * players)) for seed in range(games)]
        low, *_, high = quantiles(found, n=10)
        print(f"| {players} | {setup.rounds} | {mean(found):.0f} | {low:.0f} to {high:.0f} |")


if __name__ == "__main__":
    main()
