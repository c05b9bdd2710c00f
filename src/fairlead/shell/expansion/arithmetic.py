"""Arithmetic of `$((…))`, `((…))`, `let` and indices, where every number in it is known."""

from __future__ import annotations

import operator
from collections.abc import Callable

from fairlead.shell.expansion.values import Array, Partial, Scalar, Variable, unknown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.unknown import Kind, Unknown

_TOKEN = lazy(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|[0-9]+#[0-9a-zA-Z@_]+|[0-9]+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>=!~&|^?:(),]))"
)
_SET = lazy(r"([A-Za-z_]\w*)\s*(?:(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)")
_NAMED = lazy(r"(?<![\w#])[A-Za-z_]\w*")
_LONGEST_SEARCHED = 2_000
_PRECEDENCE = {
    ",": 1, "=": 2, "?": 3, "||": 4, "&&": 5, "|": 6, "^": 7, "&": 8, "==": 9, "!=": 9, "<": 10, ">": 10,
    "<=": 10, ">=": 10, "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13, "**": 14,
}  # fmt: skip
_ASSIGNING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_PLAIN: dict[str, Callable[[int, int], int]] = {
    "|": operator.or_, "^": operator.xor, "&": operator.and_, "+": operator.add, "-": operator.sub,
    "*": operator.mul, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
    "<=": operator.le, ">=": operator.ge, ",": lambda left, right: right,
}  # fmt: skip
MAX_TOKENS = 200
MAX_PARENTHESES = 20

Lookup = Callable[[str], Variable]
Assign = Callable[[str, Variable], None]


class _Unknown(Exception):  # noqa: N818 - not an error: the value cannot be computed
    pass


def compute(expression: Scalar, look: Lookup, assign: Assign) -> int | None:
    """The value, or None where it depends on something unknown."""
    if not isinstance(expression, str):
        known = " ".join(shown for shown, why in expression.pieces if why is None)
        _give_up(known, look, assign)
        return None
    text = expression.strip()
    if text.isascii() and text.isdigit() and len(text) < 18 and not text.startswith("0"):
        return int(text)
    try:
        tokens = _tokens(text)
        return _Evaluation(tokens, look, assign).value() if tokens else 0
    except (_Unknown, ZeroDivisionError, OverflowError, ValueError):
        _give_up(text, look, assign)
        return None


def _give_up(text: str, look: Lookup, assign: Assign) -> None:
    """All that it names may be looked up all the same, and all that it sets may be anything."""
    for match in _NAMED.finditer(text[:_LONGEST_SEARCHED]):
        look(match.group())
    forget_assigned(text, assign)


def forget_assigned(text: str, assign: Assign) -> None:
    """What is set by something that cannot be computed may be anything afterwards."""
    for match in _SET.finditer(text[:_LONGEST_SEARCHED]):
        name = match.group(1) or match.group(2)
        assign(name, unknown(f"${name}", Unknown(Kind.VARIABLE, f"${name}")))


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    pos = 0
    while pos < len(text):
        match = _TOKEN.match(text, pos)
        if not match or len(tokens) > MAX_TOKENS:
            raise _Unknown
        kind = match.lastgroup or ""
        tokens.append((kind, match.group(kind)))
        pos = match.end()
    return tokens


class _Evaluation:
    def __init__(self, tokens: list[tuple[str, str]], look: Lookup, assign: Assign) -> None:
        self._tokens = tokens
        self._pos = 0
        self._depth = 0
        self._look = look
        self._assign = assign

    def value(self) -> int:
        result = self._expression(1)
        if self._pos != len(self._tokens):
            raise _Unknown
        return _wrapped(result)

    def _peek(self) -> str:
        return self._tokens[self._pos][1] if self._pos < len(self._tokens) else ""

    def _take(self) -> tuple[str, str]:
        if self._pos >= len(self._tokens):
            raise _Unknown
        self._pos += 1
        return self._tokens[self._pos - 1]

    def _expression(self, floor: int) -> int:
        self._depth += 1
        if self._depth > MAX_PARENTHESES:
            raise _Unknown
        left = self._operand()
        while (sign := self._peek()) and _PRECEDENCE.get(sign, 0) >= floor:
            self._take()
            if sign == "?":
                left = self._ternary(left)
            else:
                right = self._expression(_PRECEDENCE[sign] + (sign != "**"))
                left = _wrapped(_apply(sign, left, right))
        self._depth -= 1
        return left

    def _ternary(self, condition: int) -> int:
        first = self._expression(2)
        if self._take()[1] != ":":
            raise _Unknown
        second = self._expression(3)
        return first if condition else second

    def _operand(self) -> int:
        kind, text = self._take()
        if kind == "number":
            return _number(text)
        if kind == "name":
            return self._named(text)
        if text == "(":
            value = self._expression(1)
            if self._take()[1] != ")":
                raise _Unknown
            return value
        if text in ("++", "--"):
            kind, name = self._take()
            return self._store(name, self._variable(name) + (1 if text == "++" else -1))
        if text in ("-", "+", "!", "~"):
            self._depth += 1
            if self._depth > MAX_PARENTHESES:
                raise _Unknown
            value = self._operand()
            self._depth -= 1
            return {"-": -value, "+": value, "!": int(not value), "~": ~value}[text]
        raise _Unknown

    def _named(self, name: str) -> int:
        sign = self._peek()
        if sign in _ASSIGNING:
            self._take()
            right = self._expression(2)
            value = right if sign == "=" else _apply(sign[:-1], self._variable(name), right)
            return self._store(name, value)
        value = self._variable(name)
        if sign in ("++", "--"):
            self._take()
            self._store(name, value + (1 if sign == "++" else -1))
        return value

    def _variable(self, name: str) -> int:
        value = self._look(name)
        if isinstance(value, Array):
            value = value.items.get("0")
        if value is None or value == "":
            return 0
        if isinstance(value, Partial) or not isinstance(value, str):
            raise _Unknown
        text = value.strip()
        negative = text.startswith("-")
        if not text.lstrip("-").isalnum() or not text.lstrip("-")[:1].isdigit():
            raise _Unknown
        return -_number(text[1:]) if negative else _number(text)

    def _store(self, name: str, value: int) -> int:
        self._assign(name, str(_wrapped(value)))
        return value


def _number(text: str) -> int:
    if len(text) > 40:
        raise _Unknown
    if "#" in text:
        base, _, digits = text.partition("#")
        return int(digits, int(base)) if 2 <= int(base) <= 36 else 0
    if text[:2] in ("0x", "0X"):
        return int(text, 16)
    return int(text, 8) if text.startswith("0") and text != "0" else int(text)


def _apply(sign: str, left: int, right: int) -> int:
    if sign in _PLAIN:
        return int(_PLAIN[sign](left, right))
    if sign == "&&":
        return int(bool(left and right))
    if sign == "||":
        return int(bool(left or right))
    if sign in ("/", "%"):
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if sign == "/" else left - quotient * right
    if sign in ("<<", ">>"):
        return left << (right & 63) if sign == "<<" else left >> (right & 63)
    if sign == "**" and 0 <= right < 64:
        return int(left**right)
    raise _Unknown


def _wrapped(value: int) -> int:
    """Bash computes with 64 bits."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value
