"""Portraits, invitations to a rematch, and tables that the host starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from byzanz.rules import Deal
from byzanz.tables import (
    AVATARS,
    Declined,
    Host,
    NewTable,
    Open,
    Stage,
    TableOptions,
    TableReason,
    TableService,
    backup,
    restore,
)

from .services import open_service, play_out, seated


async def guest(service: TableService, name: str) -> str:
    """Create a guest and return their id."""
    return (await service.guests.create(name, "en")).id


async def test_a_portrait_is_shown_at_the_table_and_survives_a_restart(url: str) -> None:
    async with open_service(url) as service:
        ann, ben = await guest(service, "Ann"), await guest(service, "Ben")
        await service.guests.choose_avatar(ann, 7)
        table = await service.create(ann, NewTable((Host(), Open(), Open())))
        await service.join(table, ben)
        await service.guests.choose_avatar(ben, 3)
        assert [s.avatar for s in (await service.look(table)).sitters] == [7, 3, None]
        await service.guests.update(ann, "Änne", "de")
    async with open_service(url, prefix="later") as service:
        assert [s.avatar for s in (await service.look(table)).sitters] == [7, 3, None]
        found = await service.guests.require(ann)
        assert (found.name, found.avatar) == ("Änne", 7)
        await service.guests.choose_avatar(ann, None)
        assert (await service.look(table)).sitters[0].avatar is None
        for wrong in (-1, AVATARS):
            with pytest.raises(Declined) as refused:
                await service.guests.choose_avatar(ann, wrong)
            assert refused.value.reason is TableReason.BAD_AVATAR


async def test_a_portrait_is_in_the_backup_and_is_forgotten_with_its_guest(
    url: str, tmp_path: Path
) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        await service.guests.choose_avatar(guests[1], 9)
        backup(url, tmp_path / "backup")
    other = f"sqlite:///{tmp_path}/other.db"
    restore(tmp_path / "backup", other)
    async with open_service(other, prefix="later", automatic=False) as service:
        assert (await service.guests.require(guests[1])).avatar == 9
        assert (await service.look(table)).sitters[1].avatar == 9
        await service.guests.forget(guests[1])
        assert (await service.look(table)).sitters[1].avatar is None


async def test_a_full_table_waits_for_its_host_if_the_host_starts(url: str) -> None:
    async with open_service(url) as service:
        ann, ben, cid, dan = [await guest(service, name) for name in ("A", "B", "C", "D")]
        plan = NewTable((Host(), Open(), Open()), TableOptions(host_starts=True))
        table = await service.create(ann, plan)
        await service.join(table, ben)
        await service.join(table, cid)
        assert (await service.look(table)).stage is Stage.OPEN
        with pytest.raises(Declined) as refused:
            await service.join(table, dan)
        assert refused.value.reason is TableReason.TABLE_FULL
        await service.start(table, ann)
        found = await service.look(table)
        assert found.stage is Stage.PLAYING
        assert all(sitter.bot is None for sitter in found.sitters)


async def invited(service: TableService, *, rotated: bool = False) -> tuple[str, str, list[str]]:
    """Return a finished table, its rematch with invitations by the first guest, and the guests."""
    table, guests = await seated(service, people=3)
    await play_out(service, table, guests)
    again = await service.rematch(table, guests[0], rotated=rotated, invite=True)
    return table, again, guests


async def test_a_rematch_begins_when_everybody_has_accepted(url: str) -> None:
    async with open_service(url) as service:
        table, again, guests = await invited(service)
        found = await service.look(again, guests[1])
        assert (found.stage, found.seat) == (Stage.OPEN, 1)
        assert [sitter.invited for sitter in found.sitters] == [False, True, True]
        assert (await service.look(table)).followed_by == again
        assert await service.join(again, guests[1]) == 1
        assert await service.rematch(table, guests[2]) == again  # this accepts it too
        found = await service.look(again)
        assert found.stage is Stage.PLAYING
        assert not any(sitter.invited for sitter in found.sitters)


async def test_a_declined_seat_is_free_and_a_bot_stands_in_for_a_guest_without_answer(
    url: str,
) -> None:
    async with open_service(url) as service:
        _, again, guests = await invited(service)
        await service.decline(again, guests[0])  # the host is not invited: nothing happens
        await service.decline(again, guests[1])
        await service.decline(again, guests[1])
        found = await service.look(again)
        assert [sitter.open for sitter in found.sitters] == [False, True, False]
        await service.start(again, guests[0])
        sitters = (await service.look(again, guests[2])).sitters
        assert (sitters[1].name, sitters[1].bot, sitters[1].standing_in) == (None, "greedy", False)
        assert (sitters[2].name, sitters[2].standing_in) == ("Guest 2", True)
        await service.come_back(again, guests[2])
        assert (await service.look(again)).sitters[2].bot is None


async def test_an_invited_guest_does_not_become_the_host(url: str) -> None:
    async with open_service(url) as service:
        _, again, guests = await invited(service)
        await service.leave(again, guests[0])
        assert (await service.look(again)).stage is Stage.EXPIRED


async def test_an_accepted_rotated_rematch_has_the_same_deal_after_a_restart(url: str) -> None:
    async with open_service(url) as service:
        _, again, guests = await invited(service, rotated=True)
        deal = Deal.from_seed(3, seed=1)  # as the service deals
    async with open_service(url, seed=99, prefix="later") as service:
        for one in guests[1:]:
            await service.join(again, one)
        for one in guests:
            found = await service.look(again, one)
            assert found.view is not None
            assert found.seat is not None
            assert found.view.hand == tuple(sorted(deal.hands[found.seat]))


async def test_the_result_of_a_finished_table_is_found(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        with pytest.raises(Declined):
            await service.result(table)
        await play_out(service, table, guests)
        found = await service.look(table)
        assert await service.result(table) == await service.result(table) == found.result


async def closed(service: TableService, table: str) -> bool:
    """Return whether replay and record of the table are closed."""
    reasons = []
    for ask in (service.replay, service.record):
        try:
            await ask(table)
        except Declined as declined:
            reasons.append(declined.reason)
    assert reasons in ([], [TableReason.SAME_DEAL_IN_PLAY] * 2)
    return bool(reasons)


async def test_everybody_must_agree_to_the_same_deal(url: str) -> None:
    async with open_service(url) as service:
        table, guests = await seated(service, people=3)
        await play_out(service, table, guests)
        again = await service.rematch(table, guests[0], rotated=True)
        with pytest.raises(Declined) as refused:
            await service.start(again, guests[0])
        assert refused.value.reason is TableReason.NOT_AGREED
        await service.rematch(table, guests[1])  # a plain rematch does not accept the same deal
        assert [s.invited for s in (await service.look(again)).sitters] == [True, False, True]
        await service.rematch(table, guests[1], rotated=True)
        found = await service.look(again)
        assert (found.stage, found.rotated) == (Stage.OPEN, True)
        await service.join(again, guests[2])
        assert (await service.look(again)).stage is Stage.PLAYING


async def test_the_first_game_stays_closed_until_all_games_with_its_deal_have_ended(
    url: str,
) -> None:
    async with open_service(url) as service:
        table, again, guests = await invited(service, rotated=True)
        result = await service.result(table)
        assert await closed(service, table)
        for one in guests[1:]:
            await service.join(again, one)
        assert await closed(service, table)
        await play_out(service, again, guests)
        assert not await closed(service, table)
        third = await service.rematch(again, guests[0], rotated=True)
        assert await closed(service, table)
        assert await closed(service, again)
        assert await service.result(table) == result
        await service.decline(third, guests[2])
        assert (await service.look(third)).stage is Stage.EXPIRED
        assert not await closed(service, table)
        assert not await closed(service, again)


async def test_another_rematch_is_possible_after_one_was_declined(url: str) -> None:
    async with open_service(url) as service:
        table, again, guests = await invited(service, rotated=True)
        await service.decline(again, guests[1])
        await service.decline(again, guests[2])  # too late, and no error
        other = await service.rematch(table, guests[1])
        assert other != again
        assert (await service.look(table)).followed_by == other
        assert (await service.look(other)).stage is Stage.PLAYING
