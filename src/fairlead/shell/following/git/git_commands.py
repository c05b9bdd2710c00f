"""What git is told to run: aliases, pagers, editors, hooks and the subcommands that take a command."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, of_word, of_words
from fairlead.shell.following.git.git_repository import alias_in_repository, may_be_alias
from fairlead.shell.following.git.git_settings import git_setting, named_by_options, runs
from fairlead.shell.following.git.git_surroundings import (
    programs_around,
    settings_around,
    settings_of_modules,
)
from fairlead.shell.following.line_files.written_files import remember
from fairlead.shell.following.wrapper_options import read_options
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.places.paths import absolute
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.programs.record import Runs
from fairlead.shell.script import Word, Wrapper
from fairlead.shell.word_pieces import part_from
from fairlead.shell.word_sets import names

_TAKE_VALUE = names(
    "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source"
)
_CONFIG = Runs(values=names("-f --file --blob --type --default --comment --value"))
_FOR_EACH_REPO = Runs(values=names("--config"))
_CONFIG_VERBS = names("set get add unset list edit")
_COMMAND_OPTIONS: dict[str, tuple[str, ...]] = {
    "rebase": ("-x", "--exec"),
    "difftool": ("-x", "--extcmd"),
    "filter-branch": (
        "--env-filter", "--tree-filter", "--index-filter", "--parent-filter", "--msg-filter",
        "--commit-filter", "--tag-name-filter", "--setup",
    ),
}  # fmt: skip
"""Options that are given a command to run, and are used for nothing else."""


def run_git(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    if words[0].text.rsplit("/", 1)[-1] == "hub":
        run.emit(words, call, state, frame)
        words = [words[0].replace(text="git"), *words[1:]]
    index, settings = _globals(words)
    around = settings_around(run, words[1:index], call, state)
    settings += around
    aliases = _aliases(settings, state)
    subcommand = words[index].text if index < len(words) else ""
    if subcommand not in aliases and run.sources.are_read and may_be_alias(subcommand):
        told = alias_in_repository(run, subcommand, _moved(words[:index], state))
        aliases = {**aliases, subcommand: told} if told else aliases
    if subcommand and subcommand in aliases:
        return _run_alias(run, words, index, aliases[subcommand], call, state, frame)
    if subcommand == "submodule" and state.files:
        around += settings_of_modules(run, "", state)
        settings += around
    unseen = [word for word in (*around, *programs_around(run, call, state)) if _is_about_programs(word)]
    run.emit([words[0], *_as_options(unseen), *words[1:]], call, state, frame)
    for how, text in _texts(words, index, settings):
        inner = frame.inside(how, span=run.span(call.start, call.end, frame))
        run.run_text(text, state.process(run.environment), inner)
    if subcommand == "bisect" and len(words) > index + 2 and words[index + 1].text == "run":
        through = frame.through(Wrapper("git", tuple(words[: index + 2])))
        run.run_words(words[index + 2 :], call, state, through)
    if subcommand == "for-each-repo":
        rest = words[read_options(words, index + 1, _FOR_EACH_REPO).index :]
        run.run_words([words[0], *rest], call, state, frame)
    _remember_alias(words[index:], state)
    remember(run, [words[0], *words[index:]], state, frame)
    return output_of(run, words, state, frame)


def _is_about_programs(setting: Word) -> bool:
    return runs(setting.text.partition("=")[0]) is not None


def _as_options(settings: list[Word]) -> Iterator[Word]:
    """What stands in variables and files means the same as `-c`, and is judged as that."""
    for setting in settings:
        yield Word("-c")
        yield setting


def _moved(options: list[Word], state: State) -> State:
    """The state in the folder where git is told to work."""
    child = state.copy()
    for folder in option_values(options, "-C"):
        child.cwd = absolute(folder.text, child.cwd) if folder.known else None
    return child


def _globals(words: list[Word]) -> tuple[int, list[Word]]:
    """Where the subcommand stands, and the settings given by `-c` before it."""
    index, settings = 1, []
    while index < len(words) and words[index].text.startswith("-"):
        text = words[index].text
        if text == "-c" and index + 1 < len(words):
            settings.append(words[index + 1])
        index += 2 if text in _TAKE_VALUE else 1
    return index, settings


def _aliases(settings: list[Word], state: State) -> dict[str, Scalar]:
    found = {name[4:]: value for name, value in state.aliases.items() if name.startswith("git ")}
    for word in settings:
        key, _, _ = word.text.partition("=")
        if key.lower().startswith("alias."):
            found[key[6:]] = of_word(part_from(word, len(key) + 1))
    return found


def _run_alias(
    run: Reading, words: list[Word], index: int, value: Scalar, call: Call, state: State, frame: Frame
) -> Scalar:
    name = words[index].text
    rest = words[index + 1 :]
    span = run.span(call.start, call.end, frame)
    shown = value.shown if isinstance(value, Partial) else value
    saved = {key: state.aliases.pop(key) for key in [f"git {name}"] if key in state.aliases}
    try:
        if shown.startswith("!"):
            text = value[1:] if isinstance(value, str) else Partial((("", None), *value.pieces))
            inner = frame.inside(f"git {name}", span=span)
            child = _moved(words[:index], state.process(run.environment))
            return run.run_text(text, child, inner)
        expanded = [Word(each) for each in split_arguments(shown)]
        inner = frame.copy()
        inner.via = (*frame.via, f"git {name}")
        kept = _without_alias(words[1:index], name)
        return run.run_words([words[0], *kept, *expanded, *rest], call, state, inner)
    finally:
        state.aliases.update(saved)


def _without_alias(options: list[Word], name: str) -> list[Word]:
    """An alias may use others, and not itself."""
    kept: list[Word] = []
    for word in options:
        if word.text.partition("=")[0].lower() == f"alias.{name}".lower() and kept and kept[-1].text == "-c":
            kept.pop()
        else:
            kept.append(word)
    return kept


def _texts(words: list[Word], index: int, settings: list[Word]) -> Iterator[tuple[str, Scalar]]:
    for word in settings:
        key, _, _ = word.text.partition("=")
        yield from _setting(key, part_from(word, len(key) + 1))
    if index >= len(words):
        return
    subcommand, rest = words[index].text, words[index:]
    for value in option_values(rest, *_COMMAND_OPTIONS.get(subcommand, ())):
        yield f"git {subcommand}", of_word(value)
    for key, value in named_by_options(subcommand, rest[1:]):
        yield from _setting(key, value)
    if subcommand == "submodule" and "foreach" in [word.text for word in rest[:4]]:
        start = [word.text for word in rest].index("foreach") + 1
        operands = [word for word in rest[start:] if word.text not in ("--recursive", "--quiet", "-q")]
        yield "git submodule foreach", of_words(operands)
    if subcommand == "config":
        operands = _config_operands(rest)
        if len(operands) > 1:
            yield from _setting(operands[0].text, operands[1])
    if subcommand == "clone":
        for word in option_values(rest, "-c", "--config", "--confi", "--conf", "--con"):
            key, _, _ = word.text.partition("=")
            yield from _setting(key, part_from(word, len(key) + 1))
    for word in rest:
        if word.text.startswith(("ext::", "--remote=ext::")):
            yield "git ext::", of_word(part_from(word, word.text.index("ext::") + 5))


def _config_operands(rest: list[Word]) -> list[Word]:
    """The name and the value that `git config` is given."""
    operands, index = [], 1
    while index < len(rest):
        index = read_options(rest, index, _CONFIG).index
        operands += rest[index : index + 1]
        index += 1
    return operands[1:] if operands and operands[0].text in _CONFIG_VERBS else operands


def _setting(key: str, value: Word) -> Iterator[tuple[str, Scalar]]:
    """The value of a setting that git runs; an alias counts when it is used."""
    text = git_setting(key, value) if not key.lower().startswith("alias.") else None
    if text is not None:
        yield f"git {key}", text


def _remember_alias(rest: list[Word], state: State) -> None:
    """`git config alias.z …` gives the rest of the line a new subcommand."""
    if not rest or rest[0].text != "config":
        return
    operands = _config_operands(rest)
    if len(operands) > 1 and operands[0].text.lower().startswith("alias."):
        state.touch()
        state.aliases[f"git {operands[0].text[6:]}"] = of_word(operands[1])
