"""Moves bytes between a client and a server and looks at none: what any door has to cost at least."""

from __future__ import annotations

import os
import select
import subprocess
import sys


def main() -> None:
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin and server.stdout
    to_server, from_server = server.stdin.fileno(), server.stdout.fileno()
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(from_server, select.POLLIN)
    ways = {0: to_server, from_server: 1}
    while from_server in ways:
        for descriptor, _ in poll.poll():
            part = os.read(descriptor, 1 << 16)
            target = ways[descriptor]
            if not part:
                poll.unregister(descriptor)
                del ways[descriptor]
                if descriptor == 0:
                    server.stdin.close()
            while part:
                part = part[os.write(target, part) :]
    sys.exit(server.wait())


if __name__ == "__main__":
    main()
