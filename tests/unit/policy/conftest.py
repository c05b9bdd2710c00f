"""A machine of its own for every test: places under tmp_path, and policies written in one line."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.policy import reload
from fairlead.policy.places import Places
from fairlead.policy.policy import Policy, load_policy

BUILTINS = frozenset(
    {
        "validate-tool-inputs",
        "block-dangerous-commands",
        "protect-sensitive-files",
        "approve-safe-operations",
        "keep-hooks-on",
        "guard-server-requests",
        "remove-secrets-from-results",
        "flag-instructions-in-results",
        "log-operations",
        "emit-metrics",
        "track-token-usage",
        "debug-tracer",
    }
)


@pytest.fixture
def builtin_names() -> frozenset[str]:
    return BUILTINS


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(*(str(tmp_path / name) for name in ("config", "state", "run", "share", "system")))


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "project").mkdir()
    return str(tmp_path / "project")


@pytest.fixture
def write() -> Callable[..., str]:
    """write(policy_root, text, name="one") puts a hook.meta.yaml below the root's hooks/, or any file."""

    def write_file(policy_root: str, text: str, name: str = "one", *, file: str = "hook.meta.yaml") -> str:
        folder = os.path.join(policy_root, "hooks", name)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, file)
        with open(path, "w", encoding="utf-8") as out:
            out.write(textwrap.dedent(text))
        return path

    return write_file


@pytest.fixture
def load(places: Places, root: str, builtin_names: frozenset[str]) -> Callable[..., Policy]:
    def load_it(**more: object) -> Policy:
        return load_policy(places, root, builtin_names=builtin_names, **more)  # type: ignore[arg-type]

    return load_it


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that a test just wrote count as long settled."""
    monkeypatch.setattr(reload, "SETTLING_NS", -(10**18))
