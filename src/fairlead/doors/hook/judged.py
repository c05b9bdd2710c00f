"""What every door does with an event of a call: judge it, put questions to a person, record, and tell.

Hooks come here with the bytes of an agent, the MCP door with a request between a client and a server.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from time import perf_counter_ns

from fairlead.doors.hook.hook_call import Acknowledge, HookCall
from fairlead.doors.hook.systems import Compiled, Systems
from fairlead.engine.finisher import unrecorded
from fairlead.errors import JournalError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Stage
from fairlead.model.value import Value
from fairlead.model.verdict import Reply, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.interfaces import Dialect
    from fairlead.policy.mode import Mode
    from fairlead.undo.keeper import Saver


class Answer(Value):
    """The reply, and what is left to do once it has been sent: the observers, off the answer's path."""

    reply: Reply
    afterwards: Callable[[], None] | None = None
    event: Event | None = None
    """As it was judged: with its project and its request."""
    verdict: Verdict | None = None
    """What the reply says; None where nothing could be said but the dialect's last resort."""


_ELSEWHERE = "People elsewhere can answer this; make the call again once one of them has."
_RESULTS = (EventName.AFTER_TOOL, EventName.TOOL_FAILURE)


class Way:
    """How far a call has come: whatever breaks is laid to the stage that it broke in."""

    stage = Stage.PLANNING


def judged(
    call: HookCall,
    event: Event,
    dialect: Dialect,
    systems: Systems,
    *,
    way: Way,
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
        local = not compiled.policy.managed.forbids("approve")
        verdict, reply = _asked(event, verdict, reply, dialect, systems, local=local)
    elif event.name in _RESULTS and not call.comes_once:
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
    if event.name is EventName.BEFORE_TOOL and event.tool is not None and event.tool.mcp_tool:
        _left_for_door(call, event, verdict, reply, systems)
    trouble = compiled.remember(event, verdict)
    if trouble:
        reply = reply.replace(degraded=f"{reply.degraded}; {trouble}" if reply.degraded else trouble)
    notes = compiled.notes(event)
    reply, line = recorded(event, verdict, reply, dialect, systems, notes=notes, spent=spent)
    tell = systems.notices.about(event, verdict, call.environment)
    if verdict.decision is Decision.ASK:
        tell = _then_await_result(event, systems, tell)
    snapshot = None
    if event.name is EventName.SESSION_START and compiled.policy.mode.snapshots:
        from fairlead.doors.hook.session_snapshot import snapshot_of

        snapshot = snapshot_of(event, verdict, systems, line=line)
    observe = None
    if compiled.observes(event):
        observe = partial(compiled.observe, event, verdict, environment=call.environment, line=line)
    return Answer(reply, _in_turn(snapshot, observe, tell), event, verdict)


def _left_for_door(call: HookCall, event: Event, verdict: Verdict, reply: Reply, systems: Systems) -> None:
    """A call that goes through a door of Fairlead, too, is not judged there once more."""
    if not systems.passing or event.canary or not os.access(systems.places.mcp_doors, os.F_OK):
        return
    from fairlead.doors.hook.door_passes import Passes  # only where there is a door

    refused = verdict.decision.stops or verdict.stop or "became block" in reply.degraded
    words = ""
    if refused:
        from fairlead.dialects.answers import answer_words

        asked = verdict.decision is Decision.ASK
        words = answer_words.unasked(verdict) if asked else answer_words.refusal(verdict)
    Passes(systems.places).leave(event, verdict, words, caller=call.caller)


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
    event: Event, verdict: Verdict, reply: Reply, dialect: Dialect, systems: Systems, *, local: bool
) -> tuple[Verdict, Reply]:
    """A question that a person has answered with yes is none; one that nobody can be asked gets a code.

    Where no local person may answer, others may from elsewhere, and nobody is sent to `fairlead approve`.
    """
    from fairlead.policy.answers import questions

    key = questions.key_of(event)
    said = partial(_said, event, verdict)
    yes = questions.take(systems.places, event, key, local=local, said=said)
    if yes is not None:
        reason = f"{yes.words}: {verdict.reason}"
        verdict = verdict.replace(
            decision=Decision.CONTINUE, reason=reason, alternative="", approved_by=yes.as_json()
        )
        return verdict, dialect.render(event, verdict)
    if event.canary:
        return verdict, reply
    told = "ask became block" not in reply.degraded
    way = _way_to_answer(event, verdict, systems, told=told, key=key)
    if not way or (told and not local):
        return verdict, reply
    way = way if local else _ELSEWHERE
    verdict = verdict.replace(alternative=f"{verdict.alternative} {way}".strip())
    return verdict, dialect.render(event, verdict)


def _said(event: Event, verdict: Verdict) -> tuple[str, str]:
    """As a question about this call tells it."""
    from fairlead.policy.answers import questions

    question = questions.question_about(event, verdict, summary=_summary(event), key="-")
    return question.rule, question.summary


def _then_await_result(event: Event, systems: Systems, tell: Callable[[], None] | None) -> Callable[[], None]:
    def afterwards() -> None:
        from fairlead.policy.answers import questions

        questions.await_result(systems.places, event)
        if tell is not None:
            tell()

    return afterwards


def _answered(event: Event, systems: Systems) -> None:
    from fairlead.policy.answers import questions

    questions.answered(systems.places, event)


def _way_to_answer(event: Event, verdict: Verdict, systems: Systems, *, told: bool, key: str) -> str:
    """The command that answers the question, or ends it where the person is asked by the agent itself."""
    from fairlead.policy.answers import questions
    from fairlead.policy.answers.lasting_answers import can_last

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
    from fairlead.doors.hook.question_words import words_of
    from fairlead.secrets.redact import redact_text

    said = words_of(event.tool) if event.tool is not None else f"{event.native_name} {event.prompt}"
    return redact_text(said)


def recorded(
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
