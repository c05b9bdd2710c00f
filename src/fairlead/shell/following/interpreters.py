"""Interpreters of other languages: where the code they are given stands."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise, takewhile
from types import MappingProxyType

from fairlead.shell.expansion.parameters import lookup
from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import code_text, contents, fed_code, file_text
from fairlead.shell.expansion.source_files import FileText
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, of_word, of_words
from fairlead.shell.following.line_files.code_writes import remember_writes
from fairlead.shell.following.line_files.fetched_files import imported
from fairlead.shell.following.line_files.script_files import add_code
from fairlead.shell.language.escapes import decode_escapes
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.programs.record import Interprets
from fairlead.shell.programs.running import INTERPRETS, interprets_of
from fairlead.shell.script import COMPILED, Command, Word, Wrapper
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_pieces import part_from
from fairlead.shell.word_sets import names

_ENDINGS = {
    "python": ("", ".py", "/__main__.py"),
    "javascript": ("", ".js"),
    "ruby": ("", ".rb"),
    "perl": ("", ".pl"),
}
"""What a name of a module lacks to be that of a file."""
_LOADING = names("-m -r --require --import --loader")
_MODULES_OF_CODE = names("timeit cProfile profile")
_SHORT = 2
"""Characters of an option that may stand together with others."""
_VERSION = lazy(r"[0-9.]+(?:-dbg|w)?\Z")


def interpreter_for(name: str) -> Interprets | None:
    if name in INTERPRETS:
        return interprets_of(name)
    if name and (name[-1].isdigit() or name[-1] in "gw"):
        plain = _VERSION.sub("", name)
        return interprets_of(plain) if plain in INTERPRETS else None
    return None


class _Given:
    """What an interpreter was given: code, or a file's name, or neither."""

    __slots__ = ("codes", "library", "module", "named", "operands")

    def __init__(self) -> None:
        self.codes: list[Scalar] = []
        self.operands: list[Word] = []
        self.module = False
        self.named: Word | None = None
        self.library = False


def run_interpreter(
    run: Reading, interpreter: Interprets, words: list[Word], call: Call, state: State, frame: Frame
) -> Scalar:
    command = run.emit(words, call, state, frame)
    if _only_checks(words, interpreter):
        return output_of(run, words, state, frame)
    return _interpreted(run, interpreter, words, call, command, state, frame)


def _interpreted(
    run: Reading,
    interpreter: Interprets,
    words: list[Word],
    call: Call,
    command: Command,
    state: State,
    frame: Frame,
) -> Scalar:
    given = _read_joined(words, interpreter) if interpreter.joined else _read(words, interpreter)
    given.codes = [contents(run, text) for text in given.codes]
    for text in given.codes:
        add_code(run, interpreter.language, text, command)
        if interpreter.language == "python" and isinstance(text, str):
            imported(run, text, state, (command.start, command.end))
        if isinstance(text, str):
            remember_writes(text, state)
        if command.name.startswith(("ipython", "xonsh")):
            _run_magic(run, text if isinstance(text, str) else text.shown, command, state, frame)
        if isinstance(text, Partial) and (text.network or text.pieces[0][1]):
            run.note(text.unknown.within(Kind.RUNS_CODE), (command.start, command.end), executed=True)
    program = given.codes[0] if given.library and given.codes else None
    if isinstance(program, str):  # `ruby -run -e rm -- -rf x` has commands of its own
        through = frame.through(Wrapper("ruby", (words[0],)))
        run.run_words([Word(program), *given.operands], call, state, through)
    if state.files or (interpreter.language in _PRELOADS and run.sources.are_read):
        _written_sources(run, interpreter, words, command, state)
    if interpreter.sources:
        _source_files(run, interpreter, given, command, state, frame)
    elif not given.codes and not given.module:
        _operand_or_stdin(run, interpreter, given, command, state, frame)
    elif given.module and not given.codes and run.sources.are_read:
        module = given.named or next(iter(given.operands), None)
        found = None if module is None or module.opaque else _module_text(run, module, state)
        if found is not None:
            add_code(run, interpreter.language, found, command)
    texts = given.codes or ([frame.feed.text] if frame.feed.text is not None else [])
    printed = _printed(texts[0]) if frame.want and len(texts) == 1 and not given.module else None
    return output_of(run, words, state, frame) if printed is None else printed


