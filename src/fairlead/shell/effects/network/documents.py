"""Documents that leave the machine, whatever carries them."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.server_requests import LOCAL, is_local
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_DOCUMENT = lazy(
    r"(?i)\.(?:pdf|docx?|xlsx?|xlsm|pptx?|od[tsp]|rtf|pages|numbers|csv|tsv|parquet|eml|mbox|pst|ost|msg|vcf|ics|psd|heic)$"
)
_MADE_UP = lazy(
    r"(?i)(?:^|[/_.-])(?:tests?|fixtures?|samples?|examples?|dummy|mock|testdata|spec)(?:[/_.-]|$)"
)
"""What is made for trying out an upload says so by its name or its folder."""


def is_document(path: str) -> bool:
    """Whether a file is by its name what a person wrote or keeps, and no message made for sending."""
    return _DOCUMENT.search(path) is not None and _MADE_UP.search(path) is None


_HARMLESS = names("/dev/null /dev/zero /dev/stdin /dev/tty")


def is_fed_a_file(command: Command) -> bool:
    path = command.stdin.path if command.stdin.kind == "file" else None
    return path is not None and path.text not in _HARMLESS


def is_fed_a_document(command: Command) -> bool:
    path = command.stdin.path if command.stdin.kind == "file" else None
    return path is not None and is_document(path.text)


def read_request_client(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`lwp-request -m POST URL < FILE`: a client that sends its input."""
    texts = [word.text for word in command.argv[1:]]
    sends = command.name in ("POST", "PUT") or not _SENDING.isdisjoint(text.upper() for text in texts)
    if sends and command.stdin.kind != "inherit" and not is_local([text for text in texts if "://" in text]):
        yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))


_SENDING = names("POST PUT -MPOST -MPUT")
_READING = names("cat base64 base32 xxd od hexdump tar gzip zip openssl head tail sed awk strings sqlite3")


def read_query(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`whois -h HOST "$(cat FILE)"`, `finger "$(…)@HOST"`: a question that carries a file."""
    if any(LOCAL.match(word.text) for word in command.argv[1:]):
        return
    for word in command.argv[1:]:
        stages = word.opaque.commands() if word.opaque is not None else ()
        if any(stage and stage[0].rsplit("/", 1)[-1] in _READING for stage in stages):
            yield Effect(Action.SEND_DATA, "name-lookup", command, what=shown(command))
            return
