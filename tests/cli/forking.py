"""Run ``byzanz`` commands in forks of a process that has already loaded everything.

A new process takes over a second to import Byzanz and to load its compiled code: longer than most
commands of the tests. ``python -m tests.cli.forking`` reads a request per line and answers each
with an exit status.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
import traceback
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NoReturn

LOADING = ["arena", "--players", "3", "--bots", "greedy,trader,random", "--deals", "1"]
"""A command that loads most of the compiled code."""


def run(arguments: list[str], stdin: Path, stdout: Path, stderr: Path) -> int:
    """Run a command in the current folder and environment, and return its exit status."""
    request = {
        "arguments": arguments,
        "files": [str(stdin), str(stdout), str(stderr)],
        "folder": str(Path.cwd()),
        "environment": os.environ | {"LC_ALL": "C.UTF-8"},
    }
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    return int(process.stdout.readline())


@cache
def _process() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.cli.forking"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    atexit.register(process.communicate)
    return process


def _serve() -> None:
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)

    from byzanz.cli import main  # noqa: PLC0415 (processes that a command spawns import this file)

    main(LOADING)
    for line in requests:
        child = os.fork()
        if child == 0:
            requests.close()
            answers.close()
            _run(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _run(request: dict[str, object]) -> NoReturn:
    """Run the command and end this process."""
    from byzanz.cli import main  # noqa: PLC0415

    arguments, files = request["arguments"], request["files"]
    assert isinstance(arguments, list)
    assert isinstance(files, list)
    for stream, (file, mode) in enumerate(
        zip(files, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)
    ):
        os.dup2(os.open(file, mode), stream)
    os.chdir(str(request["folder"]))
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    try:
        status = main(arguments)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 (as an interpreter shows it)
        traceback.print_exc()
        status = 1
    # Like the end of an interpreter, but without freeing all objects, which takes half a second.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    _serve()
