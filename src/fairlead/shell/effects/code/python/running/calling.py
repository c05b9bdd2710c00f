"""Calls in Python code: of its own functions, which are followed, and of libraries, which are known."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.calls.call_acts import acts_of
from fairlead.shell.effects.code.python.calls.call_results import made_by
from fairlead.shell.effects.code.python.calls.library_names import library_name
from fairlead.shell.effects.code.python.running.library_results import result
from fairlead.shell.effects.code.python.running.methods import (
    changed,
    merged,
    method_result,
    parsed_arguments,
)
from fairlead.shell.effects.code.python.running.shown_content import (
    files_in,
    is_told,
    through_library,
    without_values,
)
from fairlead.shell.effects.code.python.running.surrounding_values import surrounding
from fairlead.shell.effects.code.python.running.thing import (
    UNKNOWN,
    Thing,
    any_of,
    elements_of,
    origins_of,
    unknown,
)
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_MAPPING = names("map imap imap_unordered starmap map_async starmap_async filter")
_CALLING = names(
    """
    submit apply_async apply run_in_executor to_thread partial call_soon call_later register Timer
    start_new_thread spawn run_sync add_job run_coroutine_threadsafe enter enterabs
    """
)
_GROUPED = names("Timer start_new_thread apply_async enter enterabs")
"""They take the arguments of what they call in one tuple."""
_FEW, _MANY = 16, 256
"""Elements for which a function of the code itself is followed, and for which one of a library is known."""
_PLACES = (ast.Name, ast.Attribute, ast.Subscript)
_REGISTERING = names(
    "register_function add_url_rule add_handler add_message_handler basic_consume set_callback on subscribe"
)
"""They say which function answers those who ask."""
_HEARD, _RECEIVED = unknown(origins=frozenset((("network", "a message"),))), 4
"""What a library calls a function of the code with: `WebSocketApp(address, on_message=f)`."""


def call(node: ast.Call, run: Run) -> Thing:
    run.step()
    owner = UNKNOWN
    if isinstance(node.func, ast.Attribute):
        owner = run.evaluate(node.func.value)
        function = run.attribute(owner, node.func.attr)
    else:
        function = run.evaluate(node.func)
        owner = function if function.peers else UNKNOWN
    given, named = _arguments(node, run)
    return apply(function, owner, given, named, node, run)


def _arguments(node: ast.Call, run: Run) -> tuple[tuple[Thing, ...], dict[str, Thing]]:
    given: list[Thing] = []
    for each in node.args:
        value = run.evaluate(each)
        if isinstance(each, ast.Starred):
            given += elements_of(value) or [unknown(origins=value.origins)]
        else:
            given.append(value)
    named: dict[str, Thing] = {}
    for keyword in node.keywords:
        value = run.evaluate(keyword.value)
        if keyword.arg is None:
            named.update(value.fields or {})
        else:
            named[keyword.arg] = value
    return tuple(given), named


def apply(
    function: Thing,
    owner: Thing,
    given: Sequence[Thing],
    named: Mapping[str, Thing],
    node: ast.Call,
    run: Run,
) -> Thing:
    if function.ways:
        each = (apply(way.replace(ways=()), owner, given, named, node, run) for way in function.ways)
        return any_of(list(each))
    if function.local is not None:
        if isinstance(function.local.node, ast.ClassDef):
            return run.instantiate(function, given, named)
        return run.invoke(function, given, named)
    if function.instance is not None:
        return apply(run.attribute(function, "__call__"), UNKNOWN, given, named, node, run)
    if function.name == "getattr" and len(given) > 1:
        return _named_attribute(given, run)
    if function.items and given and function.name in _PICKERS:
        return _picked(function, given[0], node, run)
    if function.name.startswith("pathlib.Path.") and not owner.texts and given and given[0].texts:
        owner, given = given[0], given[1:]
    given = [_as_path(each, run) for each in given]
    told = Call(library_name(function.name), tuple(given), named, owner, node)
    if is_told(told.name):
        run.shown |= files_in((*given, *named.values()))
    if function.name not in run.stood_in:
        run.emit(acts_of(told, run), node)
    back = _called_back(told, run)
    returned = back if back is not None else _returned(told, run)
    _change(told, run)
    return returned


def _as_path(thing: Thing, run: Run) -> Thing:
    """An object of the code's own that says which path it stands for."""
    kind = thing.instance.kind.local if thing.instance is not None else None
    if kind is None or "__fspath__" not in kind.fields:
        return thing
    return run.invoke(run.attribute(thing, "__fspath__"), (), {})


