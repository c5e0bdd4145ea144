"""A review of a finished scene for tests of pages, made by hand: quick, and the same every time."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from byzanz.coach.results import (
    VERSION,
    Candidate,
    Decision,
    Evaluation,
    Luck,
    Mark,
    Point,
    Review,
    SeatReview,
)
from byzanz.notation import write_action, write_view
from byzanz.rules import Game, View

from .stage import scene

_LOSSES = (0.0, 1.0, 9.0, 5.0, 2.5)
_MARKS: tuple[Mark | None, ...] = (None, None, "blunder", "mistake", "inaccuracy")


def made_up_review(name: str) -> Review:
    """Return a review of the scene, in which every decision has two candidates.

    The estimates are made up; positions and actions are those of the game.
    """
    record = scene(name)
    players = len(record.names)
    found: list[list[Decision]] = [[] for _ in range(players)]
    then = Game.start(record.deal)
    for number, played in enumerate(record.plays, start=1):
        seat = played.seat
        view = then.view(seat)
        others = [one for one in view.options if one != played.action]
        if others and view.turn == seat:
            kind = len(found[seat]) % len(_LOSSES)
            found[seat].append(
                _decision(
                    number, view, (write_action(played.action), write_action(others[0])), kind
                )
            )
        then = then.play(seat, played.action)
    shares = tuple([1 / players] * players)
    seats = tuple(
        SeatReview(
            seat,
            tuple(found[seat]),
            81.0 - seat,
            tuple(Point(one.number - 1, one.evaluation.outlook) for one in found[seat]),
            Luck(100 * shares[seat], 0.0, -3.0, -sum(one.loss for one in found[seat]), 0.0),
        )
        for seat in range(players)
    )
    return Review(VERSION, "made-up", 1, players, len(record.plays), seats)


def _decision(number: int, view: View, actions: tuple[str, str], kind: int) -> Decision:
    seat, loss = view.seat, _LOSSES[kind]
    assert seat is not None
    players = len(view.players)
    own = 0.4 + 0.02 * (number % 7)
    outlook = [(1 - own) / (players - 1)] * players
    outlook[seat] = own
    played = Candidate(actions[0], own - loss / 100, loss, 0.2 if loss else 0.0, 16, 0.1)
    other_loss = 0.0 if loss else 3.0
    other = Candidate(actions[1], own - other_loss / 100, other_loss, 0.2, 16, 0.8)
    candidates = tuple(sorted((played, other), key=lambda one: one.behind))
    evaluation = Evaluation(
        write_view(view),
        seat,
        candidates,
        tuple(outlook),
    )
    return Decision(
        number,
        view.round,
        view.phase.value,
        evaluation,
        actions[0],
        loss,
        0.2,
        _MARKS[kind],
        star=kind == 0 and number > 40,
    )


def store_review(folder: Path, table: str, review: Review) -> None:
    """Store the review of a table in the database of a stage."""
    with sqlite3.connect(folder / "byzanz.db", timeout=10) as database:
        database.execute(
            "INSERT INTO reviews (table_id, state, asked, network, content) VALUES (?,?,?,?,?)",
            (table, "done", 0.0, review.network, review.to_json().decode()),
        )
    database.close()
