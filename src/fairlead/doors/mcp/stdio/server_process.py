"""The server as a child: in the door's own process group, with the least environment, ended step by step."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress

from fairlead.errors import FairleadError
from fairlead.model.value import Value
from fairlead.platforms import here

PIPE_BYTES = 1 << 20


class CannotStartError(FairleadError):
    """The exit codes are those of shells."""

    def __init__(self, message: str, *, hint: str, exit_code: int) -> None:
        super().__init__(message, hint=hint)
        self.exit_code = exit_code


def resolved(command: str, environment: Mapping[str, str]) -> str:
    """The file that would run. Raises CannotStartError."""
    if "/" in command:
        candidates = [os.path.abspath(command)]
    else:
        folders = environment.get("PATH", os.defpath).split(os.pathsep)
        candidates = [os.path.abspath(os.path.join(folder, command)) for folder in folders]
    for path in candidates:
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    if any(os.path.exists(path) for path in candidates):
        raise CannotStartError(f"{command} cannot be run", hint="is it executable? chmod +x", exit_code=126)
    hint = "give its whole path, or add its folder to PATH where the client is started"
    raise CannotStartError(f"there is no program {command}", hint=hint, exit_code=127)


class ServerProcess(Value):
    pid: int
    stdin: int
    stdout: int

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """It and all that it started: a runner such as npx would leave its server behind."""
        for pid in reversed(_family(self.pid)):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def ended(self) -> int | None:
        """Its exit code as shells say it; None while it runs. Asked until it has ended, and not after."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code


def start(program: str, vector: Sequence[str], environment: Mapping[str, str]) -> ServerProcess:
    """Raises CannotStartError."""
    its_stdin, our_stdin = os.pipe()
    our_stdout, its_stdout = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, its_stdin, 0), (os.POSIX_SPAWN_DUP2, its_stdout, 1)]
    try:
        pid = os.posix_spawn(
            program,
            list(vector),
            dict(environment),
            file_actions=actions,
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
        )
    except OSError as error:
        why = f"{program} cannot be started: {error.strerror}"
        raise CannotStartError(why, hint="try the same command without the door", exit_code=126) from error
    finally:
        os.close(its_stdin)
        os.close(its_stdout)
    for end in (our_stdin, our_stdout):
        os.set_blocking(end, False)
        here.widen(end, PIPE_BYTES)
    return ServerProcess(pid=pid, stdin=our_stdin, stdout=our_stdout)


def _family(pid: int) -> list[int]:
    """The process and those below it, as far as the system tells."""
    found = [pid]
    for each in found:
        found += here.children(each)
    return found
