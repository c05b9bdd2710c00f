"""Files that are made of a fetched one by programs that only decode, unpack or copy out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.packs.noting.file_notes import noted_path
from fairlead.packs.noting.leaving import IN_PLACE, WRITING
from fairlead.sessions.memory import Memory
from fairlead.sessions.note import Kind, Note
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

TURNING = IN_PLACE | names(
    """
    cat tac head tail tee dd base64 base32 basenc xxd openssl age tr rev sed uudecode iconv dos2unix
    zcat xzcat bzcat zstdcat
    """
)
_APPLYING = names("apply am")
_MOST = 64
_SIDE = re.compile(r"^[ab]/")
_PACKED = re.compile(r"\.(?:gz|xz|bz2|zst|lz4|br|Z|enc|gpg|age|b64)$")


def derived_notes(call: Call, memory: Memory) -> Iterator[Note]:
    if not memory.has_fetched():
        return
    for command in call.script.commands:
        if command.name in TURNING:
            yield from _derived(command, call, memory)


def patch_notes(call: Call, memory: Memory) -> Iterator[Note]:
    """The files that a fetched patch changes."""
    if not memory.has_fetched():
        return
    for command in call.script.commands:
        texts = [word.text for word in command.argv[1:]]
        if command.name == "patch" or (command.name == "git" and not _APPLYING.isdisjoint(texts[:3])):
            yield from _patched(command, call, memory)


def _patched(command: Command, call: Call, memory: Memory) -> Iterator[Note]:
    from fairlead.shell.effects.overlays.listing.patch_names import patch_file_names  # only for such patches

    given = (command.stdin.path,) if command.stdin.path is not None else ()
    for word in (*command.argv[1:], *given):
        path = noted_path(resolve(word, command, call.where))
        origin = memory.fetched(path) if path else None
        listing = patch_file_names(path) if origin is not None else None
        for name in listing.names[:_MOST] if listing is not None else ():
            changed = noted_path(resolve(Word(_SIDE.sub("", name)), command, call.where))
            if origin is not None and changed:
                yield Note(Kind.FETCHED, changed, origin.source, "patch")


def _derived(command: Command, call: Call, memory: Memory) -> Iterator[Note]:
    redirected = [redirect.target for redirect in command.redirects if redirect.operator == "<"]
    for word in (*command.argv[1:], *redirected):
        path = noted_path(resolve(word, command, call.where))
        origin = memory.fetched(path) if path else None
        if origin is None or memory.checked(origin.subject):
            continue
        made = [_PACKED.sub("", path)] if _PACKED.search(path) else []
        for place in (*made, *_written(command, call)):
            if place != path:
                yield Note(Kind.FETCHED, place, origin.source, origin.program)


def _written(command: Command, call: Call) -> Iterator[str]:
    """By the command itself, and at the end of its pipe."""
    for effect in call.effects:
        other = effect.command
        behind = other.pipeline == command.pipeline and other.position >= command.position
        if effect.action in WRITING and behind and other.argv:
            yield from filter(None, (noted_path(effect.target),))
