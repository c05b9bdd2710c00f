"""Tells people of a question by a webhook: a line and a link, and nothing that decides.

Whoever steals the address, or the account that reads there, learns that a question waits, and can do nothing:
an answer is signed with a key that is not there.
"""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from fairlead.errors import FairleadError
from fairlead.fleet.questions.approvals import Webhook
from fairlead.fleet.questions.asks import Ask
from fairlead.secrets.redact import redact_text

SECONDS = 5.0
A_MINUTE = 20
_SHOWN = 200


def words_of(ask: Ask) -> str:
    """One line, without secrets, whatever the machine has sent."""
    what = f": {redact_text(ask.summary)[:_SHOWN]}" if ask.summary else ""
    said = f"{ask.agent} on {ask.machine} ({ask.group}) asks: {ask.rule or 'a question'}{what}"
    return "".join(letter if letter.isprintable() else " " for letter in said)


def body_of(ask: Ask, kind: str, link: str = "") -> bytes:
    """As the receiver wants it. Its own markup in what a machine sent stays plain text."""
    text, how = words_of(ask), f"fairlead fleet answer {ask.request[:12]} --yes|--no"
    if kind == "json":
        facts = {
            name: getattr(ask, name) for name in ("request", "machine", "group", "agent", "rule", "tool")
        }
        data: object = {**facts, "text": text, "expires": ask.expires, "link": link, "answer": how}
    elif kind == "slack":
        more = f"\n<{link}|Answer it there>" if link else ""
        data = {"text": f"{_slack(text)}\n`{how}`{more}"}
    else:
        data = _card(text, how, link)
    return json.dumps(data).encode()


def _slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("`", "'")


def _card(text: str, how: str, link: str) -> dict[str, object]:
    blocks = [{"type": "TextBlock", "text": _plain(each), "wrap": True} for each in (text, how)]
    actions = [{"type": "Action.OpenUrl", "title": "Answer it there", "url": link}] if link else []
    content = {"type": "AdaptiveCard", "version": "1.4", "body": blocks, "actions": actions}
    card = {"contentType": "application/vnd.microsoft.card.adaptive", "content": content}
    return {"type": "message", "attachments": [card]}


def _plain(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "*_[]()#`~\\" else letter for letter in text)


class Teller:
    """Sends to one address, a bounded number of times a minute."""

    def __init__(
        self,
        webhook: Webhook,
        *,
        link: str = "",
        a_minute: int = A_MINUTE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        fault = webhook.fault()
        if fault:
            raise FairleadError(f"nothing is sent to {webhook.shown}: {fault}")
        self._webhook, self._link, self._most, self._clock = webhook, link, a_minute, clock
        self._sent: list[float] = []
        self.left_out = 0

    def tell(self, ask: Ask) -> bool:
        """False for one too many in this minute. Raises FairleadError where nobody took it."""
        now = self._clock()
        self._sent = [each for each in self._sent if now - each < 60]
        if len(self._sent) >= self._most:
            self.left_out += 1
            return False
        self._sent.append(now)
        post(self._webhook, body_of(ask, self._webhook.kind, self._link))
        return True


def post(webhook: Webhook, body: bytes) -> None:
    """Follows nothing that it is sent on to, and reads no more than whether it was taken.

    Raises FairleadError, which holds neither the path of the address nor what was answered.
    """
    parts = urlsplit(webhook.url)
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    connection = _connection(parts.scheme, parts.hostname or "", parts.port)
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise FairleadError(f"{webhook.shown} does not answer: {type(error).__name__}") from None
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise FairleadError(f"{webhook.shown} did not take it: {status}")


def _connection(scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
    if scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, timeout=SECONDS, context=context)
    return http.client.HTTPConnection(host, port, timeout=SECONDS)
