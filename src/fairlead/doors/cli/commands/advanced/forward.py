"""`fairlead forward`: journal lines to a collector, a log server, a stream or a file, each at least once."""

from __future__ import annotations

import hashlib
import os
import time
from typing import Any

import click

from fairlead.doors.cli.output import Session, count, note
from fairlead.doors.cli.recorded.history import canaries_option
from fairlead.doors.cli.recorded.journal_index import journal_directory
from fairlead.doors.cli.recorded.receivers import PREFIX, SUBJECT, BatchSink, receiver_of
from fairlead.errors import FairleadError
from fairlead.journal.cursor import Cursor

_BATCH = 500
_PAUSE = 1.0
_LONGEST = 60.0


@click.command()
@click.option(
    "--otlp", metavar="URL", help="An OTLP/HTTP endpoint for traces and metrics: https, or this machine."
)
@click.option("--otlp-logs", metavar="URL", help="An OTLP/HTTP endpoint for logs.")
@click.option(
    "--header", "headers", metavar="'NAME: VALUE'", multiple=True, help="HTTP: sent with each request."
)
@click.option("--genai", is_flag=True, help="OTLP: add the attributes of OpenTelemetry's GenAI conventions.")
@click.option("--statsd", metavar="HOST:PORT", help="A StatsD server, over UDP.")
@click.option("--prefix", default=PREFIX, show_default=True, help="StatsD: what each name begins with.")
@click.option("--no-tags", is_flag=True, help="StatsD: plain names, for servers without DogStatsD's tags.")
@click.option("--ocsf", metavar="FILE|URL", help="OCSF events: JSON lines in a file, or arrays over HTTP.")
@click.option(
    "--syslog", metavar="TARGET", help="A syslog server: tls://HOST:PORT, unix:PATH, or tcp:// here."
)
@click.option("--jetstream", metavar="URL", help="A NATS broker with a stream for the subject.")
@click.option("--subject", default=SUBJECT, show_default=True, help="JetStream: what to publish to.")
@click.option("--credentials", default="", metavar="FILE", help="JetStream: as for `fairlead bus serve`.")
@click.option("--tls-ca", default="", metavar="FILE", help="JetStream, syslog: who signed its certificate.")
@click.option("--sink", metavar="NAME[=TARGET]", help="A sink of a plugin, made with the text TARGET.")
@click.option("--from-start", is_flag=True, help="Send everything that is in the journal.")
@canaries_option
@click.option("-f", "--follow", is_flag=True, help="Go on with each new call until interrupted.")
@click.pass_obj
def command(session: Session, /, *, from_start: bool, canaries: bool, follow: bool, **given: Any) -> int:
    """Send calls elsewhere. How far it came is kept: a receiver that was away misses nothing.

    Commands, prompts and results are not sent, nor are the calls of `fairlead doctor` without --canaries.

    \b
    Examples:
      fairlead forward --otlp http://127.0.0.1:4318 --follow
      fairlead forward --otlp https://otel.example.com --header 'Authorization: Bearer ...' --genai
      fairlead forward --statsd 127.0.0.1:8125 --follow
      fairlead forward --syslog tls://logs.example.com --follow
      fairlead forward --ocsf /var/log/fairlead/ocsf.jsonl
    """
    receiver, name = receiver_of(session.places, given)
    cursor = _cursor(session, name)
    try:
        if from_start:
            cursor.rewind()
        elif cursor.is_new:
            cursor.skip_all()
            note("from here on; --from-start sends what is in the journal already")
        sent = _send_all(cursor, receiver, canaries=canaries)
        while follow:
            sent += _keep_sending(cursor, receiver, canaries=canaries)
    except KeyboardInterrupt:
        return 0
    finally:
        receiver.close()
    note(f"{count(sent, 'line')} sent")
    return 0


def _cursor(session: Session, receiver: str) -> Cursor:
    """Each receiver has a place of its own in the journal."""
    name = hashlib.sha256(receiver.encode()).hexdigest()[:16]
    return Cursor(os.path.join(session.places.state, "forward", f"{name}.json"), journal_directory(session))


def _send_all(cursor: Cursor, sink: BatchSink, *, canaries: bool) -> int:
    sent = 0
    while (records := cursor.read(_BATCH)) or cursor.moved:  # over what is no line
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
