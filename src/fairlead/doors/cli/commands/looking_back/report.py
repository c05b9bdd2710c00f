"""`fairlead report`: a false alarm as a small example without anything private in it."""

from __future__ import annotations

import json
import socket

import click

from fairlead import __version__
from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.given.recorded import CALL
from fairlead.doors.cli.output import Session, note, say
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.recorded.journal_index import index_reader
from fairlead.doors.cli.reporting.example import EMPTY, NOWHERE, Example, example_of
from fairlead.errors import FairleadError, UsageError
from fairlead.model.decision import DECISION_WORDS
from fairlead.platforms import here
from fairlead.policy.places import home_of_user
from fairlead.policy.reading.cases import Case
from fairlead.secrets.redact import redact_text


@click.command(name="report")
@click.argument("wanted", metavar="ID", type=CALL)
@click.option(
    "--should", type=OneOf("decision", sorted(DECISION_WORDS)), help="What it should have been, such as pass."
)
@click.pass_obj
def command(session: Session, wanted: str, *, should: str | None) -> int:
    """Print the call ID as the smallest example that is judged in the same way, for an issue or a test.

    The command is made shorter as long as the decision and the rule stay the same, and every word that does
    not matter for them becomes `x`: names, hosts, secrets. What is left has the form of `hook.test.yaml`,
    which `fairlead test` reads. Read it before you send it: words that the rule needs are still there.

    \b
    Examples:
      fairlead report 6b1f9c22
      fairlead report 6b1f9c22 --should allow >> ~/.config/fairlead/hooks/mine/hook.test.yaml
    """
    with index_reader(session) as reader:
        record = reader.find(wanted)
    if record is None:
        raise UsageError(f"there is no call {printable(wanted)!r}", hint="`fairlead log` shows their ids")
    with progress("looking for the smallest example"):
        found = example_of(record, session.places)
    text = "\n".join(_lines(found, should))
    if _is_private(text):
        raise FairleadError(
            "this call cannot be shown without something private in it",
            hint=f"name the rule instead: {found.rule}",
        )
    say(text)
    if found.judged == NOWHERE:
        note("the verdict was not reached again, so every word but names of programs is masked")
    if found.kept_back:
        note("audit kept it back: as a test it holds where that rule is enforced")
    return 0


def _lines(found: Example, should: str | None) -> list[str]:
    case = found.case
    size = sum(len(value) for value in case.input.values() if isinstance(value, str))
    where = "" if found.judged == EMPTY else f", {found.judged}"
    where += ", kept back by audit" if found.kept_back else ""
    return [
        f"# Fairlead {__version__}: {case.expect.word} by {found.rule or 'a hook without rules'}{where}; "
        f"{size} of {found.length} characters are left",
        "tests:",
        *_case_lines(case, should),
    ]


def _case_lines(case: Case, should: str | None) -> list[str]:
    fields: dict[str, object] = {}
    if case.tool == "Bash" and set(case.input) == {"command"}:
        fields["command"] = case.input["command"]
    else:
        fields |= {"tool": case.tool, "input": dict(case.input)}
    fields |= {"cwd": case.cwd} if case.cwd else {}
    fields |= {"agent": case.agent} if case.agent != "generic" else {}
    fields["expect"] = should or case.expect.word
    if should is None and case.rule:
        fields["rule"] = case.rule
    lines = [f"{name}: {json.dumps(value)}" for name, value in fields.items()]
    return [f"  - {lines[0]}", *(f"    {line}" for line in lines[1:])]


def _is_private(text: str) -> bool:
    """Names of this user and machine have no place in it, and nothing that looks like a secret."""
    names = {home_of_user(), socket.gethostname(), here.name_of_user()}
    private = {name for name in names if len(name) > 4}  # `root` and `/root` are everybody's
    return redact_text(text) != text or any(name in text for name in private)
