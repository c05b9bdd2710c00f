"""The list of calls and the page of one, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard_kit import Dashboard
from index_kit import outcome, write
from ui_kit import a_loss, after, enter, go, named, recent

playwright = pytest.importorskip("playwright.sync_api", reason="`make test-ui` installs Playwright")
pytestmark = pytest.mark.slow


def expect_rows(page, number: int) -> None:
    playwright.expect(page.locator("table.calls tbody tr")).to_have_count(number)


def listed(page, dashboard: Dashboard, *records: dict[str, object], query: str = "") -> None:
    write(dashboard.journal, *records)
    enter(page, dashboard)
    go(page, dashboard, f"calls{query}")


def test_a_blocked_call_appears_live_and_its_page_opens(page, dashboard: Dashboard) -> None:
    listed(page, dashboard, recent(60))
    page.wait_for_selector("text=git push 60")
    page.wait_for_selector("[role=status]:text-is('live')")
    write(dashboard.journal, recent(0, "block", "cd / && rm -rf *"))
    row = page.wait_for_selector("tr:has-text('cd / && rm -rf *')")
    assert "block" in row.inner_text()
    playwright.expect(page.locator("#announcer")).to_have_text("block: claude cd / && rm -rf *")
    page.click("a:has-text('cd / && rm -rf *')")
    page.wait_for_selector("main mark")
    assert page.inner_text("main mark") == "rf *"
    story = page.inner_text("main")
    assert "that is not allowed" in story and "guard" in story and "fairlead allow git/force-push" in story


def test_a_call_and_what_came_after_it_share_one_line(page, dashboard: Dashboard) -> None:
    before = named(recent(5), "t1")
    listed(page, dashboard, before)
    expect_rows(page, 1)
    write(dashboard.journal, after(before))
    page.wait_for_selector("tr:has-text('git push 5') .chip:text-is('ran')")
    expect_rows(page, 1)


def test_a_refused_call_that_ran_is_the_loudest_thing_in_the_list(page, dashboard: Dashboard) -> None:
    before = named(recent(5, "block"), "t1")
    listed(page, dashboard, before, after(before), recent(3))
    assert page.inner_text(".chip.alarm") == "ran anyway"
    page.click("a:has-text('git push 5')")
    assert "although it was refused" in page.inner_text("[role=alert]")
    page.click("a:has-text('What it reported')")
    page.wait_for_selector("h1:has-text('AfterTool')")


def test_each_call_takes_one_line_however_long_it_is(page, dashboard: Dashboard) -> None:
    long = recent(3, "block", "x " * 300, agent="an-agent-with-a-name-that-is-long", degraded="y " * 90)
    listed(page, dashboard, long, recent(2))
    for width in (1900, 1280, 800, 380):
        page.set_viewport_size({"width": width, "height": 800})
        heights = page.evaluate(
            "[...document.querySelectorAll('table.calls tbody tr')].map((tr) => tr.offsetHeight)"
        )
        assert max(heights) <= 40, width


def test_facets_narrow_the_list_and_count_what_each_would_show(page, dashboard: Dashboard) -> None:
    calls = [
        recent(number, "block" if number == 2 else "continue", agent="codex" if number == 5 else "claude")
        for number in (5, 4, 3, 2, 1)
    ]
    listed(page, dashboard, *calls)
    expect_rows(page, 5)
    facet = "button[data-facet='{}'][data-value='{}']".format
    assert page.inner_text(facet("agent", "claude")).split() == ["claude", "4"]
    page.click(facet("decision", "block"))
    expect_rows(page, 1)
    assert page.url.endswith("#/calls?decision=block")
    playwright.expect(page.locator(facet("agent", "codex"))).to_have_count(0)
    page.click(facet("decision", "pass"))
    expect_rows(page, 5)
    page.click("button[aria-label='Remove decision block']")
    expect_rows(page, 4)
    page.click(facet("agent", "codex"))
    expect_rows(page, 1)
    page.click("text=Clear all")
    expect_rows(page, 5)


def test_what_failed_and_what_the_doctor_called_is_there_for_whoever_asks(page, dashboard: Dashboard) -> None:
    failed = {**recent(3), "outcomes": [outcome("slow", failure={"message": "took too long"})]}
    listed(page, dashboard, failed, recent(2, canary=True), recent(1))
    expect_rows(page, 2)
    page.click("button[data-facet=canaries]")
    expect_rows(page, 3)
    page.click("button[data-facet=trouble]")
    expect_rows(page, 1)
    assert "hook failed" in page.inner_text("table.calls tbody")


def test_text_and_time_narrow_the_list_too(page, dashboard: Dashboard) -> None:
    listed(page, dashboard, recent(7000), recent(4), recent(3))
    expect_rows(page, 3)
    page.fill("input[name=text]", "push 4")
    expect_rows(page, 1)
    assert page.url.endswith("#/calls?text=push+4")
    page.fill("input[name=text]", "")
    expect_rows(page, 3)
    page.select_option("select[name=last]", "3600")
    expect_rows(page, 2)
    page.fill("input[name=text]", "nothing like it")
    page.wait_for_selector("text=No call is like that")


def test_an_address_leads_to_what_it_led_to_before(page, dashboard: Dashboard) -> None:
    blocked = recent(2, "block")
    listed(page, dashboard, recent(3), blocked, recent(1), query="?decision=block&text=push")
    expect_rows(page, 1)
    assert page.input_value("input[name=text]") == "push"
    page.reload()
    expect_rows(page, 1)
    page.click("a:has-text('git push 2')")
    page.wait_for_selector(f"main[data-page='call/{blocked['id']}']")
    page.reload()
    page.wait_for_selector("main mark")


def test_the_way_back_leads_to_the_same_line(page, dashboard: Dashboard) -> None:
    listed(page, dashboard, *(recent(number) for number in range(230, 0, -1)))
    page.wait_for_selector("text=git push 40")
    page.evaluate("document.querySelector(\"a[href*='call']\").focus()")
    line = page.locator("a:text-is('git push 90')")
    line.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 500
    line.click()
    page.wait_for_selector("h1:has-text('BeforeTool')")
    page.go_back()
    page.wait_for_selector("tr.selected:has-text('git push 90')")
    assert abs(page.evaluate("scrollY") - before) < 100
    page.go_forward()
    page.wait_for_selector("h1:has-text('BeforeTool')")
    page.keyboard.press("Escape")
    page.wait_for_selector("tr.selected:has-text('git push 90')")


def test_older_calls_come_as_the_list_is_scrolled(page, dashboard: Dashboard) -> None:
    listed(page, dashboard, *(recent(number) for number in range(320, 0, -1)))
    assert page.locator("table.calls tbody tr").count() < 320
    for _ in range(30):
        page.mouse.wheel(0, 3000)
        if page.locator("table.calls tbody tr").count() == 320:
            break
        page.wait_for_timeout(50)
    expect_rows(page, 320)
    page.wait_for_selector("text=That is all.")


def test_the_keyboard_is_enough(page, dashboard: Dashboard) -> None:
    listed(page, dashboard, *(recent(number) for number in (3, 2, 1)))
    expect_rows(page, 3)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("pre:has-text('git push 2')")
    page.keyboard.press("j")
    page.wait_for_selector("pre:has-text('git push 3')")
    page.keyboard.press("k")
    page.wait_for_selector("pre:has-text('git push 2')")
    page.keyboard.press("Escape")
    page.wait_for_selector("tr.selected:has-text('git push 2')")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "text"
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    page.wait_for_selector("[role=status]:text-is('paused')")
    page.keyboard.press("5")
    page.wait_for_selector("h1:has-text('Rules')")
    page.keyboard.press("/")
    page.wait_for_selector("main[data-page=calls]")
    page.wait_for_function("document.activeElement.name === 'text'")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] >> text=Keys")


def test_a_paused_list_stands_still(page, dashboard: Dashboard) -> None:
    listed(page, dashboard, recent(9))
    expect_rows(page, 1)
    page.click("button:text-is('Pause')")
    write(dashboard.journal, recent(1))
    dashboard.enter_with(page)
    dashboard.wait_for("/api/calls", lambda found: len(found["calls"]) == 2)
    expect_rows(page, 1)
    page.click("button:text-is('Go on')")
    expect_rows(page, 2)


def test_a_call_is_judged_by_the_policy_of_now(page, dashboard: Dashboard) -> None:
    root = str(dashboard.project)
    facts = {"cwd": root, "tool": {"name": "Bash", "kind": "shell", "input": {"command": "rm -rf /"}}}
    record = {**recent(2), "facts": facts, "root": root}
    listed(page, dashboard, record)
    go(page, dashboard, f"call/{record['id']}")
    page.click("text=Judge it again")
    page.wait_for_selector("[role=status]:has-text('(filesystem/')")


def test_an_exception_is_made_of_a_call(page, dashboard: Dashboard) -> None:
    exact = {"command": "git push --force", "cwd": str(dashboard.project)}
    said = outcome("guard", "block", rule="git/force-push", metrics={"exact": exact})
    record = {**recent(2, "block", root=str(dashboard.project)), "outcomes": [said]}
    listed(page, dashboard, record)
    go(page, dashboard, f"call/{record['id']}")
    page.click("button:has-text('Allow for an hour')")
    page.wait_for_selector("[role=status]:has-text('fairlead allow --revoke')")


def test_what_a_call_lost_is_shown_and_brought_back(page, dashboard: Dashboard) -> None:
    id_, lost = a_loss(dashboard, "<b>a.txt")
    enter(page, dashboard)
    go(page, dashboard, f"call/{id_}")
    page.wait_for_selector("text=This would be done")
    assert "back    src/<b>a.txt" in page.inner_text(".plan pre")
    assert not lost.exists()
    page.click("button:has-text('Bring it back')")
    page.wait_for_selector("text=takes this back")
    assert lost.read_text() == "mine\n"
    assert page.is_disabled("button:has-text('Bring it back')")
    assert "takes this back" in page.text_content("#announcer")


def test_a_dashboard_that_only_shows_says_how_to_bring_it_back(browser, tmp_path: Path) -> None:
    dashboard = Dashboard(tmp_path)
    id_, lost = a_loss(dashboard)
    page = browser.new_page()
    try:
        enter(page, dashboard)
        go(page, dashboard, f"call/{id_}")
        page.wait_for_selector("text=or run `fairlead undo")
        assert page.is_disabled("button:has-text('Bring it back')")
        assert not lost.exists()
    finally:
        page.close()
        dashboard.close()
