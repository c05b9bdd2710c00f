"""What a file does that the person committed: their own work, which they answer for.

Only what nobody would put up with counts then, whoever wrote it; and what the call itself put into the file's
hands, since its arguments are the agent's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.losses.earlier_versions import EarlierVersions
from fairlead.packs.project_files.owners import COMMITTED
from fairlead.packs.rule import Rule, Severity
from fairlead.sessions.memory import NO_MEMORY, Memory
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.normal_form import command_text
from fairlead.shell.places.paths import absolute
from fairlead.shell.places.targets import Place, Target
from fairlead.shell.script import Command, Origin
from fairlead.shell.word_sets import names

_WRITING = frozenset((Action.WRITE, Action.OVERWRITE))
_WHOLE = frozenset((Place.ROOT, Place.HOME_ROOT, Place.DEVICE))
_PROJECT = frozenset((Place.PROJECT, Place.PROJECT_ROOT, Place.GENERATED, Place.VCS))
_HOMELY = re.compile(r"[^./][^/]*")
"""A folder of the home that people see. What begins with a dot is some program's."""
_KEPT_FOR_GOOD = names(".ssh .gnupg .password-store .aws .config .local .local/share")
"""Folders of programs that hold what nobody can make again: keys, passwords, all settings."""
_LETS_IN = "/.ssh/authorized_keys"
"""Whose keys stand there may log in."""
_SYSTEM_TOP = re.compile(r"/[^/]+|/usr/[^/]+|/var/(?:lib|log)")
_MOST_TOKENS = 50
_TEST = re.compile(r"/tests?/|/(?:test_|conftest\.)[^/]*$|[._-](?:test|spec)\.\w+$")
"""Whoever wrote a test: it builds its database anew, which is its own."""
_TOKEN = re.compile(r"[^\s'\"|;&<>()=]+")


class PersonsOwn:
    """Tells of one call what is left to the person. Asked for every rule and effect, so that it keeps what it
    finds out about the call."""

    def __init__(self, call: Call, memory: Memory = NO_MEMORY) -> None:
        self._call = call
        self._before = EarlierVersions(call, memory) if memory is not NO_MEMORY else None
        self._committed = frozenset(file.path for file in call.files if file.owner == COMMITTED)
        self._effects: dict[int, bool] = {}
        self._given: dict[tuple[int, int, int], frozenset[tuple[str, str | None]]] = {}

    def __call__(self, rule: Rule, effect: Effect) -> bool:
        """Whether a rule would speak of something that the person's own file does, and that is left to them."""
        origin = effect.command.origin
        if origin is None:
            return False
        if effect.action is Action.CHANGE_DATABASE and effect.name == "reset" and _TEST.search(origin.path):
            return True
        return origin.path in self._committed and self._is_theirs(rule, effect, origin)

    def did_before(self, rule: Rule, effect: Effect) -> bool:
        """The same of a file that the session changed, and that did this already before; asked last, since the
        file as it was has to be read."""
        origin = effect.command.origin
        if origin is None or self._before is None or origin.path in self._committed:
            return False
        return self._is_theirs(rule, effect, origin) and self._before.did(effect)

    def _is_theirs(self, rule: Rule, effect: Effect, origin: Origin) -> bool:
        if rule.always:
            return False
        return not (self._is_beyond(rule, effect) or self._was_given(effect, origin))

    def _is_beyond(self, rule: Rule, effect: Effect) -> bool:
        """Whether it takes what belongs to no project: a disk, the home or a folder in it, the system's own;
        or sends a secret away that is none of the project's; or lets somebody in."""
        target = effect.target
        if target is not None and effect.action in _WRITING and self._lets_in(target):
            return True
        if rule.severity is not Severity.CRITICAL:
            return False
        if effect.action is Action.FORMAT:
            return any(word.known and word.text.startswith("/dev/") for word in effect.command.argv)
        if target is None:
            return False
        if effect.action is Action.READ:
            return target.place not in _PROJECT and self._is_sent(effect)
        if target.word.opaque is not None:
            return False
        if target.place in _WHOLE:
            return True
        if target.place is Place.HOME and effect.recursive:
            inside = target.path.removeprefix(f"{self._call.where.home}/")
            return inside in _KEPT_FOR_GOOD or _HOMELY.fullmatch(inside) is not None
        return target.place is Place.SYSTEM and effect.recursive and bool(_SYSTEM_TOP.fullmatch(target.path))

    def _lets_in(self, target: Target) -> bool:
        return target.path == self._call.where.home + _LETS_IN

    def _is_sent(self, effect: Effect) -> bool:
        """Whether the line of the file that reads something sends something, too."""
        origin, effects = effect.command.origin, self._call.effects
        return any(each.action is Action.SEND_DATA and each.command.origin == origin for each in effects)

    def _was_given(self, effect: Effect, origin: Origin) -> bool:
        """Asked for every rule that may speak of the effect."""
        known = self._effects.get(id(effect))
        if known is None:
            known = self._effects[id(effect)] = self._is_given(effect, origin)
        return known

    def _is_given(self, effect: Effect, origin: Origin) -> bool:
        """Whether the target, or the whole command, is what somebody else than the person gave to the file."""
        key = (effect.start, effect.end, id(origin.by))  # to hash it would be to hash the whole way to it
        if key not in self._given:
            self._given[key] = frozenset(self._words_given(effect, origin))
        target, given = effect.target, self._given[key]
        if target is not None and target.path:
            root = self._call.where.root
            return any(_leads_to(word, target.path, cwd=cwd, root=root) for word, cwd in given)
        text = command_text(effect.command)
        return " " in text and any(text in word for word, _ in given)

    def _words_given(self, effect: Effect, origin: Origin) -> Iterator[tuple[str, str | None]]:
        """The words of the call, or of files that nobody committed, which the file was run with."""
        for command in self._runners(effect, origin):
            for word in (*command.argv[1:], *command.assignments.values()):
                yield word.text, command.cwd
        call = self._call
        source = call.script.text.encode()[effect.start : effect.end].decode("utf-8", "replace")
        for token in _TOKEN.findall(source)[:_MOST_TOKENS]:
            yield call.where.home + token[1:] if token.startswith("~") else token, effect.command.cwd

    def _runners(self, effect: Effect, origin: Origin) -> Iterator[Command]:
        """The commands on the way to the file that stand in no committed file."""
        places = {(each.path, each.line) for each in origin.chain[:-1] if each.path not in self._committed}
        for command in self._call.script.commands:
            stands = command.origin
            if stands is None:
                if (command.start, command.end) == (effect.start, effect.end):
                    yield command
            elif (stands.path, stands.line) in places:
                yield command


def _leads_to(word: str, path: str, *, cwd: str | None, root: str) -> bool:
    """Whether a path is the word's or below it. The project itself, as in `./clean.sh .`, says nothing about
    which of its files are meant."""
    full = absolute(word, cwd) if word and not word.startswith("-") else None
    if full is None or not _is_in(path, full):
        return False
    return path == full or not (_is_in(root, full) and _is_in(path, root))


def _is_in(path: str, folder: str) -> bool:
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")
