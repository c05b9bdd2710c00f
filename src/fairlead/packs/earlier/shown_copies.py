"""Shows or sends a file that holds what a secret does, since an earlier call put it there."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.earlier.moments import when
from fairlead.packs.judging.call_effects import Call
from fairlead.sessions.memory import Memory
from fairlead.shell.effects.effect import SHOWS_COPIED_SECRET, Action, Effect
from fairlead.shell.word_sets import names

_SHOWING = names(
    """
    cat tac less more head tail bat grep egrep fgrep rg ag sed awk gawk strings xxd od hexdump base64 base32 nl
    sort uniq tr rev fold column jq yq cut paste diff curl wget http xh nc ncat scp rsync python python3 node
    """
)


def shows_copies(call: Call, memory: Memory) -> Iterator[Effect]:
    for effect in call.effects:
        target = effect.target
        if effect.action is not Action.READ or target is None or target.pattern:
            continue
        if effect.name != "tool-read" and effect.command.name not in _SHOWING:
            continue
        note = memory.holds_secret(target.real or target.path)
        if note is not None:
            detail = f"it got what {note.source} holds {when(note)}"
            yield effect.replace(action=Action.READ_SECRET, name=SHOWS_COPIED_SECRET, detail=detail)
