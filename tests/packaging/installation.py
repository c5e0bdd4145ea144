"""Check that an installed package works: ``python -m tests.packaging.installation dist/*.whl``.

It installs the wheel into a new virtual environment and plays, shows and serves games there.
``make dist`` runs it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]
BUILD = [sys.executable, "-m", "hatchling", "build"]


@dataclass(frozen=True)
class Installation:
    """A Python installation with the package, and an empty folder to work in."""

    python: Path
    folder: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of its processes, without paths to this project's source."""
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return inherited | {"LC_ALL": "C.UTF-8", "BROWSER": "true"} | dict(self.variables)

    def run(self, *arguments: str, stdin: str = "") -> str:
        """Run Python with these arguments and return its output; its errors are shown."""
        command = [str(self.python), *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, input=stdin,
            stdout=subprocess.PIPE, text=True, timeout=900, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command} ended with {done.returncode}"
        return done.stdout

    def byzanz(self, *arguments: str, stdin: str = "") -> str:
        """Run a command of the package and return its output."""
        return self.run("-m", "byzanz", *arguments, stdin=stdin)

    @contextmanager
    def server(self) -> Iterator[str]:
        """Run a server and yield its address."""
        serve = ["-m", "byzanz", "serve", "--port", "0", "--data", str(self.folder)]
        with subprocess.Popen(
            [str(self.python), *serve, "--log-level", "warning"],
            cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            try:
                assert process.stdout is not None
                address = re.search(r"http://\S+", process.stdout.readline())
                assert address is not None
                yield address[0].rstrip("/")
            finally:
                process.terminate()

    def check(self, bots: str) -> None:
        """Play, check, show and serve a game; raises AssertionError."""
        where = Path(self.run("-c", "import byzanz; print(byzanz.__file__)").strip())
        assert not where.is_relative_to(ROOT), where
        simulate = ["simulate", "--players", "3", "--games", "1", "--seed", "1", "--bots", bots]
        self.byzanz(*simulate, "--record", "games.jsonl")
        assert self.byzanz("check", "games.jsonl") == "1 game: 1 legal, 0 with errors.\n"
        stories = {
            self.byzanz("show", "games.jsonl", "--language", code)
            for code in ("en", "de", "it", "nl", "hu")
        }
        assert len(stories) == 5, "translations are missing"
        self.byzanz("play", "--bots", "novice", stdin="quit\n")
        with self.server() as address:
            assert fetch(f"{address}/health")
            files = set(re.findall(r'"(/static/[^"]+)"', fetch(address).decode()))
            assert files, "the page has no style sheet"
            assert all(fetch(address + file) for file in files)


def fetch(address: str) -> bytes:
    """Return the body of a server's answer; raises HTTPError for an error."""
    with urlopen(address, timeout=60) as answer:
        body: bytes = answer.read()
    return body


def contents(wheel: Path) -> set[str]:
    """Return the names of the files in a wheel."""
    return set(zipfile.ZipFile(wheel).namelist())


def main(wheel: Path) -> None:
    """Install a wheel into a new virtual environment, and check it there."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        python = folder / "venv" / "bin" / "python"
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet"]
        constraints = str(ROOT / "constraints.txt")
        subprocess.run([*pip, "install", "-c", constraints, str(wheel)], check=True)
        (folder / "work").mkdir()
        Installation(python, folder / "work").check("trader,strategist@10it,emperor")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
