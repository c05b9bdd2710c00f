"""Programs that run a command for what they find or read: find, fd, xargs, parallel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise, product

from fairlead.shell.arguments import option_values, read_arguments
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.redirections import code_text, write_file
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, concat, of_words, unknown
from fairlead.shell.following.line_files.matched_scripts import run_matched
from fairlead.shell.following.wrapper_options import read_options
from fairlead.shell.language.escapes import decode_escapes
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.places.paths import absolute
from fairlead.shell.printing.outputs import output_of
from fairlead.shell.programs.record import Runs
from fairlead.shell.script import Word, Wrapper
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_pieces import substituted
from fairlead.shell.word_sets import names

_ACTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_XARGS = Runs(
    values=names(
        """
    -a -d -E -I -L -n -P -s -J -R -S
    --arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var --max-lines
    """
    ),
)
_PARALLEL = Runs(
    values=names(
        """
    -j -N -n -S -a -L -I -P -d -E -s -l
    --jobs --max-args --max-replace-args --sshlogin --arg-file --delay --timeout --retries --colsep
    --joblog --results --load --memfree --tmpdir --workdir --wd --delimiter --max-procs --nice
    --tagstring
    """
    ),
)
_FD_VALUED = names(
    """
    -t --type -e --extension -E --exclude -d --max-depth --min-depth --exact-depth -S --size -c --color -j
    --threads --changed-within --changed-before --newer --older -o --owner --max-results --ignore-file
    --format --search-path --base-directory -C --path-separator --batch-size
    """
)
_RUN_PARTS_VALUED = ("--arg", "-a", "--umask", "-u", "--regex")
MAX_ITEMS = 200
_FOUND = Unknown(Kind.FOUND_BY_FIND)


def run_find(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    root = _root(words)
    patterns = _patterns(root, [word.text for word in option_values(words, "-name", "-iname")], state)
    index = 1
    while index < len(words):
        if words[index].text not in _ACTIONS:
            index += 1
            continue
        end = _action_end(words, index)
        inner = [_found(word, root, "{}", patterns) for word in words[index + 1 : end]]
        if inner:
            action = words[index].text
            child = state
            if action.endswith("dir"):
                child = state.copy()
                child.cwd = None
            through = frame.through(Wrapper("find", tuple(words[: index + 1])))
            through.via = (*frame.via, f"find {action}")
            run.run_words(inner, call, child, through)
        index = end
    for index, word in enumerate(words[:-2]):
        if word.text == "-fprintf":
            write_file(words[index + 1], _printed(words[index + 2].text), state, append=False)
    return _paths_under(root, words, patterns) if frame.want else ""


def _patterns(root: Word | None, wanted: list[str], state: State) -> tuple[str, ...]:
    """Globs for what a search below a root finds, wherever that is looked at."""
    top = None if root is None or root.opaque or root.glob else absolute(root.text, state.cwd)
    return () if top is None else tuple([f"{top}/**/{name}" for name in wanted or ["*"]])


def _printed(format_text: str) -> Scalar:
    """What `-printf` prints for one path: the text around its directives is known."""
    pieces: list[Scalar] = []
    for text in re.split(r"(%[^\s%'\"\\])", decode_escapes(format_text)[0]):
        pieces.append(unknown("…", _FOUND) if text.startswith("%") and len(text) == 2 else text)
    return concat(pieces)


def _paths_under(root: Word | None, words: list[Word], patterns: tuple[str, ...]) -> Scalar:
    for value in option_values(words, "-printf"):
        return _printed(value.text)
    if root is None or root.opaque:
        return unknown("$(find)", _FOUND.replace(patterns=patterns))
    wanted = list(option_values(words, "-name"))
    found = f"**/{wanted[0].text}" if len(wanted) == 1 and "!" not in {word.text for word in words} else "…"
    return Partial(((root.text.rstrip("/") + "/", None), (found, _FOUND.replace(patterns=patterns))))


def _root(words: list[Word]) -> Word | None:
    """Where find starts, if that is one place."""
    roots = []
    for word in words[1:]:
        if word.text[:1] in ("-", "(", "!") and word.text not in ("-H", "-L", "-P"):
            break
        if word.text[:1] != "-":
            roots.append(word)
    if not roots:
        return Word(".")
    return roots[0] if len(roots) == 1 else None


def _action_end(words: list[Word], start: int) -> int:
    for index in range(start + 1, len(words)):
        text = words[index].text
        if text == ";" or (text == "+" and words[index - 1].text == "{}"):
            return index
    return len(words)


def _found(word: Word, root: Word | None, mark: str, patterns: tuple[str, ...]) -> Word:
    """`{}` stands for a path that cannot be known, below a root that may be."""
    if mark not in word.text or word.opaque:
        return word
    below = "" if root is None or root.opaque or root.glob else root.text.rstrip("/") + "/"
    path = Word(f"{below}{mark}", Unknown(Kind.FOUND, patterns=patterns), below)
    return substituted(word, mark, path)


def run_fd(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    run.emit(words, call, state, frame)
    for index, word in enumerate(words):
        if word.text in ("-x", "--exec", "-X", "--exec-batch"):
            root = _fd_root(words[:index])
            given = [each for each in words[index + 1 :] if each.text != ";"]
            wanted, _ = fd_operands(words[:index])
            patterns = _patterns(root, [wanted] if wanted else [], state)
            inner = [_found(each, root, "{}", patterns) for each in given]
            if not any("{" in each.text for each in given):
                inner.append(_found(Word("{}"), root, "{}", patterns))
            through = frame.through(Wrapper("fd", tuple(words[: index + 1])))
            through.via = (*frame.via, "fd --exec")
            run.run_words(inner, call, state, through)
            break
    return output_of(run, words, state, frame)


def _fd_root(words: list[Word]) -> Word | None:
    """Where fd starts, if that is one place."""
    _, roots = fd_operands(words)
    return None if len(roots) > 1 else roots[0] if roots else Word(".")


def _as_glob(expression: str) -> str:
    """What fd's expression finds, as a glob; nothing where it finds everything."""
    body = expression.strip("^$").replace("\\", "").replace(".*", "*")
    if not body.strip(".*"):
        return ""
    return ("" if expression.startswith("^") else "*") + body + ("" if expression.endswith("$") else "*")


