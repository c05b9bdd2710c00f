"""`fairlead promote`: what was only watched counts from now on."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

import click

from fairlead.assembly import policy_for
from fairlead.doors.cli.given.rules import RULE_PACK_OR_HOOK
from fairlead.doors.cli.output import Session, count, note, say, show_json
from fairlead.doors.cli.policies.audit import kept_back_table
from fairlead.doors.cli.policies.rule_names import require_known
from fairlead.doors.cli.presentation.progress import progress
from fairlead.doors.cli.recorded.history import moment
from fairlead.doors.cli.recorded.journal_index import index_reader
from fairlead.doors.hook.root import git_root
from fairlead.errors import FairleadError, UsageError
from fairlead.model.hook import ENFORCE
from fairlead.policy.audited_parts import audited_parts
from fairlead.policy.human import Terminal
from fairlead.policy.mode import Mode, own_mode, write_mode
from fairlead.policy.mode_names import covers, enforcing
from fairlead.policy.policy import Policy
from fairlead.store.query import Query
from fairlead.store.would_have import KeptBack, kept_back


@click.command(name="promote")
@click.argument("rules", metavar="[RULE]...", nargs=-1, type=RULE_PACK_OR_HOOK)
@click.option("--all", "everything", is_flag=True, help="Everything that is in audit.")
@click.option("--since", default="7d", show_default=True, metavar="WHEN", help="What to show of the past.")
@click.option("--dry-run", is_flag=True, help="Show what it would have stopped, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print what it would have stopped as JSON.")
@click.pass_obj
def command(
    session: Session,
    rules: tuple[str, ...],
    *,
    everything: bool,
    since: str,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Enforce RULE, which is in audit: first it shows what that would have stopped in the last days.

    RULE is a rule (git/force-push), a pack (git) or the id of an entry. This tightens, so no human has to be
    proved; only the question must be answered.

    \b
    Examples:
      fairlead promote --all --dry-run
      fairlead promote secrets git/force-push
      fairlead promote --all
    """
    if bool(rules) == everything:
        raise UsageError("give RULEs or --all", hint="`fairlead stats --would` shows which are in audit")
    policy = policy_for(session.places, git_root(os.getcwd()), "", ())
    if everything and not policy.mode.audits and not audited_parts(policy):
        note("nothing is in audit")
        return 0
    for rule in rules:
        require_known(rule, policy)
    with index_reader(session) as reader, progress("counting"):
        every = kept_back(reader, Query(since=moment(since, time.time())))
    found = [each for each in every if everything or covers(rules, each.rule)]
    _show(found, since, as_json=as_json)
    others = sum(each.calls for each in every if each not in found)
    if others:
        note(f"a call counts for its strongest rule: {count(others, 'further call')} counted for others")
    if dry_run:
        return 0
    if not yes:
        _ask("everything" if everything else ", ".join(rules))
    write_mode(session.places.config, _promoted(policy, own_mode(session.places.config), rules))
    note(f"enforced: {'everything' if everything else ', '.join(rules)}")
    if everything:
        _tell_rest(session)
    return 0


def _show(found: Sequence[KeptBack], since: str, *, as_json: bool) -> None:
    if as_json:
        show_json([each.as_json() for each in found])
    elif not found:
        say(f"since {since}: it would have stopped nothing")
    else:
        calls = sum(each.calls for each in found)
        say(f"since {since}: {count(calls, 'call')} would have been stopped or asked about")
        for line in kept_back_table(found):
            say(line)


def _ask(what: str) -> None:
    terminal = Terminal()
    if not terminal.available():
        raise FairleadError("there is nobody to ask", hint="add --yes, or run it in a terminal")
    if terminal.ask(f"Enforce {what}? [y/N] ").lower() not in ("y", "yes"):
        raise FairleadError("nothing was changed", hint="answer y to go on")


def _promoted(policy: Policy, own: Mode, rules: Sequence[str]) -> Mode:
    """Names that others put into audit by themselves are enforced by name, so that it holds."""
    by_name = [part.name for part in audited_parts(policy) if part.by_name]
    parts = [name for name in by_name if name not in own.audited]
    if not rules:
        kept = own.replace(mode=ENFORCE, since="", audited=(), spots=())
        return enforcing(kept, parts)
    return enforcing(own, (*rules, *(name for name in parts if covers(rules, name))))


def _tell_rest(session: Session) -> None:
    """What is in audit still: nothing is promised that does not hold."""
    policy = policy_for(session.places, git_root(os.getcwd()), "", ())
    for part in audited_parts(policy):
        note(f"still in audit: {part.name} ({part.origin})")
