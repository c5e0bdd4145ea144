"""The wheel holds everything: built, unpacked elsewhere, and played from there."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def run(command: list[str], cwd: Path, path: Path | None = None) -> str:
    env = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / "src"
    for file in package.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert str(file.relative_to(package)) in inside
    assert any(name.endswith("licenses/LICENSE") for name in inside)
    assert not any(name.startswith(("tests", "docs")) for name in inside)


def test_the_wheel_plays_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = "import byzanz; print(byzanz.__file__)"
    at = run([sys.executable, "-c", code], cwd=tmp_path, path=tmp_path / "site").strip()
    assert Path(at).is_relative_to(tmp_path)
    command = [sys.executable, "-m", "byzanz"]
    simulate = ["simulate", "--games", "3", "--seed", "1", "--record", "games.jsonl"]
    run([*command, *simulate], cwd=tmp_path, path=tmp_path / "site")
    checked = run([*command, "check", "games.jsonl"], cwd=tmp_path, path=tmp_path / "site")
    assert checked == "3 games: 3 legal, 0 flawed.\n"


def test_no_registry_address_stands_in_the_project() -> None:
    for name in ("pyproject.toml", "constraints.txt", "Makefile", ".ci/run"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "://" not in text, name
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert all("==" in pin for pin in pins if not pin.startswith("#"))
