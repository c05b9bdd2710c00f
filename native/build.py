"""Makes `fairlead-hook`: the native client where there is a compiler, else the pure one as a script.

    python native/build.py DIRECTORY

For those of targets.py, a compiler that makes programs for other machines is asked instead. Both carry the
last resorts of every dialect as bytes, so that they can answer when nothing else can.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "native"))
try:
    from targets import HARDENING, STATIC, SYSTEMS, WARNINGS, Target, own_system, own_ways
finally:
    sys.path.pop(0)
NATIVE = ROOT / "native"
PURE = ROOT / "src" / "fairlead" / "doors" / "client.py"
NAME = "fairlead-hook"
RECORDER = "fairlead-recorder"
UNKNOWN = (2, b"", b"Fairlead could not answer, so this is refused. Run `fairlead doctor` to see why.\n")
SILENCE = (0, b"", b"")

Bytes = tuple[int, bytes, bytes]
"""Exit code, stdout, stderr."""


HEADER = r"""#!/bin/sh
''':'
here=${0%/*}
python=
if [ -r "$0.record" ]; then
    while IFS= read -r line; do
        case $line in interpreter=*) python=${line#interpreter=} ;; esac
    done <"$0.record"
fi
if [ ! -x "$python" ]; then
    python=$here/python3
fi
if [ ! -x "$python" ] && [ -r "$here/fairlead" ]; then
    IFS= read -r line <"$here/fairlead"
    python=${line#??}
    python=${python%% *}
fi
for other in /usr/bin/python3 /usr/local/bin/python3; do
    if [ ! -x "$python" ]; then
        python=$other
    fi
done
if [ ! -x "$python" ]; then
    echo "fairlead-hook: no interpreter was found, so nothing is let through; run \`fairlead doctor\`" >&2
    exit 2
fi
exec "$python" -IS "$0" "$@"
'''
"""
"""Shell for a shell, a string for Python. It uses the shell's own words only: PATH is the caller's."""


class CompilerError(Exception):
    """There is no compiler, or it would not have the sources."""


def build_id() -> str:
    """The version, and a mark of everything that goes into a client."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    digest = hashlib.sha256()
    own_sources = [source for system in SYSTEMS.values() for source in sorted((NATIVE / system).glob("*.c"))]
    for source in [*sorted(NATIVE.glob("*.[ch]")), *own_sources, PURE]:
        digest.update(source.read_bytes())
    digest.update(repr([*last_resorts(), *agent_signs().items()]).encode())
    return f"{version}-{digest.hexdigest()[:12]}"


def last_resorts() -> Iterator[tuple[str, str, Bytes, Bytes]]:
    """Agent, event (`""`: any other), what is said when nothing can answer, and "no opinion"."""
    sys.path.insert(0, str(ROOT / "src"))
    try:
        from fairlead.dialects.agent_registry import dialect_named
        from fairlead.dialects.answers.ready_answers import ANY
        from fairlead.dialects.answers.ready_answers import last_resorts as table
        from fairlead.model.event import Event
        from fairlead.model.event_name import event_named
        from fairlead.model.verdict import Verdict
    finally:
        sys.path.remove(str(ROOT / "src"))
    for agent, answers in sorted(table().items()):
        for event, reply in sorted(answers.items()):
            name = "" if event == ANY else event
            silence = dialect_named(agent).render(Event(event_named(name), name, agent), Verdict())
            yield (
                agent,
                name,
                (reply.exit_code, reply.stdout, reply.stderr),
                (silence.exit_code, silence.stdout, silence.stderr),
            )


def agent_signs() -> dict[str, list[str]]:
    """Programs that stand for an agent or for a person's login among the parents of a process, and variables
    that agents set."""
    sys.path.insert(0, str(ROOT / "src"))
    try:
        from fairlead.policy.person import programs
    finally:
        sys.path.remove(str(ROOT / "src"))
    windows = [name for login in programs.LOGINS if not login.root for name in login.names]
    consoles = [
        name for login in programs.LOGINS if login.root for name in login.names - programs.REMOTE.names
    ]
    found = {
        "AGENT_PROGRAMS": programs.AGENTS,
        "AGENT_VARIABLES": programs.AGENT_VARIABLES,
        "TERMINAL_WINDOWS": windows,
        "CONSOLE_LOGINS": consoles,
        "REMOTE_LOGINS": programs.REMOTE.names,
        "SHELLS": programs.SHELLS,
        "LAUNCHERS": programs.LAUNCHERS,
        "ELEVATORS": programs.ELEVATORS,
        "CONTAINER_INITS": programs.CONTAINER_INITS,
    }
    return {name: sorted(signs) for name, signs in found.items()}


def build_native(directory: Path, *, flags: Sequence[str] = ()) -> Path:
    """Without a C library where that is possible, else statically linked: both start faster.

    With `flags` of one's own it is linked as usual. Raises CompilerError.
    """
    target, words = directory / NAME, _client_words(directory, own_system())
    said = ""
    for way in [tuple(flags)] if flags else own_ways():
        said = _compile(_own_compiler(), [*way, *words, "-o", str(target)])
        if not said and _runs(target):
            return target
    raise CompilerError(said or f"{target} does not run")


