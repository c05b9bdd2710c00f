"""Databases and servers that Python code talks to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.running.thing import ways_of
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_DROPS = names(
    """
    drop_database dropDatabase flushall flushdb drop_all drop_tables drop_collection delete_collection
    delete_index delete_database delete_table drop_table drop_index drop_schema truncate_table
    delete_all
    """
)
_PAYING = lazy(r"^stripe\.(?:Refund|Payout|Transfer|Charge|PaymentIntent)\.(?:create|capture)$")
_STATEMENTS = names("execute executescript executemany raw read_sql text")


def service_acts(call: Call, source: str) -> Iterator[Act]:
    if call.method in _STATEMENTS:
        for way in ways_of(call.at(0)):
            yield from (Act("sql", said) for said in way.texts)
    elif call.method == "delete" and "objects.all()" in ast.unparse(call.node):
        yield Act(str(Action.CHANGE_DATABASE), name="unbound", text=ast.unparse(call.node)[:80])
    elif call.name in ("requests.delete", "httpx.delete"):
        yield Act(str(Action.SEND_DATA), name="http-delete")
    elif call.method == "delete_many" and call.at(0).fields == {}:
        yield Act(str(Action.CHANGE_DATABASE), name="unbound", text=ast.unparse(call.node)[:80])
    elif _PAYING.match(call.name):
        yield Act(str(Action.CHANGE_CLOUD), name="spend", text=call.name)
    elif call.method in _DROPS:
        yield Act(str(Action.CHANGE_DATABASE), name="drop", text=f"{call.method}()")
