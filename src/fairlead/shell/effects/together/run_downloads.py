"""Files that one command fetches and a later one runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.together.downloaded_files import written_by
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

DOWNLOADERS = names(
    "curl curlie wget wget2 aria2c axel fetch http https xh xhs lwp-request lynx links w3m tftp"
)
INTERPRETERS = names(
    """
    sh bash zsh dash ksh ash fish python python2 python3 node deno bun perl ruby php lua osascript pwsh
    powershell tclsh Rscript source .
    """
)
INSTALLERS = names("dpkg rpm apt apt-get dnf yum installer")
"""What takes the files of packages by their names."""
FETCHING = DOWNLOADERS | {"scp", "rsync"}


def piped_from_network(command: Command, sources: Sources) -> bool:
    return any(other.name in DOWNLOADERS for other in sources.before(command))


def _first_downloads(commands: tuple[Command, ...]) -> dict[int, int]:
    """Of each pipe, where in it something is first fetched."""
    found: dict[int, int] = {}
    for command in commands:
        if command.name in DOWNLOADERS:
            found.setdefault(command.pipeline, command.position)
    return found


def run_downloads(commands: tuple[Command, ...], where: Surroundings) -> Iterator[Effect]:
    """A file that one command fetches and a later one runs."""
    first_download = _first_downloads(commands)
    fetched: set[str] = set()
    cloned: set[str] = set()
    unpacked = False
    for command in commands:
        piped = first_download.get(command.pipeline, command.position) < command.position
        if command.name in DOWNLOADERS:
            fetched |= set(written_by(command, where))
        elif command.name in ("scp", "rsync") and any(
            re.search(r"^[\w.@-]+:", w.text) for w in command.argv[1:-1]
        ):
            remote = [
                w.text.rsplit("/", 1)[-1].rsplit(":", 1)[-1] for w in command.argv[1:-1] if ":" in w.text
            ]
            fetched |= {f"{resolve(command.argv[-1], command, where).path}/{name}" for name in remote}
        elif command.name in ("tar", "unzip", "7z", "bsdtar") and (fetched or piped):
            unpacked = (
                unpacked
                or command.position > 0
                or any(resolve(word, command, where).path in fetched for word in command.argv[1:])
            )
        elif command.position and piped:
            written = command.argv[1:] if command.name == "tee" else ()
            fetched |= {
                resolve(word, command, where).path for word in written if not word.text.startswith("-")
            }
            fetched |= {
                resolve(r.target, command, where).path for r in command.redirects if ">" in r.operator
            }
        elif clones(command):
            cloned |= {resolve(command.argv[-1], command, where).path}
        elif fetched or cloned or unpacked:
            for path in executed_by(command, where):
                if any(path.startswith(place + "/") for place in cloned):
                    yield Effect(
                        Action.RUN_UNKNOWN_CODE, "executed", command, detail=f"{path} was just cloned"
                    )
                if unpacked and not path.startswith(("/usr/", "/bin/")):
                    yield Effect(
                        Action.RUN_UNKNOWN_CODE, "executed", command, detail=f"{path} was just downloaded"
                    )
                if path in fetched:
                    yield Effect(Action.RUN_NETWORK_CODE, "download-file", command, what=shown(command))


def clones(command: Command) -> bool:
    """Whether it brings a repository from another machine."""
    words = command.argv[1:]
    local = any(
        word.text.startswith(("file://", "./", "../", "/")) or word.text == "." for word in words[1:-1]
    )
    return command.name == "git" and any(word.text == "clone" for word in words[:2]) and not local


def executed_by(command: Command, where: Surroundings) -> Iterator[str]:
    """The files that a command runs by their names."""
    if not command.argv:
        return
    if command.name in INTERPRETERS:
        for word in command.argv[1:]:
            if word.text in ("-m", "-c", "-e"):
                break
            if not word.text.startswith("-"):
                yield resolve(word, command, where).path
                break
    elif "/" in command.argv[0].text:
        yield resolve(command.argv[0], command, where).path
    if command.name in INSTALLERS:
        for word in command.argv[1:]:
            yield resolve(word, command, where).path
    if command.stdin.path is not None and command.name in INTERPRETERS:
        yield resolve(command.stdin.path, command, where).path
