"""The only module that knows every part: the tables of what is shipped, and how a policy becomes hooks."""

from __future__ import annotations

import os.path
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module

from fairlead.engine.order import without_cycles
from fairlead.engine.system import Execute, HookSystem, Parts
from fairlead.errors import RegistrationError
from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import ENFORCE, STRICT, Capture, Hook, Outcome, Run
from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.matching.matcher import ANYTHING, Matcher, matcher_from
from fairlead.model.verdict import Verdict
from fairlead.packs.judging.placed import UNPLACED, Placed
from fairlead.policy.layering.defaults import SAVING, TELLS_RULES_APART, config_of
from fairlead.sessions.memory import NO_MEMORIES, Memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fairlead.engine.runner import Steps
    from fairlead.interfaces import Contract, Executor, Middleware
    from fairlead.packs.judging.saving import Keeper
    from fairlead.policy.places import Places
    from fairlead.policy.policy import Policy
    from fairlead.policy.reading.entry import Entry
    from fairlead.shell.programs.lookup import Programs
    from fairlead.shell.programs.taught import Taught

BUILTINS = {
    "validate-tool-inputs": "packs.guards.tool_inputs:validate_tool_inputs",
    "block-dangerous-commands": "packs.guards.dangerous_commands:block_dangerous_commands",
    "protect-sensitive-files": "packs.guards.sensitive_files:protect_sensitive_files",
    "keep-hooks-on": "packs.guards.hooks_off:keep_hooks_on",
    "guard-server-requests": "packs.guards.server_requests:guard_server_requests",
    "approve-safe-operations": "packs.guards.safe_operations:approve_safe_operations",
    "enforce-budget": "packs.guards.budget:enforce_budget",
    "apply-rule": "packs.own_rules.apply_rule:apply_rule",
    "remove-secrets-from-results": "packs.results.removed_secrets:remove_secrets",
    "flag-instructions-in-results": "packs.results.flagged_orders:flag_instructions",
    "log-operations": "observers.operation_log:log_operations",
    "emit-metrics": "observers.metrics:emit_metrics",
    "track-token-usage": "observers.token_usage:track_token_usage",
    "debug-tracer": "observers.debug_trace:debug_tracer",
}
"""Middleware that a policy names by id; imported when a policy first uses it."""

PLACED = frozenset(
    {
        "block-dangerous-commands",
        "protect-sensitive-files",
        "approve-safe-operations",
        "apply-rule",
        "flag-instructions-in-results",
    }
)
"""Those that are told what `Placed` holds."""
SELDOM = frozenset(
    {
        "keep-hooks-on",
        "guard-server-requests",
        "remove-secrets-from-results",
        "flag-instructions-in-results",
    }
)
"""Those for events that most calls are not: imported when such an event comes."""

EXECUTORS = {
    "builtin": "executors.python_call:PythonCall",
    "call": "executors.python_call:PythonCall",
    "plugin": "executors.python_call:PythonCall",
    "python": "executors.python_file:PythonFile",
    "command": "executors.command:Command",
    "http": "executors.http:Http",
    "profile": "profiles.group:ProfileGroup",
}
NEEDS = {
    "python": ("workers", "environment", "reading"),
    "command": ("environment", "reading"),
    "http": ("environment", "reading"),
    "profile": ("environment", "command"),
}
"""What an executor is made with, besides nothing."""
_BY_PLUGIN = "plugin:"
"""Before the name of an executor that another package brings."""

CONTRACTS = {
    "returned": "contracts.returned_value:ReturnedValue",
    "auto": "contracts.auto:Auto",
    "claude": "contracts.json_output:JsonOutput",
    "gemini": "contracts.json_output:JsonOutput",
    "contract": "contracts.contract_lines:ContractLines",
    "profile": "profiles.answer:ProfileAnswer",
}
TRANSLATOR = "translations.translator:ModelTranslator"
REMEMBERING = "packs.noting.remembering:Remembering"


@cache
def _shipped(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"fairlead.{module}"), name)


def builtin(name: str) -> Middleware:
    middleware: Middleware = _shipped(BUILTINS[name])
    return middleware


def new_workers() -> Any:
    """The processes that run foreign Python files; close them when done."""
    return _shipped("executors.workers:Workers")()


class LazyTranslator:
    """The translator of model calls, imported when the first event has one."""

    def to_hooks(self, event: Event) -> Event:
        translated: Event = _shipped(TRANSLATOR)().to_hooks(event)
        return translated

    def to_caller(self, given: Event, translated: Event, final: Event) -> Mapping[str, Any]:
        changed: Mapping[str, Any] = _shipped(TRANSLATOR)().to_caller(given, translated, final)
        return changed


class SystemClock:
    """Real time."""

    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)


