"""Shells that start as root behind a program: as what it is told to run, or in what it is told."""

from __future__ import annotations

import re
from itertools import pairwise

from fairlead.shell.effects.files.given_paths import is_configuring, option_and_value
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.programs.running import FOLLOWED, INTERPRETS, LOADS, RUNS, SHELLS
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_CONSOLES = lazy(
    r"(?:(?:i?python|pypy)[\d.]*|perl|ruby|irb|pry|node|deno|bun|lua(?:jit)?[\d.]*|tclsh[\d.]*|wish|expect|php|ghci|guile|julia"
    r"|jrunscript|jshell|elvish|xonsh|nu|posh|yash|byebug|i?pdb3?|bpython|ptpython|scheme|octave(?:-cli)?|gdb|R|scala|swift|ocaml|racket|csi|sbcl|clisp|erl|iex|jjs|rake|rails)"
)
"""Without a script they wait for what is typed."""
_SESSIONS = names("tmux screen script")
_LOOKING = names("ls -ls list-sessions -c -V --version -v --help -h -e -i -version")
_TERMINALS = ("/dev/tty", "/dev/pts", "/dev/stdin")

_SHELL_PATH = lazy(
    r"(?<![#!\w/.-])(?:!\s*)?(?:/usr)?(?:/local)?/bin/(?:ba|da|z|k|fi|tc|c|a)?sh"
    r"(?=$|[\s\"'`),;\]}<>|&\\:])(?!\\?[\"']?,?\s*\\?[\"']?-\w*c\b)(?!\s+(?!\d*[<>&])[\w./~$])"
    r"|\b(?:system|exec\w*|spawn\w*|popen|callCommand|shell-command|term)\s?[(\"'\[]{1,4}(?:ba|da|z|k)?sh[\"']"
    r"|^(?:\.\./)+bin/(?:ba|da|z|k)?sh$|^\s*[:!]{1,2}\s*(?:ba|da|z|k)?sh\s*$"
)
"""A shell by its path, given neither `-c` nor a script: it reads what is typed."""
_NAMES_A_SHELL = names(
    """
    useradd usermod adduser luseradd chsh pw dscl sysadminctl getent update-alternatives alternatives dpkg
    dpkg-divert add-shell remove-shell rpm apt-file pacman dnf yum docker podman nerdctl buildah kubectl oc
    lxc lxd incus ssh autossh mosh scp tee shellcheck ldd setcap getcap semanage restorecon chcon
    auditctl aa-status
    """
)
"""Programs to which the path of a shell is a name, or that start it elsewhere."""


def waits_for_input(command: Command) -> bool:
    """Whether it is a shell or a console that reads what is typed."""
    if command.stdin.kind != "inherit" and not _reads_terminal(command):
        return False
    texts = [word.text for word in command.argv[1:]]
    name = command.name
    if name in _SESSIONS:
        return _LOOKING.isdisjoint(texts)
    if name in SHELLS:
        settings = [text for before, text in pairwise(("", *texts)) if before not in _SETTING]
        return all(map(_opens, settings))
    return not texts and _CONSOLES.fullmatch(name) is not None


_SETTING = names("-o +o -O +O --rcfile --init-file")
"""Options of a shell that take a word, and leave it waiting."""


def _reads_terminal(command: Command) -> bool:
    """Whether its input is redirected, and to what is typed all the same."""
    return any(
        redirect.operator == "<&" or (redirect.operator == "<" and _is_terminal(redirect.target.text))
        for redirect in command.redirects
    )


def _is_terminal(path: str) -> bool:
    return path.startswith(_TERMINALS) or "$(tty" in path


def _opens(text: str) -> bool:
    """Whether a shell with this word still reads what is typed."""
    if text.startswith("--"):
        return text not in ("--version", "--help")
    return text[:1] in ("-", "+") and "c" not in text and "n" not in text


def is_told_a_shell(command: Command, where: Surroundings) -> bool:
    """Whether a program that may run what it is told is told to run a shell: `sudo anything /bin/sh`."""
    name = command.name
    if not name or name in SHELLS or name in _NAMES_A_SHELL or _only_names(command, where):
        return False
    texts = [word.text for word in command.argv[1:] if not word.text.startswith(_NAMING)]
    fed = command.stdin.text or ""
    if "sh" not in "".join(texts) and "sh" not in fed:
        return False
    if _SHELL_PATH.search(fed[:_MOST_FED]) or _is_among(texts):
        return True
    return where.programs.find(name) is None and not _OF_SYSTEM.match(name) and _runs_bare(texts)


_NAMING = ("SHELL=", "CONFIG_SHELL=", "--with-")
"""Settings of a build that say which shell its scripts are for."""
_OF_SYSTEM = lazy(r"dpkg|apt|pkg|which|whereis|type$|man$|info$|kill|pgrep|pidof|debconf|service$|locale|rc-")
_MOST_FED = 10_000


def _is_among(texts: list[str]) -> bool:
    """Whether a shell is named that is given no command and no script."""
    for index, text in enumerate(texts):
        if _SHELL_PATH.search(text):
            after = "" if texts[max(index - 1, 0)].startswith("-") else " ".join(texts[index + 1 : index + 2])
            if not after or _opens(after) or " " in text:
                return True
    return False


def obeys_a_stray_file(command: Command, where: Surroundings) -> bool:
    """Whether root does what a file says that anybody may have put among the temporary ones."""
    name = command.name
    program = where.programs.find(name)
    if name in SHELLS or any(name in each for each in (RUNS, INTERPRETS, LOADS)) or name in _NAMES_A_SHELL:
        return False
    if program is not None and program.family in _OF_DATA:
        return False
    texts = [word.text for word in command.argv]
    if not _TRYING.isdisjoint(texts) or ("-c", "-") in [(text, after[:1]) for text, after in pairwise(texts)]:
        return False
    return any(
        is_configuring(option) and resolve(word, command, where).place is Place.TEMPORARY
        for option, word in option_and_value(command.argv[1:])
    )


_OF_DATA = names(
    """
    archives files viewing deleting converting editors docker kubernetes sql_databases databases object_stores
    remote_copies transfers schedules git version_control system_packages package_managers backups disks
    """
)
"""Families of programs whose files are data, or are read where they run."""
_TRYING = names("-t -T --test --check --dry-run --syntax-check validate check --configtest configtest -V -N1")


def _only_names(command: Command, where: Surroundings) -> bool:
    """Whether files are only files to this program: it has a record, and that runs nothing."""
    program = where.programs.find(command.name)
    if program is None or command.name in RUNS or command.name in FOLLOWED:
        return False
    if command.name in INTERPRETS or command.name in LOADS:
        return False
    names_files = bool(program.operands) or program.code.startswith("files.")
    return names_files and not any(_SAYS_RUN.search(word.text) for word in command.argv[1:])


_SAYS_RUN = re.compile(r"(?i)exec|invoke|command|shell|script|hook|pager|editor|wrapper|=/\w*/?bin/")


def _runs_bare(texts: list[str]) -> bool:
    """`sudo wrapper -n 5 bash`: the last word is a shell."""
    operands = [text for text in texts if not text.startswith("-")]
    return (
        bool(operands)
        and operands[-1] == texts[-1]
        and texts[-1] in _BARE
        and _OF_PACKAGES.isdisjoint(operands)
    )


_BARE = names("sh bash zsh dash ksh fish")
_OF_PACKAGES = names("install add remove purge reinstall upgrade update info show search hold mark list")
