"""Which projects may loosen and execute (law 9): a pin of every file below `<project>/.fairlead`."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from enum import StrEnum

from fairlead.errors import PolicyError, TrustError
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value
from fairlead.policy.find import Item, is_program_file, list_tree, policy_files, read_file
from fairlead.policy.places import PROJECT_FOLDER, Places, write_private
from fairlead.policy.reload import Watch

MAX_FILE = 8 * 1024 * 1024
MAX_TOTAL = 32 * 1024 * 1024


class Trust(StrEnum):
    NEVER = "untrusted"
    TRUSTED = "trusted"
    CHANGED = "changed"


class Project(Value):
    """A project's policy folder at one moment: what was hashed is what is used."""

    root: str
    trust: Trust
    files: Mapping[str, bytes] = NOTHING  # type: ignore[assignment]
    """By path from the folder: all files when a pin was compared, else the policy files alone."""
    changes: tuple[str, ...] = ()
    failure: str = ""
    """Why the folder could not be read; then `files` is empty."""
    pinned_in_vain: bool = False
    """There is a pin, and no pin counts on this machine."""

    @property
    def folder(self) -> str:
        return os.path.join(self.root, PROJECT_FOLDER)


def pin_path(places: Places, root: str) -> str:
    """The pin's name must not depend on a slow import unless somebody ever trusted something."""
    from hashlib import sha256

    return os.path.join(places.trust, sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:32] + ".json")


def read_project(places: Places, root: str, watch: Watch, *, pins: bool = True) -> Project:
    """The policy folder of `root`, and whether its pin holds. Without `pins`, none does."""
    folder = os.path.join(root, PROJECT_FOLDER)
    pin = _read_pin(places, root, watch)
    if pin is not None and not pins:
        return _read_unpinned(root, folder, watch).replace(pinned_in_vain=True)
    try:
        if os.path.islink(folder):
            watch.add(folder)
            raise PolicyError(f"{folder} is a link", hint="a project's policy must be a folder of its own")
        items = list_tree(folder, watch)
        if pin is None:
            return Project(root, Trust.NEVER, _policies(items))
        contents = _contents(items)
    except PolicyError as error:
        return Project(root, Trust.NEVER if pin is None else Trust.CHANGED, failure=str(error.message))
    changes = _differences(pin, _fingerprints(items, contents))
    return Project(root, Trust.CHANGED if changes else Trust.TRUSTED, contents, changes)


def _read_unpinned(root: str, folder: str, watch: Watch) -> Project:
    try:
        return Project(root, Trust.NEVER, _policies(list_tree(folder, watch)))
    except PolicyError as error:
        return Project(root, Trust.NEVER, failure=str(error.message))


def trust(places: Places, root: str, *, reviewed: Mapping[str, bytes] | None = None) -> tuple[str, ...]:
    """Pin every file as it is now, and name them. `reviewed`: refuse if they are no longer these."""
    import json

    from fairlead.policy.managed.forbidden import require_permitted

    require_permitted(places, "trust", f"trust {root}")
    items = _pinnable(root)
    contents = _contents(items)
    if reviewed is not None and reviewed != contents:
        raise TrustError("the policy changed while it was reviewed", hint="run `fairlead trust` again")
    pin = {"v": 1, "root": os.path.realpath(root), "files": _fingerprints(items, contents)}
    write_private(pin_path(places, root), json.dumps(pin, indent=1, sort_keys=True).encode())
    return tuple(contents)


def untrust(places: Places, root: str) -> bool:
    """Forget the pin; False when there was none."""
    try:
        os.unlink(pin_path(places, root))
    except FileNotFoundError:
        return False
    return True


def contents_to_review(root: str) -> dict[str, bytes]:
    """Every file that `trust` would pin."""
    return _contents(_pinnable(root))


def _pinnable(root: str) -> list[Item]:
    folder = os.path.join(root, PROJECT_FOLDER)
    if os.path.islink(folder) or not os.path.isdir(folder):
        raise TrustError(f"there is no folder {folder}", hint="`fairlead init` makes one")
    return list_tree(folder, Watch())


def _read_pin(places: Places, root: str, watch: Watch) -> dict[str, str] | None:
    """None: never trusted. A pin that cannot be read fits nothing, so it counts as changed."""
    watch.add(places.trust)
    if not os.path.isdir(places.trust):
        return None
    path = pin_path(places, root)
    watch.add(path)
    import json

    try:
        pin = json.loads(read_file(path, MAX_FILE))
        return {str(name): str(print_) for name, print_ in pin["files"].items()}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {"(the pin itself)": "unreadable"}


def _policies(items: list[Item]) -> dict[str, bytes]:
    taught = (item for item in items if is_program_file(item.name))
    found = (*policy_files(items, "hooks/"), *taught)
    return {item.name: _read(item) for item in found if stat.S_ISREG(item.mode)}


def _contents(items: list[Item]) -> dict[str, bytes]:
    """Every file's bytes; a link has those of the file that it leads to."""
    contents: dict[str, bytes] = {}
    total = 0
    for item in items:
        if item.is_link and not os.path.isfile(item.path):
            contents[item.name] = b""
            continue
        if not item.is_link and not stat.S_ISREG(item.mode):
            raise PolicyError(f"{item.path} is neither a file nor a folder", hint="remove it")
        contents[item.name] = _read(item)
        total += len(contents[item.name])
        if total > MAX_TOTAL:
            raise PolicyError(f"more than {MAX_TOTAL >> 20} MiB of files", hint="keep other files elsewhere")
    return contents


def _read(item: Item) -> bytes:
    try:
        content = read_file(item.path, MAX_FILE)
    except OSError as error:
        raise PolicyError(
            f"{item.path} cannot be read: {error.strerror}", hint="mend or remove it"
        ) from error
    if len(content) > MAX_FILE:
        raise PolicyError(f"{item.path} is larger than {MAX_FILE >> 20} MiB", hint="keep it elsewhere")
    return content


def _fingerprints(items: list[Item], contents: Mapping[str, bytes]) -> dict[str, str]:
    """One line per file: content, permissions, and where a link leads."""
    from hashlib import sha256

    prints: dict[str, str] = {}
    for item in items:
        link = f" -> {_target(item)}" if item.is_link else ""
        mode = stat.S_IMODE(os.stat(item.path).st_mode) if _exists(item) else 0
        prints[item.name] = f"{sha256(contents[item.name]).hexdigest()} {mode:04o}{link}"
    return prints


def _target(item: Item) -> str:
    try:
        return os.readlink(item.path)
    except OSError:
        return "?"


def _exists(item: Item) -> bool:
    return os.path.exists(item.path)


def _differences(pin: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in {*pin, *now} if pin.get(name) != now.get(name)))
