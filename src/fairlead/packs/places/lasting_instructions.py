"""Files that tell agents what to do in every later session, and files that run when somebody works."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

_AGENTS = (
    r"\.claude|\.codex|\.gemini|\.qwen|\.llxprt|\.copilot|\.cursor|\.codeium/windsurf|\.windsurf|\.factory|\.kiro"
    r"|\.augment|\.kimi|\.amp|\.config/(?:opencode|amp|goose|crush)|\.opencode|\.continue|\.junie|\.roo|\.cline|\.agents?"
)
_TOLD = lazy(
    r"/(?:CLAUDE(?:\.local)?|AGENTS?|GEMINI|QWEN|CONVENTIONS|WARP|CRUSH|COPILOT)\.md$"
    r"|/\.(?:cursorrules|windsurfrules|clinerules|roorules|goosehints)(?:/.*)?$"
    r"|/\.github/(?:copilot-instructions\.md|instructions/.+|prompts/.+|agents/.+)$"
    rf"|/(?:{_AGENTS})/(?:rules|commands|skills|agents|prompts|instructions|memor(?:y|ies)|steering|workflows)/.+$",
    re.IGNORECASE,
)
_RUN = lazy(
    r"/\.(?:github|gitea|forgejo)/workflows/[^/]+$|/\.gitlab-ci\.ya?ml$|/\.circleci/.+$|/Jenkinsfile$|/azure-pipelines[^/]*$"
    r"|/\.buildkite/.+$|/\.travis\.yml$|/\.drone\.ya?ml$|/bitbucket-pipelines\.yml$"
    r"|/\.(?:husky|githooks|hooks)/[^/]+$|/\.pre-commit-config\.ya?ml$|/lefthook\.ya?ml$|/\.devcontainer/.+$"
    r"|/(?:site|user)customize\.py$|/[^/]+\.pth$",
)


def instructs_agents(path: str) -> bool:
    return bool(_TOLD.search(path))


def runs_for_others(path: str) -> bool:
    """In pipelines, before commits, when an interpreter starts."""
    return bool(_RUN.search(path))
