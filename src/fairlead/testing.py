"""For authors of hooks: events without an agent, a clock that stands still, verdicts of hooks and policies.

    def test_it_blocks(policy):
        assert_blocks(policy.check(bash("rm -rf /")))

pytest finds the fixtures `policy`, `hook_event`, `assert_blocks`, `assert_allows` and `assert_broken` itself.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any, Self

from fairlead.assembly import Execution, new_workers
from fairlead.conformance import check_dialect, check_executor, check_middleware, check_pack, check_sink
from fairlead.contracts.returned_value import ReturnedValue
from fairlead.doors.library.model import ModelReply, ModelRequest
from fairlead.doors.library.policy import load_system
from fairlead.doors.library.state import Message, Usage
from fairlead.drivers.asynchronous import drive as drive_async
from fairlead.drivers.sync import drive
from fairlead.engine.system import HookSystem, Parts
from fairlead.engine.translator import Untouched
from fairlead.executors.python_call import PythonCall
from fairlead.model.answer import Answer
from fairlead.model.answer import Execution as ToolExecution
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName, event_named
from fairlead.model.failure import Failure
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.tool_call import ToolCall, ToolKind, ToolResult, call_named
from fairlead.model.verdict import Verdict

__all__ = [
    "FakeClock",
    "MemorySink",
    "PolicyUnderTest",
    "ScriptedModel",
    "assert_allows",
    "assert_asks",
    "assert_blocks",
    "assert_broken",
    "bash",
    "check_dialect",
    "check_executor",
    "check_middleware",
    "check_pack",
    "check_sink",
    "event",
    "hook",
    "judge",
    "load_middleware",
    "play",
    "result_event",
    "shell_event",
    "system_of",
    "told",
    "tool_call",
    "tool_event",
]


class FakeClock:
    """Time that moves only when told to."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.time = now

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    def advance(self, seconds: float) -> None:
        self.time += seconds


class MemorySink:
    """Keeps the records that it gets."""

    def __init__(self) -> None:
        self.records: list[Mapping[str, object]] = []

    def write(self, record: Mapping[str, object]) -> None:
        self.records.append(record)


def shell_event(command: str, **fields: Any) -> Event:
    """An agent is about to run a command in the project /project."""
    return tool_event("Bash", {"command": command}, kind=ToolKind.SHELL, **fields)


def tool_event(
    name: str, tool_input: Mapping[str, object], *, kind: ToolKind | None = None, **fields: Any
) -> Event:
    """An agent is about to use a tool. Its kind is told as every door tells it, unless it is given."""
    tool = call_named(name, tool_input, kind=kind)
    given = {"session": "s1", "root": "/project", "cwd": "/project", "native_name": "PreToolUse"} | fields
    return Event(EventName.BEFORE_TOOL, tool=tool, **given)


def result_event(name: str, tool_input: Mapping[str, object], output: object, **fields: Any) -> Event:
    """A tool has answered."""
    given = {"session": "s1", "root": "/project", "cwd": "/project", "native_name": "PostToolUse"} | fields
    return Event(EventName.AFTER_TOOL, tool=call_named(name, tool_input), result=ToolResult(output), **given)


def hook(
    function: Callable[[Event, Mapping[str, object], Sequence[Outcome]], object],
    *,
    id: str = "",
    type: HookType = HookType.SAFETY,
    event: EventName = EventName.BEFORE_TOOL,
    **fields: Any,
) -> Hook:
    """A hook that calls `function(event, config, previous)`."""
    return Hook(id or function.__name__, type, event, Run("call", function), **fields)


def system_of(hooks: Sequence[Hook], *, clock: FakeClock | None = None, **options: Any) -> HookSystem:
    """A system of Python hooks, without policy, journal or processes."""
    parts = Parts(
        execute=PythonCall().run,
        read=ReturnedValue().read,
        clock=clock or FakeClock(),
        drive=drive,
        drive_async=drive_async,
        translator=options.pop("translator", Untouched()),
        sinks=options.pop("sinks", ()),
    )
    return HookSystem(hooks, parts, **options)


