"""Manifests that are handed to a cluster on the command line: what they give a pod or a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command

_BINDING = lazy(r"\bkind[\"']?\s*:\s*[\"']?(?:Cluster)?RoleBinding\b", re.I)
_MIGHTY = lazy(r"\b(?:cluster-admin|system:(?:anonymous|unauthenticated|masters))\b")
_PRIVILEGED = lazy(r"\bprivileged[\"']?\s*:\s*true\b|\bhost(?:PID|IPC)[\"']?\s*:\s*true\b")
_OF_THE_NODE = lazy(
    r"\bhostPath[\"']?\s{0,9}:\s{0,40}(?:\{\s{0,9})?[\"']?path[\"']?\s{0,9}:\s{0,9}[\"']?"
    r"/(?:(?:etc|root|home|proc|var|var/lib|var/run|run|var/lib/kubelet|(?:var/)?run/\w+\.sock)/?)?[\"']?\s{0,9}(?:$|[\n,}])"
)
_LONGEST = 65536


def manifest_effects(command: Command) -> Iterator[Effect]:
    """`kubectl apply -f -` with a manifest that takes the wall of the cluster down."""
    text = (command.stdin.text or "")[:_LONGEST]
    if not text or not any(word.text in ("apply", "create", "replace") for word in command.argv[1:]):
        return
    if _BINDING.search(text) and _MIGHTY.search(text):
        yield Effect(Action.CHANGE_CLUSTER, "change-access", command, what=shown(command))
    if _OF_THE_NODE.search(text):
        yield Effect(Action.GAIN_PRIVILEGE, "container-mounts-host", command, what=shown(command))
    if _PRIVILEGED.search(text):
        yield Effect(Action.GAIN_PRIVILEGE, "container-privileged", command, what=shown(command))
