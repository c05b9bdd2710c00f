"""The sets of lines: the corpus from the tree itself, all others from files that were made once.

A frozen file is made in one tree and read in every other one, so that both judge the same text whatever
became of the generators.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.guard.changes import changed
from benchmarks.guard.fuzz import noisy, rewritten
from benchmarks.guard.grammar import Grammar
from benchmarks.guard.lines import HELD_OUT, VISIBLE, Line, read_folder

CORPUS = "corpus"
SEED = 20_180
_MUTATED, _GENERATED = 60_000, 100_000
_LONGEST = 6_000
"""Characters of a generated line: what is longer says nothing new and takes long."""


def lines_of(name: str, folder: Path) -> Iterator[Line]:
    """The lines of one set, in a fixed order."""
    if name == CORPUS:
        yield from read_folder(VISIBLE)
        yield from read_folder(HELD_OUT)
    else:
        yield from frozen_lines(folder / f"inputs-{name}.jsonl")


def frozen_lines(file: Path) -> Iterator[Line]:
    with file.open(encoding="utf-8") as records:
        for record in map(json.loads, records):
            yield Line(record["id"], record["line"], "pass")


def freeze(file: Path, texts: Iterable[str]) -> int:
    """Writes each text once, with the id of its content; the number of texts that it wrote."""
    kept = dict.fromkeys(texts)
    with file.open("w", encoding="utf-8") as records:
        for text in kept:
            records.write(json.dumps({"id": identity(text), "line": text}) + "\n")
    return len(kept)


def identity(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def visible_texts() -> dict[str, str]:
    """What may be shown of the corpus, by id. Whatever is held out stays unread."""
    return {line.id: line.command for line in read_folder(VISIBLE)}


def mutated() -> Iterator[str]:
    """Corpus lines written differently, then with noise in them."""
    chance = random.Random(SEED)  # the same lines every time
    lines = [line for line in read_folder(VISIBLE) if line.tool == "Bash" and not line.cwd]
    writable = [line for line in lines if next(changed(line.command), None)]
    for number in range(_MUTATED):
        line = rewritten(chance, writable) if number % 2 else noisy(chance, lines)
        if len(line.command) <= _LONGEST:
            yield line.command


def generated() -> Iterator[str]:
    """Text by grammar, of every depth."""
    chance = random.Random(SEED)  # the same lines every time
    seen: set[str] = set()
    while len(seen) < _GENERATED:
        text = Grammar(chance.choice).script(len(seen) % 5)
        if len(text) <= _LONGEST and text not in seen:
            seen.add(text)
            yield text


def text_files(folder: Path) -> Iterator[str]:
    """Every line of the text files in a folder that is no comment."""
    for file in sorted(folder.glob("*.txt")):
        for text in file.read_text(encoding="utf-8").splitlines():
            if text.strip() and not text.startswith("#"):
                yield text


GENERATORS: dict[str, Callable[[], Iterator[str]]] = {"mutated": mutated, "generated": generated}
