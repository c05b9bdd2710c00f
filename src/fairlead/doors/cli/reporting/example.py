"""One recorded call as a case of a policy's tests, reduced while its verdict stays the same."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from fairlead.doors.cli.reporting.reduction import Reducer, masked
from fairlead.doors.hook.replay import Record, Replay, event_of, kept_back_of, recorded_decision
from fairlead.doors.hook.trial import event_of_case
from fairlead.errors import FairleadError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.value import Value
from fairlead.policy.places import Places
from fairlead.policy.reading.cases import Case
from fairlead.secrets.redact import redact_text
from fairlead.shell.programs.compiled.index import FAMILY_OF

_COMMAND = "command"


class Example(Value):
    """`judged` tells where the verdict was reached again: in an empty project, in the call's own, or not at
    all; then every word that is not a program's name is masked."""

    case: Case
    rule: str
    judged: str
    length: int
    """Of what there was before."""
    kept_back: bool = False
    """Whether the call went on, and audit wrote down what would have been."""


EMPTY, OWN, NOWHERE = "in an empty project", "only in its own project", "not reached again"


def example_of(record: Record, places: Places) -> Example:
    """Raises FairleadError for a call that nobody objected to, or that is no call of a tool."""
    decision, rule, kept_back = _alarm(record)
    event = event_of(record)
    if event.tool is None or not decision.objects:
        raise FairleadError(
            "this is no false alarm: nobody objected to it, or it is no call of a tool",
            hint="`fairlead log --denied` lists those that were refused",
        )
    whole = _case_of(event, decision, rule)
    length = sum(map(len, _texts(whole).values()))
    for judged, root in ((EMPTY, ""), (OWN, event.root)):
        with _project(root) as folder:
            trial = _Trial(record, places, folder, (decision, rule))
            if folder and trial.reaches(whole):
                smaller = _reduced(whole, trial)
                if trial.keeps(smaller):
                    return Example(smaller, rule, judged, length, kept_back)
    return Example(_masked(whole), rule, NOWHERE, length, kept_back)


def _alarm(record: Record) -> tuple[Decision, str, bool]:
    """What was decided, or what audit kept back, which the last word tells."""
    decision, rule = recorded_decision(record)
    would = kept_back_of(record)
    return (*would, True) if would and not decision.objects else (decision, rule, False)


class _Trial:
    """Whether a case still comes to the same verdict, by the same rule, about the same program; what a rule
    in audit would say counts as well.

    Hooks with code are not run.
    """

    def __init__(self, record: Record, places: Places, root: str, wanted: tuple[Decision, str]) -> None:
        self._replay = Replay(places)
        self._record = record
        self._root = root
        self._wanted = (*wanted, "")

    def reaches(self, case: Case) -> bool:
        """Whether the whole case does; then its program is the one to keep."""
        found = self._found(case)
        if found[:2] != self._wanted[:2]:
            return False
        self._wanted = found
        return True

    def keeps(self, case: Case) -> bool:
        return self._found(case) == self._wanted

    def _found(self, case: Case) -> tuple[Decision, str, str]:
        verdict = self._replay.verdict_on(event_of_case(case, self._root), self._record)
        said = verdict.would if verdict.would and not verdict.decision.objects else verdict
        meant = said.evidence[0].text.split()[:1] if said.evidence else []
        return said.decision, said.rule, meant[0] if meant and _is_program(meant[0]) else ""


@contextmanager
def _project(root: str) -> Iterator[str]:
    """The folder, or an empty one; nothing if it is gone."""
    if root:
        yield root if os.path.isdir(root) else ""
        return
    with tempfile.TemporaryDirectory(prefix="fairlead-report-") as folder:
        os.mkdir(os.path.join(folder, ".git"))
        yield folder


def _case_of(event: Event, decision: Decision, rule: str) -> Case:
    assert event.tool is not None
    inside = event.cwd.startswith(event.root.rstrip("/") + "/") and event.cwd != event.root
    cwd = os.path.relpath(event.cwd, event.root) if inside else ""
    tool = "Bash" if _COMMAND in event.tool.input else event.tool.name
    given = {_COMMAND: event.tool.input[_COMMAND]} if tool == "Bash" else dict(event.tool.input)
    return Case("", "", 0, decision, event.name, tool, given, cwd=cwd, agent=event.agent, rule=rule)


def _texts(case: Case) -> dict[str, str]:
    return {key: value for key, value in case.input.items() if isinstance(value, str)}


def _reduced(case: Case, trial: _Trial) -> Case:
    """Each text in turn; the rest of the input, the folder and the agent only where they are needed."""
    simpler = (case.replace(agent="generic", cwd=""), case.replace(agent="generic"), case.replace(cwd=""))
    case = next((one for one in simpler if trial.keeps(one)), case)
    for key in list(case.input):
        rest = {name: value for name, value in case.input.items() if name != key}
        if rest and trial.keeps(case.replace(input=rest)):
            case = case.replace(input=rest)
    for key in _texts(case):
        case = _with_smaller(case, key, trial)
    return case


def _with_smaller(case: Case, key: str, trial: _Trial) -> Case:
    reducer = Reducer(lambda shorter: trial.keeps(_with(case, key, shorter)), _is_program)
    smaller = reducer.reduced(_texts(case)[key])
    return _with(case, key, masked(smaller, _is_program) if reducer.exhausted else smaller)


def _with(case: Case, key: str, text: str) -> Case:
    return case.replace(input={**case.input, key: text})


def _masked(case: Case) -> Case:
    kept: Mapping[str, object] = {
        key: masked(redact_text(text), _is_program) for key, text in _texts(case).items()
    }
    return case.replace(input=kept, cwd="", agent="generic")


def _is_program(word: str) -> bool:
    return word in FAMILY_OF
