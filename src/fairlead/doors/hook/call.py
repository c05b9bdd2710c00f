"""One hook call: bytes of an agent in, bytes for the agent out. It never raises."""

from __future__ import annotations

from time import perf_counter_ns

from fairlead.dialects.agent_registry import AGENTS
from fairlead.dialects.payloads.caller_detection import dialect_for
from fairlead.doors.hook.callers_home import with_callers_home
from fairlead.doors.hook.canaries import PREFIX
from fairlead.doors.hook.hook_call import PAYLOAD_BOUND, Acknowledge, HookCall
from fairlead.doors.hook.judged import Answer, Way, judged, recorded
from fairlead.doors.hook.root import git_root
from fairlead.doors.hook.systems import Systems
from fairlead.engine.finisher import failed
from fairlead.errors import PayloadError
from fairlead.model.event import Event
from fairlead.model.event_name import EventName, event_named
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.verdict import Verdict
from fairlead.policy.off import Off, read_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.interfaces import Dialect


def answer(call: HookCall, systems: Systems, acknowledge: Acknowledge | None = None) -> Answer:
    """The reply to a call. Whatever breaks on the way is a verdict too, and is recorded."""
    begun = perf_counter_ns()
    roots = (systems.places.system, systems.places.config)
    dialect = dialect_for(call.agent, call.payload, call.environment, roots=roots)
    return answer_in(dialect, call, systems, acknowledge=acknowledge, begun=begun)


def answer_in(
    dialect: Dialect,
    call: HookCall,
    systems: Systems,
    *,
    acknowledge: Acknowledge | None = None,
    begun: int = 0,
) -> Answer:
    """The same for a caller whose dialect is known."""
    begun = begun or perf_counter_ns()
    event: Event | None = None
    way = Way()
    try:
        off = read_off(systems.places)
        if off is not None and off.covers(call.agent):
            return _switched_off(call, off, dialect, systems, way=way)
        way.stage = Stage.VALIDATION
        event = _read(call, dialect)
        way.stage = Stage.PLANNING
        request = call.request
        if not call.comes_once:
            request = systems.request_of(event, door=call.agent, request=request)
        event = event.replace(root=systems.root_of(event), request=request)
        if PREFIX in event.session or PREFIX in event.root:
            event = event.replace(canary=systems.canaries.has(event))
        return judged(call, event, dialect, systems, way=way, begun=begun, acknowledge=acknowledge)
    except PayloadError as error:
        event = event or _unread(call, dialect)
        failure = _unreadable(call, event, error)
    except Exception as error:  # noqa: BLE001 - no call may end without an answer in the caller's dialect
        event = event or _unread(call, dialect)
        failure = _broken(event, error, way.stage)
    return _failure_answer(event, failure, dialect, systems)


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


def _switched_off(call: HookCall, off: Off, dialect: Dialect, systems: Systems, *, way: Way) -> Answer:
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
    reply, _ = recorded(event, verdict, dialect.render(event, verdict), dialect, systems)
    return Answer(reply, event=event, verdict=verdict)


def _failure_answer(event: Event, failure: Failure, dialect: Dialect, systems: Systems) -> Answer:
    try:
        verdict = failed(event, failure, policy="")
        reply, _ = recorded(event, verdict, dialect.render(event, verdict), dialect, systems)
        return Answer(reply, event=event, verdict=verdict)
    except Exception:  # noqa: BLE001 - even the failure could not be told: what was built beforehand answers
        return Answer(dialect.last_resort(event.native_name))


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
