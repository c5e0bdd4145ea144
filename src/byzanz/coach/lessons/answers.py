"""The judgement of an answer: right or wrong, and the text that says why."""

from __future__ import annotations

from typing import NamedTuple

from byzanz.notation import write_action
from byzanz.rules import Action, Refusal

from .positions import Position


class Verdict(NamedTuple):
    """What the player is told about an answer."""

    right: bool
    text: str
    """The text to read, in English; empty if the rules refuse the action."""
    refusal: Refusal | None = None
    """Why the rules refuse the action, if they do."""


def judge_answer(position: Position, action: Action) -> Verdict:
    """Judge an answer to a position."""
    step = position.step
    refusal = position.view.options.refusal(action)
    if refusal is not None:
        return Verdict(right=False, text="", refusal=refusal)
    answer = write_action(action)
    if answer in step.accept:
        return Verdict(right=True, text=step.right)
    return Verdict(right=False, text=_reply(step.replies, answer) or step.wrong)


def _reply(replies: dict[str, str], answer: str) -> str | None:
    """Return the reply to this answer, or else the reply to all answers with its verb."""
    return replies.get(answer) or replies.get(answer.partition(" ")[0])
