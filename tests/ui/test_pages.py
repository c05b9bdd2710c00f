"""The dashboard in a real browser: Chromium, driven by Playwright. `make test-ui` installs what it needs."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard_kit import Dashboard
from fairlead.journal.ids import new_id, timestamp
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall
from fairlead.model.verdict import Verdict
from fairlead.policy.places import find_places
from fairlead.policy.questions import ask, question_about, take
from index_kit import call, outcome, write
from undo_kit import Project

playwright = pytest.importorskip("playwright.sync_api", reason="`make test-ui` installs Playwright")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SHOTS = os.environ.get("FAIRLEAD_SCREENSHOTS", "")
HOSTILE = "<img src=x onerror=alert(1)><script>document.title='owned'</script>\"'&"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine; CHROMIUM=PATH names one"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
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
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    opened.on("dialog", lambda box: troubles.append(f"dialog {box.message}"))
    yield opened
    context.close()
    assert troubles == []


def recent(number: float, decision: str = "continue", command: str = "", **more: object) -> dict[str, object]:
    now = time.time() - number
    text = command or f"git push {number}"
    facts = {"cwd": "/x", "tool": {"name": "Bash", "kind": "shell", "call": "t", "input": {"command": text}}}
    made = call(1, decision, facts=facts, request=f"r{now}", **more)
    made |= {"id": new_id(now), "ts": timestamp(now)}
    proof = {"text": text[-4:], "start": len(text.encode()) - 4, "end": len(text.encode()), "detail": "here"}
    if decision != "continue":
        made["verdict"] = {**made["verdict"], "reason": "that is not allowed", "evidence": [proof]}
    return made


def enter(page, dashboard: Dashboard) -> None:
    page.goto(f"{dashboard.address}/?token={dashboard.gate.token}")
    page.wait_for_selector("main[data-page=live]")


def go(page, dashboard: Dashboard, place: str) -> None:
    page.goto(f"{dashboard.address}/#/{place}")
    page.wait_for_selector(f"main[data-page='{place}']")


def expect_rows(page, number: int) -> None:
    playwright.expect(page.locator("tbody tr")).to_have_count(number)


def test_a_blocked_call_appears_live_and_its_detail_opens(page, dashboard: Dashboard) -> None:
    write(dashboard.journal, recent(60))
    enter(page, dashboard)
    page.wait_for_selector("text=git push 60")
    page.wait_for_selector("[role=status]:text-is('live')")
    write(dashboard.journal, recent(0, "block", "cd / && rm -rf *"))
    row = page.wait_for_selector("tr:has-text('cd / && rm -rf *')")
    assert "block" in row.inner_text()
    page.click("button.open:has-text('cd / && rm -rf *')")
    page.wait_for_selector("dialog[open] mark")
    assert page.inner_text("dialog mark") == "rf *"
    story = page.inner_text("dialog")
    assert "that is not allowed" in story and "guard" in story and "fairlead allow git/force-push" in story
    assert "block: claude cd / && rm -rf *" in page.text_content("#announcer")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")


def test_the_address_in_the_bar_holds_no_token(page, dashboard: Dashboard) -> None:
    enter(page, dashboard)
    assert page.url == f"{dashboard.address}/"


def test_filters_show_what_they_name(page, dashboard: Dashboard) -> None:
    write(
        dashboard.journal,
        *(recent(number, "block" if number == 2 else "continue") for number in (5, 4, 3, 2, 1)),
    )
    enter(page, dashboard)
    page.wait_for_selector("tbody tr:nth-child(5)")
    page.select_option("select[name=decision]", "block")
    expect_rows(page, 1)
    assert "git push 2" in page.inner_text("tbody")
    page.select_option("select[name=decision]", "")
    expect_rows(page, 5)
    page.fill("input[name=text]", "push 4")
    expect_rows(page, 1)
    assert "git push 4" in page.inner_text("tbody")


def question(dashboard: Dashboard, command: str) -> Event:
    """A call that nobody could be asked about."""
    event = Event(EventName.BEFORE_TOOL, agent="codex", tool=ToolCall("Bash", {"command": command}))
    verdict = Verdict(Decision.ASK, f"because of {command}")
    ask(find_places(str(dashboard.home)), question_about(event, verdict, summary=command))
    return event


def test_a_question_is_approved(page, dashboard: Dashboard) -> None:
    event = question(dashboard, "git push --force")
    enter(page, dashboard)
    page.click("nav >> text=Questions")
    page.click("button:has-text('Approve once')")
    page.wait_for_selector("text=the agent may make the call again")
    page.wait_for_selector("text=Nothing waits for an answer")
    assert take(find_places(str(dashboard.home)), event)


def test_a_hook_is_switched_off(page, dashboard: Dashboard) -> None:
    enter(page, dashboard)
    go(page, dashboard, "hooks")
    row = "tr:has-text('protect-sensitive-files') >> nth=0"
    page.click(f"{row} >> button:has-text('Turn off')")
    page.wait_for_selector(f"{row} >> button:has-text('Turn on')")


def a_loss(dashboard: Dashboard, name: str = "a.txt") -> Path:
    """A file that a call deleted after it was saved, and the call in the journal."""
    project = Project(dashboard.home.parent / "losing", saves=dashboard.home / "state" / "undo")
    lost = project.write(f"src/{name}", "mine\n")
    saved = project.lose("rm -rf src")
    said = outcome("block-dangerous-commands", metrics={"undo": saved})
    write(dashboard.journal, {**recent(1, command="rm -rf src"), "outcomes": [said]})
    return lost


def test_what_a_call_lost_is_shown_and_brought_back(page, dashboard: Dashboard) -> None:
    lost = a_loss(dashboard, "<b>a.txt")
    enter(page, dashboard)
    page.click("button.open:has-text('rm -rf src')")
    page.wait_for_selector("dialog[open] >> text=This would be done")
    assert "back    src/<b>a.txt" in page.inner_text("dialog .plan pre")
    assert not lost.exists()
    page.click("dialog button:has-text('Bring it back')")
    page.wait_for_selector("dialog[open] >> text=takes this back")
    assert lost.read_text() == "mine\n"
    assert page.is_disabled("dialog button:has-text('Bring it back')")
    assert "takes this back" in page.text_content("#announcer")


def test_a_dashboard_that_only_shows_says_how_to_bring_it_back(browser, tmp_path: Path) -> None:
    dashboard = Dashboard(tmp_path)
    lost = a_loss(dashboard)
    page = browser.new_page()
    try:
        enter(page, dashboard)
        page.click("button.open:has-text('rm -rf src')")
        page.wait_for_selector("dialog[open] >> text=or run `fairlead undo")
        assert page.is_disabled("dialog button:has-text('Bring it back')")
        assert not lost.exists()
    finally:
        page.close()
        dashboard.close()


@pytest.mark.parametrize("place", ["live", "sessions", "sessions/one", "stats", "hooks", "asks", "replay"])
def test_what_an_agent_sent_shows_as_text_everywhere(page, dashboard: Dashboard, place: str) -> None:
    hostile = recent(3, "ask", HOSTILE, session="one", root=HOSTILE, agent=HOSTILE)
    hostile["verdict"] = {**hostile["verdict"], "reason": HOSTILE, "rule": HOSTILE, "hook": HOSTILE}
    hostile["outcomes"] = [outcome(HOSTILE, "ask", reason=HOSTILE, output=[[1, HOSTILE]], rule=HOSTILE)]
    write(dashboard.journal, hostile, {**recent(2, session=HOSTILE), "degraded": HOSTILE})
    question(dashboard, HOSTILE)
    enter(page, dashboard)
    go(page, dashboard, place)
    if place == "replay":
        page.click("text=Compare")
        page.wait_for_selector(".tile")
    elif place == "live":
        page.click("button.open >> nth=1")
        page.wait_for_selector("dialog[open] dl")
        assert HOSTILE in page.inner_text("dialog pre")
    assert page.query_selector("img, script:not([src])") is None
    assert "owned" not in page.title()
    if place not in ("hooks", "replay"):
        assert "onerror=alert(1)" in page.inner_text("main")


def test_the_keyboard_reaches_everything(page, dashboard: Dashboard) -> None:
    write(dashboard.journal, *(recent(number) for number in (3, 2, 1)))
    enter(page, dashboard)
    page.wait_for_selector("tbody tr:nth-child(3)")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] pre")
    assert "git push 2" in page.inner_text("dialog pre")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "text"
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("3")
    page.wait_for_selector("h2:has-text('Statistics')")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] >> text=Keys")


def test_dark_and_light_are_kept(page, dashboard: Dashboard) -> None:
    enter(page, dashboard)
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after
    page.reload()
    page.wait_for_selector("main[data-page=live]")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == after


def test_at_phone_width_nothing_spills_over(page, dashboard: Dashboard) -> None:
    write(dashboard.journal, *(recent(number, "block", "x" * 300) for number in (3, 2, 1)))
    enter(page, dashboard)
    page.set_viewport_size({"width": 380, "height": 700})
    for place in ("live", "sessions", "stats", "hooks", "asks", "replay"):
        go(page, dashboard, place)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 380, place


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_violation(page, dashboard: Dashboard, theme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="`make test-ui` installs it")
    a_day(dashboard)
    a_loss(dashboard)
    page.emulate_media(color_scheme=theme)
    enter(page, dashboard)
    found = []
    for place in ("live", "sessions", "sessions/s1", "stats", "hooks", "asks", "replay", "detail"):
        go(page, dashboard, "live" if place == "detail" else place)
        if place == "detail":
            page.click("button.open >> nth=0")
            page.wait_for_selector("dialog[open] .plan pre")
        report = run_axe(axe, page)
        found += [(place, each["id"], each["nodes"][0]["html"][:200]) for each in report]
    assert found == []


def run_axe(axe, page) -> list[dict]:
    """The page's policy forbids foreign script; the driver puts axe in from outside the page."""
    script = Path(axe.__file__).with_name("axe.min.js")
    page.evaluate(script.read_text())
    report = page.evaluate("axe.run()")
    return [each for each in report["violations"] if each["impact"] in ("serious", "critical")]


