"""Large numbers of recorded games: files in every format, quick checks, columns for analysis.

``docs/datasets.md`` specifies the binary format.
"""

from .block import BadGames, Block, BlockBuilder
from .checking import check_records, read_games
from .game_file import GameFile, GameFileWriter, read_blocks
from .record_files import NeedsLibrary, as_lines, joined, open_records
from .writing import RecordOutput, record_output

__all__ = [
    "BadGames",
    "Block",
    "BlockBuilder",
    "GameFile",
    "GameFileWriter",
    "NeedsLibrary",
    "RecordOutput",
    "as_lines",
    "check_records",
    "joined",
    "open_records",
    "read_blocks",
    "read_games",
    "record_output",
]
