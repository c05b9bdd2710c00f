"""`fairlead forward`: journal lines to an OpenTelemetry collector, each at least once."""

from __future__ import annotations

import hashlib
import os
import time

import click

from fairlead.doors.cli.history import journal_directory
from fairlead.doors.cli.output import Session, count, note
from fairlead.errors import FairleadError, UsageError
from fairlead.journal.cursor import Cursor
from fairlead.sinks.otlp import OtlpSink

_BATCH = 500
_PAUSE = 1.0
_LONGEST = 60.0


@click.command()
@click.option(
    "--otlp", "endpoint", metavar="URL", required=True, help="An OTLP/HTTP endpoint: https, or this machine."
)
@click.option("--header", "headers", metavar="'NAME: VALUE'", multiple=True, help="Sent with each request.")
@click.option("--genai", is_flag=True, help="Add the attributes of OpenTelemetry's GenAI conventions.")
@click.option("--from-start", is_flag=True, help="The first time: send what is in the journal already.")
@click.option("-f", "--follow", is_flag=True, help="Go on with each new call until interrupted.")
@click.pass_obj
def command(
    session: Session,
    *,
    endpoint: str,
    headers: tuple[str, ...],
    genai: bool,
    from_start: bool,
    follow: bool,
) -> int:
    """Send calls as traces and metrics. How far it came is kept: a collector that was away misses nothing.

    Commands, prompts and results are not sent.

    \b
    Examples:
      fairlead forward --otlp http://127.0.0.1:4318 --follow
      fairlead forward --otlp https://otel.example.com --header 'Authorization: Bearer ...' --genai
    """
    sink = OtlpSink(endpoint, headers=dict(_pair(header) for header in headers), genai=genai)
    name = hashlib.sha256(endpoint.encode()).hexdigest()[:16]
    path = os.path.join(session.places.state, "forward", f"{name}.json")
    cursor = Cursor(path, journal_directory(session))
    if cursor.is_new and not from_start:
        cursor.skip_all()
    try:
        sent = _send_all(cursor, sink)
        while follow:
            sent += _keep_sending(cursor, sink)
    except KeyboardInterrupt:
        return 0
    note(f"{count(sent, 'line')} sent")
    return 0


def _send_all(cursor: Cursor, sink: OtlpSink) -> int:
    sent = 0
    while records := cursor.read(_BATCH):
        sink.send(records)
        cursor.commit()
        sent += len(records)
    return sent


def _keep_sending(cursor: Cursor, sink: OtlpSink) -> int:
    """Waits for more, and longer when the collector is away."""
    pause = _PAUSE
    while True:
        time.sleep(pause)
        try:
            return _send_all(cursor, sink)
        except FairleadError as error:
            note(f"{error.message}; trying again")
            pause = min(pause * 2, _LONGEST)


def _pair(header: str) -> tuple[str, str]:
    name, colon, value = header.partition(":")
    if not colon or not name.strip() or "\n" in header or "\r" in header:
        raise UsageError(f"{header!r} is no header", hint="write 'Name: value'")
    return name.strip(), value.strip()
