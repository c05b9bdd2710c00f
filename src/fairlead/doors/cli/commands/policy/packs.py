"""`fairlead packs`: the built-in rules, and turning a pack off and on."""

from __future__ import annotations

from time import time

import click

from fairlead.doors.cli.given.rules import PACK
from fairlead.doors.cli.output import Session, note, painted, say, say_lines, show_json
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.wrapping import fields, paragraph
from fairlead.packs.judging.pack_table import all_packs, load_pack
from fairlead.packs.rule import Pack, Rule
from fairlead.policy.answers.grants import Grant, Grants
from fairlead.policy.human import require_human


@click.group()
def command() -> None:
    """Look at the built-in rules, and turn packs of them off and on.

    \b
    Examples:
      fairlead packs list
      fairlead packs show git
    """


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print the packs as JSON.")
@click.pass_obj
def list_(session: Session, *, as_json: bool) -> int:
    """Show every pack: how many rules it has, and whether it is on.

    \b
    Example:
      fairlead packs list
    """
    off = _switched_off(session)
    if as_json:
        show_json([_pack_json(pack, enabled=pack.id not in off) for pack in all_packs()])
        return 0
    rows = [
        (pack.id, "off" if pack.id in off else "on", str(len(pack.rules)), pack.summary)
        for pack in all_packs()
    ]
    say_lines(table(_PACKS, rows))
    return 0


_PACKS = (Column("PACK"), Column("STATE"), Column("RULES", right=True), Column("WHAT IT STOPS", prose=True))


@command.command()
@click.argument("name", type=PACK)
@click.option("--json", "as_json", is_flag=True, help="Print the rules as JSON.")
def show(name: str, *, as_json: bool) -> int:
    """Show the rules of the pack NAME, with what each stops and what it leaves alone.

    \b
    Example:
      fairlead packs show git
    """
    pack = load_pack(name)
    if as_json:
        show_json([_rule_json(rule) for rule in pack.rules])
        return 0
    for rule in pack.rules:
        say(f"{painted(rule.decision)}  {rule.id}")
        say_lines(paragraph(rule.person, first="    "))
        told = [("after", "; later ".join(rule.earlier))] if rule.earlier else []
        told += [("stops", example) for example in rule.dangerous[:2]]
        told += [("passes", example) for example in rule.harmless[:1]]
        say_lines(fields(told, indent=4))
    return 0


@command.command()
@click.argument("name", type=PACK)
@click.pass_obj
def enable(session: Session, name: str) -> int:
    """Turn the pack NAME on again.

    \b
    Example:
      fairlead packs enable databases
    """
    grants, pack = Grants(session.places), load_pack(name)
    for grant in _of_pack(grants, pack):
        grants.revoke(grant.id)
    note(f"{pack.id} is on")
    return 0


@command.command()
@click.argument("name", type=PACK)
@click.option("--yes", is_flag=True, help="Do not ask; a human must still be there.")
@click.pass_obj
def disable(session: Session, name: str, *, yes: bool) -> int:
    """Turn the pack NAME off. This loosens, so a human must be there.

    \b
    Example:
      fairlead packs disable databases
    """
    grants, pack = Grants(session.places), load_pack(name)
    require_human(session.places, f"turn off the pack {pack.id}", yes=yes, deed="allow")
    if not _of_pack(grants, pack):
        grants.give(f"{pack.id}/*", now=time())
    note(f"{pack.id} is off; `fairlead packs enable {pack.id}` turns it on again")
    return 0


def _of_pack(grants: Grants, pack: Pack) -> list[Grant]:
    return [grant for grant in grants.all() if grant.rule == f"{pack.id}/*"]


def _switched_off(session: Session) -> set[str]:
    every = Grants(session.places).all()
    return {grant.rule.removesuffix("/*") for grant in every if grant.rule.endswith("/*")}


def _pack_json(pack: Pack, *, enabled: bool) -> dict[str, object]:
    return {"id": pack.id, "summary": pack.summary, "enabled": enabled, "rules": [r.id for r in pack.rules]}


def _rule_json(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "decision": rule.decision.word,
        "severity": rule.severity.name.lower(),
        "reason": rule.reason,
        "person": rule.person,
        "alternative": rule.alternative,
        "earlier": list(rule.earlier),
        "dangerous": list(rule.dangerous),
        "harmless": list(rule.harmless),
    }
