"""How everything is called on a broker."""

from __future__ import annotations

POLICY_BUCKET = "fairlead-policy"
"""A key-value bucket: the pointer of each group, and the documents of roles."""
BUNDLE_BUCKET = "fairlead-bundles"
"""Another: the bodies of bundles, in chunks."""
CHUNK = 256 * 1024
DECISIONS, HEARTBEATS, ASKS, ANSWERS = (
    "FAIRLEAD_DECISIONS",
    "FAIRLEAD_HEARTBEATS",
    "FAIRLEAD_ASKS",
    "FAIRLEAD_ANSWERS",
)
"""Streams; each machine has one subject in each."""
PREFIXES = {
    DECISIONS: "fairlead.decisions",
    HEARTBEATS: "fairlead.heartbeat",
    ASKS: "fairlead.asks",
    ANSWERS: "fairlead.answers",
}


def subject_of(stream: str, machine: str) -> str:
    return f"{PREFIXES[stream]}.{machine}"


def stream_of(bucket: str) -> str:
    """A bucket is a stream of this name."""
    return f"KV_{bucket}"


def policy_subject(key: str) -> str:
    return f"$KV.{POLICY_BUCKET}.{key}"


def group_key(group: str) -> str:
    return f"group.{group}"


def roles_key(version: int) -> str:
    return f"roles.{version}"


def chunk_subject(group: str, sha256: str, number: int | str) -> str:
    """By group, so that the rights of a machine can end at those of its own. With `*` for any."""
    return f"$KV.{BUNDLE_BUCKET}.{group}.{sha256}.{number}"


def direct_get(bucket: str, subject: str) -> str:
    """A request here is answered with the last message on `subject`: no consumer is made for it."""
    return f"$JS.API.DIRECT.GET.{stream_of(bucket)}.{subject}"


def inbox_of(machine: str) -> str:
    return f"_INBOX_{machine}"
