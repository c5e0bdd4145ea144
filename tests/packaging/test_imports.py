"""Third-party imports: every package imports only what this table allows.

The layers between the packages of byzanz are checked by import-linter (``pyproject.toml``).
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"

ALLOWED = {
    "byzanz": "",
    "byzanz.rules": "",
    "byzanz.notation": "",
    "byzanz.locale": "",
    "byzanz.messages": "",
    "byzanz.encoding": "numpy",
    "byzanz.fast": "llvmlite numba numpy",
    "byzanz.network": "numba numpy",
    "byzanz.search": "numpy",
    "byzanz.bots": "",
    "byzanz.arena": "numpy",
    "byzanz.arena.ray_cluster": "ray",
    "byzanz.arena.skill": "openskill",
    "byzanz.datasets": "numpy",
    "byzanz.datasets.record_files": "zstandard",
    "byzanz.datasets.parquet": "pyarrow",
    "byzanz.coach": "msgspec",
    "byzanz.coach.evaluation": "numpy",
    "byzanz.coach.lessons.check": "numpy",
    "byzanz.coach.luck": "numpy",
    "byzanz.coach.puzzles.proof": "numpy",
    "byzanz.tables": "",
    "byzanz.tables.model": "msgspec",
    "byzanz.tables.storage": "alembic msgspec platformdirs sqlalchemy",
    "byzanz.tables.service": "msgspec sqlalchemy",
    "byzanz.tables.service.job_queue": "procrastinate psycopg_pool sqlalchemy",
    "byzanz.network.torch_forward": "numpy torch",
    "byzanz.training": "numpy torch",
    "byzanz.training.gpu_batch": "numba numpy torch",
    "byzanz.training.progress": "rich",
    "byzanz.envs": "numpy",
    "byzanz.envs.checked": "numpy pettingzoo",
    "byzanz.envs.gymnasium": "gymnasium",
    "byzanz.envs.single_env": "gymnasium numpy",
    "byzanz.envs.many_games": "gymnasium numpy",
    "byzanz.envs.vector_env": "gymnasium numpy",
    "byzanz.envs.network_policies": "numba numpy",
    "byzanz.envs.observations": "gymnasium numpy",
    "byzanz.envs.openspiel": "numpy pyspiel",
    "byzanz.envs.pettingzoo": "gymnasium numpy pettingzoo",
    "byzanz.terminal": "rich",
    "byzanz.web": "msgspec starlette",
    "byzanz.web.art": "",
    "byzanz.web.configuration": "msgspec platformdirs",
    "byzanz.web.connections": "h11 uvicorn",
    "byzanz.web.httptools_connections": "uvicorn",
    "byzanz.web.invitation": "segno starlette",
    "byzanz.web.notify.encryption": "cryptography",
    "byzanz.web.notify.links": "itsdangerous",
    "byzanz.web.monitoring": "prometheus_client starlette",
    "byzanz.web.parts": "markupsafe",
    "byzanz.web.rasterise": "resvg_py",
    "byzanz.web.rendering": "jinja2 markupsafe",
    "byzanz.web.server": "starlette uvicorn uvloop websockets",
    "byzanz.web.signatures": "itsdangerous",
    "byzanz.web.template_cache": "jinja2 platformdirs",
    "byzanz.cli": "rich",
    "byzanz.cli.database_options": "sqlalchemy",
}
"""The third-party packages that a package or module may import. The longest name applies."""

FILES = {
    ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): file
    for file in SOURCE.rglob("*.py")
}


def third_party(source: str) -> Iterator[str]:
    """Yield the third-party packages that the code imports, even inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        elif isinstance(node, ast.Name | ast.Attribute):
            called = node.id if isinstance(node, ast.Name) else node.attr
            names = ["a dynamic import"] if called in {"import_module", "__import__"} else []
        else:
            names = []
        for name in names:
            package = name.partition(".")[0]
            if package != "byzanz" and package not in sys.stdlib_module_names:
                yield package


def entry(module: str) -> str:
    """Return the entry of the table that applies to a module."""
    return max((name for name in ALLOWED if f"{module}.".startswith(f"{name}.")), key=len)


def imported(module: str) -> set[str]:
    """Return the third-party packages that a module imports."""
    return set(third_party(FILES[module].read_text(encoding="utf-8")))


def test_every_package_has_an_entry() -> None:
    packages = {".".join(module.split(".")[:2]) for module in FILES} - {"byzanz.__main__"}
    assert packages <= set(ALLOWED)


@pytest.mark.parametrize("module", sorted(FILES))
def test_a_module_imports_only_allowed_packages(module: str) -> None:
    assert imported(module) <= set(ALLOWED[entry(module)].split())


@pytest.mark.parametrize("name", ALLOWED)
def test_an_entry_allows_no_more_than_is_needed(name: str) -> None:
    needed = [imported(module) for module in FILES if entry(module) == name]
    assert set(ALLOWED[name].split()) == set().union(*needed)


@pytest.mark.parametrize(
    "code",
    [
        "import attrs",
        "import attrs.validators as v",
        "from attrs import define",
        "def f():\n    from attrs import define",
        "if TYPE_CHECKING:\n    import attrs",
        "try:\n    import attrs\nexcept ImportError:\n    pass",
    ],
)
def test_an_import_is_found_anywhere(code: str) -> None:
    assert list(third_party(code)) == ["attrs"]


@pytest.mark.parametrize("code", ["importlib.import_module(name)", "__import__('attrs')"])
def test_a_dynamic_import_is_not_allowed(code: str) -> None:
    assert list(third_party(code)) == ["a dynamic import"]


def test_the_engines_can_be_imported_with_numpy_and_numba_alone() -> None:
    code = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in allowed and top not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"blocked: {name}", name=name)

allowed = {"byzanz", "numpy", "numba", "llvmlite"}
sys.meta_path.insert(0, Block())
import byzanz.encoding, byzanz.fast, byzanz.rules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
