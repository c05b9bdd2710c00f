"""Calls that run text or data as code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.running.thing import HOLE, Thing, deep_origins, ways_of
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_METHODS = names("exec runcode runsource run_path run_cell runctx")
_FUNCTIONS = names(
    "exec eval timeit.timeit builtins.exec builtins.eval __builtins__.exec __builtins__.eval pandas.eval"
)
_LOADING = names(
    """
    pickle.loads pickle.load cPickle.loads dill.loads cloudpickle.loads marshal.loads joblib.load yaml.load
    yaml.unsafe_load jsonpickle.decode torch.load
    """
)
_FOREIGN = names("decoded given file variable")


def evaluation_acts(call: Call, run: Run) -> Iterator[Act]:
    if call.name in _LOADING:
        if any(kind in ("network", "socket") for kind, _ in deep_origins(call.at(0))):
            yield Act(str(Action.RUN_NETWORK_CODE), name="download")
        return
    if call.name not in _FUNCTIONS and call.method not in _METHODS:
        return
    code = call.at(0, "source", "stmt", "path_name")
    if not call.has(0, "source", "stmt", "path_name") or call.owner.instance is not None:
        return
    told = [each for way in ways_of(code) for each in way.texts if HOLE not in each]
    yield from (Act("code", each) for each in told if call.method != "run_path")
    yield from _of_unknown(call, code, known=bool(told), run=run)


def _of_unknown(call: Call, code: Thing, *, known: bool, run: Run) -> Iterator[Act]:
    origins = deep_origins(code)
    kinds = {kind for kind, _ in origins}
    if "socket" in kinds:
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell")
    elif "network" in kinds:
        yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    elif call.method == "run_path":
        if any(_fetched(run.files.get(path)) for path in code.texts):
            yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    elif known or (kinds == {"file"} and all(path.endswith(".py") for _, path in origins)):
        return
    elif call.method == "exec" or kinds & _FOREIGN:
        shown = ast.unparse(call.node.args[0]) if call.node.args else ""
        yield Act("unknown", detail=f"{call.name}({shown[:60]})")
    else:
        yield from (Act("shell", f"{line} | sh") for kind, line in origins if kind == "output")


def _fetched(content: Thing | None) -> bool:
    return content is not None and any(kind == "network" for kind, _ in deep_origins(content))
