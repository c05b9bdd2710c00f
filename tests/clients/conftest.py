from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from benchmarks.agents import managed_switches, mcp_matrix, proved
from benchmarks.agents.clients import CLIENTS, agent_of
from benchmarks.agents.mcp_matrix import Cell
from benchmarks.agents.proved import ROWS, Result
from clients_kit import CHOSEN, Agent, fetched_versions, why_not_fetched
from kit import Machine
from mcp_workplace import MATRIX, Note

MARKS = (
    "proves(*rows): what a test of a real agent is about, in the words of benchmarks.agents.proved",
    "client(name): the one real agent that a test is about",
    "core: what CI tries with the agent whose turn it is",
)
ABOUT = "about a real agent"


def pytest_configure(config: pytest.Config) -> None:
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    recorders = {"FAIRLEAD_PROVED": Recorder, "FAIRLEAD_PROVED_MCP": MatrixRecorder}
    recorders |= {"FAIRLEAD_PROVED_MANAGED": SwitchRecorder}
    for name, recorder in recorders.items():
        file = os.environ.get(name, "")
        if file and not hasattr(config, "workerinput"):
            config.pluginmanager.register(recorder(Path(file)))


def client_of(item: pytest.Item) -> str:
    named = item.get_closest_marker("client")
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    told = [str(params[name]) for name in ("agent", "bare_agent", "client", "decided") if name in params]
    return str(named.args[0]) if named is not None else told[0]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the agents that were not chosen, and sends along what each test is about."""
    ours = {item: client_of(item) for item in items if item.get_closest_marker("clients")}
    left_out = [item for item, client in ours.items() if client not in CHOSEN]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    for item, client in ours.items():
        mark = item.get_closest_marker("proves")
        assert mark is not None and set(mark.args) <= set(ROWS), f"{item.nodeid} does not say what it proves"
        item.user_properties.append((ABOUT, (client, mark.args)))


class Recorder:
    """Keeps what came of each test, and writes it down when all are through."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._results: dict[str, Result] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        about = dict(report.user_properties).get(ABOUT)
        if about is None or (report.when != "call" and report.passed):
            return
        client, rows = about
        self._results[report.nodeid] = Result(agent_of(client), tuple(rows), report.outcome)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            versions = {agent_of(client): version for client, version in fetched_versions().items()}
            today = date.today().isoformat()
            proved.write(proved.records_of(self._results.values(), versions, today), self._file)


class MatrixRecorder:
    """Keeps what passed tests noted of the rows of the matrix of MCP, and writes it down at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._cells: dict[str, dict[str, Cell]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        noted = [value for name, value in report.user_properties if name == MATRIX]
        if report.when != "call":
            return
        for client, row, *cell in noted:
            failed = "FAILED" if report.failed else ""
            self._cells.setdefault(client, {})[row] = Cell(*(failed or word for word in cell))

    def pytest_sessionfinish(self) -> None:
        mcp_matrix.write(self._cells, fetched_versions(), date.today().isoformat(), self._file)


class SwitchRecorder:
    """Keeps what came of each switch against managed settings, and writes it down at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._rows: dict[str, dict[str, str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        noted = [value for name, value in report.user_properties if name == "managed switch"]
        if report.when != "call":
            return
        for client, switch, came in noted:
            self._rows.setdefault(client, {})[switch] = f"FAILED: {came}" if report.failed else came

    def pytest_sessionfinish(self) -> None:
        managed_switches.write(self._rows, fetched_versions(), date.today().isoformat(), self._file)


@pytest.fixture(autouse=True)
def there(request: pytest.FixtureRequest) -> None:
    why = why_not_fetched(client_of(request.node))
    if why:
        pytest.skip(f"NOT TESTED: {why}")


@pytest.fixture(params=CLIENTS)
def agent(request: pytest.FixtureRequest, there: None, machine: Machine) -> Iterator[Agent]:
    """One client in a home and a project of its own, guarded."""
    yield Agent(request.param, machine)
    machine.fairlead("daemon", "stop")


@pytest.fixture(params=CLIENTS)
def bare_agent(request: pytest.FixtureRequest, there: None, machine: Machine) -> Iterator[Agent]:
    """The same before `install` was run for it."""
    yield Agent(request.param, machine, guarded=False)
    machine.fairlead("daemon", "stop")


@pytest.fixture
def note(record_property: Callable[[str, object], None], request: pytest.FixtureRequest) -> Note:
    """Keeps what came of a row of the matrix of docs/mcp.md."""

    def keep(row: str, *, model: str, server: str, journal: str) -> None:
        record_property(MATRIX, [client_of(request.node), row, model, server, journal])

    return keep
