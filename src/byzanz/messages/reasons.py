"""The coach's reasons for and against an action, as sentences.

A reason is a code with parameters; :mod:`byzanz.coach.reasons` computes them. "You" is the player
whose action it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import NullTranslations

from byzanz.locale import ENGLISH, _
from byzanz.rules import Card

from .cards import card_names, printable

REASON_TEXTS = {
    "offer-set": _("The offer gives you a set worth {profit}: {cards}."),
    "offer-set-missed": _(
        "This offer could give you a set worth {profit}, even after paying for it: {cards}."
    ),
    "offer-gain-missed": _(
        "With this offer your sets could earn {gain} more, even after paying for it."
    ),
    "offer-no-set": _("The offer completes no set for you."),
    "offer-not-worth-it": _("Whatever you pay, this offer adds nothing to what your sets earn."),
    "offer-set-for-other": _("The offer would give {name} a set worth {profit}: {cards}."),
    "makes-set": _("You then hold a set worth {profit}: {cards}."),
    "improves-sets": _("Your sets then earn {gain} more, thanks to this one: {cards}."),
    "frees-merchant": _("Your sets then need one merchant fewer, thanks to this one: {cards}."),
    "starts-pair": _(
        "You are then one card short of a set: {cards}. Unseen cards of this good: {unseen}."
    ),
    "breaks-set": _("This takes a set apart: {cards}. Your sets then earn {loss} less."),
    "breaks-pair": _("This takes a pair apart: {cards}. Unseen cards of this good: {unseen}."),
    "breaks-set-with-offer": _(
        "You pay with a card that makes a set with the offer: {cards}. Your sets then earn "
        "{loss} less."
    ),
    "pays-high-card": _("You pay with a {value}: in a set it would earn its value."),
    "every-bid-costs": _("Every bid you can make takes profit out of your sets."),
    "other-payment": _("You can bid {total} without harming your sets: {cards}."),
    "bid-wins": _("Everyone else has passed: this bid wins."),
    "nobody-can-beat": _("Nobody can beat {total}."),
    "only-one-can-beat": _("Only {name} can still beat {total}, in {percent} of 100 deals."),
    "most-likely-to-beat": _("Most likely to beat {total} is {name}: in {percent} of 100 deals."),
    "surely-can-beat": _("{name} certainly has the cards to beat {total}."),
    "bid-is-dear": _("You must pay at least {least}, and all your goods cards are worth {worth}."),
    "less-likely-to-beat": _(
        "{name} can beat {total} in {percent} of 100 deals, but {least} in {more}."
    ),
    "bid-for-gain": _("You pay cards worth {total}, and your sets earn only {gain} more."),
    "bid-without-gain": _(
        "You pay cards worth {total}, and even with the offer your sets earn no more than before."
    ),
    "cannot-bid": _("You cannot bid more than {highest}: your cards are worth {worth}."),
    "lowest-bid": _("No lower bid is allowed than {total}."),
    "raises-price": _("Whoever wants this offer must then bid at least {next}."),
    "less-is-enough": _("A bid of {least} is enough: nobody can beat it."),
    "payment-helps-other": _(
        "If you win with this bid, {name} could make a set worth {profit} from the market before "
        "you take: {cards}."
    ),
    "market-helps-other": _(
        "{name} takes from the market before you and could make a set worth {profit} with it: "
        "{cards}."
    ),
    "market-left-to-other": _(
        "{name} could then make a set worth {profit} from the market: {cards}."
    ),
    "market-kept-from-other": _("You keep {name} from a set worth {profit}: {cards}."),
    "market-set-waiting": _(
        "The market has what you need for a set worth {profit}: {cards}. With a smaller offer you "
        "take earlier."
    ),
    "market-fits": _("From the market you could then make a set worth {profit}: {cards}."),
    "gift-helps-nobody": _(
        "As far as is known, it adds nothing to the sets of those who take before you."
    ),
    "market-no-set": _("No kind in the market adds to what your sets earn."),
    "take-highest": _("No card in the market is worth more than {value}."),
    "worth-most": _("No other choice leaves you more to bid with: {worth}."),
    "market-other-kind": _("Your sets would earn {gain} more with another kind: {cards}."),
    "takes-last": _("With offer card {number} you take last from the market."),
    "takes-first": _("You choose first from the market and can take it back: {cards}."),
    "free-for-you": _("If everyone passes, the whole offer is yours for free."),
    "free-for-other": _("If you pass too, {name} gets the whole offer for free."),
    "last-offer-free": _("Whoever does not win this offer gets the last one without a bid."),
    "keeps-bid-worth": _("You keep all your cards for later bids: they are worth {worth}."),
    "last-round": _("In the last round, cards outside a set earn nothing any more."),
    "only-card": _("You hold no other card of this good."),
    "lowest-spare": _("You can spare no lower card without harming your sets."),
    "merchant-given-up": _("You give up a merchant, which stands in for any good."),
    "sale-earns-less": _("Your hand earns {loss} more in all if you sell this first: {cards}."),
    "sale-best": _("This way your hand earns the most: {profit} in all."),
    "sale-order": _("Selling this set first leaves you more to bid with: {cards}."),
    "sale-cheaper": _("This set earns the same and leaves you more to bid with: {cards}."),
    "sale-fewer-merchants": _("You can earn the same with fewer merchants: {cards}."),
    "sale-bid-worth": _(
        "While you hold these cards, you can bid with them: they are worth {worth}."
    ),
    "sale-higher-unseen": _(
        "A higher card of this good would make the set worth more. Still unseen: {unseen}."
    ),
    "sale-top": _("No card could make this set worth more."),
    "sale-worth-most": _("No sale that earns as much leaves you more to bid with: {worth}."),
    "sale-frees-hand": _("After the sale you hold {held} cards: no discard is needed."),
    "set-unsold": _("You still hold a set worth {profit}: {cards}."),
    "sell-instead": _("You could sell a set worth {profit} instead: {cards}."),
}
"""The English sentence for each code, except for those of :func:`_counted`."""


def reason_text(
    code: str,
    parameters: Mapping[str, int | str | Sequence[str]],
    names: Sequence[str],
    translations: NullTranslations = ENGLISH,
) -> str:
    """Return the sentence of a reason; ``names`` are the players' names by seat."""
    values: dict[str, object] = dict(parameters)
    if "seat" in values:
        values["name"] = printable(names[int(str(values.pop("seat")))])
    cards = parameters.get("cards")
    if cards is not None and not isinstance(cards, int):
        values["cards"] = card_names([Card[card] for card in cards], translations)
    text = _counted(code, values.get("count"), translations)
    return (text or translations.gettext(REASON_TEXTS[code])).format(**values)


