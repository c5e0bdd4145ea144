"""Deals that anyone can check: what is published when, and that the record proves it."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import count
from pathlib import Path

import msgspec
import pytest

from byzanz.notation import check_proof, judge
from byzanz.rules import commitment
from byzanz.tables import (
    SYSTEM,
    BotSeat,
    DealProof,
    Declined,
    Host,
    NewTable,
    Open,
    Stage,
    TableReason,
    TableService,
    backup,
    restore,
)

from .services import Clock, environment, open_service, play_out

MINE, OTHER = "0a" * 16, "0b" * 16


def _service(url: str, prefix: str = "id") -> TableService:
    secrets = count(1)
    fixed = environment(Clock(), prefix=prefix)
    fixed = replace(fixed, deal_secrets=lambda: f"{next(secrets):064x}", nonces=lambda: "5e" * 16)
    return open_service(url, environment=fixed)


async def _guest(service: TableService, name: str) -> str:
    return (await service.guests.create(name, "en")).id


async def _proof_in_record(service: TableService, table: str) -> DealProof:
    """Return the proof in the table's record, which must hold."""
    (verdict,) = judge(BytesIO((await service.record(table)).encode()))
    assert verdict.error is None
    assert verdict.record is not None
    assert check_proof(verdict.record.deal, verdict.record.extra) is None
    return msgspec.convert(verdict.record.extra["proof"], DealProof)


async def test_the_hash_is_published_first_and_the_secret_opened_at_the_end(url: str) -> None:
    async with _service(url) as service:
        ann, ben = await _guest(service, "Ann"), await _guest(service, "Ben")
        plan = NewTable((Host(), Open(), BotSeat("greedy")))
        table = await service.create(ann, plan, nonce=MINE)
        published = (await service.look(table)).commitment
        assert published is not None
        nonces: tuple[str | None, ...] = (f"player:{MINE}", None, None)
        assert await service.proof(table) == DealProof(published, nonces, None)
        await service.join(table, ben)
        nonces = (f"player:{MINE}", "server:" + "5e" * 16, None)
        assert await service.proof(table) == DealProof(published, nonces, None)
        await play_out(service, table, [ann, ben], most=9)
    async with _service(url, "later") as service:
        assert await service.proof(table) == DealProof(published, nonces, None)
        await play_out(service, table, [ann, ben])
        proof = await service.proof(table)
        assert (proof.commitment, proof.nonces) == (published, nonces)
        assert proof.secret is not None
        assert commitment(proof.secret) == published
        assert await _proof_in_record(service, table) == proof


async def test_a_seat_given_up_takes_its_nonce_along(url: str) -> None:
    async with _service(url) as service:
        ann, ben = await _guest(service, "Ann"), await _guest(service, "Ben")
        table = await service.create(ann, NewTable((Host(), Open(), Open())), nonce=MINE)
        await service.join(table, ben, 2, nonce=OTHER)
        await service.leave(table, ben)
        await service.join(table, ben, 1, nonce=OTHER)
        await service.start(table, ann, "greedy")
        proof = await service.proof(table)
        assert proof.nonces == (f"player:{MINE}", f"player:{OTHER}", None)
        await service.guests.forget(ben)
        await play_out(service, table, [ann])
        assert (await _proof_in_record(service, table)).nonces == proof.nonces


async def test_games_that_nobody_can_join_have_no_proof(sqlite_url: str) -> None:
    async with _service(sqlite_url) as service:
        ann = await _guest(service, "Ann")
        bots = (BotSeat("greedy"), BotSeat("greedy"))
        table = await service.create(ann, NewTable((Host(), *bots)), nonce=MINE)
        view = await service.look(table)
        assert (view.stage, view.commitment) == (Stage.PLAYING, None)
        with pytest.raises(Declined) as declined:
            await service.proof(table)
        assert declined.value.reason is TableReason.NO_PROOF
        await play_out(service, table, [ann])
        assert '"proof"' not in await service.record(table)


async def test_a_rematch_has_its_own_proof_and_the_same_deal_none(sqlite_url: str) -> None:
    async with _service(sqlite_url) as service:
        ann, ben = await _guest(service, "Ann"), await _guest(service, "Ben")
        plan = NewTable((Host(), Open(), BotSeat("greedy")))
        first = await service.create(ann, plan)
        await service.join(first, ben)
        await play_out(service, first, [ann, ben])
        assert (await service.proof(first)).secret is not None
        rotated = await service.rematch(first, ann, rotated=True)
        assert (await service.look(rotated)).commitment is None
        assert (await service.proof(first)).secret is None, "its cards are in play again"
        await service.rematch(first, ben, rotated=True)
        await play_out(service, rotated, [ann, ben])
        assert (await service.proof(first)).secret is not None
        again = await service.rematch(rotated, ben, invite=True, nonce=OTHER)
        assert (await service.look(again)).commitment is not None
        await service.join(again, ann, nonce=MINE)
        proof = await service.proof(again)
        assert set(proof.nonces) == {f"player:{MINE}", f"player:{OTHER}", None}
        await play_out(service, again, [ann, ben])
        assert (await _proof_in_record(service, again)).nonces == proof.nonces
        at_once = await service.rematch(again, ann)
        assert (await service.look(at_once)).commitment is None


async def test_a_malformed_nonce_is_declined_and_changes_nothing(sqlite_url: str) -> None:
    async with _service(sqlite_url) as service:
        ann, ben = await _guest(service, "Ann"), await _guest(service, "Ben")
        plan = NewTable((Host(), Open(), Open()))
        table = await service.create(ann, plan)
        for wrong in ("0" * 31, "A" * 32, "0" * 33, "0" * 31 + "\n"):
            for command in (service.create(ann, plan, nonce=wrong), service.join(table, ben, nonce=wrong)):  # fmt: skip  # noqa: E501
                with pytest.raises(Declined) as declined:
                    await command
                assert declined.value.reason is TableReason.BAD_NONCE
        assert (await service.look(table, ben)).seat is None


async def test_secret_and_nonces_are_in_the_backup(url: str, tmp_path: Path) -> None:
    async with _service(url) as service:
        ann, ben = await _guest(service, "Ann"), await _guest(service, "Ben")
        table = await service.create(ann, NewTable((Host(), Open(), BotSeat("greedy"))))
        await service.join(table, ben, nonce=MINE)
        backup(url, tmp_path / "backup")
    other = f"sqlite:///{tmp_path}/other.db"
    restore(tmp_path / "backup", other)
    async with _service(other, "later") as service:
        await play_out(service, table, [ann, ben])
        assert f"player:{MINE}" in (await _proof_in_record(service, table)).nonces


def test_the_system_draws_a_new_secret_and_nonce_every_time() -> None:
    assert SYSTEM.deal_secrets is not None
    assert len({SYSTEM.deal_secrets() for _ in range(9)}) == 9
    assert {len(SYSTEM.deal_secrets()), len(SYSTEM.nonces())} == {64, 32}
    assert len({SYSTEM.nonces() for _ in range(9)}) == 9
