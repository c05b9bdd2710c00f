"""After a restart of the broker all machines log in at once, and some of them are slow."""

import socket

import pytest
from fleet_broker import FleetBroker, needs_broker

pytestmark = [pytest.mark.slow, needs_broker]
_SLOW = 4.0
"""Seconds; a broker that is not told otherwise sends machines away after two."""


def test_a_machine_that_is_slow_to_log_in_is_not_sent_away(tmp_path):
    with (
        FleetBroker(tmp_path, ("m1", "web")) as broker,
        socket.create_connection(("127.0.0.1", broker.server.port), timeout=30) as client,
    ):
        assert client.recv(4096).startswith(b"INFO ")
        client.settimeout(_SLOW)
        with pytest.raises(TimeoutError):
            client.recv(4096)
