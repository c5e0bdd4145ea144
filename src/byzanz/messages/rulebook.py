"""The rules in our own words, by number.

A number that begins with R belongs to a rule. A number that begins with I belongs to a reading: how
this edition settles a point on which the printed rulebooks are silent or differ.
"""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import ENGLISH, _

RULE_TEXTS = {
    "R1.1": _(
        "There are six goods with sixteen cards each: cloth, grain, olives, spices, wood and wine. "
        "Low values are common, high ones rare."
    ),
    "R1.2": _(
        "Sixteen merchants of value 0 are shuffled in. Together the 112 cards form one deck."
    ),
    # Translators: leave out the second sentence, which is about the English edition.
    "R1.3": _(
        "Offer cards numbered 1 to 6 show how many cards are sold together. In the printed English "
        "edition they are called Bidder cards, and the cards sold together a bundle."
    ),
    "R1.4": _("There is one market for everyone: it collects what players pay and give up."),
    "R2.1": _(
        "Three to six can play. Everyone is dealt four cards and keeps them hidden from the others."
    ),
    "R2.2": _(
        "Some cards then leave the game unseen. How many, and which offer cards are used, depends "
        "on the number of players:"
    ),
    "R2.3": _(
        "Stack the offer cards with the highest number on top. The player to the dealer's left "
        "starts the first auction. Online there is no dealer: seat 1 starts."
    ),
    "R3.1": _(
        "Turn over as many cards from the deck as the top offer card says. These cards are the "
        "offer. They are sold together, as one lot."
    ),
    "R3.2": _(
        "On your turn you bid or pass. To bid, lay any number of goods cards from your hand face "
        "up in front of you. Only the sum of their values counts, not which goods they are."
    ),
    "R3.3": _(
        "Bidding goes clockwise among the players who are still in. Every bid must be worth more "
        "than the highest so far."
    ),
    "R3.4": _(
        "You raise your bid by adding cards to it. While you are in, you may not take back or "
        "exchange any."
    ),
    "R3.5": _("Once you pass, you are out of this auction, and your bid returns to your hand."),
    "R3.6": _("The auction is over when all but one have passed and that player has a bid."),
    "R3.7": _("Merchants cannot be bid."),
    "R3.8": _(
        "If you win, put your whole bid into the market, together with one card of the offer of "
        "your choice. The rest of the offer goes to your hand. You also take the top offer card, "
        "and sit out the remaining auctions of this round."
    ),
    "R3.9": _(
        "The next auction starts with the first player to the left of the winner who has no offer "
        "card yet."
    ),
    "R3.10": _(
        "If nobody bids, whoever passed first gets the whole offer for free, and the top offer "
        "card with it. No card goes to the market."
    ),
    "R3.11": _(
        "The last player without an offer card does not bid: one card of the offer goes to the "
        "market, the rest to their hand, and they take the last offer card. With three or four "
        "players that is one card to the market and one to hand; with five or six the single card "
        "goes to the market and the player gets none."
    ),
    "R4.1": _(
        "After the last auction the market is shared out, lowest offer card first. On your turn "
        "you take all the cards of one kind into your hand, once per round. Merchants are a kind "
        "of their own here."
    ),
    "R4.2": _("What is left leaves the game, and the offer cards are stacked again."),
    "R4.3": _(
        "Whoever had the lowest offer card starts the next round, as long as there are cards in "
        "the deck."
    ),
    "R5.1": _(
        "At any time, even out of turn, you may sell exactly three cards of one good from your "
        "hand. Show them to everyone. The highest stays with you, face down, as profit; the other "
        "two leave the game."
    ),
    "R5.2": _(
        "A merchant stands in for any good in a set. As its value is 0, it is never the card you "
        "keep."
    ),
    "R5.3": _("Three merchants are a set too: you keep one of them, and it is worth 5 at the end."),
    "R6.1": _(
        "If you hold more than seven cards, you must at once sell sets or discard cards of your "
        "choice until you have seven or fewer. Discarded cards leave the game."
    ),
    "R7.1": _("After the last round's market everyone may sell any sets they still have."),
    "R7.2": _("Add up the cards you have kept; a merchant counts as 5. The most profit wins."),
    "I1": _(
        "So if everyone else has passed without bidding, you still have a choice: any bid wins the "
        "offer, and if you pass, it goes to whoever passed first."
    ),
    "I2": _("Every card in your hand counts, merchants too."),
    "I3": _(
        "In a tie, the tied player with the most goods cards left in hand wins (merchants do not "
        "count); if that is equal too, the win is shared."
    ),
    "I4": _(
        "As long as there is anything in the market, you must take. If it is empty, you are "
        "skipped."
    ),
    "I5": _(
        "Play stops until you have done so. You discard one card at a time, and stop at seven."
    ),
    "I6": _(
        "Bids, sales, discards and cards taken are open to all. Only the hands dealt at the start, "
        "the order of the deck and the removed cards are hidden. A good memory helps."
    ),
    "I7": _("Cards in your bid cannot be sold."),
    "I8": _("When you are done, say so: after that you can sell no more."),
    "I9": _(
        "If all pass, the Italian rulebook gives the offer to whoever started the auction. That is "
        "the same player: the starter is the first to pass."
    ),
}
"""The English text of each rule and reading."""


def rule_text(number: str, translations: NullTranslations = ENGLISH) -> str:
    """Return the text of a rule or reading; raises KeyError for an unknown number."""
    return translations.gettext(RULE_TEXTS[number])
