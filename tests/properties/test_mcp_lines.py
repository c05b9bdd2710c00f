"""A small share of `make fuzz-mcp`: lines that readers understand in different ways."""

import pytest

from mcp_fuzz import Conversation


@pytest.mark.parametrize("seed", range(20))
def test_no_reader_finds_a_call_or_a_result_that_was_not_judged(seed):
    conversation = Conversation(seed)
    for _ in range(200):
        conversation.step()
    assert conversation.messages == 200


def test_the_conversations_reach_the_server_often_enough_to_say_something():
    conversation = Conversation(1)
    for _ in range(1000):
        conversation.step()
    assert conversation.forwarded > 50
