"""What a small expression is: literals put together, known names, and calls that only compute."""

from __future__ import annotations

import base64
import binascii
import codecs
import os.path
import re
from collections.abc import Iterator, Mapping

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

LITERAL = lazy(
    r"""\s*(?:[bfrqsu]?)(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)\s*""", re.DOTALL
)
_WORDS = lazy(
    r"\s*(?:qw|%w|%W|%i)\s*(?:\[([^\]]*)\]|\(([^)]*)\)|\{([^}]*)\}|/([^/]*)/|\|([^|]*)\||!([^!]*)!)\s*",
    re.DOTALL,
)
_HOME = lazy(
    r"""\s*(?:[\w.$:]*(?:env|ENV|getProperty|_SERVER|fetch)[\w.]*\s*[(\[{.]\s*["']?(?:HOME|user\.home)["']?\s*[)\]}]*
    |(?:[\w.]+\(\s*["'](?:node:)?os["']\s*\)\.|[\w.:]+[.:])?(?:homedir|UserHomeDir|home_dir|user_home!?)\(\)
    |Dir\.home|(?:\w+\.)?Path\.home\(\))\s*""",
    re.X,
)
_CALLED = lazy(
    r"\s*(?:new\s+)?([A-Za-z_$@][\w$]*(?:(?:::|\.|->)[A-Za-z_]\w*[!?]?)*)\s*\((.*)\)\s*", re.DOTALL
)
_QUOTED = lazy(r"""(["'`])(?:\\.|(?!\1)[^\\])*\1""", re.DOTALL)
_METHOD = lazy(r"(?P<owner>.+?)\s*\.\s*(?P<name>\w+)\s*(?:\((?P<inside>[^()]*)\))?\s*", re.DOTALL)
_MODULE = lazy(r"\s*(?:await\s+)?(?:require|import)\(\s*[\"'][\w:/.-]+[\"']\s*\)\s*")
_SAME = names(
    """
    toString to_s chomp strip trim chop trimEnd trimStart valueOf freeze dup String strval str Path File
    expand_path expanduser resolve normalize realpath realpathSync abspath absolute toAbsolutePath get of URL
    glob sorted
    """
)
"""Calls whose value is that of what they are given, for our purposes."""
_EXPANDING = names("expand_path expanduser glob bsd_glob")
_DECODING_64 = names(
    """
    atob base64_decode decode64 strict_decode64 urlsafe_decode64 decode_base64 b64decode FromBase64String
    """
)
_DECODING_HEX = names("hex2bin unhexlify fromhex")
_JOINING = {"paste": " ", "paste0": "", "concat": "", "str_c": "", "strcat": ""}
"""Calls that put texts together, and what they put between them."""
_LISTED = lazy(r"^\s*(?:array\(|\(|\[)")
"""What Perl and PHP put together with a text between: `join(" ", ("a", "b"))`."""
_MAX_DEPTH = 12
_LONGEST = 16_384


def value_of(text: str, known: Mapping[str, str], depth: int = 0) -> str | None:
    """The text that the expression is; None where that cannot be told."""
    if depth > _MAX_DEPTH or len(text) > _LONGEST:
        return None
    literal = LITERAL.fullmatch(text)
    if literal:
        return _filled(plain(literal["text"]), known)
    name = text.strip().lstrip("$@&")
    if name in known:
        return known[name]
    if _HOME.fullmatch(text):
        return known.get("home", "~")
    pieces = list(split_top(text, "+.&"))
    if len(pieces) > 1:
        values = [value_of(piece, known, depth + 1) for piece in pieces]
        if None not in values:
            return "".join(value for value in values if value is not None)
    return _computed(text, known, depth + 1)


def _computed(text: str, known: Mapping[str, str], depth: int) -> str | None:
    stripped = text.strip()
    if stripped.startswith("(") and stripped.endswith(")"):
        return value_of(stripped[1:-1], known, depth)
    called = _CALLED.fullmatch(text)
    if called and _balanced(called[2]):
        arguments = list(split_top(called[2], ","))
        return _call(re.split(r"::|\.|->", called[1])[-1], arguments, known, depth)
    method = _METHOD.fullmatch(text)
    if method and _balanced(method["owner"]):
        return _method(method["owner"], method["name"], method["inside"] or "", known, depth)
    return None


def _call(name: str, arguments: list[str], known: Mapping[str, str], depth: int) -> str | None:
    if name == "fromCharCode":
        codes = [each.strip() for each in arguments]
        return "".join(map(_character, codes)) if all(code.isdigit() for code in codes) else None
    if name == "chr" and arguments and arguments[0].strip().isdigit():
        return _character(arguments[0].strip())
    values = [value_of(each, known, depth) for each in arguments]
    if not values or values[0] is None:
        return None
    first = values[0]
    if name in ("join", "Join", "implode"):
        return _joined(first, arguments, values, known)
    if name == "from" and len(values) > 1:
        return _decoded(first, values[1] or "")
    if name in _DECODING_64 or name in _DECODING_HEX:
        return _decoded(first, "hex" if name in _DECODING_HEX else "base64")
    if name == "pack" and len(values) > 1 and first.startswith("H"):
        return _decoded(values[1] or "", "hex")
    if name in _JOINING:
        return None if None in values else _JOINING[name].join(value or "" for value in values)
    if name in ("strrev", "reverse"):
        return first[::-1]
    if name in ("str_rot13", "rot13"):
        return codecs.encode(first, "rot13")
    if name in _EXPANDING and (first == "~" or first.startswith("~/")):
        return known.get("home", "~") + first[1:]
    return first if name in _SAME else None


