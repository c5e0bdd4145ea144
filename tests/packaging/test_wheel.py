"""The source distribution and the wheel are complete: the unpacked wheel can play."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from .installation import BUILD, ROOT, Installation, contents


def build(project: Path, target: str, folder: Path) -> Path:
    command = [*BUILD, "-t", target, "-d", str(folder)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    inside = contents(wheel)
    package = ROOT / "src"
    for file in package.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert str(file.relative_to(package)) in inside
    assert any(name.endswith("licenses/LICENSE") for name in inside)
    assert not any(name.startswith(("tests", "docs")) for name in inside)


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    source = tmp_path / sdist.name.removesuffix(".tar.gz")
    assert contents(build(source, "wheel", tmp_path / "wheel")) == contents(wheel)
    for name in ("Makefile", "constraints.txt", "tests", "docs", "examples"):
        assert (source / name).exists()


def test_the_wheel_works_where_it_is_unpacked(wheel: Path, tmp_path: Path) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    zipfile.ZipFile(wheel).extractall(site)
    work.mkdir()
    Installation(Path(sys.executable), work, {"PYTHONPATH": str(site)}).check("greedy,random")


def test_no_registry_address_stands_in_the_project() -> None:
    for name in ("pyproject.toml", "constraints.txt", "Makefile", ".ci/run"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "://" not in text, name
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert all("==" in pin for pin in pins if not pin.startswith("#"))
