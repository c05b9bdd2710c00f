"""`fairlead test`: does the policy answer as its tests say?"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

import click

from fairlead.doors.cli.given.folders import FILE, FOLDER
from fairlead.doors.cli.output import Session, count, note, say, say_lines, show_json, tell
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.hook.root import git_root
from fairlead.doors.hook.systems import Systems
from fairlead.doors.hook.trial import Trial, run_case
from fairlead.errors import PolicyError
from fairlead.model.value import Value
from fairlead.policy.layering.trust import Trust
from fairlead.policy.places import PROJECT_FOLDER
from fairlead.policy.policy import Policy
from fairlead.policy.reading.cases import FILE_NAME, Case, find_case_files, read_cases
from fairlead.policy.reading.problem import Problem


class Coverage(Value):
    """Which rules decided, how often, and which hooks of written policies no test made speak."""

    rules: Counter[str]
    silent: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        return {"rules": dict(self.rules), "silent_hooks": list(self.silent)}


@click.command(name="test")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=FILE)
@click.option(
    "--policy",
    "policies",
    type=FOLDER,
    metavar="DIR",
    multiple=True,
    help="Add a policy root, and its tests.",
)
@click.option("--junit", metavar="FILE", help="Write a report in JUnit form.")
@click.option("--coverage", is_flag=True, help="Show how often each rule decided.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.pass_obj
def command(
    session: Session,
    files: tuple[str, ...],
    *,
    policies: tuple[str, ...],
    junit: str | None,
    coverage: bool,
    as_json: bool,
) -> int:
    """Run the tests of the policies that apply here; exit code 1 if one fails.

    Tests are in `hook.test.yaml` files beside `hook.meta.yaml`:

    \b
      tests:
        - command: git push --force
          expect: block
          rule: git/force-push
        - tool: Read
          input: {file_path: README.md}
          expect: pass

    A hook that breaks blocks, but not because it decided so: such a test fails, unless it says
    `expect: broken`.

    \b
    Examples:
      fairlead test --coverage
      fairlead test --policy policies/strict --junit report.xml
    """
    root = git_root(os.getcwd())
    paths = list(files) or _found(session, root, policies)
    if not paths:
        raise PolicyError("there are no tests here", hint=f"write {FILE_NAME} beside a hook.meta.yaml")
    trials, problems, covered = _run(session, root, paths, policies)
    if junit:
        _write_junit(junit, trials, problems)
    if as_json:
        show_json(_json(trials, problems, covered))
    else:
        _show(trials, problems, covered, every_rule=coverage)
    return 1 if problems or any(not trial.passed for trial in trials) else 0


def _run(
    session: Session, root: str, paths: Sequence[str], policies: Sequence[str]
) -> tuple[list[Trial], list[Problem], Coverage]:
    cases, problems = _read(paths)
    systems = Systems(session.places, extra_policies=policies)
    try:
        with progress("testing", total=len(cases)) as told:
            trials = [run_case(case, systems, root) for case in told.over(cases)]
        _note_untrusted(trials, systems.compiled(root, "generic").policy)
        return trials, problems, _coverage(trials, systems, root)
    finally:
        systems.close()


def _note_untrusted(trials: Sequence[Trial], policy: Policy) -> None:
    """Why a test may fail whose rule is right."""
    if policy.trust is not Trust.TRUSTED and any(not trial.passed for trial in trials):
        for problem in policy.problems:
            note(str(problem))


def _found(session: Session, root: str, policies: Sequence[str]) -> list[str]:
    roots = (session.places.config, *policies, os.path.join(root, PROJECT_FOLDER))
    return list(dict.fromkeys(path for each in roots for path in find_case_files(each)))


def _read(paths: Sequence[str]) -> tuple[list[Case], list[Problem]]:
    cases: list[Case] = []
    problems: list[Problem] = []
    for path in paths:
        found, wrong = read_cases(path)
        cases += found
        problems += wrong
    return cases, problems


def _coverage(trials: Sequence[Trial], systems: Systems, root: str) -> Coverage:
    rules = Counter(trial.verdict.rule for trial in trials if trial.verdict.rule)
    spoke = {
        outcome.hook
        for trial in trials
        for outcome in trial.verdict.outcomes
        if outcome.decision.objects or outcome.rule or outcome.updated_input is not None
    }
    written = [entry for entry in systems.compiled(root, "generic").policy.entries if entry.file]
    silent = {entry.id for entry in written if entry.enabled and not entry.observes} - spoke
    return Coverage(rules, tuple(sorted(silent)))


def _show(
    trials: Sequence[Trial], problems: Sequence[Problem], covered: Coverage, *, every_rule: bool
) -> None:
    for problem in problems:
        note(str(problem))
    for trial in trials:
        if not trial.passed:
            case = trial.case
            head, *more = paragraph(f"{case.file}:{case.line}  {case.name}", first="FAILED  ")
            say_lines([head.replace("FAILED", click.style("FAILED", fg="red", bold=True), 1), *more])
            tell(f"        {trial.problem}")
    passed = sum(trial.passed for trial in trials)
    say(f"{passed} of {count(len(trials), 'test')} passed")
    for rule, number in sorted(covered.rules.items()) if every_rule else ():
        tell(f"  {number:4} x {rule}")
    for hook in covered.silent:
        tell(f"     no test made {hook} speak")


def _json(trials: Sequence[Trial], problems: Sequence[Problem], covered: Coverage) -> dict[str, object]:
    return {
        "passed": sum(trial.passed for trial in trials),
        "failed": sum(not trial.passed for trial in trials),
        "tests": [
            {
                "name": trial.case.name,
                "file": trial.case.file,
                "line": trial.case.line,
                "passed": trial.passed,
                "problem": trial.problem,
                "decision": trial.verdict.decision.word,
                "rule": trial.verdict.rule,
                "hook": trial.verdict.hook,
                "ms": round(trial.verdict.milliseconds, 3),
            }
            for trial in trials
        ],
        "problems": [problem.as_json() for problem in problems],
        "coverage": covered.as_json(),
    }


def _write_junit(path: str, trials: Sequence[Trial], problems: Sequence[Problem]) -> None:
    from xml.etree import ElementTree  # slow to import, and rarely asked for

    failed = sum(not trial.passed for trial in trials)
    suite = ElementTree.Element(
        "testsuite",
        name="fairlead",
        tests=str(len(trials) + len(problems)),
        failures=str(failed),
        errors=str(len(problems)),
    )
    for trial in trials:
        took = f"{trial.verdict.milliseconds / 1000:.6f}"
        names = {"classname": trial.case.file, "name": trial.case.name, "time": took}
        element = ElementTree.SubElement(suite, "testcase", names)
        if not trial.passed:
            ElementTree.SubElement(element, "failure", message=_clean(trial.problem))
    for problem in problems:
        element = ElementTree.SubElement(suite, "testcase", classname=problem.path, name=problem.place)
        ElementTree.SubElement(element, "error", message=_clean(problem.message))
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def _clean(text: str) -> str:
    """XML has no place for control characters."""
    return "".join(character for character in text if character.isprintable() or character in "\n\t")
