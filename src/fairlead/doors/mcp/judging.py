"""Judges what passes through the door, by the same systems as hooks, in this process: no daemon is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from threading import Lock
from urllib.parse import unquote, urlsplit

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import Can, intend
from fairlead.doors.hook.call import answer_in
from fairlead.doors.hook.door_passes import DoorFolder, Passed
from fairlead.doors.hook.hook_call import PAYLOAD_BOUND, SECONDS, HookCall
from fairlead.doors.hook.judged import Answer, recorded
from fairlead.doors.hook.root import git_root
from fairlead.doors.hook.systems import Systems
from fairlead.doors.mcp.calls import Choice, McpCall, Ruling
from fairlead.doors.mcp.clients import agent_of
from fairlead.doors.mcp.events import AFTER, Around, event_after, event_before, judged_name, letters_in
from fairlead.doors.mcp.questions import question_for, shown
from fairlead.doors.mcp.redaction import Json, redacted, refused_result, told_result
from fairlead.drivers.background import Background
from fairlead.errors import PayloadError
from fairlead.model.decision import Decision
from fairlead.model.digest import use_openssl
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.fast_records import compile_records
from fairlead.model.hook import AUDIT
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.verdict import Reply, Verdict
from fairlead.packs.results.looked_at import is_looked_at
from fairlead.policy.answers import questions
from fairlead.policy.places import Places
from fairlead.secrets.redact import compile_hints

AGENT = "mcp"
PINS = "mcp/pins"
"""In the journal, the rule of what is held back because of what the server says of it."""
_CAN = Can(rewrite=True, context=True, redact=True)
"""What a request or a result can be told: everything but to whom a message is for."""
_FLYING = 4096
"""How many calls without a result are remembered."""
_NO_ANSWER = "Blocked by Fairlead: it could not judge this call; `fairlead doctor` shows what is wrong"
_UNSEEN = "Withheld by Fairlead: it could not look at this result; `fairlead doctor` shows what is wrong"
_SAID_NO = (
    "Blocked by Fairlead: the person was asked about this call, and said no. Do not try it another way."
)
_GO_ON = Ruling(Decision.CONTINUE)


class _Flying:
    """A call that went on, or waits for an answer: what was judged, and what the model is to be told with its
    result. `seen`: hooks see it as well."""

    def __init__(self, event: Event, context: str, *, seen: bool, asked: bool) -> None:
        self.event, self.context, self.seen, self.asked = event, context, seen, asked


class Judge:
    """Safe to use from several threads. `server` is the configured name, `cwd` the folder of the door.

    `client` is the process whose hooks may judge the same calls; by default the one that started this one.
    """

    def __init__(
        self,
        places: Places,
        server: str,
        *,
        cwd: str = "",
        agent: str = AGENT,
        policies: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        seconds: float = SECONDS,
        client: int = 0,
    ) -> None:
        compile_records()
        compile_hints()
        use_openssl()
        self._systems = Systems(places, extra_policies=policies, lasting=True, saving=True, passing=False)
        self._environment = dict(os.environ if environment is None else environment)
        self._seconds = seconds
        cwd = cwd or os.getcwd()
        self._around = Around(agent, f"mcp-{os.urandom(6).hex()}", cwd, git_root(cwd))
        self._server = server
        self._passes = DoorFolder(places, server, client=client)
        self._background = Background(_complain)
        self._flying: dict[str, _Flying] = {}
        self._lock, self._answering = Lock(), Lock()
        self._background.do(self._practise)

    @property
    def quick(self) -> bool:
        """Whether only built-in guards judge: they take a fraction of a millisecond, so the pump may wait.

        By the policy as the last call found it: the next one looks whether it has changed.
        """
        around = self._around
        try:
            compiled = self._systems.known(around.root, around.agent)
        except Exception:  # noqa: BLE001 - what is wrong with the policy is said by the verdict on the next call
            return False
        return compiled.only_guards and not compiled.saves

    def _practise(self) -> None:
        """Loads what the first call would have to wait for, while the server starts. Nothing is run that is
        not ours, and nothing is recorded."""
        if not self.quick:
            return
        compiled = self._systems.compiled(self._around.root, self._around.agent)
        call = McpCall(self._server, "tools/call", "practise", {"path": "a.txt", "text": "words"}, {}, 0)
        before = event_before(call, self._around.replace(session=""), "")
        if before is not None:
            after = event_after(before, call, {"content": [{"type": "text", "text": "words"}]})
            for event in (before, after):
                compiled.system.fire(event)
        compile_records()  # those of the rooms that were loaded just now

    def met(self, name: str) -> None:
        """The client has said who it is (`clientInfo.name`): a policy may have a word about that agent."""
        agent = agent_of(name)
        if agent:
            self._around = self._around.replace(agent=agent)

    def rooted(self, uris: Sequence[str]) -> None:
        """The client has said which folders it works in: the first one that is there is the project."""
        for uri in uris:
            parts = urlsplit(uri)
            if parts.scheme == "file" and os.path.isdir(unquote(parts.path)):
                self._around = self._around.replace(root=git_root(unquote(parts.path)))
                return

    def before(self, call: McpCall) -> Ruling:
        """What is to come of a request. Whatever breaks refuses it, with words that say what broke."""
        event = event_before(call, self._around, os.urandom(16).hex())
        if event is None:
            return _GO_ON
        if call.method == "tools/call":
            passed = self._passes.take(call.name, call.arguments)
            ruling = None if passed is None else self._as_passed(passed, event)
            if ruling is not None:
                return ruling
        return self._ruled(event)

    def held_back(self, call: McpCall, why: str) -> None:
        """On record like a verdict, though no hook was asked."""
        event = event_before(call, self._around, os.urandom(16).hex())
        if event is not None:
            words = why.removeprefix("Blocked by Fairlead: ")
            verdict = Verdict(Decision.BLOCK, words, rule=PINS, gating=True)
            recorded(
                event, verdict, Reply(stdout=why.encode("utf-8", "replace")), _Door(event), self._systems
            )

    def answered(self, call: McpCall, ruling: Ruling, choice: Choice) -> Ruling:
        """The person was asked through the protocol. A yes is for this one call, and is recorded as one.
        Where nobody chose, there is still the code."""
        with self._answering:
            flying = self._landed(ruling)
            if flying is None or not flying.asked:
                return Ruling(
                    Decision.BLOCK, "Blocked by Fairlead: this question is too old", request=ruling.request
                )
            if choice is None:
                return _refused(ruling)
            key = questions.key_of(flying.event)
            question = questions.Question(key, flying.event.agent, "", "", 0.0)
            if choice:
                questions.grant(self._systems.places, question)
                answer = self._ruled(flying.event)
                return answer if answer.decision is not Decision.ASK else _refused(answer)
        questions.dismiss(self._systems.places, question)
        return Ruling(Decision.BLOCK, _SAID_NO, request=ruling.request)

    def after(
        self, call: McpCall, ruling: Ruling, result: Json, *, schema: Json | None = None
    ) -> Json | None:
        """None: the server's bytes go on untouched; else what is sent in their place."""
        flying = self._landed(ruling)
        if call.method not in AFTER or result.get("resultType", "complete") != "complete":
            return self.told(call, result)
        event = flying.event if flying is not None else event_before(call, self._around, os.urandom(16).hex())
        if event is None:
            return None
        answer = self._answer(event_after(event, call, result), watched=flying is None or not flying.seen)
        if answer.verdict is None or answer.event is None or answer.verdict.failures:
            return refused_result(call.method, _UNSEEN)
        intent = intend(answer.event, answer.verdict, _CAN)
        if intent.refuses:
            words = answer_words.withheld(answer.verdict) if answer.verdict.decision.objects else intent.words
            return refused_result(call.method, shown(words))
        context = "\n".join(filter(None, (flying.context if flying is not None else "", intent.context)))
        return told_result(call.method, result, intent.output, context, schema=schema)

    def told(self, call: McpCall | None, message: Json) -> Json | None:
        """What is neither request nor result, without keys: errors, progress, log messages. None: untouched.

        Nobody judges it, but it is left alone where the policy leaves results alone.
        """
        return redacted(message) if self._removes_keys(call) else None

    def dropped(self, ruling: Ruling) -> None:
        """The call was cancelled, or its server is gone: there will be no result."""
        self._landed(ruling)

    def close(self) -> None:
        self._background.finish()
        self._passes.close()
        self._systems.close()

    def _answer(self, event: Event, *, watched: bool = True) -> Answer:
        """`watched` is what no hook sees: then nobody but the door asks about it."""
        call = HookCall(
            event.agent,
            b"",
            event.native_name,
            event.cwd,
            self._environment,
            event.request,
            self._seconds,
            comes_once=watched,
        )
        answer = answer_in(_Door(event), call, self._systems)
        if answer.afterwards is not None and watched:
            self._background.do(answer.afterwards)
        return answer

    def _ruled(self, event: Event) -> Ruling:
        answer = self._answer(event)
        verdict, judged = answer.verdict, answer.event
        if verdict is None or judged is None:
            return Ruling(Decision.BLOCK, _NO_ANSWER)
        if verdict.failures and not verdict.decision.objects:  # an event that does not gate, as a question
            words = answer_words.refusal(verdict.replace(decision=Decision.BLOCK))
            return Ruling(Decision.BLOCK, shown(words), request=judged.request)
        if verdict.is_silent:
            self._flies(judged)
            return Ruling(verdict.decision, request=judged.request)
        intent = intend(judged, verdict, _CAN)
        if not intent.refuses:
            tool = judged.tool
            if intent.input is not None and tool is not None:
                judged = judged.replace(tool=tool.replace(input=intent.input))
            self._flies(judged, intent.context)
            return Ruling(verdict.decision, arguments=intent.input, request=judged.request)
        if verdict.decision is not Decision.ASK or verdict.stop:
            return Ruling(max(verdict.decision, Decision.BLOCK), shown(intent.words), request=judged.request)
        self._flies(judged, asked=True)
        return Ruling(
            Decision.ASK,
            shown(intent.words),
            question=question_for(judged, verdict),
            code=questions.key_of(judged)[: questions.CODE],
            request=judged.request,
        )

    def _landed(self, ruling: Ruling) -> _Flying | None:
        with self._lock:
            return self._flying.pop(ruling.request, None)

    def _flies(self, event: Event, context: str = "", *, seen: bool = False, asked: bool = False) -> None:
        with self._lock:
            if len(self._flying) >= _FLYING:
                self._flying.pop(next(iter(self._flying)))
            self._flying[event.request] = _Flying(event, context, seen=seen, asked=asked)

    def _as_passed(self, passed: Passed, event: Event) -> Ruling | None:
        """What a hook said of this call; None where it was judged by another policy than would be here."""
        if passed.decision.stops:
            return Ruling(Decision.BLOCK, shown(passed.text), request=passed.request)
        around = self._around
        if passed.root != around.root and not f"{around.cwd}/".startswith(f"{passed.root}/"):
            return None
        assert event.tool is not None
        tool = event.tool.replace(id=passed.call)
        theirs = around.replace(agent=passed.agent, session=passed.session, root=passed.root)
        event = event.replace(
            agent=theirs.agent, session=theirs.session, root=theirs.root, request=passed.request, tool=tool
        )
        compiled = self._systems.compiled(passed.root, passed.agent)
        spelled = event.replace(tool=tool.replace(name=passed.tool))
        same = compiled.system.plan(event) == compiled.system.plan(spelled)
        if not same or not passed.policy or compiled.policy.hash != passed.policy:
            return None
        self._around = theirs
        self._flies(event, seen=True)
        return Ruling(Decision.CONTINUE, request=passed.request)

    def _removes_keys(self, call: McpCall | None) -> bool:
        around = self._around
        name = judged_name(self._server, call.name if call is not None else "message")
        tool = ToolCall(name, {}, ToolKind.MCP, "", self._server, name)
        event = Event(EventName.AFTER_TOOL, agent=around.agent, root=around.root, cwd=around.cwd, tool=tool)
        try:
            plan = self._systems.compiled(around.root, around.agent).system.plan(event)
        except Exception:  # noqa: BLE001 - where no policy can be read, what is certainly a key stays away
            return True
        hooks = [
            hook for batch in plan.result for hook in batch.hooks if hook.id == "remove-secrets-from-results"
        ]
        return any(hook.mode != AUDIT and is_looked_at(tool, hook.config) for hook in hooks)


class _Door:
    """The dialect of one call: it has its event already, and says a refusal in words."""

    name = AGENT

    def __init__(self, event: Event) -> None:
        self._event = event

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        """What a hook is not told for its length is not judged here either."""
        tool = self._event.tool
        if tool is not None and letters_in(tool.input, PAYLOAD_BOUND) > PAYLOAD_BOUND:
            raise PayloadError(f"the arguments have more than the {PAYLOAD_BOUND} bytes that are read")
        return self._event

    def render(self, event: Event, verdict: Verdict) -> Reply:
        if verdict.is_silent:
            return _SILENT
        intent = intend(event, verdict, _CAN)
        return Reply(stdout=shown(intent.words).encode("utf-8", "replace"), degraded=intent.note)

    def last_resort(self, native_event: str) -> Reply:
        return Reply(2, _NO_ANSWER.encode())


_SILENT = Reply()


def _refused(ruling: Ruling) -> Ruling:
    return Ruling(Decision.BLOCK, ruling.text, request=ruling.request)


def _complain(error: Exception) -> None:
    sys.stderr.write(f"fairlead: an observer failed: {type(error).__name__}: {error}\n")
