"""Hooks for a script that is written in Python.

hooks = ScriptHooks("ci-cd")
hooks.declare("begin", "end")
hooks.contract("begin")
hooks.do("begin", "compile")
hooks.apply()
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairlead.contracts.directives import PREFIX, Directive, Malformed, directives
from fairlead.contracts.effects import effects_of
from fairlead.contracts.modes import Flow, mode_for
from fairlead.doors.scripts.console import Console
from fairlead.doors.scripts.implementations import (
    Function,
    Implementation,
    Skipped,
    check_name,
    implementations,
)
from fairlead.doors.scripts.running import NOT_FOUND, Options, Ran, exit_code_of, run_implementation
from fairlead.errors import FairleadError, RegistrationError
from fairlead.interfaces import ScriptContract
from fairlead.model.failure import NOTHING
from fairlead.model.timeline import Stream, Timeline
from fairlead.model.value import Value
from fairlead.policy.schema import suggestion

Middleware = Callable[[str, int, Timeline, Sequence[str]], int | None]

EXIT_POLICIES = ("last", "worst", "first-failure")
_LEAST = {"timeout": 0.001, "grace": 0, "retries": 0, "limit": 0}


class HookRun(Value):
    """What came of one hook: its exit code, each implementation that ran, and what contracts changed."""

    hook: str
    exit_code: int = 0
    ran: tuple[Ran, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    variables: Mapping[str, str] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind
    flow: Flow = Flow()
    declared: bool = True


class ScriptHooks:
    """The hooks of one script. A relative `directory` is taken from the file that makes this object."""

    def __init__(
        self,
        directory: str = "ci-cd",
        *,
        environment: Mapping[str, str] | None = None,
        console: Console | None = None,
        **options: Any,
    ) -> None:
        self.directory = os.path.join(_place_of_caller(), directory)
        self.variables: dict[str, str] = {}
        """What contracts have set: each later implementation has it in its environment."""
        self.flow = Flow()
        """What the last hook asked of the caller; `apply` does it."""
        self.console = console or Console()
        self._environment = environment
        self._options = _changed(Options(), options)
        self._declared: dict[str, Options] = {}
        self._functions: dict[str, Function] = {}
        self._registered: dict[str, dict[str, Function]] = {}
        self._middleware: dict[str, Middleware] = {}
        self._warned: set[str] = set()
        self._running = ""

    # Declaring

    def declare(self, *names: str, **options: Any) -> None:
        """Names the points at which hooks may run; options override those of this object."""
        for name in names:
            check_name(name)
        for name in names:
            self._declared[name] = _changed(self._options, options)

    def known(self, hook: str) -> bool:
        return hook in self._declared

    def function(self, hook: str, function: Function) -> None:
        """The hook's own function, which runs before everything else."""
        self._functions[hook] = function

    def register(self, hook: str, name: str, function: Function) -> None:
        """A function among the hook's files, in its place by name."""
        named = self._registered.setdefault(hook, {})
        if name in named:
            raise RegistrationError(f"{name!r} is already registered for hook {hook!r}")
        if not callable(function):
            raise RegistrationError(f"{function!r} cannot be called")
        named[name] = function

    def unregister(self, hook: str, name: str) -> None:
        if self._registered.get(hook, {}).pop(name, None) is None:
            raise RegistrationError(f"{name!r} is not registered for hook {hook!r}")

    def middleware(self, hook: str, function: Middleware | None = None) -> None:
        """`function(hook, exit_code, timeline, args) -> exit_code` after each implementation; none: default.

        The default shows output while it comes. With any other, the caller sees what that one prints.
        """
        if function is None:
            self._middleware.pop(hook, None)
        elif not callable(function):
            raise RegistrationError(f"{function!r} cannot be called")
        else:
            self._middleware[hook] = function

    def contract(
        self,
        hook: str,
        reader: ScriptContract | None = None,
        *,
        allow: Sequence[str] | None = None,
        show: bool = False,
    ) -> None:
        """Obeys the contract lines of this hook; a `reader` has its own idea of them, and names variables.

        `allow` narrows or widens what may be set. `show` prints contract lines like any other.
        """

        def read(hook: str, exit_code: int, timeline: Timeline, args: Sequence[str]) -> int:
            self._obey(directives(timeline) if reader is None else _set(reader.read(timeline)), allow)
            self._replay(timeline, show)
            return exit_code

        self.middleware(hook, read)

    def plan(self, hook: str) -> tuple[list[Implementation], list[Skipped]]:
        """What would run, in order, and what would not."""
        return implementations(
            hook,
            self.directory,
            declared=self._declared,
            function=self._functions.get(hook),
            registered=self._registered.get(hook),
        )

    def runnable(self, hook: str) -> bool:
        return bool(self.plan(hook)[0])

    # Running

    def do(self, hook: str, *args: str) -> HookRun:
        """Runs all implementations. A hook that nobody declared or implements is exit code 0."""
        self.flow = Flow()
        options = self._declared.get(hook)
        if options is None:
            return HookRun(hook, declared=False)
        found, skipped = self.plan(hook)
        self._report(skipped)
        ran: list[Ran] = []
        for implementation in found:
            ran.append(self._run(hook, implementation, args, options))
            if options.fail_fast and ran[-1].exit_code != 0:
                break
        code = _folded([each.exit_code for each in ran], options.exit_policy)
        if options.required and not ran:
            self.console.warn(f"hook {hook!r} is required, and nothing in {self.directory} implements it")
            code = NOT_FOUND
        return HookRun(hook, code, tuple(ran), tuple(skipped), dict(self.variables), self.flow)

    def _run(self, hook: str, implementation: Implementation, args: Sequence[str], options: Options) -> Ran:
        middleware = self._middleware.get(hook)
        self._running = implementation.name
        ran = run_implementation(
            implementation,
            args,
            options,
            environment=self.environment(),
            on_output=self.console.write if middleware is None else None,
        )
        if ran.timeline.truncated:
            self.console.warn(f"{implementation.name}: output above {options.limit} bytes is not kept")
        if middleware is None:
            return ran
        code = middleware(hook, ran.own_code, ran.timeline, args)
        return ran if code is None else ran.replace(exit_code=self._code_of(hook, code))

    def _code_of(self, hook: str, answer: object) -> int:
        code = exit_code_of(answer)
        if code is None:
            self.console.warn(f"the middleware of hook {hook!r} returned {answer!r}, which is no exit code")
            return 1
        return code

    def environment(self) -> dict[str, str]:
        """What an implementation has in its environment."""
        return {**(os.environ if self._environment is None else self._environment), **self.variables}

    def _report(self, skipped: Sequence[Skipped]) -> None:
        for each in skipped:
            if each.path not in self._warned:
                self._warned.add(each.path)
                self.console.warn(f"{each.path} is not run: {each.why}")

    def _obey(self, asked: Sequence[Directive | Malformed], allow: Sequence[str] | None) -> None:
        effects = effects_of(asked, self.environment(), flow=self.flow, allow=allow)
        self.variables.update(effects.variables)
        self.flow = effects.flow
        for warning in effects.warnings:
            self.console.warn(f"{self._running}: {warning}")

    def _replay(self, timeline: Timeline, show_contracts: bool) -> None:
        for line in timeline.lines:
            if show_contracts or line.stream is Stream.STDERR or not line.data.startswith(PREFIX.encode()):
                self.console.write(line.stream, line.data + (b"\n" if line.ended else b""))

    # What the caller does then

    def mode(self, script: str) -> None:
        """Prints the mode that someone asked for, for this script or for all, as a contract line: a hook
        whose contract is obeyed may call it, or be it."""
        asked = mode_for(script, self.environment())
        if asked:
            print(f"{PREFIX}mode={asked}")

    def apply(self) -> None:
        """Ends this script if the last hook asked for that, after the file that it routed to."""
        flow = self.flow
        if flow.terminate:
            sys.exit(self._routed(flow.route) if flow.route else flow.exit_code)

    def main(self, *argv: str) -> int:
        """The script's own work as a process, as the mode says: not at all, only shown, or bounded."""
        if self.flow.terminate:
            self.apply()
        if self.variables.get("DRY_RUN") == "true":
            self.console.write(Stream.STDOUT, f"dry run: {' '.join(argv)}\n".encode())
            return 0
        return self._process(argv, self.flow.timeout)

    def _routed(self, path: str) -> int:
        target = os.path.join(self.directory, path)
        if not os.path.isfile(target):
            raise FairleadError(
                f"a hook routed to {target}, which is not there", hint="mend the contract line"
            )
        return self._process(["bash", target], None)

    def _process(self, argv: Sequence[str], timeout: float | None) -> int:
        main = Implementation("script", argv[0], "", path=argv[0])
        options = self._options.replace(timeout=timeout, retries=0)
        ran = run_implementation(
            main, argv[1:], options, environment=self.environment(), on_output=self.console.write
        )
        return ran.exit_code


