"""Files and texts that a call brings from other machines, and checks of what was brought."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairlead.model.tool_call import ToolKind
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.noting.file_notes import noted_path
from fairlead.packs.noting.leaving import CLONING, COPYING, SIGNING, SUMMING, TALKING, UNPACKING, may_fetch
from fairlead.sessions.memory import NO_MEMORY, Memory
from fairlead.sessions.note import Kind, Note
from fairlead.shell.effects.network.token_hosts import is_own_network, named_hosts
from fairlead.shell.effects.together.downloaded_files import written_by
from fairlead.shell.effects.together.run_downloads import DOWNLOADERS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.places.world import text_of
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_VERIFYING = names("--verify -V -Vm verify verify-blob")
_READ_BY_OTHERS = names("issue pr discussion gist release api search")
_MOST = 64


def fetch_notes(call: Call, memory: Memory) -> Iterator[Note]:
    for command in call.script.commands:
        if may_fetch(command) and not any(wrapper.place for wrapper in command.wrappers):
            yield from _of_command(command, call, memory)


def _of_command(command: Command, call: Call, memory: Memory) -> Iterator[Note]:
    name, where = command.name, call.where
    if name in DOWNLOADERS:
        yield from _downloaded(command, call, where)
    elif name in UNPACKING:
        yield from _unpacked(command, call, memory)
    elif name in COPYING:
        yield from _copied(command, where)
    elif name in SUMMING or name in SIGNING:
        yield from _checked(command, where, memory)
    elif name in TALKING:
        yield from _told(command, where)
    elif name == "git":
        yield from _cloned(_in_its_folder(command, where), command.argv[1:], where)
    elif _brings(command):
        yield from _cloned(command, command.argv[1:], where)


def _downloaded(command: Command, call: Call, where: Surroundings) -> Iterator[Note]:
    host = _host(command)
    if not host or is_own_network(host):
        return
    paths = [path for path in written_by(command, where) if path.startswith("/")]
    paths += _piped_into(command, call, where)
    for path in paths:
        yield Note(Kind.WROTE, path, program=command.name, existed=os.path.lexists(path))
        yield Note(Kind.FETCHED, path, host, command.name)
    if not paths and not any(_is_behind(other, command) for other in _unpackers(call)):
        yield Note(Kind.UNTRUSTED, host, "web", command.name)


def _unpackers(call: Call) -> list[Command]:
    return [command for command in call.script.commands if command.name in UNPACKING]


def _is_behind(command: Command, other: Command) -> bool:
    return command.pipeline == other.pipeline and command.position > other.position


def _host(command: Command) -> str:
    """Of its first address; a name without a scheme is one where no other word is."""
    texts = [word.text or word.prefix for word in command.argv[1:]]
    whole = named_hosts(text for text in texts if "://" in text)
    return next(whole, "") or next(named_hosts(text for text in texts if _BARE.match(text)), "")


_BARE = lazy(r"^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/|$)")


def _piped_into(command: Command, call: Call, where: Surroundings) -> list[str]:
    """`curl … | tee x`, `curl … | gunzip > x`."""
    found: list[str] = []
    for other in call.script.commands:
        if not _is_behind(other, command):
            continue
        words = other.argv[1:] if other.name == "tee" else ()
        written = [word for word in words if not word.text.startswith("-")]
        written += [redirect.target for redirect in other.redirects if ">" in redirect.operator]
        found += [path for word in written for path in [_path(word, other, where)] if path]
    return found


def _path(word: Word, command: Command, where: Surroundings) -> str:
    return noted_path(resolve(word, command, where))


def _unpacked(command: Command, call: Call, memory: Memory) -> Iterator[Note]:
    before = [c for c in call.script.commands if c.start < command.start and c.name in DOWNLOADERS]
    if not before and memory is NO_MEMORY:
        return
    from fairlead.packs.noting.unpacked_notes import unpacked_notes  # only for archives

    here = {path: _host(other) for other in before for path in written_by(other, call.where)}
    piped = next((_host(other) for other in before if other.pipeline == command.pipeline), "")
    yield from unpacked_notes(command, call, memory, here=here, piped=piped)


def _copied(command: Command, where: Surroundings) -> Iterator[Note]:
    """`scp host:x .`."""
    operands = [word for word in command.argv[1:] if not word.text.startswith("-")]
    if len(operands) < 2:
        return
    target = _path(operands[-1], command, where)
    for word in operands[:-1]:
        found = _REMOTE.match(word.text)
        if found is None or not target:
            continue
        name = word.text.rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
        path = os.path.join(target, name) if os.path.isdir(target) else target
        yield Note(Kind.FETCHED, path, found[1], command.name)


_REMOTE = lazy(r"^(?:[\w.-]+@)?([\w.-]{2,}):(?!\\)")


def _cloned(command: Command, words: Sequence[Word], where: Surroundings) -> Iterator[Note]:
    """`git clone ADDRESS [FOLDER]`."""
    at = next((i for i, word in enumerate(words) if _ADDRESS.search(word.text)), None)
    if at is None and command.name != "git":
        at = next((i for i, word in enumerate(words) if _SHORT_NAME.search(word.text)), None)
    if at is None:
        return
    address = _repository(words[at].text)
    follows = words[at + 1] if at + 1 < len(words) else None
    named = follows is not None and not follows.text.startswith("-")
    folder = follows if named and follows is not None else Word(address.rsplit("/", 1)[-1])
    path = _path(folder, command, where)
    if path:
        yield Note(Kind.WROTE, path, program="git", existed=os.path.lexists(path))
        yield Note(Kind.FETCHED, path, address[:200], "git clone")


def _brings(command: Command) -> bool:
    """Repositories of other kinds."""
    words = CLONING.get(command.name, names(""))
    return not words or any(word.text in words for word in command.argv[1:2])


def _in_its_folder(command: Command, where: Surroundings) -> Command:
    """`git -C FOLDER clone …`."""
    given = [word for option, word in pairwise(command.argv[1:6]) if option.text == "-C"]
    return command.replace(cwd=resolve(given[0], command, where).path) if given else command


_ADDRESS = lazy(r"^(?!file:)\w+://|^[\w.-]+@[\w.-]+:")
_SHORT_NAME = lazy(r"^[\w.-]+/[\w.-]+(?:#[\w./-]+)?$")


def _repository(address: str) -> str:
    """`github.com/owner/name`, however it is spelled, without who asks for it."""
    bare = re.sub(r"^\w+://|\.git/?$|/$", "", address)
    bare = bare.rpartition("@")[2].replace(":", "/", 1)
    return bare if bare.count("/") > 1 else f"github.com/{bare}"


def _told(command: Command, where: Surroundings) -> Iterator[Note]:
    """What others wrote: issues, requests, releases; and repositories."""
    texts = [word.text for word in command.argv[1:3]]
    if texts in (["repo", "clone"], ["gist", "clone"]):
        yield from _cloned(command, command.argv[3:], where)
    elif texts == ["release", "download"]:
        yield from _released(command, where)
    elif texts and texts[0] in _READ_BY_OTHERS and not any(text in _OWN_WORDS for text in texts):
        yield Note(Kind.UNTRUSTED, f"{command.name} {texts[0]}", "issue", command.name)


def _released(command: Command, where: Surroundings) -> Iterator[Note]:
    """`gh release download -O FILE`, `-D FOLDER`, `-p NAME`."""
    words = command.argv[3:]
    for option, word in pairwise(words):
        if option.text in ("-O", "--output", "-D", "--dir", "-p", "--pattern", "-A") and word.text != "-":
            path = _path(word, command, where)
            if path:
                yield Note(Kind.FETCHED, path, "github.com", "gh release download")


_OWN_WORDS = names("create edit close reopen merge ready delete list status checkout checks upload lock pin")


def _checked(command: Command, where: Surroundings, memory: Memory) -> Iterator[Note]:
    texts = [word.text for word in command.argv[1:]]
    if command.name in SIGNING:
        named = texts if not _VERIFYING.isdisjoint(texts) else []
    elif any(text in ("-c", "--check") or re.match(r"^-\w*c", text) for text in texts):
        named = _summed(command, where)
    else:
        return
    for text in named:
        path = _path(Word(text), command, where)
        for each in (path, re.sub(r"\.(?:asc|sig|minisig|sha\d+|pem)$", "", path)):
            if each and memory.fetched(each) is not None:
                yield Note(Kind.CHECKED, each)


_SUM = lazy(r"(?m)^[0-9a-fA-F]{32,128}\s+[ *]?(\S.*)$")


def _summed(command: Command, where: Surroundings) -> list[str]:
    """The names in the list of sums: out of a pipe, or of a small file."""
    said = command.stdin.text or command.stdin.shown or ""
    for word in command.argv[1:]:
        path = "" if word.text.startswith("-") else _path(word, command, where)
        said += "\n" + text_of(path) if path else ""
    return _SUM.findall(said)[:_MOST]


def tool_notes(kind: ToolKind, url: str, server: str) -> Iterator[Note]:
    """What tools bring that are no shell: pages, results of searches, what a server says."""
    if kind is ToolKind.WEB_SEARCH:
        yield Note(Kind.UNTRUSTED, "a web search", "web", "search")
    elif kind is ToolKind.MCP and server:
        yield Note(Kind.UNTRUSTED, f"the MCP server {server}"[:200], "mcp", server[:100])
    elif url:
        host = next(named_hosts([url]), "")
        if host and not is_own_network(host):
            yield Note(Kind.UNTRUSTED, host, "web", "fetch")
