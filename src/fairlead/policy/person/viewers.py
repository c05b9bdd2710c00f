"""Who looks at a terminal that a server keeps: tmux says so itself; of others, whoever runs their program."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.policy.person.processes import Process, lineage, running


def find_viewers(server: Process, child: Process) -> Iterator[list[Process]]:
    """The lineages of the processes that show this terminal to somebody."""
    ids = _clients_of_tmux(server, child) if server.name == "tmux" else running(server.name)
    for client in ids:
        if client != server.id:
            yield list(lineage(client))


def _clients_of_tmux(server: Process, child: Process) -> list[int]:
    """By the socket that the server gave its child: the same variable names the server's own process."""
    import subprocess

    socket, _, rest = child.variables.get("TMUX", "").partition(",")
    if rest.partition(",")[0] != str(server.id) or not server.program:
        return []
    command = [server.program, "-S", socket, "list-clients", "-F", "#{client_pid}"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False, env={})
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [int(line) for line in answer.stdout.split() if line.isdigit()]
