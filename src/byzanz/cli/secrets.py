"""Secrets from the environment: the value itself, or a file that contains it."""

from __future__ import annotations

import os
from pathlib import Path

from .exit_codes import CommandError


def read_secret(variable: str) -> str | None:
    """Return the secret in a variable, or in the file that ``{variable}_FILE`` names.

    Returns None if neither is set. Raises CommandError if both are set or the file cannot be read.
    """
    file_variable = f"{variable}_FILE"
    value, file = os.environ.get(variable), os.environ.get(file_variable)
    if value and file:
        raise CommandError(f"set either {variable} or {file_variable}, not both")
    if not file:
        return value or None
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise CommandError(f"cannot read {file_variable} '{file}': {why}") from None
