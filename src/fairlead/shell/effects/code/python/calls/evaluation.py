"""Calls that run text or data as code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.calls.processes import run_output
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
_YAML = names("load unsafe_load load_all unsafe_load_all full_load")
_IMPORTING = names("importlib.import_module import_module __import__")
_PICKLES = names("pickle.loads cPickle.loads dill.loads cloudpickle.loads jsonpickle.decode")
"""They run what stands in a text that nobody can read."""
_LOADING_FILES = {
    "importlib.util.spec_from_file_location": 1,
    "importlib.machinery.SourceFileLoader": 1,
    "imp.load_source": 1,
    "zipimport.zipimporter": 0,
    **dict.fromkeys(("ctypes.CDLL", "ctypes.PyDLL", "ctypes.WinDLL", "cffi.FFI.dlopen", "sys.setdlopen"), 0),
    "ctypes.cdll.LoadLibrary": 0,
    "sys.path.insert": 1,
    "sys.path.append": 0,
    "site.addsitedir": 0,
}
"""Which argument names a file that is loaded as code."""
_FOREIGN = names("decoded given file variable")


def evaluation_acts(call: Call, run: Run) -> Iterator[Act]:
    if _loads_what_was_fetched(call, run):
        yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    elif call.name in _PICKLES and call.at(0).texts and _is_only_decoded(call.at(0)):
        yield Act("unknown", detail=f"{call.name}(…)")
    elif call.method in _YAML and any("!!python/" in text for text in call.at(0).texts):
        yield Act("unknown", detail=f"{call.name}(!!python/…)")
    if call.name in _IMPORTING and run.files:
        run.imported(call.told(0))
    if call.name not in _FUNCTIONS and call.method not in _METHODS:
        return
    code = call.at(0, "source", "stmt", "path_name")
    if not call.has(0, "source", "stmt", "path_name") or call.owner.instance is not None:
        return
    told = [each for way in ways_of(code) for each in way.texts if HOLE not in each]
    yield from (Act("code", each) for each in told if call.method != "run_path")
    yield from _of_unknown(call, code, known=bool(told), run=run)


def _is_only_decoded(thing: Thing) -> bool:
    """A text of the code itself, in a form that nobody reads."""
    return {kind for kind, _ in deep_origins(thing)} == {"decoded"}


def _loads_what_was_fetched(call: Call, run: Run) -> bool:
    takes_all = call.name in _LOADING or call.name.startswith("ctypes.")
    if takes_all and any(
        kind in ("network", "socket") for each in call.given for kind, _ in deep_origins(each)
    ):
        return True
    if call.name not in _LOADING_FILES:
        return False
    paths = call.paths(_LOADING_FILES[call.name], "location", "path")
    return any(_fetched(run.files.get(path)) for path in paths)


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
        yield from run_output(origins)


def _fetched(content: Thing | None) -> bool:
    return content is not None and any(kind == "network" for kind, _ in deep_origins(content))
