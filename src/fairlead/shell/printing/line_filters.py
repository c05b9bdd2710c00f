"""More programs that turn known text into other known text, line by line: sed, grep, awk, jq, paste."""

from __future__ import annotations

import json
import re

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.printing.text_filters import MAX_OUTPUT, Filter, ReadFile, input_text, split_options
from fairlead.shell.word_sets import names

_SUBSTITUTE = lazy(r"\s*s(?P<sign>[^\w\s\\])(?P<rest>.*)", re.DOTALL)
_AWK_PRINT = lazy(r"\s*\{\s*print\s+(?P<items>(?:\$\d+|\"[^\"\\]*\"|[\s,])+?)\s*;?\s*\}\s*")
_JQ_PATH = lazy(r"(?:\.(?:[A-Za-z_]\w*|\[\d+\])?)+")
_CLASSES = {
    "space": r"\s", "blank": r" \t", "digit": "0-9", "alpha": "a-zA-Z", "alnum": "a-zA-Z0-9",
    "upper": "A-Z", "lower": "a-z",
}  # fmt: skip
_CLASS = lazy(r"\[:(space|blank|digit|alpha|alnum|upper|lower):\](?=[^\[]*\])")
_MAX_PATTERN = 200
_MAX_LINE = 1000


def _sed(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    """Scripts of nothing but substitutions."""
    options, operands = split_options(arguments, "e")
    if options.keys() - {"e", "E", "r", "u", "s", "n"} or not (operands or "e" in options):
        return None
    script = options["e"] if "e" in options else operands.pop(0)
    source = input_text(operands, text, read)
    if source is None or arguments.count("-e") > 1:
        return None
    if "n" in options:
        return _picked(script, source.splitlines(keepends=True))
    lines = source.splitlines(keepends=True)
    if any(len(line) > _MAX_LINE for line in lines):
        return None
    for command in re.split(r";(?=\s*s\W)", script):
        change = substitution(command.rstrip(";\n "), extended=bool({"E", "r"} & options.keys()))
        if change is None:
            return None
        pattern, replacement, count = change
        try:
            lines = [pattern.sub(replacement, line, count=count) for line in lines]
        except (re.error, IndexError):
            return None
    made = "".join(lines)
    return made if len(made) <= MAX_OUTPUT else None


def _picked(script: str, lines: list[str]) -> str | None:
    """`sed -n 2p`, `sed -n '2,$p'`."""
    match = re.fullmatch(r"\s*(\d{1,5}|\$)(?:,(\d{1,5}|\$))?p\s*", script)
    if not match:
        return None
    first, last = (len(lines) if each == "$" else int(each) for each in (match[1], match[2] or match[1]))
    return "".join(lines[first - 1 : last])


def substitution(command: str, *, extended: bool) -> tuple[re.Pattern[str], str, int] | None:
    match = _SUBSTITUTE.fullmatch(command)
    if not match:
        return None
    sign = re.escape(match["sign"])
    parts = re.fullmatch(
        rf"((?:\\.|(?!{sign}).)*){sign}((?:\\.|(?!{sign}).)*){sign}([gI]*)", match["rest"], re.DOTALL
    )
    if not parts or len(parts[1]) > _MAX_PATTERN:
        return None
    pattern = _pattern(parts[1].replace("\\" + match["sign"], match["sign"]), extended=extended)
    if pattern is None:
        return None
    flags = re.IGNORECASE if "I" in parts[3] else 0
    try:
        compiled = re.compile(pattern, flags)
    except re.error:
        return None
    return (
        compiled,
        _replacement(parts[2].replace("\\" + match["sign"], match["sign"])),
        0 if "g" in parts[3] else 1,
    )


def _pattern(text: str, *, extended: bool) -> str | None:
    """A pattern of sed as one of Python; None for those that could take long: groups that repeat, and more
    than two signs of repetition."""
    if not extended:
        text = re.sub(r"\\?[(){}|+?]", lambda m: m[0][1:] if m[0][0] == "\\" else "\\" + m[0], text)
    text = _CLASS.sub(lambda match: _CLASSES[match[1]], text)
    if re.search(r"\)[*+{?]|\[[:=.]|\\\d", text) or len(re.findall(r"[*+{]", text)) > 2:
        return None
    return re.sub(r"\$\Z", r"(?=\\n?\\Z)", text)


def _replacement(text: str) -> str:
    return re.sub(r"\\(.)|(&)|([^\\&]+)", _replaced, text, flags=re.DOTALL)


def _replaced(match: re.Match[str]) -> str:
    escaped, whole, other = match.groups()
    if whole:
        return r"\g<0>"
    if other:
        return other.replace("\\", r"\\")
    return rf"\g<{escaped}>" if escaped.isdigit() else {"n": "\n", "t": "\t"}.get(escaped, escaped)


def _grep(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, operands = split_options(arguments, "em")
    if options.keys() - {"v", "F", "i", "h", "e", "a"} or not (operands or "e" in options):
        return None
    wanted = options["e"] if "e" in options else operands.pop(0)
    source = input_text(operands, text, read)
    if source is None or (re.search(r"[\\.*\[\]^$+?(){}|]", wanted) and "F" not in options):
        return None
    low = wanted.lower() if "i" in options else wanted
    lines = source.splitlines(keepends=True)
    return "".join(
        line for line in lines if (low in (line.lower() if "i" in options else line)) != ("v" in options)
    )


def _awk(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    """`{print $2}` and the like."""
    options, operands = split_options(arguments, "F")
    match = _AWK_PRINT.fullmatch(operands.pop(0)) if operands and not options.keys() - {"F"} else None
    source = input_text(operands, text, read)
    if match is None or source is None:
        return None
    made = []
    for line in source.splitlines():
        fields = [line, *(line.split(options["F"]) if options.get("F") else line.split())]
        groups = [re.findall(r"\$\d+|\"[^\"]*\"", group) for group in match["items"].split(",")]
        made.append(" ".join("".join(_item(item, fields) for item in group) for group in groups) + "\n")
    return "".join(made)


def _item(item: str, fields: list[str]) -> str:
    if item.startswith('"'):
        return item[1:-1]
    number = int(item[1:4])
    return fields[number] if number < len(fields) else ""


def _jq(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    """A path into JSON, printed raw; or a text that is made of nothing."""
    options, operands = split_options(arguments)
    if not operands or options.keys() - {"r", "n", "raw-output", "null-input", "e", "M", "c", "j"}:
        return None
    program = operands.pop(0).strip()
    try:
        if {"n", "null-input"} & options.keys():
            value: object = json.loads(program)
        else:
            value = _at(program, json.loads(input_text(operands, text, read) or ""))
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return None
    if not isinstance(value, str):
        return None
    raw = {"r", "j", "raw-output"} & options.keys()
    return (value if raw else json.dumps(value)) + "\n"


def _at(path: str, value: object) -> object:
    if not _JQ_PATH.fullmatch(path):
        raise KeyError(path)
    for name, index in re.findall(r"([A-Za-z_]\w*)|\[(\d+)\]", path):
        value = value[name] if name else value[int(index)]  # type: ignore[index]  # what fits is found out
    return value


def _paste(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, operands = split_options(arguments, "d")
    sources = [input_text([operand], text, read) for operand in operands or ["-"]]
    glue = options.get("d", "\t")[:1]
    if None in sources:
        return None
    columns = [source.splitlines() for source in sources if source is not None]
    if "s" in options:
        return "".join(glue.join(lines) + "\n" for lines in columns)
    longest = max(map(len, columns))
    rows = (
        [lines[row] if row < len(lines) else "" for lines in columns] for row in range(min(longest, 1000))
    )
    return "".join(glue.join(row) + "\n" for row in rows)


def _nl(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    source = None if arguments and arguments[0].startswith("-") else input_text(arguments, text, read)
    lines = source.splitlines() if source is not None else []
    return (
        None if source is None else "".join(f"{number:6}\t{line}\n" for number, line in enumerate(lines, 1))
    )


_PASSING = names(
    "pv mbuffer buffer sponge iconv expand unexpand fold fmt column dos2unix unbuffer lolcat bat batcat"
)


def _same(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    """Programs that pass short lines on as they are."""
    operands = [each for each in arguments if each.startswith("/dev/fd/")]
    return input_text(operands, text, read)


def _dd(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    given = dict(each.partition("=")[::2] for each in arguments)
    if "of" in given or given.keys() & {"skip", "count", "conv"}:
        return None
    return read(given["if"]) if "if" in given else text


def _yes(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    return ((" ".join(arguments) or "y") + "\n") * 3


LINE_FILTERS: dict[str, Filter] = {
    "sed": _sed, "gsed": _sed, "grep": _grep, "awk": _awk, "gawk": _awk, "mawk": _awk, "jq": _jq,
    "paste": _paste, "nl": _nl, "yes": _yes, "dd": _dd,
    **dict.fromkeys(_PASSING, _same),
}  # fmt: skip