def _set(variables: Mapping[str, object]) -> list[Directive | Malformed]:
    return [Directive("set", name, str(value)) for name, value in variables.items()]


def _changed(options: Options, given: Mapping[str, Any]) -> Options:
    """Raises RegistrationError for an option that does not exist, or cannot be."""
    for name, value in given.items():
        if name not in Options._fields:
            known = ", ".join(Options._fields)
            raise RegistrationError(
                f"hooks have no option {name!r}",
                hint=suggestion(name, Options._fields, otherwise=f"known: {known}"),
            )
        if name in _LEAST and value is not None and not (_is_number(value) and value >= _LEAST[name]):
            raise RegistrationError(f"{name} cannot be {value!r}", hint=f"at least {_LEAST[name]:g}")
    if given.get("exit_policy", "last") not in EXIT_POLICIES:
        raise RegistrationError(
            f"{given['exit_policy']!r} is not an exit policy", hint=f"known: {', '.join(EXIT_POLICIES)}"
        )
    return options.replace(**given)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _folded(codes: Sequence[int], policy: str) -> int:
    if policy == "worst":
        return max(codes, default=0)
    if policy == "first-failure":
        return next((code for code in codes if code != 0), 0)
    return codes[-1] if codes else 0


def _place_of_caller() -> str:
    """The folder of the file that asked for this object: a script's hooks do not move with the cwd."""
    frame = sys._getframe(2)
    file = frame.f_globals.get("__file__")
    return os.path.dirname(os.path.realpath(file)) if isinstance(file, str) else os.getcwd()
