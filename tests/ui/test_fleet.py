"""The dashboard of a fleet in a real browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fleet_workshop import Publishing

from fairlead.doors.fleet.board.published import Published
from fairlead.doors.fleet.centre.expected import Expected
from fairlead.doors.fleet.collecting.intake import Incident
from fleet_board_kit import FleetBoard, a_fleet, decided, told
from ui_kit import HOSTILE, run_axe

playwright = pytest.importorskip("playwright.sync_api", reason="`make test-ui` installs Playwright")
SHOTS = os.environ.get("FAIRLEAD_SCREENSHOTS", "")
PAGES = ("overview", "machines", "asks", "decisions", "watched", "alarms", "rollouts")
PHONE = {"width": 390, "height": 844}

pytestmark = pytest.mark.slow


@pytest.fixture
def board(page, tmp_path: Path) -> Iterator[FleetBoard]:
    made = FleetBoard(tmp_path)
    yield made
    page.goto("about:blank")  # it would go on asking
    made.close()


def enter(page, board: FleetBoard) -> None:
    page.goto(f"{board.address}/?token={board.gate.token}")
    page.wait_for_selector("main[data-page=overview]")


def go(page, board: FleetBoard, place: str) -> None:
    page.goto(f"{board.address}/#/{place}")
    page.wait_for_selector(f"main[data-page='{place.split('?')[0]}']")


def test_what_needs_somebody_leads_to_its_machines(page, board: FleetBoard) -> None:
    a_fleet(board)
    enter(page, board)
    page.click(".troubles a:has-text('silent')")
    page.wait_for_selector("main[data-page=machines] table.machines tbody tr")
    assert page.url.endswith("state=silent")
    assert page.locator("table.machines tbody tr").count() == 1
    page.click("table.machines td.what a")
    page.wait_for_selector("main[data-page^='machine/'] h2:has-text('Its policy')")
    assert "silent" in page.inner_text(".title")
    page.wait_for_selector("table.decisions tbody tr >> nth=10")


def test_machines_are_searched_and_narrowed_down(page, board: FleetBoard) -> None:
    a_fleet(board, 120)
    enter(page, board)
    page.keyboard.press("/")
    page.wait_for_selector("input[name=text]:focus")
    page.keyboard.type("web-")
    page.wait_for_selector("text=30 of 120 machines")
    page.click("button[data-value='7 stale']")
    page.wait_for_selector("button[data-value='7 stale'][aria-pressed=true]")
    assert {"7, stale"} == set(page.locator("td.policy").all_inner_texts())
    page.go_back()
    page.wait_for_selector("text=30 of 120 machines")
    page.fill("input[name=text]", "")
    page.wait_for_selector("button:has-text('Next')")
    page.click("button:has-text('Next')")
    page.wait_for_selector("text=101 to 120")


def test_absent_machines_lead_the_list_and_unknown_ones_stand_apart(page, tmp_path: Path) -> None:
    (tmp_path / "machines.txt").write_text("m-1 web\nm-2 web\n")
    board = FleetBoard(tmp_path, expected=Expected(str(tmp_path / "machines.txt")))
    try:
        board.store.beat([told("m-1", host="one"), told("m-9", host="stranger")])
        enter(page, board)
        page.click(".troubles a:has-text('expected and never heard of')")
        page.wait_for_selector("table.machines tbody tr:has-text('never heard of') >> text=m-2")
        page.click("table.machines td.what a")
        page.wait_for_selector(".empty:has-text('was never heard of') pre")
        go(page, board, "overview")
        page.click(".troubles a:has-text('not on the list of machines')")
        page.wait_for_selector("table.machines td.what:has-text('stranger')")
        page.click("button:has-text('On the list')")
        page.wait_for_selector("table.machines td.what:has-text('one')")
        assert page.locator("table.machines tbody tr").count() == 2
        page.goto("about:blank")
    finally:
        board.close()


def test_a_rollout_shows_what_is_published_and_why_it_was_stopped(page, tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    publishing = Publishing(f"folder:{tmp_path}/shelf")
    publishing.publish(1)
    publishing.publish(2, percent=40)
    publishing.say(lambda _: publishing.pointer().rollout.replace(halted=True, why=HOSTILE))
    board = FleetBoard(tmp_path, published=Published(publishing.target, publishing.roles))
    try:
        board.store.beat([told("m-1", bundle={"version": 2, "state": "current"}), told("m-2")])
        enter(page, board)
        go(page, board, "rollouts")
        page.wait_for_selector(".word:has-text('is stopped at 40 % of the machines') >> text=signed")
        page.wait_for_selector(".word .problem:has-text('onerror=alert(1)')")
        page.wait_for_selector(".standing li:has-text('have it')")
        assert page.query_selector("main img") is None
        page.goto("about:blank")
    finally:
        board.close()


def test_alarms_are_paged_and_searched(page, board: FleetBoard) -> None:
    board.store.note([Incident(f"m-{n:02}", "secret", str(n), "a secret at /line") for n in range(45)])
    enter(page, board)
    go(page, board, "alarms")
    page.wait_for_selector("text=1 to 20 of 45")
    page.click("button:has-text('Next')")
    page.wait_for_selector("text=21 to 40 of 45")
    page.fill("input[name=text]", "m-07")
    playwright.expect(page.locator("table tbody tr")).to_have_count(1)


def test_a_group_is_looked_at_alone(page, board: FleetBoard) -> None:
    a_fleet(board)
    enter(page, board)
    page.click("button:has-text('30 d')")
    page.wait_for_selector("button[aria-pressed=true]:has-text('30 d')")
    page.click("main table td.name a:has-text('research')")
    page.wait_for_selector(".tile:has-text('15 of 60')")
    page.wait_for_selector("section:has-text('What audit mode would have stopped') .shares li")
    page.click("button:has-text('group: research')")
    page.wait_for_selector("h2:has-text('Groups')")


def test_a_bar_of_the_chart_leads_to_its_decisions(page, board: FleetBoard) -> None:
    board.store.take([decided("m-1", 1, 30, "block")])
    enter(page, board)
    page.focus(".chart svg")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_selector("table.decisions .badge.block")
    page.click("button:has-text('objections')")
    page.wait_for_selector("button[aria-pressed=true]:has-text('objections')")
    page.wait_for_selector("table.decisions td:has-text('git/force-push')")


def test_older_decisions_are_added_at_the_end(page, board: FleetBoard) -> None:
    board.store.take([decided("m-1", number, 1000 - number) for number in range(1, 151)])
    enter(page, board)
    go(page, board, "decisions")
    page.click("button:has-text('Older ones')")
    page.wait_for_selector("text=That is all.")
    playwright.expect(page.locator("table.decisions tbody tr")).to_have_count(150)


def test_alarms_and_rollouts_tell_what_is_wrong(page, board: FleetBoard) -> None:
    a_fleet(board)
    enter(page, board)
    go(page, board, "alarms")
    for heading in ("Broken glass", "Forks", "Gaps", "Incidents"):
        page.wait_for_selector(f"h2:has-text('{heading}')")
    go(page, board, "rollouts")
    page.wait_for_selector(".versions li:has-text('version 7')")
    go(page, board, "watched")
    page.wait_for_selector("text=went on only because a rule watches")


def test_pages_without_anything_teach_what_to_do(page, board: FleetBoard) -> None:
    enter(page, board)
    for place in PAGES:
        go(page, board, place)
        page.wait_for_selector(".empty pre")


@pytest.mark.parametrize("place", [*PAGES, "machine/m-1"])
def test_what_a_machine_sent_shows_as_text_everywhere(page, board: FleetBoard, place: str) -> None:
    verdict = {"decision": "block", "rule": "x"}
    line = decided("m-1", 5, 30, verdict=verdict)
    line = line.replace(rule=HOSTILE, agent=HOSTILE, would="block", would_rule=HOSTILE, person=HOSTILE)
    glass = decided("m-1", 9, 20).replace(rule=f"break-glass{HOSTILE}", group=HOSTILE)
    board.store.take([line, glass], [Incident("m-1", HOSTILE, HOSTILE, HOSTILE)])
    rows, agents = [{"name": HOSTILE, "state": HOSTILE}], [{"agent": HOSTILE, "seen_without_calls": True}]
    board.store.beat([told("m-1", host=HOSTILE, rows=rows, agents=agents, fairlead={"version": HOSTILE})])
    enter(page, board)
    go(page, board, place)
    if place not in ("rollouts", "asks"):  # groups of heartbeats have names of one form
        page.wait_for_selector("main >> text=onerror=alert(1)")
    assert page.query_selector("main img, script:not([src])") is None
    assert "owned" not in page.title()


def test_on_a_phone_nothing_spills_over(page, board: FleetBoard) -> None:
    a_fleet(board, 20)
    board.store.beat([told("m-1", host="x" * 200)])
    enter(page, board)
    page.set_viewport_size(PHONE)
    for place in (*PAGES, "machine/m-1"):
        go(page, board, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], place


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_violation(page, board: FleetBoard, theme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="`make test-ui` installs it")
    a_fleet(board, 20)
    board.store.take([decided("m-1", 3, 5), decided("m-1", 9, 4)])
    page.emulate_media(color_scheme=theme)
    enter(page, board)
    found = []
    for place in (*PAGES, "machine/m-1"):
        go(page, board, place)
        page.wait_for_timeout(200)
        found += [(place, each["id"], each["nodes"][0]["html"][:200]) for each in run_axe(axe, page)]
    assert found == []


@pytest.mark.skipif(not SHOTS, reason="FAIRLEAD_SCREENSHOTS=DIR takes the pictures of docs/")
def test_pictures(page, board: FleetBoard) -> None:
    a_fleet(board, 240)
    enter(page, board)
    page.evaluate("fetch('/api/fleet/machines?limit=200').then(r => r.json()).then(d => { window.machine = "
                  "d.machines[0].machine })")  # fmt: skip
    page.wait_for_function("window.machine")
    machine = page.evaluate("window.machine")
    for place in (*(each for each in PAGES if each != "asks"), f"machine/{machine}"):
        name = place.split("/")[0]
        for theme, size in (
            ("light", {"width": 1280, "height": 800}),
            ("dark", {"width": 1280, "height": 800}),
            ("phone", PHONE),
        ):
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            page.set_viewport_size(size)
            go(page, board, f"{place}?span=7d" if place in ("overview", "watched") else place)
            page.reload()
            page.wait_for_selector(f"main[data-page='{place}']")
            page.wait_for_timeout(300)
            page.screenshot(path=f"{SHOTS}/fleet-{name}-{theme}.png")
