"""What guards are called: Fairlead, and others that watch what runs."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

GUARDS = lazy(
    r"fairlead|hooks?[-_]?(?:daemon|guard)|safety[-_]?(?:net|guard)|(?:claude|codex|command|agent)[-_]?guard"
    r"|guard[-_]daemon|auditd|falco|osqueryd",
    re.IGNORECASE,
)
PROTECTING = lazy(
    r"(?i)crowdstrike|falcon[-_]?(?:sensor|ctl)|sentinel(?:one|ctl)|carbon ?black|cbdaemon|sophos"
    r"|malwarebytes|\beset\b|clamav|osquery|wazuh|auditbeat|santactl|little ?snitch|\blulu\b|defender"
    r"|cylance|trendmicro|symantec|mcafee|kaspersky|bitdefender|\bavast|mdatp|wdavdaemon|trellix|fail2ban"
)
"""What keeps watch over a machine, by the names of its programs."""
