"""What no proposal may cover: lines that rules and programs name as stopped, and hostile words for a `*`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from functools import cache

from fairlead.doors.cli.learning.command_patterns import Words, fits
from fairlead.doors.cli.learning.proposals import EXCEPTION, Proposal
from fairlead.doors.cli.policies.program_examples import outcomes_of, shell_call
from fairlead.packs.judging.call_effects import read_call
from fairlead.packs.judging.pack_table import all_packs, rule_of
from fairlead.packs.rule import Severity
from fairlead.policy.places import home_of_user
from fairlead.shell.effects.effect import Action
from fairlead.shell.programs.compiler import read_families
from fairlead.shell.programs.lookup import SHIPPED
from fairlead.shell.reader import read_script

_HOSTILE = ("x", "a/b", "-x", "/etc/x", f"{'../' * 20}etc/x")
"""What somebody might put in the place of a `*`."""


_LOOKED_AT = 5
"""Calls of a proposal's evidence that are judged again."""


def why_not(one: Proposal) -> str:
    """Why this must not be proposed; nothing if it may."""
    if not os.path.isdir(one.yes[-1].root):
        return "its project is gone"
    for line in _lines_with(one.pattern.split()[0]):
        if any(fits(one.pattern, words) for words in _commands(line)):
            return f"it would cover `{line}`"
    return _why_no_exception(one) if one.kind == EXCEPTION else _why_no_approval(one)


def _why_no_approval(one: Proposal) -> str:
    """The calls that a person let through must pass as they were, and what the pattern covers must not lose
    or replace anything: that is the person's to say each time."""
    root = one.yes[-1].root
    for call in one.yes[-_LOOKED_AT:]:
        if any(True for _ in outcomes_of(call.command, SHIPPED, call.root, cwd=call.cwd)):
            return f"`{call.command}` is stopped"
    for line in (one.pattern, *_filled(one.pattern)):
        if any(True for _ in outcomes_of(line, SHIPPED, root, level="paranoid")):
            return f"`{line}` is stopped"
        if not _does_only(line, root, _READS if "*" in one.pattern else _KEEPS):
            return f"`{line}` changes what may be missed"
    return ""


_READS = (Action.READ, Action.LIST)
_KEEPS = (*_READS, Action.WRITE)


def _does_only(line: str, root: str, actions: Collection[Action]) -> bool:
    call = read_call(shell_call(line, root))
    return call is not None and all(effect.action in actions for effect in call.effects)


def _why_no_exception(one: Proposal) -> str:
    """What the journal tells is not enough: the guard must say the same of this command now."""
    rule = rule_of(one.rule)
    if rule is None or rule.severity is Severity.CRITICAL:
        return f"{one.rule} is no rule that may rest" if rule is None else f"{one.rule} never rests"
    said = [outcome for outcome in outcomes_of(one.pattern, SHIPPED, one.root, cwd=one.cwd) if outcome.rule]
    expected = {"command": one.pattern, "cwd": one.cwd}
    if [(outcome.rule, outcome.metrics.get("exact")) for outcome in said] != [(one.rule, expected)]:
        return "the guard says otherwise of this command now"
    return ""


def _filled(pattern: str) -> Iterator[str]:
    if "*" in pattern:
        yield from (pattern.replace("*", part) for part in _HOSTILE)


def _lines_with(program: str) -> list[str]:
    return [line for line in _dangerous_lines() if program in line]


@cache
def _dangerous_lines() -> tuple[str, ...]:
    """Every example of what is stopped that is shipped, of rules and of programs."""
    of_rules = [line for pack in all_packs() for rule in pack.rules for line in rule.dangerous]
    of_programs = [line for family in read_families() for one in family.programs for line in one.stops]
    return tuple(dict.fromkeys([*of_rules, *of_programs]))


@cache
def _commands(line: str) -> tuple[Words, ...]:
    script = read_script(line, cwd="/", home=home_of_user())
    return tuple(tuple(word.text for word in command.argv) for command in script.commands if command.argv)
