"""A bot in any language: it reads JSON lines and answers each with one (docs/bots.md tells all).

    byzanz play --bots "cmd:python examples/line_bot.py"

It bids the cheapest card that is enough for a lot of three cards or more, takes where most lies,
and sells when it must. Nothing but the standard library is needed.
"""

import json
import sys


def choose(view: dict, legal: dict) -> str:
    """An action, as text."""
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
    """What a card earns when it is kept: its number, and 5 for a merchant, M."""
    return int(card[1:] or 5)


for line in sys.stdin:
    asked = json.loads(line)
    answer = {"action": choose(asked["view"], asked["legal"])} if "view" in asked else {}
    print(json.dumps(answer), flush=True)
