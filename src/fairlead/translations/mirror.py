"""Reads a native request or response into the neutral form, and writes back only what a hook changed.

What was not touched is the same object afterwards, so it stays as it was, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fairlead.model.model_call import Native, Neutral, Part
from fairlead.model.value import Value

Pair = tuple[Part, Any]
"""A neutral part and the native thing that it was read from; None for one that a hook made."""


class Section(Value):
    """One field of the neutral form: how to read it, and how to write it into a copy of the native one."""

    read: Callable[[Native], Any]
    write: Callable[[Native, Any], Native]


class Messages(Value):
    """The native messages, and how to put a changed list back."""

    items: Sequence[Any]
    put: Callable[[Native, list[Any]], Native]


class Api(Value):
    """How one API spells a conversation. Sections are what a request or response has besides messages.

    `split` gives the parts of a native message in order, `join` the message with these parts; its first
    argument is None for a new message.
    """

    name: str
    request_messages: Callable[[Native], Messages]
    response_messages: Callable[[Native], Messages]
    role: Callable[[Any], str]
    split: Callable[[Any], list[Pair]]
    join: Callable[[Any, str, Sequence[Pair]], Any]
    request_sections: Mapping[str, Section]
    response_sections: Mapping[str, Section]


def read_request(api: Api, native: Native) -> Neutral:
    neutral = {name: section.read(native) for name, section in api.request_sections.items()}
    return neutral | {"messages": _read_messages(api, api.request_messages(native))}


def read_response(api: Api, native: Native) -> Neutral:
    neutral = {name: section.read(native) for name, section in api.response_sections.items()}
    return neutral | {"messages": _read_messages(api, api.response_messages(native))}


def write_request(api: Api, native: Native, changed: Neutral) -> Native:
    """`native` with what `changed` says differently."""
    written = _write_messages(api, native, changed, api.request_messages(native))
    return _write_sections(api.request_sections, native, written, changed)


def write_response(api: Api, native: Native, changed: Neutral) -> Native:
    written = _write_messages(api, native, changed, api.response_messages(native))
    return _write_sections(api.response_sections, native, written, changed)


def _read_messages(api: Api, messages: Messages) -> list[Neutral]:
    return [_read_message(api, place, message) for place, message in enumerate(messages.items)]


def _read_message(api: Api, place: int, message: Any) -> Neutral:
    parts = [{"id": f"m{place}.p{number}", **part} for number, (part, _) in enumerate(api.split(message))]
    return {"id": f"m{place}", "role": api.role(message), "content": parts}


def _write_sections(
    sections: Mapping[str, Section], native: Native, written: Native, changed: Neutral
) -> Native:
    for name, section in sections.items():
        if name in changed and changed[name] != section.read(native):
            written = section.write(written, changed[name])
    return written


def _write_messages(api: Api, native: Native, changed: Neutral, messages: Messages) -> Native:
    before = _read_messages(api, messages)
    after = changed.get("messages", before)
    if after == before:
        return native
    known = {neutral["id"]: (neutral, item) for neutral, item in zip(before, messages.items, strict=True)}
    return messages.put(native, [_written(api, message, known) for message in _checked(after)])


def _written(api: Api, message: Neutral, known: Mapping[str, tuple[Neutral, Any]]) -> Any:
    twin = known.get(str(message.get("id")))
    if twin is None:
        return api.join(None, str(message.get("role", "user")), [(part, None) for part in _parts(message)])
    before, native = twin
    if message == before:
        return native
    pairs = {
        f"{before['id']}.p{number}": ({"id": f"{before['id']}.p{number}", **part}, item)
        for number, (part, item) in enumerate(api.split(native))
    }
    parts = [_paired(part, pairs) for part in _parts(message)]
    role = str(message.get("role", before["role"]))
    if role != before["role"]:
        return api.join(None, role, parts)  # a message of another speaker is another message
    return api.join(native, role, parts)


def _paired(part: Part, pairs: Mapping[str, Pair]) -> Pair:
    """A part with its native twin, if it is unchanged or still of the twin's type."""
    before, native = pairs.get(str(part.get("id")), (None, None))
    return (part, native) if before is not None and before.get("type") == part.get("type") else (part, None)


