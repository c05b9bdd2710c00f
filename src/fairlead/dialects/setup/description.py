"""How an agent is set up, as data of its module: where it reads hooks, what stands there, what ends them.

In a template, `<command>` is the line that the agent runs, and `<event>` the event that it runs it for.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

SECONDS = 60
"""How long an agent is told to wait. The client answers by itself long before that."""
HANDLER: Mapping[str, object] = {"type": "command", "command": "<command>", "timeout": SECONDS}
GROUP: Mapping[str, object] = {"hooks": [HANDLER]}
"""Claude's form: a list of groups for each event, each with a list of handlers and maybe a matcher."""
SLOW_GROUP: Mapping[str, object] = {"hooks": [{**HANDLER, "timeout": SECONDS * 1000}]}
"""The same where time is counted in milliseconds."""


TYPE_CHECKING = False  # what type checkers take for True; a hook call imports this module
if TYPE_CHECKING:
    from typing import Literal

    Starter = Literal["shell", "login shell", "unknown", "plugin"]
    """Who starts the command: `sh -c` or `bash -c`; the person's own shell, which may be any; nobody knows,
    so that the line is the bare command, since another one might be refused or misread; our JavaScript in
    the agent."""
    Broken = Literal["runs", "refused", "refused if told", "unknown"]
    """What becomes of a call when a hook crashes, hangs, or prints what the agent cannot read. It is told
    by a setting of the entry, which `install` writes."""
    Form = Literal[
        "entries",
        "entries beside",
        "own document",
        "toml tables",
        "executables",
        "opencode plugin",
        "amp plugin",
    ]
    """What hooks stand in: a JSON file of the agent or the user, to which our entries are added; the same,
    for events that already have an entry there, and for no other; a JSON file of ours; tables of a TOML
    file; a file for each event, named after it; JavaScript."""
    Base = Literal["home", "config", "preferences"]
    """Where the folder of a user's file begins: `~`; `$XDG_CONFIG_HOME`, or `~/.config`; the same, but for
    `~/Library/Preferences` on macOS."""
    Read = Literal["always", "with folder", "with file", "unless older"]
    """When an agent reads a file, and `install` should write there: always; where its folder is there;
    where it is there; unless only the first place of the agent is there, which it then takes over by
    itself."""
else:
    Starter = Broken = Form = Base = Read = str


class HookFile(Value):
    """One place. `folder` is a user's, `variable` moves it; `project` is the whole path in a project."""

    folder: str
    name: str
    project: str = ""
    variable: str = ""
    base: Base = "home"
    form: Form = "entries"
    read: Read = "always"
    at: tuple[str, ...] = ("hooks",)
    """Where the entries of an event stand, before its name."""


class Switch(Value):
    """A setting that turns hooks off: in a project, or on the machine by an absolute path."""

    file: str
    setting: tuple[str, ...]
    off: bool
    of_user: bool = False
    """Below the user's home, in another file than the hooks stand in."""


class Setup(Value):
    """All of it. `tried` is the version of a real client that was run with it."""

    files: tuple[HookFile, ...]
    events: tuple[str, ...] = ()
    """Those that are installed; none: all that the dialect knows, but for the frequent."""
    entry: Mapping[str, object] = GROUP
    at_gates: Mapping[str, object] = NOTHING
    """What an entry has beside that at an event that can refuse; in a group, each handler has it."""
    entry_of: Mapping[str, Mapping[str, object]] = NOTHING  # type: ignore[assignment]
    """Another entry, for some events."""
    document: Mapping[str, object] = NOTHING
    """What stands around the entries of a file of ours: `<by event>` or `<in a list>` is where they go."""
    defaults: tuple[tuple[tuple[str, ...], object], ...] = ()
    """Settings that have to be there for hooks to run."""
    reviewed_in: str = ""
    """The file beside the user's hooks that has the record of their review."""
    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """Under the home folder: signs that the agent is used here."""
    tried: str = ""
    note: str = ""
    """For whoever installs it."""
    unseen: str = ""
    """What its hooks do not see or cannot say, in a sentence for people."""
    started_by: Starter = "shell"
    broken: Broken = "runs"
    reason_by_json: bool = False
    """Exit code 2 blocks, but only JSON carries the reason."""
    switches: tuple[Switch, ...] = ()
    left_out: tuple[str, ...] = ()
    """Files with a list of the hooks that are left out, each by its command; of the user and of a project."""
    reads_too: tuple[tuple[str, str], ...] = ()
    """Whose settings it runs beside its own, by agent and scope."""
