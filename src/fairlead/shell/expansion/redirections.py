"""Redirections: what a command reads, where its output goes, and files that the line writes."""

from __future__ import annotations

from fairlead.shell.expansion.descriptors import open_for_writing, written_through
from fairlead.shell.expansion.reading import Feed, Frame, Reading
from fairlead.shell.expansion.source_files import FileText
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, concat, unknown
from fairlead.shell.expansion.words_to_arguments import expand_text, expand_word, parts_text
from fairlead.shell.language.syntax_tree import RedirectNode
from fairlead.shell.places.paths import absolute
from fairlead.shell.script import Piece, Redirect, Word
from fairlead.shell.unknown import Kind, Stage, Unknown

_WRITES = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
_STANDARD_OUTPUT = frozenset({"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
STANDARD_INPUT = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-"})


_MOST_TARGETS = 16
_MOST_NAMES = 500
"""Of what is in a folder."""
_MOST_SHOWN = 80
_MOST_STAGES = 32
"""Commands that are remembered of one pipe: where it begins, and how it ends."""


class Opened:
    """The redirections of one command: as values, as its input, and the file that takes its output."""

    __slots__ = ("append", "diverted", "feed", "redirects", "sink")

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.redirects: list[Redirect] = []
        self.sink: Word | None = None
        self.append = False
        self.diverted = False


def open_redirects(run: Reading, nodes: list[RedirectNode], state: State, frame: Frame) -> Opened:
    opened = Opened(frame.feed)
    if 1 in state.descriptors and not frame.want:
        opened.sink, opened.append, opened.diverted = state.descriptors[1], True, True
    for node in nodes:
        run.budget.spend()
        descriptor = _descriptor(node, state)
        if node.body is not None or node.operator == "<<<":
            text = (
                concat((expand_text(run, node.target, state, frame), "\n"))
                if node.body is None
                else parts_text(run, node.body, state, frame)
            )
            if descriptor in (None, 0):
                opened.feed = Feed("text", text)
            else:
                state.files[f"/dev/fd/{descriptor}"] = text
        else:
            _open_file(run, node, descriptor, opened, state, frame)
    return opened


def _descriptor(node: RedirectNode, state: State) -> int | None:
    """Its number; `{name}<` gets one that is free."""
    if not node.variable:
        return node.descriptor
    number = 10 + sum(1 for path in state.files if path.startswith("/dev/fd/1"))
    state.assign(node.variable, str(number))
    return number


def _open_file(
    run: Reading, node: RedirectNode, descriptor: int | None, opened: Opened, state: State, frame: Frame
) -> None:
    words = expand_word(run, node.target, state, frame)
    span = run.span(node.target.start, node.target.end, frame)
    target = words[0] if len(words) == 1 else Word("", Unknown(Kind.NOT_ONE_FILE), "", False, *span)
    operator = node.operator
    duplicates = operator in (">&", "<&") and (target.text.rstrip("-").isdigit() or target.text == "-")
    if operator == ">&" and not duplicates:
        operator = "&>"
    opened.redirects.append(Redirect(operator, target, descriptor))
    if len(words) > 1:  # an error in bash; zsh opens all of them
        opened.redirects += [Redirect(operator, word, descriptor) for word in words[:_MOST_TARGETS]]
    if operator == "<" and descriptor in (None, 0):
        opened.feed = Feed("file", file_text(run, target, state, frame.feed), target)
    elif operator == "<":
        known = file_text(run, target, state, frame.feed)
        state.files[f"/dev/fd/{descriptor}"] = content_of(target, state) if known is None else known
    elif operator == "<&" and descriptor in (None, 0) and target.text.isdigit():
        path = f"/dev/fd/{target.text}"
        opened.feed = Feed("pipe", state.files.get(path, unknown(path, Unknown(Kind.DESCRIPTOR))))
    elif operator in _WRITES:
        _write_to(state, target, descriptor, opened, append=operator in (">>", "&>>"))
    elif operator == ">&" and target.text != str(descriptor or 1):
        _write_beside(state, target, descriptor, opened)


def _write_to(state: State, target: Word, descriptor: int | None, opened: Opened, *, append: bool) -> None:
    behind = written_through(state, target)
    if behind is not None:
        target, append = behind, True
    elif target.text in _STANDARD_OUTPUT and descriptor in (None, 1):
        return
    if descriptor in (None, 1):
        opened.sink, opened.append, opened.diverted = target, append, True
    if target.text != "/dev/null" or state.descriptors:
        open_for_writing(state, descriptor or 1, target)


def _write_beside(state: State, other: Word, descriptor: int | None, opened: Opened) -> None:
    """`>&3`: to where the other descriptor leads."""
    target = written_through(state, other)
    if descriptor in (None, 1):
        opened.diverted, opened.sink, opened.append = True, target, True
    if target is not None or state.descriptors:
        open_for_writing(state, descriptor or 1, target)


def content_of(path: Word, state: State, kind: str = Kind.CONTENT, shown: str = "") -> Partial:
    """What stands for the whole content of a file."""
    full = None if path.opaque or path.glob else absolute(path.text, state.cwd)
    files = () if full is None else (full,)
    return unknown(shown or path.text, Unknown(kind, path.text, files=files))


def file_text(run: Reading, path: Word, state: State, feed: Feed | None = None) -> Scalar | None:
    """What is in a file that the line wrote, or on standard input; else None. Whoever runs it as code asks
    `code_text`."""
    if path.opaque or path.glob:
        return None
    if path.text in STANDARD_INPUT:
        return feed.text if feed else None
    if path.text == "/dev/null":
        return ""
    full = absolute(path.text, state.cwd)
    if full is None:
        return None
    if full in state.files:
        return state.files[full]
    for folder, content in state.files.items():
        if folder.endswith("/") and full.startswith(folder):
            return content
    return None


def code_text(
    run: Reading, path: Word, state: State, feed: Feed | None = None, *, searched: bool = False
) -> Scalar | None:
    """What is in a file that runs as code: as `file_text`, or else as it is on the disk, where the reading
    may look at that; None where neither is known. One that is `searched` for is not missed."""
    text = file_text(run, path, state, feed)
    if not run.sources.are_read:
        return text
    if text is None:
        if feed is not None and path.text in STANDARD_INPUT:
            return fed_code(run, feed, state)
        full = None if path.opaque or path.glob else absolute(path.text, state.cwd)
        return None if full is None else run.sources.text(full, searched=searched)
    found = contents(run, text)
    return None if isinstance(found, Partial) and not found.network and _only_files(found) else found


def fed_code(run: Reading, feed: Feed, state: State) -> Scalar | None:
    """What runs as code that is fed: a file is read for it."""
    if feed.kind == "file" and feed.text is None and feed.path is not None:
        return code_text(run, feed.path, state)
    return None if feed.text is None else contents(run, feed.text)


def _only_files(text: Partial) -> bool:
    return all(why is not None and why.files for _, why in text.pieces)


def contents(run: Reading, text: Scalar) -> Scalar:
    """The text to run, with the content of the files that it is made of in place of what stands for it. It is
    the text of a file only where it is that of one and nothing else; any other is the caller's own."""
    if isinstance(text, str) or not run.sources.are_read:
        return text
    if not any(why is not None and why.files for _, why in text.pieces):
        return text
    parts = [_content(run, piece) for piece in text.pieces]
    whole = [part for part in parts if not isinstance(part, str) or part.strip()]
    if len(whole) == 1 and isinstance(whole[0], FileText):
        return whole[0]
    return concat(parts)


def _content(run: Reading, piece: Piece) -> Scalar:
    shown, why = piece
    if why is None:
        return shown
    texts = [run.sources.text(path, searched=bool(why.edits)) for path in why.files]
    known = [text for text in texts if text is not None]
    if why.edits:
        return _edited(run, "".join(known), why.edits)
    if not known or len(known) < len(texts):
        return Partial((piece,))
    if len(known) == 1:
        return known[0]
    for text in known:
        run.sources.note_run(text.path, "any")
    return concat(known)


def _edited(run: Reading, text: str, edits: tuple[Stage, ...]) -> Scalar:
    """What edits in place leave of a text. It is no longer that of the file, whoever committed that."""
    for edit in edits:
        made = run.edited(edit, text)
        if made is None:
            return unknown_output(" ".join(edit)[:_MOST_SHOWN], edit)
        text = made
    return contents(run, run.as_value(text))


def edit_file(run: Reading, path: Word, edit: Stage, state: State) -> None:
    """Remember that the line changes a file in place, whatever that held before."""
    full = None if path.opaque else absolute(path.text, state.cwd)
    before = file_text(run, path, state)
    if full is None or path.glob or not run.sources.are_read:
        return
    if before is None:
        before = content_of(path, state)
    if isinstance(before, str):
        state.files[full] = _edited(run, before, (edit,))
        return
    state.files[full] = Partial(tuple([(shown, _with_edit(why, edit)) for shown, why in before.pieces]))


def _with_edit(why: Unknown | None, edit: Stage) -> Unknown | None:
    return why.replace(edits=(*why.edits, edit)) if why is not None and why.files else why


def folder_names(run: Reading, folder: str, state: State) -> list[str]:
    """What is in a folder: what the line put there, and what is known from outside."""
    inside = f"{folder.rstrip('/')}/"
    found = {
        path[len(inside) :].partition("/")[0]: None
        for path in state.files
        if path.startswith(inside) and path != inside
    }
    if run.list_folder is not None:
        run.budget.spend(10)
        found.update(dict.fromkeys(run.list_folder(folder)))
    return sorted(found)[:_MOST_NAMES]


def older_texts(path: Word, state: State) -> list[Scalar]:
    """What the line wrote there before; which write came last may depend on how it ran."""
    full = None if path.opaque else absolute(path.text, state.cwd)
    return state.overwritten.get(full or "", [])[-3:]


def write_file(path: Word, text: Scalar, state: State, *, append: bool) -> None:
    """Remember what the line writes, so that it is known when the line runs it."""
    if path.opaque or path.glob or path.text in ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"):
        return
    full = absolute(path.text, state.cwd)
    if full is None:
        return
    before = state.files.get(full)
    if not state.conditional and not append:
        state.overwritten.pop(full, None)
    elif before is not None and before != text:
        state.overwritten.setdefault(full, []).append(before)
    if append and before is None and not isinstance(text, Partial):
        state.files[full] = text
    else:
        state.files[full] = concat((before, text)) if append and before is not None else text


def unknown_output(
    wording: str, stage: Stage = (), *, network: bool = False, earlier: tuple[Stage, ...] = ()
) -> Partial:
    """What a command prints, after what it was fed went through the `earlier` ones. Each of them stands
    once: what goes through the same in every round of a loop is the same value from the second on."""
    if stage in earlier:
        earlier = tuple([each for each in earlier if each != stage])
    if len(earlier) >= _MOST_STAGES:
        earlier = earlier[: _MOST_STAGES // 2] + earlier[-_MOST_STAGES // 2 :]
    stages = (*earlier, stage) if stage else earlier
    return unknown(f"$({wording})", Unknown(Kind.OUTPUT, "", wording, stages, network=network))
