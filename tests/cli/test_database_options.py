"""Where the commands find their database, and its password."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from byzanz.cli.database_options import FILE_VARIABLE, VARIABLE, database_url
from byzanz.cli.exit_codes import CommandError
from byzanz.web.configuration import load

URL = "postgresql://byzanz:secret@localhost/byzanz"
NOTHING = Namespace(database=None, data=None)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in (VARIABLE, FILE_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_the_url_comes_from_the_environment_or_a_file(
    environment: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert database_url(NOTHING) is None
    environment.setenv(VARIABLE, URL)
    assert database_url(NOTHING) == URL
    assert database_url(Namespace(database="sqlite:///a.db", data=None)) == "sqlite:///a.db"
    environment.delenv(VARIABLE)
    (tmp_path / "secret").write_text(f"{URL}\n", encoding="utf-8")
    environment.setenv(FILE_VARIABLE, str(tmp_path / "secret"))
    assert database_url(NOTHING) == URL
    assert capsys.readouterr().err == ""
    environment.setenv(VARIABLE, URL)
    with pytest.raises(CommandError, match="either"):
        database_url(NOTHING)
    environment.delenv(VARIABLE)
    environment.setenv(FILE_VARIABLE, str(tmp_path / "none"))
    with pytest.raises(CommandError, match="cannot read"):
        database_url(NOTHING)


@pytest.mark.parametrize(
    ("url", "warned"),
    [(URL, True), ("postgresql://byzanz@localhost:5432/byzanz", False), ("sqlite:///a:b@c", False)],
)
def test_a_password_on_the_command_line_is_warned_of(
    url: str, warned: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert database_url(Namespace(database=url, data=None)) == url
    told = capsys.readouterr().err
    assert ("BYZANZ_DATABASE" in told) is warned
    assert "secret" not in told


def test_the_variables_are_not_taken_for_settings() -> None:
    assert load(environment={VARIABLE: URL, FILE_VARIABLE: "file"}).origins == {}
