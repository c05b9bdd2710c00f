"""What is answered in the place of who was asked."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.doors.mcp.protocol.messages import BadMessage, Message, encode

REFUSED = -32010
"""Of the numbers that the protocol leaves to implementations."""
USER_REJECTED = -1
"""What the protocol has clients say for a sampling that the person did not want."""


def answer(id: str | int, result: Mapping[str, object]) -> bytes:
    return encode({"jsonrpc": "2.0", "id": id, "result": result})


def error(id: str | int | None, code: int, message: str) -> bytes:
    return encode({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})


def bad(problem: BadMessage) -> bytes:
    return error(problem.id, problem.code, f"Fairlead does not pass this on: {problem.why}")


def refused_result(text: str) -> dict[str, object]:
    """Of a tool: the model reads it, whatever version is spoken."""
    return {"resultType": "complete", "isError": True, "content": [{"type": "text", "text": text}]}


def refusal(id: str | int, method: str, text: str) -> bytes:
    """To whoever asked."""
    if method == "tools/call":
        return answer(id, refused_result(text))
    if method == "elicitation/create":
        return answer(id, {"action": "decline"})
    return error(id, USER_REJECTED if method == "sampling/createMessage" else REFUSED, text)


def as_judged(message: Message, changes: Mapping[str, object]) -> bytes:
    """Its own bytes, where they mean the same to every reader and nothing is changed."""
    if not changes and message.plain:
        return message.line
    try:
        return encode({**message.members, **changes})
    except (ValueError, RecursionError):
        return error(
            message.id, REFUSED, "Fairlead does not pass this answer on: it cannot be read in one way"
        )
