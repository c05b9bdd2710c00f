"""Scripts: files whose content is known, by their first line or by who runs them."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import code_text, file_text, older_texts, unknown_output
from fairlead.shell.expansion.source_files import FileText
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, of_word
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Code, Command, Word, program_name
from fairlead.shell.unknown import Kind, Unknown

_SHEBANG = lazy(r"#![ \t]*(\S+)[ \t]*([^\r\n]*)")
SYSTEM_PROGRAMS = ("/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/lib", "/lib")
"""Where the system keeps its own programs, which nobody but an administrator changes."""
_STOPS = lazy(r"-[a-zA-Z]*e[a-zA-Z]*")
_MACHINE_CODE = ("\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe")
"""How a program begins that no text is: the line itself put it together, byte by byte."""
_SHELL_NAMES = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "rbash", "fish"})


def run_file(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> Scalar | None:
    """Run the file that the first word names, if its content is known; None otherwise."""
    of_the_system = words[0].text.startswith(SYSTEM_PROGRAMS)
    text = (file_text if of_the_system else code_text)(run, words[0], state)
    if text is None:
        return None
    run.emit(words, call, state, frame)
    for older in older_texts(words[0], state):
        run_script(run, older, words, call, state, frame)
    head = text if isinstance(text, str) else text.pieces[0][0]
    if not isinstance(text, FileText) and head.startswith(_MACHINE_CODE):
        run.note(Unknown(Kind.CODE_TEXT), run.span(call.start, call.end, frame), executed=True)
        return None
    if "\0" in head[:1000]:
        return None
    interpreter = interpreter_words(head)
    if not interpreter or program_name(interpreter[0]) in _SHELL_NAMES:
        return run_script(run, text, words, call, state, frame, stops=stops_at_faults(interpreter))
    run.run_words([*map(Word, interpreter), *words], call, state, frame)
    return unknown_output(words[0].text, (words[0].text,))


def interpreter_words(text: str) -> list[str]:
    """What a file's first line asks to be run by, without `env` and what that is told."""
    shebang = _SHEBANG.match(text)
    if shebang is None:
        return []
    words = [shebang[1], *split_arguments(shebang[2])]
    if program_name(words[0]) != "env":
        return words
    told = 1
    while told < len(words) and (words[told].startswith("-") or "=" in words[told]):
        split = words[told].partition("S")[2] if words[told].startswith(("-S", "-vS")) else ""
        words[told : told + 1] = [words[told], split] if split else [words[told]]
        told += 1
    return words[told:]


def stops_at_faults(options: Sequence[str]) -> bool:
    """Whether a shell with these options leaves at the first command that fails, such as a `cd`."""
    return any(_STOPS.fullmatch(option) for option in options[1:])


def run_script(
    run: Reading,
    text: Scalar,
    words: list[Word],
    call: Call,
    state: State,
    frame: Frame,
    via: str = "",
    *,
    stops: bool = False,
) -> Scalar:
    """Shell text in a process of its own: `words` are its name and arguments."""
    inner = frame.inside(via or words[0].text, span=run.span(call.start, call.end, frame))
    child = state.process(run.environment)
    child.positional = [of_word(word) for word in words[1:]]
    child.program = words[0].text if words else "bash"
    child.errexit = stops
    child.assign("BASH_SOURCE", child.program if not via or via.endswith(child.program) else "")
    return run.run_text(text, child, inner)


def add_code(
    run: Reading, language: str, text: Scalar | None, command: Command, why: Unknown | None = None
) -> None:
    """Note that the command runs code, which may be the text of a file."""
    origin = run.sources.note_run(text.path, language) if isinstance(text, FileText) else command.origin
    if isinstance(text, str):
        run.code.append(Code(language, text, command, None, origin))
    elif isinstance(text, Partial):
        run.code.append(Code(language, text.shown, command, text.unknown, origin))
    else:
        run.code.append(Code(language, "", command, why or Unknown(Kind.CODE_TEXT), origin))


def spent(feed: Feed) -> Feed:
    """What a script finds on standard input when the shell itself was fed the script there."""
    return Feed("inherit") if feed.kind == "inherit" else Feed(feed.kind, "")
