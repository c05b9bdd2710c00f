"""What git is made to run by settings: by options, by variables, by the list of modules.

A program that the text shows is judged as any other command, where it is read. Here is what the text does not
show: a file of the project or of a clone, a folder of hooks or templates, settings in another file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fairlead.shell.following.git.git_config_text import settings_in
from fairlead.shell.following.git.git_settings import Runs, is_no_program, named_by_options, runs
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.world import text_of
from fairlead.shell.script import Command, Word
from fairlead.shell.word_pieces import part_from
from fairlead.shell.word_sets import names

_SYSTEM = (
    "/bin/",
    "/sbin/",
    "/usr/",
    "/opt/",
    "/nix/store/",
    "/snap/",
    "/Applications/",
    "/Library/",
    "/dev/null",
)
_OWN = lazy(r"(?:~|\$HOME|/home/[^/]+|/root|/Users/[^/]+)/(?:\.gitconfig[\w.-]*|\.config/git/[\w./-]+)")
_BETWEEN = lazy(r"[;|&\n(){}`]+")
_ASSIGNED = lazy(r"\w+=\S*|[\d.]+[smhd]?")
"""What may stand before a command: an assignment, or the time that a wrapper gives it."""
_WRAPPERS = names(
    "env exec command nohup time sudo doas nice setsid timeout xargs then else do if while ! builtin"
)
_READS_A_FILE = names(
    """
    sh bash zsh dash ksh fish python python2 python3 perl ruby node nodejs deno bun php lua Rscript pwsh
    osascript awk
    """
)
_SHOWING = names(
    """
    cat less more most bat batcat delta difft diff-so-fancy colordiff code codium cursor subl true false : xxd
    hexdump strings jq sort pdftotext exiftool antiword docx2txt plutil textutil git-lfs gh glab gpg gpg2
    gpgsm ssh-keygen op-ssh-sign store cache osxkeychain manager manager-core libsecret wincred
    nbstripout nbdime git-nbdiffdriver git-nbmergedriver
    """
)
"""Programs that people set in git, and that run nothing themselves."""
_RUNNING = names(
    """
    vim vi nvim nano emacs emacsclient micro hx kak mate gedit kate ssh plink git meld kdiff3 opendiff
    bcompare vimdiff
    """
)
"""Those of them that run something if they are told to."""
_TELLS_TO_RUN = lazy(
    r"(?:^|\s)(?:-[FSculx]|--(?:eval|cmd|load|exec|command))\b|Command|(?:^|\s)-i\s*(?!\S*/\.ssh/)(?=\S)"
)
"""Such an option, or a key from elsewhere than where keys are."""
_BY_SSH = lazy(r"(?:-o)?(?:Proxy|Local|KnownHosts)Command[=\s]+(.+)", re.I)
_TEXT_OPTION = lazy(r"-\w*[cemnp]|--eval|--print|--command")
_FETCHING = names("clone fetch pull push ls-remote remote submodule archive fetch-pack send-pack config")
_ABOUT_MODULES = frozenset(("update", "init"))
_MODULES = ".gitmodules"


def unseen_programs(
    settings: Iterable[Word], name: str, words: Sequence[Word], command: Command
) -> Iterator[str]:
    """The names of what makes this run of git execute something that nobody sees."""
    for word in settings:
        key = (word.prefix if word.opaque else word.text).partition("=")[0]
        if _is_unseen(key, part_from(word, len(key) + 1)):
            yield key
    for key, value in named_by_options(name, words):
        if _is_unseen(key, value):
            yield key
    if name in _FETCHING and any(_is_program_address(word) for word in words):
        yield "ext::"
    if name == "submodule" and any(word.text in _ABOUT_MODULES for word in words[:4]):
        yield from _in_list_of_modules(command)


def _is_program_address(word: Word) -> bool:
    return word.text.startswith(("ext::", "--remote=ext::"))


def _in_list_of_modules(command: Command) -> Iterator[str]:
    text = text_of(f"{command.cwd}/{_MODULES}") if command.cwd is not None else ""
    for key, value in settings_in(text) if "!" in text else ():
        if runs(key) is Runs.MARKED and value.startswith("!"):
            yield f"{_MODULES}: {key}"


def _is_unseen(key: str, value: Word) -> bool:
    kind, text = runs(key), value.prefix if value.opaque else value.text
    if kind is None or (value.known and is_no_program(text)):
        return kind is Runs.PERMISSION and text != "" and text.lower() not in ("never", "false")
    if kind is Runs.PERMISSION:
        return text.lower() != "never"
    if kind is Runs.ADDRESS:
        return "ext::" in f"{key}{text}" or (key.lower().endswith(".vcs") and text == "ext")
    if kind in (Runs.FOLDER, Runs.FILE):
        return not text.startswith(_SYSTEM) and not _OWN.fullmatch(text)
    return _names_a_file(kind, text, value)


def _names_a_file(kind: Runs, text: str, value: Word) -> bool:
    if kind in (Runs.MARKED, Runs.HELPER):
        if text.startswith("!"):
            return runs_a_file(text[1:])
        return kind is Runs.HELPER and text.startswith(("/", "~", ".")) and not text.startswith(_SYSTEM)
    return runs_a_file(text) or (value.opaque is not None and " " not in text.strip())


def runs_later(key: str, value: Word) -> bool:
    """Whether a setting that stays makes git run what is not one of the programs that people set there."""
    kind, text = runs(key), value.text
    if kind is None or (value.known and is_no_program(text)):
        return False
    if kind is Runs.MARKED:
        return text.startswith("!") or not value.known
    if kind in (Runs.COMMAND, Runs.HELPER):
        return not value.known or not _is_usual(text.removeprefix("!"))
    return _is_unseen(key, value)


def _is_usual(command: str) -> bool:
    program = next(iter(split_arguments(command)), "")
    if program.startswith(_SYSTEM):
        program = program.rpartition("/")[2]
    if _BETWEEN.search(command) or "!" in command or " +" in command:
        return False
    return program in _SHOWING or (program in _RUNNING and _TELLS_TO_RUN.search(command) is None)


def runs_a_file(text: str, depth: int = 0) -> bool:
    """Whether one of the commands in a text is a file that only its path is known of."""
    return any(_starts_a_file(split_arguments(part), depth) for part in _BETWEEN.split(text))


def _starts_a_file(words: list[str], depth: int) -> bool:
    while words and (_ASSIGNED.fullmatch(words[0]) or words[0] in _WRAPPERS or words[0].startswith("-")):
        words = words[1:]
    if not words or depth > 3:
        return depth > 3
    program, rest = words[0], words[1:]
    if "/" in program or program in (".", "source"):
        if not program.startswith(_SYSTEM):
            return True
        program = program.rpartition("/")[2]
    if program not in _READS_A_FILE:
        return program.startswith(("$", "~")) or any(_is_run_by_ssh(word, depth) for word in rest)
    for index, word in enumerate(rest):
        if _TEXT_OPTION.fullmatch(word):
            return any(runs_a_file(inner, depth + 1) for inner in rest[index + 1 : index + 2]) and "c" in word
        if not word.startswith("-"):
            return program != "awk"
    return False


def _is_run_by_ssh(word: str, depth: int) -> bool:
    found = _BY_SSH.fullmatch(word)
    return found is not None and runs_a_file(found[1], depth + 1)
