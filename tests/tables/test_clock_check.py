"""A clock that is set wrong does not expire games or delete guests."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from byzanz.tables import Stage
from byzanz.tables.service.clock_check import ClockCheck

from .services import Clock, environment, open_service, seated

DAY = 24 * 3600


def clocks() -> tuple[Clock, Clock]:
    """Return a clock that can be set, and one that nobody can set."""
    return Clock(), Clock()


def test_a_jump_pauses_for_a_day_or_until_the_clock_is_right(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, steady = clocks()
    check = ClockCheck(replace(environment(clock), monotonic=steady))

    def passes_after(seconds: float, jump: float = 0) -> bool:
        clock.now += seconds + jump
        steady.now += seconds
        return check.passes()

    assert passes_after(600)
    assert passes_after(600, jump=3600), "summer time, or a clock that is corrected"
    with caplog.at_level(logging.WARNING):
        assert not passes_after(600, jump=365 * DAY)
    assert "jumped by 365.0 days" in caplog.text
    assert not passes_after(600)
    assert passes_after(600, jump=-365 * DAY), "corrected"
    assert not passes_after(600, jump=-365 * DAY)
    assert not passes_after(DAY - 700)
    assert passes_after(1000), "accepted after a day"
    assert passes_after(600)


@pytest.mark.parametrize(("days", "passes"), [(0, True), (29, True), (31, False), (-2, False)])
def test_a_service_compares_its_clock_with_the_database(days: int, passes: bool) -> None:
    clock, steady = clocks()
    newest = clock.now - days * DAY
    assert ClockCheck(replace(environment(clock), monotonic=steady), newest).passes() is passes


async def test_a_clock_that_is_set_forward_deletes_nothing(url: str) -> None:
    clock, steady = clocks()
    given = replace(environment(clock), monotonic=steady)
    async with open_service(url, environment=given, automatic=False) as service:
        table, guests = await seated(service, people=3)
        clock.now += 500 * DAY
        await service.maintenance.clean_up_if_plausible()
        assert (await service.look(table)).stage is Stage.PLAYING
        assert await service.guests.get(guests[0]) is not None
    clock.now += 1000 * DAY
    later = replace(environment(clock, prefix="later"), monotonic=steady)
    async with open_service(url, environment=later, automatic=False) as service:
        await service.maintenance.check_clock()
        await service.maintenance.clean_up_if_plausible()
        assert (await service.look(table)).stage is Stage.PLAYING
        clock.now -= 1500 * DAY
        await service.maintenance.clean_up_if_plausible()
        clock.now += 31 * DAY
        steady.now += 31 * DAY
        await service.maintenance.clean_up_if_plausible()
        assert (await service.look(table)).stage is Stage.EXPIRED