def judge(hooks: Sequence[Hook], event: Event) -> Verdict:
    """What these hooks together say of the event."""
    return system_of(hooks).fire(event)


def bash(command: str, **more: object) -> ToolCall:
    """A shell call, whatever the agent calls its shell."""
    return ToolCall("Bash", {"command": command, **more}, ToolKind.SHELL, id="call-1")


def tool_call(name: str, **arguments: object) -> ToolCall:
    """Any call; its arguments decide its kind."""
    return call_named(name, arguments, id="call-1")


def event(
    name: str = "PreToolUse",
    *,
    call: ToolCall | None = None,
    result: object = None,
    prompt: str | None = None,
    root: str = "/project",
    agent: str = "generic",
    **payload: object,
) -> Event:
    """An event in any agent's spelling of its name; further fields go into its payload."""
    return Event(
        event_named(name),
        native_name=name,
        agent=agent,
        session="test",
        root=root,
        cwd=root,
        tool=call,
        result=None if result is None else result if isinstance(result, ToolResult) else ToolResult(result),
        prompt=prompt,
        payload=payload,
    )


def told(subject: ToolCall | Event) -> dict[str, object]:
    """The `hook_input` that `process()` gets for a call or an event."""
    from fairlead.model.hook_input import hook_input
    from fairlead.packs.judging.understanding import understood

    given = event(call=subject) if isinstance(subject, ToolCall) else subject
    return {**hook_input(given), "fairlead": understood(given)}


class PolicyUnderTest:
    """Policy files, judged without an agent, without the user's own policy, and without a journal.

    Close it, or use it as a context: hooks in files run in processes of their own.
    """

    def __init__(self, *folders: str, home: str, root: str = "") -> None:
        """`folders` are policy roots: each holds `hooks/**/hook.meta.yaml`. `root` is the project's; without
        one there is an empty project for as long as this lasts: hooks run in it, so it has to be there."""
        self._made_root = None if root else TemporaryDirectory(prefix="fairlead-project-")
        root = root or str(self._made_root and self._made_root.name)
        self.system: HookSystem = load_system(
            home=home, root=root, policies=folders, journal=False, observers=False
        )
        self.root = root
        self._workers: Any = None

    def check(self, subject: ToolCall | Event, **fields: Any) -> Verdict:
        """The verdict on a call that is about to run, or on an event."""
        if isinstance(subject, ToolCall):
            subject = event(call=subject, root=self.root, **fields)
        return self.system.fire(subject, execute=Execution({}, self._made_workers))

    def close(self) -> None:
        if self._workers is not None:
            self._workers.close()
            self._workers = None
        if self._made_root is not None:
            self._made_root.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _made_workers(self) -> Any:
        if self._workers is None:
            self._workers = new_workers()
        return self._workers


def load_middleware(path: str) -> Mapping[str, Any]:
    """The names of a middleware file. No bytecode is written beside it: that would take a trust back."""
    import fairlead.middleware_base

    sys.modules.setdefault("middleware_base", fairlead.middleware_base)
    return runpy.run_path(os.fspath(path))


def assert_blocks(answer: object, *words: str) -> None:
    """The answer is block or halt, its reason has these words, and no hook broke on the way."""
    __tracebackhide__ = True
    decision, reason = _decided(answer)
    assert decision >= Decision.BLOCK, f"expected a block, got {decision.word}: {reason or 'no reason'}"
    for word in words:
        assert word in reason, f"expected {word!r} in the reason: {reason!r}"


def assert_asks(answer: object, *words: str) -> None:
    __tracebackhide__ = True
    decision, reason = _decided(answer)
    assert decision is Decision.ASK, f"expected ask, got {decision.word}: {reason or 'no reason'}"
    for word in words:
        assert word in reason, f"expected {word!r} in the reason: {reason!r}"


