"""What a verdict makes of a result: the keys gone, orders called data, or nothing of it but a refusal.

A result that nothing is wrong with is None, so that the server's bytes pass as they came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.dialects.answers import answer_words
from fairlead.doors.mcp.schema_check import is_valid
from fairlead.packs.results.removed_secrets import without_keys

Json = Mapping[str, object]
NOTE = "fairlead"
"""The field of structured content in which the model is told what a text block tells it, too."""
_NO_FIT = (
    "Fairlead took key material out of this result, and what is left does not fit the tool's own output "
    "schema: so it comes as an error, without structured content."
)


def refused_result(method: str, words: str) -> Json:
    """What stands in the place of a result that is withheld."""
    if method == "resources/read":
        return {
            "resultType": "complete",
            "contents": [{"uri": "fairlead:withheld", "mimeType": "text/plain", "text": words}],
        }
    if method == "prompts/get":
        return {"resultType": "complete", "messages": [{"role": "user", "content": _text(words)}]}
    if method == "sampling/createMessage":
        return {"role": "assistant", "content": _text(words), "model": "fairlead", "stopReason": "endTurn"}
    if method == "elicitation/create":
        return {"action": "decline"}
    return {"resultType": "complete", "isError": True, "content": [_text(words)]}


def told_result(
    method: str, result: Json, output: object, context: str, *, schema: Json | None
) -> Json | None:
    """The result as it may be sent. `output` is what hooks made of it, None where they left it; `context` is
    what the model is to be told beside it, in a block of text before all others: there is no other place."""
    changed = result if output is None else _as_result(method, output, result)
    if context:
        changed = _with_note(method, changed, context, schema)
    if changed is result:
        return None
    return _valid(changed, result, schema)


def redacted(value: Json) -> Json | None:
    """The same for what no hook sees: errors, progress and log messages. None where no key is in it."""
    changed, kinds = without_keys(value)
    return changed if kinds and isinstance(changed, Mapping) else None


def _as_result(method: str, output: object, result: Json) -> Json:
    """A hook may answer with the whole result, with blocks, or with words."""
    place = {"resources/read": "contents", "prompts/get": "messages"}.get(method, "content")
    if isinstance(output, Mapping) and (place in output or "structuredContent" in output):
        return output
    if isinstance(output, list) and all(isinstance(each, Mapping) for each in output):
        return {**_without_structure(result), place: output}
    words = answer_words.as_text(output)
    return {**_without_structure(result), **_plain(method, words, result)}


def _plain(method: str, words: str, result: Json) -> Json:
    said = refused_result(method, words)
    return {key: value for key, value in said.items() if key not in ("isError", "resultType")}


def _without_structure(result: Json) -> dict[str, object]:
    return {key: value for key, value in result.items() if key != "structuredContent"}


def _with_note(method: str, result: Json, words: str, schema: Json | None) -> Json:
    if method == "resources/read":
        note: Json = {"uri": "fairlead:note", "mimeType": "text/plain", "text": words}
        return {**result, "contents": [note, *_items(result.get("contents"))]}
    if method == "prompts/get":
        said: Json = {"role": "user", "content": _text(words)}
        return {**result, "messages": [said, *_items(result.get("messages"))]}
    if method != "tools/call":
        return result
    told = {**result, "content": [_text(words), *_items(result.get("content"))]}
    structured = result.get("structuredContent")
    if isinstance(structured, Mapping) and NOTE not in structured:
        noted = {NOTE: words, **structured}
        if schema is None or is_valid(noted, schema):  # some clients show the model nothing else
            told["structuredContent"] = noted
    return told


def _valid(changed: Json, result: Json, schema: Json | None) -> Json:
    """Structured content that no longer fits is no result, and a client would not take one without it."""
    structured = changed.get("structuredContent")
    unpromised = schema is None or changed.get("isError") is True or "structuredContent" not in result
    if unpromised or structured is result.get("structuredContent"):
        return changed
    if schema is not None and "structuredContent" in changed and is_valid(structured, schema):
        return changed
    return {
        **_without_structure(changed),
        "isError": True,
        "content": [_text(_NO_FIT), *_items(changed.get("content"))],
    }


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _text(words: str) -> Json:
    return {"type": "text", "text": words}
