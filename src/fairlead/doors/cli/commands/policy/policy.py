"""`fairlead policy`: is every policy file right, and where not."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click

from fairlead.assembly import build, policy_for
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.managed.words import managed_json, managed_words
from fairlead.doors.cli.output import Session, count, note, say, say_lines, show_json
from fairlead.doors.cli.policies.policy_faults import faults_when_built
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.hook.root import git_root
from fairlead.policy.json_schema import SCHEMA_FILE, json_schema
from fairlead.policy.layering.weaknesses import unguarded, weaknesses
from fairlead.policy.policy import Policy
from fairlead.policy.reading.problem import ERROR, WARNING, Problem
from fairlead.policy.reading.schema import AGENTS

_GUARDS = frozenset(("block-dangerous-commands", "protect-sensitive-files"))


@click.group()
def command() -> None:
    """Look at the policy files that apply here.

    \b
    Examples:
      fairlead policy check
      fairlead policy schema > hook.meta.schema.json
    """


@command.command()
@click.option("--path", "show_path", is_flag=True, help="Print where the schema lies instead.")
def schema(show_path: bool) -> int:
    """Print the JSON Schema of hook.meta.yaml, so that an editor completes and checks it.

    \b
    Examples:
      fairlead policy schema > hook.meta.schema.json
      # the first line of a policy, for editors with the YAML language server:
      # yaml-language-server: $schema=PATH, with the PATH that `fairlead policy schema --path` prints
    """
    if show_path:
        say(SCHEMA_FILE)
    else:
        show_json(json_schema())
    return 0


@command.command()
@click.argument("path", required=False, type=FOLDER)
@click.option("--agent", type=AGENT, default="", help="The agent whose `providers` section applies.")
@click.option("--policy", "policies", type=FOLDER, metavar="DIR", multiple=True, help="Add a policy root.")
@click.option("--json", "as_json", is_flag=True, help="Print the problems as JSON.")
@click.pass_obj
def check(session: Session, path: str | None, *, agent: str, policies: tuple[str, ...], as_json: bool) -> int:
    """Read every policy file as a hook call in PATH would, and print all that is wrong.

    Exit code 0: no errors (there may be warnings), 1: errors.

    \b
    Examples:
      fairlead policy check
      fairlead policy check ~/src/app --agent claude --json
    """
    root = git_root(os.path.abspath(path or os.getcwd()))
    policy = policy_for(session.places, root, agent, policies)
    problems = [*policy.problems, *faults_when_built(policy, build(policy).get_all_hooks(), root)]
    problems += [*weaknesses(policy.entries), *_unguarded_agents(session, root, policies, policy)]
    errors = [problem for problem in problems if problem.severity == ERROR]
    if as_json:
        show_json(_json(policy, problems))
    else:
        for problem in problems:
            prefix = "" if problem.severity == ERROR else "warning: "
            say_lines(paragraph(f"{prefix}{problem}", rest="  "))
        for line in managed_words(policy.managed, session.places):
            note(line)
        note(_summary(policy, errors, len(problems) - len(errors)))
    return 1 if errors else 0


def _unguarded_agents(
    session: Session, root: str, policies: tuple[str, ...], policy: Policy
) -> Iterable[Problem]:
    """A section of `providers` may take an agent's last guard away."""
    if not any(entry.file for entry in policy.entries):
        return
    for agent in AGENTS:
        if unguarded(policy_for(session.places, root, agent, policies).entries):
            message = f"no guard is left that looks at the tool calls of {agent}"
            yield Problem(root, 0, 0, message, "see `providers` in the policy files", WARNING)


def _summary(policy: Policy, errors: list[Problem], warnings: int) -> str:
    enabled = sum(1 for entry in policy.entries if entry.enabled)
    files = len({entry.file for entry in policy.entries if entry.file})
    what = (
        f"{count(len(errors), 'error')}, {count(warnings, 'warning')}"
        if errors or warnings
        else "no problems"
    )
    where = f"from {count(files, 'file')}" if files else "all of them built in"
    hooks = f"{count(enabled, 'hook')} on, {where}"
    return f"{what}; {hooks}; project {policy.trust}; policy {policy.hash}"


def _json(policy: Policy, problems: list[Problem]) -> dict[str, object]:
    return {
        "ok": not any(problem.severity == ERROR for problem in problems),
        "policy": policy.hash,
        "trust": str(policy.trust),
        "defaults": {str(event): decision.word for event, decision in policy.default_decisions.items()},
        "managed": managed_json(policy.managed),
        "problems": [problem.as_json() for problem in problems],
    }