_CHECKING = {
    "ruby": names("-c -cw -wc"),
    "php": names("-l --syntax-check"),
    "javascript": names("-c --check"),
}
_PRELOADING = ("-r", "--require", "--import", "--loader", "--experimental-loader", "-I", "-d", "-c=")


def _only_checks(words: list[Word], interpreter: Interprets) -> bool:
    """`ruby -c`, `php -l`, `node --check`: whether the code can be parsed. What is loaded before runs all the
    same, and so does a part of perl's code."""
    checking = _CHECKING.get(interpreter.language)
    texts = [word.text for word in words[1:] if word.text[:1] == "-"]
    if checking is None or checking.isdisjoint(texts) or not checking.isdisjoint(interpreter.code):
        return False
    return not any(text.startswith(_PRELOADING) for text in texts)


_PRINT = lazy(r"(?:print|puts|say|echo|console\.log)\s*\(?\s*([\"'])((?:\\.|(?!\1)[^\\])*)\1\s*\)?\s*;?")


def _printed(code: Scalar) -> str | None:
    """The output of code that does nothing but print literals."""
    lines = [line.strip() for line in code.split("\n") if line.strip()] if isinstance(code, str) else []
    found = [_PRINT.fullmatch(line) for line in lines[:50]]
    if not found or len(lines) > len(found) or None in found:
        return None
    return "".join(decode_escapes(match[2])[0] + "\n" for match in found if match)


def _written_sources(
    run: Reading, interpreter: Interprets, words: list[Word], command: Command, state: State
) -> None:
    """Files that are loaded as well: `-m module`, `--require ./file`."""
    run.written = state.files
    words = [*words, *_told_by_variable(run, interpreter, command, state)]
    loaded = [word.text for before, word in pairwise(words) if before.text in _LOADING and word.known]
    loaded += [word.text.partition("=")[2] for word in words if word.text.partition("=")[0] in _LOADING]
    loaded += [word.text[2:] for word in words if word.text[:3] in ("-r.", "-r/")]
    loaded += ["sitecustomize"] if interpreter.language == "python" else []
    for name in loaded[:20]:
        for ending in _ENDINGS.get(interpreter.language, ()):
            path = f"{name}{ending}"
            text: object = state.files.get(absolute(path, state.cwd) or "")
            if text is None and name.startswith((".", "/")) and run.sources.are_read:
                text = code_text(run, Word(path), state, searched=True)
            if isinstance(text, str):
                add_code(run, interpreter.language, text, command)


_PRELOADS = {"javascript": "NODE_OPTIONS", "ruby": "RUBYOPT"}
"""Variables with options of their interpreters."""


def _told_by_variable(run: Reading, interpreter: Interprets, command: Command, state: State) -> list[Word]:
    name = _PRELOADS.get(interpreter.language, "")
    given = command.assignments.get(name)
    told = given.text if given is not None and given.known else lookup(run, state, name) if name else ""
    return [Word(part) for part in told.split()] if isinstance(told, str) else []


_BUILDING = names("build vet test list mod fmt get generate restore clean pack env version work tidy")
"""Subcommands that take a folder as it is, and run nothing of it but its tests."""
_LOOKING = names("vet list mod fmt get restore clean pack env version work tidy")
"""Of these, those that make no program."""
_FILE_OF_CODE = lazy(r"\w\.\w+\Z")


