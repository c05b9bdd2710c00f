"""What implements a hook, in which order, and what was left out and why."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping

from fairlead.errors import FairleadError, RegistrationError
from fairlead.model.value import Value

Function = Callable[..., object]

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_LEFTOVER = re.compile(r".*(~|\.(bak|orig|rej|swp|swo|tmp|old|save|pyc))|#.*#", re.DOTALL)


class Implementation(Value):
    """One function or executable file. `key` is what it is sorted by."""

    kind: str
    name: str
    key: str
    path: str = ""
    function: Function | None = None


class Skipped(Value):
    """A file that looks like an implementation and is not run."""

    path: str
    why: str


def check_name(hook: str) -> None:
    if not _NAME.fullmatch(hook):
        raise RegistrationError(
            f"invalid hook name {hook!r}", hint="only letters, digits, underscore and dash are allowed"
        )


def implementations(
    hook: str,
    directory: str,
    *,
    declared: Iterable[str] = (),
    function: Function | None = None,
    registered: Mapping[str, Function] | None = None,
) -> tuple[list[Implementation], list[Skipped]]:
    """The hook's own function first, then registered functions and files in one sequence by byte order.

    Of two that sort alike the registered one is first, then the order of registration or of file names.
    """
    first = [] if function is None else [Implementation("function", f"hook:{hook}", "", function=function)]
    named = [
        Implementation("registered", name, name, function=each) for name, each in (registered or {}).items()
    ]
    files, skipped = _files(hook, directory, declared)
    return first + sorted([*named, *files], key=lambda each: os.fsencode(each.key)), skipped


def _files(hook: str, directory: str, declared: Iterable[str]) -> tuple[list[Implementation], list[Skipped]]:
    found: list[Implementation] = []
    skipped: list[Skipped] = []
    others = [name for name in declared if name != hook and len(name) > len(hook)]
    try:
        names = sorted(os.listdir(directory), key=os.fsencode)
    except (FileNotFoundError, NotADirectoryError):
        return [], []
    except OSError as error:
        raise FairleadError(f"the hooks in {directory} cannot be listed: {error.strerror}") from error
    for name in names:
        if not belongs(name, hook) or any(is_of(name, other) for other in others):
            continue
        path = os.path.join(directory, name)
        why = _why_not(path)
        if why:
            skipped.append(Skipped(path, why))
        else:
            found.append(Implementation("script", name, sort_key(name, hook), path=path))
    return found, skipped


def belongs(file: str, hook: str) -> bool:
    """Whether the file is called `HOOK-...` or `HOOK_...`."""
    return file.startswith((f"{hook}-", f"{hook}_"))


def is_of(file: str, hook: str) -> bool:
    """Whether the file carries the name of this hook, with or without more: it is no other hook's then."""
    return belongs(file, hook) or file == hook or file.startswith(f"{hook}.")


def sort_key(file: str, hook: str) -> str:
    """The file's name without the hook before it and the extension after it."""
    return os.path.splitext(file[len(hook) + 1 :])[0]


def _why_not(path: str) -> str:
    if _LEFTOVER.fullmatch(os.path.basename(path)):
        return "it looks like what an editor leaves behind"
    try:
        info = os.stat(path)
    except OSError as error:
        return "it is a broken link" if os.path.islink(path) else str(error.strerror)
    if not stat.S_ISREG(info.st_mode):
        return "it is not a file"
    return "" if os.access(path, os.X_OK) else "it is not executable: chmod +x"
