"""Programs that turn known text into other known text, so that `base64 -d | sh` can be read."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable

ReadFile = Callable[[str], str | None]
Filter = Callable[[list[str], str | None, ReadFile], str | None]
MAX_OUTPUT = 256 * 1024


def input_text(operands: list[str], text: str | None, read: ReadFile) -> str | None:
    """The text to filter: standard input, or the files that are named."""
    if not operands:
        return text
    texts = [text if operand == "-" else read(operand) for operand in operands]
    return None if None in texts else "".join(each for each in texts if each is not None)


def split_options(arguments: list[str], takes: str = "") -> tuple[dict[str, str], list[str]]:
    """Options (with their values) and operands; `takes` are the letters that have a value."""
    options: dict[str, str] = {}
    operands: list[str] = []
    index = 0
    while index < len(arguments):
        text = arguments[index]
        index += 1
        if text == "--":
            operands += arguments[index:]
            break
        if text.startswith("--"):
            name, _, value = text[2:].partition("=")
            options[name] = value
        elif text.startswith("-") and len(text) > 1:
            for place, letter in enumerate(text[1:], 2):
                options[letter] = ""
                if letter in takes:
                    options[letter] = text[place:]
                    if not text[place:] and index < len(arguments):
                        options[letter] = arguments[index]
                        index += 1
                    break
        else:
            operands.append(text)
    return options, operands


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _base64(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, operands = split_options(arguments, "wbi" if "-D" in arguments else "w")
    source = input_text(operands or ([options["i"]] if options.get("i") else []), text, read)
    if source is None:
        return None
    if any(option in ("d", "D") or (len(option) > 1 and "decode".startswith(option)) for option in options):
        return _decode64(source)
    encoded = binascii.b2a_base64(_bytes(source), newline=False).decode()
    if options.get("w", options.get("wrap")) == "0":
        return encoded
    return "".join(encoded[place : place + 76] + "\n" for place in range(0, len(encoded), 76))


def _decode64(source: str) -> str | None:
    cleaned = re.sub(r"[^A-Za-z0-9+/]", "", source.split("=", 1)[0])
    try:
        return _text(binascii.a2b_base64(cleaned + "=" * (-len(cleaned) % 4)))
    except binascii.Error:
        return _text(binascii.a2b_base64(cleaned[: len(cleaned) // 4 * 4]))


def _base32(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, operands = split_options(arguments, "w")
    source = input_text(operands, text, read)
    if source is None or not ({"d", "decode"} & options.keys()):
        return None
    import base64

    try:
        return _text(base64.b32decode(re.sub(r"\s", "", source)))
    except binascii.Error:
        return None


def _xxd(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, operands = split_options(arguments, "clsgo")
    source = input_text(operands[:1], text, read)
    if source is None:
        return None
    plain = "p" in options or "ps" in arguments or "plain" in options
    if "r" in options:
        return _unhex(source if plain else "".join(_dump_bytes(source)))
    if not plain:
        return None
    digits = _bytes(source).hex()
    return "".join(digits[place : place + 60] + "\n" for place in range(0, len(digits), 60))


def _dump_bytes(source: str) -> list[str]:
    return [line.partition(":")[2].split("  ")[0] for line in source.splitlines()]


def _unhex(source: str) -> str:
    digits = re.sub(r"[^0-9A-Fa-f]", "", source.replace("\\x", "").replace("0x", ""))
    return _text(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _rev(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    source = input_text(split_options(arguments)[1], text, read)
    if source is None:
        return None
    return "".join(line.rstrip("\n")[::-1] + ("\n" if line.endswith("\n") else "") for line in _lines(source))


def _lines(source: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", source)


def _tac(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    source = input_text(split_options(arguments, "s")[1], text, read)
    return None if source is None else "".join(reversed(_lines(source)))


_TR_CLASS = {
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz", "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:digit:]": "0123456789", "[:space:]": " \t\n\r\f\v", "[:blank:]": " \t",
    "[:alpha:]": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:punct:]": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "[:alnum:]": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
}  # fmt: skip


def _tr_set(text: str) -> str | None:
    from fairlead.shell.language.escapes import decode_escapes

    for name, characters in _TR_CLASS.items():
        text = text.replace(name, characters)
    if "[:" in text or "[=" in text:
        return None
    text = decode_escapes(text)[0]
    return re.sub(r"(?s)(.)-(.)", _tr_range, text)


def _tr_range(match: re.Match[str]) -> str:
    first, last = ord(match.group(1)), ord(match.group(2))
    return "".join(map(chr, range(first, last + 1))) if first <= last < first + 256 else match.group()


def _tr(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, operands = split_options(arguments)
    sets = [_tr_set(operand) for operand in operands]
    if text is None or not sets or None in sets:
        return None
    first, second = sets[0] or "", (sets[1] if len(sets) > 1 else "") or ""
    complement = bool({"c", "C", "complement"} & options.keys())
    if {"d", "delete"} & options.keys():
        return "".join(char for char in text if (char in first) == complement)
    if complement:
        changed = "".join(char if char in first else second[-1:] for char in text)
    else:
        padded = second + second[-1:] * max(0, len(first) - len(second)) if second else first
        changed = text.translate({ord(a): b for a, b in reversed(list(zip(first, padded, strict=False)))})
    if {"s", "squeeze-repeats"} & options.keys():
        squeezed = second or first
        changed = re.sub(f"([{re.escape(squeezed)}])\\1+", r"\1", changed) if squeezed else changed
    return changed


def _head(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    return _ends(arguments, text, read, first=True)


def _tail(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    return _ends(arguments, text, read, first=False)


def _ends(arguments: list[str], text: str | None, read: ReadFile, *, first: bool) -> str | None:
    numeric = [f"-n{each[1:]}" if re.fullmatch(r"-\d+", each) else each for each in arguments]
    options, operands = split_options(numeric, "nc")
    source = input_text(operands, text, read)
    count = options.get("c", options.get("bytes", options.get("n", options.get("lines", "10"))))
    if source is None or not re.fullmatch(r"[-+]?\d{1,9}", count):
        return None
    units = list(source) if {"c", "bytes"} & options.keys() else _lines(source)
    number = int(count)
    if first:
        return "".join(units[:number])
    return "".join(
        units[number - 1 :] if count.startswith("+") else units[max(0, len(units) - abs(number)) :]
    )


def _cut(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, operands = split_options(arguments, "dfcb")
    source = input_text(operands, text, read)
    fields = options.get("f", options.get("c", options.get("b", "")))
    match = re.fullmatch(r"(\d{1,6})?(-)?(\d{1,6})?", fields)
    if source is None or not match or not fields.strip("-"):
        return None
    start = int(match.group(1) or 1) - 1
    end = int(match.group(3)) if match.group(3) else (None if match.group(2) else start + 1)
    delimiter = options.get("d", "\t") or " "
    lines = []
    for line in source.splitlines():
        units = line.split(delimiter) if "f" in options else list(line)
        joined = (delimiter if "f" in options else "").join(units[start:end])
        lines.append((line if "f" in options and delimiter not in line else joined) + "\n")
    return "".join(lines)


def _openssl(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    if not arguments or not {"base64", "-base64", "-a"} & set(arguments) or "-d" not in arguments:
        return None
    source = read(arguments[arguments.index("-in") + 1]) if "-in" in arguments[:-1] else text
    ciphers = [each for each in arguments[1:] if re.match(r"-(aes|des|camellia|chacha|pbkdf2|k$|pass)", each)]
    return None if source is None or ciphers else _decode64(source)


def _sort(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, operands = split_options(arguments, "kt")
    source = input_text(operands, text, read)
    if source is None or options.keys() - {"u", "r"}:
        return None
    lines = sorted(
        set(source.splitlines()) if "u" in options else source.splitlines(), reverse="r" in options
    )
    return "".join(line + "\n" for line in lines)


def _uniq(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    source = input_text(arguments[:1], text, read)
    if source is None or any(each.startswith("-") for each in arguments):
        return None
    lines = _lines(source)
    return "".join(line for index, line in enumerate(lines) if index == 0 or line != lines[index - 1])


def _seq(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    if not 1 <= len(arguments) <= 3 or not all(re.fullmatch(r"-?\d{1,6}", each) for each in arguments):
        return None
    numbers = [int(each) for each in arguments]
    first, last = (1 if len(numbers) == 1 else numbers[0]), numbers[-1]
    step = numbers[1] if len(numbers) == 3 else 1
    if step == 0 or abs(last - first) // abs(step) > 2_000:
        return None
    return "".join(f"{number}\n" for number in range(first, last + (1 if step > 0 else -1), step))


def _decompress(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    """gzip that came out of base64; bounded, since a few bytes can become gigabytes."""
    import zlib

    options, operands = split_options(arguments)
    source = input_text(operands, text, read)
    if source is None or (arguments and arguments[0] == "gzip" and "d" not in options):
        return None
    try:
        return _text(zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(_bytes(source), MAX_OUTPUT))
    except zlib.error:
        return None


def _gzip(arguments: list[str], text: str | None, read: ReadFile) -> str | None:
    options, _ = split_options(arguments)
    return _decompress(arguments, text, read) if {"d", "decompress"} & options.keys() else None


FILTERS: dict[str, Filter] = {
    "base64": _base64, "gbase64": _base64, "base32": _base32, "xxd": _xxd, "rev": _rev, "tac": _tac,
    "tr": _tr, "head": _head, "tail": _tail, "cut": _cut, "openssl": _openssl, "sort": _sort, "uniq": _uniq,
    "seq": _seq, "zcat": _decompress, "gunzip": _decompress, "gzip": _gzip,
}  # fmt: skip
