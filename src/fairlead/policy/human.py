"""Whether a human is at the keyboard: the one gate before anything that loosens.

With a passphrase this is a proof. Without one it is a deterrent: a terminal, and no agent among the parents
of this process. An agent that can already run any program as the user is outside the threat model.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from fairlead.errors import TrustError
from fairlead.model.digest import sha256_hex
from fairlead.model.value import Value
from fairlead.policy.places import Places, read_own, write_private
from fairlead.policy.record import break_seal, read_record, seal

AGENT_PROGRAMS = frozenset(
    {
        "aider",
        "amp",
        "auggie",
        "claude",
        "cline",
        "codex",
        "copilot",
        "crush",
        "cursor-agent",
        "droid",
        "gemini",
        "goose",
        "kimi",
        "kiro-cli",
        "llxprt",
        "opencode",
        "openhands",
        "qwen",
    }
)
AGENT_VARIABLES = frozenset(
    {
        "AI_AGENT",
        "AUGMENT_AGENT",
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID",
        "CLINE_ACTIVE",
        "CODEX_MANAGED_BY_NPM",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "CODEX_THREAD_ID",
        "COPILOT_CLI",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "OPENCODE",
        "QWEN_CODE",
    }
)
"""Set by agents for what they run. Their settings (`CODEX_HOME`) are not here: people have those too."""

MAX_PARENTS = 64
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}


class Process(Value):
    """One ancestor: the words that it was started with, and its environment where we may see it."""

    id: int
    parent: int
    words: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


class Terminal:
    """The controlling terminal, so that a piped stdin can neither answer nor pretend."""

    def available(self) -> bool:
        try:
            with open("/dev/tty", "rb+", buffering=0) as terminal:
                return terminal.isatty()
        except OSError:
            return False

    def ask(self, question: str) -> str:
        with open("/dev/tty", "rb+", buffering=0) as terminal:
            terminal.write(question.encode())
            return terminal.readline(1024).decode(errors="replace").strip()

    def ask_secret(self, question: str) -> str:
        from getpass import getpass

        return getpass(question)


def require_human(
    places: Places,
    action: str,
    *,
    yes: bool = False,
    terminal: Terminal | None = None,
    ancestors: Callable[[], Iterator[Process]] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> None:
    """Raises TrustError unless a human agrees to `action`. `yes` skips the question, never the check."""
    terminal = terminal or Terminal()
    if not terminal.available():
        raise TrustError(f"to {action}, a human is needed", hint="run the command in your own terminal")
    if has_passphrase(places):
        _check_passphrase(places, terminal.ask_secret("Fairlead passphrase: "))
    else:
        agent = find_agent(ancestors or ancestry, environment)
        if agent:
            raise TrustError(
                f"to {action}, a human is needed, and this runs inside {agent}", hint=_OWN_TERMINAL
            )
    if not yes and terminal.ask(f"{action[:1].upper()}{action[1:]}? [y/N] ").lower() not in ("y", "yes"):
        raise TrustError("nothing was changed", hint="answer y to go on")


_OWN_TERMINAL = "run the command in your own terminal, outside the agent"


def find_agent(ancestors: Callable[[], Iterator[Process]], environment: Mapping[str, str]) -> str:
    """The first sign of an agent around this process; empty when there is none."""
    for name in environment:
        if name in AGENT_VARIABLES:
            return f"an agent ({name} is set)"
    for process in ancestors():
        program = _agent_among(process.words)
        if program:
            return f"{program} (process {process.id})"
        marker = next((name for name in process.variables if name in AGENT_VARIABLES), "")
        if marker:
            return f"an agent ({marker} is set for process {process.id})"
    return ""


def _agent_among(words: tuple[str, ...]) -> str:
    """The program itself, or the script that an interpreter runs: `node /usr/bin/gemini`."""
    named = [word for word in words[:4] if not word.startswith("-")][:2]
    for word in named:
        name = os.path.basename(word).lower()
        stem = name.removesuffix(".exe").removesuffix(".js").removesuffix(".mjs").removesuffix(".py")
        if stem in AGENT_PROGRAMS:
            return stem
    return ""


def ancestry() -> Iterator[Process]:
    """This process's parents, nearest first."""
    read = _read_linux if os.path.isdir("/proc/self") else _read_with_ps
    current = os.getppid()
    for _ in range(MAX_PARENTS):
        process = read(current) if current > 1 else None
        if process is None:
            return
        yield process
        current = process.parent


def _read_linux(pid: int) -> Process | None:
    status = _bytes(f"/proc/{pid}/stat")
    if not status:
        return None
    parent = int(status.rpartition(b")")[2].split()[1])
    words = _bytes(f"/proc/{pid}/cmdline").split(b"\0")
    variables = (pair.partition(b"=")[0] for pair in _bytes(f"/proc/{pid}/environ").split(b"\0"))
    return Process(
        pid,
        parent,
        tuple(os.fsdecode(word) for word in words if word),
        tuple(os.fsdecode(name) for name in variables if name),
    )


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return b""


def _read_with_ps(pid: int) -> Process | None:
    import subprocess

    command = ["ps", "-o", "ppid=,command=", "-p", str(pid)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout
    parent, *words = answer.split() or [""]
    return Process(pid, int(parent), tuple(words)) if parent.isdigit() else None


def has_passphrase(places: Places) -> bool:
    """Also when its file is gone: whoever took it away has not taken the need for it away."""
    return os.path.lexists(places.passphrase) or "sealed" in read_record(places)


def set_passphrase(places: Places, passphrase: str) -> None:
    """Kept as a scrypt hash. Callers that replace one ask `require_human` first."""
    if len(passphrase) < 8:
        raise TrustError("the passphrase is shorter than 8 characters", hint="choose a longer one")
    salt = os.urandom(16)
    write_private(
        places.passphrase, b"scrypt:" + salt.hex().encode() + b":" + _hash(passphrase, salt).encode()
    )
    break_seal(places)
    seal(places)


def _hash(passphrase: str, salt: bytes) -> str:
    from hashlib import scrypt

    return scrypt(passphrase.encode(), salt=salt, dklen=32, **_SCRYPT).hex()


def _check_passphrase(places: Places, passphrase: str) -> None:
    from hmac import compare_digest

    kept = read_own(places.passphrase, 1024)
    sealed = read_record(places).get("sealed")
    try:
        method, salt, wanted = (kept or b"").decode().strip().split(":")
        right = method == "scrypt" and compare_digest(_hash(passphrase, bytes.fromhex(salt)), wanted)
    except ValueError as error:
        raise _unusable(places, "it holds no passphrase" if kept else "it cannot be read") from error
    if sealed is not None and not compare_digest(sealed, sha256_hex(kept or b"")):
        raise _unusable(places, "it is not the one that was set")
    if not right:
        raise TrustError("the passphrase is wrong", hint="try again")
    seal(places)


def _unusable(places: Places, why: str) -> TrustError:
    return TrustError(
        f"the passphrase cannot be checked: {places.passphrase}: {why}",
        hint=f"remove that file and the line `sealed=` from {places.record}, then set a new passphrase: "
        "fairlead install --passphrase",
    )
