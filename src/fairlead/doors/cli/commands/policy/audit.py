"""`fairlead audit`: what counted is only watched from now on."""

from __future__ import annotations

import os
from datetime import date

import click

from fairlead.assembly import policy_for
from fairlead.doors.cli.given.rules import RULE_PACK_OR_HOOK
from fairlead.doors.cli.output import Session, note
from fairlead.doors.cli.policies.rule_names import require_known
from fairlead.doors.hook.root import git_root
from fairlead.errors import UsageError
from fairlead.model.hook import AUDIT
from fairlead.policy.human import require_human
from fairlead.policy.mode import own_mode, write_mode
from fairlead.policy.mode_names import watching, why_enforced


@click.command(name="audit")
@click.argument("rules", metavar="[RULE]...", nargs=-1, type=RULE_PACK_OR_HOOK)
@click.option("--all", "everything", is_flag=True, help="Everything that is not enforced by name.")
@click.option("--yes", is_flag=True, help="Do not ask. A human is needed all the same.")
@click.pass_obj
def command(session: Session, rules: tuple[str, ...], *, everything: bool, yes: bool) -> int:
    """Only watch RULE from now on: what it would have stopped goes on, and is written into the journal.

    RULE is a rule (git/force-push), a pack (git) or the id of an entry. This loosens, so it needs a human;
    `fairlead promote` takes it back. What protects Fairlead itself always counts.

    \b
    Examples:
      fairlead audit git/force-push
      fairlead audit packages my-own-rule
      fairlead audit --all
    """
    if bool(rules) == everything:
        raise UsageError("give RULEs or --all", hint="`fairlead packs show PACK` shows the rules of a pack")
    root = git_root(os.getcwd())
    policy = policy_for(session.places, root, "", ())
    for rule in rules:
        require_known(rule, policy)
    what = "everything" if everything else ", ".join(rules)
    require_human(session.places, f"only watch {what} from now on", yes=yes)
    own = own_mode(session.places.config)
    if everything:
        since = own.since if own.audits else date.today().isoformat()
        write_mode(session.places.config, own.replace(mode=AUDIT, since=since))
    else:
        write_mode(session.places.config, watching(own, rules))
    note(f"only watched: {what}; `fairlead stats --would` shows what it would have stopped")
    policy = policy_for(session.places, root, "", ())
    for rule in rules:
        why = why_enforced(policy, rule)
        if why:
            note(f"still enforced: {rule}: {why}")
    return 0
