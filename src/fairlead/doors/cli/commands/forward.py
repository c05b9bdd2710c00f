"""`fairlead forward`: journal lines to an OpenTelemetry collector or a StatsD server, each at least once."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from typing import Protocol

import click

from fairlead.doors.cli.given.together import refuse_idle
from fairlead.doors.cli.history import canaries_option
from fairlead.doors.cli.journal_index import journal_directory
from fairlead.doors.cli.output import Session, count, note
from fairlead.errors import FairleadError, UsageError
from fairlead.journal.cursor import Cursor
from fairlead.journal.line import Record

_BATCH = 500
_PAUSE = 1.0
_PREFIX = "fairlead"
_LONGEST = 60.0


class BatchSink(Protocol):
    def send(self, records: Sequence[Record]) -> None:
        """Raises FairleadError when they have to be sent again."""

    def close(self) -> None: ...


@click.command()
@click.option("--otlp", metavar="URL", help="An OTLP/HTTP endpoint: https, or this machine.")
@click.option(
    "--header", "headers", metavar="'NAME: VALUE'", multiple=True, help="OTLP: sent with each request."
)
@click.option("--genai", is_flag=True, help="OTLP: add the attributes of OpenTelemetry's GenAI conventions.")
@click.option("--statsd", metavar="HOST:PORT", help="A StatsD server, over UDP.")
@click.option("--sink", metavar="NAME[=TARGET]", help="A sink of a plugin, made with the text TARGET.")
@click.option("--prefix", default=_PREFIX, show_default=True, help="StatsD: what each name begins with.")
@click.option("--no-tags", is_flag=True, help="StatsD: plain names, for servers without DogStatsD's tags.")
@click.option("--from-start", is_flag=True, help="Send everything that is in the journal.")
@canaries_option
@click.option("-f", "--follow", is_flag=True, help="Go on with each new call until interrupted.")
@click.pass_obj
def command(
    session: Session,
    *,
    otlp: str | None,
    headers: tuple[str, ...],
    genai: bool,
    statsd: str | None,
    sink: str | None,
    prefix: str,
    no_tags: bool,
    from_start: bool,
    canaries: bool,
    follow: bool,
) -> int:
    """Send calls elsewhere. How far it came is kept: a receiver that was away misses nothing.

    Commands, prompts and results are not sent, nor are the calls of `fairlead doctor` without --canaries.

    \b
    Examples:
      fairlead forward --otlp http://127.0.0.1:4318 --follow
      fairlead forward --otlp https://otel.example.com --header 'Authorization: Bearer ...' --genai
      fairlead forward --statsd 127.0.0.1:8125 --follow
    """
    if sum(map(bool, (otlp, statsd, sink))) != 1:
        hint = "give --otlp URL, --statsd HOST:PORT or --sink NAME"
        raise UsageError("one receiver is needed", hint=hint)
    refuse_idle({} if otlp else {"--header": headers, "--genai": genai}, hint="it is for --otlp")
    tagless = {"--no-tags": no_tags, "--prefix": prefix != _PREFIX}
    refuse_idle({} if statsd else tagless, hint="it is for --statsd")
    receiver: BatchSink
    if otlp:
        receiver, cursor = _otlp(otlp, headers, genai=genai), _cursor(session, otlp)
    elif statsd:
        receiver = _statsd(statsd, prefix, tagged=not no_tags)
        cursor = _cursor(session, f"statsd {statsd}")
    else:
        receiver, cursor = _foreign(str(sink)), _cursor(session, f"sink {sink}")
    if from_start:
        cursor.rewind()
    elif cursor.is_new:
        cursor.skip_all()
        note("from here on; --from-start sends what is in the journal already")
    try:
        sent = _send_all(cursor, receiver, canaries=canaries)
        while follow:
            sent += _keep_sending(cursor, receiver, canaries=canaries)
    except KeyboardInterrupt:
        return 0
    finally:
        receiver.close()
    note(f"{count(sent, 'line')} sent")
    return 0


def _otlp(endpoint: str, headers: Sequence[str], *, genai: bool) -> BatchSink:
    from fairlead.sinks.otlp import OtlpSink

    return OtlpSink(endpoint, headers=dict(_pair(header) for header in headers), genai=genai)


def _statsd(target: str, prefix: str, *, tagged: bool) -> BatchSink:
    from fairlead.sinks.statsd import StatsdSink

    return StatsdSink(target, prefix=prefix, tagged=tagged)


def _foreign(named: str) -> BatchSink:
    from fairlead.sinks.foreign import ForeignSink

    name, _, target = named.partition("=")
    return ForeignSink(name, target)


def _cursor(session: Session, receiver: str) -> Cursor:
    """Each receiver has a place of its own in the journal."""
    name = hashlib.sha256(receiver.encode()).hexdigest()[:16]
    return Cursor(os.path.join(session.places.state, "forward", f"{name}.json"), journal_directory(session))


def _send_all(cursor: Cursor, sink: BatchSink, *, canaries: bool) -> int:
    sent = 0
    while records := cursor.read(_BATCH):
        wanted = [record for record in records if canaries or not record.get("canary")]
        if wanted:
            sink.send(wanted)
        cursor.commit()
        sent += len(wanted)
    return sent


def _keep_sending(cursor: Cursor, sink: BatchSink, *, canaries: bool) -> int:
    """Waits for more, and longer when the receiver is away."""
    pause = _PAUSE
    while True:
        time.sleep(pause)
        try:
            return _send_all(cursor, sink, canaries=canaries)
        except FairleadError as error:
            note(f"{error.message}; trying again")
            pause = min(pause * 2, _LONGEST)


def _pair(header: str) -> tuple[str, str]:
    name, colon, value = header.partition(":")
    if not colon or not name.strip() or "\n" in header or "\r" in header:
        raise UsageError(f"{header!r} is no header", hint="write 'Name: value'")
    return name.strip(), value.strip()