def a_day(dashboard: Dashboard) -> None:
    """A day of several agents, for pictures and for axe."""
    question(dashboard, "git push --force origin main")
    records = []
    for number in range(240):
        decision = "block" if number % 17 == 0 else "ask" if number % 29 == 0 else "continue"
        bad = "git push --force origin main" if decision != "continue" else ""
        good = ("npm test", "git status --short", "ls -la src", "pytest -q tests/unit")[number % 4]
        agent = ("claude", "claude", "codex", "gemini")[number % 4]
        made = recent(86000 - number * 355, decision, bad or good, agent=agent, session=f"s{number // 60}")
        made["facts"]["subagent"] = {"id": ("", "", "explore-1", "review-2")[number % 4], "type": "t"}
        made["ms"] = 0.2 + (number * 7919 % 100) / 60
        records.append(made)
    write(dashboard.journal, *records)


@pytest.mark.skipif(not SHOTS, reason="FAIRLEAD_SCREENSHOTS=DIR takes the pictures of docs/")
def test_pictures(page, dashboard: Dashboard) -> None:
    a_day(dashboard)
    page.emulate_media(color_scheme="light")
    enter(page, dashboard)
    page.wait_for_selector("tbody tr:nth-child(20)")
    page.screenshot(path=f"{SHOTS}/dashboard-live-light.png")
    go(page, dashboard, "stats")
    page.click("#theme")
    page.wait_for_timeout(300)
    page.screenshot(path=f"{SHOTS}/dashboard-stats-dark.png")
    go(page, dashboard, "live")
    page.wait_for_selector("tbody tr:nth-child(20)")
    page.set_viewport_size({"width": 390, "height": 780})
    page.screenshot(path=f"{SHOTS}/dashboard-phone.png")
