"""Draw the table of a View or a State in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from gettext import NullTranslations

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from byzanz.locale import ENGLISH, _
from byzanz.messages import card_name, printable
from byzanz.rules import Card, Cards, Kind, Phase, SeatView, State, View, profit, view, worth

_COLOURS = {
    Kind.CLOTH: "bold white on rgb(30,64,140)",
    Kind.GRAIN: "bold black on rgb(226,178,60)",
    Kind.OLIVES: "bold white on rgb(72,104,40)",
    Kind.SPICES: "bold black on rgb(232,130,70)",
    Kind.WOOD: "bold white on rgb(108,70,40)",
    Kind.WINE: "bold white on rgb(120,30,70)",
    Kind.MERCHANT: "bold rgb(250,215,110) on rgb(74,40,110)",
}

_PHASES = {
    Phase.AUCTION: _("Auction"),
    Phase.GIVE: _("A card for the market"),
    Phase.LIMIT: _("Over the hand limit"),
    Phase.MARKET: _("Sharing out the market"),
    Phase.FINAL_SALE: _("The final sale"),
    Phase.OVER: _("The end of the game"),
}


def render_cards(
    cards: Iterable[Card], translations: NullTranslations = ENGLISH, *, numbered: bool = False
) -> Text:
    """Return the cards as coloured tiles, numbered from 1 if ``numbered``."""
    text = Text()
    for number, card in enumerate(cards, start=1):
        if text:
            text.append(" ")
        if numbered:
            text.append(f"{number}:", style="dim")
        text.append(f" {card_name(card, translations)} ", style=_COLOURS[card.kind])
    return text or Text("-", style="dim")


def draw_position(
    console: Console,
    position: State | View,
    names: Sequence[str] = (),
    translations: NullTranslations = ENGLISH,
) -> None:
    """Print the table as a view shows it; for a state, print the hidden cards as well."""
    say = translations.gettext
    if not names:
        seats = range(len(position.players))
        names = [say("Seat {seat}").format(seat=seat) for seat in seats]
    if isinstance(position, View):
        console.print(render_view(position, names, translations))
        return
    console.print(render_view(view(position, None), names, translations))
    for name, player in zip(names, position.players, strict=True):
        holds = say("{name} holds").format(name=printable(name))
        console.print(_line(holds, render_cards(player.hand, translations)))
    console.print(
        _line(say("Deck, next card first"), Text(" ".join(map(str, position.deck)) or "-"))
    )
    console.print(_line(say("Removed unseen"), Text(" ".join(map(str, position.removed)))))


def render_view(
    seen: View, names: Sequence[str], translations: NullTranslations = ENGLISH
) -> RenderableType:
    """Return the table as the viewer sees it."""
    say = translations.gettext
    number = say("Round {number} of {rounds}").format(number=seen.round, rounds=seen.setup.rounds)
    stack = " ".join(map(str, reversed(seen.stack))) or "-"
    parts: list[RenderableType] = [
        _seats(seen, names, translations),
        _line(say("Offer"), render_cards(seen.offer, translations, numbered=True)),
        _line(say("Market"), render_cards(seen.market, translations)),
        _line(say("Offer cards to come"), Text(stack)),
        _line(say("Cards in the deck"), Text(str(seen.deck_size))),
    ]
    if seen.seat is not None:
        own = seen.players[seen.seat]
        parts.append(_line(say("Your bid"), _bid(own.bid, translations)))
        parts.append(_line(say("Your hand"), render_cards(seen.hand, translations, numbered=True)))
    title = f"{number} · {say(_PHASES[seen.phase])}"
    return Panel(Group(*parts), title=title, border_style="rgb(150,110,60)", padding=(0, 1))


def _seats(seen: View, names: Sequence[str], translations: NullTranslations) -> Table:
    say = translations.gettext
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column(say("Player"))
    table.add_column(say("Cards"))
    table.add_column(say("Known to be in hand"))
    table.add_column(translations.pgettext("heading", "Bid"))  # on a button it is a verb
    table.add_column("")
    table.add_column(say("Profit"))
    for seat, player in enumerate(seen.players):
        own = seat == seen.seat
        known = Text(say("(you)"), style="dim") if own else _known(player, translations)
        table.add_row(
            Text("▶", style="bold green") if _to_act(seen, seat) else "",
            Text(printable(names[seat]), style="bold" if own else ""),
            str(player.hand_size),
            known,
            _bid(player.bid, translations),
            _standing(player, translations),
            str(profit(player.kept)),
        )
    return table


def _to_act(seen: View, seat: int) -> bool:
    if seen.phase is Phase.FINAL_SALE:
        return not seen.players[seat].done
    return seen.turn == seat


def _known(player: SeatView, translations: NullTranslations) -> Text:
    text = render_cards(player.known, translations) if player.known else Text()
    if player.unknown:
        unknown = translations.ngettext("{count} unknown", "{count} unknown", player.unknown)
        text.append("  " if text else "")
        text.append(unknown.format(count=player.unknown), "dim")
    return text


def _standing(player: SeatView, translations: NullTranslations) -> str:
    if player.offer_card is not None:
        return translations.gettext("has offer card {number}").format(number=player.offer_card)
    if player.passed:
        return translations.gettext("passed")
    return translations.gettext("done") if player.done else ""


def _bid(cards: Cards, translations: NullTranslations) -> Text:
    if not cards:
        return Text("-", style="dim")
    return Text.assemble((f"{worth(cards)}", "bold"), " = ", render_cards(cards, translations))


def _line(label: str, content: Text) -> Text:
    return Text.assemble((f"{label}: ", "dim"), content)
