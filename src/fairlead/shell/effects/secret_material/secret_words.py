"""What a program is told that makes it print a secret, whatever program it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command

_TOLD = lazy(
    r" (?:"
    r"(?:[\w:-]{1,30}:)?credentials?[: ](?:show|reveal|print|export|dump|view|url|list-keys)"
    r"|(?:show|print|reveal|export|dump)-(?:access-)?(?:token|credential|secret|password|api-?key)s?"
    r"|(?:[\w:-]{1,30}:)?auth[: ](?:print-)?(?:access-)?token"
    r"|connection-strings? (?:list|show|get)|appsettings list|publishing-credentials|list-publishing-\w+"
    r"|kms decrypt|docker-config|config (?:dump|show-token|show-secrets)|kv export"
    r"|--(?:show-secrets?|reveal|show-tokens?|show-passwords?|show-sensitive|unmask(?:ed)?|include-secrets|dump-config)"
    r")(?: |=|$)",
    re.IGNORECASE,
)
_ASKED_FOR = lazy(r"Environment\.Variables|environmentVariables|[\].]environment\b|\benvFrom\b.{0,40}value")
_BY_PROGRAM = lazy(
    r"^(?:rclone config show|stripe config --list|pm2 env \d|wg show \w+ private-key"
    r"|etcdctl get (?!.{0,80}--keys-only(?!=false))"
    r"(?:(?:/|/registry\S*) --prefix|--prefix (?:/|/registry\S*)(?: |$)))"
)
_LONGEST = 400


def shows_secrets(command: Command) -> Iterator[Effect]:
    """`credentials:show`, `kms decrypt`, `--show-secrets`, a query for the variables of what runs."""
    words = [word.text for word in command.argv[:12]]
    text = " ".join(words)[:_LONGEST]
    told = " ".join([word for word in words if " " not in word])[:_LONGEST]  # a word with blanks is a text
    queried = _ASKED_FOR.search(text) and ("--query" in text or "--format" in text)
    if _TOLD.search(told) or queried or _BY_PROGRAM.match(told):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
