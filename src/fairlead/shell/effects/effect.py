"""What a command does, in words that rules can speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum

from fairlead.model.value import Value
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, Target
from fairlead.shell.script import Command


class Action(StrEnum):
    READ = "read"
    LIST = "list"
    WRITE = "write"
    OVERWRITE = "overwrite"
    TRUNCATE = "truncate"
    DELETE = "delete"
    MOVE_AWAY = "move-away"
    CHANGE_PERMISSIONS = "change-permissions"
    CHANGE_OWNER = "change-owner"
    DISCARD_GIT_WORK = "discard-git-work"
    REWRITE_HISTORY = "rewrite-history"
    CHANGE_GIT = "change-git"
    FORMAT = "format"
    MOUNT = "mount"
    KILL = "kill"
    SHUTDOWN = "shutdown"
    CHANGE_SERVICE = "change-service"
    CHANGE_SYSTEM = "change-system"
    CHANGE_ACCOUNTS = "change-accounts"
    GAIN_PRIVILEGE = "gain-privilege"
    RUN_NETWORK_CODE = "run-network-code"
    RUN_UNKNOWN_CODE = "run-unknown-code"
    SEND_DATA = "send-data"
    READ_SECRET = "read-secret"  # noqa: S105 - a name, no password
    CHANGE_DATABASE = "change-database"
    CHANGE_CLUSTER = "change-cluster"
    CHANGE_CLOUD = "change-cloud"
    CHANGE_CONTAINER = "change-container"
    CHANGE_PACKAGES = "change-packages"
    PUBLISH_PACKAGE = "publish-package"
    CHANGE_CI = "change-ci"
    CHANGE_GUARD = "change-guard"


class Effect(Value):
    """One thing that a command does to one target.

    `name` says which way it does it, in the words of its family (`reset-hard`, `drop-table`); `what` is the
    part of the command that does it, for a person. `start` and `end` are byte offsets into the whole text.
    """

    action: Action
    name: str
    command: Command
    target: Target | None = None
    recursive: bool = False
    forced: bool = False
    what: str = ""
    detail: str = ""

    @property
    def target_place(self) -> Place:
        """Where the target is; the least protected place where there is none."""
        return self.target.place if self.target is not None else Place.SINK

    @property
    def start(self) -> int:
        return self.command.start

    @property
    def end(self) -> int:
        return self.command.end


LAID = "laid"
"""The name of a write whose file comes out of a tree or an archive that is laid over a folder."""
LAID_UNSEEN, LAID_CHANGING, LAID_FETCHED = "laid-unseen", "laid-changing", "laid-fetched"
"""Where the files could not be listed: nobody knows them, the same line may change them, they come from
another machine or out of a history."""

RUNS_FETCHED, RUNS_CLONED, RUNS_CLONED_TOLD, SENDS_AFTER_SECRET, SHOWS_COPIED_SECRET = SINCE_BEFORE = (
    "runs-fetched",
    "runs-cloned",
    "runs-cloned-told",
    "sends-after-secret",
    "shows-copied-secret",
)
"""The names of effects that a command has for an earlier call of its session: it runs what was fetched, what
was cloned, what was cloned after text of others came in; it sends after a secret was read; it shows
a file into which a secret was put."""

EffectReader = Callable[[Command, Surroundings], Iterable[Effect]]
"""How a family reads one of its programs."""
