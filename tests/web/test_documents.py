"""The documentation of the API and the server is correct."""

from __future__ import annotations

import re
from pathlib import Path

from byzanz.tables import TableReason
from byzanz.web.api import OPERATIONS
from byzanz.web.limit_settings import Settings
from byzanz.web.refusals import WebReason

from .server import Served

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_page_on_the_api_lists_every_operation_and_code() -> None:
    told = page("api.md")
    for operation in OPERATIONS:
        assert f"`{operation.method} {operation.path}`" in told, operation.name
    for reason in (*TableReason, *WebReason):
        assert f"`{reason.value}`" in told, reason.value


def test_the_page_on_deploying_lists_every_metric_and_limit(server: Served) -> None:
    told = page("deploying.md")
    with server.client() as client:
        metrics = re.findall(r"^# TYPE (byzanz_\w+)", client.get("/metrics").text, re.MULTILINE)
    for metric in metrics:
        assert metric.removesuffix("_created") in told, metric
    settings = Settings()
    for figure in (
        settings.guest_rate.burst,
        settings.guest_rate.per_second,
        settings.address_rate.burst,
        settings.address_rate.per_second,
        settings.new_guest_rate.burst,
        settings.sockets_per_guest,
        settings.sockets_per_address,
        settings.max_socket_messages,
        settings.socket_send_seconds,
    ):
        assert re.search(rf"\b{figure:g}", told), figure
