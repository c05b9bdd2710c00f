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
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from fairlead.contracts.directives import PREFIX, Directive, Malformed, directives
from fairlead.contracts.effects import effects_of
from fairlead.contracts.grammar import CALLERS_ALONE
from fairlead.contracts.modes import Flow, mode_for
from fairlead.doors.scripts.console import Console
from fairlead.doors.scripts.deadline import end_after
from fairlead.doors.scripts.implementations import (
    Function,
    Implementation,
    Skipped,
    check_name,
    implementations,
)
from fairlead.doors.scripts.live_lines import LiveLines
from fairlead.doors.scripts.options import changed, folded
from fairlead.doors.scripts.running import NOT_FOUND, Options, Ran, exit_code_of, run_implementation
from fairlead.errors import FairleadError, RegistrationError
from fairlead.executors.recorder import OnOutput
from fairlead.interfaces import ScriptContract
from fairlead.model.failure import NOTHING
from fairlead.model.timeline import Stream, Timeline
from fairlead.model.value import Value

Middleware = Callable[[str, int, Timeline, Sequence[str]], int | None]

_ROUTED = """
__HOOKS_FLOW_EXIT_CODE=$2 __HOOKS_FLOW_ROUTE=$1
set --
source "$__HOOKS_FLOW_ROUTE" || exit $?
exit "${__HOOKS_FLOW_EXIT_CODE:-0}"
"""


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
        self._options = changed(Options(), options)
        self._declared: dict[str, Options] = {}
        self._functions: dict[str, Function] = {}
        self._registered: dict[str, dict[str, Function]] = {}
        self._middleware: dict[str, Middleware] = {}
        self._hides_contracts: dict[str, bool] = {}
        self._warned: set[str] = set()
        self._running = ""
        self._place: str | None = None  # the folder in which the hook that runs was called

    # Declaring

    def declare(self, *names: str, **options: Any) -> None:
        """Names the points at which hooks may run; options override those of this object."""
        for name in names:
            check_name(name)
        for name in names:
            self._declared[name] = changed(self._options, options)

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
        self._hides_contracts.pop(hook, None)
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

        `allow` narrows or widens what may be set. Output is shown while it comes, without contract lines,
        unless they are to `show`.
        """

        def read(hook: str, exit_code: int, timeline: Timeline, args: Sequence[str]) -> int:
            self._obey(directives(timeline) if reader is None else _set(reader.read(timeline)), allow)
            return exit_code or self._unheard(timeline)

        self.middleware(hook, read)
        self._hides_contracts[hook] = not show

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
        options = self._declared.get(hook)
        if options is None:
            return HookRun(hook, declared=False)
        with self._within():
            return self._done(hook, args, options)

    def _done(self, hook: str, args: Sequence[str], options: Options) -> HookRun:
        found, skipped = self.plan(hook)
        self._report(skipped)
        ran: list[Ran] = []
        for implementation in found:
            ran.append(self._heard(hook, implementation, args, options))
            if options.fail_fast and ran[-1].exit_code != 0:
                break
        code = folded([each.exit_code for each in ran], options.exit_policy)
        if options.required and not ran:
            self.console.warn(f"hook {hook!r} is required, and nothing in {self.directory} implements it")
            code = NOT_FOUND
        return HookRun(hook, code, tuple(ran), tuple(skipped), dict(self.variables), self.flow)

    @contextmanager
    def _within(self) -> Iterator[None]:
        """What an earlier hook asked for is forgotten, unless this one runs within it."""
        around = self._place
        if around is None:
            self.flow = Flow()
            for name in CALLERS_ALONE:
                self.variables.pop(name, None)
        self._place = _current_folder()
        try:
            yield
        finally:
            self._place = around

    def _heard(self, hook: str, implementation: Implementation, args: Sequence[str], options: Options) -> Ran:
        ran = None
        self.console.begin(implementation)
        try:
            ran = self._run(hook, implementation, args, options)
            while ran.exit_code != 0 and len(ran.earlier) < options.retries:
                earlier = (*ran.earlier, ran.replace(earlier=()))
                ran = self._run(hook, implementation, args, options).replace(earlier=earlier)
        finally:
            self.console.end(ran)
        return ran

    def _run(self, hook: str, implementation: Implementation, args: Sequence[str], options: Options) -> Ran:
        middleware = self._middleware.get(hook)
        with self._shown(hook) as on_output:
            ran = run_implementation(
                implementation, args, options, environment=self.environment(), on_output=on_output
            )
        self._running = implementation.name
        self._say_cut(ran)
        if middleware is None:
            return ran
        code = middleware(hook, ran.own_code, ran.timeline, args)
        return ran if code is None else ran.replace(exit_code=self._code_of(hook, code))

    @contextmanager
    def _shown(self, hook: str) -> Iterator[OnOutput | None]:
        """Who hears output while it comes: nobody, where a middleware decides what is shown."""
        if hook not in self._middleware:
            yield self.console.write
        elif hook not in self._hides_contracts:
            yield None
        elif not self._hides_contracts[hook]:
            yield self.console.write
        else:
            lines = LiveLines(self.console)
            try:
                yield lines.write
            finally:
                lines.end()

    def _say_cut(self, ran: Ran) -> None:
        if ran.timeline.truncated:
            where = f"; they are in {ran.timeline.spilled}" if ran.timeline.spilled else ""
            self.console.warn(
                f"{ran.name}: {ran.timeline.dropped} bytes in the middle of its output are not kept{where}"
            )

    def _unheard(self, timeline: Timeline) -> int:
        """A failure, if contract lines had to be dropped."""
        if timeline.unheard:
            self.console.warn(f"{self._running}: {timeline.unheard} contract lines were too many to keep")
        return int(timeline.unheard > 0)

    def _code_of(self, hook: str, answer: object) -> int:
        code = exit_code_of(answer)
        if code is None:
            self.console.warn(f"the middleware of hook {hook!r} returned {answer!r}, which is no exit code")
            return 1
        return code

    def environment(self) -> dict[str, str]:
        """What an implementation has in its environment."""
        own = os.environ if self._environment is None else self._environment
        return {**own, **{name: self.variables[name] for name in self.variables if name not in CALLERS_ALONE}}

    def _report(self, skipped: Sequence[Skipped]) -> None:
        for each in skipped:
            if each.path not in self._warned:
                self._warned.add(each.path)
                self.console.warn(f"{each.path} is not run: {each.why}")

    def _obey(self, asked: Sequence[Directive | Malformed], allow: Sequence[str] | None) -> None:
        effects = effects_of(asked, self.environment(), flow=self.flow, allow=allow)
        self.variables.update(effects.variables)
        self.console.know(effects.variables)
        self.flow = effects.flow
        if self.flow.route:
            self.flow = self.flow.replace(route=os.path.join(self._place or "", self.flow.route))
        for warning in effects.warnings:
            self.console.warn(f"{self._running}: {warning}")

    # What the caller does then

    def mode(self, script: str) -> None:
        """Prints the mode that someone asked for, for this script or for all, as a contract line: a hook
        whose contract is obeyed may call it, or be it."""
        asked = mode_for(script, self.environment())
        if asked:
            print(f"{PREFIX}mode={asked}")

    def apply(self) -> None:
        """Does what the last hook asked of this script: bounds the rest of it, or ends it."""
        if self.flow.timeout is not None:
            if threading.current_thread() is not threading.main_thread():
                raise FairleadError(
                    f"the bound of {self.flow.timeout:g} s cannot be kept in this thread",
                    hint="call apply() from the main thread: no other can be interrupted",
                )
            end_after(self.flow.timeout, self._options.grace)
            self.flow = self.flow.replace(timeout=None)
        code = self.asked_code()
        if code is not None:
            sys.exit(code)

    def asked_code(self) -> int | None:
        """What this script was asked to end with, after the file that it was routed to; None: it goes on."""
        if not self.flow.terminate:
            return None
        return self._routed() if self.flow.route else self.flow.exit_code or 0

    def main(self, *argv: str) -> int:
        """The script's own work as a process, as the mode says: not at all, only shown, or bounded."""
        if self.flow.terminate:
            self.apply()
        if self.variables.get("DRY_RUN") == "true":
            self.console.write(Stream.STDOUT, f"dry run: {' '.join(argv)}\n".encode())
            return 0
        return self._process(argv, self.flow.timeout)

    def _routed(self) -> int:
        """The file may fail, or name a code as a file that bash sources may; else it is the one asked for."""
        target = self.flow.route
        if not os.path.isfile(target):
            raise FairleadError(
                f"a hook routed to {target}, which is not there", hint="mend the contract line"
            )
        code = "" if self.flow.exit_code is None else str(self.flow.exit_code)
        return self._process(["bash", "-c", _ROUTED, "bash", target, code], None)

    def _process(self, argv: Sequence[str], timeout: float | None) -> int:
        main = Implementation("main", " ".join(argv[-1:] if argv[0] == "bash" else argv), "", path=argv[0])
        options = self._options.replace(timeout=timeout)
        ran = None
        self.console.begin(main)
        try:
            ran = run_implementation(
                main, argv[1:], options, environment=self.environment(), on_output=self.console.write
            )
        finally:
            self.console.end(ran)
        return ran.exit_code


def _set(variables: Mapping[str, object]) -> list[Directive | Malformed]:
    return [Directive("set", name, str(value)) for name, value in variables.items()]


def _place_of_caller() -> str:
    """The folder of the file that asked for this object: a script's hooks do not move with the cwd."""
    frame = sys._getframe(2)
    file = frame.f_globals.get("__file__")
    return os.path.dirname(os.path.realpath(file)) if isinstance(file, str) else os.getcwd()


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed, so a file that is taken from it is nowhere, and said to be missing
        return os.devnull
