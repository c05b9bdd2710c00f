"""One hook call: bytes of an agent in, bytes for the agent out. It never raises."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from time import perf_counter_ns

from fairlead.dialects.agent_registry import AGENTS
from fairlead.dialects.payloads.caller_detection import dialect_for
from fairlead.doors.hook.callers_home import with_callers_home
from fairlead.doors.hook.canaries import PREFIX
from fairlead.doors.hook.hook_call import PAYLOAD_BOUND, Acknowledge, HookCall
from fairlead.doors.hook.root import git_root
from fairlead.doors.hook.systems import Compiled, Systems
from fairlead.engine.finisher import failed, unrecorded
from fairlead.errors import JournalError, PayloadError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName, event_named
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.value import Value
from fairlead.model.verdict import Reply, Verdict
from fairlead.policy.off import Off, read_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.interfaces import Dialect
    from fairlead.policy.mode import Mode
    from fairlead.undo.keeper import Saver


class Answer(Value):
    """The reply, and what is left to do once it has been sent: the observers, off the answer's path."""

    reply: Reply
    afterwards: Callable[[], None] | None = None


_RESULTS = (EventName.AFTER_TOOL, EventName.TOOL_FAILURE)


class _Way:
    """How far a call has come: whatever breaks is laid to the stage that it broke in."""

    stage = Stage.PLANNING


def answer(call: HookCall, systems: Systems, acknowledge: Acknowledge | None = None) -> Answer:
    """The reply to a call. Whatever breaks on the way is a verdict too, and is recorded."""
    begun = perf_counter_ns()
    roots = (systems.places.system, systems.places.config)
    dialect = dialect_for(call.agent, call.payload, call.environment, roots=roots)
    event: Event | None = None
    way = _Way()
    try:
        off = read_off(systems.places)
        if off is not None and off.covers(call.agent):
            return Answer(_switched_off(call, off, dialect, systems, way=way))
        way.stage = Stage.VALIDATION
        event = _read(call, dialect)
        way.stage = Stage.PLANNING
        request = systems.request_of(event, door=call.agent, request=call.request)
        event = event.replace(root=systems.root_of(event), request=request)
        if PREFIX in event.session or PREFIX in event.root:
            event = event.replace(canary=systems.canaries.has(event))
        return _judged(call, event, dialect, systems, way=way, begun=begun, acknowledge=acknowledge)
    except PayloadError as error:
        event = event or _unread(call, dialect)
        failure = _unreadable(call, event, error)
    except Exception as error:  # noqa: BLE001 - no call may end without an answer in the caller's dialect
        event = event or _unread(call, dialect)
        failure = _broken(event, error, way.stage)
    return Answer(_failure_reply(event, failure, dialect, systems))


def _unread(call: HookCall, dialect: Dialect) -> Event:
    """What is known before the payload is read. It might be anything, so it counts as a tool call."""
    native = call.native_event or "PreToolUse"
    name = event_named(native)
    if name is EventName.OTHER and dialect.name not in AGENTS:
        name = EventName.BEFORE_TOOL  # a word of a plugin's agent, which only the plugin could read
    return Event(
        name,
        native_name=native,
        agent=call.agent,
        cwd=call.cwd,
        raw=call.payload,
        request=call.request,
    )


def _read(call: HookCall, dialect: Dialect) -> Event:
    if len(call.payload) > PAYLOAD_BOUND:
        raise PayloadError(
            f"the payload has {len(call.payload)} bytes, more than the {PAYLOAD_BOUND} that are read"
        )
    event = dialect.decode(call.payload, native_event=call.native_event, environment=call.environment)
    return with_callers_home(event if event.cwd else event.replace(cwd=call.cwd), call.environment)


