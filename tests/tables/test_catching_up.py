"""What one process loads of the changes of another."""

from __future__ import annotations

from byzanz.tables import PreparedPass
from byzanz.tables.model.sayings import Phrase
from byzanz.tables.model.table import Table
from byzanz.tables.storage.catching_up import catch_up
from byzanz.tables.storage.table_rows import load_table

from .databases import Postgres
from .services import act, chosen, open_service, seated


async def test_a_known_table_is_brought_to_every_later_state(postgres: Postgres) -> None:
    async with open_service(postgres.fresh()) as service:
        table, guests = await seated(service, 3)
        states: list[Table] = []

        async def keep() -> None:
            found = await service.store.run(lambda connection: load_table(connection, table))
            assert found is not None
            states.append(found)

        await keep()
        await service.prepare(table, guests[2], PreparedPass(1, 6))
        await keep()
        for number in range(8):
            for guest in guests:
                seen = await service.look(table, guest)
                if seen.seat in seen.waiting_for:
                    await act(service, table, guest, chosen(seen), f"k{number}")
                    break
            await keep()
        before = await service.look(table, guest)
        if before.undo is not None:
            await service.undo(table, guest, before.undo, "undo")
            await keep()
        await service.talk.say(table, guests[0], Phrase.HELLO)
        await keep()
        await service.leave(table, guests[2])
        await keep()
        for place, known in enumerate(states):
            again = await service.store.run(lambda c, known=known: catch_up(c, table, known))
            assert again == states[-1], place
        assert len({state.revision for state in states}) > 9
        assert await service.store.run(lambda c: catch_up(c, "none", states[0])) is None
