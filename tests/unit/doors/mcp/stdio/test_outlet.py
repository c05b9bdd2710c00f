"""Writing to who does not read."""

import os
import socket

from fairlead.doors.mcp.stdio.outlet import Outlet


def test_what_does_not_fit_is_kept_and_written_later_in_order():
    read, write = os.pipe()
    os.set_blocking(write, False)
    outlet = Outlet(write)
    sent = [bytes([number]) * 50_000 for number in range(20)]
    for part in sent:
        outlet.send(part)
    assert outlet.waiting > 0
    got = b""
    while outlet.waiting:
        got += os.read(read, 1 << 20)
        outlet.flush()
    outlet.close()
    while part := os.read(read, 1 << 20):
        got += part
    os.close(read)
    assert got == b"".join(sent)


def test_a_reader_that_is_gone_breaks_it_and_raises_nothing():
    read, write = os.pipe()
    outlet = Outlet(write)
    os.close(read)
    outlet.send(b"x")
    outlet.send(b"y")
    assert (outlet.broken, outlet.waiting) == (True, 0)
    outlet.close()


def test_a_socket_that_is_full_does_not_wait():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        outlet = Outlet.of_standard(ours.fileno())
        outlet.send(b"x" * (8 << 20))
        assert outlet.waiting > 0
        assert ours.getblocking()
        outlet.close()
