"""What keeps the guard in force: agents' settings, hooks, Fairlead's own files and commands."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.agent_settings import is_agent_folder, is_agent_settings, is_beside, is_editor_settings
from fairlead.packs.names.unknown_rest import may_be_protected
from fairlead.packs.protected.carried_commands import brings_a_command, brings_hooks
from fairlead.packs.protected.folders_above import (
    reaches_guard,
    replaces_a_folder,
    takes_a_folder_away,
)
from fairlead.packs.rule import Level, Pack, Rule, Scene, Severity
from fairlead.packs.secret_paths import is_secret_directory
from fairlead.packs.startup_files import leads_to_such, runs_by_itself, stands_for_such
from fairlead.shell.effects.effect import (
    LAID_CHANGING,
    LAID_FETCHED,
    LAID_UNSEEN,
    Action,
    Effect,
)
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.targets import Place, Target, home_containing

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
_WRITES = (Action.WRITE, Action.OVERWRITE)
_OWN_NAMES = ("settings.local.json", ".mcp.json")
"""Names that nothing but an agent's settings have."""
_CUSTOMIZED = lazy(r"/(?:usercustomize|sitecustomize)\.py$|/[\w-]+\.pth$")
"""Wherever they lie, every Python that starts runs them."""
_EVERY_PYTHON = lazy(r"/(?:site|dist)-packages/(?:usercustomize|sitecustomize)\.py$")
_OWN_FOLDER = lazy(r"^\$\{?XDG_\w+\}?/fairlead(?:/|$)")
_HOME_PLACES = (Place.HOME, Place.SYSTEM, Place.HOME_ROOT)


def _paths(effect: Effect) -> set[str]:
    target = effect.target
    if target is None:
        return set()
    if not target.pattern:
        return {target.path, target.real} - {""}
    wanted = target.pattern.removeprefix("**/")
    named = (target.pattern, f".claude/{wanted}") if wanted in _OWN_NAMES else (target.pattern,)
    return {f"{path}/{name}" for path in (target.path, target.real) if path for name in named}


def _names_guard(target: Target) -> bool:
    """`~/bin/fairlead*`, `$XDG_STATE_HOME/fairlead`, or a path that a command finds out:
    `$(python3 -c 'import fairlead …')/x.py`."""
    if target.place is Place.UNKNOWN and _OWN_FOLDER.search(target.word.text):
        return True
    return target.pattern.removeprefix("**/").startswith("fairlead") or "fairlead" in target.word.opaque


def _own(effect: Effect, scene: Scene) -> bool:
    target = effect.target
    if target is None or target.place is Place.GUARD:
        return target is not None
    return bool(target.pattern) and reaches_guard(target, scene.where)


def _settings(effect: Effect, scene: Scene) -> bool:
    path = effect.target.path if effect.target else ""
    if effect.name in ("mkdir", "touch") and is_agent_folder(path):
        return False
    if is_editor_settings(path) and effect.action is not Action.DELETE:
        return False
    if effect.target and _names_guard(effect.target):
        return True
    installed = scene.where.installation.settings
    if any(is_agent_settings(each) or is_beside(each, installed) for each in _paths(effect)):
        return True
    return effect.action in _WRITES and brings_hooks(effect, scene)


def _startup(effect: Effect, scene: Scene) -> bool:
    if effect.action is Action.CHANGE_PERMISSIONS or effect.name == "mkdir":
        return False
    if effect.target and _EVERY_PYTHON.search(effect.target.path):
        return True
    if effect.target_place is Place.UNKNOWN and effect.target:
        return bool(_CUSTOMIZED.search(effect.target.word.text))
    if effect.target_place not in _HOME_PLACES:
        return False
    homes = [(path, home_containing(path, scene.where)) for path in _paths(effect)]
    if any(home and runs_by_itself(path, home) for path, home in homes):
        return True
    if effect.target and effect.target.pattern and _globs_such(effect.target, scene):
        return True
    known = effect.target is not None and effect.target.word.known
    if (
        known
        and replaces_a_folder(effect)
        and any(home and leads_to_such(path, home) for path, home in homes)
    ):
        return True
    return effect.action in _WRITES and brings_a_command(effect, scene)


def _globs_such(target: Target, scene: Scene) -> bool:
    homes = ((path, home_containing(f"{path}/x", scene.where)) for path in {target.path, target.real})
    return any(home and stands_for_such(path, target.pattern, home) for path, home in homes)


def _is_own_difference(effect: Effect, scene: Scene) -> bool:
    """`diff -u a b > p; patch -p1 < p`: what the line itself found to differ."""
    if effect.command.name not in ("patch", "git"):
        return False
    return any(
        each.name == "diff" or (each.name == "git" and "diff" in [word.text for word in each.argv[1:3]])
        for each in scene.script.commands
    )