def _joined(first: str, arguments: list[str], values: list[str | None], known: Mapping[str, str]) -> str:
    """A list with a text between its elements, or the parts of a path."""
    if len(arguments) == 2 and _LISTED.match(arguments[1]):
        return first.join(list_of(_LISTED.sub("[", arguments[1]).rstrip(" )]") + "]", known))
    return os.path.join(first, *(value or "*" for value in values[1:]))


def _method(owner: str, name: str, inside: str, known: Mapping[str, str], depth: int) -> str | None:
    if name == "join" and owner.strip().startswith("["):
        items = list_of(owner, known)
        glue = value_of(inside, known, depth) if inside.strip() else ","
        return None if glue is None else glue.join(items)
    if name == "pack" and owner.strip().startswith("["):
        return _decoded("".join(list_of(owner, known)), "hex" if "H" in inside else "base64")
    if _MODULE.fullmatch(owner):
        return _call(name, list(split_top(inside, ",")), known, depth)
    value = value_of(owner, known, depth)
    if value is None:
        return None
    if name in ("reverse", "reverse!"):
        return value[::-1]
    if name == "unpack1":
        return _decoded(value, "base64")
    if name in ("toLowerCase", "downcase", "lower"):
        return value.lower()
    if name in ("replace", "gsub", "sub"):
        old, new = ([value_of(each, known, depth) for each in split_top(inside, ",")] + [None, None])[:2]
        return None if old is None or new is None else value.replace(old, new)
    return value if name in _SAME else None


def _character(code: str) -> str:
    return chr(int(code[:7]) % 0x110000)


def _decoded(text: str, encoding: str) -> str | None:
    try:
        if encoding == "hex":
            return bytes.fromhex(text).decode("utf-8", "replace")
        if encoding.startswith("base64"):
            return base64.b64decode(text + "=" * (-len(text) % 4)).decode("utf-8", "replace")
    except (ValueError, binascii.Error):
        return None
    return text


def list_of(part: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """The elements of `[…]`, `qw(…)` and the like; those that cannot be told stand as a variable."""
    words = _WORDS.fullmatch(part)
    if words:
        return tuple(next((each for each in words.groups() if each), "").split())
    inner = part.strip()[1:].rsplit("]", 1)[0]
    found = (value_of(piece, known) for piece in split_top(inner, ","))
    return tuple("$UNKNOWN" if value is None else value for value in found)


def split_top(text: str, signs: str) -> Iterator[str]:
    """The pieces between these signs, where they stand in no literal and no bracket.

    A dot puts texts together only next to a literal or between blanks; otherwise it names a part.
    """
    depth, begin = 0, 0
    bare = without_literals(text)
    for index, character in enumerate(bare):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character in signs and depth == 0 and (character != "." or _joins(text, bare, index)):
            if text[begin:index].strip() or character == ",":
                yield text[begin:index]
            begin = index + 1
    if text[begin:].strip():
        yield text[begin:]


def _joins(text: str, bare: str, index: int) -> bool:
    before, after = text[:index].rstrip()[-1:], text[index + 1 :].lstrip()[:1]
    blank = bare[index - 1 : index].isspace() and bare[index + 1 : index + 2].isspace()
    lua = text[index + 1 : index + 2] == "."
    return (
        blank or lua or after in ("'", '"') or (before in ("'", '"') and after in ("$", ".")) or before == "."
    )


def without_literals(text: str) -> str:
    return _QUOTED.sub(lambda m: "x" * len(m[0]), text)


def _balanced(text: str) -> bool:
    """Whether no bracket closes before it opens: the text is inside one pair."""
    depth = 0
    for character in without_literals(text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _filled(text: str, known: Mapping[str, str]) -> str:
    text = re.sub(r"[$#]\{([^{}]*\W[^{}]*)\}", lambda m: value_of(m[1], known, _MAX_DEPTH - 2) or m[0], text)
    text = re.sub(r"[$#]\{?(\w+)\}?", lambda m: known.get(m[1], m[0]), text)
    return re.sub(r"#\{[^{}]*\}", "$UNKNOWN", text)


def plain(text: str) -> str:
    """A literal's text with its escapes decoded."""
    return re.sub(
        r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}|(.))", _escape, text, flags=re.DOTALL
    )


def _escape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code[:6], 16) % 0x110000)
    return {"n": "\n", "t": "\t", "r": "\r"}.get(match[4], match[4])
