"""Editors that are told what to do: which files they write, delete and leave empty."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import option_values, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.touched_paths import touched
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Code, Command, Word

_SPLIT = lazy(r"(?<!\\)\||\n")
_NOISE = lazy(r"^(?:[:\s]|(?:silent|sil|noautocmd|keepjumps|exe(?:cute)?\s+['\"])!?\s*)*")
_RANGE = r"(?:%|1?,\$|[01]?,\s*\$|g/(?:\.|\^|\.\*)?/|,)"
_EMPTIES = lazy(rf"^(?:{_RANGE}\s*(?:norm(?:al)?\s+dd|d(?:elete)?\b)|norm(?:al)?!?\s+ggdG)")
_SAVES = lazy(r"^(?:wqa?|xa?|xall|wa(?:ll)?|w(?:rite)?|up(?:date)?|ZZ)!?$")
_SAVES_TO = lazy(
    r"^(?:[%,.$\d']*)?(?:w(?:rite)?|sav(?:eas)?|wq|x)(?P<sure>!?)\s*(?P<more>>>)?\s*(?P<path>[^!\s>].*)$"
)
_READS = lazy(r"^(?:[\d$%]*)?(?:r(?:ead)?|e(?:dit)?|sp(?:lit)?|vs(?:plit)?|tabe\w*)!?\s+(?P<path>[^!\s].*)$")
_CALL = lazy(r"\b(?P<name>delete|writefile|rename|readfile|mkdir)\((?P<inside>[^)]{0,400})\)")
_TEXT = lazy(r"'([^']*)'|\"([^\"]*)\"")
_HOME = lazy(r"[$]HOME\b")
_JOINED = lazy(r"[\"']\s*\.{1,2}\s*[\"']")
_CODE = lazy(r"^(?P<language>lua|py(?:thon)?3?|py3|ruby|perl)\s+(?P<text>\S.*)$", re.DOTALL)
_LANGUAGES = {"lua": "lua", "ruby": "ruby", "perl": "perl", "elisp": "elisp"}
_VALUED = ("-c", "--cmd", "-S", "-u", "-T", "-w", "-i", "-p")
_LINE_EDITORS = ("ex", "ed", "red")


def read_vim(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    orders = _orders(command)
    if not orders and command.stdin.kind == "inherit":
        yield from touched(command, where)
        return
    emptied = False
    files = _files(command)
    for order in orders:
        emptied = emptied or bool(_EMPTIES.match(order))
        if _SAVES.match(order):
            action = Action.TRUNCATE if emptied else Action.WRITE
            for word in files:
                yield Effect(action, "editor", command, resolve(word, command, where), what=shown(command))
        yield from _named(order, command, where)
    fed = command.name in _LINE_EDITORS and command.stdin.kind != "inherit"
    for word in files:
        if fed:
            yield Effect(Action.WRITE, "editor", command, resolve(word, command, where), what=shown(command))
        yield Effect(Action.READ, command.name, command, resolve(word, command, where))


def _orders(command: Command) -> list[str]:
    """What an editor is told: by its options, and by its input where it reads commands there."""
    words = list(command.argv)
    texts = [value.text for value in option_values(words, "-c", "--cmd", "-S")]
    texts += [word.text[1:] for word in words[1:] if word.text.startswith("+") and len(word.text) > 1]
    for index, word in enumerate(words[1:-1], start=1):
        if re.fullmatch(r"-[a-zA-Z]+c", word.text):
            texts.append(words[index + 1].text)
    if command.name in _LINE_EDITORS or any(re.match(r"^-[a-zA-Z]*[es]", w.text) for w in words[1:]):
        texts.append(command.stdin.text or "")
    orders = [_NOISE.sub("", part).strip() for text in texts for part in _SPLIT.split(text)]
    return [order for order in orders if order]


def _files(command: Command) -> tuple[Word, ...]:
    """What is edited: no option, no order, and not what an option takes."""
    given = read_arguments(command.argv[1:], valued=_VALUED)
    clustered = {
        index for index, word in enumerate(command.argv[:-1]) if re.fullmatch(r"-[a-zA-Z]+c", word.text)
    }
    told = {id(command.argv[index + 1]) for index in clustered}
    return tuple(w for w in given.operands if not w.text.startswith("+") and id(w) not in told)


def _named(order: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    """Files and code that one order names itself."""
    saved = _SAVES_TO.match(order)
    if saved is not None and not _CALL.search(order):
        action = Action.WRITE if saved["more"] else Action.OVERWRITE
        yield _on(action, saved["path"].strip(), command, where)
    read = _READS.match(order)
    if read is not None:
        yield _on(Action.READ, read["path"].strip(), command, where)
    for call in _CALL.finditer(order):
        yield from _called(call["name"], call["inside"], command, where)
    code = _CODE.match(order)
    if code is not None:
        yield from _code(code["language"], code["text"], command, where)


def _called(name: str, inside: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    inside = _HOME.sub('"~"', inside)
    texts = [single or double for single, double in _TEXT.findall(_JOINED.sub("", inside))]
    if name == "delete":
        for path in texts[:1]:
            yield _on(Action.DELETE, path, command, where, recursive="rf" in texts[1:])
    elif name == "writefile":
        for path in texts[-1:] if texts[-1:] not in (["a"], ["b"]) else texts[-2:-1]:
            yield _on(Action.OVERWRITE, path, command, where)
    elif name == "rename" and len(texts) > 1:
        yield _on(Action.MOVE_AWAY, texts[0], command, where).replace(detail=texts[1])
        yield _on(Action.OVERWRITE, texts[1], command, where)
    elif name == "readfile":
        for path in texts[:1]:
            yield _on(Action.READ, path, command, where)


def _on(
    action: Action, path: str, command: Command, where: Surroundings, *, recursive: bool = False
) -> Effect:
    if path == "~" or path.startswith("~/"):
        path = where.home + path[1:]
    target = resolve(Word(path), command, where)
    return Effect(action, "editor", command, target, recursive, what=shown(command))


def _code(language: str, text: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    from fairlead.shell.effects.code.code_effects import code_effects
    from fairlead.shell.effects.script_effects import effects_of

    yield from code_effects(Code(_LANGUAGES.get(language, "python"), text, command), where, effects_of)


_LISP_WRITES = lazy(r"\((?:write-region|write-file|append-to-file|copy-file|rename-file)\b([^()]*)")


def read_emacs(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    for value in option_values(list(command.argv), "--eval", "-eval", "--execute"):
        yield from _code("elisp", value.text, command, where)
        for match in _LISP_WRITES.finditer(value.text):
            texts = [single or double for single, double in _TEXT.findall(match[1])]
            for path in texts[-1:]:
                yield _on(Action.OVERWRITE, path, command, where)
    orders = " ".join(word.text for word in command.argv[1:])
    if re.search(r"save-buffer|save-some-buffers|basic-save", orders):
        action = Action.TRUNCATE if re.search(r"erase-buffer|delete-region", orders) else Action.WRITE
        for word in read_arguments(command.argv[1:], valued=_EMACS_VALUED).operands:
            yield Effect(action, "editor", command, resolve(word, command, where), what=shown(command))
    yield from touched(command, where)


_EMACS_VALUED = ("--eval", "-eval", "--execute", "-f", "-l", "--funcall", "--load", "-L", "--chdir")
