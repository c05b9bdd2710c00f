"""Files that a piece of code fetches and writes."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.packs.noting.file_notes import noted_path
from fairlead.sessions.note import Kind, Note
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.network.token_hosts import is_own_network, named_hosts
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Code, Word

_FETCHES = lazy(
    r"urlretrieve|urlopen|\b(?:requests|httpx|aiohttp|axios|got|session|client)\.(?:get|stream|request)\b|\bfetch\s*\("
    r"|\bhttps?\.(?:get|request)\b|URI\.open|open-uri|Net::HTTP|LWP::|HTTP::Tiny|file_get_contents\s*\(\s*['\"]http"
    r"|curl_exec|Invoke-WebRequest|DownloadFile"
)
_ADDRESS = lazy(r"https?://[\w.@:-]+")
_RETRIEVED = lazy(r"urlretrieve\s{0,9}\([^)]{0,300}?,\s{0,9}['\"]([^'\"]{1,200})['\"]")
_WRITING = frozenset((Action.WRITE, Action.OVERWRITE))


def code_notes(call: Call) -> Iterator[Note]:
    for code in call.script.code:
        if _FETCHES.search(code.text):
            yield from _of_code(code, call)


def _of_code(code: Code, call: Call) -> Iterator[Note]:
    hosts = named_hosts(_ADDRESS.findall(code.text))
    host = next((each for each in hosts if not is_own_network(each)), "")
    if not host:
        return
    named = [resolve(Word(text), code.command, call.where) for text in _RETRIEVED.findall(code.text)]
    targets = [e.target for e in call.effects if e.name == "code" and e.action in _WRITING]
    for path in filter(None, map(noted_path, (*named, *targets))):
        yield Note(Kind.FETCHED, path, host, code.language)
