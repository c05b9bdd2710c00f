"""What a wrapper does besides running the command inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import option_values
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.given_paths import given_to_wrapper
from fairlead.shell.effects.together.root_doors import is_told_a_shell, obeys_a_stray_file, waits_for_input
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Wrapper
from fairlead.shell.word_sets import names

_ROOT = names("sudo doas pkexec su run0 runuser")
_DOORS = {
    "chroot": re.compile(r""),
    "unshare": re.compile(r"^(?:-\w*[rU]\w*|--map-root-user|--map-users.*|--user)$"),
    "setpriv": re.compile(r"^--(?:re|r|e)?[ug]id(?:=.*)?$"),
    "systemd-run": re.compile(r"^(?:-\w*[tPS]\w*|--pty|--pipe|--shell|--uid(?:=.*)?)$"),
    "nsenter": re.compile(r""),
}
"""Wrappers that open a shell with other rights, by the option that says so."""
_PRELOADED = names("LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES")
_RUNNERS = names("npx bunx pnpx pnpm yarn uvx uv pipx npm bun")
_DUMPS = names("env printenv set export")
_GIVING = names(
    "fly flyctl heroku railway dokku scalingo cf doppler infisical op chamber aws-vault teller dotenvx "
    "envchain aws-okta"
)
"""Wrappers that start a program with secrets in its variables."""


def _loaded_files(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`docker run --env-file .env app env`: what a wrapper loads is shown."""
    outside = command.replace(wrappers=(), cwd=command.cwd or where.root)
    for word in (word for wrapper in command.wrappers for word in wrapper.argv[1:]):
        path = word.text.rpartition("=")[2]
        if path and not path.startswith("-"):
            yield Effect(Action.READ, "loaded", command, resolve(word.replace(text=path), outside, where))


def _listed_in_files(wrapper: Wrapper, command: Command, where: Surroundings) -> Iterator[Effect]:
    """`xargs -a FILE echo` prints what is in the file."""
    for word in option_values(list(wrapper.argv), "-a", "--arg-file"):
        yield Effect(Action.READ, "listed-in", command, resolve(word, command, where))


def _told_to_wrapper(program: str, texts: list[str]) -> Iterator[tuple[Action, str]]:
    """What the options of a wrapper mean, whatever it runs."""
    if program == "nsenter" and any(re.match(r"^(?:-t|--target=)?1$", text) for text in texts):
        yield Action.GAIN_PRIVILEGE, "escape"
    elif program == "sudo" and any("#-1" in text or "#4294967295" in text for text in texts):
        yield Action.GAIN_PRIVILEGE, "root-shell"
    elif program == "exec" and any(text.startswith("-a") for text in texts):
        yield Action.CHANGE_SYSTEM, "hide-tracks"
    elif program == "systemd-run" and any(text.startswith("--on-") for text in texts):
        yield Action.CHANGE_SERVICE, "start-later"


def wrapped(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`sudo bash` is a root shell; plain `sudo` is named for the strict level."""
    outer = " ".join([word.text for wrapper in command.wrappers for word in wrapper.argv])
    what = f"{outer} {command.name}"
    programs = {wrapper.name for wrapper in command.wrappers}
    if not _RUNNERS.isdisjoint(programs):
        yield from _foreign_tools(command)
    if command.name in _DUMPS and all(word.text.startswith("-") for word in command.argv[1:]):
        yield from _loaded_files(command, where)
        if not _GIVING.isdisjoint(programs):
            yield Effect(Action.READ_SECRET, "read-secret", command, what=what)
    for wrapper in command.wrappers:
        texts = [word.text for word in wrapper.argv[1:]]
        if len(texts) > 1 or "=" in outer or "/" in outer:
            yield from given_to_wrapper(wrapper, command, where)
        if wrapper.name in ("xargs", "parallel"):
            yield from _listed_in_files(wrapper, command, where)
        for action, name in _told_to_wrapper(wrapper.name, texts):
            yield Effect(action, name, command, what=what)
    root = not _ROOT.isdisjoint(programs)
    given = root and command.stdin.kind != "inherit" and _asks_for_password(command)
    waits = (root or _through_door(command)) and waits_for_input(command)
    if given or waits or (root and is_told_a_shell(command, where)):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=what)
    elif root:
        preloaded = _PRELOADED & set(command.assignments)
        opens = preloaded or obeys_a_stray_file(command, where)
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell" if opens else "sudo", command, what=what)


def _asks_for_password(command: Command) -> bool:
    """`echo … | sudo -S x`, `su -c x <<< …`: whoever started this has no right to answer that question."""
    return any(
        wrapper.name == "su"
        or (wrapper.name == "sudo" and any(word.text == "-S" for word in wrapper.argv[1:]))
        for wrapper in command.wrappers
    )


def _through_door(command: Command) -> bool:
    return any(
        wrapper.name in _DOORS and any(_DOORS[wrapper.name].match(word.text) for word in wrapper.argv[1:])
        for wrapper in command.wrappers
    )


_AT_ADDRESS = lazy(r"^(?:@?[\w./-]{1,200}@)?(?:git\+)?https?://")


def _foreign_tools(command: Command) -> Iterator[Effect]:
    """`uvx --from git+https://… tool`: the tool is installed from an address first. So is `bunx x@https://…`."""
    if _AT_ADDRESS.match(command.argv[0].text if command.argv else ""):
        yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=command.argv[0].text[:200])
    for wrapper in command.wrappers:
        given = [part for word in wrapper.argv[1:] if ":" in word.text for part in word.text.split()]
        if given and wrapper.name in _RUNNERS:
            from fairlead.shell.effects.packages.package_sources import (
                is_foreign,  # only where it is given an address
            )

            if any(is_foreign(text) for text in given):
                yield Effect(Action.CHANGE_PACKAGES, "install-from-address", command, what=command.name)
