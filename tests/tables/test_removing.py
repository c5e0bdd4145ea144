"""The host removes somebody before the game begins."""

from __future__ import annotations

import pytest

from byzanz.tables import Declined, Host, NewTable, Open, Stage, TableReason

from .services import open_service, play_out, seated


async def test_a_removed_person_loses_the_seat_and_can_only_watch_or_sit_again(url: str) -> None:
    async with open_service(url) as service:
        ann, ben = [(await service.guests.create(name, "en")).id for name in ("Ann", "Ben")]
        table = await service.create(ann, NewTable((Host(), Open(), Open())))
        await service.join(table, ben, 2)
        await service.remove(table, ann, 2)
        view = await service.look(table, ben)
        assert (view.seat, view.sitters[2].open, view.sitters[2].name) == (None, True, None)
    async with open_service(url, prefix="later") as service:
        assert (await service.look(table, ben)).seat is None
        assert await service.join(table, ben) == 1


@pytest.mark.parametrize(
    ("seat", "reason"),
    [
        (0, TableReason.OWN_SEAT),
        (1, TableReason.NOBODY_HERE),
        (-1, TableReason.NOT_A_SEAT),
        (3, TableReason.NOT_A_SEAT),
    ],
)
async def test_nobody_else_can_be_removed(sqlite_url: str, seat: int, reason: TableReason) -> None:
    async with open_service(sqlite_url) as service:
        ann = (await service.guests.create("Ann", "en")).id
        table = await service.create(ann, NewTable((Host(), Open(), Open())))
        with pytest.raises(Declined) as declined:
            await service.remove(table, ann, seat)
        assert declined.value.reason is reason


async def test_only_the_host_removes_and_only_before_the_game(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        table, (ann, ben, carl) = await seated(service)
        for who, reason in ((ben, TableReason.NOT_HOST), (ann, TableReason.ALREADY_STARTED)):
            with pytest.raises(Declined) as declined:
                await service.remove(table, who, 2)
            assert declined.value.reason is reason
        await play_out(service, table, [ann, ben, carl])
        invited = await service.rematch(table, ann, invite=True)
        await service.remove(invited, ann, 1)
        view = await service.look(invited, ben)
        assert (view.seat, view.stage, view.sitters[1].open) == (None, Stage.OPEN, True)
