"""What a foreign tool takes out of a service and sends on: an export with an address that it goes to."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.foreign_names import words_of
from fairlead.packs.foreign.given_texts import given_texts
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_TAKING = names("export exports dump backup extract history archive sync replicate")
_GOES_TO = lazy(
    r"(?:webhook|callback|sendto|deliver|forward|upload|destination|recipient|exportto|pushto|emailto|notifyemail|emailaddress)\w*|to|email"
)
_ADDRESS = lazy(r"https?://(?P<host>[^/:\s]+)|(?:s3|gs|ftp|sftp)://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", 2)
_NEAR = lazy(r"localhost|127\.\d|0\.0\.0\.0|\[?::1|host\.docker\.internal")
_LONGEST = 400


def sent_on(call: ToolCall, cwd: str) -> Iterator[Effect]:
    if _TAKING.isdisjoint(words_of(call)[1]):
        return
    for each in given_texts(call):
        found = _ADDRESS.match(each.text[:_LONGEST]) if _GOES_TO.fullmatch(each.key) else None
        if found and not (found["host"] and _NEAR.match(found["host"])):
            what = f"{call.name} to {each.text[:80]}"
            yield Effect(Action.SEND_DATA, "upload", Command((), cwd), what=what)
            return