def fd_operands(words: Sequence[Word]) -> tuple[str, list[Word]]:
    """What fd looks for, and where: `fd PATTERN ROOT...`; an extension asked for is a pattern as well."""
    operands: list[Word] = []
    roots: list[Word] = []
    extension = ""
    index = 1
    while index < len(words):
        name, equals, value = words[index].text.partition("=")
        index += 1
        if name in ("-x", "--exec", "-X", "--exec-batch"):
            break
        if name not in _FD_VALUED:
            operands += [words[index - 1]] if not name.startswith("-") else []
            continue
        given = words[index] if not equals and index < len(words) else Word(value)
        index += not equals
        extension = given.text if name in ("-e", "--extension") else extension
        roots += [given] if name in ("--search-path", "--base-directory", "-C") else []
    pattern = _as_glob(operands[0].text) if operands else ""
    if extension and not pattern:
        pattern = f"*.{extension.lstrip('.')}"
    return pattern, [*roots, *operands[1:]]


def run_parts(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    """`run-parts FOLDER` runs all that is in a folder."""
    run.emit(words, call, state, frame)
    given = read_arguments(words[1:], valued=_RUN_PARTS_VALUED)
    if run.sources.are_read and given.operands and not given.has("--test", "--list"):
        every = given.operands[-1].replace(text=f"{given.operands[-1].text.rstrip('/')}/*", glob=True)
        through = frame.through(Wrapper("run-parts", tuple(words)))
        run_matched(run, [every], call, state, through)
    return output_of(run, words, state, frame)


def run_xargs(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    prepared = [_with_value(word) for word in words]
    options = read_options(prepared, 1, _XARGS)
    inner = words[options.index :] or [Word("echo")]
    through = frame.through(Wrapper("xargs", tuple(words[: options.index])))
    through.feed = type(frame.feed)()
    source = frame.feed.text
    argument_file = options.values.get("-a") or options.values.get("--arg-file")
    if argument_file:
        source = code_text(run, argument_file, state, frame.feed)
    mark = options.values.get("-I") or options.values.get("-J") or options.values.get("--replace")
    name = mark.text if mark else ("{}" if {"-i", "--replace"} & set(options.names) else "")
    items = _items(source, options.names, options.values)
    if name:
        output: Scalar = ""
        for item in items:
            replaced = [substituted(word, name, item) for word in inner]
            output = run.run_words(replaced, call, state, through)
        return output
    return run.run_words([*inner, *items], call, state, through)


def _with_value(word: Word) -> Word:
    """`-i` and `--replace` may carry their mark."""
    return (
        word.replace(text="-I" + word.text[2:]) if word.text.startswith("-i") and len(word.text) > 2 else word
    )


def _items(source: Scalar | None, names: list[str], values: dict[str, Word]) -> list[Word]:
    """The arguments that xargs reads, or one that stands for all of them."""
    if isinstance(source, str):
        delimiter = values.get("-d") or values.get("--delimiter")
        if "-0" in names or "--null" in names:
            texts = source.split("\0")
        elif delimiter:
            texts = source.split(delimiter.text.replace("\\n", "\n").replace("\\0", "\0")[:1] or "\n")
        elif "-I" in names or "-i" in names or "-L" in names:
            texts = source.split("\n")
        else:
            texts = split_arguments(source)
        found = [text for text in texts if text]
        if len(found) <= MAX_ITEMS:
            return [Word(text) for text in found]
    if isinstance(source, Partial):
        shown, why = source.pieces[0]
        prefix = "" if why else shown.rpartition("\n")[2]
        return [Word(f"{prefix}…", source.unknown.within(Kind.XARGS_ITEM), prefix)]
    return [Word("…", Unknown(Kind.XARGS_ITEM))]


def run_parallel(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar:
    options = read_options(words, 1, _PARALLEL)
    if any(word.text in ("--dry-run", "--dryrun") for word in words[1 : options.index]):
        run.emit(words[: options.index], call, state, frame)
        return ""
    rest = words[options.index :]
    marks = [index for index, word in enumerate(rest) if word.text in (":::", ":::+", "::::")]
    inner = rest[: marks[0]] if marks else rest
    items = _parallel_items(rest, marks, frame)
    wrapper = Wrapper("parallel", tuple(words[: options.index]))
    through = frame.through(wrapper).inside("parallel", span=run.span(call.start, call.end, frame))
    if not inner:
        for item in items:
            run.run_text(of_words([item]), state.copy(), through)
        return output_of(run, words, state, frame)
    if "--pipe" in options.names:
        return run.run_text(of_words(inner), state.copy(), through)
    for group in _parallel_groups(rest, marks) or [[item] for item in items]:
        replaced = [_parallel_word(word, group) for word in inner]
        if not any("{" in word.text for word in inner):
            replaced += group
        run.run_text(of_words(replaced), state.copy(), through)
    return output_of(run, words, state, frame)


def _parallel_word(word: Word, group: list[Word]) -> Word:
    """`{}` is all that is given, `{2}` the second of it."""
    for number, item in enumerate(group, 1):
        word = substituted(word, f"{{{number}}}", item)
    for mark in ("{}", "{.}"):
        word = substituted(word, mark, group[0])
    return word


def _parallel_groups(rest: list[Word], marks: list[int]) -> list[list[Word]]:
    """With several lists of arguments, every one of the first with every one of the others."""
    if len(marks) < 2 or any(rest[mark].text == "::::" for mark in marks):
        return []
    lists = [rest[mark + 1 : end] for mark, end in pairwise([*marks, len(rest)])]
    return [list(group) for group in islice(product(*lists), MAX_ITEMS)]


def _parallel_items(rest: list[Word], marks: list[int], frame: Frame) -> list[Word]:
    if marks and rest[marks[0]].text == ":::":
        items = [word for word in rest[marks[0] + 1 :] if not word.text.startswith(":::")]
        return items[:MAX_ITEMS] if len(items) <= MAX_ITEMS else [Word("…", Unknown(Kind.MANY_ARGUMENTS))]
    if not marks and isinstance(frame.feed.text, str):
        lines = [line for line in frame.feed.text.split("\n") if line]
        if len(lines) <= MAX_ITEMS:
            return [Word(line) for line in lines]
    fed = frame.feed.text
    return [Word("…", fed.unknown if isinstance(fed, Partial) else Unknown(Kind.PARALLEL_ITEM))]
