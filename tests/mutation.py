"""Mutation testing of the rules: ``python -m tests.mutation``.

mutmut changes one thing at a time in ``src/byzanz/rules`` and runs the rules' tests. At least 90 %
of the mutants must be killed; ``docs/mutation.md`` explains those that are known to survive.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEAST_KILLED = 0.90


def mutmut(*arguments: str) -> None:
    """Run mutmut in the project's folder."""
    subprocess.run([sys.executable, "-m", "mutmut", *arguments], cwd=ROOT, check=True)


def main() -> int:
    """Run all mutants and return the exit status: 0 if enough were killed."""
    mutmut("run")
    mutmut("export-cicd-stats")
    stats = json.loads((ROOT / "mutants" / "mutmut-cicd-stats.json").read_text(encoding="utf-8"))
    caught = stats["killed"] + stats["timeout"] + stats["segfault"]
    share = caught / stats["total"]
    mutmut("results")
    sys.stdout.write(f"\n{caught} of {stats['total']} mutants killed: {100 * share:.1f} %\n")
    return 0 if share >= LEAST_KILLED else 1


if __name__ == "__main__":
    sys.exit(main())
