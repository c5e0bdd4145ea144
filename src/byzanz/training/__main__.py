"""Run the command ``byzanz train`` without the package rich."""

from __future__ import annotations

import argparse
import sys

from .command import add_arguments, run

if __name__ == "__main__":
    _parser = argparse.ArgumentParser(prog="python -m byzanz.training", description=__doc__)
    add_arguments(_parser)
    try:
        sys.exit(run(_parser.parse_args()))
    except (ImportError, OSError, ValueError) as _error:
        _parser.error(str(_error))
