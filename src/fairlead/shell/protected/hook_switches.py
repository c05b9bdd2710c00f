"""Variables with which an agent starts without its hooks, or reads other settings than the machine's."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy

NAMES = (
    r"(?:GEMINI_CLI|QWEN_CODE)_SYSTEM_(?:SETTINGS|DEFAULTS)_PATH|OPENCODE_(?:PURE|TEST_MANAGED_\w+)"
    r"|(?:CLAUDE|QWEN)_CODE_(?:SIMPLE|SAFE_MODE)|\w*DISABLE_(?:ALL_)?HOOKS"
)
_SWITCH = lazy(rf"^(?:{NAMES})$")


def switches_hooks_off(variable: str) -> bool:
    return bool(_SWITCH.match(variable))
