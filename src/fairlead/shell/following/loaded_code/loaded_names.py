"""The files that code names in order to take them in, in the way of its language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.word_sets import DATA_ENDINGS, names

_IMPORTS = lazy(r"(?:^|[;:\n])[ \t]*import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w. \t]+)*)")
_FROM = lazy(r"(?:^|[;:\n])[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^()]{0,2000}\)|[\w, \t*]+)")
_BY_NAME = lazy(r"\b(?:import_module|__import__|run_module)\(\s*[\"']([\w.]{1,200})[\"']")
_BY_PATH = lazy(
    r"\b(?:exec|eval|compile)\([^\n;]{0,60}?\b(?:open|Path)\(\s*[\"']([^\"'\n]{1,300})[\"']"
    r"|\b(?:run_path|execfile|SourceFileLoader\([^,()]{1,80},|spec_from_file_location\([^,()]{1,80},)"
    r"\(?\s*[\"']([^\"'\n]{1,300})[\"']"
)
_STARTED_WITH = names(
    "sys os io abc stat time site codecs builtins posix posixpath genericpath errno marshal zipimport "
    "_thread __future__ _collections_abc encodings typing"
)
"""Modules that every Python has loaded before it reads a line of code, or as good as: no file stands in for
them."""
_MOST_NAMES, _MOST_PARTS = 200, 12

_QUOTED = r"[\"'`]([^\"'`\n]{1,300})[\"'`]"
_BY_TEXT: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "javascript": lazy(
            rf"\b(?:require(?:\.resolve)?|import)\s*\(\s*{_QUOTED}|\b(?:from|import)\s*[\"']([^\"'\n]{{1,300}})[\"']"
        ),
        "ruby": lazy(rf"\b(?:require_relative|require|load)[ \t(]*(?:__dir__\s*\+\s*)?{_QUOTED}"),
        "php": lazy(rf"\b(?:require|include)(?:_once)?[ \t(]*(?:__DIR__\s*\.\s*)?{_QUOTED}"),
        "perl": lazy(rf"\b(?:require|do)[ \t(]*{_QUOTED}"),
    }
)
_ENDINGS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "javascript": ("", ".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.ts"),
        "ruby": ("", ".rb"),
        "php": ("",),
        "perl": ("",),
    }
)
_SIGNS = ("import", "require", "include", "exec", "run_path", "load", "do ")


def loads_files(text: str) -> bool:
    """Whether it is worth a closer look."""
    return any(sign in text for sign in _SIGNS)


def loaded_paths(language: str, text: str, folders: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Where the files may lie that the code takes in, and where in the code it says so. The first of the
    folders is the code's own."""
    if language == "python":
        yield from _of_modules(text, folders)
        return
    pattern = _BY_TEXT.get(language)
    for match in pattern.finditer(text) if pattern is not None else ():
        named = match[match.lastindex or 1]
        if language == "javascript" and not named.startswith((".", "/")):
            continue  # a package
        if (
            language == "php"
            and match[0][: match.start(match.lastindex or 1) - match.start()].find("__DIR__") > 0
        ):
            named = named.lstrip("/")
        if named.endswith(DATA_ENDINGS):
            continue
        for folder in folders if language in ("php", "ruby") else folders[:1]:
            for ending in _ENDINGS[language]:
                path = absolute(f"{named}{ending}", folder)
                if path is not None:
                    yield path, match.start()


def _of_modules(text: str, folders: Sequence[str]) -> Iterator[tuple[str, int]]:
    for name, place in list(_module_names(text))[:_MOST_NAMES]:
        bare = name.lstrip(".")
        within = folders if bare == name else [_above(folders[0], len(name) - len(bare) - 1)]
        parts = bare.split(".", _MOST_PARTS)[:_MOST_PARTS] if bare else []
        if bare == name and parts[0] in _STARTED_WITH:
            continue
        for folder in within:
            for depth in range(1, len(parts) + 1):
                path = "/".join([folder.rstrip("/"), *parts[:depth]])
                yield f"{path}/__init__.py", place
                yield f"{path}.py", place
    for match in _BY_PATH.finditer(text):
        for folder in folders:
            path = absolute(match[1] or match[2], folder) or ""
            yield path, match.start()


_PATH = lazy(r"\bsys\.path\.(?:insert|append|extend)\(([^\n]{0,200})")
_LITERAL = lazy(r"[\"']([\w./-]{1,100})[\"']")


def path_folders(text: str) -> list[str]:
    """Folders that code adds to those in which it looks for modules, as they are written."""
    if "sys.path" not in text:
        return []
    return [each for match in _PATH.finditer(text) for each in _LITERAL.findall(match[1])][:_MOST_FOLDERS]


_MOST_FOLDERS = 8


def _above(folder: str, levels: int) -> str:
    for _ in range(levels):
        folder = folder.rpartition("/")[0]
    return folder


def _module_names(text: str) -> Iterator[tuple[str, int]]:
    for match in _IMPORTS.finditer(text):
        for part in match[1].split(","):
            yield part.split()[0] if part.split() else "sys", match.end(1)
    for match in _FROM.finditer(text):
        module = match[1]
        yield module, match.start(1)
        joined = f"{module}." if module.strip(".") else module
        for part in re.split(r"[,\s()]+", match[2]):
            if part.isidentifier() and part != "as":
                yield f"{joined}{part}", match.start(1)
    for match in _BY_NAME.finditer(text):
        yield match[1], match.start()
