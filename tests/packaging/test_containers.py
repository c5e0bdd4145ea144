"""The container files name settings, commands, extras and files that exist.

Neither podman nor docker is needed, so nothing here starts a container.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from byzanz.cli.main import make_parser
from byzanz.web.configuration import load

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"

if not DEPLOY.is_dir():
    pytest.skip("not in the project's folder", allow_module_level=True)

yaml = pytest.importorskip("yaml")


@pytest.fixture
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return found


@pytest.fixture
def containerfile() -> str:
    return (DEPLOY / "Containerfile").read_text()


def parses(arguments: list[str]) -> bool:
    try:
        make_parser().parse_args(arguments)
    except SystemExit:
        return False
    return True


def test_the_commands_of_the_services_exist(compose: dict[str, Any]) -> None:
    commands = [each["command"] for each in compose["services"].values() if "build" in each]
    assert commands
    for command in commands:
        assert parses(command)
        assert not parses([*command, "--no-such-option"])


def test_the_command_of_the_image_exists(containerfile: str) -> None:
    found = re.search(r"^CMD (\[.*\])$", containerfile, re.MULTILINE)
    assert found
    assert parses(json.loads(found[1]))


def test_the_settings_of_the_services_are_accepted(compose: dict[str, Any]) -> None:
    named = 0
    for service in compose["services"].values():
        environment = {
            name: value.replace("${SITE:-localhost}", "byzanz.example")
            for name, value in service.get("environment", {}).items()
            if name.startswith("BYZANZ_")
        }
        named += len(environment)
        load(None, environment=environment)  # raises an error for an unknown setting
    assert named >= 2


def test_the_services_refer_to_what_the_file_defines(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for service in services.values():
        assert set(service.get("networks", [])) <= set(compose["networks"])
        assert set(service.get("secrets", [])) <= set(compose["secrets"])
        assert set(service.get("depends_on", [])) <= set(services)
    subnet = compose["networks"]["front"]["ipam"]["config"][0]["subnet"]
    web = services["web"]["command"]
    assert web[web.index("--forwarded-allow-ips") + 1] == subnet


def test_the_image_installs_extras_that_exist(containerfile: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = re.search(r"'\.\[([a-z,]+)\]'", containerfile)
    assert found
    assert set(found[1].split(",")) <= set(project["optional-dependencies"])
