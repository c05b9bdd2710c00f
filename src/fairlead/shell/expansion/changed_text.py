"""Pieces of known text that `${…}` takes off, replaces, cuts out or writes in another case."""

from __future__ import annotations

import re


def substring(value: str, offset: int, length: int | None) -> str:
    start = len(value) + offset if offset < 0 else offset
    if start < 0 or start > len(value):
        return ""
    if length is None:
        return value[start:]
    return value[start : start + length] if length >= 0 else value[start : len(value) + length]


def in_case(value: str, operator: str) -> str:
    change = str.upper if operator[0] == "^" else str.lower
    return change(value) if len(operator) == 2 else change(value[:1]) + value[1:]


def trimmed(value: str, pattern: re.Pattern[str], operator: str) -> str:
    """`#` and `%` take the shortest piece off, `##` and `%%` the longest."""
    lengths = range(len(value) + 1)
    for length in reversed(lengths) if len(operator) == 2 else lengths:
        if operator[0] == "#" and pattern.fullmatch(value, 0, length):
            return value[length:]
        if operator[0] == "%" and pattern.fullmatch(value, len(value) - length):
            return value[: len(value) - length]
    return value


def replaced(value: str, pattern: re.Pattern[str], operator: str, replacement: str) -> str:
    if operator == "/#":
        match = pattern.match(value)
        return replacement + value[match.end() :] if match else value
    if operator == "/%":
        for start in range(len(value) + 1):
            if pattern.fullmatch(value, start):
                return value[:start] + replacement
        return value
    matches = re.compile(f"(?:{pattern.pattern})")
    return matches.sub(lambda _: replacement, value, count=0 if operator == "//" else 1)
