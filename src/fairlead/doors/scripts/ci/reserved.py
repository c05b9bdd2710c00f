"""Names that belong to a CI system: no hook sets them for later steps or jobs."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

GITHUB_RESERVED = ("GITHUB_*", "RUNNER_*", "ACTIONS_*", "INPUT_*", "STATE_*", "CI")

GITLAB_RESERVED = (
    *("CI", "GITLAB_*", "FF_*", "DOCKER_*", "KUBECONFIG", "SECURE_*", "TRACE", "CHAT_*"),
    *("CI_API_*", "CI_BUILDS_DIR", "CI_COMMIT_*", "CI_CONCURRENT_*", "CI_CONFIG_*", "CI_DEBUG_*"),
    *("CI_DEFAULT_*", "CI_DEPENDENCY_*", "CI_DEPLOY_*", "CI_DISPOSABLE_*", "CI_ENVIRONMENT_*"),
    *("CI_EXTERNAL_*", "CI_GITLAB_*", "CI_HAS_*", "CI_JOB_*", "CI_KUBERNETES_*", "CI_MERGE_REQUEST_*"),
    *("CI_NODE_*", "CI_OPEN_*", "CI_PAGES_*", "CI_PIPELINE_*", "CI_PROJECT_*", "CI_REGISTRY*"),
    *("CI_RELEASE_*", "CI_REPOSITORY_URL", "CI_RUNNER_*", "CI_SERVER*", "CI_SHARED_*", "CI_TEMPLATE_*"),
    *("CI_TRIGGER_*", "CI_UPSTREAM_*"),
)


def is_reserved(name: str, reserved: Sequence[str]) -> bool:
    """Whatever its letters: not every system tells small ones from capitals."""
    return any(fnmatchcase(name.upper(), pattern) for pattern in reserved)
