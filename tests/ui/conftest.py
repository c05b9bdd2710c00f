"""Chromium, driven by Playwright. `make test-ui` installs what it needs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard_kit import Dashboard

playwright = pytest.importorskip("playwright.sync_api", reason="`make test-ui` installs Playwright")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine; CHROMIUM=PATH names one")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def dashboard(tmp_path: Path) -> Iterator[Dashboard]:
    made = Dashboard(tmp_path, writable=True)
    yield made
    made.close()


@pytest.fixture
def page(browser, dashboard: Dashboard) -> Iterator[object]:
    """A page that fails its test for whatever the browser complains of, a broken content policy above all."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    opened.on("dialog", lambda box: troubles.append(f"dialog {box.message}"))
    yield opened
    context.close()
    assert troubles == []
