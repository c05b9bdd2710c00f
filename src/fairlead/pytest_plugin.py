"""Fixtures for authors of hooks; pytest loads this by itself once Fairlead is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from fairlead.model.event import Event
    from fairlead.testing import PolicyUnderTest


@pytest.fixture
def hook_event() -> Callable[..., Event]:
    """Makes events: `hook_event("PreToolUse", call=bash("ls"))`."""
    from fairlead.testing import event

    return event


@pytest.fixture
def policy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PolicyUnderTest]:
    """The project's own policy (`.fairlead` below pytest's root), as if it were trusted, and the built-ins.

    `@pytest.mark.policy("path/to/root")` names other policy roots, from pytest's root.
    """
    from fairlead.testing import PolicyUnderTest

    marker = request.node.get_closest_marker("policy")
    named = marker.args if marker else (".fairlead",)
    roots = [str(request.config.rootpath / each) for each in named]
    with PolicyUnderTest(*roots, home=str(tmp_path / "fairlead-home"), root=str(tmp_path)) as made:
        yield made


@pytest.fixture
def assert_blocks() -> Callable[..., None]:
    from fairlead.testing import assert_blocks

    return assert_blocks


@pytest.fixture
def assert_allows() -> Callable[..., None]:
    from fairlead.testing import assert_allows

    return assert_allows


@pytest.fixture
def assert_broken() -> Callable[..., None]:
    from fairlead.testing import assert_broken

    return assert_broken


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "policy(*roots): the policy roots that the fixture `policy` judges by")
