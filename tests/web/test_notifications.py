"""Push messages and e-mails of a running server arrive, in the person's language, and stop."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
import pytest

from byzanz.tables import Limits
from byzanz.web.limit_settings import UNLIMITED, Settings
from byzanz.web.notify import notifier
from byzanz.web.notify.mail import checked_email

from .browser.process import ServerProcess
from .mail_server import PASSWORD, USER, MailServer, mail_server
from .push_service import Browser, PushService, push_service
from .server import PATIENCE, UNHURRIED, Player, Served, served

LIMITS = Limits(
    substitute_bot="random",
    notification_grace_seconds=0,
    disconnect_grace_seconds=0,
    polling_presence_seconds=0,
    clock_interval_seconds=0.05,
)
PUSHING = msgspec.structs.replace(UNHURRIED, push_to_local_addresses=True)
PUBLIC = "https://byzanz.example"


def mailing(port: int, **given: Any) -> Settings:
    """Return settings that send e-mails through the mail server at this port."""
    values: dict[str, Any] = {
        "smtp_host": "localhost",
        "smtp_port": port,
        "smtp_security": "none",
        "mail_sender": "Byzanz <noreply@byzanz.example>",
        "public_address": PUBLIC,
        "confirmation_rate": UNLIMITED,
        "mail_rate": UNLIMITED,
    }
    return msgspec.structs.replace(PUSHING, **{**values, **given})


@pytest.fixture(scope="module")
def push() -> Iterator[PushService]:
    with push_service() as running:
        yield running


@pytest.fixture(scope="module")
def mail() -> Iterator[MailServer]:
    with mail_server() as running:
        yield running


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, push: PushService, mail: MailServer
) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("notified")
    with served(folder, mailing(mail.port), limits=LIMITS) as found:
        yield found


def three(running: Served, language: str = "en") -> tuple[str, list[Player]]:
    """Create a table of three people, whose game has begun."""
    people = [running.player(name, language) for name in ("Ada", "Ben", "Cleo")]
    table = people[0].found(open_seats=2)
    for person in people[1:]:
        assert person.client.post(f"/api/tables/{table}/join", json={}).status_code == 200
    return table, people


def subscribe(person: Player, push: PushService, browser: Browser, **more: Any) -> dict[str, Any]:
    """Send the browser's subscription, by default for turns only, and return the target."""
    given = {"kinds": ["turn"], **more}
    body = {**browser.subscription(f"{push.url}/{id(browser)}"), **given}
    answer = person.client.post("/api/me/notifications/push", json=body)
    assert answer.status_code == 201, answer.text
    target: dict[str, Any] = answer.json()
    return target


def confirmed_email(person: Player, mail: MailServer, address: str) -> str:
    """Add an e-mail address and follow the link in the e-mail; return the id of the target."""
    body = {"address": address, "kinds": ["turn"]}
    answer = person.client.post("/api/me/notifications/email", json=body)
    assert answer.status_code == 201, answer.text
    assert not answer.json()["confirmed"]
    path = link(mail.next(), "confirm")
    with person.served.client() as anybody:
        assert "<form" in anybody.get(path).text
        assert not targets(person)[-1]["confirmed"], "only the button confirms"
        assert anybody.post(path).status_code == 200
    assert targets(person)[-1]["confirmed"]
    target: str = answer.json()["id"]
    return target


def targets(person: Player) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.client.get("/api/me/notifications").json()["targets"]
    return found


def link(mail: EmailMessage, word: str) -> str:
    """Return the path of the link in an e-mail."""
    found = re.search(rf"{PUBLIC}(/notifications/{word}/\S+)", mail.get_content())
    assert found
    return found[1]


def test_a_push_message_arrives_encrypted_signed_and_in_the_persons_language(
    running: Served, push: PushService
) -> None:
    table, (ada, ben, _) = three(running, "de")
    browser = Browser()
    subscribe(ben, push, browser)
    assert ada.act(table, "pass", decision=0).status_code == 200
    pushed = push.next()
    offered = ben.client.get("/api/me/notifications").json()
    assert offered["email"]
    claims = pushed.claims(offered["push_key"])
    assert claims["aud"] == push.url
    assert claims["sub"] == PUBLIC
    message = pushed.message(browser)
    assert message["title"] == "Du bist am Zug"
    assert "Ada, Cleo" in message["text"]
    assert message["language"] == "de"
    assert message["table"] == f"/table/{table}"
    assert set(message) == {"title", "text", "language", "table", "tag", "stop", "off"}


def test_the_link_of_a_push_message_turns_it_off(running: Served, push: PushService) -> None:
    table, (ada, ben, _) = three(running)
    browser = Browser()
    subscribe(ben, push, browser)
    ada.act(table, "pass", decision=0)
    stop = push.next().message(browser)["stop"]
    with running.client() as anybody:
        forged = stop.replace(".", ".a" if ".a" not in stop else ".b")
        assert anybody.post(forged).status_code == 404
        assert len(targets(ben)) == 1
        assert anybody.post(stop).status_code == 200
        assert targets(ben) == []
        assert anybody.post(stop).status_code == 200, "twice does no harm"