def assert_allows(answer: object) -> None:
    """Nobody objects, and nobody who could have is broken."""
    __tracebackhide__ = True
    decision, reason = _decided(answer)
    assert not decision.objects, f"expected no objection, got {decision.word}: {reason}"


def assert_broken(answer: object, *words: str) -> None:
    """A hook broke, and what broke has these words."""
    __tracebackhide__ = True
    failure = _breakdown(answer)
    assert failure is not None, "expected a hook to break, and none did"
    for word in words:
        assert word in failure.message, f"expected {word!r} in the failure: {failure.message!r}"


def _decided(answer: object) -> tuple[Decision, str]:
    """A hook that breaks blocks, but not because it decided so: a test must not be green for it."""
    __tracebackhide__ = True
    failure = _breakdown(answer)
    assert failure is None, f"a hook broke, so this is no decision: {failure.message}"
    return _read(answer)


def _breakdown(answer: object) -> Failure | None:
    if isinstance(answer, Verdict):
        return answer.breakdown
    return answer.failure if isinstance(answer, Outcome) else None


def _read(answer: object) -> tuple[Decision, str]:
    """Decision and reason of whatever a hook, a stack, a middleware or a policy answered."""
    if answer is None or isinstance(answer, (ToolCall, ToolResult)):
        return Decision.CONTINUE, ""
    if isinstance(answer, (Verdict, Outcome, Answer)):
        return answer.decision, answer.reason
    if isinstance(answer, ToolExecution):
        return max(answer.decision, Decision.CONTINUE), answer.error
    word = answer.get("decision") if isinstance(answer, Mapping) else getattr(answer, "decision", None)
    reason = answer.get("reason", "") if isinstance(answer, Mapping) else getattr(answer, "reason", "")
    assert word in DECISION_WORDS, f"{answer!r} is no answer of a hook"
    return DECISION_WORDS[str(word)], str(reason)


def play(transcript: str, policy: PolicyUnderTest) -> str:
    """A transcript as it turns out: `>> TOOL ARGUMENT` asks, `<< DECISION [RULE]` is the answer.

    Compare it with itself: `assert play(text, policy) == text`. Other lines stay as they are.
    """
    shown: list[str] = []
    for line in transcript.splitlines():
        if line.startswith("<<"):
            continue
        shown.append(line)
        if line.startswith(">>"):
            verdict = policy.check(_asked(line[2:].split(maxsplit=1)))
            word = verdict.decision.word if verdict.decision.objects else "pass"
            shown.append(f"<< {word} {verdict.rule}".rstrip() if verdict.decision.objects else f"<< {word}")
    return "\n".join(shown) + ("\n" if transcript.endswith("\n") else "")


def _asked(words: Sequence[str]) -> ToolCall:
    name, argument = words[0], words[1] if len(words) > 1 else ""
    if name == "Bash":
        return bash(argument)
    key = "url" if name == "WebFetch" else "file_path"
    more = {"Write": {"content": ""}, "Edit": {"old_string": "a", "new_string": "b"}}.get(name, {})
    return tool_call(name, **{key: argument, **more})


class ScriptedModel:
    """A model that says what it was told to: texts, and tool calls to ask for."""

    def __init__(self, *replies: str | ToolCall | Iterable[ToolCall] | ModelReply) -> None:
        self._replies = [_reply(each) for each in replies]
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        assert len(self.requests) <= len(self._replies), "the script is over, and the agent asks again"
        return self._replies[len(self.requests) - 1]

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelReply]:
        reply = await self.complete(request)
        for word in reply.message.content.split(" "):
            yield f"{word} "
        yield reply


def _reply(given: str | ToolCall | Iterable[ToolCall] | ModelReply) -> ModelReply:
    if isinstance(given, ModelReply):
        return given
    usage = Usage(input_tokens=10, output_tokens=5)
    if isinstance(given, str):
        return ModelReply(Message("assistant", given), usage)
    calls = (given,) if isinstance(given, ToolCall) else tuple(given)
    return ModelReply(Message("assistant", "", calls), usage)
