"""What a call of a foreign tool is told, in the words that its deeds are found by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value
from fairlead.packs.foreign.foreign_names import given_of, words_of
from fairlead.packs.foreign.given_texts import Given, given_texts, key_of, read_out
from fairlead.packs.identity_memory import once_for_each
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_LONGEST = 80
_WORD = lazy(r"[a-z0-9]+")
_WORDS = lazy(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


class Told(Value):
    """`tool` has the words of the tool's name and of the operation that the call states, `known` those of its server
    as well; `said` has those of its short values; `states` are its keys, at any depth, with what they are set to."""

    tool: frozenset[str]
    known: frozenset[str]
    texts: tuple[Given, ...]
    states: tuple[tuple[str, object], ...]

    @property
    def said(self) -> frozenset[str]:
        short = (each.text.lower() for each in self.texts if len(each.text) <= _LONGEST)
        return frozenset(word for text in short for word in _WORD.findall(text))


_STATED = names(
    """
    action operation operationid operationname actionname method verb resource resourcetype entity entitytype
    objecttype sobject actionid actiontype
    """
)
_QUERIES = names("query mutation graphql document body operations")
_MUTATION = lazy(r"\s*mutation\b[^{]{0,400}\{\s*(?:\w+\s*:\s*)?(\w+)")
_PATHS = names("path endpoint url uri route")
_PATH = lazy(r"(?:https?://[^/]+)?/[\w/.-]{1,200}")
_METHODS, _REQUESTS = names("method verb httpmethod"), names("delete put patch post")


@once_for_each(2)
def told_by(call: ToolCall) -> Told:
    server, tool = words_of(call)
    texts = given_texts(call)
    words = frozenset((*tool, *_stated(texts)))
    states = tuple(_states(given_of(call), 4))
    return Told(words, words.union(server), texts, states)


def _stated(texts: tuple[Given, ...]) -> list[str]:
    """What a tool for many deeds is told to do: `{"action": "delete", "resource": "board"}`, a mutation of GraphQL,
    a request to a path."""
    found: list[str] = []
    requested = any(each.key in _METHODS and each.text.lower() in _REQUESTS for each in texts)
    for each in texts:
        if each.key in _STATED and len(each.text) <= _LONGEST:
            found += words_in(each.text)
        elif each.key in _QUERIES and (mutation := _MUTATION.match(each.text)):
            found += words_in(mutation[1])
        elif requested and each.key in _PATHS and _PATH.match(each.text):
            found += words_in(each.text.partition("://")[2].partition("/")[2] or each.text)
    return found


def words_in(name: str) -> list[str]:
    """Of `deleteProject` and of `GMAIL_DELETE_MESSAGE`."""
    return [word.lower() for word in _WORDS.findall(name)]


def _states(given: Mapping[str, object], depth: int) -> Iterator[tuple[str, object]]:
    """Each key at any depth with what it is set to; what is set to an empty list is set to nothing."""
    yield from _settings(given)
    for name, value in given.items():
        key = key_of(str(name))
        yield from _state(key, read_out(key, value), depth)


def _state(key: str, value: object, depth: int) -> Iterator[tuple[str, object]]:
    if not isinstance(value, (Mapping, list)):
        yield key, value
    elif not value:
        yield key, None
    elif isinstance(value, Mapping):
        yield from _states(value, depth - 1) if depth else ()
    else:
        for inner in value[:_MOST] if depth else ():
            if isinstance(inner, Mapping):
                yield from _states(inner, depth - 1)


def _settings(given: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """`{"setting": "ssl", "value": "off"}` says what `{"ssl": "off"}` says."""
    named = next((given[key] for key in _NAMING if isinstance(given.get(key), str)), None)
    value = next((given[key] for key in _SETTING if key in given), None)
    if isinstance(named, str) and value is not None and len(named) <= _LONGEST:
        yield key_of(named), value


_NAMING = (
    "setting",
    "name",
    "key",
    "parameter",
    "param",
    "option",
    "attribute",
    "property",
    "field",
    "feature",
)
_SETTING = ("value", "enabled", "state", "status")
_MOST = 64
