"""The table of what makes git run something: settings, and variables and options that stand for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache

from fairlead.shell.expansion.values import Scalar, of_word
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word
from fairlead.shell.word_pieces import part_from


class Runs(Enum):
    """What the value of a setting is to git."""

    COMMAND = "a command for a shell"
    HELPER = "the last part of a program's name, a path, or a command behind `!`"
    MARKED = "a command behind `!`, else only a word"
    FOLDER = "a folder whose programs run"
    FILE = "a file with further settings"
    ADDRESS = "an address, which may be that of a program"
    PERMISSION = "whether addresses may be those of programs"


_KEYS: dict[Runs, str] = {
    Runs.COMMAND: r"core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)"
    r"|pager\..+|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver"
    r"|filter\..+\.(?:clean|smudge|process)|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand"
    r"|interactive\.difffilter|(?:(?:merge|diff|gui)tool|browser|man)\..+\.(?:cmd|path)"
    r"|remote\.(?:.+\.)?(?:uploadpack|receivepack)|uploadpack\.packobjectshook|gc\.recentobjectshook"
    r"|trailer\..+\.(?:command|cmd)|sendemail\..*cmd|tar\..+\.command|hook\..+\.command|imap\.tunnel"
    r"|lfs\.customtransfer\..+\.path|instaweb\.(?:httpd|browser)",
    Runs.HELPER: r"credential\.(?:.+\.)?helper",
    Runs.MARKED: r"alias\..+|submodule\..+\.update",
    Runs.FOLDER: r"core\.(?:hookspath|execpath)|init\.templatedir",
    Runs.FILE: r"include\.path|includeif\..+\.path",
    Runs.ADDRESS: r"remote\..+\.(?:url|pushurl|vcs)|submodule\..+\.url|url\..+\.(?:push)?insteadof",
    Runs.PERMISSION: r"protocol\.(?:ext\.)?allow",
}
VARIABLES = {
    "GIT_SSH_COMMAND": "core.sshCommand", "GIT_SSH": "core.sshCommand", "GIT_EDITOR": "core.editor",
    "EDITOR": "core.editor", "VISUAL": "core.editor", "GIT_SEQUENCE_EDITOR": "sequence.editor",
    "GIT_PAGER": "core.pager", "PAGER": "core.pager", "GIT_ASKPASS": "core.askPass",
    "SSH_ASKPASS": "core.askPass",
    "GIT_EXTERNAL_DIFF": "diff.external", "GIT_PROXY_COMMAND": "core.gitProxy",
    "GIT_TEMPLATE_DIR": "init.templateDir", "GIT_EXEC_PATH": "core.execPath",
    "GIT_CONFIG_GLOBAL": "include.path", "GIT_CONFIG_SYSTEM": "include.path",
}  # fmt: skip
"""Variables that stand for a setting."""

_UPLOAD, _RECEIVE = "remote.uploadpack", "remote.receivepack"
_OPTIONS: dict[str, dict[str, str]] = {
    "clone": {"-u": _UPLOAD, "--upload-pack": _UPLOAD, "--template": "init.templateDir"},
    "init": {"--template": "init.templateDir"},
    "fetch": {"--upload-pack": _UPLOAD},
    "pull": {"--upload-pack": _UPLOAD},
    "fetch-pack": {"--upload-pack": _UPLOAD, "--exec": _UPLOAD},
    "ls-remote": {"--upload-pack": _UPLOAD, "--exec": _UPLOAD},
    "push": {"--receive-pack": _RECEIVE, "--exec": _RECEIVE},
    "send-pack": {"--receive-pack": _RECEIVE, "--exec": _RECEIVE},
    "archive": {"--exec": _UPLOAD},
    "grep": {"--open-files-in-pager": "core.pager"},
    "send-email": dict.fromkeys(("--sendmail-cmd", "--to-cmd", "--cc-cmd"), "sendemail.cmd"),
    "daemon": {"--access-hook": "hook.access.command"},
    "instaweb": {"--httpd": "instaweb.httpd"},
}  # fmt: skip
"""Options of subcommands that stand for a setting; long ones may be shortened."""
_SHORTEST = len("--exe")
_NO_PROGRAM = lazy(r"true|false|yes|no|on|off|\d*", re.I)


@cache
def _pattern(kind: Runs) -> re.Pattern[str]:
    return re.compile(_KEYS[kind], re.I)


def runs(key: str) -> Runs | None:
    """What git runs because of a setting of this name."""
    return next((kind for kind in _KEYS if _pattern(kind).fullmatch(key)), None)


def git_setting(key: str, value: Word) -> Scalar | None:
    """The command that git runs because of this setting; a helper's bare name is a program of git's own."""
    kind = runs(key)
    if _NO_PROGRAM.fullmatch(value.text):
        return None
    if kind in (Runs.MARKED, Runs.HELPER):
        return of_word(part_from(value, 1)) if value.text.startswith("!") else None
    return of_word(value) if kind is Runs.COMMAND else None


def is_no_program(value: str) -> bool:
    """A switch, a number or nothing, where a program could be named."""
    return _NO_PROGRAM.fullmatch(value) is not None


def named_by_options(subcommand: str, words: Sequence[Word]) -> Iterator[tuple[str, Word]]:
    """The settings that a subcommand's options stand for."""
    known = _OPTIONS.get(subcommand)
    if not known:
        return
    for index, word in enumerate(words):
        text = word.prefix if word.opaque else word.text
        if text == "--":
            return
        name, equals, _ = text.partition("=")
        long = name.startswith("--") and len(name) >= _SHORTEST
        key = next((known[each] for each in known if each == name or (long and each.startswith(name))), "")
        if key and equals:
            yield key, part_from(word, len(name) + 1)
        elif key and index + 1 < len(words):
            yield key, words[index + 1]
        elif text.startswith("-u") and "-u" in known and len(text) > len("-u"):
            yield known["-u"], part_from(word, len("-u"))
        elif subcommand == "grep" and text.startswith("-O") and len(text) > len("-O"):
            yield "core.pager", part_from(word, len("-O"))
