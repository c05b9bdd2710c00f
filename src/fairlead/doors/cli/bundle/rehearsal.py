"""What a policy does on a machine that takes it up: read and tested as there, before anybody signs it."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fairlead.assembly import build, policy_for
from fairlead.doors.cli.output import count, note
from fairlead.doors.cli.policies.policy_faults import faults_when_built
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.fleet.bundle_faults import files_from_elsewhere, slow_patterns
from fairlead.doors.fleet.trial_home import as_in, home_with
from fairlead.doors.hook.systems import Systems
from fairlead.doors.hook.trial import Trial, run_case
from fairlead.errors import PolicyError
from fairlead.fleet.bundles.checking import Opened
from fairlead.model.value import Value
from fairlead.policy.find import read_file
from fairlead.policy.places import Places
from fairlead.policy.reading.cases import FILE_NAME, find_case_files, read_cases
from fairlead.policy.reading.problem import ERROR, Problem

TESTS_SECONDS = 600
"""For all tests of a policy together."""


class Rehearsal(Value):
    """What was found; `tests` counts all that ran."""

    errors: tuple[Problem, ...] = ()
    failed: tuple[Trial, ...] = ()
    tests: int = 0
    warnings: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {
            "tests": self.tests,
            "failed": [{"test": trial.case.name, "problem": trial.problem} for trial in self.failed],
            "errors": [problem.as_json() for problem in self.errors],
            "warnings": [problem.as_json() for problem in self.warnings],
        }


def rehearse(folder: str) -> Rehearsal:
    """As the layer of the fleet, in a home where nobody else has a say."""
    with home_with(folder) as places, tempfile.TemporaryDirectory(prefix="fairlead-project-") as project:
        problems = [as_in(folder, each, places) for each in _problems(places, folder, project)]
        with _ended_after(TESTS_SECONDS):
            trials, unread = _trials(places, folder, project)
    errors = [problem for problem in problems if problem.severity == ERROR]
    warnings = [problem for problem in problems if problem.severity != ERROR]
    failed = [trial for trial in trials if not trial.passed]
    return Rehearsal((*errors, *unread), tuple(failed), len(trials), tuple(warnings))


def _problems(places: Places, folder: str, project: str) -> Iterator[Problem]:
    policy = policy_for(places, project, "")
    yield from policy.problems
    yield from files_from_elsewhere(policy.entries, folder)
    yield from slow_patterns(policy.entries)
    yield from faults_when_built(policy, build(policy).get_all_hooks(), project)


def _trials(places: Places, folder: str, project: str) -> tuple[list[Trial], list[Problem]]:
    found = [read_cases(path) for path in find_case_files(folder)]
    cases = [case for each, _ in found for case in each]
    unread = [problem for _, problems in found for problem in problems]
    systems = Systems(places)
    try:
        with progress("testing", total=len(cases)) as told:
            return [run_case(case, systems, project) for case in told.over(cases)], unread
    finally:
        systems.close()


@contextmanager
def _ended_after(seconds: int) -> Iterator[None]:
    """Raises PolicyError. Where the system has no alarms, each hook still has its own limit."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        hint = "a hook in it may never end: give it a `timeout`, or its tests less to do"
        raise PolicyError(f"the tests of this policy take longer than {seconds} s", hint=hint)

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def require_unchanged(bundle: Opened, folder: str) -> None:
    """Raises PolicyError where its tests, or the hooks that they run, wrote into it."""
    for path, content in bundle.files.items():
        if read_file(os.path.join(folder, path), len(content) + 1) != content:
            hint = "what is signed has to stay as it is: hooks keep what they write elsewhere"
            raise PolicyError(f"the tests of this policy change its own {path}", hint=hint)


@contextmanager
def unpacked(bundle: Opened) -> Iterator[str]:
    """The files of a bundle in a folder, for as long as somebody looks at them."""
    with tempfile.TemporaryDirectory(prefix="fairlead-bundle-") as top:
        for path, content in bundle.files.items():
            whole = os.path.join(top, path)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, "wb") as file:
                file.write(content)
            os.chmod(whole, 0o700 if content.startswith(b"#!") else 0o600)
        yield top


def require_rehearsed(folder: str) -> Rehearsal:
    """Raises PolicyError for what no machine should get, after all of it was said."""
    found = rehearse(folder)
    for problem in (*found.warnings, *found.errors):
        note(str(problem).replace(f"{folder}/", ""))
    for trial in found.failed:
        place = f"{os.path.relpath(trial.case.file, folder)}:{trial.case.line}"
        note(f"FAILED {place} {trial.case.name}: {trial.problem}")
    if found.errors or found.failed:
        what = _what(found.errors, found.failed)
        raise PolicyError(f"this policy is not ready: {what}", hint="mend it, and build it again")
    if not found.tests:
        note(f"there are no tests in it: write {FILE_NAME} beside a hook.meta.yaml")
    return found


def _what(errors: Sequence[Problem], failed: Sequence[Trial]) -> str:
    parts = [count(len(errors), "error")] * bool(errors)
    return " and ".join([*parts, *[f"{count(len(failed), 'test')} failed"] * bool(failed)])