def build_for(directory: Path, target: Target) -> list[Path]:
    """The programs for another system or processor, which cannot be tried here. Raises CompilerError."""
    wanted = {NAME: _client_words(directory, target.system)}
    if target.records:
        wanted[RECORDER] = _recorder_words()
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", target.triple, "-s"]
    for name, words in wanted.items():
        said = _compile(compiler, [*target.flags, *words, "-o", str(directory / name)])
        if said:
            raise CompilerError(f"{name} for {target.name}: {said}")
    return [directory / name for name in wanted]


def _client_words(directory: Path, system: str) -> list[str]:
    """All that the compiler has to know of the client; what is generated for it is in `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "last_resort.h").write_text(header())
    (directory / "agent_signs.h").write_text(signs_header())
    sources = (*sorted(NATIVE.glob("*.c")), *sorted((NATIVE / system).glob("*.c")))
    return [f'-DBUILD_ID="{build_id()}"', f"-I{directory}", f"-I{NATIVE}", *map(str, sources)]


def _recorder_words() -> list[str]:
    return [str(source) for source in sorted((NATIVE / "recorder").glob("*.c"))]


def _own_compiler() -> list[str]:
    return shlex.split(os.environ.get("CC", "cc"))


def _compile(compiler: Sequence[str], words: Sequence[str]) -> str:
    """What the compiler complained of."""
    try:
        made = subprocess.run([*compiler, *WARNINGS, *words], capture_output=True, text=True)
    except OSError as error:
        raise CompilerError(f"no compiler: {error}") from error
    return "" if made.returncode == 0 else made.stderr or "the compiler failed"


def _runs(target: Path) -> bool:
    try:
        said = subprocess.run([target, "--version"], capture_output=True, stdin=subprocess.DEVNULL)
    except PermissionError:
        return True  # a folder where nothing may be run, as some systems have for temporary files
    except OSError:
        return False
    return said.returncode == 0 and said.stdout.startswith(NAME.encode())


def build_pure(directory: Path) -> Path:
    """As a script that a shell starts: the first line that installers write has no options to isolate it."""
    directory.mkdir(parents=True, exist_ok=True)
    table = {(agent, event): (answer, neutral) for agent, event, answer, neutral in last_resorts()}
    source = _filled(PURE.read_text(), 'BUILD_ID = "unbuilt"', f'BUILD_ID = "{build_id()}"')
    source = _filled(source, " = {}", f" = {table!r}")
    target = directory / NAME
    target.write_text(HEADER + source)
    target.chmod(0o755)
    return target


def _filled(source: str, empty: str, full: str) -> str:
    if source.count(empty) != 1:
        raise ValueError(f"{PURE} has {source.count(empty)} places with {empty!r}, not one")
    return source.replace(empty, full)


def header() -> str:
    unknown = f"{{NULL, NULL, {_reply(UNKNOWN)}, {_reply(SILENCE)}}}"
    rows = [
        f"    {{{_c(agent.encode())}, {_c(event.encode())}, {_reply(answer)}, {_reply(neutral)}}},"
        for agent, event, answer, neutral in last_resorts()
    ]
    return "\n".join(
        (
            "/* Generated by native/build.py. */",
            "struct last_resort {",
            "    const char *agent, *event;",
            "    int code;",
            "    struct bytes out, err;",
            "    int neutral_code;",
            "    struct bytes neutral_out, neutral_err;",
            "};",
            f"static const struct last_resort UNKNOWN_AGENT = {unknown};",
            "static const struct last_resort LAST_RESORTS[] = {",
            *rows,
            f"    {{NULL, NULL, {_reply(SILENCE)}, {_reply(SILENCE)}}},",
            "};",
            "",
        )
    )


def signs_header() -> str:
    lines = ["/* Generated by native/build.py. */"]
    for name, signs in agent_signs().items():
        lines += [f"static const char *const {name}[] = {{", *(f"    {_c(sign.encode())}," for sign in signs)]
        lines += ["    NULL,", "};"]
    return "\n".join((*lines, ""))


def _reply(reply: Bytes) -> str:
    code, out, err = reply
    return f"{code}, {{{_c(out)}, {len(out)}, 0}}, {{{_c(err)}, {len(err)}, 0}}"


def _c(text: bytes) -> str:
    """A C string; every byte that is not plain is octal, which cannot run into the next character."""
    plain = (chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text)
    return '"' + "".join(plain) + '"'


def build_recorder(directory: Path) -> Path | None:
    """`fairlead-recorder`, which hooks.bash starts; without it, it starts Python."""
    directory.mkdir(parents=True, exist_ok=True)
    for way in (STATIC, HARDENING):
        try:
            said = _compile(_own_compiler(), [*way, *_recorder_words(), "-o", str(directory / RECORDER)])
        except CompilerError:
            return None
        if not said:
            return directory / RECORDER
    return None


def build(directory: Path) -> tuple[Path, bool]:
    """The client, and whether it is native."""
    if own_system():
        try:
            return build_native(directory), True
        except CompilerError as error:
            if os.environ.get("FAIRLEAD_REQUIRE_NATIVE") == "1":
                raise
            print(f"fairlead-hook is built in Python: {error}", file=sys.stderr)
    return build_pure(directory), False


def build_here(directory: Path) -> tuple[list[Path], bool]:
    """All programs for this machine, and whether they are native."""
    client, native = build(directory)
    recorder = build_recorder(directory) if native and own_system() == "linux" else None
    return [client, *([recorder] if recorder else [])], native


if __name__ == "__main__":
    print(build(Path(sys.argv[1]))[0])
