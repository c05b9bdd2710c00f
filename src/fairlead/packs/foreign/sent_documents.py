"""Documents of the person that a foreign tool hands to others: an attachment of a mail, a file for everyone to load."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.foreign_names import words_of
from fairlead.packs.foreign.given_texts import Given, given_texts
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.documents import is_document
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_HANDING = names(
    "send reply forward post share publish upload attach email mail message put tweet transfer submit create add"
)
_TO_PEOPLE = names(
    """
    gmail outlook mail email smtp sendgrid mailgun postmark resend ses slack discord telegram whatsapp signal teams chat
    message messages sms twilio dm twitter x linkedin facebook instagram reddit pastebin transfer wetransfer anonfile
    gofile fileio imgur
    """
)
_HOMES = lazy(r"(?:file://)?(?:~|/home/[^/]+|/Users/[^/]+|/root)/(?P<below>.+)")
_KEPT = lazy(
    r"(?:^|[/_.\- ])(?:hr|finance|finances|legal|payroll|salar(?:y|ies)|customers?|clients?|patients?|medical|health|tax(?:es)?|bank|passports?"
    r"|contracts?|invoices?|backups?|dump|private|confidential|personal|board|investors?|employees?|cv|resume|ids?|wages)(?:[/_.\- ]|$)"
    r"|\.(?:sql|dump|bak|mbox|pst|kdbx?|ovpn|p12|pfx|sqlite3?|db)(?:\.\w+)?$",
    2,
)
_ANYONE = names("public public-read public-read-write publicread anyone world everyone")


def documents_sent(call: ToolCall, cwd: str, where: Surroundings) -> Iterator[Effect]:
    """What stands outside the project is the person's own: a picture of a test run stands in it."""
    server, tool = words_of(call)
    if _HANDING.isdisjoint(tool):
        return
    texts = given_texts(call)
    to_people = not _TO_PEOPLE.isdisjoint((*server, *tool))
    to_anyone = any(each.text.lower() in _ANYONE for each in texts)
    for each in texts:
        if _is_own(each, where) and (to_people or to_anyone or _is_kept(each)):
            yield Effect(Action.SEND_DATA, "upload", Command((), cwd), what=f"{call.name} {each.text[:80]}")
            return


_SPOKEN = names("text body message content comment markdown html description title query prompt search note")


def _is_own(given: Given, where: Surroundings) -> bool:
    if given.key in _SPOKEN or len(given.text) > _LONGEST or "\n" in given.text:
        return False
    text = given.text.removeprefix("file://")
    return _HOMES.fullmatch(text) is not None and not f"{text}/".startswith(f"{where.root}/")


_LONGEST = 1024


def _is_kept(given: Given) -> bool:
    found = _HOMES.fullmatch(given.text)
    below = found["below"] if found else ""
    return _KEPT.search(below) is not None or (is_document(below) and "Downloads/" not in below)
