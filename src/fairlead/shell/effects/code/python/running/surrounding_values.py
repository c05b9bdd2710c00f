"""What Python code finds around it: folders, variables, the words behind it, its input."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.running.package_paths import package_call, package_name
from fairlead.shell.effects.code.python.running.thing import Thing, from_, joined, text, unknown

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

CONSTANTS = {
    "os.sep": "/",
    "os.path.sep": "/",
    "os.pardir": "..",
    "os.curdir": ".",
    "os.linesep": "\n",
    "sys.executable": "python3",
    "os.devnull": "/dev/null",
}
_ASKED = ("flask.request.", "request.args", "request.form", "bottle.request.")
TEMPORARY = "/tmp/tmpXXXXXXXX"  # noqa: S108 - a name that a temporary file could have


def around(name: str, run: Run) -> Thing | None:
    """What a name of the standard library stands for here; None for all that does not depend on it."""
    given = run.world.given
    if name == "os.environ":
        return Thing(name=name, origins=from_("variable", "*"))
    if name == "sys.argv":
        if not given.arguments:
            return unknown(name, from_("given"))
        return Thing(items=(text("program"), *map(_argument, given.arguments)), name=name)
    if name.startswith("stat.S_I") and isinstance(mode := getattr(stat, name[5:], None), int):
        return Thing(number=mode)
    if name.startswith(_ASKED):
        return unknown(name, from_("network", "a request"))
    if name == "sys.stdin":
        return unknown(name, from_("given"))
    return package_name(name, run.world.cwd)


def _argument(word: str) -> Thing:
    return unknown(origins=from_("given")) if "$UNKNOWN" in word else text(word)


def variable(key: Thing, run: Run, otherwise: Thing | None = None) -> Thing:
    """A variable of the environment, where the line sets it."""
    name = key.texts[0] if key.texts else ""
    variables = run.world.given.variables
    if name in variables:
        return text(variables[name], origins=from_("variable", name))
    if name == "HOME":
        return text(run.world.home)
    found = unknown(origins=from_("variable", name or "?"))
    return found if otherwise is None else joined(otherwise, found)


def surrounding(name: str, given: tuple[Thing, ...], run: Run) -> Thing | None:
    """What a call returns that asks for something of these."""
    world = run.world
    if name in _TEMPORARY:
        return Thing((TEMPORARY,), name=name)
    if name == "tempfile.mkstemp":
        return Thing(items=(Thing((TEMPORARY,), name=name), text(TEMPORARY)))
    if name in ("os.getcwd", "pathlib.Path.cwd", "os.getcwdb"):
        return Thing((run.folder or world.cwd,), name="pathlib.Path" if "Path" in name else "")
    if name in ("pathlib.Path.home", "Path.home"):
        return Thing((world.home,), name="pathlib.Path")
    if name in ("os.getenv", "os.environ.get", "os.environ.setdefault", "os.environ.pop") and given:
        return variable(given[0], run, given[1] if len(given) > 1 else None)
    stdin = world.given.stdin
    if name in ("sys.stdin.read", "input", "sys.stdin.readline", "sys.stdin.readlines"):
        if not stdin:
            return unknown(name, from_("given"))
        return text(stdin.strip("\n") if name == "sys.stdin.read" else stdin.split("\n")[0])
    return package_call(name, given)


_TEMPORARY = frozenset(
    [
        "tempfile.mkdtemp",
        "tempfile.gettempdir",
        "tempfile.TemporaryDirectory",
        "tempfile.NamedTemporaryFile",
        "tempfile.mktemp",
        "tempfile.TemporaryFile",
        "tempfile.SpooledTemporaryFile",
    ]
)
