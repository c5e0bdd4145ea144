"""The table drawn in a terminal, from a View or a whole State."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from byzanz.rules import Card, Cards, Kind, Phase, SeatView, State, View, profit, view, worth
from byzanz.telling import card_name, printable

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
    Phase.AUCTION: "Auction",
    Phase.GIVE: "A card for the market",
    Phase.LIMIT: "Above the hand limit",
    Phase.MARKET: "Sharing out the market",
    Phase.FINAL_SALE: "The final sale",
    Phase.OVER: "The game is over",
}


def drawn_cards(cards: Iterable[Card], numbered: bool = False) -> Text:
    """The cards as coloured tiles, numbered from 1 if asked."""
    text = Text()
    for number, card in enumerate(cards, start=1):
        if text:
            text.append(" ")
        if numbered:
            text.append(f"{number}:", style="dim")
        text.append(f" {card_name(card)} ", style=_COLOURS[card.kind])
    return text or Text("-", style="dim")


def draw_position(console: Console, position: State | View, names: Sequence[str] = ()) -> None:
    """Prints the table of a view, or of a whole state with nothing hidden."""
    names = names or [f"Seat {seat}" for seat in range(len(position.players))]
    if isinstance(position, View):
        console.print(drawn_view(position, names))
        return
    console.print(drawn_view(view(position, None), names))
    for name, player in zip(names, position.players, strict=True):
        console.print(_line(f"{printable(name)} holds", drawn_cards(player.hand)))
    console.print(_line("Deck, next first", Text(" ".join(map(str, position.deck)) or "-")))
    console.print(_line("Removed", Text(" ".join(map(str, position.removed)))))


def drawn_view(seen: View, names: Sequence[str]) -> RenderableType:
    """The table as the viewer sees it."""
    title = f"Round {seen.round} of {seen.setup.rounds} · {_PHASES[seen.phase]}"
    stack = " ".join(map(str, reversed(seen.stack))) or "-"
    parts: list[RenderableType] = [
        _seats(seen, names),
        _line("Offer", drawn_cards(seen.offer, numbered=True)),
        _line("Market", drawn_cards(seen.market)),
        _line("Offer cards to come", Text(f"{stack}   Deck: {seen.deck_size} cards")),
    ]
    if seen.seat is not None:
        own = seen.players[seen.seat]
        parts.append(_line("Your bid", _bid(own.bid)))
        parts.append(_line("Your hand", drawn_cards(seen.hand, numbered=True)))
    return Panel(Group(*parts), title=title, border_style="rgb(150,110,60)", padding=(0, 1))


def _seats(seen: View, names: Sequence[str]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("", "Player", "Cards", "Known to be in hand", "Bid", "", "Profit"):
        table.add_column(heading)
    for seat, player in enumerate(seen.players):
        own = seat == seen.seat
        known = Text("(you)", style="dim") if own else _known(player)
        table.add_row(
            Text("▶", style="bold green") if _to_act(seen, seat) else "",
            Text(printable(names[seat]), style="bold" if own else ""),
            str(player.hand_size),
            known,
            _bid(player.bid),
            _standing(player),
            str(profit(player.kept)),
        )
    return table


def _to_act(seen: View, seat: int) -> bool:
    if seen.phase is Phase.FINAL_SALE:
        return not seen.players[seat].done
    return seen.turn == seat


def _known(player: SeatView) -> Text:
    text = drawn_cards(player.known) if player.known else Text()
    if player.unknown:
        text.append(f"  {player.unknown} unknown" if text else f"{player.unknown} unknown", "dim")
    return text


def _standing(player: SeatView) -> str:
    if player.offer_card is not None:
        return f"has offer card {player.offer_card}"
    return "passed" if player.passed else "done" if player.done else ""


def _bid(cards: Cards) -> Text:
    if not cards:
        return Text("-", style="dim")
    return Text.assemble((f"{worth(cards)}", "bold"), " = ", drawn_cards(cards))


def _line(label: str, content: Text) -> Text:
    return Text.assemble((f"{label}: ", "dim"), content)
