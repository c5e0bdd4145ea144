"""Settings: from a file, the environment and the command line to a running server."""

from __future__ import annotations

import os
import re
import runpy
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from byzanz.cli import main
from byzanz.tables import Limits
from byzanz.web import configuration
from byzanz.web.configuration import SETTINGS, BadConfiguration, Setting, Value, load, write_value
from byzanz.web.limit_settings import Rate, Settings

from .server import PATIENCE, Served

ROOT = Path(__file__).parents[2]
BY_KEY = {setting.key: setting for setting in SETTINGS}


@pytest.fixture(autouse=True)
def default_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a default file that does not exist, and remove all settings from the environment."""
    for variable in list(os.environ):
        if variable.startswith("BYZANZ_"):
            monkeypatch.delenv(variable)
    file = tmp_path / "configuration" / "settings.toml"
    monkeypatch.setattr(configuration, "default_file", lambda: file)
    return file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "byzanz.toml"


TEXTS = {
    "public_address": "https://byzanz.example",
    "push_contact": "mailto:admin@byzanz.example",
    "mail_sender": "Byzanz <noreply@byzanz.example>",
    "smtp_security": "ssl",
}
"""Valid values of settings that not every text is a valid value of."""

NEEDED = {"smtp_host": ("public_address", "mail_sender")}
"""Settings that must be set if another one is."""


def changed(setting: Setting) -> Value:
    """Return a valid value that is not the default."""
    match setting.default:
        case bool():
            return not setting.default
        case str() if setting.key in TEXTS:
            return TEXTS[setting.key]
        case str():
            return "greedy"
        case int() if setting.key.startswith("max_key"):
            return 50
        case int():
            return setting.default + 1
    return setting.default * 1.5


def all_changed() -> dict[str, Value]:
    return {setting.key: changed(setting) for setting in SETTINGS}


# ---- where values come from


def test_without_file_and_environment_every_setting_has_its_default() -> None:
    found = load(environment={})
    assert (found.limits, found.settings) == (Limits(), Settings())
    assert {found.origin(setting) for setting in SETTINGS} == {"default"}


def test_every_field_is_a_setting_with_a_unique_name() -> None:
    fields = {
        field.name for struct in (Limits, Settings) for field in msgspec.structs.fields(struct)
    }
    assert {setting.key.partition(".")[0] for setting in SETTINGS} == fields
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)
    assert len({setting.variable for setting in SETTINGS}) == len(SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_a_setting_explains_itself_and_has_a_valid_default(setting: Setting) -> None:
    assert re.fullmatch(r"[A-Z][^\n]+\.", setting.meaning)
    assert msgspec.convert(setting.default, setting.type) == setting.default


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_the_file_and_the_environment_set_every_setting(setting: Setting, file: Path) -> None:
    needed = [BY_KEY[key] for key in NEEDED.get(setting.key, ())]
    given = {each: changed(each) for each in (setting, *needed)}
    value = given[setting]
    lines = [f"{each.table}.{each.key} = {write_value(given[each])}\n" for each in given]
    file.write_text("".join(lines))
    texts = {
        each.variable: found if isinstance(found, str) else write_value(found)
        for each, found in given.items()
    }
    for found, origin in (
        (load(file, {}), str(file)),
        (load(None, texts), setting.variable),
    ):
        assert found.value(setting) == value
        assert found.origin(setting) == origin
        others = [other for other in SETTINGS if other not in given]
        assert all(found.value(other) == other.default for other in others)


def test_the_environment_overrides_the_file_and_options_override_both(file: Path) -> None:
    file.write_text("[server]\nsecure = false\n[tables]\ntables_per_guest = 3\n")
    environment = {"BYZANZ_TABLES_PER_GUEST": "4", "BYZANZ_SECURE": "false"}
    found = load(file, environment, {"secure": True})
    assert found.limits.tables_per_guest == 4
    assert found.settings.secure
    assert found.origins == {"tables_per_guest": "BYZANZ_TABLES_PER_GUEST", "secure": "--secure"}


def test_the_default_file_is_read_if_no_other_is_named(file: Path, default_file: Path) -> None:
    default_file.parent.mkdir()
    default_file.write_text("[tables]\ntables_per_guest = 5\n")
    file.write_text("[bots]\nbot_threads = 3\n")
    assert load(environment={}).limits == Limits(tables_per_guest=5)
    assert load(file, {}).limits == Limits(bot_threads=3)


def test_the_default_file_has_a_place_in_the_configuration_folder() -> None:
    found = subprocess.run(
        [sys.executable, "-c", "import byzanz.web.configuration as c; print(c.default_file())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert Path(found).parts[-2:] == ("byzanz", "settings.toml")


@pytest.mark.parametrize(
    "text",
    [
        "[requests]\nguest_rate = { burst = 5, per_second = 0.5 }",
        "[requests]\nguest_rate.burst = 5\nguest_rate.per_second = 0.5",
        "[requests.guest_rate]\nburst = 5.0\nper_second = 0.5",
        "\ufeff[requests.guest_rate]\r\nburst = 5\r\nper_second = 0.5\r\n",
    ],
)
def test_a_rate_can_be_written_in_every_way_that_toml_knows(text: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8")
    assert load(file, {}).settings.guest_rate == Rate(burst=5, per_second=0.5)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"SMTP_HOST": "mail", "PUBLIC_ADDRESS": "https://b.example"}, "mail_sender must be set"),
        ({"SMTP_HOST": "mail", "MAIL_SENDER": "a@b.example"}, "public_address must be set"),
        (
            {
                "SMTP_HOST": "mail",
                "PUBLIC_ADDRESS": "https://b.example",
                "MAIL_SENDER": "a@b.example",
                "SMTP_USER": "ada",
                "SMTP_SECURITY": "none",
            },
            "smtp_security must be starttls or ssl if smtp_user is set",
        ),
    ],
)
def test_settings_for_e_mail_that_are_missing_or_unsafe_are_named(
    given: dict[str, str], told: str
) -> None:
    with pytest.raises(BadConfiguration, match=told):
        load(environment={f"BYZANZ_{key}": value for key, value in given.items()})


def test_a_part_of_a_rate_can_be_set_alone() -> None:
    found = load(environment={"BYZANZ_GUEST_RATE_PER_SECOND": "2"})
    assert found.settings.guest_rate == Rate(burst=120, per_second=2)


# ---- mistakes

WHOLE = "must be a whole number of at least 1, not"
MISTAKES_IN_FILES = {
    "[tables]\ntables_per_gest = 1": "[tables] tables_per_gest is not a setting; "
    "did you mean tables_per_guest?",
    "[tables]\nzzz = 1": "[tables] zzz is not a setting; see 'byzanz serve --show-settings'",
    "[tabels]\na = 1": "[tabels] is not a table of settings; the tables are [server], ",
    "tables_per_guest = 1": "tables_per_guest must be in the table [tables]",
    "[bots]\ntables_per_guest = 1": "tables_per_guest must be in the table [tables], not in [bots]",
    "tables = 1": "tables must be a table",
    "[[tables]]\na = 1": "tables must be a table",
    "[tables]\ntables_per_guest = 'many'": f'[tables] tables_per_guest {WHOLE} "many"',
    "[tables]\ntables_per_guest = '2'": f'[tables] tables_per_guest {WHOLE} "2"',
    "[tables]\ntables_per_guest = 1.5": f"[tables] tables_per_guest {WHOLE} 1.5",
    "[tables]\ntables_per_guest = true": f"[tables] tables_per_guest {WHOLE} true",
    "[tables]\ntables_per_guest = [1, 2]": f"[tables] tables_per_guest {WHOLE} [1, 2]",
    "[tables]\ntables_per_guest = 2026-01-31": f"[tables] tables_per_guest {WHOLE} 2026-01-31",
    "[tables]\ntables_per_guest = 0": f"[tables] tables_per_guest {WHOLE} 0",
    "[tables]\ntable_cache_seconds = -1": "[tables] table_cache_seconds must be a number from 0 "
    "to 3153600000, not -1",
    "[tables]\ntable_cache_seconds = inf": "[tables] table_cache_seconds must be a number from 0 "
    "to 3153600000, not inf",
    "[tables]\nfinished_table_seconds = nan": "[tables] finished_table_seconds must be a number "
    "of at least 60, not nan",
    "[requests]\nmax_key_length = 65": "[requests] max_key_length must be a whole number from 40 "
    "to 64, not 65",
    "[server]\nsecure = 1": "[server] secure must be true or false, not 1",
    "[bots]\nsubstitute_bot = 'deep\\nblue'": "[bots] substitute_bot must be one of random, ",
    "[requests]\nguest_rate = 3": "[requests] guest_rate must be set as guest_rate.burst and "
    "guest_rate.per_second",
    "[requests]\nguest_rate.brust = 3": "[requests] guest_rate.brust is not a setting; "
    "did you mean guest_rate.burst?",
    "[requests]\nguest_rate.burst = 0.5": "[requests] guest_rate.burst must be a number from 1",
}
MISTAKES_IN_THE_ENVIRONMENT = {
    ("BYZANZ_TABLES_PER_GUEST", "many"): f'BYZANZ_TABLES_PER_GUEST {WHOLE} "many"',
    ("BYZANZ_TABLES_PER_GUEST", ""): f'BYZANZ_TABLES_PER_GUEST {WHOLE} ""',
    ("BYZANZ_TABLES_PER_GUEST", "0"): f'BYZANZ_TABLES_PER_GUEST {WHOLE} "0"',
    ("BYZANZ_TABLE_PER_GUEST", "1"): "BYZANZ_TABLE_PER_GUEST is not a setting; "
    "did you mean BYZANZ_TABLES_PER_GUEST?",
    ("BYZANZ_ZZZ", "1"): "BYZANZ_ZZZ is not a setting; see 'byzanz serve --show-settings'",
    ("BYZANZ_SECURE", "perhaps"): 'BYZANZ_SECURE must be true or false, not "perhaps"',
    ("BYZANZ_SUBSTITUTE_BOT", "x\ny"): r'level9, level10, not "x\U0000000ay"',
}


@pytest.mark.parametrize(("text", "told"), MISTAKES_IN_FILES.items())
def test_a_mistake_in_a_file_names_the_file_the_key_and_the_valid_values(
    text: str, told: str, file: Path
) -> None:
    file.write_text(text)
    with pytest.raises(BadConfiguration) as refused:
        load(file, {})
    assert f"{file}: {told}" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("given", "told"), MISTAKES_IN_THE_ENVIRONMENT.items())
def test_a_mistake_in_the_environment_names_the_variable_and_the_valid_values(
    given: tuple[str, str], told: str
) -> None:
    with pytest.raises(BadConfiguration) as refused:
        load(environment=dict([given]))
    assert str(refused.value).startswith("the environment variable BYZANZ_")
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[tables\n", "is not valid TOML: Expected ']'"),
        (b"[tables]\na = 1\na = 2\n", "is not valid TOML: Cannot overwrite a value"),
        (b"\xff\xfe[\x00", "is not valid TOML: 'utf-8' codec can't decode"),
        (b"a = " + b"[" * 100_000, "is not valid TOML: "),
    ],
)
def test_a_file_that_is_no_toml_is_refused(content: bytes, told: str, file: Path) -> None:
    file.write_bytes(content)
    with pytest.raises(BadConfiguration, match=re.escape(f"{file} {told}")):
        load(file, {})


def test_a_named_file_must_be_readable(tmp_path: Path) -> None:
    for file in (tmp_path / "nowhere.toml", tmp_path):
        with pytest.raises(BadConfiguration, match=f"cannot read {re.escape(str(file))}: "):
            load(file, {})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[sockets]\nsockets_per_guest = 300", "sockets_per_address (set to 240 by default)"),
        ("[requests]\naddress_rate.burst = 100", "guest_rate.burst (set to 120 by default)"),
        ("[requests]\naddress_rate.per_second = 1", "guest_rate.per_second (set to 15 by default)"),
        ("[tables]\nclock_interval_seconds = 601", "interval_seconds (set to 600 by default)"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(text: str, told: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(BadConfiguration) as refused:
        load(file, {})
    assert told in str(refused.value)
    assert f"by {file})" in str(refused.value)


def test_unrelated_variables_are_ignored() -> None:
    assert load(environment={"BYZANZ_TESTS": "all", "PATH": "/", "BYZANZ": "x"}).origins == {}


# ---- the list of settings


def test_the_list_of_settings_can_be_read_back(file: Path, tmp_path: Path) -> None:
    file.write_text(in_tables(all_changed()))
    first = load(file, {})
    assert {setting.key: first.value(setting) for setting in SETTINGS} == all_changed()
    copy = tmp_path / "copy.toml"
    copy.write_text(first.to_toml())
    second = load(copy, {})
    assert (second.limits, second.settings) == (first.limits, first.settings)


def in_tables(values: dict[str, Value]) -> str:
    """Return a TOML file with these values, without comments."""
    tables: dict[str, list[str]] = {}
    for key, value in values.items():
        tables.setdefault(BY_KEY[key].table, []).append(f"{key} = {write_value(value)}")
    return "".join(f"[{table}]\n" + "\n".join(lines) + "\n" for table, lines in tables.items())


def test_the_list_of_settings_describes_each_setting(file: Path) -> None:
    file.write_text("[tables]\ntables_per_guest = 3\n")
    listed = load(file, {"BYZANZ_BOT_THREADS": "7"}).to_toml()
    for setting in SETTINGS:
        assert f"# {setting.meaning}\n" in listed
        assert f"# Environment variable: {setting.variable}\n" in listed
        assert f"# Default: {setting.default_text}\n" in listed
    assert f"# Set by: {file}\n# Environment variable: BYZANZ_TABLES_PER_GUEST\n" in listed
    assert "# Set by: BYZANZ_BOT_THREADS\n# Environment variable: BYZANZ_BOT_THREADS\n" in listed
    assert "\ntables_per_guest = 3\n" in listed
    assert "# Default: 2592000 (30 days)\n" in listed
    assert "# Default: inf (forever)\n" in listed
    assert listed.isascii()


def test_a_file_with_an_odd_name_does_not_break_the_list(tmp_path: Path) -> None:
    file = tmp_path / 'a "b"\n[tables] #.toml'
    file.write_text("[bots]\nbot_threads = 7\n")
    assert tomllib.loads(load(file, {}).to_toml())["bots"]["bot_threads"] == 7


def test_the_page_on_deploying_has_the_tables_of_all_settings() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "settings_table.py"))
    page = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    assert script["with_tables"](page) == page, "run: python scripts/settings_table.py"


# ---- the command


def test_the_command_shows_its_settings(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("[tables]\ntables_per_guest = 3\n")
    monkeypatch.setenv("BYZANZ_BOT_THREADS", "7")
    assert main(["serve", "--settings", str(file), "--secure", "--show-settings"]) == 0
    listed = capsys.readouterr().out
    assert tomllib.loads(listed)["tables"]["tables_per_guest"] == 3
    assert tomllib.loads(listed)["bots"]["bot_threads"] == 7
    assert "# Set by: --secure\n# Environment variable: BYZANZ_SECURE\nsecure = true\n" in listed


def test_the_command_refuses_bad_settings_in_one_line(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("[tables]\ntables_per_guest = 0\n")
    for arguments in (["--settings", str(file)], ["--settings", str(file), "--show-settings"]):
        assert main(["serve", *arguments]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == f"byzanz serve: {file}: [tables] tables_per_guest {WHOLE} 0\n"
    monkeypatch.setenv("BYZANZ_BOT_THREADS", "many")
    assert main(["serve"]) == 2
    assert "BYZANZ_BOT_THREADS must be" in capsys.readouterr().err


@contextmanager
def running(folder: Path, *arguments: str, **environment: str) -> Iterator[Served]:
    """Run the real command, with its database in the folder."""
    command = [sys.executable, "-m", "byzanz", "serve", "--port", "0", "--data", str(folder)]
    env = {**os.environ, "PYTHONUNBUFFERED": "1", "XDG_CONFIG_HOME": str(folder), **environment}
    with subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=env,
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            server = Served(found[0].rstrip("/"), None, None)  # type: ignore[arg-type]
            yield server
            for client in server.clients:
                client.close()
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


def test_settings_take_effect_in_a_running_server(file: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "byzanz", "serve", "--show-settings"]
    limits = {
        "BYZANZ_TABLES_PER_GUEST": "1",
        "BYZANZ_MAX_BODY_BYTES": "2048",
        "BYZANZ_MAX_KEY_LENGTH": "40",
        "BYZANZ_MAX_NAME_LENGTH": "5",
    }
    with file.open("wb") as output:
        subprocess.run(command, stdout=output, env={**os.environ, **limits}, check=True)
    with running(
        tmp_path, "--settings", str(file), BYZANZ_SOCKETS_PER_GUEST="1", BYZANZ_MAX_NAME_LENGTH="6"
    ) as server:
        player = server.player("Xerxes")
        answer = player.client.patch("/api/me", json={"name": "Artaxerxes"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-name")

        with server.client() as client:
            assert 'maxlength="6"' in client.get("/").text

        table = player.found("random", open_seats=1)
        with server.client() as client:
            assert 'maxlength="6"' in client.get(f"/table/{table}").text
        seats = [{"type": "host"}, {"type": "open"}, {"type": "open"}]
        answer = player.client.post("/api/tables", json={"seats": seats, "options": {}})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-many-tables")

        answer = player.client.patch("/api/me", json={"name": "x" * 2048})
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too-large")

        assert player.act(table, "pass", key="k" * 40).json()["error"]["code"] != "bad-key"
        assert player.act(table, "pass", key="k" * 41).json()["error"]["code"] == "bad-key"

        with player.stream(table), pytest.raises(InvalidStatus) as refused:
            player.stream(table)
        assert refused.value.response.status_code == 429
