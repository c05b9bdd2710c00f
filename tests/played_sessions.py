"""Sessions of an agent with a person beside it, played through real hook calls in this process."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.policy.places import find_places
from fairlead.store.reader import IndexReader
from fairlead.store.writer import IndexWriter

ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
_numbers = count(1)


class Played:
    """A home with its journal, and a project."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        (self.project / ".git").mkdir(parents=True, exist_ok=True)
        self.places = find_places(str(self.home))
        self._systems = Systems(self.places)

    def close(self) -> None:
        self._systems.close()

    def event(self, name: str, command: str, session: str, **fields: object) -> bytes:
        """One event of Claude Code, and what it is answered."""
        payload = {
            "session_id": session,
            "transcript_path": "",
            "cwd": str(self.project),
            "hook_event_name": name,
            "tool_name": "Bash",
            "tool_input": {"command": command},
            **fields,
        }
        environment = {} if fields.get("unattended") else ATTENDED
        call = HookCall(
            "claude", json.dumps(payload).encode(), cwd=str(self.project), environment=environment
        )
        return answer(call.replace(request=f"r{next(_numbers)}"), self._systems).reply.stdout

    def asked(self, command: str, session: str, *, yes: bool = True, **fields: object) -> bytes:
        """Fairlead asks, the person answers, and the agent does as it is told."""
        use = f"toolu_{next(_numbers)}"
        said = self.event("PreToolUse", command, session, tool_use_id=use, **fields)
        if yes:
            self.event("PostToolUse", command, session, tool_use_id=use, tool_response="ok")
        else:
            self.goes_on(session)
        return said

    def prompted(self, command: str, session: str, *, yes: bool = True, **fields: object) -> None:
        """The agent asks by itself; its prompt has no id."""
        use = f"toolu_{next(_numbers)}"
        self.event("PreToolUse", command, session, tool_use_id=use, **fields)
        self.event("PermissionRequest", command, session, **fields)
        if yes:
            self.event("PostToolUse", command, session, tool_use_id=use, tool_response="ok")
        else:
            self.goes_on(session)

    def goes_on(self, session: str) -> None:
        use = f"toolu_{next(_numbers)}"
        self.event("PreToolUse", "ls", session, tool_use_id=use)
        self.event("PostToolUse", "ls", session, tool_use_id=use, tool_response="ok")

    def reader(self) -> IndexReader:
        """The index of what was played."""
        journal, index = self.home / "state" / "journal", self.home / "state" / "index" / "index.sqlite3"
        writer = IndexWriter(str(index), str(journal))
        writer.catch_up()
        writer.close()
        return IndexReader(str(index), str(journal))
