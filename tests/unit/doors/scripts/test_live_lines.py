"""Output with contracts is shown while it comes, and without them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.scripts.console import Console
from fairlead.doors.scripts.live_lines import LiveLines
from fairlead.model.timeline import Stream
from hook_files import script


class Heard(Console):
    def __init__(self):
        super().__init__()
        self.shown, self.hidden = b"", b""

    def write(self, stream, data):
        self.shown += data

    def hide(self, lines):
        self.hidden += lines


PIECES = st.lists(st.sampled_from((b"x", b"\n", b"con", b"tract:", b"contract:A=1\n", b"c", b"y\n", b" ")))


@given(PIECES)
def test_wherever_the_writes_end_the_contract_lines_alone_are_hidden(pieces):
    heard = Heard()
    lines = LiveLines(heard)
    for piece in pieces:
        lines.write(Stream.STDOUT, piece)
    lines.end()
    text = b"".join(pieces)
    assert heard.shown == re.sub(rb"(?m)^contract:.*(\n|\Z)", b"", text)
    assert len(heard.shown) + len(heard.hidden) == len(text)


def test_a_line_that_is_no_contract_is_shown_before_it_ends():
    heard = Heard()
    lines = LiveLines(heard)
    for piece in (b"con", b"tinue? "):
        lines.write(Stream.STDOUT, piece)
    assert heard.shown == b"continue? "


def test_a_hook_with_contracts_is_heard_while_it_runs(hooks, folder):
    seen = []
    hooks.console.write = lambda stream, data: seen.append((data, (folder / "go").write_text("")))
    hooks.declare("h", timeout=20)
    hooks.contract("h")
    wait = f"while [ ! -e {folder}/go ]; do sleep 0.01; done"
    script(folder, "h-1.sh", f"echo contract:A=1; echo first; {wait}; echo second")
    assert hooks.do("h").variables == {"A": "1"}
    assert [data for data, _ in seen] == [b"first\n", b"second\n"]
