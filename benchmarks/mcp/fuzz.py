"""`make fuzz-mcp`: conversations with hostile lines through the gate, and readers that disagree."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from mcp_fuzz import Conversation

_TALK = 500
"""Lines of a conversation; each begins with a gate of its own."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    begun, messages, forwarded, seed = perf_counter(), 0, 0, given.seed
    while messages < given.messages:
        conversation = Conversation(seed)
        try:
            for _ in range(_TALK):
                conversation.step()
        except BaseException:
            print(f"seed {seed}, line {conversation.messages}", file=sys.stderr)
            raise
        seed += 1
        messages += conversation.messages
        forwarded += conversation.forwarded
    took = perf_counter() - begun
    print(f"{messages} lines in {took:.0f} s; {forwarded} readings of forwarded calls, each of them judged")


if __name__ == "__main__":
    main()
