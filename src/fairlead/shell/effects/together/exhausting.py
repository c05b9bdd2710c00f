"""What takes all memory or fills the disk: sources that never end, and what has to hold all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Script, printing_programs
from fairlead.shell.word_sets import names

_ENDLESS = names("/dev/zero /dev/urandom /dev/random /dev/full")
ENDLESS_WORDS = _ENDLESS | {f"if={source}" for source in _ENDLESS}
"""Words without which only these programs exhaust anything."""
ENDLESS_PROGRAMS = names("yes openssl fallocate mkfile")
_HOLDING = names("tail sort tac shuf sponge column")
"""Programs that keep what they read until it ends."""
_PRINTING = names("cat yes dd cp tee pv head base64 xxd openssl")
_SIZE = lazy(r"^(?:[a-z]+=)?(\d+)([KMGTPE]?)(?:i?B)?$", re.I)
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50, "E": 2**60}
_TOO_MUCH = 200 * 2**30


def exhausting(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """What never ends, and who holds or keeps it; nothing without one of the words or programs above."""
    flowing: dict[int, bool] = {}
    for command in commands:
        if command.position == 0:
            flowing[command.pipeline] = _is_endless(command)
        elif command.name == "head":
            flowing[command.pipeline] = False
        reads = any(word.text in _ENDLESS for word in command.argv[1:])
        holds = command.name in _HOLDING and (reads or (command.position and flowing.get(command.pipeline)))
        kept = _keeps(command) and flowing.get(command.pipeline) and command.position
        burns = _computes(command) and (reads or (command.position and flowing.get(command.pipeline)))
        if holds or kept or burns or _fills(command) or _burns(command):
            yield Effect(Action.KILL, "exhaust", command, what=shown(command))


_HASHING = names("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum shasum md5 cksum sum")
_PACKING = names("gzip pigz bzip2 lbzip2 xz pxz zstd lz4 brotli 7z")


def _computes(command: Command) -> bool:
    """Whether it turns all that it reads into a sum, or packs it to throw it away."""
    if any(wrapper.name in ("timeout", "gtimeout") for wrapper in command.wrappers):
        return False
    nowhere = any(r.operator in (">", "&>") and r.target.text == "/dev/null" for r in command.redirects)
    return command.name in _HASHING or (nowhere and command.name in _PACKING)


_ROUNDS = lazy(
    r"\bfor\s+\w+\s+in\s+(?:\{\d+\.\.(\d+)\}|[$(`]+\s*seq\s+(?:\d+\s+)?(\d+)\s*[)`])\s*;?\s*do\b"
    r"[^;&]{0,200}[^&>]&(?![&>])"
)
_TOO_MANY = 500


_FILES = lazy(
    r"\bfor\s+\w+\s+in\s+(?:\{\d+\.\.(\d+)\}|[$(`]+\s*seq\s+(?:\d+\s+)?(\d+)\s*[)`])\s*;?\s*do\s+"
    r"(?:(?:touch|mkdir|mktemp|truncate)\b[^;&\n]{0,80}[$]|(?:echo|printf|:)?[^;&\n]{0,40}>\s*\S{0,40}[$])"
)
_ALL_ENTRIES = 1_000_000
"""More files than most disks have entries for."""


_FOREVER = lazy(
    r"\b(?:while\s+(?:true|:|\[\s*1\s*\]|\(\(\s*1\s*\)\))|until\s+false|for\s*\(\(\s*;\s*;\s*\)\))\s*;?\s*do\b"
    r"(?:[^;\n]{0,80}[;\n]){0,6}?[^;\n]{0,40}"
    r"(?:\b(?:fallocate|mkfile|truncate)\b[^;\n]{0,40}[$]|\bcat\s+(\S+)\s+\1\s*>|\bdd\s[^;\n]{0,60}\bof=\S{0,40}[$])"
)


def filling(script: Script) -> Iterator[Effect]:
    """`while :; do cat a a > b && mv b a; done`: each round takes more of the disk, and nothing ends it."""
    found = _FOREVER.search(script.text[:65536])
    if found and script.commands:
        yield Effect(Action.KILL, "exhaust", script.commands[0], what=found[0][:80])


def crowding(script: Script) -> Iterator[Effect]:
    """`for i in {1..1000}; do sleep 1000 & done`: each round leaves a process behind."""
    for found in _FILES.finditer(script.text[:65536]):
        if int((found[1] or found[2])[:9]) >= _ALL_ENTRIES and script.commands:
            yield Effect(Action.KILL, "exhaust", script.commands[0], what=found[0][:80])
            return
    for found in _ROUNDS.finditer(script.text[:65536]):
        if int((found[1] or found[2])[:9]) >= _TOO_MANY and script.commands:
            yield Effect(Action.KILL, "exhaust", script.commands[0], what=found[0][:80])
            return


_PASSING_ON = names("cat gzip pigz bzip2 xz zstd base64 xxd od hexdump tr sed awk openssl pv dd")
"""Programs that print something for all that they read."""


def _keeps(command: Command) -> bool:
    """Whether it writes all that comes to it to a file."""
    if command.name == "tee":
        return any(not word.text.startswith(("-", "/dev/")) for word in command.argv[1:])
    return command.name in _PASSING_ON and _to_file(command)


def _to_file(command: Command) -> bool:
    return any(
        ">" in redirect.operator
        and (_IN_MEMORY in redirect.target.text or not redirect.target.text.startswith(("/dev/", "&")))
        for redirect in command.redirects
    )


_IN_MEMORY = "/dev/shm/"  # noqa: S108 - a folder like others


def _is_endless(command: Command) -> bool:
    """Whether it prints for ever, or more than any machine has."""
    texts = [word.text for word in command.argv[1:]]
    reads = any(text.removeprefix("if=") in _ENDLESS for text in texts)
    if command.name == "dd":
        return reads and _amount(texts) is None
    if command.name == "head":
        return reads and any(_size(text.removeprefix("-c")) >= 2**33 for text in texts)
    if command.name == "openssl":
        return texts[:1] == ["rand"] and any(_size(text) >= _TOO_MUCH for text in texts)
    counted = any(text.startswith(("-l", "-len")) for text in texts)
    return command.name == "yes" or (reads and not counted and command.name in ("cat", "pv", "base64", "xxd"))


def _fills(command: Command) -> bool:
    """A file that such a source is written to, or one of a size that no disk has."""
    texts = [word.text for word in command.argv[1:]]
    if command.name in ("fallocate", "mkfile"):
        return any(_size(text) >= _TOO_MUCH for text in texts) or _takes_the_rest(command)
    if command.name not in _PRINTING:
        return False
    if command.name == "dd":
        into = [text for text in texts if text.startswith("of=")]
        writes = any(_IN_MEMORY in text or not text.startswith("of=/dev/") for text in into)
        amount = _amount(texts)
        return writes and any(text.removeprefix("if=") in _ENDLESS for text in texts) and (
            amount is None or amount >= _TOO_MUCH
        )  # fmt: skip
    if command.name == "cp":
        return any(text in _ENDLESS for text in texts[:-1])
    return _to_file(command) and command.position == 0 and _is_endless(command)


def _burns(command: Command) -> bool:
    """`yes > /dev/null`: nothing but power, and all of it."""
    timed = any(wrapper.name in ("timeout", "gtimeout") for wrapper in command.wrappers)
    nowhere = any(r.operator in (">", "&>") and r.target.text == "/dev/null" for r in command.redirects)
    return command.name == "yes" and nowhere and not timed


def _takes_the_rest(command: Command) -> bool:
    """`fallocate -l $(df …) x`: all that is free."""
    return any("df" in printing_programs(word.opaque) for word in command.argv[1:])


def _amount(texts: list[str]) -> int | None:
    """How much a `dd` copies; None if it has no end."""
    given = dict(text.partition("=")[::2] for text in texts)
    if "count" not in given:
        return None
    return _size(given["count"]) * max(_size(given.get("bs", "512")), 1)


def _size(text: str) -> int:
    found = _SIZE.match(text)
    return int(found[1]) * _UNITS[found[2].upper()] if found else 0
