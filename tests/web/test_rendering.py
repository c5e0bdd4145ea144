"""Boards in every language: cached parts, status lines, tips and the game log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from msgspec import structs

from byzanz.arena import seeded_match
from byzanz.locale import LANGUAGES
from byzanz.rules import Deal, Game, Phase, Won
from byzanz.tables import BotSeat, Guest, Host, NewTable, Replaced, TableView
from byzanz.tables.model import commands
from byzanz.tables.model.play import play
from byzanz.tables.model.view import table_view
from byzanz.web.board import board, seat_names
from byzanz.web.game_log import LOG_RULES, RECENT_ROUNDS, _cached_log, lines
from byzanz.web.questions import Asked, ask, is_last, status
from byzanz.web.rendering import Renderer
from byzanz.web.replay import Eyes, table_view_at
from byzanz.web.tips import tip


def views_of(players: int, seed: int, bot: str = "novice") -> list[TableView]:
    """Return what two seats and a spectator see of a whole game after each action."""
    match = seeded_match(players, seed, [bot] * players)
    plan = NewTable((Host(), *[BotSeat("novice")] * (players - 1)))
    creation = commands.Creation("table", lambda players: Deal.from_seed(players, seed), 1, 0.0)
    table = commands.create(Guest("g", "<b>Anna</b>", "en", 0.0, 0.0), plan, creation)
    tables = [replace(table, game=Game.start(match.deal))]
    for played in match.plays:
        tables.append(play(tables[-1], played.seat, played.action))
    return [table_view(table, seat) for table in tables for seat in (0, 2, None)]


@pytest.fixture(scope="module")
def table_views() -> list[TableView]:
    """Return the views of a game of four."""
    return views_of(4, 3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_depends_on_its_view_alone_and_not_on_earlier_ones(
    table_views: list[TableView], language: str
) -> None:
    renderer = Renderer(language)
    boards = [renderer.board(seen) for seen in table_views]
    for place in range(0, len(table_views), 97):
        _cached_log.cache_clear()
        assert Renderer(language).board(table_views[place]) == boards[place]
    for place in range(len(table_views) - 1, -1, -41):  # backwards, as in a replay
        assert renderer.board(table_views[place]) == boards[place]


def test_names_are_escaped_in_every_part_of_a_board(table_views: list[TableView]) -> None:
    renderer = Renderer("en")
    for seen in table_views[::7]:
        html = renderer.board(seen)
        assert "<b>Anna" not in html
        assert "&lt;b&gt;Anna" in html


def test_the_recent_log_is_the_end_of_the_full_one(table_views: list[TableView]) -> None:
    translations, names = Renderer("de").translations, ("A", "B", "C", "D")
    for seen in table_views[::20]:
        assert seen.view is not None
        whole = [(line.number, line.text) for line in lines(seen.view, names, translations, None)]
        recent = [(line.number, line.text) for line in lines(seen.view, names, translations)]
        assert recent == whole[-len(recent) :]
        headings = [text for _, text in recent if text.startswith("Runde ")]
        assert len(headings) == min(RECENT_ROUNDS, seen.view.round)


def test_log_lines_do_not_break_inside_the_name_of_a_card(table_views: list[TableView]) -> None:
    view, translations = table_views[-1].view, Renderer("hu").translations
    assert view is not None
    log = " ".join(line.text for line in lines(view, "ABCD", translations, None))
    assert "3\N{NON-BREAKING HYPHEN}as " in log
    assert not re.search(r"\d-[ae]s", log)


def test_no_bot_has_the_name_of_a_person(table_views: list[TableView]) -> None:
    translations, (person, *bots) = Renderer("en").translations, table_views[0].sitters
    usual = seat_names("table", (person, *bots), translations)
    for name in usual[1:]:
        names = seat_names("table", (structs.replace(person, name=name), *bots), translations)
        assert len(set(names)) == 4
        assert sum(now != before for now, before in zip(names[1:], usual[1:], strict=True)) == 1


def test_names_that_look_the_same_get_numbers(table_views: list[TableView]) -> None:
    person, other, *rest = table_views[0].sitters
    named = (
        structs.replace(person, name="Anna"),
        structs.replace(other, name="\u0410nn\u0430", bot=None),  # Cyrillic
        *rest,
    )
    names = seat_names("table", named, Renderer("en").translations)
    assert names[:2] == ("Anna", "\u0410nn\u0430 2")


def giving(table_views: list[TableView]) -> Iterator[tuple[str, str, bool]]:
    """Yield status and tip whenever a card must be given, and whether the offer is the last."""
    translations = Renderer("en").translations
    for seen in table_views:
        if seen.view is not None and ask(seen.view) is Asked.GIVE:
            found = tip(board(seen, translations), translations)
            assert found is not None
            text = status(seen.view, Asked.GIVE, "", translations)
            yield text, found.text, len(seen.view.stack) == 1


def test_the_last_offer_is_not_called_won(table_views: list[TableView]) -> None:
    seen = set()
    for text, advice, last in giving(table_views):
        assert ("You won" in text) == ("You won" in advice) == (not last)
        assert ("without a bid" in text) == ("without a bid" in advice) == last
        seen.add(last)
    assert seen == {True, False}


def test_the_first_tip_of_a_game_states_the_goal(table_views: list[TableView]) -> None:
    translations = Renderer("en").translations
    first = tip(board(table_views[0], translations), translations)
    assert first is not None
    assert first.text.startswith("The goal: sell sets of three cards of one good.")
    keys = {
        found.key
        for seen in table_views[60:]
        if (found := tip(board(seen, translations), translations))
    }
    assert "goal" not in keys
    assert {"offer", "prepare", "won", "take", "sale"} <= keys


def test_an_offer_for_free_is_told_in_the_log_and_in_a_tip() -> None:
    translations = Renderer("en").translations
    boards = [board(seen, translations) for seen in views_of(4, 3, "passive")]
    free = [
        shown
        for shown in boards
        if shown.own is not None
        and shown.asked is Asked.WAIT
        and shown.view.phase is Phase.AUCTION
        and any(isinstance(event, Won) and not event.paid for event in shown.view.course[-3:])
    ]
    assert free
    for shown in free:
        assert "gets for free" in [line.picture.verb for line in shown.log if line.picture]
        found = tip(shown, translations)
        assert found is not None
        assert found.key == "free"


def test_marks_follow_from_the_viewers_own_hand(table_views: list[TableView]) -> None:
    renderer, marked, marked_to_take = Renderer("en"), 0, 0
    for seen in table_views:
        shown = board(seen, renderer.translations)
        taking = shown.asked is Asked.TAKE or shown.preparing == "take"
        to_take = shown.market_gains if taking else ()
        assert not (shown.gains and to_take)
        html = renderer.board(seen)
        assert bool(shown.gains or to_take) == ("to the profit of your sets" in html)
        assert html.count('class="completes"') >= len(to_take)
        marked_to_take += bool(to_take)
        assert seen.seat is not None or shown.gains == ()
        assert shown.own is None or shown.own.offer_card is None or shown.gains == ()
        marked += bool(shown.gains)
    assert marked
    assert marked_to_take


def test_with_five_players_the_last_offer_leaves_no_choice_and_nobody_is_asked() -> None:
    translations = Renderer("en").translations
    views = views_of(5, 3)
    last = [seen for seen in views if seen.view is not None and is_last(seen.view)]
    assert {ask(seen.view) for seen in last if seen.view} == {Asked.WAIT, Asked.WATCH}
    for seen in last:
        shown = board(seen, translations)
        assert shown.status == "The last offer's card goes to the market."
        assert not any(panel.acting for panel in shown.ranking)


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_whose_time_ran_out_are_told_so_and_can_come_back(
    table_views: list[TableView], language: str
) -> None:
    renderer, (own, *others) = Renderer(language), table_views[0].sitters
    notice = renderer.translations.gettext("Your time ran out: a bot is playing for you.")
    assert notice not in renderer.board(table_views[0])
    replaced = structs.replace(own, bot="greedy", standing_in=True)
    away = structs.replace(table_views[0], sitters=(replaced, *others))
    assert notice in renderer.board(away)
    assert renderer.translations.gettext("I'm back") in renderer.board(away)


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_whom_the_host_replaced_are_told_so_also_after_they_are_back(
    table_views: list[TableView], language: str
) -> None:
    renderer, (own, *others) = Renderer(language), table_views[0].sitters
    told = renderer.translations.gettext("You were away, so the host let a bot play for you.")
    after = renderer.translations.gettext(
        "You were away, and the host let a bot play for you. You are playing again."
    )
    back = structs.replace(table_views[0], replaced=Replaced.HOST)
    away = structs.replace(
        back, sitters=(structs.replace(own, bot="greedy", standing_in=True), *others)
    )
    assert told in renderer.board(away)
    assert after not in renderer.board(away)
    assert after in renderer.board(back)
    assert after not in renderer.board(table_views[0])


def test_every_auction_in_the_log_folds_and_has_a_mark_for_its_rule(
    table_views: list[TableView],
) -> None:
    seen = table_views[len(table_views) // 2]
    log = Renderer("en").board(seen).partition('<ol id="log"')[2]
    blocks = re.findall(r'<li class="block">(.*?)<details open data-block="\d+"><summary', log)
    marked = [block for block in blocks if 'class="rule" href="/rules#R3.1"' in block]
    assert len(marked) == log.count("<summary data-number=") > 2


def test_log_lines_have_a_mark_for_their_rule_instead_of_its_number(
    table_views: list[TableView],
) -> None:
    renderer = Renderer("en")
    marks = set()
    for seen in table_views:
        log = renderer.board(seen).partition('<ol id="log"')[2].partition("</aside>")[0]
        found = re.findall(r'<a class="rule" href="/rules#([^"]+)"[^>]*>Rule ([^<]+)</a>', log)
        assert all(target == number for target, number in found)
        assert not re.search(r"\b[RI]\d", re.sub("<a .*?</a>", "", log))
        marks |= {number for number, _ in found}
    assert len(marks) > 8
    assert marks <= set(LOG_RULES)
    page = renderer.page("rules.html", path="/rules")
    for number in LOG_RULES:
        assert page.count(f'id="{number}"') == 1


def test_the_log_is_not_called_full_if_it_begins_with_the_current_round(
    table_views: list[TableView],
) -> None:
    renderer, seen = Renderer("en"), table_views[0]
    assert "Full game log" in renderer.board(seen)
    options = structs.replace(seen.options, memory_aid=False)
    hiding = structs.replace(seen, options=options)
    assert "Full game log" not in renderer.board(hiding)
    assert "Log of this round" in renderer.board(hiding)


def test_people_with_the_same_name_get_numbers(table_views: list[TableView]) -> None:
    translations, (person, other, *bots) = Renderer("en").translations, table_views[0].sitters
    twin = structs.replace(other, name=person.name, bot=None)
    first, second, *rest = seat_names("table", (person, twin, *bots), translations)
    assert (first, second) == ("<b>Anna</b>", "<b>Anna</b> 2")
    assert len({first, second, *rest}) == 4


def test_a_replay_does_not_show_who_is_there_now(table_views: list[TableView]) -> None:
    game = Game.start(Deal.from_seed(4, 3))
    sitters = table_views[0].sitters
    away = tuple([structs.replace(sitter, bot=None, present=False) for sitter in sitters])
    then = table_view_at(structs.replace(table_views[0], sitters=away), game, 0, Eyes(1))
    assert "away" not in Renderer("en").board(then, live=False)


def test_offer_cards_and_sold_sets_are_explained(table_views: list[TableView]) -> None:
    renderer = Renderer("en")
    shown = [renderer.board(seen) for seen in table_views]
    assert 'title="Offer card 5: that many cards are sold together.' in shown[0]
    assert any('title="one set sold"' in page for page in shown)
    assert any('aria-label="2 sets sold"' in page for page in shown)
