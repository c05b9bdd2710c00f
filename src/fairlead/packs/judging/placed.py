"""What a guard is told besides the call."""

from __future__ import annotations

from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.value import Value
from fairlead.sessions.memory import NO_MEMORIES, Memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.packs.judging.saving import Keeper
    from fairlead.shell.programs.lookup import Programs


class Placed(Value):
    """Where this installation lives, what a policy teaches about programs (None: nothing), and what sessions
    did before."""

    installation: Installation = NOWHERE
    programs: Programs | None = None
    memories: Memories = NO_MEMORIES
    keeper: Keeper | None = None
    """Who saves what a call would lose, where a policy wants that."""

    def given(self) -> dict[str, object]:
        """As the arguments of a guard."""
        taught = {"programs": self.programs} if self.programs is not None else {}
        return {"installation": self.installation, "memories": self.memories, **taught}


UNPLACED = Placed()
"""Nothing is known but what every installation has in common."""
