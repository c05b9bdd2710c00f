"""What is wrong in files about programs is a problem of the policy and breaks it as any other (law 2)."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.policy.policy import Policy
from fairlead.policy.reading.entry import guards_for_file
from fairlead.policy.reading.problem import WARNING, Problem


def with_program_problems(policy: Policy, found: Sequence[Problem]) -> Policy:
    trusted = {file.path: file.layer for file in policy.program_files if file.trusted}
    broken = [
        guard
        for path, layer in trusted.items()
        for problems in [[each for each in found if each.path == path]]
        if problems
        for guard in guards_for_file(path, problems, layer=layer)
    ]
    shown = [each if each.path in trusted else each.replace(severity=WARNING) for each in found]
    return policy.replace(
        entries=(*policy.entries, *broken),
        problems=(*policy.problems, *shown),
    )
