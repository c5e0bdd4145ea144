"""The operator's configuration: a TOML file, environment variables and the command line.

The command line takes precedence over the environment, the environment over the file, and the file
over the defaults. Every field of :class:`~byzanz.tables.Limits` and
:class:`~byzanz.web.limit_settings.Settings` is a setting. Its key in the file is the name of the
field. Its environment variable is ``BYZANZ_`` followed by the name in capitals.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import reduce
from itertools import groupby
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
import platformdirs
from msgspec import inspect

from byzanz.tables import Limits

from .limit_settings import Settings

_Struct = TypeVar("_Struct", bound=msgspec.Struct)

Value = bool | int | float | str
"""The value of a setting."""

PREFIX = "BYZANZ_"
"""The beginning of every environment variable that is a setting."""

_NO_SETTINGS = frozenset(
    {
        "BYZANZ_TESTS",
        "BYZANZ_DATABASE",
        "BYZANZ_DATABASE_FILE",
        "BYZANZ_SMTP_PASSWORD",
        "BYZANZ_SMTP_PASSWORD_FILE",
    }
)
"""Environment variables with the prefix that have another use: for tests, and for secrets."""

_NOT_ABOVE = (
    ("clock_interval_seconds", "cleanup_interval_seconds"),
    ("guest_rate.burst", "address_rate.burst"),
    ("guest_rate.per_second", "address_rate.per_second"),
    ("sockets_per_guest", "sockets_per_address"),
)
"""Pairs of keys; the value of the first must not be greater than the value of the second."""


class BadConfiguration(ValueError):
    """A setting is unknown, invalid or contradicts another; the text says what is wrong."""


@dataclass(frozen=True)
class Setting:
    """A value that the operator can set."""

    struct: type[Limits | Settings]
    """The struct that the value belongs to."""
    table: str
    """The name of the TOML table."""
    key: str
    """The key in the TOML table: the name of the field, or a dotted key for a part of a rate."""
    default: Value
    type: Any
    """The annotated type that values are converted to."""
    meaning: str
    """A one-line description."""
    expected: str
    """A phrase that describes the valid values, such as "a whole number of at least 1"."""

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return PREFIX + self.key.upper().replace(".", "_")

    @property
    def path(self) -> str:
        """The table and the key, as messages show them."""
        return f"[{self.table}] {self.key}"

    @property
    def default_text(self) -> str:
        """The default as TOML. A duration is also given in a larger unit: ``86400 (1 day)``."""
        text = write_value(self.default)
        return f"{text}{_in_words(self.default)}" if self.key.endswith("_seconds") else text


@dataclass(frozen=True)
class Configuration:
    """The values of all settings, and where they were set."""

    limits: Limits
    settings: Settings
    origins: Mapping[str, str]
    """The file, variable or option that set each key; keys with the default value are missing."""

    def value(self, setting: Setting) -> Value:
        """Return the value of a setting."""
        struct = self.limits if setting.struct is Limits else self.settings
        found: Any = reduce(getattr, setting.key.split("."), struct)
        value: Value = found
        return value

    def origin(self, setting: Setting) -> str:
        """Return where a setting was set: in a file, a variable, an option or by default."""
        return self.origins.get(setting.key, "default")

    def to_toml(self) -> str:
        """Return a TOML file with all values, and with comments that explain them."""
        lines = ["# Settings of 'byzanz serve'. Environment variables override this file."]
        for table, settings in groupby(SETTINGS, lambda setting: setting.table):
            lines += ["", f"[{table}]"]
            for setting in settings:
                lines += [
                    "",
                    f"# {setting.meaning}",
                    f"# Valid values: {setting.expected}",
                    f"# Default: {setting.default_text}",
                    f"# Set by: {_escape(self.origin(setting))}",
                    f"# Environment variable: {setting.variable}",
                    f"{setting.key} = {write_value(self.value(setting))}",
                ]
        return "\n".join([*lines, ""])


def default_file() -> Path:
    """Return the path of the settings file that is used if no other is named."""
    return Path(platformdirs.user_config_dir("byzanz", appauthor=False)) / "settings.toml"


def load(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    options: Mapping[str, Value] = MappingProxyType({}),
) -> Configuration:
    """Read the configuration; raise BadConfiguration if it cannot be used.

    If no ``file`` is given, the default file is read if it exists. ``options`` maps the keys that
    the command line sets to their values; these take precedence over everything else.
    """
    if file is None and _exists(default_file()):
        file = default_file()
    found = {} if file is None else dict(_read_file(file))
    found |= _read_environment(environment)
    found |= {key: (value, f"--{key}") for key, value in options.items()}
    limits, settings = Limits(), Settings()
    for key, (value, _) in found.items():
        if _BY_KEY[key].struct is Limits:
            limits = _replaced(limits, key, value)
        else:
            settings = _replaced(settings, key, value)
    origins = {key: origin for key, (_, origin) in found.items()}
    configuration = Configuration(limits, settings, MappingProxyType(origins))
    _check_contradictions(configuration)
    return configuration


def write_value(value: Value) -> str:
    """Return a value as TOML."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{_escape(value, quotes=True)}"'
        case float() if value.is_integer() and value < 1e15:
            return str(int(value))
    return repr(value)