def test_a_dead_subscription_is_dropped_and_a_living_one_is_kept(
    running: Served, push: PushService
) -> None:
    table, (ada, ben, _) = three(running)
    subscribe(ben, push, Browser())
    push.status = 410
    try:
        ada.act(table, "pass", decision=0)
        push.next()
        while targets(ben):
            time.sleep(0.05)
    finally:
        push.status = 201


def test_an_e_mail_arrives_after_its_address_is_confirmed(
    running: Served, mail: MailServer
) -> None:
    table, (ada, ben, _) = three(running, "it")
    confirmed_email(ben, mail, "ben@example.org")
    ada.act(table, "pass", decision=0)
    sent = mail.next()
    assert sent["to"] == "ben@example.org"
    assert sent["from"] == "Byzanz <noreply@byzanz.example>"
    assert sent["subject"] == "Tocca a te"
    assert sent["auto-submitted"] == "auto-generated"
    text = sent.get_content()
    assert "Ada, Cleo" in text
    assert f"{PUBLIC}/table/{table}" in text
    stop = link(sent, "stop")
    assert sent["list-unsubscribe"] == f"<{PUBLIC}{stop}>"
    assert sent["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    with running.client() as anybody:
        assert 'id="stop"' in anybody.get(stop).text
        assert len(targets(ben)) == 1, "a preview of the link changes nothing"
        answer = anybody.post(stop, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
    assert targets(ben) == []


def test_an_address_that_the_mail_server_refuses_is_dropped(
    running: Served, mail: MailServer
) -> None:
    table, (ada, ben, _) = three(running)
    confirmed_email(ben, mail, "gone@example.org")
    mail.answer = "550 no such user"
    try:
        ada.act(table, "pass", decision=0)
        while targets(ben):
            time.sleep(0.05)
    finally:
        mail.answer = ""


def test_the_guest_and_the_address_are_deleted_together(running: Served, mail: MailServer) -> None:
    ada = running.player("Ada")
    confirmed_email(ada, mail, "forget.me@example.org")
    database = running.service.store.engine.url.database
    with closing(sqlite3.connect(str(database))) as connection:
        count = "SELECT count(*) FROM notification_targets WHERE address = 'forget.me@example.org'"
        assert connection.execute(count).fetchone() == (1,)
        assert ada.client.delete("/api/me").status_code == 204
        assert connection.execute(count).fetchone() == (0,)


def test_e_mail_goes_through_an_encrypted_connection_with_a_login(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mail_server(tmp_path) as server:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        settings = mailing(server.port, smtp_security="starttls", smtp_user=USER)
        with served(tmp_path, settings, PASSWORD, limits=LIMITS) as running:
            confirmed_email(running.player("Ada"), server, "ada@example.org")
        assert server.encrypted == [True]


def test_a_killed_server_sends_what_was_due_after_its_restart(
    tmp_path: Path, push: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BYZANZ_PUSH_TO_LOCAL_ADDRESSES", "true")
    monkeypatch.setenv("BYZANZ_NOTIFICATION_GRACE_SECONDS", "5")
    monkeypatch.setenv("BYZANZ_POLLING_PRESENCE_SECONDS", "0")
    browser = Browser()
    with ServerProcess(tmp_path) as process:
        running = Served(process.url, None, None)  # type: ignore[arg-type]
        table, (ada, ben, _) = three(running)
        subscribe(ben, push, browser)
        assert ada.act(table, "pass", decision=0).status_code == 200
        process.kill()
        for client in running.clients:
            client.close()
        process.start()
        message = push.pushed.get(timeout=3 * PATIENCE).message(browser)
    assert message["tag"] == f"turn-{table}"


def test_kinds_are_chosen_for_each_place(running: Served, push: PushService) -> None:
    ada = running.player("Ada")
    target = subscribe(ada, push, Browser(), kinds=["rematch"])
    assert target["kinds"] == ["rematch"]
    path = f"/api/me/notifications/{target['id']}"
    answer = ada.client.patch(path, json={"kinds": ["full", "turn"]})
    assert answer.json()["kinds"] == ["turn", "full"]
    assert ada.client.patch(path, json={"kinds": ["everything"]}).status_code == 400
    other = running.player("Ben")
    assert other.client.patch(path, json={"kinds": []}).status_code == 404
    assert other.client.delete(path).status_code == 404
    assert ada.client.delete(path).status_code == 204
    assert ada.client.delete(path).json()["error"]["code"] == "no-such-target"


@pytest.mark.parametrize(
    "endpoint",
    ["https://localhost/a", "https://10.0.0.1/a", "http://push.example/a", "https://[::1]/a"],
)
def test_a_public_server_refuses_private_endpoints(
    server: Served, push: PushService, endpoint: str
) -> None:
    ada = server.player("Ada")
    answer = ada.client.post("/api/me/notifications/push", json=Browser().subscription(endpoint))
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-endpoint")
    assert targets(ada) == []
    answer = ada.client.post("/api/me/notifications/email", json={"address": "a@example.org"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no-email")


def test_a_server_without_the_extra_offers_no_push(
    tmp_path: Path, push: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "PUSH_INSTALLED", False)
    with served(tmp_path, PUSHING, limits=LIMITS) as running:
        table, (ada, _, _) = three(running)
        assert ada.client.get("/api/me/notifications").json()["push_key"] is None
        body = Browser().subscription(push.url)
        answer = ada.client.post("/api/me/notifications/push", json=body)
        assert answer.json()["error"]["code"] == "no-push"
        for path in (f"/table/{table}", "/", "/notifications"):
            assert "data-push-key" not in ada.client.get(path).text


def test_the_server_starts_without_the_package_of_the_extra() -> None:
    code = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "cryptography":
            raise ModuleNotFoundError(f"blocked: {name}", name=name)

sys.meta_path.insert(0, Block())
import byzanz.web.app
from byzanz.web.notify.notifier import PUSH_INSTALLED
assert not PUSH_INSTALLED
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_switch_is_offered_where_somebody_may_have_to_wait(running: Served) -> None:
    table, (ada, _, _) = three(running)
    assert "data-push-key" in ada.client.get(f"/table/{table}").text
    assert "data-push-key" in ada.client.get("/").text
    alone = ada.found("random", "random")
    assert "data-push-key" not in ada.client.get(f"/table/{alone}").text
    with running.client() as anybody:
        for path in (f"/table/{table}", "/", "/notifications"):
            assert "data-push-key" not in anybody.get(path).text


def test_the_page_lists_all_places_and_its_forms_work(
    running: Served, push: PushService, mail: MailServer
) -> None:
    ada = running.player("Ada")
    browser = subscribe(ada, push, Browser())["id"]
    answer = ada.client.post(
        "/notifications/email", data={"address": " ada@Example.org "}, follow_redirects=True
    )
    assert "We are sending you an e-mail" in answer.text
    assert "This address is not confirmed yet" in answer.text
    assert "ada@example.org" in answer.text
    mail.next()
    answer = ada.client.post(f"/notifications/{browser}", data={"kind": ["full"]})
    assert answer.status_code == 303
    assert [each["kinds"] for each in targets(ada) if each["id"] == browser] == [["full"]]
    assert ada.client.post(f"/notifications/{browser}/remove").status_code == 303
    assert [each["channel"] for each in targets(ada)] == ["email"]
    assert ada.client.post("/notifications/email", data={"address": "nonsense"}).status_code == 400


def test_nobody_can_have_many_confirmations_sent(tmp_path: Path, mail: MailServer) -> None:
    rate = Settings().confirmation_rate
    settings = mailing(mail.port, confirmation_rate=rate)
    with served(tmp_path, settings, limits=LIMITS) as running:
        answers = [
            running.player().client.post(
                "/api/me/notifications/email", json={"address": "victim@example.org"}
            )
            for _ in range(int(rate.burst) + 3)
        ]
        accepted = [answer for answer in answers if answer.status_code == 201]
        assert len(accepted) == rate.burst
        assert {answer.status_code for answer in answers[int(rate.burst) :]} == {429}
        assert int(answers[-1].headers["retry-after"]) > 0
        for _ in accepted:
            assert mail.next()["to"] == "victim@example.org"
    assert mail.mails.empty()


def test_an_address_gets_a_limited_number_of_e_mails(tmp_path: Path, mail: MailServer) -> None:
    rate = msgspec.structs.replace(Settings().mail_rate, burst=1)
    with served(tmp_path, mailing(mail.port, mail_rate=rate), limits=LIMITS) as running:
        first, (ada, ben, cleo) = three(running)
        confirmed_email(ben, mail, "ben@example.org")
        ada.act(first, "pass", decision=0)
        assert mail.next()["to"] == "ben@example.org"
        second = ada.found(open_seats=2)
        for person in (ben, cleo):
            person.client.post(f"/api/tables/{second}/join", json={})
        ada.act(second, "pass", decision=0)
        with closing(sqlite3.connect(tmp_path / "byzanz.db")) as connection:
            done = (
                "SELECT count(*) FROM notices WHERE table_id = ? AND kind = 'turn' AND due IS NULL"
            )
            while connection.execute(done, [second]).fetchone() != (1,):
                time.sleep(0.05)
    assert mail.mails.empty()


def test_only_addresses_that_can_be_read_in_one_way_are_accepted() -> None:
    for good in ("a@b.example", "first.last+tag@sub.example.org", "o'brien@example.org"):
        assert checked_email(good) == good
    assert checked_email(" Ada@EXAMPLE.org ") == "Ada@example.org"
    for bad in (
        "", "a", "a@b", "@example.org", "a@", "a b@example.org", "a@exa mple.org",
        "a@example.org,b@example.org", "a@example.org\r\nBcc: b@example.org", "<a@example.org>",
        '"a b"@example.org', "a@-example.org", "a..b@example.org", ".a@example.org",
        "a@example..org", "ä@example.org", "a@" + "x" * 300 + ".org", "x" * 65 + "@example.org",
        "a@[127.0.0.1]",
    ):  # fmt: skip
        assert checked_email(bad) is None, bad
