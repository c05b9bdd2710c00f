"""Scripts: files whose content is known, by their first line or by who runs them."""

from __future__ import annotations

from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import file_text, older_texts, unknown_output
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, of_word
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Code, Word
from fairlead.shell.unknown import Kind, Unknown

_SHEBANG = lazy(r"#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?(?:\S*/)?)?([A-Za-z0-9_.+-]+)[^\n]*")
_SHELL_NAMES = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "rbash", "fish"})


def run_file(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar | None:
    """Run the file that the first word names, if its content is known; None otherwise."""
    text = file_text(run, words[0], state)
    if text is None:
        return None
    command = run.emit(words, call, state, frame)
    for older in older_texts(words[0], state):
        run_script(run, older, words, call, state, frame)
    head = text if isinstance(text, str) else text.pieces[0][0]
    shebang = _SHEBANG.match(head)
    language = shebang.group(1).rstrip("0123456789.") if shebang else "sh"
    if "\0" in head[:1000]:
        return None
    if language in _SHELL_NAMES:
        return run_script(run, text, words, call, state, frame)
    run.code.append(as_code(language, text, command))
    return unknown_output(words[0].text, (words[0].text,))


def run_script(
    run: Reading, text: Scalar, words: list[Word], call: Call, state: State, frame: Frame, via: str = ""
) -> Scalar:
    """Shell text in a process of its own: `words` are its name and arguments."""
    inner = frame.inside(via or words[0].text, span=run.span(call.start, call.end, frame))
    child = state.process(run.environment)
    child.positional = [of_word(word) for word in words[1:]]
    child.program = words[0].text if words else "bash"
    child.assign("BASH_SOURCE", child.program if not via or via.endswith(child.program) else "")
    return run.run_text(text, child, inner)


def as_code(language: str, text: Scalar | None, command: object, why: Unknown | None = None) -> Code:
    if isinstance(text, str):
        return Code(language, text, command)  # type: ignore[arg-type]
    if isinstance(text, Partial):
        return Code(language, text.shown, command, text.unknown)  # type: ignore[arg-type]
    return Code(language, "", command, why or Unknown(Kind.CODE_TEXT))  # type: ignore[arg-type]


def spent(feed: Feed) -> Feed:
    """What a script finds on standard input when the shell itself was fed the script there."""
    return Feed("inherit") if feed.kind == "inherit" else Feed(feed.kind, "")
