"""A glob, an unknown folder or a variable hides no name from the rules; ordinary ones interrupt nobody."""

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.guards.sensitive_files import protect_sensitive_files
from fairlead.packs.judging import call_effects
from fairlead.packs.judging import readings as calls

HOME, ROOT = "/home/somebody", "/home/somebody/project"


@pytest.fixture(autouse=True)
def somebody(monkeypatch):
    monkeypatch.setattr(call_effects, "home_of_user", lambda: HOME)


def decide(text, *, root=ROOT, home="", **config):
    tool = ToolCall("Bash", {"command": text}, ToolKind.SHELL)
    event = Event(EventName.BEFORE_TOOL, root=root, cwd=root, tool=tool, home=home)
    found = [guard(event, config, ()) for guard in (block_dangerous_commands, protect_sensitive_files)]
    return max((outcome.decision for outcome in found if outcome is not None), default=Decision.CONTINUE)


@pytest.mark.parametrize(
    "text",
    [
        "cp two/off ~/.local/st*/fairlead/",
        "cd ~/.local/st*te/fairlead && echo 0 > off",
        "d=$(ls -d ~/.local/st*/f*); echo 0 > $d/off",
        'd=$(echo ~/.local/st*/f*); echo 0 > "$d/off"',
        'd=$(printf %s ~/.local/st*/f*); echo 0 > "$d/off"',
        "d=$(find ~/.local -maxdepth 2 -name 'f*'); echo 0 > $d/off",
        'a=(~/.local/st*/f*); echo 0 > "${a[0]}/off"',
        'set -- ~/.local/st*/f*; echo 0 > "$1/off"',
        'cd ~/.local/st*/f* && echo 0 > "$PWD/off"',
        "pushd ~/.local/st*/f* && echo 0 > off",
        "cd $(ls -d ~/.local/st*/f*) && echo 0 > off",
        'cd "$(ls -d ~/.local/st*/f* | head -1)"; echo 0 > off',
        "cd \"$(find ~/.local -name 'f*d')\" && echo 0 > off",
        "ls -d ~/.local/st*/f* | while read -r d; do echo 0 > $d/off; done",
        'mapfile -t a < <(ls -d ~/.local/st*/f*); echo 0 > "${a[0]}/off"',
        "env -C ~/.local/st*/f* tee off < x",
        "cat /home/other/.ss*/i*",
        "echo 0 > ~/.local/*/fairlead/off",
        "cp settings.json ~/.cl*/",
        "cp settings.json ~/.*/",
        "tee ~/.[c]laude/[s]ettings.json < x",
        "cp pre-commit .g*/hooks/",
        "mv .g* /tmp/",
        "head ~/.ss*/*",
        "cat ~/.@(ssh|aws)/id_*",
        "cd ~/.ss* && cat id_rsa",
        "tar czf x.tgz ~/.ss*",
        "shopt -s nocaseglob; cat ~/.SS*/ID*",
        "echo x >> ~/.{zz,bashrc}",
        "cp evil ~/.local/b?n/sudo",
    ],
)
def test_a_glob_is_judged_for_the_protected_name_that_it_may_be(text):
    assert decide(text) >= Decision.BLOCK


@pytest.mark.parametrize(
    "text",
    [
        "cd ~/.claude && echo x > /proc/self/cwd/settings.json",
        "cat /proc/self/root/etc/shadow",
        "cat /proc/$$/cwd/.env",
        "ln -s ~/.claude/settings.json s.json && echo x > s.json",
        "ln ~/.claude/settings.json s.json; echo x > s.json",
        "ln -s ~/.claude/settings.json && echo x > settings.json",
        "ln -s ~/.claude/settings.json docs/; : > docs/settings.json",
        'curl -s "file://$HOME/.aws/{credentials,config}"',
        'cp x "$(git rev-parse --git-path hooks)/pre-commit"',
    ],
)
def test_another_way_to_a_protected_path_is_followed(text):
    assert decide(text) >= Decision.BLOCK


@pytest.mark.parametrize(
    "text",
    [
        'cd "$X" && cat id_rsa',
        'cd "$X" && cat id_*',
        'cd "$X" && cp pre-commit .g*/hooks/',
        "cat ~/$X/id_rsa",
        "touch /home/$(id -un)/.local/state/fairlead/off",
        "cat $X/id_rsa",
        'cat "$X/.env"',
        "cat ${X}id_rsa",
        "cat $X/.aws/credentials",
        'echo "{}" > "$X/.claude/settings.json"',
        "cp x $X/.git/hooks/pre-commit",
        'cd "$(cat where)" && cp x .git/hooks/pre-commit',
    ],
)
def test_an_unknown_folder_keeps_the_rules_that_go_by_name(text):
    assert decide(text) >= Decision.BLOCK


@pytest.mark.parametrize(
    "text",
    [
        "echo x > ~/$F",
        "cp x ~/.local/$D",
        'cp x "$HOME/.claude/$F"',
        "cp x /home/$U/.bashrc",
        "ls -A ~ | grep -E cla | xargs -I{} cp x ~/{}/settings.json",
    ],
)
def test_a_write_below_a_home_with_an_unknown_rest_asks(text):
    assert decide(text) >= Decision.ASK


