"""A script for people and programs: as nested data that JSON can carry, and as indented text."""

from __future__ import annotations

from fairlead.shell.normal_form import command_text, word_text, words_text
from fairlead.shell.script import Code, Command, Opaque, Origin, Redirect, Script, Word
from fairlead.shell.unknown_text import describe

Data = dict[str, object]


def as_data(script: Script) -> Data:
    """Everything in `script`, in lists and dicts of plain values."""
    return {
        "commands": [_command(command) for command in script.commands],
        "code": [_code(code) for code in script.code],
        "opaque": [_opaque(opaque) for opaque in script.opaque],
        "pipelines": [_plain(text) for text in script.pipelines],
        "files": [{"path": _plain(file.path), "language": file.language} for file in script.files],
        "unread": [{"path": _plain(file.path), "why": file.why} for file in script.unread],
    }


def _plain(text: str) -> str:
    """Without lone surrogates, which stand for bytes that are not UTF-8 and which JSON cannot carry."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _word(word: Word) -> Data:
    data: Data = {"text": _plain(word.text)}
    if word.opaque:
        data |= {"opaque": _plain(describe(word.opaque)), "prefix": _plain(word.prefix)}
    if word.glob:
        data["glob"] = True
    return data


def _redirect(redirect: Redirect) -> Data:
    return {
        "operator": redirect.operator,
        "descriptor": redirect.descriptor,
        "target": _word(redirect.target),
    }


def _command(command: Command) -> Data:
    data: Data = {
        "argv": [_word(word) for word in command.argv],
        "cwd": command.cwd if command.cwd is None else _plain(command.cwd),
        "start": command.start,
        "end": command.end,
        "pipeline": command.pipeline,
        "position": command.position,
    }
    if command.cwd_else:
        data["cwd_else"] = [_plain(each) for each in command.cwd_else]
    if command.assignments:
        data["assignments"] = {_plain(name): _word(word) for name, word in command.assignments.items()}
    if command.redirects:
        data["redirects"] = [_redirect(redirect) for redirect in command.redirects]
    if command.wrappers:
        data["wrappers"] = [
            {"name": each.name, "argv": [_word(word) for word in each.argv], "place": _plain(each.place)}
            for each in command.wrappers
        ]
    if command.origin is not None:
        data["origin"] = _origin(command.origin)
    if command.via:
        data["via"] = [_plain(each) for each in command.via]
    if command.stdin.kind != "inherit":
        stdin = command.stdin
        text = stdin.text if stdin.text is None else _plain(stdin.text)
        path = None if stdin.path is None else _word(stdin.path)
        data["stdin"] = {
            "kind": stdin.kind,
            "text": text,
            "path": path,
            "opaque": _plain(describe(stdin.opaque)),
        }
    return data


def _origin(origin: Origin | None) -> list[Data] | None:
    """The files and lines that lead to it, the last one its own."""
    if origin is None:
        return None
    return [{"path": _plain(each.path), "line": each.line} for each in origin.chain]


def _code(code: Code) -> Data:
    return {
        "origin": _origin(code.origin),
        "language": code.language,
        "text": _plain(code.text),
        "opaque": _plain(describe(code.opaque)),
        "command": _plain(command_text(code.command)),
    }


def _opaque(opaque: Opaque) -> Data:
    return {
        "origin": _origin(opaque.origin),
        "reason": _plain(describe(opaque.unknown)),
        "executed": opaque.executed,
        "network": opaque.network,
        "start": opaque.start,
        "end": opaque.end,
    }


def as_text(script: Script) -> str:
    """One line for each command, with what is special about it indented below."""
    lines: list[str] = []
    for command in script.commands:
        lines += _command_lines(command)
    for code in script.code:
        lines.append(f"{code.language} code in `{_short(command_text(code.command))}`")
        lines.append(f"  {_short(describe(code.opaque) or code.text)}")
    for opaque in script.opaque:
        runs = "would run" if opaque.executed else "not run as code"
        lines.append(f"unknown, {runs}: {_plain(describe(opaque.unknown))}")
    lines += [f"not read, {file.why}: {_plain(file.path)}" for file in script.unread]
    return "\n".join(lines)


def _command_lines(command: Command) -> list[str]:
    shown = command_text(command) or " ".join(
        f"{name}={word_text(word.text)}" for name, word in command.assignments.items()
    )
    depth = "  " * len(command.via)
    lines = [f"{depth}{_short(shown)}"]
    notes = [f"in {command.cwd or 'a folder that is not known'}"]
    if command.origin is not None:
        notes.append(f"at {_plain(command.origin.path)}:{command.origin.line}")
    if command.cwd_else:
        notes.append(f"or in {', '.join(command.cwd_else)} if a cd fails")
    for wrapper in command.wrappers:
        place = f" ({wrapper.place})" if wrapper.place else ""
        notes.append(f"through {words_text(wrapper.argv)}{place}")
    if command.via:
        notes.append(f"by {' > '.join(command.via)}")
    if command.argv and command.assignments:
        notes.append(f"with {', '.join(command.assignments)} set")
    if command.stdin.kind != "inherit":
        notes.append(f"fed by {_fed(command)}")
    notes += [f"`{word.text}` is not known: {describe(word.opaque)}" for word in command.argv if word.opaque]
    return lines + [f"{depth}  {_short(note)}" for note in notes]


def _fed(command: Command) -> str:
    stdin = command.stdin
    if stdin.text is not None:
        return f"{stdin.kind} {stdin.text!r}"
    if stdin.path is not None:
        return f"the file {stdin.path.text}"
    return f"{stdin.kind}: {describe(stdin.opaque)}" if stdin.opaque else stdin.kind


def _short(text: str, width: int = 160) -> str:
    line = _plain(text).replace("\n", "\\n")
    return line if len(line) <= width else line[: width - 1] + "…"
