"""Branches that others build upon."""

from __future__ import annotations

import re

_SHARED_BRANCH = re.compile(
    r"^(?:refs/heads/)?(?:main|master|trunk|develop|development|dev|staging|prod|production|stable|gh-pages"
    r"|release(?:[/-].*)?|hotfix/.*)$"
)


def is_shared_branch(name: str) -> bool:
    return bool(_SHARED_BRANCH.match(name))
