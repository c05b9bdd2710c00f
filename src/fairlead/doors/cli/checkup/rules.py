"""The policy that holds in this project, and how far it is trusted."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.assembly import BUILTINS, policy_for
from fairlead.doors.cli.checkup.finding import Finding, Level, bad, note
from fairlead.doors.cli.output import Session
from fairlead.errors import FairleadError
from fairlead.policy.layering.review import what_would_run
from fairlead.policy.layering.trust import Project, Trust, read_project
from fairlead.policy.notices import notices_path, read_notice_settings
from fairlead.policy.policy import Policy
from fairlead.policy.reading.problem import WARNING, Problem
from fairlead.policy.reload import Watch


def look_at_policy(session: Session, root: str) -> Iterator[Finding]:
    policy = policy_for(session.places, root, "")
    project = read_project(session.places, root, Watch())
    told: list[Problem] = []
    if project.files or project.changes:
        yield _trust(project, policy)
        told = [problem for problem in policy.problems if _is_about_trust(problem, project)]
    problems = [problem for problem in policy.problems if problem not in told]
    for problem in problems:
        level = Level.NOTE if problem.severity == WARNING else Level.BAD
        what = f"policy: {problem.place}: {problem.message}"
        yield Finding("policy", what, level, problem.hint, "fairlead policy check")
    if not problems:
        yield Finding("policy", "policy loads without a problem")


def look_at_notices(session: Session) -> Iterator[Finding]:
    """Whoever wrote `notify.yaml` waits for notices that would never come."""
    path = notices_path(session.places)
    settings, problems = read_notice_settings(path)
    for problem in problems:
        what = f"notices: {problem.place}: {problem.message}"
        yield note("notices", what, why="nobody is notified of anything", fix="fairlead notify")
    if settings.on:
        yield Finding("notices", f"{path} can be read")


def _is_about_trust(problem: Problem, project: Project) -> bool:
    """What an untrusted file may not do is told in one sentence, not once per entry."""
    inside = problem.path.startswith(f"{project.folder}/")
    return inside and problem.severity == WARNING and project.trust is Trust.NEVER


def _trust(project: Project, policy: Policy) -> Finding:
    if project.trust is Trust.TRUSTED:
        return Finding("trust", f"{project.folder} is trusted")
    if project.trust is Trust.CHANGED:
        return bad(
            "trust",
            f"{project.folder} has changed since it was trusted: {', '.join(project.changes[:3])}",
            why="what it loosened or ran no longer holds, and every tool call is asked about",
            fix="fairlead trust",
        )
    kept = sum(not entry.trusted for entry in policy.entries)
    return note(
        "trust",
        f"{project.folder} is untrusted: {kept} of its entries only tighten, {_left_out(project, kept)}",
        why="a project's own rules can block and ask at once; they run code and loosen only when you have "
        "read and trusted them (`fairlead trust --show`)",
        fix="fairlead trust",
    )


def _left_out(project: Project, kept: int) -> str:
    try:
        entries = what_would_run(project.root, BUILTINS).entries
    except FairleadError as error:
        return f"and not all of it can be read: {error.message}"
    return f"{len(entries) - kept} are left out"
