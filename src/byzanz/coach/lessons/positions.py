"""The positions of a lesson, reached by playing its actions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from byzanz.notation import Malformed, parse_action, parse_card
from byzanz.rules import (
    ALL_CARDS,
    Action,
    Cards,
    Chance,
    Deal,
    Game,
    IllegalAction,
    IllegalDeal,
    View,
)
from byzanz.rules.cards import missing, without
from byzanz.rules.deal import setup_for
from byzanz.rules.setup import HAND_DEALT

from .lesson import BadLesson, DealPlan, Lesson, Step

_PLAY = re.compile(r"(?:(?P<seat>[0-5]): )?(?P<action>.+)")


class Position(NamedTuple):
    """A step and its position in a game."""

    step: Step
    game: Game

    @property
    def view(self) -> View:
        """What the player sees."""
        return self.game.view(self.step.seat)

    @property
    def accepted(self) -> tuple[Action, ...]:
        """The right answers."""
        return tuple(map(parse_action, self.step.accept))

    def after(self, action: Action) -> Game:
        """Return the game after the player's action; raises IllegalAction."""
        return self.game.play(self.step.seat, action)


@lru_cache(maxsize=64)
def positions(lesson: Lesson) -> tuple[Position, ...]:
    """Return the positions of a lesson; raises BadLesson if they cannot be reached."""
    found: list[Position] = []
    for number, step in enumerate(lesson.steps, start=1):
        try:
            game = _start(step, found[-1] if found else None)
            found.append(Position(step, _play(game, step.actions)))
        except (Malformed, IllegalAction, IllegalDeal, BadLesson) as error:
            raise BadLesson(f"{lesson.name}, step {number}: {error}") from None
    return tuple(found)


def deal_of(plan: DealPlan) -> Deal:
    """Return the deal of a plan; raises IllegalDeal, Malformed or BadLesson if there is none."""
    setup = setup_for(plan.players)
    hands = tuple(_cards(hand) for hand in plan.hands)
    deck = _cards(plan.deck)
    named = [card for cards in (*hands, deck) for card in cards]
    if missing(ALL_CARDS, named):
        raise BadLesson("a deal has no more cards of a face than the game has")
    rest = list(without(ALL_CARDS, named))
    Chance(plan.seed).shuffle(rest)
    if not hands:
        dealt, rest = rest[: HAND_DEALT * plan.players], rest[HAND_DEALT * plan.players :]
        hands = tuple(tuple(dealt[at : at + HAND_DEALT]) for at in range(0, len(dealt), HAND_DEALT))
    removed, left = tuple(rest[: setup.removed]), tuple(rest[setup.removed :])
    return Deal(hands, deck=deck + left, removed=removed)


def _start(step: Step, before: Position | None) -> Game:
    if step.deal is not None:
        return Game.start(deal_of(step.deal))
    if before is None:
        raise BadLesson("the first step of a lesson needs a deal")
    return before.after(before.accepted[0])


def _play(game: Game, actions: str) -> Game:
    """Play actions separated by commas; ``2: sell C1 C1 C4`` is a sale of seat 2 out of turn."""
    for text in filter(None, (" ".join(part.split()) for part in actions.split(","))):
        played = _PLAY.fullmatch(text)
        if played is None:
            raise BadLesson(f"expected an action such as 'bid C1', not {text!r}")
        seat = game.state.turn if played["seat"] is None else int(played["seat"])
        if seat is None:
            raise BadLesson("the game is over before its last action")
        game = game.play(seat, parse_action(played["action"]))
    return game


def _cards(text: str) -> Cards:
    return tuple(map(parse_card, text.split()))
