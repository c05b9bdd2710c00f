"""Picks the reader by what the hook is and by what it printed."""

from __future__ import annotations

from fairlead.contracts.contract_lines import ContractLines, has_contract_lines
from fairlead.contracts.json_output import JsonOutput
from fairlead.contracts.returned_value import ReturnedValue
from fairlead.model.event import Event
from fairlead.model.hook import Capture, Hook, Outcome


class Auto:
    """The contract for every hook: `protocol: claude | gemini | contract | auto`, and Python's values."""

    def __init__(self) -> None:
        self._value = ReturnedValue()
        self._json = JsonOutput()
        self._lines = ContractLines()

    def read(self, hook: Hook, event: Event, capture: Capture) -> Outcome:
        if capture.exit_code is None:
            outcome = self._value.read(hook, event, capture)
        elif hook.run.protocol == "contract" or (
            hook.run.protocol == "auto" and has_contract_lines(capture.timeline)
        ):
            outcome = self._lines.read(hook, event, capture)
        else:
            outcome = self._json.read(hook, event, capture)
        return _with_facts(outcome, capture)


def _with_facts(outcome: Outcome, capture: Capture) -> Outcome:
    """Beside what the hook said, what running it gave; a plain "no opinion" stays as cheap as it is."""
    if capture.timeline is None and capture.exit_code is None:
        return outcome
    return outcome.replace(timeline=capture.timeline, exit_code=capture.exit_code)
