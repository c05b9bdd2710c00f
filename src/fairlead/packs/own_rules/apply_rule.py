"""`apply-rule`: one rule that a policy has under `rules`. It sees what the packs see."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from fairlead.model.event import Event
from fairlead.model.excuse import ExactCommand
from fairlead.model.hook import Evidence, Outcome
from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.matching.pattern import Pattern
from fairlead.model.value import Value
from fairlead.packs.judging.call_effects import Call, read_call
from fairlead.packs.judging.exact_commands import exact_command_of
from fairlead.packs.judging.judge import evidence_of
from fairlead.packs.own_rules.branches import ANY, branches_of
from fairlead.packs.own_rules.policy_rule import OwnRule, read_rule
from fairlead.sessions.memory import NO_MEMORIES, Memories
from fairlead.shell.effects.effect import Effect
from fairlead.shell.normal_form import command_text
from fairlead.shell.programs.lookup import SHIPPED, Programs
from fairlead.shell.script import Command


class _Part(Value):
    """What of a call the rule is about; `exact` where an exception can name it and mean nothing else."""

    what: str
    evidence: Evidence
    exact: ExactCommand | None = None


def apply_rule(
    event: Event,
    config: Mapping[str, object],
    previous: Sequence[Outcome],
    installation: Installation = NOWHERE,
    programs: Programs = SHIPPED,
    memories: Memories = NO_MEMORIES,
) -> Outcome | None:
    """An objection if the call is what the rule is about."""
    rule = read_rule(config)
    if rule.agent and event.agent not in rule.agent:
        return None
    if rule.tool is not None and not rule.tool.matches(event.tool, event):
        return None
    call = read_call(event, installation, programs)
    if call is None:
        return None
    given = config.get("excused")
    excused = given if isinstance(given, Collection) else ()
    name = f"rules/{rule.id}"
    used: list[str] = []
    for part in _found(rule, call, event):
        excuses = [name, "rules/*", *([part.exact.excuse_from(name)] if part.exact is not None else ())]
        excuse = next((each for each in excuses if each in excused), "")
        if not excuse:
            return _objection(rule, name, part, used)
        used.append(excuse)
    if not used:
        return None
    return Outcome(reason=f"an exception holds for {name}", metrics={"excused": used})


def _objection(rule: OwnRule, name: str, part: _Part, used: Sequence[str]) -> Outcome:
    words = {"what": part.what, "target": part.evidence.detail}
    exact = part.exact
    return Outcome(
        decision=rule.decision,
        reason=_filled(rule.reason, words),
        rule=name,
        evidence=(part.evidence,),
        alternative=_filled(rule.alternative, words),
        system_message=rule.person,
        metrics={
            **({} if exact is None else {"exact": {"command": exact.text, "cwd": exact.cwd}}),
            **({"excused": used} if used else {}),
        },
    )


def _found(rule: OwnRule, call: Call, event: Event) -> Iterator[_Part]:
    """Each part of the call that the rule is about."""
    if rule.about_effects:
        for effect in call.effects:
            if _fits_effect(rule, effect, call) and (
                not rule.about_commands or _fits_command(rule, effect.command)
            ):
                yield _Part(effect.what, evidence_of(effect, call, event.cwd))
    elif rule.about_commands:
        source = call.script.text
        for command in call.script.commands:
            if _fits_command(rule, command):
                text = command_text(command)
                evidence = Evidence(text, source, command.start, command.end, "is what the rule speaks of")
                yield _Part(text, evidence, _exact(rule, command, call))
    else:
        name = event.tool.name if event.tool else ""
        yield _Part(name, Evidence(name, detail="is a tool that the rule speaks of"))


def _exact(rule: OwnRule, command: Command, call: Call) -> ExactCommand | None:
    """On which branch a command works, its words may not tell."""
    return (
        None if rule.branch else exact_command_of(f"rules/{rule.id}", command, call.script, call.where.root)
    )


def _fits_command(rule: OwnRule, command: Command) -> bool:
    if rule.program and not any(pattern.fits(command.name) for pattern in rule.program):
        return False
    if rule.subcommand and not any(_begins_with(path, command) for path in rule.subcommand):
        return False
    if rule.argument and not any(_fits(rule.argument, word.text) for word in command.argv[1:] if word.known):
        return False
    return not rule.branch or any(name == ANY or _fits(rule.branch, name) for name in branches_of(command))


def _begins_with(path: tuple[str, ...], command: Command) -> bool:
    """Whether these are its first words that are no options. A word right behind an option may be its value,
    so it may be passed over."""
    operands = [
        (word.text, before.text.startswith("-") and "=" not in before.text)
        for before, word in zip(command.argv, command.argv[1:], strict=False)
        if not word.text.startswith("-")
    ]
    while operands:
        if tuple(text for text, _ in operands[: len(path)]) == path:
            return True
        if not operands[0][1]:
            return False
        operands = operands[1:]
    return False


def _fits_effect(rule: OwnRule, effect: Effect, call: Call) -> bool:
    if rule.effect and not any(
        effect.action == action and name in ("", effect.name) for action, name in rule.effect
    ):
        return False
    if rule.place and effect.target_place not in rule.place:
        return False
    return not rule.path or any(_fits(rule.path, path) for path in _paths(effect, call.where.root))


def _paths(effect: Effect, root: str) -> set[str]:
    """Absolute and from the project root, as written and behind links."""
    if effect.target is None:
        return set()
    paths = {effect.target.path, effect.target.real} - {""}
    return paths | {path.removeprefix(root.rstrip("/") + "/") for path in paths}


def _fits(patterns: Sequence[Pattern], text: str) -> bool:
    return any(pattern.fits(text) for pattern in patterns)


def _filled(text: str, words: Mapping[str, str]) -> str:
    for key, value in words.items():
        text = text.replace(f"{{{key}}}", value[:200])
    return text
