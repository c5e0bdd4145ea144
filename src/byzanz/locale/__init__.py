"""Five languages: gettext catalogues, and which of them somebody is spoken to in.

Here live the catalogues, one folder a language, and the choice among them. The texts themselves
stand in the rooms above, in English, where they are used. This room imports the standard library
alone, and says nothing itself.
"""

from .languages import ENGLISH, LANGUAGES, _, best_language, system_language, translations

__all__ = ["ENGLISH", "LANGUAGES", "_", "best_language", "system_language", "translations"]
