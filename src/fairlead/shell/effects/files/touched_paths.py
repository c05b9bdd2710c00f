"""Which paths a command touches when no family knows more about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import repeat

from fairlead.shell.arguments import option_values, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.given_paths import given_by_options
from fairlead.shell.effects.files.in_place_edits import awk_leaves_nothing
from fairlead.shell.effects.files.output_options import writes_operands, written_by
from fairlead.shell.effects.secret_material.secret_searches import SECRET_VARIABLE, looks_for_keys
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.programs.record import UNLISTED, Program
from fairlead.shell.running.compounds import COMPOUND
from fairlead.shell.script import Command, Redirect, Word
from fairlead.shell.unknown import Unknown
from fairlead.shell.word_pieces import part_from
from fairlead.shell.word_sets import names

_PATTERN_OPTIONS = ("-e", "-f", "--regexp", "--file", "--from-file", "--expression")
_USING_OPTIONS = names(
    """
    --env-file --env_file --exclude --exclude-dir --exclude-from --ignore --ignore-path --glob
    --include -g --ignore-file --name -name --filter --pattern --identity --key-file --private-key
    -i --kubeconfig --cert --key --cacert -var-file --var-file --from-env-file --from-file
    --ssh-key --secret --message -m
    """
)
_QUIET = lazy(r"^-[a-zA-Z]*[qclL]|^--(?:quiet|count|files|files-with-matches|files-without-match)$")
_ONLY_WHETHER = names("-s -q --silent --quiet --brief")
_PATH_LIKE = lazy(r"[/.~]|^id_|^credentials|secret", re.IGNORECASE)
_AT_FILE = lazy(r"@[^(]")
"""`@x` asks for what is in the file; `@(x|y)` is a pattern."""
_WRITING = (">", ">>", ">|", "&>", "&>>", ">&", "<>")


def touched(command: Command, where: Surroundings) -> Iterator[Effect]:
    """A read for each operand that names a file, by what the program makes of its operands."""
    program = where.programs.find(command.name) or UNLISTED
    if "text" in program.operands:
        yield from given_by_options(command, program, where)
    elif command.name:
        yield from _touched(command, program, where)


def _touched(command: Command, program: Program, where: Surroundings) -> Iterator[Effect]:
    name = command.name
    texts = [word.text for word in command.argv[1:]]
    unknown = [word for word in command.argv if word.opaque]
    plain = not unknown and not any(map(str.startswith, texts, repeat(("-", "file"))))
    words = _operands(command, program, plain=plain)
    searches, reads = "searches" in program.operands, "reads" in program.operands
    quiet = searches and any(map(_QUIET.match, texts))
    quiet = quiet or (name in ("cmp", "diff") and not _ONLY_WHETHER.isdisjoint(texts))
    action = Action.LIST if "uses" in program.operands or quiet else Action.READ
    if name in ("awk", "gawk") and texts[:2] == ["-i", "inplace"]:
        told = next((text for text in texts[2:] if not text.startswith("-")), "")
        action = Action.TRUNCATE if awk_leaves_nothing(told) else Action.WRITE
    for word in words:
        target = resolve(part_from(word, 1) if _AT_FILE.match(word.text) else word, command, where)
        yield Effect(action, name if reads else "operand", command, target)
        if searches and any(looks_for_keys(text, target.place, target.path) for text in texts):
            yield Effect(Action.READ_SECRET, "search", command, what=f"{name} {target.shown}")
    if words and not reads and any(map(_IN_PLACE.match, texts)):
        for word in words:
            yield Effect(Action.WRITE, "in-place", command, resolve(word, command, where))
    if "shows-input" in program.also and _gives_a_secret(command.stdin.opaque):
        from fairlead.shell.unknown_text import describe  # only where something would have to be told

        what = f"{name} {describe(command.stdin.opaque)}"
        yield Effect(Action.READ_SECRET, "print-variable", command, what=what)
    if searches and not quiet and not plain:
        yield from _included(command, where)
    if not plain or writes_operands(program):
        yield from written_by(command, program, where)
    if not plain:
        yield from given_by_options(command, program, where)
    if not plain and "uses" not in program.operands:
        yield from _option_values(command, where)


def _gives_a_secret(unknown: Unknown | None) -> bool:
    """Whether what cannot be known of an input is a variable that is secret by its name."""
    return unknown is not None and any(SECRET_VARIABLE.search(part.name) for part in unknown.roots())


def _included(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`grep -r KEY --include=.env .` reads what it includes."""
    for word in option_values(list(command.argv), "--include", "-g", "--glob", "--iglob"):
        if not word.text.startswith("!"):
            yield Effect(Action.READ, "include", command, resolve(word.replace(glob=True), command, where))


