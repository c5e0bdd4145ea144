"""Rendering of the templates to HTML in each language, and the addresses of pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial, wraps
from gettext import NullTranslations
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined, nodes
from jinja2.ext import InternationalizationExtension
from jinja2.runtime import Macro
from markupsafe import Markup

from byzanz.locale import LANGUAGES, _, load_translations
from byzanz.messages import (
    bot_character,
    bot_name,
    card_name,
    card_names,
    decimal,
    kind_name,
    rule_text,
    signed,
)
from byzanz.notation import parse_card, parse_kind
from byzanz.rules import FACES, SETUPS, Kind
from byzanz.tables import AVATARS, Limits, Stage, TableView, is_day

from .art import PICTURES
from .board import board, by_kind, faces, largest, seat_names, total
from .board_parts import Macros, board_parts
from .game_log import LOG_RULES, last_action
from .moments import moments
from .option_labels import aids, thinking_time
from .parts import AnyPart, Part
from .people import ended_by, named_seats, people_codes, tag_list
from .portraits import bot_portrait, portrait_name, seat_portraits
from .preparing import played_for_viewer
from .static_files import mark, static
from .talk_texts import sayable, spoken, talk_state
from .template_cache import template_cache
from .tips import tip

if TYPE_CHECKING:
    from jinja2.parser import Parser

_CACHED_PARTS = 4096
"""The cache size for each macro."""

_BOARD_TEMPLATES = {"pieces.html", "cards.html", "board.html"}

_INDENTATION = re.compile(r"\s*\n\s*")

_NAME_LENGTH = Limits().max_name_length


@cache
def art(name: str) -> str:
    """Return the address of a picture. It changes when the code that draws the picture changes."""
    if name not in PICTURES:
        raise KeyError(name)
    return f"/art/{name}.svg?{_art_mark()}"


@cache
def faces_css() -> str:
    """Return the style sheet that gives each card its picture; pages have no inline style."""
    names = [*map(str, FACES), "back"]
    rules = [f'.f-{name}{{background-image:url("{art(name)}")}}' for name in names]
    kinds = {kind.letter: art(f"kind-{kind.letter}") for kind in Kind} | {"back": art("back")}
    rules += [f'.k-{name}{{--emblem:url("{url}")}}' for name, url in kinds.items()]
    signs = {f"av-{number}": f"avatar-{number}" for number in range(AVATARS)}
    signs |= {f"p-{number}": f"plaque-{number}" for number in range(1, 7)}
    rules += [f'.{name}{{background-image:url("{art(of)}")}}' for name, of in signs.items()]
    grounds = {"--ground": "ground", "--ground-dark": "ground-dark", "--frieze": "frieze"}
    root = ";".join(f'{prop}:url("{art(name)}")' for prop, name in grounds.items())
    return "\n".join([f":root{{{root}}}", *rules, ""])


def faces_css_address() -> str:
    """Return the address of the style sheet of cards. It changes with the style sheet."""
    return f"/art/faces.css?{mark(faces_css().encode())}"


@cache
def _art_mark() -> str:
    code = sorted((files("byzanz.web") / "art").iterdir(), key=lambda file: file.name)
    return mark(b"".join(file.read_bytes() for file in code if file.name.endswith(".py")))


@dataclass(frozen=True)
class Renderer:
    """Renders pages and fragments in one language."""

    language: str

    @cached_property
    def translations(self) -> NullTranslations:
        """The language's translations."""
        return load_translations(self.language)

    def compile(self) -> None:
        """Compile all templates. Otherwise each is compiled when it is first used."""
        for template in self._environment.list_templates(extensions=["html"]):
            self._environment.get_template(template)

    def page(self, template: str, **values: Any) -> str:
        """Render a template."""
        return self._environment.get_template(template).render(values)

    def board(
        self,
        table_view: TableView,
        *,
        live: bool = True,
        name_length: int = _NAME_LENGTH,
        log: str | None = None,
        act: str = "",
    ) -> str:
        """Render the part of a table's page that changes in play, with controls only if ``live``.

        If ``log`` is given, it replaces the game log, and the last action replaces the status
        line. ``act`` is the address for the viewer's actions, if they do not go to the table.
        """
        if table_view.view is None or table_view.stage is Stage.ENDED:
            names = seat_names(table_view.table, table_view.sitters, self.translations)
            return self.page(
                "waiting.html" if table_view.view is None else "ended.html",
                table_view=table_view,
                names=names,
                ended_by=ended_by(table_view, names, self.translations),
                faces=seat_portraits(table_view.table, table_view.sitters),
                aids=dict(aids(self.translations)),
                thinking=thinking_time(table_view.options.think_seconds, self.translations),
                people=people_codes(table_view),
                name_length=name_length,
            )
        shown = board(table_view, self.translations)
        if log is None:
            hint = tip(shown, self.translations)
            return board_parts(self._macros, shown, table_view, tip=hint, live=live, act=act).html
        shown = replace(shown, status=last_action(shown.log))
        return board_parts(self._macros, shown, table_view, live=live, log=log).html

    def parts(self, table_view: TableView, name_length: int = _NAME_LENGTH) -> AnyPart:
        """Return the parts of the board with controls, as they are pushed to a page."""
        if table_view.view is None or table_view.stage is Stage.ENDED:
            return Part("board", self.board(table_view, name_length=name_length))
        shown = board(table_view, self.translations)
        return board_parts(self._macros, shown, table_view, tip=tip(shown, self.translations))

    def frame_values(self, table_view: TableView) -> dict[str, Any]:
        """Return the values that a frame has for the page's script, apart from the board."""
        happened = [] if table_view.undone_by is not None else moments(table_view)
        return {
            "version": table_view.version,
            "number": table_view.number,
            "skipped": table_view.skipped,
            "mine": bool(happened) and happened[0].get("seat") == table_view.seat,
            "stage": table_view.stage.value,
            "moments": happened,
            "undone": self._undone(table_view),
            "automatic": played_for_viewer(table_view, self.translations) if happened else "",
        }

    def _undone(self, table_view: TableView) -> str:
        """Return a sentence that says who has just taken a decision back; empty if nobody has."""
        if table_view.undone_by is None:
            return ""
        names = seat_names(table_view.table, table_view.sitters, self.translations)
        text = self.translations.gettext(_("{name} took back a move."))
        return text.format(name=names[table_view.undone_by])

    @cached_property
    def _macros(self) -> Macros:
        """The macros of a board. Most of a board does not change, so their results are cached."""
        made: dict[str, Callable[..., str]] = dict(self._environment.filters)
        for name, macro in vars(self._environment.get_template("board.html").module).items():
            if isinstance(macro, Macro):
                made[name] = lru_cache(_CACHED_PARTS)(_stripped(macro))
        made["card_names"] = partial(card_names, translations=self.translations)
        said = vars(self._environment.get_template("said.html").module)["said"]
        made["said"] = lambda table_view: said(spoken(table_view, self.translations))
        moderation = vars(self._environment.get_template("moderation.html").module)
        made |= {name: moderation[name] for name in ("vote", "watchers")}
        made["ending"] = vars(self._environment.get_template("ending.html").module)["ending"]
        return Macros(made)

    @cached_property
    def _environment(self) -> Environment:
        environment = Environment(
            loader=PackageLoader("byzanz.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[CompiledTranslations],
            auto_reload=False,
            bytecode_cache=template_cache(self.language),
        )
        environment.extend(translations=self.translations)
        environment.install_gettext_translations(self.translations, newstyle=True)  # type: ignore[attr-defined]
        environment.globals.update(
            language=self.language,
            languages=LANGUAGES,
            static=static,
            art=art,
            faces_css=faces_css_address(),
            card=lambda code: card_name(parse_card(code), self.translations),
            kind_name=lambda letter: kind_name(parse_kind(letter), self.translations),
            bot_name=lambda name: bot_name(name, self.translations),
            bot_portrait=bot_portrait,
            portraits=range(AVATARS),
            portrait_name=partial(portrait_name, translations=self.translations),
            bot_character=lambda name: bot_character(name, self.translations),
            setups=SETUPS,
            Stage=Stage,
            people_codes=people_codes,
            tag_list=tag_list,
            named_seats=named_seats,
            spoken=partial(spoken, translations=self.translations),
            sayable=partial(sayable, self.translations),
            talk_state=talk_state,
            deal_address=deal_address,
            rule=partial(_rule_link, translations=self.translations),
            rule_text=partial(rule_text, translations=self.translations),
            log_rules=LOG_RULES,
            card_names=partial(card_names, translations=self.translations),
        )
        # Filters are called directly, functions with some overhead.
        environment.filters.update(
            card_faces=partial(faces, translations=self.translations),
            by_kind=partial(by_kind, translations=self.translations),
            largest=largest,
            total=total,
            card_names=partial(card_names, translations=self.translations),
            rule=partial(_rule_link, translations=self.translations),
        )
        # Most of a board does not change from frame to frame, so the results of its macros are
        # cached. They depend only on their arguments.
        for template in ("pieces.html", "cards.html"):  # the second uses the first
            for name, macro in vars(environment.get_template(template).module).items():
                if isinstance(macro, Macro):
                    environment.filters[name] = lru_cache(_CACHED_PARTS)(_stripped(macro))
        environment.filters["decimal"] = partial(decimal, language=self.language)
        environment.filters["signed"] = partial(signed, language=self.language)
        return environment


class CompiledTranslations(InternationalizationExtension):
    """Translates texts without variables only once, when a template is compiled for a language.

    It also removes the indentation from the templates of boards, which are rendered often.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source to compile."""
        source = super().preprocess(source, name, filename)
        return _INDENTATION.sub("\n", source) if name in _BOARD_TEMPLATES else source

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Parse a ``trans`` block."""
        node = super().parse(parser)
        match node:
            case nodes.Output(
                nodes=[
                    nodes.Call(
                        node=nodes.Name(name="gettext"), args=[nodes.Const(value=text)], kwargs=[]
                    )
                ]
            ):
                translated: str = self.environment.translations.gettext(text)  # type: ignore[attr-defined]
                node.nodes = [nodes.TemplateData(translated % {})]
        return node


def _stripped(macro: Macro) -> Callable[..., Markup]:
    """Return the macro without the white space around its result."""

    @wraps(macro)
    def stripped(*arguments: Any) -> Markup:
        return Markup(str.strip(macro(*arguments)))  # noqa: S704 (escaped)

    return stripped


@cache
def _rule_link(number: str, translations: NullTranslations, *, text: bool = False) -> Markup:
    """Return a link to a rule on the rules page, drawn as a mark; ``text`` adds the rule's text.

    If the link has no text, the page's script adds it. This keeps the frames small.
    """
    label = translations.gettext(_("Rule {number}")).format(number=number)
    title = f"{number}: {rule_text(number, translations)}" if text else None
    return Markup('<a class="rule" href="/rules#{}" target="_blank"{}>{}</a>').format(
        number, Markup(' title="{}"').format(title) if title else "", label
    )


@cache
def get_renderer(language: str) -> Renderer:
    """Return the renderer of a language. There is one for each language."""
    return Renderer(language)


def compile_pages() -> None:
    """Compile all templates in every language, so that no visitor waits for it."""
    for language in LANGUAGES:
        get_renderer(language).compile()


def deal_address(deal: str) -> str:
    """Return the address of the page of a shared deal."""
    return f"/daily/{deal}" if is_day(deal) else f"/duplicate/{deal}"


def error_page(language: str, status: int, message: str, path: str = "/") -> str:
    """Render the page that says what went wrong. Its language form returns to the path."""
    return get_renderer(language).page("error.html", path=path, status=status, message=message)