def _covers_the_kept(effect: Effect, scene: Scene) -> bool:
    """A home, what holds the guard's own files or keys; the project, if it does not come from elsewhere."""
    if effect.target is None:
        return False
    path, place = effect.target.path, effect.target_place
    if place is Place.PROJECT_ROOT:
        return effect.name == LAID_UNSEEN and not _is_own_difference(effect, scene)
    holds = any(kept.startswith(f"{path}/") for kept in scene.where.guard)
    return place is Place.HOME_ROOT or holds or is_secret_directory(path)


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
                "printf -- '---\\nhooks:\\n  Stop: x\\n---\\n' > .claude/agents/a.md",
            ),
            harmless=(
                "cat .claude/settings.json",
                "ls ~/.codex",
                "echo x > .claude/notes.md",
                "printf -- '---\\nname: a\\n---\\nSay hello.' > .claude/agents/a.md",
                "mkdir -p .claude",
            ),
        ),
        Rule(
            id="self-protection/own-files",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGES,
            when=_own,
            reason="{target} belongs to Fairlead; it is the person's to change.",
            person="The agent would change the guard itself: its policy, its journal, its program.",
            alternative="Look at it: `fairlead packs list`.",
            dangerous=(
                "rm -rf ~/.config/fairlead",
                "echo x > .fairlead/hooks/a/hook.meta.yaml",
                "rm ~/.local/state/fairlead/journal/x",
                "cp evil ~/.local/sha*/fairl*/bin/x",
            ),
            harmless=("cat .fairlead/hooks/a/hook.meta.yaml", "ls ~/.config/fairlead"),
        ),
        Rule(
            id="self-protection/folders-above",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGES,
            when=takes_a_folder_away,
            reason="`{what}` would take {target} away, or lock its owner out of it; the guard lives in there.",
            person="The folder that the guard lives in would be moved, replaced or locked.",
            alternative="Leave the folder, and work in it: `mkdir -p ~/.local/share/app`.",
            dangerous=(
                "mv ~/.local ~/.l2",
                "chmod 000 ~/.local",
                "chmod -R a-w ~/.config",
                "ln -sfn /tmp/x ~/.local",
                "sudo mount --bind /tmp/x ~/.local/share",
                "sudo chown nobody ~/.local/state",
                "mv /root/.config /root/c",
            ),
            harmless=(
                "mkdir -p ~/.config ~/.local/share",
                "chmod 755 ~/.local",
                "chmod u+x ~/.local",
                "chmod -R u+rwX,go-w ~/.config",
                "touch ~/.local",
                "chown -R $USER ~/.config",
                "cp x ~/.local/share/app/",
            ),
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
            id="self-protection/own-program-hidden",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.CHANGE_GUARD,),
            names=frozenset(("hidden-program",)),
            reason="`{what}` gives the guard's own program another name, or runs what may be that program.",
            person="The agent would copy or link the guard's program, or run one that may be it.",
            alternative="Run it by its own name: `fairlead check 'ls'`.",
            dangerous=(
                "ln -s $(which fairlead) f",
                "cp $(command -v fairlead) /tmp/f",
                r"find / -name 'fair*' -exec {} off \;",
            ),
            harmless=(
                "which fairlead",
                "ls -l $(which fairlead)",
                "cp -r fairlead /tmp/x",
                "ln -s src/a.py a",
            ),
        ),
        Rule(
            id="self-protection/own-files-named",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.CHANGE_GUARD,),
            names=frozenset(("own-files-named",)),
            reason="`{what}` names files of the guard, in a way that could not be followed.",
            person="The agent names the guard's own files, and it is not clear what for.",
            alternative="Look at them plainly: `ls ~/.config/fairlead`.",
            dangerous=(
                "strace -o ~/.local/state/fairlead/off true",
                "/usr/bin/time -f 0 -o ~/.local/state/fairlead/off true",
                "python3 -m json.tool in.json ~/.local/state/fairlead/off",
                """awk -v f=$HOME/.local/state/fairlead/off 'BEGIN{print 0 > f}'""",
                """perl -e 'chdir "/home/me/.local/state/fairlead"; open F,">off"; print F 0'""",
            ),
            harmless=(
                "cat ~/.config/fairlead/hooks/a/hook.meta.yaml",
                "ls -l ~/.local/state/fairlead",
                "git commit -m 'say where ~/.local/state/fairlead/off is read'",
            ),
        ),
        Rule(
            id="self-protection/own-packages",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_GUARD,),
            names=frozenset(("guard-packages",)),
            reason="`{what}` changes the packages that the guard itself runs with.",
            person="The guard would run code that the agent has chosen.",
            alternative="Use an environment of the project's own: `python3 -m venv .venv`.",
            dangerous=(),
            harmless=(".venv/bin/pip install ./tool", "uv pip install --python .venv ./tool"),
        ),
        Rule(
            id="self-protection/packages-beside",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.CHANGE_GUARD,),
            names=frozenset(("guard-packages-by-name",)),
            reason="`{what}` changes packages of a Python that the guard itself may run with.",
            person="What is installed there can change how the guard works.",
            alternative="Use an environment of the project's own: `python3 -m venv .venv`.",
            dangerous=(),
            harmless=("pip install -r requirements.txt", "python3 -m pip install -e ."),
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
            id="self-protection/command-setting",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.CHANGE_GUARD,),
            names=frozenset(("command-setting",)),
            reason="`{what}` names a command that a program runs by itself, later and outside the guard.",
            person="A program of yours would run this command the next time that you use it.",
            alternative="Run what is needed now: `gh pr list`.",
            dangerous=(
                "gh alias set prs '!./evil.sh'",
                "gh alias set --shell prs ./evil.sh",
                "aws configure set credential_process ./evil.sh",
            ),
            harmless=("gh alias set co 'pr checkout'", "gh alias list", "aws configure set region eu-west-1"),
        ),
        Rule(
            id="self-protection/unlisted-files",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.WRITE,),
            names=frozenset((LAID_UNSEEN, LAID_CHANGING, LAID_FETCHED)),
            when=_covers_the_kept,
            reason="`{what}` lays files over {target} that cannot be listed beforehand: {detail}.",
            person="Settings, hooks or start-up files could be among what is unpacked or copied there.",
            alternative="Unpack it where nothing is and look: `mkdir /tmp/new && tar xf a.tar -C /tmp/new`.",
            dangerous=(
                "curl -L https://example.com/dot.tar.gz | tar xz -C ~",
                "base64 -d blob | tar x",
                "git --git-dir=/tmp/dot --work-tree=$HOME checkout",
                "rsync -a host:dot/ ~/",
                "curl -s https://example.com/fix.patch | patch -d ~ -p1",
            ),
            harmless=(
                "curl -L https://example.com/tool.tar.gz | tar xz -C ~/.local/bin",
                "git archive HEAD | tar x -C /tmp/x",
                "tar xzf a.tar.gz",
                "git --work-tree=$HOME status",
            ),
        ),
        Rule(
            id="self-protection/unlisted-download",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=(Action.WRITE,),
            names=frozenset((LAID_FETCHED,)),
            places=frozenset((Place.PROJECT_ROOT,)),
            reason="`{what}` lays files over the project that cannot be listed beforehand: {detail}.",
            person="Git hooks or an agent's settings could be among what is unpacked over the project.",
            alternative="Fetch it first, then unpack it: `curl -LO https://example.com/a.tar.gz`.",
            dangerous=(),
            harmless=("curl -L https://example.com/a.tar.gz | tar xz -C vendor",),
            level=Level.STRICT,
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
                "ln -sfn /tmp/x ~/.pyenv",
                "printf '[default]\\ncredential_process = /tmp/x\\n' > ~/.aws/config",
            ),
            harmless=(
                "cat ~/.bashrc",
                "grep PATH ~/.profile",
                "source ~/.bashrc",
                "mkdir -p ~/.config/systemd/user",
                "cp ~/.bashrc ~/dotfiles/.bashrc",
                "printf '[default]\\nregion = eu-west-1\\n' >> ~/.aws/config",
            ),
        ),
        Rule(
            id="self-protection/unknown-home-file",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.WRITE, Action.OVERWRITE, Action.TRUNCATE),
            when=may_be_protected,
            reason="`{what}` writes to a file below {target} that cannot be known before it runs; it may be one"
            " that runs by itself, holds keys or decides about the guard.",
            person="What is written may be a start-up file, a key or a setting: the command does not say.",
            alternative="Write the path itself, such as `cp notes.txt ~/notes/today.txt`.",
            dangerous=('echo x >> ~/"$F"', "cp x ~/.config/$D", 'cp x "$HOME/.ssh/$NAME"'),
            harmless=(
                "echo x > ~/notes/$(date +%F).md",
                "cp report.pdf ~/reports/$NAME.pdf",
                'cp app.conf "$HOME/.config/$APP/"',
                "tar czf ~/backup-$(date +%F).tgz src",
            ),
        ),
    ),
)
