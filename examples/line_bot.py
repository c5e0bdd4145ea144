"""A bot as a program: it reads lines of JSON and answers each with a line (see docs/bots.md).

    byzanz play --bots "cmd:python examples/line_bot.py"

It bids the cheapest sufficient card for offers of three or more cards, takes the kind with most
cards, and sells when it must. It needs only the standard library.
"""

import json
import sys


def choose(view: dict, legal: dict) -> str:
    """Return an action as text."""
    if legal["pass"]:
        enough = [card for card in view["hand"] if card != "M" and value(card) > legal["beat"]]
        return "bid " + min(enough, key=value) if enough and len(view["offer"]) > 2 else "pass"
    if legal["give"]:
        return "give " + min(legal["give"], key=value)
    if legal["take"]:
        market = [card[0] for card in view["market"]]
        return "take " + max(legal["take"], key=market.count)
    if legal["sell"]:
        return "sell " + " ".join(max(legal["sell"], key=lambda cards: max(map(value, cards))))
    return "done" if legal["done"] else "discard " + min(legal["discard"], key=value)


def value(card: str) -> int:
    """Return the profit of a kept card: its number, or 5 for a merchant, M."""
    return int(card[1:] or 5)


for line in sys.stdin:
    asked = json.loads(line)
    answer = {"action": choose(asked["view"], asked["legal"])} if "view" in asked else {}
    print(json.dumps(answer), flush=True)
