"""What programs print, where it follows from their arguments and input alone."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.globbed_paths import one_of
from fairlead.shell.expansion.parameters import MISSING, lookup
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.redirections import file_text, unknown_output
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, concat, of_word, unknown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.normal_form import words_text
from fairlead.shell.places.paths import absolute
from fairlead.shell.printing.echo_and_printf import format_echo, format_printf
from fairlead.shell.printing.line_filters import LINE_FILTERS
from fairlead.shell.printing.text_filters import FILTERS
from fairlead.shell.script import Word, program_name
from fairlead.shell.unknown import Kind, Stage, Unknown
from fairlead.shell.word_sets import names

NETWORK_PROGRAMS = names(
    """
    curl wget http https xh aria2c axel lynx w3m links elinks nc ncat netcat socat telnet ftp fetch
    httpie scp sftp rsync gsutil s3cmd dig host nslookup drill
    """
)
MAX_SHOWN = 120


def output_of(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar:
    """The output if it is wanted; unknown, with the reason, where it does not follow."""
    if not frame.want:
        return ""
    name = program_name(words[0].text)
    known = _OUTPUTS.get(name)
    found = known(run, words, state, frame) if known else None
    if found is None:
        found = _filtered(run, words, state, frame, name)
    if found is not None:
        return found
    text = frame.feed.text
    fed = text.unknown if isinstance(text, Partial) else None
    network = name in NETWORK_PROGRAMS or (fed is not None and fed.network)
    return _output(words, network=network, earlier=() if fed is None else fed.commands())


def _output(words: list[Word], *, network: bool = False, earlier: tuple[Stage, ...] = ()) -> Partial:
    stage = tuple([word.text for word in words])
    return unknown_output(words_text(words)[:MAX_SHOWN], stage, network=network, earlier=earlier)


def _filtered(run: Reading, words: list[Word], state: State, frame: Frame, name: str) -> Scalar | None:
    """A program that turns its input into its output in a way that we can follow."""
    takes_input = FILTERS.get(name) or LINE_FILTERS.get(name)
    if takes_input is None or any(word.opaque for word in words):
        return None
    feed, arguments, read = frame.feed.text, [word.text for word in words[1:]], _reader(run, state, frame)
    if not isinstance(feed, Partial) or not is_listing(feed):
        return takes_input(arguments, feed if isinstance(feed, str) else None, read)
    one = run.as_source(feed)
    line = " ".join([one] * (_COLUMNS if name in _BY_COLUMN else 1))
    made = takes_input(arguments, f"{line}\n", read)
    return None if made is None or one not in made else run.as_value(made)


_COLUMNS, _BY_COLUMN = 12, names("awk gawk mawk cut")
_LISTERS = names("fd fdfind ls tree")


def is_listing(value: Partial) -> bool:
    """Whether it is a list of files, of which one may stand for all."""
    return not value.network and all(map(_lists_files, value.unknown.parts()))


def _lists_files(part: Unknown) -> bool:
    if part.kind == Kind.OUTPUT:
        return part.program in _LISTERS and len(part.stages[-1]) > 1
    return part.kind in (Kind.FOUND_BY_FIND, Kind.MATCH)


def _reader(run: Reading, state: State, frame: Frame) -> Callable[[str], str | None]:
    def read(path: str) -> str | None:
        text = file_text(run, Word(path), state, frame.feed)
        return text if isinstance(text, str) else None

    return read


def _echo(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar:
    return format_echo(words)


def _printf(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    rest = words[2:] if len(words) > 1 and words[1].text == "--" else words[1:]
    return format_printf(rest[0], rest[1:]) if rest else ""


def _cat(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    paths = [word for word in words[1:] if not word.text.startswith("-") or word.text == "-"]
    if any(word.text.startswith("-") and word.text not in ("-", "-u", "--") for word in words[1:]):
        return None
    feed = frame.feed
    if not paths and feed.kind == "file" and feed.text is None and feed.path is not None:
        paths = [feed.path]
    if not paths:
        return feed.text
    texts = [file_text(run, path, state, feed) for path in paths]
    if None not in texts:
        return concat(text for text in texts if text is not None)
    if any(text is not None for text in texts) or not run.sources.are_read:
        return None
    shown, why = _output(words).pieces[0]
    full = [None if path.opaque or path.glob else absolute(path.text, state.cwd) for path in paths]
    assert why is not None
    return unknown(shown, why.replace(files=() if None in full else tuple(filter(None, full))))


def _pwd(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    return None if state.cwd is None else state.cwd + "\n"


def _nothing(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar:
    return ""


def _tee(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    return frame.feed.text


def _basename(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    if not 2 <= len(words) <= 3 or any(word.opaque or word.text.startswith("-") for word in words[1:]):
        return None
    name = os.path.basename(words[1].text.rstrip("/")) or "/"
    suffix = words[2].text if len(words) == 3 else ""
    return (name.removesuffix(suffix) if name != suffix else name) + "\n"


def _dirname(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    if len(words) != 2 or words[1].opaque:
        return None
    path = words[1].text.rstrip("/")
    return (os.path.dirname(path) or ("/" if words[1].text and not path else ".")) + "\n"


def _realpath(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    paths = [word for word in words[1:] if not word.text.startswith("-")]
    if len(paths) != 1 or paths[0].opaque or paths[0].glob:
        return None
    full = absolute(paths[0].text, state.cwd)
    return None if full is None else full + "\n"


def _which(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    """`which rm`, `command -v rm`, `type -p rm`: where it lies is not known, but what it is."""
    operands = [word for word in words[1:] if not word.text.startswith("-")]
    options = {word.text for word in words[1:] if word.text.startswith("-")}
    asks = program_name(words[0].text) == "which" or options & {"-v", "-p", "-P"}
    if not asks or len(operands) != 1 or operands[0].opaque or "/" in operands[0].text:
        return None
    return f"/usr/bin/{operands[0].text}\n"


def _mktemp(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    """A new name under the temporary directory: not exact, but a place that is known."""
    if any(word.opaque for word in words):
        return None
    texts = [word.text for word in words[1:]]
    folder = lookup(run, state, "TMPDIR")
    place = folder if isinstance(folder, str) and folder else "/tmp"  # noqa: S108 - where mktemp puts it
    for flag, value in pairwise(texts):
        if flag in ("-p", "--tmpdir"):
            place = value
    operands = [text for text in texts if not text.startswith("-") and text != place]
    template = operands[-1] if operands else "tmp.XXXXXXXXXX"
    if "/" not in template and (not operands or {"-t", "-p", "--tmpdir"} & set(texts)):
        template = f"{place}/{template}"
    if any(re.match(r"^-[a-z]*d|^--directory$", text) for text in texts):
        state.made.add(template)
    return template + "\n"


def _ls(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    """`ls -d GLOB` prints what the glob stands for; one of them may stand for all."""
    operands = [word for word in words[1:] if not word.text.startswith("-")]
    itself = any(re.match(r"^-\w*d|^--directory$", word.text) for word in words[1:])
    if not itself or len(operands) != 1 or not operands[0].glob or operands[0].opaque:
        return _listed(words, operands)
    return concat((one_of(operands[0].text), "\n"))


def _listed(words: list[Word], operands: list[Word]) -> Scalar | None:
    """Names of files, as they are printed, with the globs for where those lie."""
    shown, why = _output(words).pieces[0]
    if why is None or any(word.opaque for word in operands):
        return None
    paths = [word.text for word in operands]
    patterns = (*paths, *(f"{path.rstrip('/')}/*" for path in paths)) if paths else ("*",)
    return unknown(shown, why.replace(patterns=patterns))


_GIT_FOLDERS = names("--git-dir --absolute-git-dir --git-common-dir")


def _getent(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    """`getent passwd NAME`: whose home is the home."""
    if len(words) != 3 or words[1].text != "passwd" or not words[2].known:
        return None
    name = words[2].text
    home = run.home if run.home.endswith(f"/{name}") else f"/home/{name}"
    return f"{name}:x:1000:1000::{home}:/bin/bash\n"


_CACHES = {
    "npm config get cache": ".npm",
    "yarn cache dir": ".cache/yarn",
    "pip cache dir": ".cache/pip",
    "pip3 cache dir": ".cache/pip",
    "uv cache dir": ".cache/uv",
    "go env GOCACHE": ".cache/go-build",
    "go env GOMODCACHE": "go/pkg/mod",
    "brew --cache": "Library/Caches/Homebrew",
    "poetry config cache-dir": ".cache/pypoetry",
}
"""Below the home, where these say that they keep what they can fetch again."""


def _cache(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    place = _CACHES.get(words_text(words))
    home = lookup(run, state, "HOME")
    return f"{home}/{place}\n" if place is not None and isinstance(home, str) else None


_PLACEHOLDER = lazy(r"%(?:\([^()]*\)|[A-Za-z]{1,2})")


def _formatted(form: str, words: list[Word]) -> Iterator[Scalar]:
    """One line of what git prints in a form that it is given: only the text between its signs is known."""
    end = 0
    for match in _PLACEHOLDER.finditer(form):
        yield form[end : match.start()]
        yield _output(words)
        end = match.end()
    yield form[end:]


def _git(run: Reading, words: list[Word], state: State, frame: Frame) -> Scalar | None:
    """`git rev-parse --show-toplevel`, in the repository in which the text is read; a form with its signs."""
    form = next(iter(option_values(words, "--format", "--pretty")), None)
    if form is not None and _PLACEHOLDER.search(form.text):
        return concat((*_formatted(form.text.removeprefix("format:"), words), "\n"))
    if (
        words[1:]
        and words[1].text == "rev-parse"
        and words[-1].text in _GIT_FOLDERS
        and state.cwd is not None
    ):
        return f"{run.top or state.cwd}/.git\n"
    if [word.text for word in words[1:3]] == ["rev-parse", "--git-path"] and state.cwd is not None:
        return concat((f"{run.top or state.cwd}/.git/", *map(of_word, words[3:4]), "\n"))
    asked = [word.text for word in words[1:]] == ["rev-parse", "--show-toplevel"]
    inside = state.cwd is not None and (state.cwd == run.top or state.cwd.startswith(f"{run.top}/"))
    moved = any(lookup(run, state, name) is not MISSING for name in ("GIT_DIR", "GIT_WORK_TREE"))
    return f"{run.top}\n" if run.top and asked and inside and not moved else None


_OUTPUTS: dict[str, Callable[[Reading, list[Word], State, Frame], Scalar | None]] = {
    "echo": _echo, "printf": _printf, "cat": _cat, "pwd": _pwd, "true": _nothing, ":": _nothing,
    "false": _nothing, "tee": _tee, "basename": _basename, "dirname": _dirname, "realpath": _realpath,
    "readlink": _realpath, "git": _git, "mktemp": _mktemp, "which": _which, "command": _which, "type": _which,
    "ls": _ls, "sleep": _nothing, "mkdir": _nothing, "touch": _nothing,
    "cd": _nothing, "export": _nothing, "set": _nothing, "rm": _nothing, "cp": _nothing, "mv": _nothing,
    **dict.fromkeys((text.split()[0] for text in _CACHES), _cache),
    "getent": _getent,
    "chmod": _nothing, "test": _nothing, "[": _nothing, "read": _nothing,
}  # fmt: skip
