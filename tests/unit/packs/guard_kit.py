"""Events and judgements for the tests of the packs."""

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.guards.sensitive_files import protect_sensitive_files

ROOT = "/home/no-one/project"


def tool_event(
    kind: ToolKind, *, root: str = ROOT, cwd: str = "", name: str = "", **tool_input: object
) -> Event:
    call = ToolCall(name or kind.value.title(), tool_input, kind)
    return Event(EventName.BEFORE_TOOL, root=root, cwd=cwd or root, tool=call)


def shell_event(command: object, *, root: str = ROOT, cwd: str = "") -> Event:
    return tool_event(ToolKind.SHELL, root=root, cwd=cwd, command=command)


def judge(event: Event, installation: Installation = NOWHERE, **config: object) -> Outcome:
    """The stronger of what the two guards say."""
    guards = (block_dangerous_commands, protect_sensitive_files)
    found = [guard(event, config, (), installation) for guard in guards]
    return max((o for o in found if o is not None), key=lambda o: o.decision, default=Outcome())


def decide(command: str, **config: object) -> Decision:
    return judge(shell_event(command), **config).decision