def _read_file(file: Path) -> Iterator[tuple[str, tuple[Value, str]]]:
    """Yield each key in a TOML file, with its value and the name of the file."""
    try:
        content = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise BadConfiguration(f"cannot read {file}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise BadConfiguration(f"{file} is not valid TOML: {error}") from None
    for table, entries in content.items():
        if table not in _TABLES or not isinstance(entries, dict):
            raise BadConfiguration(f"{file}: {_wrong_table(table)}")
        for key, value in _flatten(entries):
            setting = _BY_KEY.get(key)
            if setting is None or setting.table != table:
                raise BadConfiguration(f"{file}: {_wrong_key(table, key)}")
            yield key, (_convert(setting, value, f"{file}: {setting.path}"), str(file))


def _read_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, tuple[Value, str]]]:
    """Yield each key that the environment sets, with its value and the name of the variable."""
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or variable in _NO_SETTINGS:
            continue
        setting = _BY_VARIABLE.get(variable)
        if setting is None:
            names = {known.removeprefix(PREFIX): known for known in _BY_VARIABLE}
            hint = _hint(variable.removeprefix(PREFIX), names)
            raise BadConfiguration(f"the environment variable {variable} is not a setting{hint}")
        name = f"the environment variable {variable}"
        yield setting.key, (_convert(setting, text, name, strict=False), variable)


def _convert(setting: Setting, found: Any, name: str, *, strict: bool = True) -> Value:
    """Return a value in the type of the setting; raise BadConfiguration if it is invalid."""
    try:
        value: Value = msgspec.convert(found, setting.type, strict=strict)
    except msgspec.ValidationError:
        shown = write_value(found) if isinstance(found, Value) else str(found)
        raise BadConfiguration(f"{name} must be {setting.expected}, not {shown}") from None
    return value


