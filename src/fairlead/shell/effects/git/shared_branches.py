"""Branches that others build upon."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy

_SHARED_BRANCH = lazy(
    r"^(?:refs/heads/)?(?:main|master|trunk|develop|development|dev|staging|prod|production|stable|gh-pages"
    r"|release(?:[/-].*)?|hotfix/.*)$"
)


def is_shared_branch(name: str) -> bool:
    return bool(_SHARED_BRANCH.match(name))
