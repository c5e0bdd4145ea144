"""A table with a password: nobody watches or joins without it."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from byzanz.tables import BotSeat, Declined, Host, NewTable, Open, TableReason, TableService
from byzanz.tables.model.passwords import hash_password, matches

from .services import Clock, limits, open_service, play_out

PLAN = NewTable((Host(), Open(), BotSeat("greedy")))


async def guests(service: TableService, *names: str) -> list[str]:
    return [(await service.guests.create(name, "en")).id for name in names]


async def reason_of(work: object) -> TableReason:
    with pytest.raises(Declined) as declined:
        await work  # type: ignore[misc]
    return declined.value.reason


async def test_nobody_sees_or_joins_the_table_without_its_password(url: str) -> None:
    async with open_service(url) as service:
        ann, ben, eve = await guests(service, "Ann", "Ben", "Eve")
        table = await service.create(ann, PLAN, password="blue card")
        assert (await service.look(table, ann)).locked
        needed = TableReason.PASSWORD_NEEDED
        for guest in (eve, None):
            assert await reason_of(service.look(table, guest)) is needed
            assert await reason_of(service.proof(table, guest)) is needed
            with pytest.raises(Declined):
                async with service.subscribe(table, guest):
                    pass
        assert await reason_of(service.join(table, eve)) is needed
        wrong = service.join(table, eve, password="red card")
        assert await reason_of(wrong) is TableReason.WRONG_PASSWORD
        assert await service.join(table, ben, password="blue card") == 1
    async with open_service(url, prefix="later") as service:
        assert await reason_of(service.look(table, eve)) is needed
        await service.admit(table, eve, "blue card")
        assert (await service.look(table, eve)).seat is None
        await play_out(service, table, [ann, ben], viewer=ann)
        for work in (service.replay(table), service.record(table), service.proof(table)):
            assert await reason_of(work) is needed
        assert await service.record(table, eve)
        again = await service.rematch(table, ann)
        assert (await service.look(again, ben)).locked
        assert await reason_of(service.look(again, eve)) is needed
        with service.store.engine.connect() as connection:
            stored = connection.scalar(text("SELECT password FROM tables"))
        assert "blue" not in stored
        await service.guests.forget(eve)
        assert await reason_of(service.look(table, eve)) is needed


async def test_tries_are_limited_by_guest_address_and_table(sqlite_url: str) -> None:
    few = limits(
        password_tries_per_hour_per_guest=3,
        password_tries_per_hour_per_address=5,
        password_tries_per_hour_per_table=7,
    )
    clock = Clock()
    async with open_service(sqlite_url, clock, limits=few) as service:
        ann, *others = await guests(service, "Ann", "Ben", "Carl", "Dora", "Emma")
        table = await service.create(ann, PLAN, password="blue card")
        for guest, address in zip(others, ("a", "a", "b", "c"), strict=True):
            service.note_address(guest, address)
        ben, carl, dora, emma = others
        wrong, many = TableReason.WRONG_PASSWORD, TableReason.TOO_MANY_TRIES

        async def tries(guest: str, password: str = "guess") -> TableReason:
            return await reason_of(service.admit(table, guest, password))

        assert [await tries(ben) for _ in range(4)] == [wrong] * 3 + [many]
        assert [await tries(carl) for _ in range(3)] == [wrong] * 2 + [many]
        assert [await tries(dora) for _ in range(3)] == [wrong] * 2 + [many]
        assert await tries(emma, "blue card") is many
        clock.now += 3600
        await service.admit(table, emma, "blue card")


@pytest.mark.parametrize("password", ["abc", "x" * 65, "abc\0d"])
async def test_a_password_must_have_4_to_64_characters(sqlite_url: str, password: str) -> None:
    async with open_service(sqlite_url) as service:
        (ann,) = await guests(service, "Ann")
        work = service.create(ann, PLAN, password=password)
        assert await reason_of(work) is TableReason.BAD_PASSWORD


def test_hashes_have_a_salt_and_match_only_their_password() -> None:
    one, other = hash_password("pässword", b"1" * 16), hash_password("pässword", b"2" * 16)
    assert one != other
    assert one.startswith("scrypt$16384$8$1$")
    assert matches("pässword", one)
    assert matches("pässword", other)
    for wrong in ("passwrd", "", "pässword ", "\ud800", "x" * 10_000):
        assert not matches(wrong, one)


async def test_a_what_if_of_a_locked_table_is_locked_too(sqlite_url: str) -> None:
    async with open_service(sqlite_url) as service:
        ann, eve = await guests(service, "Ann", "Eve")
        plan = NewTable((Host(), BotSeat("greedy"), BotSeat("greedy")))
        table = await service.create(ann, plan, password="blue card")
        await play_out(service, table, [ann], viewer=ann)
        new = await service.branch(table, ann, seat=0, step=2)
        assert (await service.look(new, ann)).locked
        assert await reason_of(service.look(new, eve)) is TableReason.PASSWORD_NEEDED
