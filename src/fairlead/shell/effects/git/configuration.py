"""Git's settings and stored credentials: settings that run programs or take safety away."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.shell.arguments import Arguments
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.git.programs_run import runs_later
from fairlead.shell.effects.git.subcommand import Found, Subcommand
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command

_RECOVERY_SETTING = lazy(r"^gc\.(?:.*\.)?(?:reflogexpire|pruneexpire)")


def _config(command: Command, given: Arguments) -> Found:
    words = [word.text for word in given.operands]
    if words[:1] == ["set"]:
        words = words[1:]
    if len(words) < 2 or given.has(
        "--get", "--get-all", "--get-regexp", "--list", "-l", "--unset", "--unset-all"
    ):
        return
    key, value = words[0].lower(), words[1].lower()
    word = given.operands[len(given.operands) - len(words) + 1]
    unforced = key == "clean.requireforce" and value in ("false", "no", "off", "0")
    if unforced or (_RECOVERY_SETTING.match(key) and value in ("now", "0", "all")):
        yield Action.CHANGE_GIT, "config-clean-unforced", key
    elif key == "core.hookspath" and value.startswith(("/", "~", "..")):
        yield Action.CHANGE_GIT, "config-hooks-away", key
    elif re.match(r"^url\..*\.(?:push)?insteadof$", key) and _host(key[4:]) != _host(value):
        yield Action.CHANGE_GIT, "config-redirects", f"{value} becomes {key[4:].rsplit('.', 1)[0]}"
    elif key == "http.sslverify" and value in ("false", "0", "no"):
        yield Action.CHANGE_GIT, "config-executes", key
    elif re.match(r"^remote\..*\.push$", key) and value.startswith("+"):
        yield Action.CHANGE_GIT, "config-push-forced", key
    elif runs_later(words[0], word):
        yield Action.CHANGE_GIT, "config-executes", key


def _host(address: str) -> str:
    found = re.search(r"(?:://|@|^)(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+)", address)
    return found[1].removesuffix(".insteadof") if found else address


def _init(command: Command, given: Arguments) -> Found:
    if given.has("--separate-git-dir"):
        yield Action.CHANGE_GIT, "separate-git-dir", given.text("--separate-git-dir")


def _credential(command: Command, given: Arguments) -> Found:
    if given.operands and given.operands[0].text in ("fill", "get"):
        yield Action.READ_SECRET, "git-credential", ""


def _serve(command: Command, given: Arguments) -> Found:
    """Repositories for everyone who finds the port, unless it listens to this machine alone."""
    alone = given.text("--listen") in ("127.0.0.1", "localhost", "::1")
    if given.has("--export-all", "--enable") and not alone:
        yield Action.RUN_NETWORK_CODE, "tunnel", "git daemon"


def _send_email(command: Command, given: Arguments) -> Found:
    if not given.has("--dry-run", "--validate-only"):
        yield Action.SEND_DATA, "mail", given.text("--to")


SETTINGS: Mapping[str, Subcommand] = {
    "config": _config,
    "init": _init,
    "credential": _credential,
    "daemon": _serve,
    "send-email": _send_email,
    **dict.fromkeys(("credential-store", "credential-cache", "credential-osxkeychain"), _credential),
}
