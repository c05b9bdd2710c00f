"""Mail that Python code sends, and mailboxes that it empties."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.python.calls.call import Call, is_elsewhere
from fairlead.shell.effects.code.python.running.thing import HOLE, paths_of
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_SENDING = names("sendmail send_message")
_CATCHERS = lazy(
    r"mailtrap|mailhog|mailpit|maildev|mailcatcher|ethereal\.email|greenmail|smtp4dev|^mail$|\.test$"
)
"""Servers that keep what they are sent, for the tests of a programmer."""
_OWN_PORTS = (25, 465, 587)
_BOXES = names("mailbox.Maildir mailbox.mbox mailbox.MH mailbox.Babyl mailbox.MMDF")
_EMPTYING = names("remove discard clear pop popitem __delitem__")


def mail_acts(call: Call) -> Iterator[Act]:
    if call.method in _SENDING and call.name.startswith(("smtplib.", "aiosmtplib.")):
        if _goes_out(call):
            yield Act(str(Action.SEND_DATA), name="mail", text=call.name)
    elif call.method in _EMPTYING and call.owner.name in _BOXES:
        for path in paths_of(call.owner):
            yield on_path(Action.DELETE, path, name=call.method, recursive=True)


def is_mailbox(call: Call) -> bool:
    return call.name in _BOXES


def _goes_out(call: Call) -> bool:
    """Whether a server gets it that sends it on: another machine, or this one on the port for mail."""
    hosts = call.owner.peers or call.hosts(call.at(9, "hostname"))
    if is_elsewhere(hosts):
        return not any(_CATCHERS.search(host) for host in hosts if HOLE not in host)
    return call.owner.number in _OWN_PORTS
