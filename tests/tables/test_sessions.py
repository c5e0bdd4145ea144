"""Sessions are stored, found, ended and deleted in either database."""

from __future__ import annotations

import dataclasses

import pytest

from byzanz.tables import DEVICE_SECONDS, Declined, Label, Session, SessionKind, TableReason

from .services import Clock, environment, limits, open_service

DEVICE, TOKEN = SessionKind.DEVICE, SessionKind.TOKEN
PHONE = Label(browser="Safari", system="iPhone")


async def test_a_session_outlasts_a_restart(url: str) -> None:
    async with open_service(url) as service:
        guest = (await service.guests.create("Zoe", "en")).id
        secret, session = await service.guests.sessions.add_device(guest, PHONE)
        token, _ = await service.guests.sessions.add_token(guest, "bot", 7)
    async with open_service(url, prefix="new") as service:
        sessions = service.guests.sessions
        assert await sessions.find(secret, DEVICE) == (session, False)
        assert await sessions.find(secret, TOKEN) is None
        assert await sessions.find(token, DEVICE) is None
        assert await sessions.find("nonsense", DEVICE) is None
        assert {each.kind for each in await sessions.all_of(guest)} == {DEVICE, TOKEN}


async def test_ending_one_or_all_others(url: str) -> None:
    async with open_service(url) as service:
        sessions = service.guests.sessions
        guest = (await service.guests.create("Zoe", "en")).id
        found = [await sessions.add_device(guest, PHONE) for _ in range(3)]
        async with sessions.watch(found[0][1]) as first, sessions.watch(found[2][1]) as last:
            await sessions.end(guest, found[0][1].id)
            assert first.is_set()
            assert not last.is_set()
            with pytest.raises(Declined) as declined:
                await sessions.end(guest, found[0][1].id)
            assert declined.value.reason is TableReason.NO_SUCH_SESSION
            await sessions.end_others(guest, found[1][1])
            assert last.is_set()
        assert [await sessions.find(secret, DEVICE) is None for secret, _ in found] == [
            True,
            False,
            True,
        ]
        async with sessions.watch(found[0][1]) as too_late:
            assert too_late.is_set()
        assert not sessions._watched


async def test_a_browser_gets_no_notifications_after_its_device_is_logged_out(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        sessions, notifications = service.guests.sessions, service.notifications
        guest = (await service.guests.create("Zoe", "en")).id

        async def add(address: str, session: Session) -> None:
            await notifications.add_browser(guest, address, ("key", "secret"), session=session)

        async def addresses() -> list[str]:
            return [target.address for target in await notifications.targets(guest)]

        devices = [(await sessions.add_device(guest, PHONE))[1] for _ in range(4)]
        for number, device in enumerate(devices):
            await add(f"https://push/{number}", device)
        _, token = await sessions.add_token(guest, days=1)
        await add("https://push/program", token)
        await notifications.add_email(guest, "zoe@example.org")

        await sessions.end(guest, devices[0].id)
        assert "https://push/0" not in await addresses()
        _, again = await sessions.add_device(guest, PHONE, devices[1])  # with a personal link
        assert "https://push/1" in await addresses()
        stranger = (await service.guests.create("Ann", "en")).id
        await sessions.add_device(stranger, PHONE, devices[2])
        assert "https://push/2" not in await addresses()
        await add("https://push/3", again)  # the browser was signed in again
        await sessions.end(guest, devices[3].id)
        assert "https://push/3" in await addresses()
        clock.now += DEVICE_SECONDS
        await sessions.drop_expired()
        assert sorted(await addresses()) == ["https://push/program", "zoe@example.org"]


async def test_expired_sessions_are_refused_and_deleted(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock) as service:
        sessions = service.guests.sessions
        guest = (await service.guests.create("Zoe", "en")).id
        token, made = await sessions.add_token(guest, days=1)
        device, _ = await sessions.add_device(guest, PHONE)
        async with sessions.watch(made) as ended:
            clock.now += 2 * 24 * 3600
            assert await sessions.find(token, TOKEN) is None
            await service.maintenance.clean_up()
            assert ended.is_set()
        clock.now += 40 * 24 * 3600
        found = await sessions.find(device, DEVICE, renew=True)
        assert found is not None
        assert found[1]
        assert found[0].expires == clock.now + DEVICE_SECONDS
        await service.guests.forget(guest)
        assert await sessions.all_of(guest) == ()
        assert await sessions.find(device, DEVICE) is None


async def test_surplus_devices_are_logged_out_and_surplus_tokens_refused(url: str) -> None:
    clock = Clock()
    async with open_service(url, clock, limits=limits(sessions_per_guest=2)) as service:
        sessions = service.guests.sessions
        guest = (await service.guests.create("Zoe", "en")).id
        secrets = []
        for _ in range(4):
            secrets.append((await sessions.add_device(guest, PHONE))[0])
            clock.now += 1
        found = [await sessions.find(secret, DEVICE) is not None for secret in secrets]
        assert found == [False, False, True, True]
        for _ in range(2):
            await sessions.add_token(guest)
        with pytest.raises(Declined) as declined:
            await sessions.add_token(guest)
        assert declined.value.reason is TableReason.TOO_MANY_TOKENS


async def test_a_second_process_sees_that_a_session_has_ended(url: str) -> None:
    now = 100.0
    second = dataclasses.replace(environment(prefix="other"), monotonic=lambda: now)
    async with (
        open_service(url) as one,
        open_service(url, environment=second, alone=False) as two,
    ):
        guest = (await one.guests.create("Zoe", "en")).id
        secret, session = await one.guests.sessions.add_device(guest, PHONE)
        assert await two.guests.sessions.find(secret, DEVICE) is not None
        await one.guests.sessions.end(guest, session.id)
        now += 16
        assert await two.guests.sessions.find(secret, DEVICE) is None