def _judged(
    call: HookCall,
    event: Event,
    dialect: Dialect,
    systems: Systems,
    *,
    way: _Way,
    begun: int,
    acknowledge: Acknowledge | None,
) -> Answer:
    read = perf_counter_ns()
    compiled = systems.compiled(event.root, call.agent)
    if acknowledge is not None and not compiled.only_guards:
        acknowledge()
    found = perf_counter_ns()
    way.stage = Stage.EXECUTION
    if compiled.saves and systems.saver is not None:
        verdict = _judged_with_saves(call, event, compiled, systems.saver, acknowledge)
    else:
        verdict = compiled.fire(event, seconds=call.seconds, environment=call.environment)
    judged = perf_counter_ns()
    way.stage = Stage.RENDERING
    reply = dialect.render(event, verdict)
    if verdict.decision is Decision.ASK:
        verdict, reply = _asked(event, verdict, reply, dialect, systems)
    elif event.name in _RESULTS:
        _answered(event, systems)
    elif event.name is EventName.SESSION_START:
        mode = compiled.policy.mode
        verdict, reply = _started(call, event, verdict, reply, dialect=dialect, systems=systems, mode=mode)
    spent = {
        "read": (read - begun) // 1000,
        "policy": (found - read) // 1000,
        "judge": (judged - found) // 1000,
        "given": int(call.seconds * 1_000_000),
    }
    trouble = compiled.remember(event, verdict)
    if trouble:
        reply = reply.replace(degraded=f"{reply.degraded}; {trouble}" if reply.degraded else trouble)
    notes = compiled.notes(event)
    reply, line = _recorded(event, verdict, reply, dialect, systems, notes=notes, spent=spent)
    tell = systems.notices.about(event, verdict, call.environment)
    if verdict.decision is Decision.ASK:
        tell = _then_await_result(event, systems, tell)
    snapshot = None
    if event.name is EventName.SESSION_START and compiled.policy.mode.snapshots:
        from fairlead.doors.hook.session_snapshot import snapshot_of

        snapshot = snapshot_of(event, verdict, systems, line=line)
    if not compiled.observes(event):
        return Answer(reply, _in_turn(snapshot, tell))
    observe = partial(compiled.observe, event, verdict, environment=call.environment, line=line)
    return Answer(reply, _in_turn(snapshot, observe, tell))


def _in_turn(*tasks: Callable[[], None] | None) -> Callable[[], None] | None:
    """All that is left to do; what breaks one of them keeps none of the others."""
    left = [task for task in tasks if task is not None]
    if len(left) < 2:
        return left[0] if left else None

    def do_all() -> None:
        with ExitStack() as stack:
            for task in reversed(left):
                stack.callback(task)

    return do_all


def _judged_with_saves(
    call: HookCall, event: Event, compiled: Compiled, saver: Saver, acknowledge: Acknowledge | None
) -> Verdict:
    """The caller is told to wait before anything is copied; and a call that is over is noted."""
    if event.name is EventName.AFTER_TOOL:
        saver.ended(event)
    if acknowledge is not None and compiled.only_guards:
        saver.expect(event.request, acknowledge)
    try:
        return compiled.fire(event, seconds=call.seconds, environment=call.environment)
    finally:
        saver.forget(event.request)


def _asked(
    event: Event, verdict: Verdict, reply: Reply, dialect: Dialect, systems: Systems
) -> tuple[Verdict, Reply]:
    """A question that a person has answered with yes is none; one that nobody can be asked gets a code."""
    from fairlead.policy import questions

    key = questions.key_of(event)
    if questions.take(systems.places, event, key):
        reason = f"a person approved this one call: {verdict.reason}"
        verdict = verdict.replace(decision=Decision.CONTINUE, reason=reason, alternative="")
        return verdict, dialect.render(event, verdict)
    if event.canary:
        return verdict, reply
    told = "ask became block" not in reply.degraded
    way = _way_to_answer(event, verdict, systems, told=told, key=key)
    if not way:
        return verdict, reply
    verdict = verdict.replace(alternative=f"{verdict.alternative} {way}".strip())
    return verdict, dialect.render(event, verdict)


def _then_await_result(event: Event, systems: Systems, tell: Callable[[], None] | None) -> Callable[[], None]:
    def afterwards() -> None:
        from fairlead.policy import questions

        questions.await_result(systems.places, event)
        if tell is not None:
            tell()

    return afterwards


def _answered(event: Event, systems: Systems) -> None:
    from fairlead.policy import questions

    questions.answered(systems.places, event)


def _way_to_answer(event: Event, verdict: Verdict, systems: Systems, *, told: bool, key: str) -> str:
    """The command that answers the question, or ends it where the person is asked by the agent itself."""
    from fairlead.policy import questions
    from fairlead.policy.lasting_answers import can_last

    asker = event.agent if told else ""
    question = questions.question_about(event, verdict, summary=_summary(event), told=asker, key=key)
    if told and not (can_last(question) and question.session):
        return ""
    code = questions.ask(systems.places, question)
    if told:
        return f"A person can end this question: `fairlead approve {code} --for session`."
    return f"A person can run `fairlead approve {code}` in their own terminal; then make this call again."


