"""Parts of words, with what is known about them."""

from __future__ import annotations

from fairlead.shell.script import NETWORK, Word


def part_from(word: Word, start: int) -> Word:
    """The word from its character `start` on, as an option's value or what follows `NAME=`."""
    if not word.opaque:
        return word.replace(text=word.text[start:])
    rest, passed = [], 0
    for text, reason, network in word.pieces:
        if passed + len(text) > start or reason:
            rest.append((text[max(0, start - passed) :] if not reason else text, reason, network))
        passed += len(text)
    return word.replace(text=word.text[start:], prefix=word.prefix[start:], pieces=tuple(rest))


def preceded(word: Word, text: str) -> Word:
    """The word with known text before it, as the value behind `NAME=`."""
    if not word.opaque:
        return word.replace(text=text + word.text)
    pieces = ((text, "", False), *(word.pieces or ((word.text, word.opaque, False),)))
    return word.replace(text=text + word.text, prefix=text + word.prefix, pieces=pieces)


def substituted(word: Word, mark: str, item: Word) -> Word:
    """The word with `item` in the place of each `mark`, as `find -exec` and `xargs -I` do."""
    if mark not in word.text or word.opaque:
        return word
    if item.known:
        return word.replace(text=word.text.replace(mark, item.text))
    network = NETWORK in item.opaque
    unknown = item.pieces or (
        (item.prefix, "", False),
        (item.text[len(item.prefix) :], item.opaque, network),
    )
    pieces: list[tuple[str, str, bool]] = []
    for index, text in enumerate(word.text.split(mark)):
        pieces += unknown if index else ()
        pieces.append((text, "", False))
    found = tuple(piece for piece in pieces if piece[0])
    prefix = ""
    for text, reason, _ in found:
        if reason:
            break
        prefix += text
    shown = "".join(piece[0] for piece in found)
    return word.replace(text=shown, opaque=item.opaque, prefix=prefix, pieces=found)