_PICKERS = ("operator.attrgetter", "operator.methodcaller")


def _picked(function: Thing, owner: Thing, node: ast.Call, run: Run) -> Thing:
    """`attrgetter("system")(os)`, `methodcaller("system", text)(os)`."""
    name, *rest = function.items or (UNKNOWN,)
    found = _named_attribute((owner, name), run)
    return found if function.name == _PICKERS[0] else apply(found, owner, rest, {}, node, run)


def _named_attribute(given: Sequence[Thing], run: Run) -> Thing:
    found = [run.attribute(given[0], name) for name in given[1].texts]
    if not found and given[0].module and given[0].name in ("os", "posix"):
        return Thing(name="os.system")
    return any_of(found) if found else unknown(origins=given[0].origins)


def _returned(told: Call, run: Run) -> Thing:
    if told.method in ("parse_args", "parse_known_args"):
        return parsed_arguments(told.owner)
    for found in (
        surrounding(told.name, told.given, run),
        made_by(told, run),
        method_result(told.owner, told.method, told.given, told.named, run),
        result(told.name, told.given, told.named, run),
    ):
        if found is not None:
            return found
    origins = through_library(origins_of((told.owner, *told.given, *told.named.values())), told.name)
    peers = tuple(dict.fromkeys((*told.owner.peers, *(p for each in told.given for p in each.peers))))
    made = Thing(name=told.name, origins=origins, peers=peers)
    return without_values(made) if told.method == "keys" else made


def _change(told: Call, run: Run) -> None:
    """What the call does to the object on which it is made."""
    place = told.node.func.value if isinstance(told.node.func, ast.Attribute) else None
    if not isinstance(place, _PLACES) or not (told.given or told.named):
        return
    owner = told.owner
    after = changed(owner, told.method, told.given, told.named)
    if after is None and not owner.texts and owner.instance is None and not owner.module:
        after = merged(owner, (*told.given, *told.named.values()))
        if told.method in ("connect", "bind", "connect_ex") and told.given:
            after = after.replace(peers=told.hosts(told.given[0]))
        elif told.method == "sendto" and len(told.given) > 1:
            after = after.replace(peers=told.hosts(told.given[-1]))
    if after is not None and after is not owner:
        run.assign(place, after)


def _called_back(told: Call, run: Run) -> Thing | None:
    """`map(os.remove, paths)`, `Thread(target=f, args=(x,))`, `pool.submit(f, x)` call what they get."""
    target = told.named.get("target")
    if target is not None and _is_function(target):
        given = told.named.get("args", UNKNOWN)
        apply(
            target,
            UNKNOWN,
            elements_of(given) or (),
            told.named.get("kwargs", UNKNOWN).fields or {},
            told.node,
            run,
        )
        return None
    for keyword, function in told.named.items():
        if keyword.startswith("on_") and function.local is not None:
            apply(function, UNKNOWN, (_HEARD,) * _RECEIVED, {}, told.node, run)
    if told.method in _REGISTERING:
        for function in told.given:
            if function.local is not None:
                apply(function, UNKNOWN, (_HEARD,) * _RECEIVED, {}, told.node, run)
    index = next((i for i, each in enumerate(told.given) if _is_function(each)), None)
    if index is None:
        return None
    function, rest = told.given[index], told.given[index + 1 :]
    if told.method == "start_server":
        served = Thing(name="asyncio.StreamReader", peers=told.hosts(told.at(1, "host")))
        return apply(function, UNKNOWN, (served, served), {}, told.node, run)
    if told.method in _MAPPING and rest:
        enough = _FEW if function.local is not None else _MANY
        items = elements_of(rest[0], enough) or [unknown(origins=rest[0].origins)]
        starred = "star" in told.method
        made = [
            apply(function, UNKNOWN, (item.items or ()) if starred else (item,), {}, told.node, run)
            for item in items
        ]
        return rest[0] if told.method == "filter" else Thing(items=tuple(made))
    if told.method in _CALLING:
        rest = tuple(elements_of(told.named["args"]) or ()) if "args" in told.named else rest
        grouped = rest[0].items if told.method in _GROUPED and rest else None
        done = apply(function, UNKNOWN, grouped if grouped is not None else rest, {}, told.node, run)
        return (
            Thing(name=function.name, fields=told.named) if told.method == "partial" and told.named else done
        )
    return None


def _is_function(thing: Thing) -> bool:
    return thing.local is not None or (bool(thing.name) and not thing.texts and not thing.origins)
