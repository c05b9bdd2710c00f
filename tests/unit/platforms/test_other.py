"""Elsewhere nothing is guessed: whatever is asked for is refused, with the way out."""

from __future__ import annotations

import pytest

from fairlead.errors import FairleadError
from fairlead.platforms import linux, other


@pytest.mark.parametrize("name", sorted(name for name in vars(linux) if name.islower() and name[0] != "_"))
def test_what_is_not_there_says_so(name: str) -> None:
    if name in vars(other):
        pytest.skip("a module that both import")
    with pytest.raises(FairleadError, match="do not work on") as raised:
        getattr(other, name)
    assert "WSL" in str(raised.value.hint)


def test_there_is_neither_daemon_nor_exact_capture() -> None:
    assert not other.HAS_DAEMON
    assert not other.EXACT_CAPTURE
