from __future__ import annotations

import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard_kit import Dashboard, recent
from fairlead.doors.dashboard.feed import MAX_STREAMS
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.model.tool_call import ToolCall
from fairlead.model.verdict import Verdict
from fairlead.policy.answers.grants import Grants
from fairlead.policy.answers.questions import ask, question_about, take
from fairlead.policy.places import find_places
from index_kit import observation, write

pytestmark = pytest.mark.slow


def test_the_address_works_once(tmp_path: Path) -> None:
    made = Dashboard(tmp_path)
    token = made.gate.token
    assert made.ask("/").status == 403
    first = made.ask(f"/?token={token}")
    assert (first.status, first.headers["location"]) == (303, "/")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert token not in cookie
    assert made.ask(f"/?token={token}").status == 403
    assert made.ask("/?token=").status == 403
    made.cookie = cookie.split(";")[0]
    assert made.ask("/").status == 200
    made.close()


@pytest.mark.parametrize(
    "path", ["/", "/api/calls", "/api/stream", "/metrics", "/static/app.js", "/api/about"]
)
def test_without_the_cookie_nothing_is_shown(dashboard: Dashboard, path: str) -> None:
    dashboard.cookie = ""
    assert dashboard.ask(path).status == 403
    dashboard.cookie = f"fairlead_{dashboard.port}=wrong"
    assert dashboard.ask(path).status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.evil.example:{port}", ""]
)
def test_a_rebound_name_is_refused(dashboard: Dashboard, host: str) -> None:
    answer = dashboard.ask("/api/calls", headers={"host": host.format(port=dashboard.port)})
    assert answer.status in (400, 421)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_site_is_refused_with_the_cookie_and_without(
    dashboard: Dashboard, headers: dict[str, str]
) -> None:
    assert dashboard.ask("/api/calls", headers=headers).status == 403
    assert dashboard.ask("/api/hooks/x", "POST", {"enabled": False}, headers=headers).status == 403


def test_a_form_of_another_site_cannot_change_anything(writable: Dashboard) -> None:
    for headers in ({"content-type": "text/plain"}, {"content-type": "application/x-www-form-urlencoded"}):
        assert writable.ask("/api/asks/x", "POST", {"answer": "approve"}, headers=headers).status == 415
    without = {"cookie": writable.cookie, "content-type": "application/json"}
    assert writable.ask("/api/asks/x", "POST", headers=without).status == 403
    assert writable.ask("/api/calls", "DELETE").status == 405


@pytest.mark.parametrize(
    "path",
    [
        "/static/../api.py",
        "/static/%2e%2e/server.py",
        "/static/..%2f..%2fserver.py",
        "/static//etc/passwd",
        "/etc/passwd",
    ],
)
def test_paths_lead_nowhere_else(dashboard: Dashboard, path: str) -> None:
    answer = dashboard.ask(path)
    assert answer.status == 404
    assert b"root:" not in answer.body and b"import" not in answer.body


