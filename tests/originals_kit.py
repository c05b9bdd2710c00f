"""Scripts under a profile, in a policy of their own and run as any hook is."""

import json
import re
import shlex
from itertools import count
from pathlib import Path

from fairlead.assembly import Execution, build, policy_for
from fairlead.engine.handler import HookEventHandler, Surroundings
from fairlead.model.event_name import EventName
from fairlead.policy.places import find_places

PATH = {"PATH": "/usr/bin:/bin"}
INPUTS = {
    "BeforeTool": {"tool_name": "x", "tool_input": {"given": 1}},
    "AfterTool": {"tool_name": "x", "tool_input": {}, "tool_response": {"llmContent": "y"}},
    "BeforeAgent": {"prompt": "p"},
    "AfterAgent": {"prompt": "p", "prompt_response": "r", "stop_hook_active": False},
    "BeforeModel": {"llm_request": {"model": "m", "contents": []}},
    "AfterModel": {"llm_request": {"model": "m", "contents": []}, "llm_response": {"candidates": []}},
    "BeforeToolSelection": {"llm_request": {"model": "m", "contents": []}},
    "Notification": {"notification_type": "ToolPermission", "message": "m", "details": {}},
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "exit"},
    "PreCompress": {"trigger": "auto"},
}


def as_yaml(value: object) -> str:
    """JSON is YAML but for letters beyond the basic plane, which JSON escapes in two halves."""
    halves = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})")

    def whole(match: re.Match[str]) -> str:
        return f"\\U{ord(json.loads(chr(34) + match.group() + chr(34))):08x}"

    return halves.sub(whole, json.dumps(value))


class Originals:
    """A home whose policy has the scripts that a test adds, all under one profile and for one event."""

    def __init__(self, folder: Path, profile: str, event: str, *, type: str = "safety", **file):
        self.folder = folder / "config" / "hooks" / "originals"
        self.folder.mkdir(parents=True)
        self.profile, self.event, self._type, self._file = profile, event, type, file
        self._home, self._entries, self._numbers = folder, [], count(1)

    def says(self, stdout: str = "", stderr: str = "", exit: int | str = 0, **entry) -> str:
        """A script that prints this and ends so; a word instead of a code is the signal that kills it."""
        number = next(self._numbers)
        for name, text in (("out", stdout), ("err", stderr)):
            (self.folder / f"{name}{number}").write_bytes(text.encode("utf-8", "surrogatepass"))
        end = f"exit {exit}" if isinstance(exit, int) else f"kill -s {exit} $$"
        place = shlex.quote(str(self.folder))
        body = f"cat >/dev/null; cat {place}/out{number}; cat {place}/err{number} >&2; {end}"
        return self.script(body, **entry)

    def answers(self, output: object, exit: int = 0, **entry) -> str:
        return self.says(json.dumps(output), exit=exit, **entry)

    def listens(self, **entry) -> Path:
        """A script that keeps what it is told in the file that this gives."""
        heard = self.folder / f"heard{len(self._entries)}"
        self.script(f"cat > {shlex.quote(str(heard))}", **entry)
        return heard

    def script(self, body: str, **entry) -> str:
        name = f"script{len(self._entries) + 1}"
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)
        self._entries.append({"id": name, "path": name, "type": self._type, "profile": self.profile, **entry})
        return name

    def policy(self):
        text = {"id": "originals", "event": self.event, "middleware": self._entries, **self._file}
        (self.folder / "hook.meta.yaml").write_text(as_yaml(text))
        return policy_for(find_places(str(self._home), environment={}, hook_mode=False), "", "library")

    def fire(self, given: object = None, *, cwd: str = "/tmp", guards: bool = False):
        """The verdict of these scripts, with or without our guards beside them, and their outcomes."""
        policy = self.policy()
        assert not policy.errors, policy.errors
        system = build(policy, instead=None if guards else _off_if_ours)
        execute = Execution(PATH)
        handler = HookEventHandler(_Running(system, execute), Surroundings("s1", cwd))
        result = handler.fire(EventName(self.event), INPUTS[self.event] if given is None else given)
        verdict = result.aggregated.verdict
        return verdict, [each for each in verdict.outcomes if each.hook.startswith("script")]


def _off_if_ours(hook):
    return hook.replace(enabled=False) if hook.run.executor == "builtin" else hook


class _Running:
    """A system that runs programs with an environment, and leaves observers to the tests."""

    attends = True

    def __init__(self, system, execute):
        self._system, self._execute = system, execute

    def fire(self, event):
        return self._system.fire(event, execute=self._execute)

    def refuse(self, event, failure):
        return self._system.refuse(event, failure)
