"""Bots in plain Python files: ``py:mybot.py:MyBot``.

Only a bot's own process executes its file. :func:`check_file_bot` starts such a process to find out
whether the file has the class.
"""

from __future__ import annotations

import inspect
import json
import sys
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from byzanz.bots.external.guard import BotFailed
from byzanz.bots.external.process import BotProcess
from byzanz.bots.external.protocol import START_SECONDS

from .bot import Bot
from .spec import PYTHON, UnknownBot

CHECK = "--check"
"""The option with which ``python -m byzanz.bots`` only loads a bot and reports errors."""

_MODULE = "byzanz_bot_file"


def check_file_bot(file: str, class_name: str) -> None:
    """Raise UnknownBot if this bot cannot be loaded from the file."""
    path = Path(file).resolve()
    if not path.is_file():
        raise UnknownBot(f"there is no file '{file}'; expected py:FILE.py:CLASS")
    changed = path.stat()
    problem = _problem(str(path), class_name, changed.st_mtime_ns, changed.st_size)
    if problem:
        raise UnknownBot(problem.replace(str(path), file))


@lru_cache(maxsize=64)
def _problem(file: str, class_name: str, *version: int) -> str:  # noqa: ARG001
    """Return the reason why another process cannot load the bot; empty if it can."""
    name = f"{PYTHON}{file}:{class_name}"
    try:
        process = BotProcess((sys.executable, "-m", "byzanz.bots", CHECK, name))
        try:
            answer = json.loads(process.ask(b"\n", START_SECONDS))
        finally:
            process.kill()
    except (BotFailed, ValueError) as error:
        return f"cannot load '{file}': {error}"
    return str(answer.get("error", ""))


def load_from_file(file: str, class_name: str) -> type[Bot]:
    """Execute a file and return its bot of this name; raises UnknownBot if that fails.

    The file can import modules from its own folder.
    """
    path = Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    module = _execute(path)
    found = getattr(module, class_name, None)
    if found is None:
        bots = [name for name, value in vars(module).items() if _is_bot(value, module)]
        has = f"it has {', '.join(bots)}" if bots else "it has no subclass of byzanz.bots.Bot"
        raise UnknownBot(f"'{path}' has no class '{class_name}'; {has}")
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise UnknownBot(f"'{class_name}' in '{path}' is not a subclass of byzanz.bots.Bot")
    if inspect.isabstract(found):
        raise UnknownBot(f"'{class_name}' in '{path}' has no method choose(view)")
    return found


def _execute(path: Path) -> ModuleType:
    spec = spec_from_file_location(_MODULE, path)
    if spec is None or spec.loader is None:
        raise UnknownBot(f"'{path}' is not a Python file; its name must end in .py")
    module = module_from_spec(spec)
    sys.modules[_MODULE] = module
    try:
        spec.loader.exec_module(module)
    except FileNotFoundError:
        raise UnknownBot(f"there is no file '{path}'; expected py:FILE.py:CLASS") from None
    except SyntaxError as error:
        raise UnknownBot(
            f"'{path}' is not valid Python: line {error.lineno}: {error.msg}"
        ) from None
    except Exception as error:  # noqa: BLE001 - the file may raise anything
        raise UnknownBot(
            f"cannot load '{path}': it raised {type(error).__name__}: {error}"
        ) from None
    return module


def _is_bot(value: object, module: ModuleType) -> bool:
    return (
        isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
    )
