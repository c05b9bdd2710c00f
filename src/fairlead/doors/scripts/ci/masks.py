"""Takes secrets out of what hooks print before it is shown: what looks like one, and what is known as one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from fairlead.doors.scripts.ci.spellings import spellings
from fairlead.secrets.redact import mark, may_hold_secrets, names_secret, redact_text, secrets_in

_SHORTEST = 6
"""Shorter values stand in too many places where they are none."""

_LONGEST_KEY = 200
"""In lines; what follows is no part of it, even if it has no end."""

_KEY_BEGINS = re.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----")
_KEY_ENDS = re.compile("-----END [A-Z0-9 ]*PRIVATE KEY-----")


class Masks:
    """Secrets that were seen so far. `tell` hears of each that is new, before its line is shown."""

    def __init__(self, environment: Mapping[str, str], tell: Callable[[str], None] | None = None) -> None:
        self._tell = tell or (lambda secret: None)
        self._known: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self._lines_of_key = 0
        self._learn(_worth_masking(environment), told=False)

    def lines(self, lines: Sequence[str]) -> Sequence[str]:
        """Lines of output without their secrets. Most have none, which is seen at once for all of them."""
        together = "\n".join(lines)
        if self._lines_of_key or may_hold_secrets(together) or self.text(together) != together:
            return [self.line(each) for each in lines]
        return lines

    def line(self, text: str) -> str:
        """One line of output, without its secrets."""
        self._learn(_parts(secrets_in(text)))
        begins = _KEY_BEGINS.search(text) is not None
        if begins or self._lines_of_key:
            self._lines_of_key = 0 if _KEY_ENDS.search(text) else self._lines_of_key + 1
            self._learn(_parts([text]))
            if self._lines_of_key > _LONGEST_KEY:
                self.end()
            return mark("private-key")
        return self.hidden(text)

    def hidden(self, text: str) -> str:
        """A piece of a line, without what looks like a secret and what is known as one."""
        return self.text(redact_text(text))

    def end(self) -> None:
        """The output ends: what comes next is no part of a key that began in it."""
        self._lines_of_key = 0

    def text(self, text: str) -> str:
        """A text that is no line of output, without the secrets that are known."""
        return self._pattern.sub(mark("secret"), text) if self._pattern is not None else text

    def variables(self, variables: Mapping[str, str]) -> dict[str, str]:
        """The same for variables, which a name may make secret."""
        self._learn(_worth_masking(variables))
        return {
            name: mark("secret") if names_secret(name) else self.hidden(value)
            for name, value in variables.items()
        }

    def _learn(self, secrets: Iterable[str], *, told: bool = True) -> None:
        new = {secret for secret in secrets if len(secret) >= _SHORTEST} - self._known
        if not new:
            return
        self._known |= new
        all_spellings = {spelling for secret in self._known for spelling in spellings(secret)}
        longest_first = sorted(all_spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        for secret in sorted(new) if told else ():
            self._tell(secret)


def _worth_masking(variables: Mapping[str, str]) -> list[str]:
    named = [value for name, value in variables.items() if names_secret(name)]
    return _parts(value for value in named if not (os.path.isabs(value) and os.path.exists(value)))


def _parts(secrets: Iterable[str]) -> list[str]:
    """A log has lines, so a secret of several lines is several secrets."""
    return [part.strip() for secret in secrets for part in secret.splitlines()]
