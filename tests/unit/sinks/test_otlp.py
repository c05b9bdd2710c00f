from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fairlead.doors.cli.main import fairlead
from fairlead.errors import FairleadError
from fairlead.sinks.otlp import OtlpSink, metrics_of, spans_of
from index_kit import call, observation, outcome, write


class Collector:
    """Takes what is posted, or answers with `status`."""

    def __init__(self) -> None:
        self.received: list[tuple[str, dict, dict]] = []
        self.status = 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                if outer.status == 200:
                    headers = {name.lower(): value for name, value in self.headers.items()}
                    outer.received.append((self.path, body, headers))
                self.send_response(outer.status)
                if outer.status == 302:
                    self.send_header("location", "http://127.0.0.1:1/")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def spans(self) -> list[dict]:
        bodies = [body for path, body, _ in self.received if path == "/v1/traces"]
        return [span for body in bodies for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.close()


def attributes(span: dict) -> dict[str, object]:
    return {each["key"]: next(iter(each["value"].values())) for each in span["attributes"]}


def test_a_call_is_a_span_and_each_hook_one_below_it() -> None:
    record = call(1, "block", outcomes=[outcome("guard", "block", rule="git/force-push"), outcome("other")])
    record["facts"] = {
        "tool": {"name": "Bash", "kind": "shell", "call": "toolu_1", "input": {"command": "secret"}}
    }
    parent, guard, _ = spans_of(record)
    assert (len(parent["traceId"]), len(parent["spanId"])) == (32, 16)
    assert guard["parentSpanId"] == parent["spanId"]
    assert guard["traceId"] == parent["traceId"]
    assert int(parent["endTimeUnixNano"]) - int(parent["startTimeUnixNano"]) == 1_000_000
    found = attributes(parent)
    assert (found["session.id"], found["tool_use_id"]) == ("s1", "toolu_1")
    assert (found["fairlead.decision"], found["fairlead.rule"]) == ("block", "git/force-push")
    assert not any(key.startswith("gen_ai") for key in found)
    assert "secret" not in json.dumps(spans_of(record))
    assert attributes(spans_of(record, genai=True)[0])["gen_ai.tool.call.id"] == "toolu_1"


def test_what_observers_said_joins_the_span_of_the_call() -> None:
    first = call(1)
    (span,) = spans_of(observation(first, 2))
    assert span["parentSpanId"] == spans_of(first)[0]["spanId"]


def test_a_session_is_one_trace() -> None:
    traces = {spans_of(call(number, session="a"))[0]["traceId"] for number in range(5)}
    assert len(traces) == 1
    assert spans_of(call(9, session="b"))[0]["traceId"] not in traces


def test_metrics_count_what_was_sent() -> None:
    total, times = metrics_of([call(1), call(2), call(3, "block", ms=30.0)])
    points = {attributes(point)["fairlead.decision"]: point["asInt"] for point in total["sum"]["dataPoints"]}
    assert points == {"continue": "2", "block": "1"}
    (histogram,) = times["histogram"]["dataPoints"]
    assert (histogram["count"], histogram["sum"]) == ("3", 32.0)
    assert len(histogram["bucketCounts"]) == len(histogram["explicitBounds"]) + 1
    assert sum(map(int, histogram["bucketCounts"])) == 3


def test_a_collector_gets_traces_and_metrics_with_the_users_headers(collector: Collector) -> None:
    OtlpSink(collector.address + "/", headers={"x-key": "k"}).send([call(1)])
    assert [path for path, _, _ in collector.received] == ["/v1/traces", "/v1/metrics"]
    assert collector.received[0][2]["x-key"] == "k"


@pytest.mark.parametrize("status", [400, 500, 302])
def test_what_a_collector_does_not_take_is_an_error(collector: Collector, status: int) -> None:
    collector.status = status
    with pytest.raises(FairleadError, match=str(status)):
        OtlpSink(collector.address).send([call(1)])


def test_plain_http_is_for_this_machine_only() -> None:
    with pytest.raises(FairleadError, match="not https"):
        OtlpSink("http://collector.example:4318")
    with pytest.raises(FairleadError, match="not https"):
        OtlpSink("file:///etc/passwd")


def forward(home: Path, *words: str) -> Result:
    return CliRunner().invoke(fairlead, ["--home", str(home), "forward", *words], standalone_mode=False)


def test_a_collector_that_was_away_misses_nothing(collector: Collector, tmp_path: Path) -> None:
    journal = tmp_path / "state" / "journal"
    write(journal, *(call(number) for number in range(5)))
    first = forward(tmp_path, "--otlp", collector.address, "--from-start")
    assert first.exception is None
    calls = [span for span in collector.spans() if span["name"].startswith("fairlead")]
    assert len(calls) == 5
    collector.status = 503
    write(journal, call(10), call(11))
    assert isinstance(forward(tmp_path, "--otlp", collector.address).exception, FairleadError)
    collector.status = 200
    assert "2 lines sent" in forward(tmp_path, "--otlp", collector.address).stderr
    assert "0 lines sent" in forward(tmp_path, "--otlp", collector.address).stderr
    calls = [span for span in collector.spans() if span["name"].startswith("fairlead")]
    assert len({span["spanId"] for span in calls}) == 7


def test_the_first_time_begins_with_what_comes(collector: Collector, tmp_path: Path) -> None:
    write(tmp_path / "state" / "journal", call(1))
    assert "0 lines sent" in forward(tmp_path, "--otlp", collector.address).stderr
    assert forward(tmp_path, "--otlp", collector.address, "--header", "nonsense").exception is not None
