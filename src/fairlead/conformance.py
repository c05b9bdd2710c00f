"""For authors of plugins: each kind has a check that raises AssertionError with all that it found wrong."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fairlead.dialects.answers.abilities import Can
from fairlead.dialects.payloads.sent_calls import SentCall
from fairlead.dialects.payloads.sent_calls_check import flaws_in_calls, unlike_all
from fairlead.errors import FairleadError, PayloadError
from fairlead.interfaces import Dialect, Executor, Middleware, Sink
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, EventName, event_named
from fairlead.model.hook import Capture, Hook, Outcome
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.verdict import Reply, Verdict
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.judging.judge import matches_of
from fairlead.packs.judging.plugin_pack import flaws_of
from fairlead.packs.rule import Pack, Rule, Scene
from fairlead.shell.effects.effect import Effect

_RUBBISH = (b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"tool_name": 7}', b'{"tool_input": [{}]}', b"[" * 2000)


def check_dialect(
    dialect: Dialect, recorded: Mapping[str, Iterable[bytes]], calls: Sequence[SentCall] = ()
) -> None:
    """Checks the laws with payloads as the agent really sends them, by its own name of the event.

    One of them must gate a tool: a dialect that cannot stop a call is none. `calls` say which fields of the
    agent's tools carry what is judged: each has to be read, and the recorded ones have to be among them.
    """
    found: list[str] = []
    gate = ""
    for native, payloads in recorded.items():
        name = event_named(native)
        for raw in payloads:
            event = _decoded(dialect, raw, native, found)
            if event is not None:
                name = event.name
                if name is EventName.BEFORE_TOOL and event.tool is not None:
                    gate = gate or native
                    found += _unlisted(event, calls)
                found += _said(dialect, event)
        found += _last_resort(dialect, Event(name, native, dialect.name))
        found += _rubbish(dialect, native)
    if not gate:
        found.append("no recorded payload is a tool call that is about to run")
    found += flaws_in_calls(dialect, calls, gate=gate)
    _report(f"the dialect {getattr(dialect, 'name', dialect)!r}", found)


def check_pack(pack: Pack) -> None:
    """Its dangerous examples meet their rules; the harmless ones and its alternatives pass all of them."""
    found = flaws_of(pack, pack.id)
    for rule in pack.rules:
        texts = {"reason": rule.reason, "person": rule.person, "alternative": rule.alternative}
        found += [f"{rule.id}: {name} is empty" for name, text in texts.items() if not text]
        if not rule.dangerous or not rule.harmless:
            found.append(f"{rule.id}: it needs dangerous and harmless examples")
        try:
            found += _examples(rule, pack)
        except Exception as error:  # noqa: BLE001 - a rule is foreign code: whatever it raises becomes a finding
            found.append(f"{rule.id}: it broke on an example: {type(error).__name__}: {error}")
    _report(f"the pack {pack.id!r}", found)


def check_executor(make: Callable[[], Executor], hooks: Sequence[Hook], event: Event) -> None:
    """Runs each hook, in a thread that is given a second more than the hook's own timeout: an executor ends
    in time, gives a Capture, and raises nothing. Give it hooks that work, crash, hang and are not there."""
    found: list[str] = []
    for hook in hooks:
        answers: list[object] = []
        thread = threading.Thread(
            target=_collect, args=(lambda hook=hook: make().run(hook, event, ()), answers), daemon=True
        )
        thread.start()
        thread.join(hook.timeout + 1)
        if not answers:
            found.append(f"{hook.id}: it did not end within its timeout of {hook.timeout} seconds")
        elif isinstance(answers[0], BaseException):
            found.append(f"{hook.id}: it raised {type(answers[0]).__name__}: {answers[0]}")
        elif not isinstance(answers[0], Capture):
            found.append(f"{hook.id}: it gave no Capture but a {type(answers[0]).__name__}")
    _report("the executor", found)


def check_sink(make: Callable[[str], Sink], target: str, records: Sequence[Mapping[str, object]]) -> None:
    """Writes records that know little and records that know much. A sink may raise FairleadError, which
    means that a record has to be sent again, and nothing else."""
    found: list[str] = []
    sink = make(target)
    for record in ({}, {"event": None, "outcomes": [], "verdict": {}}, *records):
        before = repr(record)
        try:
            sink.write(record)
        except FairleadError:
            continue
        except Exception as error:  # noqa: BLE001 - a sink is foreign code: whatever it raises becomes a finding
            found.append(f"write({before[:60]}) raised {type(error).__name__}: {error}")
        if repr(record) != before:
            found.append(f"write({before[:60]}) changed the record")
    _report("the sink", found)


def check_middleware(middleware: Middleware, events: Iterable[Event], config: Mapping[str, object]) -> None:
    """Gives an Outcome or nothing for every event, also for one without a tool, and objects with a reason."""
    found: list[str] = []
    for event in (*events, Event(EventName.OTHER), Event(EventName.SESSION_START)):
        try:
            answer: object = middleware(event, config, ())
        except Exception as error:  # noqa: BLE001 - foreign code: whatever it raises becomes a finding
            found.append(f"it raised at {event.name}: {type(error).__name__}: {error}")
            continue
        if answer is not None and not isinstance(answer, Outcome):
            found.append(f"its answer at {event.name} is no Outcome but a {type(answer).__name__}")
        elif answer is not None and answer.decision.objects and not answer.reason:
            found.append(f"it objects at {event.name} and does not say why")
    _report("the middleware", found)


# dialects


def _decoded(dialect: Dialect, raw: bytes, native: str, found: list[str]) -> Event | None:
    try:
        event: object = dialect.decode(raw, native_event=native, environment={})
    except Exception as error:  # noqa: BLE001 - a dialect is foreign code: whatever it raises becomes a finding
        found.append(f"{native}: a recorded payload is not read: {type(error).__name__}: {error}")
        return None
    if not isinstance(event, Event):
        found.append(f"{native}: decode gave no Event but a {type(event).__name__}")
        return None
    if event.native_name != native:
        found.append(f"{native}: the event says that its native name is {event.native_name!r}")
    if event.name is EventName.BEFORE_TOOL and event.tool is None:
        found.append(f"{native}: a tool call without a tool passes every guard")
    return event


def _unlisted(event: Event, calls: Sequence[SentCall]) -> Iterator[str]:
    if calls and event.tool is not None and unlike_all(event, calls):
        yield f"{event.native_name}: none of the calls is like the recorded one of {event.tool.name}"


def _said(dialect: Dialect, event: Event) -> Iterator[str]:
    """What is said is never less than what was decided, and no opinion is never an opinion."""
    verdicts = {decision: Verdict(decision, reason=f"why-{decision.word}") for decision in Decision}
    replies: dict[Decision, tuple[int, bytes]] = {}
    for decision, verdict in verdicts.items():
        try:
            reply: object = dialect.render(event, verdict)
        except Exception as error:  # noqa: BLE001 - foreign code: whatever it raises becomes a finding
            yield f"{event.native_name}: render broke at {decision.word}: {type(error).__name__}: {error}"
            return
        if not isinstance(reply, Reply):
            yield f"{event.native_name}: render gave no Reply at {decision.word}"
            return
        replies[decision] = (reply.exit_code, reply.stdout)
    neutral = replies[Decision.CONTINUE]
    if replies[Decision.ALLOW] != neutral:
        yield f"{event.native_name}: allow is said otherwise than no opinion; only approve may approve"
    can = _abilities(dialect, event.native_name)
    if event.name not in GATING or not can.refuse:
        return
    for decision in (Decision.ASK, Decision.BLOCK, Decision.HALT):
        left_to_the_agent = decision is Decision.ASK and can.asks_itself
        if replies[decision] in (neutral, replies[Decision.APPROVE]) and not left_to_the_agent:
            yield f"{event.native_name}: {decision.word} is said as if nobody had objected"
    refusal = dialect.render(event, verdicts[Decision.BLOCK])
    if b"why-block" not in refusal.stdout + refusal.stderr:
        yield f"{event.native_name}: a block does not say its reason"


def _abilities(dialect: Dialect, native: str) -> Can:
    """What the event can be told, where the dialect says so; else all that a gate has to be told."""
    told = getattr(dialect, "abilities", None)
    can = told(native) if told is not None else Can()
    return can if isinstance(can, Can) else Can()


def _last_resort(dialect: Dialect, event: Event) -> Iterator[str]:
    native = event.native_name
    gates = event.name in GATING and _abilities(dialect, native).refuse
    try:
        last = dialect.last_resort(native)
        neutral = dialect.render(event, Verdict())
        same = (last.exit_code, last.stdout) == (neutral.exit_code, neutral.stdout)
    except Exception as error:  # noqa: BLE001 - foreign code: whatever it raises becomes a finding
        yield f"{native}: the last resort broke: {type(error).__name__}: {error}"
        return
    if gates and same:
        yield f"{native}: the last resort lets pass what it should deny"
    if not gates and not same:
        yield f"{native}: the last resort of an event that gates nothing is not the neutral answer"


def _rubbish(dialect: Dialect, native: str) -> Iterator[str]:
    for raw in _RUBBISH:
        try:
            dialect.decode(raw, native_event=native, environment={})
        except PayloadError:
            continue
        except Exception as error:  # noqa: BLE001 - foreign code: whatever it raises becomes a finding
            yield f"{native}: {raw[:20]!r} raised {type(error).__name__}, not PayloadError"


# packs


def _examples(rule: Rule, pack: Pack) -> Iterator[str]:
    for command in rule.dangerous:
        if rule.id not in _met(command, pack, rule):
            yield f"{rule.id}: it does not stop {command!r}"
    advice = rule.alternative.format(what="", target="notes.txt", detail="")
    rule.reason.format(what="", target="", detail="")
    for command in (*rule.harmless, *re.findall(r"`([^`]+)`", advice)):
        met = _met(command, pack, rule)
        own = block_dangerous_commands(_shell(command), {}, ())
        if met:
            yield f"{', '.join(sorted(met))}: it stops {command!r}, which {rule.id} calls harmless"
        if own is not None and own.decision.objects:
            yield f"{rule.id}: {command!r} is stopped by {own.rule}"


def _met(command: str, pack: Pack, rule: Rule) -> set[str]:
    """The rules of the pack that the command meets."""
    from fairlead.packs.judging.call_effects import read_call
    from fairlead.packs.judging.losses.git_state import Inquiry

    call = read_call(_shell(command))
    if call is None:
        return set()
    scene = Scene(call.script, call.where, Inquiry(), rule.level)
    return {
        match.rule.id
        for effect in call.effects
        for match in matches_of(effect, _speaking_of(effect, pack), scene)
    }


def _speaking_of(effect: Effect, pack: Pack) -> list[Rule]:
    rules = (rule for rule in pack.rules if effect.action in rule.actions)
    return [rule for rule in rules if not rule.names or effect.name in rule.names]


def _shell(command: str) -> Event:
    tool = ToolCall("Bash", {"command": command}, ToolKind.SHELL)
    root = "/home/no-one/project"  # a rule's examples are judged without anybody's files
    return Event(EventName.BEFORE_TOOL, "PreToolUse", root=root, cwd=root, tool=tool)


def _collect(run: Callable[[], Any], answers: list[object]) -> None:
    try:
        answers.append(run())
    except BaseException as error:  # noqa: BLE001 - whatever it raises becomes a finding
        answers.append(error)


def _report(what: str, found: Sequence[str]) -> None:
    __tracebackhide__ = True
    assert not found, f"{what}: " + "; ".join(found)
