"""How each agent is started without a terminal, with a played model for its own. One entry per agent."""

from __future__ import annotations

import os
from collections.abc import Mapping

from fairlead.doors.cli.live.recipes import chat_completions_agents as chat
from fairlead.doors.cli.live.recipes import vendor_api_agents as vendors
from fairlead.doors.cli.live.recipes.recipe import Recipe
from fairlead.doors.cli.live.stage import Stage

RECIPES: Mapping[str, Recipe] = {
    "claude": vendors.CLAUDE,
    "codex": vendors.CODEX,
    "gemini": vendors.GEMINI,
    "qwen": chat.QWEN,
    "copilot": chat.COPILOT,
    "opencode": chat.OPENCODE,
    "kimi": chat.KIMI,
    "factory": chat.FACTORY,
    "kilo": chat.KILO,
    "cline": chat.CLINE,
    "auggie": vendors.AUGGIE,
}

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "SHELL", "USER", "LOGNAME", "NODE_EXTRA_CA_CERTS")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
_NEAR = "127.0.0.1,localhost,::1"


def environment_for(recipe: Recipe, stage: Stage) -> dict[str, str]:
    """None of the user's variables but the harmless; every other host is behind a proxy that refuses."""
    return {
        **{name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
        **dict.fromkeys(_PROXIES, stage.url),
        "NO_PROXY": _NEAR,
        "no_proxy": _NEAR,
        "HOME": stage.home,
        "TMPDIR": stage.temporary,
        "TERM": "dumb",
        "NO_COLOR": "1",
        **recipe.environment(stage),
    }
