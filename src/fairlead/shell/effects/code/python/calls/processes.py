"""Calls that run commands: with their words, their input and whatever stands behind their streams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_line, as_word, is_elsewhere
from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    Origin,
    Thing,
    combined,
    deep_origins,
    shown_as,
    ways_of,
    words_of,
)
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

SHELLS = names(
    """
    os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput os.popen2 os.popen3
    asyncio.create_subprocess_shell pexpect.spawn pexpect.run sh.bash invoke.run fabric.api.local
    popen2.popen3
    """
)
PROCESSES = names(
    """
    subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn
    asyncio.create_subprocess_exec asyncio.subprocess.create_subprocess_exec anyio.run_process psutil.Popen
    """
)
EXECS = names(
    """
    os.execv os.execve os.execvp os.execvpe os.execl os.execlp os.execle os.spawnv os.spawnvp os.spawnl
    os.spawnlp os.spawnve os.spawnle os.posix_spawn os.posix_spawnp
    """
)
KNOWN = SHELLS | PROCESSES | EXECS
_SHELL_LIKE = re.compile(
    r"(?:\S*/)?(?:(?:ba|z|da|k|a|fi|c|tc)?sh|python[\d.]*|perl|ruby|node|php|lua)(?:\s|$)|cmd(?:\.exe)?|powershell|pwsh"
)
_RUNS_WORD = names("-c -e -r --command --eval")
_FOREIGN = names("decoded given file")


def process_acts(call: Call, run: Run) -> Iterator[Act]:
    lines = command_lines(call)
    if call.name in KNOWN:
        yield from _over_connection(call, lines, run)
    command = call.at(1 if call.name in EXECS else 0, "args", "cmd", "command")
    if not _is_left_to_the_caller(command, lines):
        yield from _run_as_told(_with_variables(call, lines, run))
    yield from _of_unknown(call, command, lines)
    yield from _written_before(lines, run)
    yield from _fed(call.named.get("stdin"), call.named.get("input"), lines)


def _is_left_to_the_caller(command: Thing, lines: list[str]) -> bool:
    """A function that runs what it is given, and that nobody calls here."""
    unknown = all(line.startswith("$UNKNOWN") or _takes_code(line) for line in lines)
    return unknown and ("parameter", "") in deep_origins(command)


def command_lines(call: Call) -> list[str]:
    """The commands that the call runs, as they would be typed."""
    if call.name in EXECS:
        return _executed(call)
    command = call.at(0, "args", "cmd", "command")
    if call.name in SHELLS or call.is_true("shell") or call.method in ("system", "popen"):
        said = [words[0] for words in words_of(command) if words] or list(ways_of(command))
        return [as_line(each) for way in said for each in way.texts]
    found: list[str] = []
    if call.name.endswith("create_subprocess_exec"):
        return _typed(call.given)
    for words in words_of(command):
        found += _typed(words)
    for way in ways_of(command):
        found += [as_word(each) for each in way.texts if way.items is None]
    return found


def _typed(words: tuple[Thing, ...]) -> list[str]:
    return [" ".join(map(as_word, each)) for each in combined(map(shown_as, words))] if words else []


def _executed(call: Call) -> list[str]:
    """`execv(path, argv)`, `execl(path, *argv)`; the ones of `spawn` have a mode before that."""
    at = 1 if ".spawn" in call.name else 0
    rest = call.given[at + 1 :]
    words = next((tuple(each.items) for each in rest if each.items is not None), tuple(rest))
    program = call.given[at : at + 1]
    if program and program[0].texts and not any(HOLE in text for text in program[0].texts):
        words = (*program, *words[1:])  # what it is told to call itself is another matter
    return _typed(words)


def _with_variables(call: Call, lines: list[str], run: Run) -> list[str]:
    """`LD_PRELOAD=x command`: what the code sets in the environment of its commands."""
    given = call.named["env"].fields or {} if "env" in call.named else {}
    told = {
        name: value.texts[0] for name, value in given.items() if value.texts and HOLE not in value.texts[0]
    }
    told = {name: text for name, text in (run.variables | told).items() if name.isidentifier()}
    if not told:
        return lines
    exports = " ".join(f"{name}={as_word(text)}" for name, text in list(told.items())[:8])
    return [f"{exports} {line}" for line in lines]


_OF_WINDOWS = re.compile(
    r"(?i)^\s*(?:del|erase|rd|rmdir|format|copy|move|ren|takeown|icacls|attrib)\s+(?:[^\n]*\s)?(?:/[a-z]\b|[a-z]:)"
)
"""What `os.system` hands to the other shell."""


def _run_as_told(lines: list[str]) -> Iterator[Act]:
    yield from (Act("shell", f"cmd /c {as_word(line)}") for line in lines if _OF_WINDOWS.match(line))
    yield from (Act("shell", line) for line in lines if line.strip() not in ("", "$UNKNOWN"))


def _origins(call: Call) -> frozenset[Origin]:
    return deep_origins(call.at(0, "args", "cmd", "command"))


def _of_unknown(call: Call, command: Thing, lines: list[str]) -> Iterator[Act]:
    """Text that would run and cannot be told; only where it comes from outside or out of a decoder."""
    origins = deep_origins(command)
    begins = not lines or any(line.lstrip("'\"").startswith("$UNKNOWN") for line in lines)
    inside = any(_takes_code(line) for line in lines)
    if not (begins or inside):
        return
    kinds = {kind for kind, _ in origins}
    if "socket" in kinds:
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell")
    elif "network" in kinds:
        yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    elif command.items is None and (kinds & _FOREIGN or "variable" in kinds):
        yield Act("unknown", detail=f"{call.method}(…)")
    else:
        yield from run_output(origins)


def run_output(origins: frozenset[Origin]) -> Iterator[Act]:
    """What a command prints is run: only if it fetches that."""
    for kind, told in sorted(origins):
        if kind == "output" and _FETCHING.search(told):
            yield Act("shell", f"{told} | sh")


_FETCHING = re.compile(r"\b(?:curl|wget|fetch|aria2c|http|scp|ssh|nc|ncat|socat|gsutil|aws)\b")


def _takes_code(line: str) -> bool:
    """`bash -c "$UNKNOWN"`."""
    words = line.split()
    return bool(_SHELL_LIKE.match(line)) and any(
        one in _RUNS_WORD and "$UNKNOWN" in two[:12] for one, two in pairwise(words)
    )


def _over_connection(call: Call, lines: list[str], run: Run) -> Iterator[Act]:
    """A command whose streams are a connection: whoever is at its other end speaks with it."""
    streams = [call.named[each] for each in ("stdin", "stdout", "stderr") if each in call.named]
    peers = tuple(peer for stream in streams for peer in stream.peers)
    joined_before = run.dup_peers is not None and is_elsewhere(run.dup_peers)
    if is_elsewhere(peers) or joined_before:
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell", text=lines[0][:80] if lines else "")


def _written_before(lines: list[str], run: Run) -> Iterator[Act]:
    """A file that the code wrote, and runs."""
    for line in lines if run.files else ():
        words = line.split()
        path = next((kept for word in words if (kept := _kept(word.strip("'\""), run))), None)
        if path is None:
            continue
        content = run.files[path]
        if any(kind in ("network", "socket") for kind, _ in deep_origins(content)):
            yield Act(str(Action.RUN_NETWORK_CODE), name="download", text=path)
        for told in content.texts:
            if told.startswith("\x7fELF"):
                yield Act("unknown", detail=f"a program that is made here: {path}")
            if _SHELL_LIKE.match(line) is None or re.match(r"(?:\S*/)?(?:ba|z|da|k)?sh\b", line):
                yield Act("shell", as_line(told))
            elif line.startswith("python"):
                yield Act("code", told)


def _kept(path: str, run: Run) -> str:
    """The file that the code wrote by this name, or the folder that it filled and in which the name is."""
    if path in run.files:
        return path
    return next((folder for folder in run.files if folder.endswith("/") and path.startswith(folder)), "")


def _fed(stdin: Thing | None, given: Thing | None, lines: list[str]) -> Iterator[Act]:
    for line in lines[:4]:
        if stdin is not None:
            yield from _piped(stdin, line)
        if given is not None:
            yield from fed_text(given, line)


def _piped(stdin: Thing, line: str) -> Iterator[Act]:
    for kind, told in deep_origins(stdin):
        if kind == "output" and told:
            yield Act("shell", f"{told} | {line}")
        elif kind == "file" and HOLE not in told:
            yield Act("shell", f"{line} < {as_word(told)}")
    yield from _fetched_input(stdin, line)


def fed_text(given: Thing, line: str) -> Iterator[Act]:
    """What a command is given on its input."""
    for told in given.texts:
        yield Act("shell", f"printf %s {as_word(told)} | {line}")
    for kind, told in deep_origins(given):
        if kind == "output" and told:
            yield Act("shell", f"{told} | {line}")
    yield from _fetched_input(given, line)


def _fetched_input(given: Thing, line: str) -> Iterator[Act]:
    kinds = {kind for kind, _ in deep_origins(given)}
    if _SHELL_LIKE.match(line) and "network" in kinds:
        yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    elif _SHELL_LIKE.match(line) and "socket" in kinds:
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell")


def input_acts(call: Call) -> Iterator[Act]:
    """`process.communicate(text)`, `process.stdin.write(text)`."""
    given = call.at(0, "input")
    for kind, line in call.owner.origins:
        if kind == "output":
            yield from fed_text(given, line)
