"""Run the ``byzanz`` command with ``python -m byzanz``."""

import sys

from byzanz.cli import main

sys.exit(main())
