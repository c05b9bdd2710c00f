"""The keys of `hook.meta.yaml` as data: what may stand where, and the nearest word for what may not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fairlead.model.value import Value

TEXT, NUMBER, FLAG, LIST, MAPPING, NOTHING_GIVEN = "text", "number", "flag", "list", "mapping", "nothing"

KIND_WORDS = {
    TEXT: "text",
    NUMBER: "a number",
    FLAG: "true or false",
    LIST: "a list",
    MAPPING: "a mapping",
    NOTHING_GIVEN: "nothing",
}

RULE = "apply-rule"
"""The built-in that stands behind each entry of `rules`."""
TYPES = ("validation", "transformation", "authorization", "safety", "observability")
ON_ERROR = ("block", "ask", "allow")
PROTOCOLS = ("auto", "claude", "gemini", "contract")
PROFILES = ("strict", "gemini", "llxprt")
EXECUTIONS = ("pipeline", "parallel")
DEFAULT_DECISIONS = ("allow", "ask", "block")
MODES = ("enforce", "audit")
_MODE_MEANS = "whether the answer counts, or is only written down"


class Key(Value):
    """What a key takes. `words` are the only texts that it accepts; `example` ends up in hints and docs."""

    kinds: tuple[str, ...]
    example: str
    words: tuple[str, ...] = ()
    meaning: str = ""


FILE_KEYS: Mapping[str, Key] = {
    "id": Key((TEXT,), "id: pre-tool-use", meaning="a name for the file"),
    "kind": Key((TEXT,), "kind: hook", ("hook",), "always `hook`"),
    "category": Key((TEXT,), "category: lifecycle", meaning="for readers; changes nothing"),
    "event": Key((TEXT,), "event: PreToolUse", meaning="the event, in any agent's spelling"),
    "summary": Key((TEXT,), 'summary: "What this is for"', meaning="for readers; changes nothing"),
    "execution": Key((TEXT,), "execution: pipeline", EXECUTIONS, "guards one by one, or all at once"),
    "middleware": Key((LIST,), "middleware: [...]", meaning="the entries"),
    "rules": Key((LIST,), "rules: [...]", meaning="rules without code"),
    "providers": Key((MAPPING,), "providers: {claude: {timeout: 60}}", meaning="changes for one agent"),
    "default_decision": Key(
        (TEXT,), "default_decision: allow", DEFAULT_DECISIONS, "holds when no guard objects"
    ),
    "approve": Key(
        (LIST,), 'approve: ["git commit *", starter/git]', meaning="commands that need no question"
    ),
    "mode": Key((TEXT,), "mode: audit", MODES, f"for its entries: {_MODE_MEANS}"),
    "version": Key((NUMBER,), "version: 1", meaning="of the format; 1 is the only one"),
}

ENTRY_KEYS: Mapping[str, Key] = {
    "id": Key((TEXT,), "id: no-force-push", meaning="unique for its event"),
    "path": Key((TEXT,), "path: guards/no_force_push.py", meaning="relative to the file's own folder"),
    "type": Key((TEXT,), "type: safety", TYPES, "decides the phase and what a failure means"),
    "enabled": Key((FLAG,), "enabled: true", meaning="false takes it out of the plan"),
    "config": Key((MAPPING, NOTHING_GIVEN), "config: {}", meaning="passed to the hook unchanged"),
    "matcher": Key((TEXT, LIST, MAPPING, NOTHING_GIVEN), "matcher: Bash", meaning="which calls it sees"),
    "priority": Key((NUMBER,), "priority: 10", meaning="higher runs earlier within its phase"),
    "before": Key((TEXT, LIST), "before: other-hook", meaning="runs before these"),
    "after": Key((TEXT, LIST), "after: other-hook", meaning="runs after these"),
    "timeout": Key((NUMBER,), "timeout: 30", meaning="seconds"),
    "on_error": Key((TEXT,), "on_error: block", ON_ERROR, "the answer when the hook breaks"),
    "protocol": Key((TEXT,), "protocol: auto", PROTOCOLS, "how an executable answers"),
    "profile": Key(
        (TEXT,), "profile: gemini", PROFILES, "run it as that agent would; it fails open where that does"
    ),
    "url": Key((TEXT,), "url: https://guard.example/hook", meaning="https, or http on this machine"),
    "headers": Key(
        (MAPPING,),
        "headers: {Authorization: {text: 'Bearer ', env: GUARD_TOKEN}}",
        meaning="sent to the url; secrets from `env` or `file`",
    ),
    "plugin": Key((TEXT,), "plugin: acme-hours", meaning="the middleware of that name from another package"),
    "executor": Key((TEXT,), "executor: wasm", meaning="the plugin that runs `path`"),
    "mode": Key((TEXT,), "mode: audit", MODES, _MODE_MEANS),
    "locked": Key((FLAG,), "locked: true", meaning="no stronger layer may change it"),
}

_ONE_OR_MORE = (TEXT, LIST)
RULE_KEYS: Mapping[str, Key] = {
    "id": Key((TEXT,), "id: no-push-to-main", meaning="unique for its event"),
    "program": Key(_ONE_OR_MORE, "program: git", meaning="a name or glob"),
    "subcommand": Key(_ONE_OR_MORE, "subcommand: push", meaning="the first words that are not options"),
    "argument": Key(
        _ONE_OR_MORE, 'argument: "--force*"', meaning="a glob or /expression/ that fits any word"
    ),
    "branch": Key(
        _ONE_OR_MORE, "branch: main", meaning="a branch that the command names, or that is checked out"
    ),
    "effect": Key(_ONE_OR_MORE, "effect: delete", meaning="what a command does, in the words of `explain`"),
    "place": Key(_ONE_OR_MORE, "place: home", meaning="where it does it"),
    "path": Key(_ONE_OR_MORE, 'path: "infra/**"', meaning="a glob, absolute or from the project root"),
    "tool": Key((TEXT, LIST, MAPPING), "tool: write", meaning="a matcher"),
    "agent": Key(_ONE_OR_MORE, "agent: codex", meaning="only for these"),
    "decision": Key((TEXT,), "decision: ask", ("block", "ask", "halt"), "`block` by default"),
    "reason": Key((TEXT,), 'reason: "Push through a pull request."', meaning="for the model"),
    "person": Key((TEXT,), 'person: "Somebody would push to main."', meaning="for the person"),
    "alternative": Key((TEXT,), 'alternative: "`git push origin HEAD:topic`"', meaning="what to do instead"),
    "stops": Key((LIST,), 'stops: ["git push origin main"]', meaning="examples that it stops"),
    "passes": Key((LIST,), 'passes: ["git push origin topic"]', meaning="examples that it lets pass"),
    "enabled": Key((FLAG,), "enabled: true", meaning="false takes it out"),
    "mode": ENTRY_KEYS["mode"],
    "locked": Key((FLAG,), "locked: true", meaning="no stronger layer may change it"),
}

PROVIDER_KEYS: Mapping[str, Key] = {
    "timeout": ENTRY_KEYS["timeout"],
    "enabled": ENTRY_KEYS["enabled"],
    "mode": ENTRY_KEYS["mode"],
}

VENDORS: Mapping[str, tuple[str, ...]] = {
    "alibaba": ("qwen",),
    "anthropic": ("claude",),
    "github": ("copilot", "vscode"),
    "google": ("gemini", "antigravity"),
    "microsoft": ("vscode",),
    "moonshot": ("kimi",),
    "openai": ("codex",),
    "sourcegraph": ("amp",),
}

AGENTS: Mapping[str, tuple[str, ...]] = {
    "amp": (),
    "antigravity": (),
    "auggie": ("augment",),
    "claude": ("claude-code",),
    "cline": (),
    "codex": ("codex-cli",),
    "copilot": ("copilot-cli", "github-copilot"),
    "cursor": (),
    "factory": ("droid", "factory-droid"),
    "gemini": ("gemini-cli",),
    "generic": (),
    "kilo": ("kilo-code", "kilocode"),
    "kimi": ("kimi-cli",),
    "kiro": (),
    "llxprt": (),
    "opencode": ("open-code",),
    "qwen": ("qwen-code",),
    "vscode": ("vs-code",),
    "windsurf": (),
}
"""Agents, and the other names that people have for them."""


def canonical_agent(name: str) -> str:
    """The one name of an agent that has several: `claude` for `claude-code`."""
    return next((agent for agent, others in AGENTS.items() if name in others), name)


def agents_of(provider: str) -> tuple[str, ...]:
    """The agents that a section of `providers` covers: a vendor's, or the one of that name."""
    return VENDORS.get(provider) or (canonical_agent(provider),)


def known_providers() -> list[str]:
    return [*VENDORS, *AGENTS, *(name for others in AGENTS.values() for name in others)]


def suggestion(word: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """`did you mean 'timeout'?`, or `otherwise` when nothing is near."""
    from difflib import get_close_matches  # only a mistake pays for this import

    near = get_close_matches(word[:100], list(known), n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else otherwise
