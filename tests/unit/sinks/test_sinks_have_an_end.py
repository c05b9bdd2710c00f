"""A sink that is closed sends nothing more, and none keeps a socket."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fairlead.errors import FairleadError
from fairlead.sinks.otlp import OtlpSink
from fairlead.sinks.statsd import StatsdSink
from index_kit import call


@pytest.fixture
def receivers():
    """An OTLP endpoint and a StatsD port that take everything."""

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as statsd:
        statsd.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{server.server_address[1]}", f"127.0.0.1:{statsd.getsockname()[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def sink_of(kind, receivers):
    otlp, statsd = receivers
    return OtlpSink(otlp) if kind == "otlp" else StatsdSink(statsd, pause=lambda seconds: None)


def sockets_of_ours(receivers) -> int:
    """Connections of this process to the receivers, seen from the side that opened them."""
    otlp, statsd = receivers
    ports = {f"{int(address.rpartition(':')[2]):04X}" for address in (otlp, statsd)}
    found = 0
    for table in ("tcp", "udp"):
        with open(f"/proc/net/{table}", encoding="ascii") as file:
            for line in file.readlines()[1:]:
                remote, state = line.split()[2], line.split()[3]
                found += remote.rpartition(":")[2] in ports and state == "01"
    return found


@pytest.mark.parametrize("kind", ["otlp", "statsd"])
def test_a_sink_is_a_context_and_sends_nothing_after_its_end(kind, receivers):
    with sink_of(kind, receivers) as sink:
        sink.send([call(1)])
    sink.close()
    with pytest.raises(FairleadError, match="is closed"):
        sink.send([call(2)])


@pytest.mark.parametrize("kind", ["otlp", "statsd"])
def test_no_batch_leaves_a_socket_open(kind, receivers):
    before = set(threading.enumerate())
    for _ in range(20):
        with sink_of(kind, receivers) as sink:
            sink.send([call(1)])
    assert sockets_of_ours(receivers) == 0
    for thread in set(threading.enumerate()) - before:
        thread.join(20)  # the receiver's own end with their requests
        assert not thread.is_alive()