def _flatten(entries: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value in nested tables with its dotted key."""
    for key, value in entries.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _replaced(struct: _Struct, key: str, value: Any) -> _Struct:
    """Return the struct with another value for a dotted key."""
    name, _, rest = key.partition(".")
    new = _replaced(getattr(struct, name), rest, value) if rest else value
    return msgspec.structs.replace(struct, **{name: new})


def _check_contradictions(configuration: Configuration) -> None:
    for keys in _NOT_ABOVE:
        pair = [_BY_KEY[key] for key in keys]
        smaller, larger = (float(configuration.value(setting)) for setting in pair)
        if smaller > larger:
            first, second = (
                f"{setting.path} (set to {write_value(configuration.value(setting))} "
                f"by {configuration.origin(setting)})"
                for setting in pair
            )
            raise BadConfiguration(f"{first} must not be greater than {second}")
    _check_mail(configuration.settings)


def _check_mail(settings: Settings) -> None:
    if not settings.smtp_host:
        return
    for key in ("mail_sender", "public_address"):
        if not getattr(settings, key):
            raise BadConfiguration(f"{_BY_KEY[key].path} must be set if smtp_host is set")
    if settings.smtp_user and settings.smtp_security == "none":
        name = _BY_KEY["smtp_security"].path
        raise BadConfiguration(f"{name} must be starttls or ssl if smtp_user is set")


def _wrong_table(table: str) -> str:
    if table in _BY_KEY:
        return f"{table} must be in the table [{_BY_KEY[table].table}]"
    if table in _TABLES:
        return f"{table} must be a table"
    known = ", ".join(f"[{name}]" for name in _TABLES)
    return f"[{_escape(table)}] is not a table of settings; the tables are {known}"


def _wrong_key(table: str, key: str) -> str:
    if key in _BY_KEY:
        return f"{key} must be in the table [{_BY_KEY[key].table}], not in [{table}]"
    if parts := [known for known in _BY_KEY if known.startswith(f"{key}.")]:
        return f"[{table}] {key} must be set as {' and '.join(parts)}"
    known = {setting.key: setting.key for setting in SETTINGS if setting.table == table}
    return f"[{table}] {_escape(key)} is not a setting{_hint(key, known)}"


def _hint(name: str, known: Mapping[str, str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {known[near[0]]}?" if near else "; see 'byzanz serve --show-settings'"


def _in_words(seconds: Any) -> str:
    """Return a duration in the largest unit that divides it, such as " (30 days)", or nothing."""
    if seconds == inf:
        return " (forever)"
    for unit, length in (("day", 24 * 3600), ("hour", 3600), ("minute", 60)):
        count, rest = divmod(seconds, length)
        if count and not rest:
            return f" ({count:g} {unit}{'' if count == 1 else 's'})"
    return ""


def _escape(text: str, *, quotes: bool = False) -> str:
    """Return the text with TOML escapes for control characters, and for quotes if asked for."""
    special = '"\\' if quotes else ""
    return "".join(
        char if char.isprintable() and char not in special else f"\\U{ord(char):08x}"
        for char in text
    )


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except OSError:  # a folder in the path cannot be entered
        return False


def _settings_of(struct: type[Limits | Settings]) -> Iterator[Setting]:
    """Yield the settings that the fields of a struct describe."""
    for field in msgspec.structs.fields(struct):
        extra = _metadata(field.type).extra
        for key, default, kind, meaning in _leaves(field.name, field.default, field.type):
            expected = extra["expected"] or _expected(_metadata(kind).type, extra["choices"])
            yield Setting(struct, extra["table"], key, default, kind, meaning, expected)


def _leaves(key: str, default: Any, kind: Any) -> Iterator[tuple[str, Value, Any, str]]:
    """Yield key, default, type and meaning of a field, or of each of its parts if it has any."""
    meta = _metadata(kind)
    meaning = meta.extra_json_schema["description"]
    if isinstance(meta.type, inspect.StructType):
        for part in msgspec.structs.fields(meta.type.cls):
            name, value = f"{key}.{part.name}", getattr(default, part.name)
            for *leaf, rest in _leaves(name, value, part.type):
                yield (*leaf, f"{meaning}: {rest}")
    else:
        yield key, default, kind, meaning


def _metadata(kind: Any) -> Any:
    meta = inspect.type_info(kind)
    if not isinstance(meta, inspect.Metadata):
        raise TypeError(f"the type of a setting needs a description: {kind}")
    return meta


def _expected(kind: inspect.Type, choices: tuple[str, ...] | None) -> str:
    """Return a phrase that describes the valid values of a type."""
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return "text" if choices is None else f"one of {', '.join(choices)}"
        case inspect.IntType() | inspect.FloatType():
            number = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
            return f"{number} {_bounds(kind.ge, kind.le)}".strip()
    raise TypeError(f"no setting can have this type: {kind}")


def _bounds(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f"from {write_value(least)} to {write_value(most)}"
    phrases = ("of at least", least), ("of at most", most)
    return "".join(f"{phrase} {write_value(x)}" for phrase, x in phrases if x is not None)


def _all_settings() -> tuple[Setting, ...]:
    found = [*_settings_of(Settings), *_settings_of(Limits)]
    tables = list(dict.fromkeys(setting.table for setting in found))
    return tuple(sorted(found, key=lambda setting: tables.index(setting.table)))


SETTINGS = _all_settings()
"""All settings, ordered by TOML table."""

_TABLES = tuple(dict.fromkeys(setting.table for setting in SETTINGS))
_BY_KEY = {setting.key: setting for setting in SETTINGS}
_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS}
