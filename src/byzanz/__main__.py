"""``python -m byzanz`` is ``byzanz``."""

import sys

from byzanz.cli import main

sys.exit(main())