def test_every_answer_forbids_what_a_page_does_not_need(dashboard: Dashboard) -> None:
    for path in ("/", "/api/calls", "/static/app.js", "/nothing", "/api/calls/none"):
        headers = dashboard.ask(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers


def test_the_page_has_no_inline_script_or_style(dashboard: Dashboard) -> None:
    page = dashboard.ask("/").body.decode()
    assert "<script>" not in page and "style=" not in page and "onclick" not in page


def test_calls_come_with_filters_and_pages(dashboard: Dashboard) -> None:
    write(
        dashboard.journal,
        *(recent(number, "block" if number == 3 else "continue") for number in range(9, 0, -1)),
    )
    dashboard.wait_for("/api/calls", lambda found: len(found["calls"]) == 9)
    page = dashboard.ask("/api/calls?limit=4").json()
    first = page["calls"]
    assert [line["summary"][-1] for line in first] == ["1", "2", "3", "4"]
    second = dashboard.ask(f"/api/calls?limit=4&before={page['more']}").json()["calls"]
    assert [line["summary"][-1] for line in second] == ["5", "6", "7", "8"]
    (blocked,) = dashboard.ask("/api/calls?decision=block&decision=halt").json()["calls"]
    assert blocked["rule"] == "git/force-push"
    assert dashboard.ask("/api/calls?since=nonsense").status == 400
    assert dashboard.ask("/api/calls?limit=99999999&text=%25").json() == {"calls": [], "more": ""}


def test_one_call_is_told_whole(dashboard: Dashboard) -> None:
    made = recent(5, "block")
    write(dashboard.journal, made, observation(made, 6))
    dashboard.wait_for("/api/calls", lambda found: found["calls"])
    record = dashboard.ask(f"/api/calls/{made['id']}").json()
    assert [outcome["hook"] for outcome in record["outcomes"]] == ["guard", "log-operations"]
    assert dashboard.ask("/api/calls/none").status == 400


def test_sessions_and_hooks(dashboard: Dashboard) -> None:
    write(dashboard.journal, recent(2), recent(1, "block"))
    dashboard.wait_for("/api/calls", lambda found: len(found["calls"]) == 2)
    assert dashboard.ask("/api/sessions").json()[0]["session"] == "s1"
    hooks = dashboard.ask("/api/hooks").json()["hooks"]
    assert "block-dangerous-commands" in {hook["id"] for hook in hooks}


def test_prometheus_reads_the_metrics_with_its_own_token(dashboard: Dashboard) -> None:
    write(dashboard.journal, recent(2), recent(1, "block", agent='odd"\\\nname'))
    dashboard.wait_for("/api/calls", lambda found: len(found["calls"]) == 2)
    dashboard.cookie = ""
    bearer = {"authorization": f"Bearer {dashboard.gate.scrape_token}"}
    answer = dashboard.ask("/metrics", headers=bearer)
    text = answer.body.decode()
    assert 'fairlead_calls_total{agent="claude",decision="continue"} 1' in text
    assert 'agent="odd\\"\\\\\\nname"' in text
    assert 'fairlead_rule_hits_total{rule="git/force-push"} 1' in text
    assert 'fairlead_call_milliseconds{quantile="0.5"}' in text
    for line in text.splitlines():
        assert line.startswith("# ") or " " in line
    assert dashboard.ask("/api/calls", headers=bearer).status == 403


def test_a_new_call_comes_down_the_stream(dashboard: Dashboard) -> None:
    write(dashboard.journal, recent(50))
    dashboard.wait_for("/api/calls", lambda found: found["calls"])
    with Stream(dashboard) as lines:
        assert next(lines) == ": open"
        write(dashboard.journal, recent(1, "block"))
        data = next(line for line in lines if line.startswith("data: "))
    assert json.loads(data.removeprefix("data: "))["decision"] == "block"


class Stream:
    """A page that listens."""

    def __init__(self, dashboard: Dashboard) -> None:
        self._socket = socket.create_connection(("127.0.0.1", dashboard.port), timeout=20)
        host = f"127.0.0.1:{dashboard.port}"
        self._socket.sendall(
            f"GET /api/stream HTTP/1.1\r\nhost: {host}\r\ncookie: {dashboard.cookie}\r\n\r\n".encode()
        )
        self._file = self._socket.makefile("r", newline="\n")

    def __enter__(self) -> Iterator[str]:
        self.status = int(self._file.readline().split()[1])
        return (
            line.strip()
            for line in self._file
            if (":" in line and not line[0].isalpha()) or line.startswith("data")
        )

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()


def test_too_many_streams_at_once_are_refused_politely(dashboard: Dashboard) -> None:
    streams = [Stream(dashboard) for _ in range(200)]
    for each in streams:
        each.__enter__()
    assert Counter(each.status for each in streams) == {200: MAX_STREAMS, 503: 200 - MAX_STREAMS}
    assert dashboard.ask("/api/about").status == 200
    for each in streams:
        each.__exit__()
    end = time.monotonic() + 20
    while True:  # a place is free again when the server has noticed that its page is gone
        another = Stream(dashboard)
        another.__enter__()
        another.__exit__()
        if another.status == 200 or time.monotonic() > end:
            break
    assert another.status == 200


def asked(
    dashboard: Dashboard, command: str = "git push --force", *, exactly: bool = True
) -> tuple[str, Event]:
    """A call that nobody could be asked about; its code."""
    tool = ToolCall("Bash", {"command": command})
    event = Event(EventName.BEFORE_TOOL, agent="codex", session="s", tool=tool, request="r1")
    places = find_places(str(dashboard.home))
    exact = {"command": command, "cwd": "/project"} if exactly else None
    said = Outcome(Decision.ASK, rule="git/force-push", metrics={"exact": exact})
    verdict = Verdict(Decision.ASK, "that rewrites history", rule=said.rule, outcomes=(said,))
    return ask(places, question_about(event, verdict, summary=f"Bash {command}")), event


def test_without_a_human_nothing_can_be_changed(dashboard: Dashboard) -> None:
    code, event = asked(dashboard)
    for path, body in ((f"/api/asks/{code}", {"answer": "approve"}), ("/api/hooks/x", {"enabled": False})):
        answer = dashboard.ask(path, "POST", body)
        assert answer.status == 403
        assert "--writable" in answer.json()["hint"]
    assert not take(find_places(str(dashboard.home)), event)


def test_a_question_is_approved_for_the_same_call_and_once(writable: Dashboard) -> None:
    code, event = asked(writable)
    (question,) = writable.ask("/api/asks").json()
    assert (question["code"], question["agent"]) == (code, "codex")
    assert question["reason"] == "that rewrites history"
    assert writable.ask(f"/api/asks/{code}", "POST", {"answer": "maybe"}).status == 400
    assert writable.ask(f"/api/asks/{code}", "POST", {"answer": "approve"}).status == 200
    places = find_places(str(writable.home))
    assert writable.ask("/api/asks").json() == []
    assert take(places, event)
    assert not take(places, event.replace(request="r2"))
    assert writable.ask(f"/api/asks/{code}", "POST", {"answer": "approve"}).status == 400


@pytest.mark.parametrize("length", ["session", "while", "project"])
def test_a_question_is_approved_for_longer_for_its_command_alone(writable: Dashboard, length: str) -> None:
    code, event = asked(writable)
    assert writable.ask("/api/asks").json()[0]["lengths"] == ["once", "session", "while", "project"]
    assert writable.ask(f"/api/asks/{code}", "POST", {"answer": "approve", "for": length}).status == 200
    places = find_places(str(writable.home))
    (given,) = Grants(places).all()
    assert (given.rule, given.command, given.agent) == ("git/force-push", "git push --force", "codex")
    assert (given.session, given.until > 0) == ("s" if length == "session" else "", length != "project")
    assert writable.ask("/api/asks").json() == [] and not take(places, event)


def test_what_is_more_than_a_command_is_approved_once_or_not_at_all(writable: Dashboard) -> None:
    code, _ = asked(writable, exactly=False)
    assert writable.ask("/api/asks").json()[0]["lengths"] == ["once"]
    for length in ("session", "project", "while", "ever"):
        assert writable.ask(f"/api/asks/{code}", "POST", {"answer": "approve", "for": length}).status == 400
    assert Grants(find_places(str(writable.home))).all() == []


def test_a_denied_question_gives_nothing(writable: Dashboard) -> None:
    code, event = asked(writable)
    assert writable.ask(f"/api/asks/{code}", "POST", {"answer": "deny"}).status == 200
    assert writable.ask("/api/asks").json() == []
    assert not take(find_places(str(writable.home)), event)
    assert writable.ask("/api/asks/none", "POST", {"answer": "approve"}).status == 400
    assert writable.ask("/api/asks/..%2f..%2fx", "POST", {"answer": "approve"}).status in (400, 404)


def test_a_hook_is_switched_off_and_on(writable: Dashboard) -> None:
    def enabled() -> set[bool]:
        hooks = writable.ask("/api/hooks").json()["hooks"]
        return {hook["enabled"] for hook in hooks if hook["id"] == "protect-sensitive-files"}

    path = "/api/hooks/protect-sensitive-files"
    assert enabled() == {True}
    assert writable.ask(path, "POST", {"enabled": False}).status == 200
    assert enabled() == {False}
    assert writable.ask(path, "POST", {"enabled": True}).status == 200
    assert enabled() == {True}
    assert writable.ask(path, "POST", {"enabled": "yes"}).status == 400
    assert writable.ask("/api/hooks/none", "POST", {"enabled": True}).status == 400


def test_calls_of_the_doctor_are_shown_to_whoever_asks_for_them(dashboard: Dashboard) -> None:
    write(dashboard.journal, recent(2), recent(1, "block", canary=True))
    dashboard.wait_for("/api/calls?canaries=1", lambda found: len(found["calls"]) == 2)
    assert [one["canary"] for one in dashboard.ask("/api/calls").json()["calls"]] == [False]
    assert [one["canary"] for one in dashboard.ask("/api/calls?canaries=1").json()["calls"]] == [True, False]
