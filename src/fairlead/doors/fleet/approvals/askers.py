"""Whose questions an agent carries: its own user's, or every user's where root has enrolled the machine.

Root writes nothing into a user's folders, where names may lead anywhere: answers lie beside the bundles.
"""

from __future__ import annotations

import os

from fairlead.model.value import Value
from fairlead.platforms import here
from fairlead.policy.answers.questions import Question, Yes, dismiss, grant, grant_as_root, questions
from fairlead.policy.places import Places

_STATE = ".local/state/fairlead"


class Asker(Value):
    """A user of this machine. `places` are theirs; `kept` is where their open questions are remembered."""

    places: Places
    user: int
    kept: str
    by_root: bool = False

    def questions(self) -> list[Question]:
        return questions(self.places, owner=self.user)

    def let_through(self, question: Question, yes: Yes, *, seconds: float) -> None:
        if self.by_root:
            grant_as_root(self.places, self.user, question, yes, seconds=seconds)
        else:
            grant(self.places, question, yes, seconds=seconds)

    def refuse(self, question: Question) -> None:
        """Root leaves the question where it is: it was answered, and ends by itself."""
        if not self.by_root:
            dismiss(self.places, question)


def askers_here(places: Places) -> list[Asker]:
    """As root, of a machine that root has enrolled, those users whose agents have asked anything yet."""
    if os.getuid() != 0 or not os.path.lexists(places.system_enrolment):
        return [Asker(places, os.getuid(), os.path.join(places.state, "asks"))]
    homes = {each.uid: each.home for each in here.accounts() if each.home}
    asking = [_as_root(places, user, os.path.join(home, _STATE)) for user, home in homes.items()]
    own = _as_root(places, 0, places.state)
    others = [each for each in asking if each.user != 0 and _asks(each.places)]
    return [own, *others]


def _asks(places: Places) -> bool:
    return os.path.isdir(os.path.join(places.state, "questions", "asked"))


def _as_root(places: Places, user: int, state: str) -> Asker:
    kept = os.path.join(places.fleet, "asks", str(user))
    return Asker(places.replace(state=state), user, kept, by_root=True)
