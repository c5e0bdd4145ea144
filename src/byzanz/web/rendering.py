"""HTML in five languages: templates with the words of one each, and the addresses of art."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from gettext import NullTranslations
from hashlib import blake2s
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, nodes
from jinja2.ext import InternationalizationExtension
from jinja2.runtime import Macro
from markupsafe import Markup

from byzanz.locale import LANGUAGES, translations
from byzanz.messages import bot_character, bot_name, card_name, card_names
from byzanz.notation import parse_card
from byzanz.rules import FACES, SETUPS, Kind
from byzanz.tables import Sight, Stage

from .art import PICTURES
from .board import AVATARS, board, faces, grouped, seat_names
from .game_log import Line
from .moments import moments
from .tips import hint

if TYPE_CHECKING:
    from jinja2.parser import Parser

_PIECES_KEPT = 4096
"""How many texts of each piece of the board are remembered."""

_BLOCK_ENDS = "</ol></details></li>"
"""What ends a block of the log."""

_STATIC = files("byzanz.web") / "static"


@cache
def static(name: str) -> str:
    """The address of a file served as it is; it changes with the file, so it is cached for ever."""
    return f"/static/{name}?{_mark((_STATIC / name).read_bytes())}"


@cache
def art(name: str) -> str:
    """The address of a picture; it changes with the code that draws it. Nothing is drawn yet."""
    if name not in PICTURES:
        raise KeyError(name)
    return f"/art/{name}.svg?{_art_mark()}"


@cache
def faces_css() -> str:
    """The style sheet that gives each card its picture, so that pages carry no inline style."""
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


@cache
def _art_mark() -> str:
    code = sorted((files("byzanz.web") / "art").iterdir(), key=lambda file: file.name)
    return _mark(b"".join(file.read_bytes() for file in code if file.name.endswith(".py")))


def _mark(content: bytes) -> str:
    return blake2s(content, digest_size=6).hexdigest()


@dataclass(frozen=True)
class Rendering:
    """Pages and fragments in one language."""

    language: str

    @cached_property
    def words(self) -> NullTranslations:
        """The language's translations."""
        return translations(self.language)

    def page(self, template: str, **values: Any) -> str:
        """A whole page, or a fragment that a template stands for."""
        return self._environment.get_template(template).render(values)

    def board(self, sight: Sight, *, live: bool = True) -> str:
        """The part of a table's page that changes with play; nothing to press if not live."""
        if sight.view is None:
            return self.page(
                "waiting.html",
                sight=sight,
                names=seat_names(sight.table, sight.sitters, self.words),
            )
        shown = board(sight, self.words)
        advice = hint(shown, self.words)
        return str(self._board(shown, sight, advice, live))

    def frame(self, sight: Sight) -> str:
        """What is pushed to the page: the new board, and what its script needs to pace and tell."""
        seen = moments(sight)
        told = {
            "content": self.board(sight),
            "version": sight.version,
            "number": sight.number,
            "skipped": sight.skipped,
            "mine": bool(seen) and seen[0].get("seat") == sight.seat,
            "stage": sight.stage.value,
            "moments": seen,
        }
        return msgspec.json.encode(told).decode()

    @cached_property
    def _board(self) -> Callable[..., str]:
        # A macro, for a template of its own would be given all that templates know, anew each time.
        macro: Macro = vars(self._environment.get_template("board.html").module)["board"]
        return macro

    @cached_property
    def _environment(self) -> Environment:
        environment = Environment(
            loader=PackageLoader("byzanz.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[Spoken],
            auto_reload=False,
        )
        environment.extend(words=self.words)
        environment.install_gettext_translations(self.words, newstyle=True)  # type: ignore[attr-defined]
        environment.globals.update(
            language=self.language,
            languages=LANGUAGES,
            static=static,
            art=art,
            faces_css=f"/art/faces.css?{_mark(faces_css().encode())}",
            card=lambda code: card_name(parse_card(code), self.words),
            bot_name=lambda name: bot_name(name, self.words),
            bot_character=lambda name: bot_character(name, self.words),
            setups=SETUPS,
            Stage=Stage,
            rule=_rule,
            card_names=partial(card_names, words=self.words),
            lying=partial(faces, words=self.words),
            by_kind=partial(grouped, words=self.words),
        )
        # Most of a board is as it was before. Its pieces are macros that depend on nothing but what
        # they are given; as filters they are called at once, without a look at the context.
        pieces = vars(environment.get_template("cards.html").module)
        for name, piece in pieces.items():
            if isinstance(piece, Macro):
                environment.filters[name] = lru_cache(_PIECES_KEPT)(piece)
        environment.filters["story"] = partial(_story, pieces["line"])
        return environment


class Spoken(InternationalizationExtension):
    """Texts without variables are translated when a template is compiled, once for its language."""

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """The node of a translated text."""
        node = super().parse(parser)
        match node:
            case nodes.Output(
                nodes=[
                    nodes.Call(
                        node=nodes.Name(name="gettext"), args=[nodes.Const(value=text)], kwargs=[]
                    )
                ]
            ):
                said: str = self.environment.words.gettext(text)  # type: ignore[attr-defined]
                node.nodes = [nodes.TemplateData(said % {})]
        return node


def _story(write: Callable[[Line, bool], str], told: Iterable[Line], seat: int | None) -> Markup:
    """The lines, those of this seat marked; each is written once, and shown many times.

    A line that begins an auction or the market begins a block, which the next one ends.
    """
    texts, inside = [], False
    for line in told:
        mine = line.seat is not None and line.seat == seat
        text = line.written.get(mine)
        if text is None:
            text = line.written[mine] = write(line, mine)
        if line.opens and inside:
            texts.append(_BLOCK_ENDS)
        inside = line.opens in ("auction", "market") or (inside and not line.opens)
        texts.append(text)
    if inside:
        texts.append(_BLOCK_ENDS)
    return Markup("".join(texts))  # noqa: S704 (escaped)


@cache
def _rule(number: str) -> Markup:
    """A rule's number as a link to where the rules page tells it."""
    return Markup('<a class="rule" href="/rules#{}" target="_blank">{}</a>').format(number, number)


@cache
def rendering(language: str) -> Rendering:
    """The rendering of a language; made once."""
    return Rendering(language)


def frame(sight: Sight, language: str) -> str:
    """What is pushed to a page in this language."""
    return rendering(language).frame(sight)


def error_page(language: str, status: int, message: str, path: str = "/") -> str:
    """The page that says what went wrong; in another language, it is the page at this path."""
    return rendering(language).page("error.html", path=path, status=status, message=message)
