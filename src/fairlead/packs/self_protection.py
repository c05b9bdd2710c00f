"""What keeps the guard in force: agents' settings, hooks, Fairlead's own files and commands."""

from __future__ import annotations

import fnmatch

from fairlead.model.decision import Decision
from fairlead.packs.agent_settings import is_agent_folder, is_agent_settings, is_editor_settings
from fairlead.packs.rule import Pack, Rule, Scene, Severity
from fairlead.packs.startup_files import runs_by_itself
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.targets import Place, Target

_CHANGES = (
    Action.WRITE,
    Action.OVERWRITE,
    Action.TRUNCATE,
    Action.DELETE,
    Action.MOVE_AWAY,
    Action.CHANGE_PERMISSIONS,
    Action.CHANGE_OWNER,
    Action.MOUNT,
)
_SETTING_NAMES = (
    *("settings.json", "settings.local.json", "hooks.json", "hooks", "config.toml", "config.json"),
    *(".claude", ".codex", ".gemini", ".claude.json", ".bashrc", ".zshrc", ".profile"),
)
"""What a glob may stand for, whether it is there or not."""
_OWN_NAMES = ("settings.local.json", ".mcp.json")
"""Names that nothing but an agent's settings have."""
_CUSTOMIZED = lazy(r"/(?:usercustomize|sitecustomize)\.py$|/[\w-]+\.pth$")
"""Wherever they lie, every Python that starts runs them."""
_EVERY_PYTHON = lazy(r"/(?:site|dist)-packages/(?:usercustomize|sitecustomize)\.py$")
_OWN_FOLDER = lazy(r"^\$\{?XDG_\w+\}?/fairlead(?:/|$)")
_HOME_PLACES = (Place.HOME, Place.SYSTEM, Place.HOME_ROOT)


def _seen(name: str, pattern: str) -> bool:
    """A glob stands for a hidden name only where it begins with a dot itself."""
    return not name.startswith(".") or pattern.startswith(".")


def _paths(effect: Effect) -> set[str]:
    target = effect.target
    if target is None:
        return set()
    if not target.pattern:
        return {target.path, target.real} - {""}
    wanted = target.pattern.removeprefix("**/")
    fitting = {name for name in fnmatch.filter(_SETTING_NAMES, wanted) if _seen(name, wanted)}
    fitting |= {f".claude/{wanted}"} if wanted in _OWN_NAMES else set()
    return {
        f"{path}/{name}" for path in (target.path, target.real) if path for name in (target.pattern, *fitting)
    }


def _names_guard(target: Target) -> bool:
    """`~/bin/fairlead*`, `$XDG_STATE_HOME/fairlead`, or a path that a command finds out:
    `$(python3 -c 'import fairlead …')/x.py`."""
    if target.place is Place.UNKNOWN and _OWN_FOLDER.search(target.word.text):
        return True
    return target.pattern.removeprefix("**/").startswith("fairlead") or "fairlead" in target.word.opaque


def _settings(effect: Effect, scene: Scene) -> bool:
    path = effect.target.path if effect.target else ""
    if effect.name in ("mkdir", "touch") and is_agent_folder(path):
        return False
    if is_editor_settings(path) and effect.action is not Action.DELETE:
        return False
    if effect.target and _names_guard(effect.target):
        return True
    return any(map(is_agent_settings, _paths(effect)))


def _startup(effect: Effect, scene: Scene) -> bool:
    if effect.action is Action.CHANGE_PERMISSIONS:
        return False
    if effect.target and _EVERY_PYTHON.search(effect.target.path):
        return True
    if effect.target_place is Place.UNKNOWN and effect.target:
        return bool(_CUSTOMIZED.search(effect.target.word.text))
    return effect.target_place in _HOME_PLACES and any(map(runs_by_itself, _paths(effect)))


PACK = Pack(
    id="self-protection",
    summary="Agents' settings and hooks, Fairlead's own files and commands, shell start-up files",
    rules=(
        Rule(
            id="self-protection/agent-settings",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGES,
            when=_settings,
            reason="{target} decides which hooks and permissions apply; it is the person's to change.",
            person="The agent would change its own settings or hooks: that can switch every guard off.",
            alternative="Show the change to the person, and look at it: `cat .claude/settings.json`.",
            dangerous=(
                "echo '{}' > .claude/settings.local.json",
                "rm -rf .claude/hooks",
                "sed -i s/true/false/ ~/.gemini/settings.json",
                "cp x ~/.codex/config.toml",
                "mv .cursor/hooks.json /tmp/",
                "chmod -x .claude/hooks/guard.sh",
            ),
            harmless=(
                "cat .claude/settings.json",
                "ls ~/.codex",
                "echo x > .claude/notes.md",
                "mkdir -p .claude",
            ),
        ),
        Rule(
            id="self-protection/own-files",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGES,
            places=frozenset((Place.GUARD,)),
            reason="{target} belongs to Fairlead; it is the person's to change.",
            person="The agent would change the guard itself: its policy, its journal, its program.",
            alternative="Look at it: `fairlead packs list`.",
            dangerous=(
                "rm -rf ~/.config/fairlead",
                "echo x > .fairlead/hooks/a/hook.meta.yaml",
                "rm ~/.local/state/fairlead/journal/x",
            ),
            harmless=("cat .fairlead/hooks/a/hook.meta.yaml", "ls ~/.config/fairlead"),
        ),
        Rule(
            id="self-protection/own-commands",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_GUARD,),
            names=frozenset(("loosen", "kill-guard", "uninstall-guard")),
            reason="`{what}` would loosen or stop the guard; only the person may do that.",
            person="The agent would switch the guard off, or give itself an exception.",
            alternative="Ask the person to run it. To see why something was stopped: `fairlead explain`.",
            dangerous=(
                "fairlead off",
                "~/.local/share/fairlead/bin/fairlead-hook off --for 8h",
                "fairlead allow git/force-push",
                "python -m fairlead trust",
                "fairlead --home /tmp/x approve 1",
                "fairlead packs disable git",
                "fairlead daemon stop",
                "pkill -f fairlead",
                "pip uninstall -y fairlead",
                "kill -9 $(pgrep -f fairlead)",
            ),
            harmless=(
                "fairlead check 'rm -rf /'",
                "fairlead explain",
                "fairlead-hook --version",
                "python -m fairlead packs list",
                "fairlead daemon status",
            ),
        ),
        Rule(
            id="self-protection/other-guard",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.CHANGE_GUARD,),
            names=frozenset(("uninstall-other-guard", "unguarded-agent")),
            reason="`{what}` would take a guard away, or start an agent without one.",
            person="A guard would be removed, or an agent started without one.",
            alternative="Look what is installed: `pip list`, `npm ls -g`.",
            dangerous=("npm uninstall -g some-safety-guard", "claude --dangerously-skip-permissions -p x"),
            harmless=("pip list", "npm ls -g", "claude -p 'hello'"),
        ),
        Rule(
            id="self-protection/shell-startup",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=_CHANGES,
            when=_startup,
            reason="{target} runs at every start of a shell or program, outside the guard.",
            person="What is written there runs later, as you, unseen.",
            alternative="Set it for this command only: `PATH=$PWD/bin:$PATH make`.",
            dangerous=(
                "echo 'alias ls=rm' >> ~/.bashrc",
                "ln -sf /dev/null ~/.zshrc",
                "cp x ~/.config/autostart/x.desktop",
            ),
            harmless=("cat ~/.bashrc", "grep PATH ~/.profile", "source ~/.bashrc"),
        ),
    ),
)
