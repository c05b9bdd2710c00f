"""The page about fleets, typed word for word at a real broker: it prints what the page says."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from broker import BROKER, free_port
from fleet_broker import needs_broker

from fairlead.doors.fleet.running.lock import running_agent
from fairlead.policy.human import set_passphrase
from fairlead.policy.places import find_places
from kit import PASSPHRASE
from typed_pages import File, Line, holds, steps
from typist import Typist

pytestmark = [pytest.mark.slow, needs_broker]

PAGE = (Path(__file__).parents[3] / "docs/fleet.md").read_text()
HOMES = ("laptop1", "laptop2", "runner", "ana")
QUESTION = "7a387c8c7c2e"
"""The id of a question on the page; whoever types it has another one."""
COMES = ("fleet machines", "fleet asks", "fleet status", "fleet check", "sqlite3 ", "cat ")
"""What shows what agents and the collector did meanwhile: people look again until it is there."""
FAILS = re.compile(r"^error: |^Blocked by |^Fairlead would ask|^block ", re.MULTILINE)


class Reader:
    """Types the page. The port is a free one, since others may use that of the page."""

    patience = 90.0

    def __init__(self, folder: Path, typist: Typist) -> None:
        self._folder, self._typist = folder, typist
        self._stands_for = {"4222": str(free_port())}

    def write(self, file: File) -> None:
        path = self._folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._here(file.text))

    def type(self, line: Line) -> None:
        typed, wanted = self._here(line.typed), "\n".join(line.prints)
        deadline = time.monotonic() + self.patience
        while not (printed := self._shown(typed, wanted)):
            again = any(word in typed for word in COMES) and time.monotonic() < deadline
            assert again, f"$ {typed}\n{self._last}\n[{self._typist.code}]"
            time.sleep(0.2)
        assert printed

    def _shown(self, typed: str, wanted: str) -> bool:
        """Whether it ended as the page says, and printed that."""
        self._last = self._typist.type(typed)
        if QUESTION in wanted and (id_ := re.search(r"^[0-9a-f]{12}\b", self._last, re.MULTILINE)):
            self._stands_for[QUESTION] = id_[0]
        fails = FAILS.search(wanted) is not None or "unexpected" in wanted
        ended = (self._typist.code != 0) == fails or any(word in typed for word in COMES)
        return ended and holds(self._last, [self._here(wanted)]) is not None

    def _here(self, text: str) -> str:
        for page, here in self._stands_for.items():
            text = text.replace(page, here)
        return text


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    """Somebody with a passphrase, so that no agent can stand in for them."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE", "FAIRLEAD"))}
    programs = (Path(sys.executable).parent, Path(BROKER).parent, os.environ["PATH"])
    environment |= {"PATH": ":".join(map(str, programs)), "COLUMNS": "100"}
    places = [find_places(str(tmp_path / home)) for home in HOMES]
    for each in places:
        set_passphrase(each, PASSPHRASE)
    try:
        with Typist(tmp_path, environment) as typist:
            yield Reader(tmp_path, typist)
    finally:
        for each in places:
            if agent := running_agent(each.fleet):
                with suppress(ProcessLookupError):
                    os.kill(agent, signal.SIGTERM)


def test_from_nothing_to_three_machines_word_for_word(reader: Reader) -> None:
    typed = 0
    for step in steps(PAGE):
        if isinstance(step, File):
            reader.write(step)
        else:
            reader.type(step)
            typed += 1
    assert typed > 60


@pytest.mark.parametrize(
    ("page", "lie"),
    [
        ("Only the pipeline deploys.  [rules/no-shipit]", "Anybody deploys."),
        ("took up version 1", "took up version 2"),
        ("$ fairlead bundle verify forged.fairlead", "$ fairlead bundle verify devs-1.fairlead"),
    ],
)
def test_a_page_that_lies_is_found_out(reader: Reader, page: str, lie: str) -> None:
    reader.patience = 1
    with pytest.raises(AssertionError):
        for step in steps(PAGE.partition("### 5.")[0].replace(page, lie)):
            reader.write(step) if isinstance(step, File) else reader.type(step)
