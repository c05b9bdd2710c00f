"""Large results of a real server, with a key in them. What a client makes of them is its own affair, and the
same with the door as without it; but the key is gone, also from the files that clients put them into."""

from __future__ import annotations

import re

import pytest

from clients_kit import REAL_AGENTS
from kit import Machine
from mcp_clients import FILES
from mcp_workplace import NEEDS_SERVERS, Note, Told, Workplace

pytestmark = [*REAL_AGENTS, NEEDS_SERVERS, pytest.mark.proves("MCP door")]

TOKEN = "ghp_" + "9mK2xQ7vR4tY8wB3nC6z" + "D1fH5jL0pS2aVe8w"
WORDS = "words of a row. "
SIZES = {"1 MB": 1 << 20, "16 MB": 16 << 20}
SEEN = {
    "closed|connection failed": "connection closed by the client",
    "Script running": "nothing in ten seconds",
    "saved to|For full output|truncated": "a part, cut by the client",
    WORDS: "a part, cut by the client",
}
"""What a model was told, by words in it; the first that fit."""


def read(place: Workplace) -> Told:
    key = f"'{TOKEN[:4]}' || '{TOKEN[4:]}' AS k"
    queries = [
        f"SELECT {key}, replace(hex(zeroblob({size // len(WORDS)})), '00', '{WORDS}') AS t"
        for size in SIZES.values()
    ]
    calls = [place.call("sqlite", "read_query", query=query) for query in (*queries, "SELECT 'small' AS s")]
    return place.session(*({**call, "yield_after": 10_000} for call in calls))


def seen(told: str) -> str:
    return next(words for shape, words in SEEN.items() if re.search(shape, told, re.IGNORECASE))


@pytest.mark.parametrize("client", FILES)
def test_a_large_result_is_the_same_as_without_the_door_but_for_its_key(
    client: str, machine: Machine, note: Note
) -> None:
    place = Workplace(client, machine, ["sqlite"])
    with_door = read(place)
    assert "small" in with_door.results[2]
    assert len(place.got("sqlite")) == 3
    assert place.decisions("mcp__sqlite__read_query") == ["continue"] * 3
    assert not any(TOKEN in result for result in with_door.results)
    assert not any(TOKEN in file.read_text(errors="replace") for file in place.written())
    place.remove_doors()
    bare = read(place)
    for size, wrapped, plain in zip(SIZES, with_door.results, bare.results, strict=False):
        assert seen(wrapped) == seen(plain), size
        note(size, model=f"{seen(wrapped)}, as without the door", server="the call", journal="continue")
