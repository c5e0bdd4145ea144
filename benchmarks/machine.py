"""What was measured on, for whoever compares."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from collections.abc import Sequence
from importlib import metadata


def machine(packages: Sequence[str]) -> list[str]:
    """The machine, what of these packages is installed, and how busy it was, a line each."""
    versions = [f"Python {platform.python_version()}"]
    for package in packages:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return [
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        ", ".join(versions),
        f"{time.strftime('%Y-%m-%d')}; load of the machine before the run: {load}",
    ]


def _processor() -> str:
    """The processor's name, as well as the system tells it."""
    try:
        told = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        told = ""
    found = re.search(r"^Model name:\s*(.+)$", told, re.MULTILINE)
    return found[1] if found else platform.processor() or "an unknown processor"
