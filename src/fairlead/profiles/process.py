"""What a hook process said, read as the originals read it: exit code, stdout, stderr."""

from __future__ import annotations

from typing import Any

from fairlead.model.matching.javascript_pattern import trimmed
from fairlead.model.value import Value
from fairlead.profiles.javascript import parsed
from fairlead.profiles.profile import Profile

SILENT = "Hook exited with code 2 without an error message"
BLOCKING = ("block", "deny")


class ProcessResult(Value):
    """`output` is None when there is none; a process that was killed is recorded with exit code 0."""

    success: bool
    exit_code: int
    output: Any = None


def read_process(
    profile: Profile, stdout: str, stderr: str, exit_code: int, *, killed: bool
) -> ProcessResult:
    code = 0 if killed else exit_code
    success = exit_code == 0 and not killed
    if profile.parses_whatever_the_exit_code:
        text = trimmed(stdout) or trimmed(stderr)
        return ProcessResult(success, code, _output(profile, text, code))
    if success:
        return ProcessResult(success, code, _output(profile, trimmed(stdout), 0))
    return ProcessResult(success, code, _complaint(profile, trimmed(stderr), code))


def _output(profile: Profile, text: str, code: int) -> Any:
    if not text:
        return None
    try:
        value = parsed(text)
        if isinstance(value, str):
            value = parsed(value)
    except (ValueError, RecursionError):
        return plain_text(text, code)
    if isinstance(value, (dict, list)):
        return value
    return (value or None) if profile.keeps_scalars else None


def plain_text(text: str, code: int) -> dict[str, str]:
    if code == 0:
        return {"decision": "allow", "systemMessage": text}
    if code == 1:
        return {"decision": "allow", "systemMessage": f"Warning: {text}"}
    return {"decision": "deny", "reason": text}


def _complaint(profile: Profile, text: str, code: int) -> Any:
    if code == 2:
        if not text and not profile.silent_two_blocks:
            return None
        return {"decision": "deny", "reason": text or SILENT}
    return {"decision": "allow", "systemMessage": f"Warning: {text}"} if text else None


def before_tool_verdict(profile: Profile, output: Any) -> str:
    """What becomes of a tool call: block, ask, stop, proceed, or none when nothing was said."""
    if output is None:
        return "none"
    fields = output if isinstance(output, dict) else {}
    if is_blocking(profile, "BeforeTool", fields):
        return "block"
    if fields.get("continue") is False:
        return "stop"
    if profile.knows_ask and fields.get("decision") == "ask":
        return "ask"
    return "proceed"


def is_blocking(profile: Profile, event: str, fields: dict[str, Any]) -> bool:
    if fields.get("decision") in BLOCKING:
        return True
    if not profile.reads_permission_decision or event != "BeforeTool":
        return False
    specific = fields.get("hookSpecificOutput")
    return isinstance(specific, dict) and specific.get("permissionDecision") in BLOCKING