def _started(
    call: HookCall,
    event: Event,
    verdict: Verdict,
    reply: Reply,
    *,
    dialect: Dialect,
    systems: Systems,
    mode: Mode,
) -> tuple[Verdict, Reply]:
    """With a word about hooks that are switched off, to the person, or to the model where only it listens."""
    from fairlead.doors.hook.lost_gates import words_at_start

    verdict, reply = _reminded(event, verdict, reply, dialect, mode)
    words = words_at_start(event, call.agent, systems.places, call.environment)
    if not words:
        return verdict, reply
    told = verdict.replace(system_message="\n".join(filter(None, (verdict.system_message, words))))
    reply = dialect.render(event, told)
    if "message not shown" in reply.degraded:
        context = "\n".join(filter(None, (verdict.additional_context, words)))
        told = verdict.replace(additional_context=context)
        reply = dialect.render(event, told)
    return told, _noted(reply, f"{words}\n")


def _reminded(
    event: Event, verdict: Verdict, reply: Reply, dialect: Dialect, mode: Mode
) -> tuple[Verdict, Reply]:
    """With a word to the person about audit that has lasted a week; the model is never told of it."""
    words = mode.reminder()
    if not words:
        return verdict, reply
    told = verdict.replace(system_message="\n".join(filter(None, (verdict.system_message, words))))
    shown = dialect.render(event, told)
    return (verdict, reply) if "message not shown" in shown.degraded else (told, shown)


def _summary(event: Event) -> str:
    """The call in one line, for the person who has to decide about it, without the secrets in it."""
    from fairlead.secrets.redact import redact_text

    tool = event.tool
    said = f"{tool.name} {dict(tool.input)}" if tool is not None else f"{event.native_name} {event.prompt}"
    return redact_text(said)


def _switched_off(call: HookCall, off: Off, dialect: Dialect, systems: Systems, *, way: _Way) -> Reply:
    """No opinion about anything, and a word about that when a session starts."""
    way.stage = Stage.VALIDATION
    try:
        event = _read(call, dialect)
        event = event.replace(canary=systems.canaries.has(event.replace(root=git_root(event.cwd))))
    except PayloadError:
        event = _unread(call, dialect)
    way.stage = Stage.RENDERING
    words = f"Fairlead is off {off.words()}; `fairlead on` ends that"
    started = event.name is EventName.SESSION_START
    verdict = Verdict(reason=words, hook="off", rule="off", system_message=words if started else "")
    event = event.replace(request=call.request)
    return _recorded(event, verdict, dialect.render(event, verdict), dialect, systems)[0]


def _recorded(
    event: Event,
    verdict: Verdict,
    reply: Reply,
    dialect: Dialect,
    systems: Systems,
    *,
    notes: str = "",
    spent: dict[str, int] | None = None,
) -> tuple[Reply, str]:
    """Writes the journal line, whose id is the second part.

    A verdict without its record has no id, says so, and approves nothing.
    """
    if notes:
        reply = _noted(reply, notes)
    try:
        return reply, systems.record(event, verdict, reply, spent=spent)
    except JournalError as error:
        return _noted(dialect.render(event, unrecorded(verdict)), f"{notes}fairlead: {error}\n"), ""


def _noted(reply: Reply, notes: str) -> Reply:
    return reply.replace(stderr=reply.stderr + notes.encode())


def _failure_reply(event: Event, failure: Failure, dialect: Dialect, systems: Systems) -> Reply:
    try:
        verdict = failed(event, failure, policy="")
        return _recorded(event, verdict, dialect.render(event, verdict), dialect, systems)[0]
    except Exception:  # noqa: BLE001 - even the failure could not be told: what was built beforehand answers
        return dialect.last_resort(event.native_name)


def _unreadable(call: HookCall, event: Event, error: PayloadError) -> Failure:
    return Failure(
        Stage.VALIDATION,
        FailureCode.INVALID_REQUEST,
        f"the hook payload of {call.agent} cannot be read: {error.message}",
        {"eventName": str(event.name)},
    )


def _broken(event: Event, error: Exception, stage: Stage) -> Failure:
    message = (
        f"Fairlead could not judge this call: {type(error).__name__}: {error}; "
        "`fairlead doctor` shows what is wrong, `fairlead off` switches it off"
    )
    code = FailureCode[f"{stage.name}_FAILURE"]
    return Failure(stage, code, message, {"eventName": str(event.name)})
