"""Parts of words, with what is known about them."""

from __future__ import annotations

from fairlead.shell.script import Piece, Word


def part_from(word: Word, start: int) -> Word:
    """The word from its character `start` on, as an option's value or what follows `NAME=`."""
    if not word.opaque:
        return word.replace(text=word.text[start:])
    rest, passed = [], 0
    for text, unknown in word.pieces:
        if passed + len(text) > start or unknown:
            rest.append((text if unknown else text[max(0, start - passed) :], unknown))
        passed += len(text)
    return word.replace(text=word.text[start:], prefix=word.prefix[start:], pieces=tuple(rest))


def preceded(word: Word, text: str) -> Word:
    """The word with known text before it, as the value behind `NAME=`."""
    if not word.opaque:
        return word.replace(text=text + word.text)
    pieces = ((text, None), *(word.pieces or ((word.text, word.opaque),)))
    return word.replace(text=text + word.text, prefix=text + word.prefix, pieces=pieces)


def substituted(word: Word, mark: str, item: Word) -> Word:
    """The word with `item` in the place of each `mark`, as `find -exec` and `xargs -I` do."""
    if mark not in word.text or word.opaque:
        return word
    if item.known:
        return word.replace(text=word.text.replace(mark, item.text))
    replacing = item.pieces or ((item.prefix, None), (item.text[len(item.prefix) :], item.opaque))
    pieces: list[Piece] = []
    for index, text in enumerate(word.text.split(mark)):
        pieces += replacing if index else ()
        pieces.append((text, None))
    found = tuple(piece for piece in pieces if piece[0] or piece[1])
    prefix = ""
    for text, unknown in found:
        if unknown:
            break
        prefix += text
    shown = "".join(piece[0] for piece in found)
    return word.replace(text=shown, opaque=item.opaque, prefix=prefix, pieces=found)
