"""One run of pytest in a forked child, with one module of Fairlead replaced, or none.

The parent never imports Fairlead: a child that starts from it imports the whole package afresh, and a finder
in front of all others serves the changed code for its one module.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType

import pytest
from hypothesis import HealthCheck, settings

from benchmarks.mutants.rooms import ROOT

EXAMPLES = 20
_MEMORY = 3 << 30
_LONGEST = 1800
_COMPILED = ROOT / ".mutants" / "compiled"
_QUIET = (
    "-x",
    "-q",
    "-p",
    "no:randomly",
    "-p",
    "no:xdist",
    "-p",
    "no:cacheprovider",
    "--no-header",
    "--assert=plain",
)


@dataclass(frozen=True)
class Replacement:
    """The code that stands in for a module."""

    module: str
    path: str
    code: CodeType


@dataclass(frozen=True)
class Coverage:
    """Which tests run which lines, how long each takes, and what else they import."""

    seconds: dict[str, float]
    tests: dict[str, dict[int, list[str]]]
    """By file and line; the test "" is the import of the module."""
    libraries: list[str] = field(default_factory=list)

    def of(self, path: str, lines: range) -> list[str]:
        """The tests that run one of the lines, the quickest first; all, if an import runs it."""
        by_line = self.tests.get(path, {})
        found = {test for line in lines for test in by_line.get(line, ())}
        return sorted(self.seconds if "" in found else found, key=lambda test: (self.seconds[test], test))


@dataclass(frozen=True)
class Result:
    """`outcome` is killed, survived or timed out; `by` is the test that noticed."""

    outcome: str
    by: str = ""
    text: str = ""


def warm_up(libraries: Sequence[str]) -> None:
    """Loads once, for every child, what the tests import besides Fairlead."""
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(_COMPILED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in libraries:
            with contextlib.suppress(Exception):  # then each child tries for itself, which is only slower
                importlib.import_module(name)
    gc.collect()
    gc.freeze()


def try_out(replacement: Replacement | None, tests: Sequence[str], limit: float) -> Result:
    """Runs the tests until one fails; an endless loop is stopped after `limit` seconds."""

    def work(notes: Path) -> int:
        if replacement:
            sys.meta_path.insert(0, _Finder(replacement))
            importlib.import_module(replacement.module)
        chosen = _Chosen(tests, notes)
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        return _pytest([*_QUIET, *files], chosen)

    with _forked(work) as child:
        status = child.wait(limit)
        if status is None:
            return Result("timed out")
        by = child.notes.read_text() if child.notes.exists() else ""
        return Result("survived" if status == 0 else "killed", by, child.output())


def watch(files: Sequence[Path], sources: Sequence[Path], limit: float) -> Coverage:
    """Runs the tests once as they are and notes what each of them reaches."""

    def work(notes: Path) -> int:
        watcher = _Watcher({str(each) for each in sources})
        before = set(sys.modules)
        status = _pytest([*_QUIET, *map(str, files)], watcher)
        new = sorted(name for name in set(sys.modules) - before if _is_library(name))
        notes.write_text(json.dumps([watcher.seconds, watcher.by_line(), new]))
        return status

    with _forked(work) as child:
        status = child.wait(limit)
        if status != 0:
            raise SystemExit(f"the tests fail without any change (status {status}):\n{child.output()}")
        seconds, lines, libraries = json.loads(child.notes.read_text())
    tests = {path: {int(line): names for line, names in each.items()} for path, each in lines.items()}
    return Coverage(seconds, tests, libraries)


def _is_library(name: str) -> bool:
    """Whether a module may stay in memory between trials: not ours, and not a test."""
    file = getattr(sys.modules[name], "__file__", None) or ""
    inside = file.startswith(f"{ROOT}{os.sep}") and "site-packages" not in file
    return bool(file) and not inside and not name.startswith(("_pytest", "fairlead"))


class _Finder:
    def __init__(self, replacement: Replacement) -> None:
        self._replacement = replacement

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name != self._replacement.module:
            return None
        loader = _Loader(name, self._replacement.path)
        loader.code = self._replacement.code
        return spec_from_file_location(name, self._replacement.path, loader=loader)


class _Loader(SourceFileLoader):
    code: CodeType

    def get_code(self, _name: str) -> CodeType:
        return self.code


class _Chosen:
    """A pytest plugin: runs the chosen tests in the order given, and writes down the first that fails."""

    def __init__(self, tests: Sequence[str], notes: Path) -> None:
        self._rank = {test: rank for rank, test in enumerate(tests)}
        self._notes = notes

    def pytest_collection(self) -> None:
        _few_examples()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._rank), key=lambda item: self._rank[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._end_at_a_failure(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._end_at_a_failure(report)

    def _end_at_a_failure(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        """At once: one failure is all that is asked for, and pytest takes its time to say goodbye."""
        if report.failed:
            self._notes.write_text(report.nodeid)
            os._exit(int(pytest.ExitCode.TESTS_FAILED))


class _Watcher:
    """A pytest plugin: which lines of the sources run in which test."""

    def __init__(self, sources: set[str]) -> None:
        self.seconds: dict[str, float] = {}
        self._sources = sources
        self._test = ""
        self._seen: set[tuple[str, int, str]] = set()
        threading.settrace(self._call)
        sys.settrace(self._call)

    def by_line(self) -> dict[str, dict[int, list[str]]]:
        found: dict[str, dict[int, list[str]]] = {}
        for path, line, test in sorted(self._seen):
            found.setdefault(path, {}).setdefault(line, []).append(test)
        return found

    def pytest_collection(self) -> None:
        _few_examples()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._test, began = item.nodeid, time.monotonic()
        sys.settrace(self._call)
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid], self._test = time.monotonic() - began, ""

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., object] | None:
        return self._line if frame.f_code.co_filename in self._sources else None

    def _line(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., object]:
        self._seen.add((frame.f_code.co_filename, frame.f_lineno, self._test))
        return self._line


def _few_examples() -> None:
    """After conftest.py has chosen its profile, before a test module is read."""
    settings.register_profile(
        "mutants",
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutants")


def _pytest(words: list[str], plugin: object) -> int:
    status = int(pytest.main(words, plugins=[plugin]))
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status


class _Child:
    def __init__(self, process: int, folder: Path) -> None:
        self.notes = folder / "notes"
        self._process, self._folder = process, folder

    def wait(self, limit: float) -> int | None:
        """The exit status; None if the time ran out."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            done, status = os.waitpid(self._process, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
        self.end()
        os.waitpid(self._process, 0)
        return None

    def output(self) -> str:
        return (self._folder / "output").read_text(errors="replace")

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)


@contextlib.contextmanager
def _forked(work: Callable[[Path], int]) -> Iterator[_Child]:
    with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        process = os.fork()
        if process == 0:
            status = 70
            try:
                _move_into(folder)
                status = work(folder / "notes")
            except BaseException as error:  # noqa: BLE001 - a mutant may raise anything; the child must end here
                print(f"{type(error).__name__}: {error}", flush=True)
            finally:
                sys.stdout.flush()
                os._exit(status)
        child = _Child(process, folder)
        try:
            yield child
        finally:
            child.end()  # and whatever it started


def _move_into(folder: Path) -> None:
    """A session, a home and an amount of memory of its own: a mutant may do what the code never does."""
    os.setsid()
    signal.alarm(_LONGEST)  # in case that the parent is killed and cannot end it
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    output = os.open(folder / "output", os.O_WRONLY | os.O_CREAT, 0o600)
    for stream in (1, 2):
        os.dup2(output, stream)
    for name in ("HOME", "TMPDIR"):
        place = folder / name.lower()
        place.mkdir()
        os.environ[name] = str(place)
    tempfile.tempdir = None
    os.chdir(ROOT)