class Execution:
    """Runs a hook with the executor that it names, in the environment of the call that asks for it.

    Built-in guards are told which of their rules are `excused` for this call.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        workers: Callable[[], Any] | None = None,
        *,
        excused: Sequence[str] = (),
    ) -> None:
        self._environment = environment
        self._excused = excused
        self._workers = workers or new_workers
        self._executors: dict[str, Executor] = {}

    def __call__(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        name = hook.run.executor
        executor = self._executors.get(name)
        if executor is None:
            executor = self._made(NEEDS[name], name) if name in NEEDS else _lasting_executor(name)
            self._executors[name] = executor
        if self._excused and name == "builtin":
            hook = hook.replace(config={**hook.config, "excused": self._excused})
        return executor.run(hook, event, previous)

    def _made(self, needs: Sequence[str], name: str) -> Executor:
        given: dict[str, Any] = {"environment": self._environment} if "environment" in needs else {}
        if "workers" in needs:
            given["workers"] = self._workers()
        if "reading" in needs:
            given["reading"] = _understood
        if "command" in needs:
            given["command"] = _shipped(EXECUTORS["command"])
        executor: Executor = _shipped(EXECUTORS[name])(**given)
        return executor


def _understood(event: Event) -> Mapping[str, object]:
    """What the packs read in a call, for hooks that are told of it; they have read it already."""
    told: Mapping[str, object] = _shipped("packs.judging.understanding:understood")(event)
    return told


@cache
def _lasting_executor(name: str) -> Executor:
    """One that needs to know nothing of a call serves them all."""
    if name.startswith(_BY_PLUGIN):
        foreign: Executor = _shipped("executors.foreign:ForeignExecutor")(name.removeprefix(_BY_PLUGIN))
        return foreign
    if name not in EXECUTORS:
        raise RegistrationError(f"there is no way to run a hook called {name!r}")
    executor: Executor = _shipped(EXECUTORS[name])()
    return executor


class Contracts:
    """Reads a capture by the contract that its hook's executor and protocol call for."""

    def __init__(self) -> None:
        self._made: dict[str, Contract] = {}

    def __call__(self, hook: Hook, event: Event, capture: Capture) -> Outcome:
        name = (
            "returned" if hook.run.executor in ("builtin", "call", "plugin", "python") else hook.run.protocol
        )
        if hook.run.profile != STRICT:
            name = "profile"
        contract = self._made.get(name)
        if contract is None:
            contract = self._made[name] = _shipped(CONTRACTS[name])()
        return contract.read(hook, event, capture)


def policy_for(places: Places, root: str, agent: str, extra: Sequence[str] = ()) -> Policy:
    from fairlead.policy.policy import load_policy

    policy = load_policy(places, root, builtin_names=frozenset(BUILTINS), extra=tuple(extra), agent=agent)
    policy = _with_program_problems(policy) if policy.program_files else policy
    return _with_name_problems(policy) if policy.mode.spots or policy.managed.spots else policy


def _with_name_problems(policy: Policy) -> Policy:
    """What `mode.yaml` names and nobody is called: somebody believes that it counts (law 12)."""
    from fairlead.packs.judging.pack_table import PACKS, is_rule
    from fairlead.policy.mode_names import name_problems

    found = name_problems(policy, lambda name: name in PACKS or is_rule(name), PACKS)
    return policy.replace(problems=(*policy.problems, *found))


def _with_program_problems(policy: Policy) -> Policy:
    from fairlead.policy.reading.problem import Problem
    from fairlead.policy.reading.program_files import with_program_problems

    found = [
        Problem(each.path, each.problem.line, each.problem.column, each.problem.text, each.problem.hint)
        for each in _taught(policy).problems
    ]
    return with_program_problems(policy, found)


def _taught(policy: Policy) -> Taught:
    from fairlead.shell.programs.taught import TaughtFile, teach

    files = [TaughtFile(file.path, file.content, file.trusted) for file in policy.program_files]
    return teach(files)


def programs_of(policy: Policy) -> Programs | None:
    """What this policy teaches about programs, with all that is known; None where it teaches nothing."""
    return _taught(policy).programs if policy.program_files else None


def installation_of(policy: Policy) -> Installation:
    """Where the guard lives that this policy was read for. It is looked up once for each system."""
    if policy.places is None:
        return NOWHERE
    from fairlead.policy.installation import find_installation
    from fairlead.settings.written_files import written_files

    places = policy.places
    return find_installation(places, written_files(places.installed), written_files(places.wrapped))


def placed_for(policy: Policy, memories: Memories = NO_MEMORIES, keeper: Keeper | None = None) -> Placed:
    """Without a `keeper` it is only tried whether what a call would lose could be saved."""
    keeper = keeper or _shipped("undo.keeper:Trial")()
    return Placed(installation_of(policy), programs_of(policy), memories, keeper)


