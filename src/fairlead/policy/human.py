"""Whether a human is at the keyboard: the one gate before anything that loosens.

With a passphrase this is a proof, wherever the process runs. Without one it is a deterrent: a terminal, no
agent among the parents of this process, and a chain of parents that leads to a person's login. An agent that
can already run any program as the user is outside the threat model.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from fairlead.errors import TrustError
from fairlead.model.digest import sha256_hex
from fairlead.policy.person.chain import find_agent, why_no_person
from fairlead.policy.person.processes import Process, lineage
from fairlead.policy.person.programs import AGENT_VARIABLES
from fairlead.policy.person.viewers import find_viewers
from fairlead.policy.places import Places, read_own, write_private
from fairlead.policy.record import break_seal, read_record, seal

_SCRYPT = {"n": 2**14, "r": 8, "p": 1}


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
    deed: str = "",
    terminal: Terminal | None = None,
    parents: Callable[[], Iterator[Process]] = lineage,
    environment: Mapping[str, str] = os.environ,
) -> None:
    """Raises TrustError unless a human agrees to `action`. `yes` skips the question, never the check.

    `deed` is what those who manage the machine may have forbidden to every human.
    """
    if deed:
        from fairlead.policy.managed.forbidden import require_permitted

        require_permitted(places, deed, action)
    terminal = terminal or Terminal()
    if not terminal.available():
        raise TrustError(f"to {action}, a human is needed", hint="run the command in your own terminal")
    if has_passphrase(places):
        _check_passphrase(places, terminal.ask_secret("Fairlead passphrase: "))
    else:
        _check_parents(action, list(parents()), environment)
    if not yes and terminal.ask(f"{action[:1].upper()}{action[1:]}? [y/N] ").lower() not in ("y", "yes"):
        raise TrustError("nothing was changed", hint="answer y to go on")


def refuse_agents(action: str, chain: list[Process], environment: Mapping[str, str]) -> None:
    """Raises TrustError below an agent."""
    marker = next((name for name in environment if name in AGENT_VARIABLES), "")
    agent = f"an agent ({marker} is set)" if marker else find_agent(chain[1:])
    if agent:
        raise TrustError(
            f"to {action}, a human is needed, and this runs inside {agent}",
            hint="run the command in your own terminal, outside the agent",
        )


def _check_parents(action: str, chain: list[Process], environment: Mapping[str, str]) -> None:
    refuse_agents(action, chain, environment)
    why = why_no_person(chain, find_viewers)
    if why:
        raise TrustError(f"to {action}, a human is needed, and none is to be seen: {why}", hint=_WAY_OUT)


_WAY_OUT = (
    "type the command at the prompt of a login of yours: a terminal window, `ssh`, `su - NAME`, "
    "`docker exec -it`; a passphrase that is set there once (`fairlead install --passphrase`) works anywhere"
)


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
