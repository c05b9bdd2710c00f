"""Rules about agents that are started without what guards them, and guards that are taken away."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.rule import Rule, Severity
from fairlead.shell.effects.effect import Action

STARTED_AGENTS: tuple[Rule, ...] = (
    Rule(
        id="self-protection/agent-without-hooks",
        severity=Severity.CRITICAL,
        decision=Decision.BLOCK,
        always=True,
        actions=(Action.CHANGE_GUARD,),
        names=frozenset(("agent-without-hooks",)),
        reason="`{what}` starts an agent without its hooks: nothing that it does would be judged.",
        person="Another agent would be started with its hooks off, or with other settings than this machine's.",
        alternative="Start it as it is set up: `gemini -p 'explain this'`.",
        dangerous=(
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/x gemini -p hi",
            "export OPENCODE_PURE=1; opencode run x",
            "OPENCODE_PURE=1 bash -c 'opencode run x'",
            "env QWEN_CODE_SAFE_MODE=1 qwen -p x",
            "qwen --bare -p x",
            "opencode run x --pure=true",
            "codex exec --disable hooks x",
            "codex --disable=hooks exec x",
            "codex -c features.hooks=false exec x",
            "claude --settings '{\"disableAllHooks\": true}' -p x",
            "npx opencode-ai --pure run x",
            "chroot /srv/jail claude -p x",
        ),
        harmless=(
            "gemini -p 'explain this'",
            "opencode run 'fix the tests'",
            "qwen --safe-mode=false -p x",
            "codex exec 'fix the hooks'",
            "OPENCODE_CONFIG_DIR_NAME=x make",
            "chroot /srv/jail ls",
            "git init --bare",
        ),
    ),
    Rule(
        id="self-protection/other-guard",
        severity=Severity.HIGH,
        decision=Decision.ASK,
        always=True,
        actions=(Action.CHANGE_GUARD,),
        names=frozenset(("uninstall-other-guard", "unguarded-agent")),
        reason="`{what}` would take a guard away, or start an agent without one.",
        person="A guard would be removed, or an agent started without one.",
        alternative="Look what is installed: `pip list`, `npm ls -g`.",
        dangerous=("npm uninstall -g some-safety-guard", "claude --dangerously-skip-permissions -p x"),
        harmless=("pip list", "npm ls -g", "claude -p 'hello'"),
    ),
)
