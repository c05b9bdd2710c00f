"""Sessions of several calls, for tests of what is remembered between them."""

import os

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import HookType, Outcome
from fairlead.model.tool_call import ToolResult, call_named
from fairlead.model.verdict import Verdict
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.guards.sensitive_files import protect_sensitive_files
from fairlead.packs.judging.placed import Placed
from fairlead.packs.noting.remembering import Remembering
from fairlead.policy.reading.entry import Entry
from fairlead.sessions.memory import Memories, Memory
from fairlead.sessions.notes_in_memory import NotesInMemory

GUARDS = {
    "block-dangerous-commands": block_dangerous_commands,
    "protect-sensitive-files": protect_sensitive_files,
}


class SessionOfCalls:
    """Judges and remembers as a door does. Nothing is run: a test makes the files that a call would."""

    def __init__(self, root, *, name: str = "s", approves: bool = True, **config: object) -> None:
        self.root, self.name, self.config = str(root), name, config
        self.approves = approves
        self.memories = Memories(NotesInMemory())
        placed = Placed(memories=self.memories)
        entries = [
            Entry(guard, HookType.SAFETY, EventName.BEFORE_TOOL, "built-in", builtin=guard, config=config)
            for guard in GUARDS
        ]
        self._remember = Remembering(placed, entries)

    @property
    def memory(self) -> Memory:
        return self.memories.of(self.event("Bash", command="true"))

    def event(self, tool: str, **tool_input: object) -> Event:
        return Event(
            EventName.BEFORE_TOOL,
            agent="claude",
            session=self.name,
            root=self.root,
            cwd=self.root,
            tool=call_named(tool, tool_input),
            request=os.urandom(4).hex(),
        )

    def tool(self, tool: str, **tool_input: object) -> Outcome:
        """What the guards say; a question is answered with yes where the person approves."""
        event = self.event(tool, **tool_input)
        found = [guard(event, self.config, (), memories=self.memories) for guard in GUARDS.values()]
        outcomes = [outcome for outcome in found if outcome is not None]
        strongest = max(outcomes, key=lambda each: each.decision, default=Outcome())
        if strongest.decision < Decision.BLOCK and (self.approves or strongest.decision < Decision.ASK):
            self._remember(event, Verdict(strongest.decision, outcomes=tuple(outcomes)))
        return strongest

    def let_through(self, *commands: str) -> None:
        """Shell calls that a person approved, whatever the guards say."""
        for command in commands:
            event = self.event("Bash", command=command)
            said = [guard(event, self.config, (), memories=self.memories) for guard in GUARDS.values()]
            outcomes = tuple(outcome for outcome in said if outcome is not None)
            self._remember(event, Verdict(outcomes=outcomes))

    def ran(self, command: str) -> None:
        """What the agent tells after a shell call."""
        event = self.event("Bash", command=command).replace(
            name=EventName.AFTER_TOOL, result=ToolResult("done")
        )
        self._remember(event, Verdict())

    def run(self, *commands: str) -> Outcome:
        """What is said of the last of some shell calls; the others must pass."""
        *before, last = commands
        for command in before:
            outcome = self.tool("Bash", command=command)
            assert not outcome.decision.objects, (command, outcome.reason)
        return self.tool("Bash", command=last)

    def path(self, name: str) -> str:
        return os.path.join(self.root, name)

    def make(self, *names: str, content: str = "") -> None:
        """The files that were made by now."""
        for name in names:
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(content)
