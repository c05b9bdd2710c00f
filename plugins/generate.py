"""Writes what the stores of agents get: shells around the installed client, from the data of the dialects.

`python plugins/generate.py` writes the files, `--check` fails if one is not what it would be.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from fairlead import __version__
from fairlead.dialects.agents.javascript_plugins.plugin_source import opencode_package
from fairlead.dialects.setup.hook_forms import Wanted
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.dialects.setup.shell_line import Quote, guarded_line, in_double_quotes
from fairlead.dialects.setup.site import Client
from fairlead.model.facts import quoted

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = "~/.local/share/fairlead/bin/fairlead-hook"
TOLD = (
    f"its program {PROGRAM} is missing. A person can run `pipx install fairlead && fairlead install "
    "--client`, or take the Fairlead plugin out of this agent. Then start the agent anew."
)
ABOUT = "Stops what would lose data, leak secrets or run unseen code, before the agent does it."
NAME = "fairlead"
_AUTHOR = {"name": "Fairlead"}
_WORDS = ["guard", "hooks", "safety", "security"]
_FOR_A_PERSON = "/home/YOU/.local/share/fairlead/bin/fairlead-hook"


class StoreClient(Client):
    """The client of whoever runs the plugin: the shell finds their home."""

    def line(self, agent: str, event: str) -> str:
        words = [PROGRAM, agent, event]
        if INSTALLS[agent].started_by == "login shell":
            inner = guarded_line(words, agent, event, quote=_expanding(in_double_quotes), told=TOLD)
            return f"/bin/sh -c {quoted(inner)}"
        return guarded_line(words, agent, event, quote=_expanding(quoted), told=TOLD)


def _expanding(quote: Quote) -> Quote:
    return lambda word: f'"$HOME{PROGRAM[1:]}"' if word == PROGRAM else quote(word)


def _hooks(agent: str, client: Client) -> dict[str, object]:
    setup = INSTALLS[agent]
    wanted = Wanted(agent, setup, setup.files[0], "", client)
    return {event: [wanted.entry(event)] for event in wanted.events}


def _json(value: object) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def _manifest(**more: object) -> dict[str, object]:
    return {"name": NAME, "version": __version__, "description": ABOUT, **more}


def claude() -> Iterator[tuple[str, bytes]]:
    plugin = _manifest(author=_AUTHOR, license="MIT", keywords=_WORDS)
    listed = {"name": NAME, "source": "./plugins/claude", "description": ABOUT, "category": "security"}
    market = {"name": NAME, "owner": _AUTHOR, "metadata": {"description": ABOUT}, "plugins": [listed]}
    yield ".claude-plugin/marketplace.json", _json(market)
    yield "plugins/claude/.claude-plugin/plugin.json", _json(plugin)
    yield "plugins/claude/hooks/hooks.json", _json({"hooks": _hooks("claude", StoreClient(PROGRAM))})


def codex() -> Iterator[tuple[str, bytes]]:
    plugin = _manifest(author=_AUTHOR, license="MIT", keywords=_WORDS, hooks="./hooks/hooks.json")
    plugin["interface"] = {"displayName": "Fairlead", "shortDescription": ABOUT, "category": "Security"}
    source = {"source": "local", "path": "./plugins/codex"}
    policy = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    listed = {"name": NAME, "source": source, "policy": policy, "category": "Security"}
    yield ".agents/plugins/marketplace.json", _json({"name": NAME, "plugins": [listed]})
    yield "plugins/codex/.codex-plugin/plugin.json", _json(plugin)
    yield "plugins/codex/hooks/hooks.json", _json({"hooks": _hooks("codex", StoreClient(PROGRAM))})


def gemini() -> Iterator[tuple[str, bytes]]:
    yield "plugins/gemini/gemini-extension.json", _json(_manifest())
    yield "plugins/gemini/hooks/hooks.json", _json({"hooks": _hooks("gemini", StoreClient(PROGRAM))})


def opencode() -> Iterator[tuple[str, bytes]]:
    head = "// fairlead-hook, made by plugins/generate.py from the dialect of OpenCode.\n"
    package = _manifest(license="MIT", type="module", main="index.js", files=["index.js"], keywords=_WORDS)
    package["name"] = "fairlead-opencode"
    yield "plugins/opencode/package.json", _json(package)
    yield "plugins/opencode/index.js", opencode_package([PROGRAM, "opencode"], head, TOLD)


def editors() -> Iterator[tuple[str, bytes]]:
    """To be copied, with one's own home: nobody tells how Cursor starts a command."""
    client = Client(_FOR_A_PERSON)
    yield "plugins/cursor/hooks.json", _json({"version": 1, "hooks": _hooks("cursor", client)})
    yield "plugins/vscode/fairlead-vscode.json", _json({"hooks": _hooks("vscode", StoreClient(PROGRAM))})


def all_files() -> dict[str, bytes]:
    makers = (claude, codex, gemini, opencode, editors)
    return {path: content for maker in makers for path, content in maker()}


def stale(root: Path = ROOT) -> list[str]:
    """The files that are not what they would be."""
    there = {path: root / path for path in all_files()}
    return [
        path
        for path, content in all_files().items()
        if not there[path].is_file() or there[path].read_bytes() != content
    ]


def main(words: list[str]) -> int:
    if words == ["--check"]:
        wrong = stale()
        print("".join(f"{path} is not what plugins/generate.py makes\n" for path in wrong), end="")
        return int(bool(wrong))
    for path, content in all_files().items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_bytes(content)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
