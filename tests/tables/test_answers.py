"""Outcomes of requests: stored as text, and the same when they are read again."""

from __future__ import annotations

import pytest

from byzanz.rules import FACES, Bid, Discard, Done, Give, Kind, Pass, Refusal, Sell, Take
from byzanz.tables import Accepted, Declined, Refused, TableReason
from byzanz.tables.model import answers, commands
from byzanz.tables.model.answers import Outcome, read_outcome, write_outcome
from tests.random_games import random_game

from .services import act, chosen, open_service, seated


def refusals() -> list[Refusal]:
    """Return all kinds of refusals of a random game."""
    tried = [Pass(), Done(), Bid(()), Bid((FACES[0],) * 5), Sell(FACES[:3]), Sell(FACES[:2])]
    tried += [Give(card) for card in FACES] + [Discard(card) for card in FACES]
    tried += [Take(kind) for kind in Kind]
    found: dict[object, Refusal] = {}
    for game in random_game(4, seed=2):
        for seat in range(4):
            for action in tried:
                refusal = game.view(seat).options.refusal(action)
                if refusal is not None:
                    found[refusal.reason] = refusal
    assert len(found) > 8
    return list(found.values())


def test_a_stored_refusal_is_read_as_it_was() -> None:
    for refusal in refusals():
        assert read_outcome(write_outcome(refusal)) == refusal


def test_a_stored_version_is_read_as_it_was() -> None:
    assert write_outcome(17) == '{"version": 17}'
    assert read_outcome('{"version": 17}') == 17


def test_a_stored_declined_command_is_read_as_it_was() -> None:
    text = write_outcome(Declined(TableReason.NOT_A_SEAT, seat=7, last=3))
    read = read_outcome(text)
    assert isinstance(read, Declined)
    assert (read.reason, read.parameters) == (TableReason.NOT_A_SEAT, {"seat": 7, "last": 3})


async def test_an_action_is_written_once_and_its_outcome_never_read_back(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[object] = []
    for module in (answers, commands):
        write = module.write_action
        monkeypatch.setattr(
            module, "write_action", lambda action, write=write: written.append(1) or write(action)
        )
    read: list[str] = []

    def reading(text: str) -> Outcome:
        read.append(text)
        return read_outcome(text)

    monkeypatch.setattr("byzanz.tables.service.live_tables.read_outcome", reading)
    async with open_service(sqlite_url, automatic=False) as service:
        table, guests = await seated(service, people=3)
        action = chosen(await service.look(table, guests[0]))
        first = await act(service, table, guests[0], action, "a")
        assert isinstance(first, Accepted)
        assert (len(written), read) == (1, [])
        refused = await service.act(table, guests[0], Done(), decision=1, key="b")
        assert isinstance(refused, Refused)
        assert (len(written), read) == (2, [])
        again = await service.act(table, guests[0], Done(), decision=1, key="b")
        assert again == refused
        assert (len(written), len(read)) == (3, 1)