_IN_PLACE = lazy(r"^(?:-i|-I|--in-?place|--write|--fix|--overwrite)$")


def _operands(command: Command, program: Program, *, plain: bool) -> Sequence[Word]:
    """The words that name files; `plain`: there is no option among them, and nothing that may be one."""
    script, reads = "script" in program.operands, "reads" in program.operands
    if plain:
        operands = command.argv[2 if script else 1 :]
    else:
        given = read_arguments(command.argv[1:], valued=program.values if reads else _USING_OPTIONS)
        operands = given.operands
        if script and not given.has(*_PATTERN_OPTIONS):
            operands = operands[1:]
    if reads:
        return operands
    return [word for word in operands if _names_a_file(word)]


def _names_a_file(word: Word) -> bool:
    text = word.prefix if word.opaque else word.text.removeprefix("@")
    if not text or len(text) > 4096 or "\n" in text:
        return False
    return text.startswith(("/", "./", "../")) or (" " not in text and bool(_PATH_LIKE.search(text)))


_ADDRESSED_FILE = lazy(r"^fileb?:(?://(?:localhost(?=/))?)?|\?[^/]*$")


def _option_values(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Files that the values of options name: `--data=file`, `file://…`."""
    for word in command.argv[1:]:
        text = word.text
        if text.startswith(("file:", "fileb:")):
            named = word.replace(
                text=_ADDRESSED_FILE.sub("", text), prefix=_ADDRESSED_FILE.sub("", word.prefix)
            )
            yield Effect(Action.READ, "option", command, resolve(named, command, where))
        if not text.startswith("-"):
            continue
        name, _, value = text.partition("=")
        if value and name not in _USING_OPTIONS:
            named = word.replace(text=value, prefix=value if word.prefix else "")
            if _names_a_file(named) and "://" not in value:
                yield Effect(Action.READ, "option", command, resolve(named, command, where))


def redirected(command: Command, where: Surroundings) -> Iterator[Effect]:
    """What the shell itself reads and writes for the command."""
    for redirect in command.redirects:
        if redirect.operator.startswith("<") and redirect.operator != "<>":
            if redirect.operator == "<":
                yield Effect(Action.READ, "redirect", command, resolve(redirect.target, command, where))
        elif redirect.operator in _WRITING and not _is_descriptor(redirect):
            yield _writing(redirect, command, where)


def _is_descriptor(redirect: Redirect) -> bool:
    return redirect.operator == ">&" and (redirect.target.text.isdigit() or redirect.target.text == "-")


def _writing(redirect: Redirect, command: Command, where: Surroundings) -> Effect:
    if redirect.operator in (">>", "&>>"):
        action = Action.WRITE
    elif _is_bare(command) or command.name in (":", "true", "false") or _is_empty_source(command):
        action = Action.TRUNCATE
    else:
        action = (
            Action.TRUNCATE
            if _is_own_input(redirect, command, where) or _is_found(redirect)
            else Action.OVERWRITE
        )
    shown = f"{redirect.operator} {redirect.target.text or '?'}"
    source = command.argv[-1].text if command.argv else ""
    return Effect(
        action, "redirect", command, resolve(redirect.target, command, where), what=shown, detail=source
    )


def _is_found(redirect: Redirect) -> bool:
    """Whatever a search finds: of each file, what it held is gone."""
    return redirect.target.text.endswith("/{}")


def _is_bare(command: Command) -> bool:
    """Only the redirection stands there; one that belongs to a group sends what the group prints."""
    return not command.argv and COMPOUND not in command.via[-1:]


def _is_empty_source(command: Command) -> bool:
    """Whether a command is sure to print nothing."""
    words = [word.text for word in command.argv[1:]]
    if command.name in ("echo", "printf"):
        return words in ([], ["-n"], [""], ["-n", ""], ["-e"], ["%s"], ["%s", ""], ["-ne", ""])
    if command.name in ("head", "tail"):
        return bool(re.match(r"^(?:-[cn]\s?0|--(?:bytes|lines)=0|-0)(?:\s|$)", " ".join(words)))
    files = [word for word in words if not word.startswith("-")]
    if command.name == "cat" and files:
        return set(files) == {"/dev/null"}
    return command.name in _PASSING and not files and command.stdin.text == ""


_PASSING = names("cat tac sort uniq tr cut rev tee head tail")
"""Programs that print nothing where they read nothing."""


def _is_own_input(redirect: Redirect, command: Command, where: Surroundings) -> bool:
    """`sort f > f`: the shell empties the file before the program reads it."""
    return (
        redirect.target.known
        and redirect.operator in (">", ">|")
        and command.name not in ("tee", "code", "open", "source", ".")
        and any(word.known and word.text == redirect.target.text for word in command.argv[1:])
        and "reads" in (where.programs.find(command.name) or UNLISTED).operands
    )