def _parts(message: Neutral) -> Iterator[Part]:
    """A hook may give a new message's content as plain text."""
    content = message.get("content", ())
    if isinstance(content, str):
        yield {"type": "text", "text": content}
        return
    for part in content:
        if not isinstance(part, Mapping):
            raise ValueError(f"a part must be an object, not {type(part).__name__}")
        yield dict(part)


def _checked(messages: object) -> list[Neutral]:
    if not isinstance(messages, list) or not all(isinstance(message, Mapping) for message in messages):
        raise ValueError("messages must be a list of objects")
    return [dict(message) for message in messages]


# What the translations share.


def part_text(part: Part) -> str:
    text = part.get("text", "")
    if not isinstance(text, str):
        raise ValueError("the text of a part must be a text")
    return text


def same(part: Part, read: Part) -> bool:
    """Whether a neutral part says what was read from its native twin; ids are not part of what it says."""
    return {k: v for k, v in part.items() if k != "id"} == read


def with_field(native: Native, field: str, value: Any) -> Native:
    """A copy with one field set, in its old place if it had one; None takes it away."""
    copy = dict(native)
    if value is None:
        copy.pop(field, None)
    else:
        copy[field] = value
    return copy


def field(name: str) -> Section:
    """A field that is the same in both forms."""
    return Section(lambda native: native.get(name), lambda native, value: with_field(native, name, value))


def options(names: Mapping[str, str], inside: str = "") -> Section:
    """Sampling options under their native names, at the top or inside one object."""

    def read(native: Native) -> dict[str, Any]:
        held = native.get(inside, {}) if inside else native
        return {neutral: held[name] for neutral, name in names.items() if name in held}

    def write(native: Native, value: Mapping[str, Any]) -> Native:
        held = native.get(inside, {}) if inside else native
        before = read(native)
        for neutral, name in names.items():
            if value.get(neutral) != before.get(neutral):
                held = with_field(held, name, value.get(neutral))
        return with_field(native, inside, held) if inside else dict(held)

    return Section(read, write)


def tools(
    get: Callable[[Native], Sequence[Any]],
    put: Callable[[Native, list[Any]], Native],
    read: Callable[[Mapping[str, Any]], Part],
    write: Callable[[Part, Mapping[str, Any]], Any],
) -> Section:
    """The tools that a model may call, matched by name; one that did not change is left as it is."""

    def read_all(native: Native) -> list[Part]:
        return [read(tool) for tool in get(native) if isinstance(tool, Mapping)]

    def write_all(native: Native, wanted: Sequence[Part]) -> Native:
        known = {read(tool).get("name"): tool for tool in get(native) if isinstance(tool, Mapping)}
        written = []
        for tool in wanted:
            twin = known.get(tool.get("name"), {})
            written.append(twin if twin and read(twin) == tool else write(tool, twin))
        return put(native, written)

    return Section(read_all, write_all)


def given(**fields: Any) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def fixed(read: Callable[[Native], Any]) -> Section:
    """A field that hooks may see and not change."""

    def write(native: Native, value: object) -> Native:
        raise ValueError("what a model used cannot be changed by a hook")

    return Section(read, write)


def usage(inside: str, input_name: str, output_name: str) -> Section:
    def read(native: Native) -> dict[str, Any] | None:
        used = native.get(inside)
        if not isinstance(used, Mapping):
            return None
        return {"input": used.get(input_name), "output": used.get(output_name)}

    return fixed(read)


def arguments_of(text: Any) -> Any:
    """A tool call's arguments as an object; a text that holds none is kept as it is."""
    if not isinstance(text, str):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) else text


def arguments_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def image(ref: str) -> Part:
    return {"type": "image", "ref": ref}


def other(ref: str) -> Part:
    return {"type": "other", "ref": ref}


def unwritable(part: Part, api: str) -> ValueError:
    return ValueError(f"a new part of type {part.get('type')!r} cannot be written for {api}")
