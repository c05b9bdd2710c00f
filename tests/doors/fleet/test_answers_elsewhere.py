"""Asked on one machine, answered on another, over a real broker with a fleet's rights and real hook calls."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from fleet_broker import FleetBroker, needs_broker

from fairlead.doors.bus.connection import connect
from fairlead.doors.fleet.approvals.board import OpenQuestions
from fairlead.doors.fleet.subjects import ANSWERS, ASKS, subject_of
from fairlead.errors import FairleadError
from fairlead.policy.answers.questions import questions
from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from fleet_answers import ASKS_FIRST, AskingFleet
from kit import PASSPHRASE, at_terminal

pytestmark = [pytest.mark.slow, needs_broker]


class Fleet(AskingFleet):
    """With a person at the desk who types."""

    def __init__(self, folder: Path, broker: FleetBroker) -> None:
        super().__init__(folder, broker)
        set_passphrase(find_places(str(self.desk.home)), PASSPHRASE)

    def at_broker(self) -> list[str]:
        return ["--source", self.broker.url, "--credentials", self.broker.credentials("approver")]

    def open(self) -> list[dict]:
        shown = self.desk.fairlead("fleet", "asks", "--json", *self.at_broker())
        assert shown.returncode == 0, shown.stderr
        return json.loads(shown.stdout)

    def question(self) -> str:
        found = until(self.open)
        return str(found[0]["request"])

    def answer(self, request: str, *, who: str = "ana", word: str = "--yes") -> tuple[int, str]:
        words = ["fleet", "answer", request, word, "--reason", "as planned", "--key", self.people.path(who)]
        return at_terminal(self.desk, *words, *self.at_broker())

    def raw(self, stream: str) -> list[bytes]:
        """Everything that the broker has of this machine."""

        async def read() -> list[bytes]:
            client = await connect(self.broker.as_who("admin"), patience=30)
            try:
                js = client.jetstream()
                info = await js.stream_info(stream)
                numbers = range(max(info.state.first_seq, 1), info.state.last_seq + 1)
                return [(await js.get_msg(stream, number)).data for number in numbers]
            finally:
                await client.close()

        return asyncio.run(read())

    def send_raw(self, answer: bytes) -> None:
        async def send() -> None:
            client = await connect(self.broker.as_who("approver"), patience=30)
            try:
                await client.request(subject_of(ANSWERS, "m1"), answer, timeout=10)
            finally:
                await client.close()

        asyncio.run(send())

    def rules(self) -> list[str]:
        return [line["verdict"]["rule"] for line in self.asking.journal()]


def until(holds: Callable[[], Any], seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    with FleetBroker(tmp_path / "broker", ("m1", "web"), ("m2", "web")) as broker:
        yield Fleet(tmp_path, broker)


def test_a_yes_from_elsewhere_lets_the_call_through_once_and_only_once(fleet: Fleet) -> None:
    assert fleet.call() == 2
    with fleet.agent():
        status, shown = fleet.answer(fleet.question()[:12])
        assert status == 0 and "granted by ana" in shown, shown
        assert ASKS_FIRST in shown
        assert fleet.open() == []
        assert fleet.call("npm publish --tag next") == 2
        assert fleet.call() == 0
        assert fleet.call() == 2
    explained = fleet.asking.fairlead("log", "--json").stdout
    assert b"packages/publish" in explained
    passed = next(line for line in fleet.asking.journal() if line["verdict"].get("approved_by"))
    assert passed["verdict"]["approved_by"]["name"] == "ana"
    told = fleet.asking.fairlead("explain", passed["id"]).stdout.decode()
    assert "by ana, with the key" in told and "as planned" in told


def test_a_no_from_elsewhere_ends_the_question(fleet: Fleet) -> None:
    fleet.call()
    with fleet.agent():
        status, shown = fleet.answer(fleet.question(), word="--no")
        assert status == 0 and "denied by ana" in shown, shown
        assert questions(fleet.places) == []
        assert fleet.call() == 2


def test_whoever_may_not_answer_is_told_so_and_changes_nothing(fleet: Fleet) -> None:
    fleet.call()
    with fleet.agent():
        status, shown = fleet.answer(fleet.question(), who="eve")
        assert status == 1 and "may not answer" in shown, shown
        assert fleet.call() == 2
        assert len(fleet.open()) >= 1, "whoever may can still answer"


def test_an_answer_that_is_sent_again_does_nothing(fleet: Fleet) -> None:
    fleet.call()
    with fleet.agent():
        fleet.answer(fleet.question())
        assert fleet.call() == 0
        assert fleet.call() == 2
        fleet.send_raw(fleet.raw(ANSWERS)[0])
        until(lambda: "fleet/approval-refused" in fleet.rules())
        assert fleet.call() == 2


def test_an_answer_waits_on_the_broker_for_a_machine_whose_agent_is_away(fleet: Fleet) -> None:
    fleet.call()
    with fleet.agent():
        request = fleet.question()
    found = fleet.open()
    assert found[0]["request"] == request
    words = ["fleet", "answer", request, "--no", "--reason", "x", "--key", fleet.people.path("ana")]
    gone = fleet.desk.fairlead(*words, *fleet.at_broker())
    assert gone.returncode == 1 and b"has not said that it took the answer" in gone.stderr
    with fleet.agent():
        until(lambda: questions(fleet.places) == [])
    assert "fleet/approval" in fleet.rules()


def test_without_a_broker_no_answer_is_a_no_and_no_call_waits(fleet: Fleet) -> None:
    with fleet.agent():
        fleet.broker.server.stop()
        assert fleet.call() == 2
        assert fleet.call() == 2
        assert len(questions(fleet.places)) == 1
        fleet.broker.server.start()
        assert fleet.question(), "what was asked meanwhile is sent once the broker is back"


def test_an_agent_or_a_pipe_gives_no_yes(fleet: Fleet) -> None:
    fleet.call()
    with fleet.agent():
        request = fleet.question()
        words = ["fleet", "answer", request, "--yes", "--reason", "x", "--key", fleet.people.path("ana")]
        refused = fleet.desk.fairlead(*words, *fleet.at_broker())
        assert refused.returncode == 1 and b"a human is needed" in refused.stderr
        assert fleet.raw(ANSWERS) == []


def test_the_machine_that_asks_does_not_answer(fleet: Fleet) -> None:
    fleet.call()
    with fleet.agent():
        request = fleet.question()
        words = ["fleet", "answer", request, "--no", "--reason", "x", "--key", fleet.people.path("ana")]
        refused = fleet.asking.fairlead(*words, *fleet.at_broker())
        assert refused.returncode == 1 and b"has asked that itself" in refused.stderr


def test_what_the_broker_has_of_a_question_holds_no_secret(fleet: Fleet) -> None:
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    fleet.call(f"npm publish --token {secret}")
    with fleet.agent():
        fleet.question()
    sent = b"".join(fleet.raw(ASKS))
    assert secret.encode() not in sent and b'"s1"' not in sent


def test_questions_are_followed_as_they_come(fleet: Fleet) -> None:
    words = ["--home", str(fleet.desk.home), "fleet", "asks", "--follow", "--json", *fleet.at_broker()]
    following = subprocess.Popen(
        [sys.executable, "-m", "fairlead", *words], stdout=subprocess.PIPE, text=True
    )
    try:
        fleet.call()
        with fleet.agent():
            assert following.stdout is not None
            told = json.loads(following.stdout.readline())
            assert (told["machine"], told["rule"]) == ("m1", "packages/publish")
    finally:
        following.kill()
        following.communicate()


def test_a_dashboard_shows_what_waits_and_answers_what_it_has_shown(fleet: Fleet) -> None:
    fleet.call()
    board = OpenQuestions(
        fleet.broker.as_who("approver"), find_places(str(fleet.desk.home)), fleet.people.keys["ana"]
    )
    try:
        with fleet.agent():
            (shown,) = until(board.open_questions)
            answer = {"answer": "approve", "reason": "as planned", "ask": shown["ask"]}
            with pytest.raises(FairleadError, match="not the question that was shown"):
                board.answer(shown["request"], {**answer, "ask": "0" * 64})
            with pytest.raises(FairleadError, match="reason"):
                board.answer(shown["request"], {**answer, "reason": ""})
            board.answer(shown["request"], answer)
            until(lambda: board.outcomes().get(shown["request"]) == "granted")
            assert board.open_questions() == []
            assert fleet.call() == 0
    finally:
        board.close()


def test_a_dashboard_without_a_key_only_shows(fleet: Fleet) -> None:
    board = OpenQuestions(fleet.broker.as_who("approver"), find_places(str(fleet.desk.home)))
    try:
        assert not board.can_answer and board.open_questions() == []
        with pytest.raises(FairleadError, match="only shows"):
            board.answer("ab", {"answer": "approve"})
    finally:
        board.close()


def test_people_are_told_by_a_webhook_and_nothing_that_comes_back_decides(fleet: Fleet) -> None:
    with Receiver() as receiver:
        words = ["fleet", "notify-approvers", "--webhook", receiver.url, *fleet.at_broker()]
        command = [sys.executable, "-I", "-m", "fairlead", "--home", str(fleet.desk.home), *words]
        telling = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert telling.stderr is not None and "telling" in telling.stderr.readline()
            fleet.call()
            with fleet.agent():
                until(lambda: receiver.got)
                assert fleet.call() == 2
            told = json.loads(receiver.got[0])
            assert (told["machine"], told["rule"]) == ("m1", "packages/publish")
            assert len(receiver.got) == 1
        finally:
            telling.terminate()
            telling.communicate(timeout=30)
        assert telling.returncode == 0


class Receiver:
    """Takes what is posted, and says yes to everything."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        got = self.got

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                got.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"answer": "approve"}')

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Receiver:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def test_where_no_local_person_may_answer_somebody_elsewhere_can(fleet: Fleet) -> None:
    managed = Path(fleet.places.fleet, "current", "hooks", "managed.yaml")
    managed.write_text("forbid: [approve]\n")
    refused = fleet.asking.hook(fleet.asking.bash(ASKS_FIRST))
    assert refused.returncode == 2
    assert b"People elsewhere can answer this" in refused.stderr and b"fairlead approve" not in refused.stderr
    with fleet.agent():
        assert fleet.answer(fleet.question())[0] == 0
        assert fleet.call() == 0
        assert fleet.call() == 2


def test_an_off_that_was_signed_elsewhere_is_taken_by_the_agent_and_used_by_a_person(fleet: Fleet) -> None:
    managed = Path(fleet.places.fleet, "current", "hooks", "managed.yaml")
    managed.write_text("forbid: [off]\n")
    words = ["fleet", "grant-off", "m1", "--minutes", "5", "--reason", "migration", "--yes"]
    words += ["--key", fleet.people.path("ana"), *fleet.at_broker()]
    status, shown = at_terminal(fleet.desk, *words)
    assert status == 0 and "sent" in shown, shown
    switch = ("off", "--granted", "--yes")
    assert at_terminal(fleet.asking, *switch, logged_in=True)[0] == 1, "nobody has taken it yet"
    with fleet.agent():
        until(lambda: "break-glass/grant" in fleet.rules())
    fleet.send_raw(fleet.raw(ANSWERS)[-1])
    with fleet.agent():
        until(lambda: at_terminal(fleet.asking, *switch, logged_in=True)[0] == 0)
    assert fleet.call() == 0
    assert fleet.rules().count("break-glass/grant") == 1, "what is sent again does nothing"