def _counted(code: str, count: object, translations: NullTranslations) -> str | None:
    """Return the singular or plural text of a reason for this count.

    Returns None if the reason has no plural form.
    """
    number = count if isinstance(count, int) else 0
    match code:
        case "gets-merchants":
            return translations.ngettext(
                "You then get a merchant, which stands in for any good.",
                "You then get {count} merchants, which stand in for any good.",
                number,
            )
        case "sale-merchants":
            return translations.ngettext(
                "The set uses up a merchant.", "The set uses up {count} merchants.", number
            )
        case "spare-payment":
            return translations.ngettext(
                "You pay with a card that belongs to no pair or set.",
                "You pay with cards that belong to no pair or set.",
                number,
            )
        case "offers-to-come":
            return translations.ngettext(
                "You keep cards worth {worth}, and {count} more offer of this round is auctioned.",
                "You keep cards worth {worth}, and {count} more offers of this round are "
                "auctioned.",
                number,
            )
        case "take-most-cards":
            return translations.ngettext(
                "No other kind gives you more than {count} card.",
                "No other kind gives you more than {count} cards.",
                number,
            )
        case "must-discard":
            return translations.ngettext(
                "You would hold {held} cards and have to discard one, even after selling your "
                "sets.",
                "You would hold {held} cards and have to discard {count}, even after selling your "
                "sets.",
                number,
            )
    return None