def _source_files(
    run: Reading, interpreter: Interprets, given: _Given, command: Command, state: State, frame: Frame
) -> None:
    """What is compiled is taken to run: code by its name, and whatever the line itself wrote."""
    told = given.operands[0].text if given.operands else ""
    sources = _run_sources(given.operands[1:]) if told == "run" else given.operands
    for word in sources:
        if told in _BUILDING and not _FILE_OF_CODE.search(word.text):
            continue
        language = interpreter.language
        if told == "run" or (word is sources[0] and word.text.endswith(_RUN_AT_ONCE.get(command.name, ()))):
            text = code_text(run, word, state, frame.feed)
        elif told not in _LOOKING and word.text.endswith(_COMPILED):
            text = code_text(run, word, state, frame.feed, searched=True)
            language = COMPILED if isinstance(text, FileText) else language
        else:
            text = file_text(run, word, state, frame.feed)
        if text is not None:
            add_code(run, language, text, command)
            _note_network(run, text, command)


_RUN_AT_ONCE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"java": (".java",), "kotlin": (".kts",), "swift": (".swift",), "scala": (".scala", ".sc")}
)
"""Programs that compile a source and run it without being told more."""


def _run_sources(operands: list[Word]) -> list[Word]:
    """What is compiled and run: the files of code in front, or one package; the rest is given to it."""
    files = list(takewhile(lambda word: word.text.endswith(_COMPILED), operands))
    return files or operands[:1]


_COMPILED = (
    ".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".go", ".rs", ".d", ".nim", ".java", ".cs", ".v", ".zig", ".kt",
    ".swift", ".cr", ".ml", ".pas", ".f90",
)  # fmt: skip


def _run_magic(run: Reading, code: str, command: Command, state: State, frame: Frame) -> None:
    """`!command` in IPython leaves to a shell; every line of xonsh may be one of a shell."""
    for line in code.split("\n"):
        if line.lstrip().startswith("!") or command.name == "xonsh":
            inner = frame.inside("ipython !", span=(command.start, command.end))
            run.run_text(line.lstrip().lstrip("!"), state.process(run.environment), inner)


def _operand_or_stdin(
    run: Reading, interpreter: Interprets, given: _Given, command: Command, state: State, frame: Frame
) -> None:
    feed = frame.feed
    if given.operands and given.operands[0].text not in ("-", "/dev/stdin"):
        text = _program_text(run, interpreter, given, state, feed)
        if text is not None:
            add_code(run, interpreter.language, text, command)
            _note_network(run, text, command)
        return
    text = fed_code(run, feed, state)
    if feed.kind == "inherit" or (feed.kind == "file" and text is None):
        return  # a file by its name, as if it were the operand
    add_code(run, interpreter.language, text, command, Unknown(Kind.INPUT))
    if isinstance(text, str):
        remember_writes(text, state)
    if feed.kind == "pipe" and not isinstance(text, str | Partial):
        run.note(Unknown(Kind.RUNS_CODE_OF_INPUT), (command.start, command.end), executed=True)
    elif isinstance(text, Partial):
        run.note(text.unknown.within(Kind.RUNS_CODE), (command.start, command.end), executed=True)


_TOLD_TO_RUN = names("run watch")
_TELLING = names("javascript dart")
"""Languages whose programs are told to run a file: deno, bun, tsx, dart."""
_LIBRARIES = (".cma", ".cmxa", ".cmo")
"""Of OCaml: they stand before the file that is run."""
_FILES_TRIED = {"python": ("", "/__main__.py"), "javascript": ("", ".js", ".ts", "/index.js")}


def _program_text(
    run: Reading, interpreter: Interprets, given: _Given, state: State, feed: Feed
) -> Scalar | None:
    """The code in the file that is named; a name may lack what every file of that language has."""
    operands = given.operands
    if operands[0].text in _TOLD_TO_RUN and interpreter.language in _TELLING:
        operands = [word for word in operands[1:] if not word.text.startswith("-")] or operands
    operands = [word for word in operands if not word.text.endswith(_LIBRARIES)] or operands
    for ending in _FILES_TRIED.get(interpreter.language, ()):
        path = operands[0].replace(text=f"{operands[0].text}{ending}")
        text = code_text(run, path, state, feed, searched=True)
        if text is not None:
            return text
    return code_text(run, operands[0], state, feed)


