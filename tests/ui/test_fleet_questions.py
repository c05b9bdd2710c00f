"""Questions of a real agent, over a real broker, answered in a real browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fleet_broker import FleetBroker, needs_broker

from fairlead.doors.fleet.approvals.board import OpenQuestions
from fleet_answers import ASKS_FIRST, AskingFleet
from fleet_board_kit import FleetBoard
from ui_kit import HOSTILE, run_axe

playwright = pytest.importorskip("playwright.sync_api", reason="`make test-ui` installs Playwright")
pytestmark = [pytest.mark.slow, needs_broker]
SHOTS = os.environ.get("FAIRLEAD_SCREENSHOTS", "")
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[AskingFleet]:
    """Started in a thread: the driver of the browser has a loop in this one."""
    broker = FleetBroker(tmp_path / "broker", ("m1", "web"))
    with ThreadPoolExecutor(1) as aside:
        aside.submit(broker.__enter__).result()
    yield AskingFleet(tmp_path, broker)
    broker.__exit__()


class Desk:
    """A dashboard of somebody, open in a page."""

    def __init__(self, folder: Path, questions: OpenQuestions, page) -> None:
        self.questions = questions
        folder.mkdir()
        self.board = FleetBoard(folder, questions=questions)
        self.page = page
        page.goto(f"{self.board.address}/?token={self.board.gate.token}")
        page.wait_for_selector("main[data-page=overview]")

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.page.goto("about:blank")  # it would go on asking
        self.board.close()
        self.questions.close()

    def look(self) -> None:
        self.page.goto(f"{self.board.address}/#/asks")
        self.page.wait_for_selector("main[data-page=asks]")

    def answer(self, button: str, reason: str) -> None:
        self.page.fill("article input[name=reason]", reason)
        self.page.click(f"article button:has-text('{button}')")


def test_a_yes_in_the_browser_lets_the_call_go_on_once(page, fleet: AskingFleet, tmp_path: Path) -> None:
    assert fleet.call() == 2
    with fleet.agent(), Desk(tmp_path / "board", fleet.questions("ana"), page) as desk:
        page.wait_for_selector("#waiting-asks:has-text('1')")
        desk.look()
        page.wait_for_selector(f"article pre:has-text('{ASKS_FIRST}')")
        assert page.is_disabled("article button:has-text('Let it through')"), "a reason is needed first"
        desk.answer("Let it through once", "release day")
        page.wait_for_selector("tr:has-text('granted') >> text=ana")
        page.wait_for_selector("text=Nothing waits for an answer")
        playwright.expect(page.locator("#waiting-asks")).to_have_text("", timeout=30_000)
        assert fleet.call() == 0
        assert fleet.call() == 2
    line = next(line for line in fleet.asking.journal() if line["verdict"].get("approved_by"))
    assert line["verdict"]["approved_by"]["name"] == "ana"


def test_a_no_in_the_browser_ends_it(page, fleet: AskingFleet, tmp_path: Path) -> None:
    fleet.call()
    with fleet.agent(), Desk(tmp_path / "board", fleet.questions("ana"), page) as desk:
        desk.look()
        desk.answer("Deny", "not on a Friday")
        page.wait_for_selector("tr:has-text('denied') >> text=ana")
        assert fleet.call() == 2


def test_who_may_not_answer_is_told_and_the_call_stays_refused(
    page, fleet: AskingFleet, tmp_path: Path
) -> None:
    fleet.call()
    with fleet.agent(), Desk(tmp_path / "board", fleet.questions("eve"), page) as desk:
        desk.look()
        desk.answer("Let it through once", "let me")
        page.wait_for_selector("tr:has-text('not taken') >> text=may not answer")
        assert fleet.call() == 2
        assert page.locator("article").count() >= 1, "whoever may can still answer"


def test_without_a_key_nothing_can_be_answered(page, fleet: AskingFleet, tmp_path: Path) -> None:
    fleet.call()
    with fleet.agent(), Desk(tmp_path / "board", fleet.questions(), page) as desk:
        desk.look()
        page.wait_for_selector("article")
        assert page.locator("article button, article input").count() == 0
        request = page.get_attribute("article", "data-request")
        desk.board.enter_with(page)
        given = {"answer": "approve", "reason": "x", "ask": "0" * 64}
        refused = desk.board.ask(f"/api/fleet/asks/{request}", "POST", given)
        assert refused.status == 400 and "only shows" in refused.json()["error"]


def test_what_is_typed_stays_while_other_questions_come(page, fleet: AskingFleet, tmp_path: Path) -> None:
    fleet.call()
    with fleet.agent(), Desk(tmp_path / "board", fleet.questions("ana"), page) as desk:
        desk.look()
        page.fill("article input[name=reason]", "half a rea")
        fleet.call(f"npm publish --tag '{HOSTILE}'")
        page.wait_for_selector("article >> nth=1")
        assert page.input_value("article input[name=reason]") == "half a rea"
        assert page.query_selector("main img, main script") is None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_of_questions_is_accessible_and_fits_a_phone(
    page, fleet: AskingFleet, tmp_path: Path, theme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="`make test-ui` installs it")
    fleet.call()
    page.emulate_media(color_scheme=theme)
    with fleet.agent(), Desk(tmp_path / "board", fleet.questions("ana"), page) as desk:
        desk.look()
        page.wait_for_selector("article")
        assert run_axe(axe, page) == []
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/fleet-asks-{theme}-phone.png")
            page.set_viewport_size({"width": 1280, "height": 800})
            page.screenshot(path=f"{SHOTS}/fleet-asks-{theme}.png")


def test_the_key_never_reaches_the_page(page, fleet: AskingFleet, tmp_path: Path) -> None:
    seen: list[bytes] = []
    page.on("response", lambda answer: seen.append(answer.body()) if answer.ok else None)
    fleet.call()
    with fleet.agent(), Desk(tmp_path / "board", fleet.questions("ana"), page) as desk:
        desk.look()
        page.wait_for_selector("article")
        page.wait_for_selector(f"code:has-text('{desk.questions.key_id}')")
    key = fleet.people.keys["ana"]
    secret = Path(fleet.people.path("ana")).read_text().split()[1].encode()
    assert seen and not any(
        secret in body or key.seed in body or key.seed.hex().encode() in body for body in seen
    )
