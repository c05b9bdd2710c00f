"""The guard's own files, named by a command or by code in a way that nothing else has followed.

Whoever writes to them can say so in more ways than a reader knows: an option of some program, a variable of
some language. Few have a reason to name them at all, so what names them, and is not known to look at them
only, is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place
from fairlead.shell.script import Command, Script
from fairlead.shell.word_sets import names

_PLACES = lazy(
    r"\.local/(?:state|share)/fair\W{0,6}lead\b|\.config/fairlead\b|/(?:etc|var/lib)/fairlead\b|fairlead/off\b"
    r"|/run/user/\d+/fairlead\b"
)
_LOOKING = names(
    """
    cat bat ls ll exa eza head tail less more grep egrep fgrep rg ag stat file du df tree wc readlink realpath
    cd pushd popd echo printf test [ [[ jq yq diff cmp sha256sum sha1sum md5sum fairlead fairlead-hook true :
    which type dirname basename man whatis export read sed cut sort uniq nl tac strings xxd od hexdump column
    """
)


def unfollowed_mentions(script: Script, effects: Iterable[Effect], where: Surroundings) -> Iterator[Effect]:
    """What speaks of the guard's files, where no effect on them was found."""
    if not _is_named(script.text, where):
        return
    followed = {id(effect.command) for effect in effects if _is_followed(effect)}
    for command in script.commands:
        if id(command) not in followed and any(_is_named(text, where) for text in _told(command)):
            yield _asked(command)
    for code in script.code:
        if id(code.command) not in followed and _is_named(code.text, where) and _acts(code.text):
            yield _asked(code.command)


_QUOTED = lazy(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
_ACTING = lazy(
    r"open|writ|retriev|unlink|remove|delet|renam|touch|cop(?:y|ies)|mov|link|ch(?:dir|mod|own)|system|exec|eval|spawn"
    r"|popen|call|run|save|dump|mk|trunc|replace|load|import|>"
)


def _acts(code: str) -> bool:
    """Whether the code does more than to say something: by its words outside of texts."""
    return _ACTING.search(_QUOTED.sub("", code)) is not None


def _is_followed(effect: Effect) -> bool:
    """That it reads them says nothing of what else a command does with them."""
    if effect.action in (Action.READ, Action.LIST):
        return False
    return effect.action is Action.CHANGE_GUARD or effect.target_place is Place.GUARD


def _told(command: Command) -> Iterator[str]:
    """What a command is told besides code. A word with blanks is a text, but to an editor."""
    for redirect in command.redirects:
        if ">" in redirect.operator:
            yield redirect.target.text
    words = [word for wrapper in command.wrappers for word in wrapper.argv[1:]]
    if command.name not in _LOOKING:
        words += [*command.argv[1:], *command.assignments.values()]
    edits = command.name in _EDITORS
    yield from (word.text for word in words if edits or not any(map(str.isspace, word.text)))


_EDITORS = names("vim vi nvim view ex ed emacs nano kak hx micro")


def _is_named(text: str, where: Surroundings) -> bool:
    if "fairlead" in text and _PLACES.search(text):
        return True
    return any(map(text.__contains__, where.installation.named))


def _asked(command: Command) -> Effect:
    shown = " ".join([word.text or "?" for word in command.argv])[:200]
    return Effect(Action.CHANGE_GUARD, "own-files-named", command, what=shown)
