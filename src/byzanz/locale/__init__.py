"""The five languages: their gettext catalogues, and the choice of a language for a reader.

The texts themselves are written in English where they are used, in the other packages. For every
language except English, this package has a folder with its catalogue. The package imports only the
standard library.
"""

from .languages import ENGLISH, LANGUAGES, _, best_language, load_translations, system_language

__all__ = ["ENGLISH", "LANGUAGES", "_", "best_language", "load_translations", "system_language"]
