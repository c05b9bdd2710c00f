"""Words that remove packages, and packages that nobody removes by the way."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

GUARD_PACKAGE = lazy(
    r"fairlead|^(?:dcg|nah|ccguard|cupcake|agentsh|tirith|sandbox-runtime|destructive-command-guard)$|[\w-]*[-_]guard(?:rails?)?$|safety[-_]?(?:net|guard)|(?:hook|command|agent|claude|codex)s?[-_]?guard|hooks?[-_]daemon|guard[-_]?hooks?",
    re.IGNORECASE,
)
REMOVALS = names("uninstall remove rm un unlink r erase purge autoremove autopurge del -R")
