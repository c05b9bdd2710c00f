"""Shells for others that code opens, in languages that nobody here reads: a connection, and what is run."""

from __future__ import annotations

from collections.abc import Iterator, Set

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Script
from fairlead.shell.word_sets import names

SPEAKING_PROGRAMS = names(
    """
    erl escript elixir iex dart haxe ocaml ocamlfind ocamlrun tclsh wish julia nim crystal R Rscript littler
    swift swiftc ghc runghc runhaskell scala scala-cli amm groovy kotlin kotlinc jshell racket guile clisp
    sbcl gforth fsharpi dotnet-script csi zig rdmd dmd pike rexx factor janet hy bb clojure clj octave lua
    luajit raku perl6
    """
)
_CONNECTS = lazy(
    r"(?i)gen_tcp[:.]connect|\bsockets?\b|tcp(?:client|socket|stream|conn)|inet_addr|net\.dial|connect\s*\("
    r"|socketconnection|opensocket|/inet/tcp"
)
_ADDRESS = lazy(
    r"(?<![\d.])(?!127\.|0\.0\.0\.0|169\.254\.)\d{1,3}(?:[.,]\d{1,3}){3}(?![\d.])"
    r"|[\"'](?!localhost)[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+[\"']\s*,\s*(?:Port\()?\d{2,5}"
)
_RUNS = lazy(
    r"(?i)os[:.]cmd|\bexec\w*\b|\bsystem\b|\bprocess(?:builder)?\b|\bpopen\b|\bspawn\w*\b"
    r"|/bin/(?:ba|z|da)?sh\b|cmd\.exe|\bpipe\s*\(|`sh\b|\brun\s*\("
)
_WEB_SHELL = lazy(
    r"\b(?:system|exec|shell_exec|passthru|eval|assert|popen|proc_open)\s*\(\s*(?:base64_decode\s*\(\s*)?"
    r"\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\b|Runtime\.getRuntime\(\)\.exec\(\s*request\.getParameter"
)
_LONGEST = 65536


def spoken_shells(script: Script, programs: Set[str]) -> Iterator[Effect]:
    """`erl -eval '… gen_tcp:connect("203.0.113.10", …), os:cmd(…)'`."""
    if programs.isdisjoint(SPEAKING_PROGRAMS):
        return
    text = script.text[:_LONGEST]
    if _CONNECTS.search(text) and _ADDRESS.search(text) and _RUNS.search(text):
        command = next(each for each in script.commands if each.name in SPEAKING_PROGRAMS)
        yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=text[:120])


def web_shells(commands: tuple[Command, ...], text: str) -> Iterator[Effect]:
    """A page that is written so that it runs whatever a visitor sends."""
    if not _WEB_SHELL.search(text[:_LONGEST]):
        return
    for command in commands:
        written = any(">" in redirect.operator for redirect in command.redirects) or command.name == "tee"
        said = (command.stdin.text or "", *(word.text for word in command.argv[1:]))
        if written and any(map(_WEB_SHELL.search, said)):
            yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=command.name)