def build(
    policy: Policy,
    *,
    instead: Callable[[Hook], Hook] | None = None,
    more: Sequence[Hook] = (),
    placed: Placed | None = None,
) -> HookSystem:
    """The system of a policy. Whatever is wrong with an entry is in its hook, and answered by it (law 2).

    `instead` may put another hook in the place of each, as a replay does; `more` come after them.
    """
    placed = placed or placed_for(policy)
    hooks = [hook_of(entry, placed) for entry in policy.entries]
    hooks = [instead(hook) for hook in hooks] if instead else hooks
    hooks = without_cycles([*hooks, *more])
    return HookSystem(
        hooks,
        shipped_parts(),
        defaults=policy.default_decisions,
        policy=policy.hash,
        audit=policy.audits,
    )


def remembering_for(policy: Policy, placed: Placed) -> Callable[[Event, Verdict], str]:
    """What notes the calls that this policy lets through."""
    noting: Callable[[Event, Verdict], str] = _shipped(REMEMBERING)(placed, policy.entries)
    return noting


def hooks_of_policy(policy: Policy, placed: Placed) -> list[Hook]:
    return without_cycles([hook_of(entry, placed) for entry in policy.entries])


def shipped_parts() -> Parts:
    from fairlead.drivers.sync import drive

    return Parts(
        execute=Execution({}),
        read=Contracts(),
        clock=SystemClock(),
        drive=drive,
        drive_async=_drive_async,
        translator=LazyTranslator(),
    )


async def _drive_async(steps: Steps[Verdict], execute: Execute) -> Verdict:
    from fairlead.drivers.asynchronous import drive  # asyncio is heavy, and a hook call does not need it

    return await drive(steps, execute)


def hook_of(entry: Entry, placed: Placed = UNPLACED) -> Hook:
    broken = entry.broken
    run = Run("builtin", None)
    matcher: Matcher = ANYTHING
    try:
        matcher = _matcher_of(entry)
        if broken is None:
            run = _run_of(entry, placed)
    except Exception as error:  # noqa: BLE001 - an entry that cannot be loaded stays in the plan as a broken one
        broken = broken or _unloadable(entry, error)
    return Hook(
        entry.id,
        entry.type,
        entry.event,
        run,
        matcher=matcher,
        priority=entry.priority,
        before=entry.before,
        after=entry.after,
        timeout=entry.timeout,
        on_error=entry.on_error,
        config=config_of(entry),
        enabled=entry.enabled,
        mode=ENFORCE if entry.builtin in TELLS_RULES_APART else entry.mode,
        parallel=entry.execution == "parallel",
        locked=entry.locked,
        layer=entry.layer,
        origin=entry.origin,
        trusted=entry.trusted,
        broken=broken,
    )


def _matcher_of(entry: Entry) -> Matcher:
    if entry.profile == STRICT:
        return matcher_from(entry.matcher)
    made = _shipped("profiles.matching:original_matcher")
    matcher: Matcher = made(str(entry.matcher or ""), entry.profile)
    return matcher


def _run_of(entry: Entry, placed: Placed) -> Run:
    if entry.profile != STRICT and entry.runs != "command":
        raise RegistrationError("only a program can run under a profile", hint="leave out `profile`")
    if entry.runs == "builtin":
        if entry.builtin == "apply-rule":
            # what means nothing is found at once
            _shipped("packs.own_rules.policy_rule:read_rule")(entry.config)
        if entry.builtin == "approve-safe-operations" and entry.enabled:
            _shipped("packs.guards.safe_operations:listed_patterns")(entry.config)
        given = placed.given() if entry.builtin in PLACED else {}
        if entry.builtin == SAVING and entry.trusted and placed.keeper is not None:
            given["keeper"] = placed.keeper
        imported = entry.enabled and entry.builtin not in SELDOM
        return Run("builtin", _guard_named(entry.builtin, given, imported=imported))
    if entry.plugin:
        return Run(entry.runs, partial(_foreign_middleware, entry.plugin))
    if entry.runs == "http":
        folder = os.path.dirname(entry.file)
        return Run("http", entry.url, folder, protocol=entry.protocol, headers=entry.headers)
    return Run(
        entry.runs,
        entry.path,
        directory=os.path.dirname(entry.file),
        protocol=entry.protocol,
        profile=entry.profile,
        source=entry.source,
        modules=entry.modules,
    )


def _guard_named(name: str, given: Mapping[str, Any], *, imported: bool) -> Middleware:
    if not imported:
        return lambda *call: builtin(name)(*call, **given)
    return partial(builtin(name), **given) if given else builtin(name)


def _foreign_middleware(name: str, *given: Any) -> Any:
    """Imported when it is first called: what is wrong with it is then the hook's failure (law 2)."""
    from fairlead.entry_points import load

    middleware: Any = load("middleware", name)
    return middleware(*given)


def _unloadable(entry: Entry, error: Exception) -> Failure:
    message = f"{entry.origin}: {error}"
    return Failure(Stage.PLANNING, FailureCode.PLANNING_FAILURE, message, {"hook": entry.id})
