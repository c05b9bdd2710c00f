"""Between the questions of this machine and the people who answer elsewhere, without a connection.

What it is given may come from anybody who can write to the broker. It changes one thing on this machine: a
one-time grant for one call, if an answer is all that `check_grant` wants, and the first no, or the last yes
of as many people as the role wants.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

from fairlead.doors.fleet.approvals.askers import Asker
from fairlead.doors.fleet.approvals.pending import OPEN, Agreed, Pending, PendingAsks
from fairlead.fleet.bundles.roles import Role, key_id
from fairlead.fleet.questions.approvals import ApprovalRules
from fairlead.fleet.questions.asks import COUNTED, DENIED, EXPIRED, GRANTED, REFUSED, SUMMARY, Ask, Closed
from fairlead.fleet.questions.grants import (
    AnswerRefusedError,
    Grant,
    Why,
    check_grant,
    read_answer,
    require_approver,
)
from fairlead.fleet.records import write_record
from fairlead.model.value import Value
from fairlead.policy.answers.questions import SECONDS, Question, Yes
from fairlead.policy.glass.marker import Clock, read_clock
from fairlead.policy.places import Places
from fairlead.secrets.redact import redact_text

RULE = "fleet/approval"
_WHAT = "FleetApproval"
AT_ONCE = 20
"""Questions of one machine that may be open; more would only bury the person."""

_MINUTE, _MOST_REPORTS = 60.0, 30


class Believed(Value):
    """Whose answers count here, as the bundle in force and the roles say."""

    rules: ApprovalRules = ApprovalRules()
    role: Role = Role()


class Carrier:
    """For the questions of one user; `places` are those of whoever runs the agent, with the journal."""

    def __init__(
        self,
        places: Places,
        asker: Asker,
        *,
        machine: str,
        group: str,
        clock: Callable[[], Clock] = read_clock,
    ) -> None:
        self._places, self._asker = places, asker
        self._machine, self._group, self._clock = machine, group, clock
        self.pending = PendingAsks(asker.kept)
        self._reports: list[float] = []

    def unsent(self, believed: Believed) -> Iterator[Pending]:
        """What is to be sent: a new question once, and again only while nobody could be told of it."""
        if not believed.rules.people:
            return
        now = self._clock()
        kept = [each for each in self.pending.all() if not self._is_over(each, now)]
        yield from (each for each in kept if each.state == OPEN and not each.sent)
        known = {each.key for each in kept if each.state != GRANTED}
        room = AT_ONCE - sum(each.state == OPEN for each in kept)
        for question in self._asker.questions():
            if question.told or question.key in known or room <= 0:
                continue
            room -= 1
            made = self._pending(question, believed.rules, now)
            self.pending.keep(made)
            yield made

    def sent(self, pending: Pending) -> None:
        self.pending.keep(pending.replace(sent=True))

    def over(self) -> Iterator[Closed]:
        """Questions that nobody has answered in time: no answer is a no."""
        now = self._clock()
        for each in self.pending.all():
            if each.state == OPEN and self._is_over(each, now):
                self.pending.keep(each.replace(state=EXPIRED))
                if each.sent:
                    yield self._closed(each.request, EXPIRED, "nobody")

    def take_answer(self, content: bytes, believed: Believed) -> Closed | None:
        """What becomes of an answer; None where not even a question is named. Raises JournalError and
        OSError, and then nothing was granted."""
        request = ""
        try:
            given, signed = read_answer(content)
            request = given.request
            pending = self.pending.find(request)
            if pending is None:
                raise AnswerRefusedError(Why.UNKNOWN, "this machine has asked no such question")
            now = self._clock()
            role, rules = believed.role, believed.rules
            who = check_grant(given, signed, pending.ask, pending.about, role=role, rules=rules, now=now.wall)
            question = self._still_open(pending, now)
            agreed = _agreed(pending, given, who.name, believed)
        except AnswerRefusedError as error:
            self._report(request, error)
            return self._closed(request, REFUSED, error.message) if request else None
        if given.yes and len(agreed) < role.threshold:
            return self._counted(pending, agreed, role)
        return self._answered(pending, question, given, agreed)

    def asked_for(self, content: bytes) -> Pending | None:
        """The question that this claims to answer."""
        try:
            return self.pending.find(read_answer(content)[0].request)
        except AnswerRefusedError:
            return None

    def _still_open(self, pending: Pending, now: Clock) -> Question:
        if pending.state != OPEN:
            raise AnswerRefusedError(Why.LATE, f"it was {pending.state} already")
        if self._is_over(pending, now):
            raise AnswerRefusedError(Why.EXPIRED, "its time is over")
        found = next((each for each in self._asker.questions() if each.key == pending.key), None)
        if found is None:
            raise AnswerRefusedError(Why.LATE, "nobody waits for it any more")
        return found

    def _counted(self, pending: Pending, agreed: tuple[Agreed, ...], role: Role) -> Closed:
        """Not enough by itself; the same yes that comes again is the same yes."""
        by = f"{' and '.join(each.name for each in agreed)}, {len(agreed)} of {role.threshold}"
        if agreed != pending.agreed:
            last = agreed[-1]
            said = f"{last.name} (key {last.key}) said yes to {_about(pending)}"
            reason = f"{said}, {len(agreed)} of {role.threshold}: {last.reason}"
            write_record(self._places, what=_WHAT, rule=f"{RULE}-counted", reason=reason)
            self.pending.keep(pending.replace(agreed=agreed))
        return self._closed(pending.request, COUNTED, by)

    def _answered(
        self, pending: Pending, question: Question, given: Grant, agreed: tuple[Agreed, ...]
    ) -> Closed:
        """Written down, then closed for every other answer, and only then granted."""
        state = GRANTED if given.yes else DENIED
        said = " and ".join(f"{each.name} (key {each.key})" for each in agreed)
        name = " and ".join(each.name for each in agreed)
        why = "; ".join(each.reason for each in agreed if each.reason)
        about = f"{said} said {'yes' if given.yes else 'no'} to {_about(pending)}"
        write_record(self._places, what=_WHAT, rule=RULE, reason=f"{about}: {why}" if why else about)
        self.pending.keep(pending.replace(state=state, by=name, agreed=agreed))
        if given.yes:
            end = min(given.expires, pending.about.expires)
            left = min(SECONDS, end - self._clock().wall)
            keys = ", ".join(each.key for each in agreed)
            self._asker.let_through(question, Yes(name, keys, why, pending.request), seconds=left)
        else:
            self._asker.refuse(question)
        return self._closed(pending.request, state, name)

    def _report(self, request: str, error: AnswerRefusedError) -> None:
        """In the journal; only the first of a flood, which would bury everything else."""
        now = time.monotonic()
        self._reports = [each for each in self._reports if now - each < _MINUTE]
        if len(self._reports) >= _MOST_REPORTS:
            return
        self._reports.append(now)
        about = f"the answer to {request}" if request else "an answer"
        reason = f"{about} does nothing ({error.why}): {error.message}"
        write_record(self._places, what=_WHAT, rule=f"{RULE}-refused", reason=reason)

    def _closed(self, request: str, state: str, by: str) -> Closed:
        return Closed(request, self._machine, state, _line(by, 200), int(time.time()))

    def _is_over(self, pending: Pending, now: Clock) -> bool:
        return pending.is_over(wall=now.wall, running=now.running, boot=now.boot)

    def _pending(self, question: Question, rules: ApprovalRules, now: Clock) -> Pending:
        seconds = max(1, int(min(rules.minutes * 60, question.asked + SECONDS - time.time())))
        ask = Ask(
            request=os.urandom(16).hex(),
            machine=self._machine,
            group=self._group,
            session=self.pending.keyed("session", question.agent, question.session)[:32],
            agent=_line(question.agent, 64),
            rule=_line(question.rule, 200),
            tool=_line(question.tool, 64),
            input_hash=self.pending.keyed("input", question.key),
            asked=now.wall,
            expires=now.wall + seconds,
            summary=_line(redact_text(question.summary), SUMMARY) if rules.summary else "",
        )
        return Pending(ask.written(), ask, question.key, now.boot, now.running + seconds)


def _agreed(pending: Pending, given: Grant, name: str, believed: Believed) -> tuple[Agreed, ...]:
    """All who have said yes and still may, with this one; whoever says no says it alone."""
    this = Agreed(given.approver, name, given.reason)
    if not given.yes:
        return (this,)
    before = tuple(each for each in pending.agreed if _may_still(each, pending, believed))
    if any(each.key == this.key for each in before):
        return before
    if any(each.name == name for each in before):
        raise AnswerRefusedError(Why.NOT_ALLOWED, f"{name} has said yes already, with another key")
    return (*before, this)


def _may_still(agreed: Agreed, pending: Pending, believed: Believed) -> bool:
    """The bundle or the roles may have changed since."""
    if agreed.key not in {key_id(key) for key in believed.role.keys}:
        return False
    try:
        return require_approver(agreed.key, pending.about, believed.rules).name == agreed.name
    except AnswerRefusedError:
        return False


def _about(pending: Pending) -> str:
    return f"{pending.about.agent}, {pending.about.rule}, request {pending.request}"


def _line(text: str, most: int) -> str:
    """One line that steers no terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:most]
