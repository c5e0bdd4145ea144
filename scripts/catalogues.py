"""Update the catalogues: ``make catalogues`` adds new texts, drops unused ones, and compiles.

The output depends only on the texts. It has no dates and no line numbers, and the texts are in the
order of the source, so that a diff shows only what has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from byzanz.coach.lessons import parse_lesson
from byzanz.locale import LANGUAGES


def lesson_texts(
    file: IO[bytes],
    _keywords: Any,
    _tags: Any,
    options: Any,  # noqa: ARG001
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Yield the texts of a lesson to extract, with their positions instead of line numbers."""
    lesson = parse_lesson("lesson", file.read().decode())
    for line, text in enumerate(dict.fromkeys(lesson.texts()), start=1):
        yield line, "_", text, []


SOURCE = Path(__file__).parents[1] / "src" / "byzanz"
METHODS: list[tuple[str, Any]] = [
    ("**.py", "python"),
    ("web/templates/**.html", "jinja2"),
    ("coach/lessons/data/**.toml", lesson_texts),
]
OPTIONS = {"web/templates/**.html": {"silent": "false"}}
KEYWORDS = DEFAULT_KEYWORDS | {"say": None}
"""Functions whose first argument is a text: ``_``, gettext's own, and the alias ``say``."""


class PlainCatalog(Catalog):
    """A catalogue whose header has only the fields that gettext needs."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def path(code: str, ending: str) -> Path:
    """Return the path of a language's catalogue, as text (``po``) or compiled (``mo``)."""
    return SOURCE / "locale" / code / "LC_MESSAGES" / f"byzanz.{ending}"


def extracted() -> Catalog:
    """Return all texts marked in the source, without translations, in the order of the source."""
    found = Catalog()
    texts = extract_from_dir(
        SOURCE, METHODS, OPTIONS, KEYWORDS, ["Translators:"], strip_comment_tags=True
    )
    for file, line, text, comments, context in sorted(texts, key=lambda text: text[:2]):
        found.add(text, None, [(file, line)], auto_comments=comments, context=context)
    return found


def catalogue(code: str) -> Catalog:
    """Read the catalogue of a language; empty if there is no file yet."""
    file = path(code, "po")
    if not file.exists():
        return Catalog(locale=code)
    with file.open("rb") as stream:
        return read_po(stream, locale=code, abort_invalid=True)


def updated(code: str, texts: Catalog) -> Catalog:
    """Return the texts with their translations from the language's file."""
    old, new = catalogue(code), PlainCatalog(locale=code, header_comment="", fuzzy=False)
    for text in texts:
        if text.id:
            known = old.get(text.id, text.context)
            new.add(
                text.id,
                known.string if known else None,
                text.locations,
                flags=text.flags | (known.flags if known else set()),
                auto_comments=text.auto_comments,
                user_comments=known.user_comments if known else (),
                context=text.context,
            )
    return new


def as_text(translated: Catalog) -> bytes:
    """Return the catalogue as the bytes of a ``.po`` file."""
    written = BytesIO()
    write_po(written, translated, width=100, include_lineno=False)
    return written.getvalue().lstrip()


def compiled(translated: Catalog) -> bytes:
    """Return the catalogue as the bytes of a ``.mo`` file."""
    written = BytesIO()
    write_mo(written, translated)
    return written.getvalue()


def strings(text: Message) -> list[str]:
    """Return the translation of a text: one string, or one for each plural form."""
    return [text.string or ""] if isinstance(text.string, str | None) else list(text.string)


def to_translate(translated: Catalog) -> list[str]:
    """Return the texts that have no translation yet, or a fuzzy one."""
    return [
        str(text.id) for text in translated if text.id and (text.fuzzy or not all(strings(text)))
    ]


def main() -> None:
    """Update every catalogue, and print what is left to translate."""
    texts = extracted()
    for code in LANGUAGES:
        if code == "en":
            continue
        translated = updated(code, texts)
        path(code, "po").parent.mkdir(parents=True, exist_ok=True)
        path(code, "po").write_bytes(as_text(translated))
        path(code, "mo").write_bytes(compiled(translated))
        missing = to_translate(translated)
        print(f"{code}: {len(texts)} texts, {len(missing)} to translate")
        for text in missing:
            print(f"    {text}")


if __name__ == "__main__":
    main()
