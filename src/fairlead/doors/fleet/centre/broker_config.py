"""The accounts and rights of a fleet, as the configuration of a nats-server. Whoever gets no right has none.

Machines have an account of their own, and the streams are in another. Inside one account, a message may name
any subject for its answer, and what the broker answers goes there without a right being asked for: a machine
could have the acknowledgement of its own heartbeat put in the place of its group's pointer. Through an import
an answer only ever comes back into the account of those who asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from fairlead.doors.fleet.subjects import (
    ANSWERS,
    ASKS,
    BUNDLE_BUCKET,
    DECISIONS,
    HEARTBEATS,
    POLICY_BUCKET,
    PREFIXES,
    direct_get,
    group_key,
    inbox_of,
    policy_subject,
    stream_of,
    subject_of,
)
from fairlead.errors import UsageError
from fairlead.model.value import Value

_LOGIN_SECONDS = 10
"""By default one or two. After a restart all machines come at once, and who is sent away for being slow comes
again."""
NKEY = re.compile(r"U[A-Z2-7]{55}", re.ASCII)
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII)
_ROLES = policy_subject("roles.*")
_POINTERS = policy_subject(group_key("*"))
_POINTERS_READ = direct_get(POLICY_BUCKET, _POINTERS)
_ANSWER = f"{PREFIXES[ANSWERS]}.*"
_SERVICES = (
    *(f"{PREFIXES[stream]}.*" for stream in (DECISIONS, HEARTBEATS, ASKS)),
    _POINTERS_READ,
    direct_get(POLICY_BUCKET, _ROLES),
    direct_get(BUNDLE_BUCKET, f"$KV.{BUNDLE_BUCKET}.*.*.*"),
    f"$JS.API.DIRECT.GET.{ANSWERS}.{_ANSWER}",
)
"""What machines may ask for at all; each of them may ask for its own part."""
_STREAMS = (_POINTERS, _ANSWER)


class Machine(Value):
    name: str
    group: str
    nkey: str


class User(Value):
    """Somebody at the centre, by what they do there."""

    duty: str
    nkey: str


class Rights(Value):
    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


def rights_of_machine(machine: Machine) -> Rights:
    """To write under its own name, to read what is published for its group, and nothing else."""
    pointer, answers = policy_subject(group_key(machine.group)), subject_of(ANSWERS, machine.name)
    return Rights(
        publish=(
            *(subject_of(stream, machine.name) for stream in (DECISIONS, HEARTBEATS, ASKS)),
            direct_get(POLICY_BUCKET, pointer),
            direct_get(POLICY_BUCKET, _ROLES),
            direct_get(BUNDLE_BUCKET, f"$KV.{BUNDLE_BUCKET}.{machine.group}.*.*"),
            f"$JS.API.DIRECT.GET.{ANSWERS}.{answers}",
        ),
        subscribe=(f"{inbox_of(machine.name)}.>", pointer, answers),
    )


def rights_of_duty(duty: str) -> Rights:
    return Rights(publish=_DUTIES[duty], subscribe=("_INBOX.>", *_HEARS.get(duty, ())))


def _reads(stream: str) -> tuple[str, ...]:
    """Follow a stream by a consumer, and say how far one came."""
    return (
        f"$JS.API.STREAM.INFO.{stream}",
        *(
            f"$JS.API.CONSUMER.{act}.{stream}.>"
            for act in ("INFO", "DURABLE.CREATE", "CREATE", "MSG.NEXT", "DELETE")
        ),
        f"$JS.API.CONSUMER.CREATE.{stream}",
        f"$JS.ACK.{stream}.>",
        f"$JS.FC.{stream}.>",
    )


def _looks(stream: str) -> tuple[str, ...]:
    """Read single messages of a stream."""
    return (
        f"$JS.API.STREAM.INFO.{stream}",
        f"$JS.API.DIRECT.GET.{stream}",
        f"$JS.API.DIRECT.GET.{stream}.>",
        f"$JS.API.STREAM.MSG.GET.{stream}",
    )


_BUCKETS = tuple(map(stream_of, (POLICY_BUCKET, BUNDLE_BUCKET)))
_DUTIES: dict[str, tuple[str, ...]] = {
    "publisher": (
        f"$KV.{POLICY_BUCKET}.>",
        f"$KV.{BUNDLE_BUCKET}.>",
        f"$JS.API.STREAM.PURGE.{_BUCKETS[1]}",  # who may overwrite a bundle may as well remove it
        *(_looks(_BUCKETS[0]) + _looks(_BUCKETS[1])),
    ),
    "watcher": (_POINTERS, *_looks(_BUCKETS[0]), *_looks(HEARTBEATS), *_reads(HEARTBEATS)),
    "collector": (
        _POINTERS_READ,
        *(
            right
            for stream in (DECISIONS, HEARTBEATS, ASKS, ANSWERS)
            for right in (*_looks(stream), *_reads(stream))
        ),
    ),
    "approver": (_ANSWER, _POINTERS_READ, *_looks(ASKS), *_reads(ASKS), *_looks(ANSWERS)),
    "admin": ("$JS.API.>", f"$KV.{POLICY_BUCKET}.>", f"$KV.{BUNDLE_BUCKET}.>", "$JS.ACK.>"),
}
_HEARS = {"watcher": (f"{PREFIXES[HEARTBEATS]}.*",), "approver": (f"{PREFIXES[ASKS]}.*",)}
DUTIES = tuple(_DUTIES)


def broker_config(machines: Sequence[Machine], users: Sequence[User]) -> str:
    """Raises UsageError for names and keys that cannot be, and for what is there twice."""
    _check(machines, users)
    exports = [f"{{ service: {_quoted(subject)} }}" for subject in _SERVICES]
    exports += [f"{{ stream: {_quoted(subject)} }}" for subject in _STREAMS]
    imports = [f"{{ service: {{ account: FLEET, subject: {_quoted(subject)} }} }}" for subject in _SERVICES]
    imports += [f"{{ stream: {{ account: FLEET, subject: {_quoted(subject)} }} }}" for subject in _STREAMS]
    centre = [_user(user.nkey, rights_of_duty(user.duty), user.duty) for user in users]
    ours = [_user(machine.nkey, rights_of_machine(machine), machine.name) for machine in machines]
    return "\n".join(
        [
            "# Rights of a fleet, printed by `fairlead fleet broker-config`. Include them in a file of yours",
            '# that has `listen`, `tls { ... }` and `jetstream { store_dir: "..." }`.',
            f"authorization {{ timeout: {_LOGIN_SECONDS} }}",
            "accounts {",
            "  FLEET {",
            "    jetstream: enabled",
            *_listed("users", centre),
            *_listed("exports", exports),
            "  }",
            "  MACHINES {",
            *_listed("users", ours),
            *_listed("imports", imports),
            "  }",
            "}",
            "",
        ]
    )


def _check(machines: Sequence[Machine], users: Sequence[User]) -> None:
    for machine in machines:
        for what, name in (("machine", machine.name), ("group", machine.group)):
            if not _NAME.fullmatch(name):
                raise UsageError(
                    f"{name!r} is no name of a {what}", hint="small letters, digits, '-' and '_'"
                )
    _refuse_twice("machine", [machine.name for machine in machines])
    keys = [*(machine.nkey for machine in machines), *(user.nkey for user in users)]
    for key in keys:
        if not NKEY.fullmatch(key):
            hint = "the public half, U...: `fairlead fleet enrol` prints a machine's, `broker-key` another"
            what = "a secret key" if key.startswith("S") else repr(key[:60])
            raise UsageError(f"{what} is no public key of a user", hint=hint)
    _refuse_twice("key", keys)


def _refuse_twice(what: str, names: Sequence[str]) -> None:
    twice = (
        next((name for name in names if names.count(name) > 1), "") if len(set(names)) < len(names) else ""
    )
    if twice:
        raise UsageError(f"the {what} {twice!r} is there twice", hint="each machine and user has its own")


def _user(nkey: str, rights: Rights, name: str) -> str:
    publish, subscribe = map(_texts, (rights.publish, rights.subscribe))
    return (
        f"{{ nkey: {nkey}, permissions: {{ publish: {{ allow: {publish} }}, "
        f"subscribe: {{ allow: {subscribe} }} }} }} # {name}"
    )


def _listed(name: str, lines: Iterable[str]) -> list[str]:
    return [f"    {name}: [", *(f"      {line}" for line in lines), "    ]"]


def _texts(subjects: Iterable[str]) -> str:
    return json.dumps(list(dict.fromkeys(subjects)))


def _quoted(subject: str) -> str:
    return json.dumps(subject)
