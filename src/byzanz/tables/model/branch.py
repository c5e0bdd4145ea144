"""Branches: tables at which a finished game is continued from one of its moves."""

from __future__ import annotations

from dataclasses import replace

from byzanz.notation import write_action
from byzanz.rules import Chance, Deal, Game, in_order
from byzanz.rules.cards import without

from .commands import Creation
from .guests import Guest
from .plan import TableOptions
from .play import next_version, note, play
from .prepared import BY_HAND, Automatic
from .refusals import Declined, TableReason
from .table import Actor, Chair, LogEntry, Stage, Table


def branch(  # noqa: PLR0913
    origin: Table,
    game: Game,
    guest: Guest,
    creation: Creation,
    *,
    seat: int,
    step: int,
    bot: str,
    anew: bool = False,
    automatic: Automatic = BY_HAND,
) -> tuple[Table, tuple[LogEntry, ...]]:
    """Return a new table that continues a finished game, and the beginning of its log.

    The guest takes the seat after ``step`` actions. The other seats keep their bots, and ``bot``
    replaces people. If ``anew``, the cards that the seat had not seen are dealt anew.
    """
    if not 0 <= seat < len(origin.chairs):
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(origin.chairs) - 1)
    if not 0 <= step < len(game.plays):
        raise Declined(TableReason.BAD_STEP, last=len(game.plays) - 1)
    begun = Game.replay(game.deal, game.plays[:step])
    deal = deal_anew(begun, seat, creation.seed) if anew else game.deal
    chairs = [Chair(bot=bot if chair.guest else chair.bot or bot) for chair in origin.chairs]
    chairs[seat] = Chair(guest.id, guest.name, avatar=guest.avatar, automatic=automatic)
    options = TableOptions(
        pace=origin.options.pace,
        memory_aid=origin.options.memory_aid,
        open_profit=origin.options.open_profit,
    )
    table = Table(
        id=creation.table,
        created=creation.now,
        active=creation.now,
        version=1,
        stage=Stage.PLAYING,
        options=options,
        host=guest.id,
        chairs=tuple(chairs),
        seed=creation.seed,
        shared_deal=origin.shared_deal,
        origin=origin.id,
        origin_step=step,
        password=origin.password,
        game=Game.start(deal),
        sales=(0,) * len(chairs),
    )
    entries = []
    for number, played in enumerate(begun.plays):
        action = write_action(played.action)
        entries.append(LogEntry(number, creation.now, played.seat, action, Actor.TABLE))
        after = play(table, played.seat, played.action)
        table = note(table, after, number, played.seat, Actor.TABLE)
    return replace(next_version(table, creation.now), version=1), tuple(entries)


def deal_anew(game: Game, seat: int, seed: int) -> Deal:
    """Return a deal with which the same actions lead to the same view of the seat.

    The cards that the seat has not seen are shuffled: the rest of the deck, the removed cards, and
    the cards in other hands that were never shown.
    """
    state, deal = game.state, game.deal
    others = [at for at in range(len(state.players)) if at != seat]
    unseen = [*state.deck, *state.removed]
    for at in others:
        unseen += state.players[at].hidden
    Chance(seed).shuffle(unseen)
    hands = list(deal.hands)
    for at in others:
        hidden = state.players[at].hidden
        shown = without(in_order(deal.hands[at]), hidden)
        hands[at] = shown + tuple([unseen.pop() for _ in hidden])
    removed = tuple([unseen.pop() for _ in state.removed])
    drawn = deal.deck[: len(deal.deck) - len(state.deck)]
    return Deal(tuple(hands), deck=drawn + tuple(unseen), removed=removed)
