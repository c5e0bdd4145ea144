"""A description of the machine that a benchmark ran on."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from collections.abc import Sequence
from importlib import metadata


def machine(packages: Sequence[str]) -> list[str]:
    """Return lines with the machine, the versions of packages, and the date and load average."""
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
        f"{time.strftime('%Y-%m-%d')}; load average before the run: {load}",
    ]


def _processor() -> str:
    """Return the name of the processor."""
    try:
        output = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        output = ""
    found = re.search(r"^Model name:\s*(.+)$", output, re.MULTILINE)
    return found[1] if found else platform.processor() or "an unknown processor"
