"""What if: a finished game is continued from one of its moves, at a table of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from byzanz.notation import write_action
from byzanz.rules import Game
from byzanz.tables import Declined, Stage, TableReason, TableService
from byzanz.tables.model.branch import deal_anew

from .services import open_service, play_out, seated

STEP = 30


async def _finished(service: TableService) -> tuple[str, str]:
    table, guests = await seated(service, people=1, bots=2)
    await play_out(service, table, guests)
    return table, guests[0]


@pytest.mark.parametrize("anew", [False, True])
async def test_a_guest_takes_over_a_seat_and_plays_to_the_end(
    tmp_path: Path, *, anew: bool
) -> None:
    async with open_service(f"sqlite:///{tmp_path}/byzanz.db") as service:
        table, guest = await _finished(service)
        game = await service.replay(table)
        begun = Game.replay(game.deal, game.plays[:STEP])
        branch = await service.branch(table, guest, seat=1, step=STEP, anew=anew)
        seen = await service.look(branch, guest)
        assert (seen.seat, seen.origin, seen.origin_step) == (1, table, STEP)
        await play_out(service, branch, [guest])
        played = await service.replay(branch)
        assert played.plays[:STEP] == game.plays[:STEP]
        assert (played.deal == game.deal) is not anew
        then = Game.replay(played.deal, played.plays[:STEP])
        assert then.view(1) == begun.view(1)
        header = json.loads((await service.record(branch)).splitlines()[0])
        assert header["origin"] == {"table": table, "actions": STEP}
        assert [each.table for each in await service.branches_of(table)] == [branch]


async def test_a_branch_is_the_same_after_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/byzanz.db"
    async with open_service(url) as service:
        table, guest = await _finished(service)
    async with open_service(url, automatic=False, prefix="two") as service:
        branch = await service.branch(table, guest, seat=2, step=STEP)
        before = await service.look(branch, guest)
    async with open_service(url, automatic=False, prefix="three") as service:
        after = await service.look(branch, guest)
        assert (after.view, after.number, after.undo) == (before.view, STEP, None)
        assert after.stage is Stage.PLAYING


async def test_there_is_no_branch_after_the_end_or_for_a_seat_that_is_not_there(
    tmp_path: Path,
) -> None:
    async with open_service(f"sqlite:///{tmp_path}/byzanz.db") as service:
        table, guest = await _finished(service)
        last = len((await service.replay(table)).plays)
        for seat, step, reason in (
            (0, last, TableReason.BAD_STEP),
            (3, 0, TableReason.NOT_A_SEAT),
        ):
            with pytest.raises(Declined) as declined:
                await service.branch(table, guest, seat=seat, step=step)
            assert declined.value.reason is reason


async def test_a_new_deal_changes_only_what_the_seat_has_not_seen(tmp_path: Path) -> None:
    async with open_service(f"sqlite:///{tmp_path}/byzanz.db") as service:
        table, _ = await _finished(service)
        game = await service.replay(table)
    for step in (0, 17, 60, len(game.plays) - 1):
        begun = Game.replay(game.deal, game.plays[:step])
        for seat in range(3):
            other = Game.replay(deal_anew(begun, seat, 5), begun.plays)
            assert other.view(seat) == begun.view(seat)
            assert [write_action(one.action) for one in other.plays] == [
                write_action(one.action) for one in begun.plays
            ]