def _module_text(run: Reading, module: Word, state: State) -> Scalar | None:
    """The code of a module of the project; one that is not there is somebody's who installed it."""
    folders = lookup(run, state, "PYTHONPATH")
    name = module.text.replace(".", "/")
    for folder in ("", *(folders.split(":")[:20] if isinstance(folders, str) else ())):
        for ending in ("/__main__.py", ".py"):
            path = f"{folder}/{name}{ending}" if folder else f"{name}{ending}"
            text = code_text(run, module.replace(text=path), state, searched=True)
            if text is not None:
                return text
    return None


def _note_network(run: Reading, text: Scalar, command: Command) -> None:
    if isinstance(text, Partial) and text.network:
        span = (command.start, command.end)
        run.note(text.unknown.within(Kind.RUNS_CODE), span, executed=True)


def _read(words: list[Word], interpreter: Interprets) -> _Given:
    given = _Given()
    index = 1
    if len(words) > 2 and words[1].text in interpreter.subcommands:
        first = next((word for word in words[2:] if not word.text.startswith("-")), words[2])
        given.codes.append(of_word(first))
        return given
    while index < len(words):
        word = words[index]
        text = word.text
        if text == "--":
            index += 1
            break
        if not text.startswith("-") or text == "-":
            break
        index += 1
        name, equals, _ = text.partition("=")
        if name in interpreter.code and len(name) > _SHORT:
            if equals:
                given.codes.append(of_word(part_from(word, len(name) + 1)))
            elif index < len(words):
                given.codes.append(of_word(words[index]))
                index += 1
        elif name in interpreter.values and not equals:
            index += 1
        elif not text.startswith("--"):
            index = _cluster(words, index, interpreter, given)
        if given.module:
            break
    given.operands = words[index:]
    if given.module and len(given.operands) > 1 and given.operands[0].text in _MODULES_OF_CODE:
        given.codes += [of_word(word) for word in given.operands[1:] if not word.text.startswith("-")]
    return given


def _read_joined(words: list[Word], interpreter: Interprets) -> _Given:
    """Where all words behind the options, or behind the one for code, are one text."""
    given = _Given()
    index = 1
    while index < len(words) and words[index].text.startswith("-") and words[index].text != "-":
        name = words[index].text.lower()
        index += 1
        if name in interpreter.code and words[index : index + 1] and words[index].text == "-":
            given.operands = words[index:]
            return given
        if name in interpreter.code:
            given.codes.append(of_words(words[index:]))
            return given
        index += name in interpreter.values
    given.operands = words[index:]
    if given.operands and not given.operands[0].text.lower().endswith((interpreter.joined, "-")):
        given.codes.append(of_words(given.operands))
    return given


def _cluster(words: list[Word], index: int, interpreter: Interprets, given: _Given) -> int:
    """Short options written together, such as `-lne`; the place after them and their value."""
    word = words[index - 1]
    for place, letter in enumerate(word.text[1:], 2):
        option = f"-{letter}"
        if option in interpreter.module:
            given.module = True
            given.named = part_from(word, place) if word.text[place:] else None
            return index
        if option in interpreter.code:
            joined = word.text[place:]
            if (
                joined and not {f"-{each}" for each in joined} <= interpreter.code
            ):  # `node -pe` has two letters for code
                given.codes.append(of_word(part_from(word, place)))
            elif index < len(words):
                given.codes.append(of_word(words[index]))
                index += 1
            return index
        if option in interpreter.values:
            if interpreter.language == "ruby" and word.text == "-run":
                given.library = True
            return index if word.text[place:] else index + 1
        if interpreter.language == "perl" and letter in "mMIF":
            return index
    return index
