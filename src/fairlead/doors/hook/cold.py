"""`fairlead hook AGENT [EVENT]`: one call answered in this process, without a daemon."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence

from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import PAYLOAD_BOUND, SECONDS, HookCall
from fairlead.doors.hook.judged import Answer
from fairlead.doors.hook.systems import Systems
from fairlead.model.hook import Hook
from fairlead.model.value import Value
from fairlead.policy.places import find_places

_STDIN, _STDOUT, _STDERR = 0, 1, 2


class Arguments(Value):
    """The command line of a hook; what is missing is judged as a call of an unknown agent."""

    agent: str = "generic"
    native_event: str = ""
    home: str = ""
    policies: tuple[str, ...] = ()
    request: str = ""
    seconds: float = SECONDS
    bus: str = ""
    credentials: str = ""
    tls: tuple[str, ...] = ()
    """For the bus: who signed its certificate, our own, and the key of that."""
    reply_fd: int = -1
    """Where the client waits for the reply; -1 for `fairlead hook` without one."""


def main(words: list[str]) -> int:
    return run(parse(words))


def run(arguments: Arguments, *, more_hooks: Sequence[Hook] = ()) -> int:
    places = find_places(arguments.home)
    systems = Systems(places, extra_policies=arguments.policies, more_hooks=more_hooks, saving=True)
    answered = answer(call_of(arguments, dict(os.environ)), systems)
    write(_STDOUT, answered.reply.stdout)
    write(_STDERR, answered.reply.stderr)
    finish(answered, systems)
    return answered.reply.exit_code


def call_of(arguments: Arguments, environment: Mapping[str, str]) -> HookCall:
    """The call that this process was started for; its payload is on stdin."""
    return HookCall(
        agent=arguments.agent,
        payload=read_payload(),
        native_event=arguments.native_event,
        cwd=_cwd(),
        environment=environment,
        request=arguments.request or os.urandom(16).hex(),
        seconds=arguments.seconds,
    )


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""  # it was deleted under the agent's feet


def parse(words: list[str]) -> Arguments:
    """`[--home DIR] hook AGENT [EVENT] [--policy DIR]... [--bus URL ...] [--request ID] [--seconds N]`.

    Never refuses: a usage error would exit with a code that an agent reads as a verdict.
    """
    options: dict[str, list[str]] = {}
    plain: list[str] = []
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            name, given, value = word.partition("=")
            options.setdefault(name, []).append(value if given else next(rest, ""))
        else:
            plain.append(word)
    return Arguments(
        agent=plain[1] if len(plain) > 1 else "generic",
        native_event=plain[2] if len(plain) > 2 else "",
        home=options.get("--home", [""])[-1],
        policies=tuple(options.get("--policy", ())),
        request=options.get("--request", [""])[-1],
        seconds=_seconds(options.get("--seconds", [""])[-1]),
        bus=options.get("--bus", [""])[-1],
        credentials=options.get("--credentials", [""])[-1],
        tls=tuple(options.get(f"--tls-{name}", [""])[-1] for name in ("ca", "cert", "key")),
        reply_fd=_descriptor(options.get("--reply-fd", [""])[-1]),
    )


def _seconds(text: str) -> float:
    try:
        return min(max(float(text), 0.1), 600.0)
    except ValueError:
        return SECONDS


def _descriptor(text: str) -> int:
    return int(text) if text.isdecimal() else -1


def read_payload() -> bytes:
    """All of stdin, or one byte more than is judged, so that the judge can see that it is too much."""
    chunks: list[bytes] = []
    size = 0
    while size <= PAYLOAD_BOUND:
        try:
            chunk = os.read(_STDIN, min(1 << 20, PAYLOAD_BOUND + 1 - size))
        except OSError:
            break  # stdin is closed: an empty payload, which is answered as one
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def write(descriptor: int, data: bytes) -> None:
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except OSError:
            return  # nobody listens any more; the exit code still speaks


def finish(answered: Answer, systems: Systems) -> None:
    if answered.afterwards is not None:
        _detached(answered.afterwards, systems)
    systems.close()


def _is_awaited(descriptor: int) -> bool:
    """Whether somebody may wait for its end: nobody does for that of a terminal or a file."""
    mode = os.fstat(descriptor).st_mode
    return not (stat.S_ISCHR(mode) or stat.S_ISREG(mode))


def _detached(work: Callable[[], None], systems: Systems) -> None:
    """Runs the observers in a process of their own, so that the agent does not wait for them."""
    try:
        child = os.fork()
    except OSError:
        work()  # no process to be had: late is better than never
        return
    if child:
        return
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (_STDIN, _STDOUT, _STDERR):
            if descriptor != _STDERR or _is_awaited(_STDERR):
                os.dup2(nothing, descriptor)
        systems.leave_to_parent()
        work()
    finally:
        os._exit(0)
