"""What the parameters of a function of the code hold when it is called."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from fairlead.shell.effects.code.python.running.expressions import evaluate
from fairlead.shell.effects.code.python.running.scope import Scope
from fairlead.shell.effects.code.python.running.thing import UNKNOWN, Thing, text, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_PARAMETER = unknown(origins=frozenset((("parameter", ""),)))
"""What a function is given that nobody calls here."""
_ASKED = unknown(origins=frozenset((("network", "a request"),)))
_TEMPORARY = ("tmp_path", "tmpdir", "tmp_dir", "temp_dir")


def bind(
    told: ast.arguments,
    thing: Thing,
    given: Sequence[Thing],
    named: Mapping[str, Thing],
    *,
    into: Scope,
    run: Run,
) -> None:
    """Sets the names of a function's scope: by place, by name, else what stands as the default."""
    names = [each.arg for each in (*told.posonlyargs, *told.args)]
    if thing.instance is not None and names:
        given = (Thing(instance=thing.instance, name=thing.instance.kind.name), *given)
    for parameter, default in zip(reversed(names), reversed(told.defaults), strict=False):
        into.names[parameter] = evaluate(default, run)
    for each, standard in zip(told.kwonlyargs, told.kw_defaults, strict=False):
        if standard is not None:
            into.names[each.arg] = evaluate(standard, run)
    for name in names:
        if name in _TEMPORARY:
            into.names.setdefault(name, text("/tmp/pytest/test0"))  # noqa: S108 - where such folders are
    into.names.update(zip(names, given, strict=False))
    asked = thing.local is not None and id(thing.local.node) in run.answering
    allowed = {*names, *(each.arg for each in told.kwonlyargs)}
    into.names.update((name, value) for name, value in named.items() if name in allowed)
    if told.vararg is not None:
        rest = tuple(given[len(names) :])
        into.names[told.vararg.arg] = Thing(items=rest) if rest else UNKNOWN
    if told.kwarg is not None:
        more = {name: value for name, value in named.items() if name not in allowed}
        into.names[told.kwarg.arg] = Thing(fields=more)
    for name in allowed:
        into.names.setdefault(name, _ASKED if asked else _PARAMETER)