@pytest.mark.parametrize(
    "text",
    [
        "rm -f build/*.o",
        "cat src/*.py",
        "ls ~/.config/*",
        "ls -la ~/.*",
        "cp *.md /tmp/",
        "cat *",
        "wc -l *",
        "grep -r x ~/.config/*/",
        "grep -rn TODO *",
        "cat ~/.config/*/config.json",
        "sed -i s/a/b/ *.json",
        "rm -f o*.log",
        "mv c*.txt docs/",
        "chmod 644 *.md",
        "git add *",
        "cp -r dist/* ~/site/",
        "for f in *.md; do wc -l $f; done",
        "cd packages/* && npm test",
        "cd $DIR && npm test",
        "cd $DIR && cat package.json",
        "cat $DIR/README.md",
        "cp config.toml $OUT/config.toml",
        "cp app $OUT/settings.json",
        "echo x > ~/notes/$(date +%F).md",
        "cp a.txt ~/projects/$NAME/",
        "mkdir -p ~/.local/share/$APP",
        "ln -sf $PWD/tool ~/.local/bin/$TOOL",
        "tar czf ~/backup-$(date +%F).tgz src",
        "rm -rf ./**/__pycache__",
        "find ~/.config -name '*.bak'",
        "varnish ban '.*'",
        "prettier --write '**/*.{json,md}'",
        "ln -sf ../shared/config.json config.json && cat config.json",
        "ln -s $PWD/bin/tool ~/.local/bin/tool && tool --help",
        "ls *.txt | xargs -I{} cp {} ~/backup/{}",
        "cat src/$X/main.py",
        "cat /proc/self/status",
        "touch ~/notes/$NAME.md",
    ],
)
def test_a_glob_or_a_variable_that_means_ordinary_things_passes(text):
    assert decide(text) is Decision.CONTINUE


def test_what_a_bare_star_finds_on_the_disk_decides(tmp_path):
    (tmp_path / "readme.md").write_text("x")
    assert decide("cat *", root=str(tmp_path)) is Decision.CONTINUE
    (tmp_path / "credentials.json").write_text("x")
    assert decide("cat *", root=str(tmp_path)) >= Decision.BLOCK
    assert decide("grep -r x *", root=str(tmp_path)) is Decision.CONTINUE
    assert decide("git add *", root=str(tmp_path)) is Decision.CONTINUE


def test_a_star_stands_for_no_hidden_file_unless_the_shell_is_told_so(tmp_path):
    (tmp_path / ".env").write_text("x")
    assert decide("cat *", root=str(tmp_path)) is Decision.CONTINUE
    assert decide("shopt -s dotglob; cat *", root=str(tmp_path)) >= Decision.BLOCK


def test_a_folder_whose_name_looks_like_a_glob_is_itself(tmp_path):
    folder = tmp_path / "app" / "[slug]"
    folder.mkdir(parents=True)
    (folder / "page.tsx").write_text("x")
    assert (
        decide("cd 'app/[slug]' && cat page.tsx && rm -f build/x.o", root=str(tmp_path)) is Decision.CONTINUE
    )


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("/etc", "rm -rf ~/x"),
        ("/srv/data", "rm -rf $HOME/x"),
        ("/usr/lib", "cd && rm -rf x"),
        ("/etc", "echo x > ~/hosts"),
    ],
)
def test_both_the_users_home_and_the_callers_are_protected(home, text, tmp_path, monkeypatch):
    monkeypatch.setattr(call_effects, "home_of_user", lambda: str(tmp_path))
    assert decide(text) is Decision.CONTINUE
    assert decide(text, home=home) >= Decision.BLOCK


def test_the_callers_home_only_tightens():
    assert decide("rm -rf ~/Documents", home="/tmp/h") >= Decision.BLOCK
    assert decide("HOME=/tmp/h npm install", home="/tmp/h") is Decision.CONTINUE
    assert decide("ls ~/x", home="/etc") is Decision.CONTINUE


def test_a_home_that_the_line_sets_counts_from_there_on():
    assert decide("HOME=/tmp/h; rm -rf ~/x") is Decision.CONTINUE
    assert decide("HOME=/tmp/h rm -rf ~/x") >= Decision.BLOCK
    assert decide("HOME=/etc; rm -rf ~/x") >= Decision.BLOCK


def test_a_harmless_command_is_remembered_for_each_home(tmp_path, monkeypatch):
    monkeypatch.setattr(calls, "_harmless", {})
    monkeypatch.setattr(call_effects, "home_of_user", lambda: str(tmp_path))
    assert decide("cd; rm -f x") is Decision.CONTINUE
    assert decide("cd; rm -f x", home="/etc") >= Decision.BLOCK


def test_a_glob_hides_nothing_from_the_patterns_of_a_policy(tmp_path):
    (tmp_path / "payroll").mkdir()
    (tmp_path / "payroll" / "may.csv").write_text("x")
    config = {"protected_patterns": ["payroll/*.csv"]}
    for text in ("cat payroll/may.csv", "cat pay*/may.csv", "cat */*", "cd pay* && cat m*"):
        assert decide(text, root=str(tmp_path), **config) >= Decision.BLOCK
    assert decide("cat docs/*", root=str(tmp_path), **config) is Decision.CONTINUE


def test_a_star_over_folders_does_not_read_what_is_in_them(tmp_path, monkeypatch):
    monkeypatch.setattr(call_effects, "home_of_user", lambda: str(tmp_path))
    (tmp_path / ".config" / "gh").mkdir(parents=True)
    (tmp_path / ".config" / "gh" / "hosts.yml").write_text("x")
    assert decide("cat ~/.config/*") is Decision.CONTINUE
    assert decide("grep -r x ~/.config/*/") is Decision.CONTINUE
    assert decide("cat ~/.config/*/*") >= Decision.BLOCK
