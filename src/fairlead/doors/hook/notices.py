"""Tells the person at once what was asked, refused, or run although it was refused.

All of it happens after the answer has left; before that, whoever wants no notices, as is the default, pays
for one look at a file per objection. What is told holds no secret, no control character and nothing that a
program could take for an option, and a notifier that hangs is ended.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from fairlead.model.decision import Decision
from fairlead.model.digest import sha256_hex
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict
from fairlead.policy.notices import (
    ASK,
    BLOCK,
    RAN,
    WOULD,
    notices_path,
    read_notice_settings,
)
from fairlead.policy.places import Places, make_private

_RESULTS = (EventName.AFTER_TOOL, EventName.TOOL_FAILURE)
_SHOWN = 200
_KEPT = 512


class Notice(Value):
    """What a person is told. Both texts are printable, of one line and without secrets."""

    occasion: str
    title: str
    body: str


class Notices:
    """The notices of one user."""

    def __init__(self, places: Places) -> None:
        self._path = notices_path(places)
        self._folder = os.path.join(places.state, "notices")

    def about(
        self, event: Event, verdict: Verdict, environment: Mapping[str, str]
    ) -> Callable[[], None] | None:
        """What is left to do once the answer has been sent; None nearly always. It is asked before that, so
        it reads nothing and raises nothing."""
        occasion = self._occasion(event, verdict)
        if not occasion or event.canary or not os.access(self._path, os.F_OK):
            return None
        if occasion == RAN and not os.access(self._refusal_of(event), os.F_OK):
            return None
        return lambda: self._tell(occasion, event, verdict, environment)

    def _occasion(self, event: Event, verdict: Verdict) -> str:
        if verdict.decision.objects:
            return ASK if verdict.decision is Decision.ASK else BLOCK
        if event.name in _RESULTS:
            return RAN if event.tool is not None and event.tool.id else ""
        return WOULD if verdict.would is not None else ""

    def _tell(self, occasion: str, event: Event, verdict: Verdict, environment: Mapping[str, str]) -> None:
        settings, _ = read_notice_settings(self._path)
        if occasion == BLOCK and RAN in settings.on:
            self._keep_in_mind(event)
        if occasion in settings.on and self._may(settings.at_most):
            from fairlead.doors.hook.notifiers import notify

            notify(settings, notice_of(occasion, event, verdict), environment)

    def _keep_in_mind(self, event: Event) -> None:
        """So that it is noticed if the call runs all the same."""
        if event.tool is not None and event.tool.id:
            make_private(self._folder)
            _forget_oldest(self._folder)
            with open(self._refusal_of(event), "w", encoding="ascii"):
                pass

    def _refusal_of(self, event: Event) -> str:
        call = event.tool.id if event.tool is not None else ""
        name = sha256_hex(f"{event.agent}\0{event.session}\0{call}".encode("utf-8", "surrogatepass"))
        return os.path.join(self._folder, f"refused-{name[:32]}")

    def _may(self, at_most: int) -> bool:
        """Whether fewer than that were told in this minute, by any process of the user."""
        minute = int(time.time() // 60)
        make_private(self._folder)
        for number in range(at_most):
            path = os.path.join(self._folder, f"told-{minute}-{number}")
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            except FileExistsError:
                continue
            _forget_oldest(self._folder)
            return True
        return False


_TITLES = {
    ASK: "{} asks",
    BLOCK: "{} was refused",
    RAN: "{} ran what was refused",
    WOULD: "{} would be refused",
}


def notice_of(occasion: str, event: Event, verdict: Verdict) -> Notice:
    from fairlead.secrets.redact import redact, redact_text

    said = verdict.would if occasion == WOULD and verdict.would is not None else verdict
    given = redact(dict(event.tool.input)) if event.tool is not None else {}
    texts = [value for value in given.values() if isinstance(value, str)] if isinstance(given, dict) else []
    what = texts[0] if texts else event.tool.name if event.tool is not None else event.native_name
    place = os.path.basename(event.root.rstrip("/"))
    rule = f" [{said.rule}]" if said.rule else ""
    body = f"{redact_text(what)[:_SHOWN]}{rule} in {redact_text(place)[:60]}"
    return Notice(occasion, _line(f"Fairlead: {_TITLES[occasion].format(event.agent)}"), _line(body))


def _line(text: str) -> str:
    """One line that steers no terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _forget_oldest(folder: str) -> None:
    names = os.listdir(folder)
    if len(names) < _KEPT:
        return
    paths = sorted((os.path.join(folder, name) for name in names), key=_age)
    for path in paths[: _KEPT // 2]:
        if os.path.exists(path):
            os.unlink(path)


def _age(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
