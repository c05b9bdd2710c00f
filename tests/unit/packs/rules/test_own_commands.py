"""Fairlead's own programs under other names, as an agent would call them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from fairlead.doors import client
from fairlead.model.decision import Decision
from fairlead.shell.effects.own.own_programs import is_own_program
from tests.unit.packs.guard_kit import judge, shell_event

SCRIPT = "#!/usr/bin/python3\nimport sys\nfrom fairlead.__main__ import main\nsys.exit(main())\n"
NATIVE = b"\x7fELF" + b"\0" * 5000 + b"fairlead-hook: the command in the agent's settings is wrong"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """With our program outside of it, and what an earlier call may have left in it."""
    installed = tmp_path / "tool" / "bin" / "fairlead"
    installed.parent.mkdir(parents=True)
    installed.write_text(SCRIPT)
    project = tmp_path / "project"
    (project / "bin").mkdir(parents=True)
    (project / "link").symlink_to(installed)
    (project / "link2").symlink_to("link")
    (project / "ls").symlink_to(installed)
    shutil.copy(installed, project / "copy")
    (project / "native").write_bytes(NATIVE)
    (project / "hands-on").write_text('#!/bin/sh\nexec /opt/x/fairlead "$@"\n')
    (project / "other").write_text("#!/bin/sh\n# installs what fairlead needs\necho\n")
    (project / "binary").write_bytes(b"\x7fELF" + b"\0" * 500)
    return project


def decide(project: Path, line: str) -> Decision:
    return judge(shell_event(line, root=str(project))).decision


@pytest.mark.parametrize(
    "line",
    [
        "./link off", "./link2 off", "./ls off", "./copy off --yes", "./copy --home /x allow git/force-push",
        "./native off", "./hands-on off", "link off", "python3 copy off", "python3 -I ./link approve 1234",
        "python3 -X dev link trust", "python3 -Im fairlead off", "python3 -Bmfairlead off",
        "fairlead of*", "./link o?f", "fairlead packs d*", "/opt/x/bin/fairl?ad off", "./fair* off",
        "/lib64/ld-linux-x86-64.so.2 ./native off", "cp copy h && ./h off", "ln link h; ./h off --yes",
        "cp copy bin/ && bin/copy off", "python3 - off < copy",
        "./link --home /x --policy /y --root /z off",
        "python3 -c \"import sys; sys.argv=['x','off']; import fairlead.__main__ as m; m.main()\"",
        "python3 -c 'from fairlead.fleet.enrolment import write_enrolment as w; w(x)'",
        "python3 -c 'import fairlead.policy.glass.marker as m; m.x()'",
        "python3 /x/site-packages/fairlead off", "python3 /x/site-packages/fairlead/__main__.py off",
        "python3 -c 'import runpy; runpy.run_module(\"fairlead\", run_name=\"__main__\")' off",
        "python3 -c 'import importlib; importlib.import_module(\"fairlead.policy.off\")'",
        "setsid -f env -i script -qec './link off --yes' /dev/null",
        "setsid -f script -qec 'link off' /dev/null",
        "tmux new -d './copy off --yes'", "tmux send-keys './link off' Enter", "at now <<< './link off'",
        "nohup ./link off &", "bash -c './link off'", "cd bin && ../link off", "./link $WORD",
        "fairlead-hook off", "expect -c 'spawn ./link off'", "unbuffer ./link off",
        "./link packs disable git",
        "x=./link; $x off", "ln -s copy /tmp/q1 && ./copy off", "sudo ./link off", "xargs ./link <<< off",
    ],
)  # fmt: skip
def test_a_link_a_copy_and_a_module_of_ours_are_recognised_by_what_they_are(project: Path, line: str) -> None:
    found = judge(shell_event(line, root=str(project)))
    assert (found.decision, found.rule) == (Decision.BLOCK, "self-protection/own-commands")


@pytest.mark.parametrize(
    "line",
    [
        "./link status", "fairlead check $LINE", "fairlead check *.sh", "fairlead explain \"$id\"",
        "$CTL off",
        "cp other h && ./h install", "find . -name x -exec {} install \\;", "./link check 'rm -rf /'",
        "./copy explain", "./copy log",
        "./native claude PreToolUse",
        "./link off --help", "./other install", "./other off", "./binary install", "./gone off",
        "newtool install",
        "python3 other.py install", "python3 -m fairlead log", "python3 -m pip install x", "./link",
        "light off",
        "cp copy copy2", "ls -l link", "cat ./link", "readlink link", "cp -r fairlead /tmp/x",
        "ln -s a.py b.py",
    ],
)  # fmt: skip
def test_what_loosens_nothing_passes_under_any_name(project: Path, line: str) -> None:
    assert decide(project, line) == Decision.CONTINUE


@pytest.mark.parametrize(
    "line",
    [
        "ln -s {tool}/fairlead f", "ln {tool}/fairlead f", "cp {tool}/fairlead f",
        "cp {tool}/fairlead /tmp/f",
        "install -m 755 {tool}/fairlead f", "ln -s $(which fairlead) f", "cp $(command -v fairlead) tool",
        "ln -s ../tool/bin/fairlead f", "ln link h", "find / -name 'fair*' -exec {{}} off \\;",
        "ls ~/bin/* | xargs -I{{}} {{}} off", "$(ls -d ~/.local/bin/f*) off",
    ],
)  # fmt: skip
def test_a_second_name_for_our_program_is_asked_about(project: Path, line: str) -> None:
    line = line.format(tool=project.parent / "tool" / "bin")
    found = judge(shell_event(line, root=str(project)))
    assert (found.decision, found.rule) == (Decision.ASK, "self-protection/own-program-hidden")


def test_the_programs_of_this_installation_are_ours(tmp_path: Path) -> None:
    for name in ("fairlead", "fairlead-hook"):
        copy = tmp_path / f"copy-of-{name[-4:]}"
        shutil.copy(Path(sys.executable).with_name(name), copy)
        assert is_own_program(str(copy)), name
    pure = tmp_path / "pure"
    pure.write_text(f"#!/usr/bin/python3 -IS\n{Path(client.__file__).read_text()}")
    assert is_own_program(str(pure))
    assert not is_own_program(sys.executable)


def test_what_is_no_file_is_not_ours(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "gone", "/dev/zero", "/" + "x" * 5000, "", "/a\0b"):
        assert not is_own_program(str(path))


@pytest.mark.parametrize(
    "line",
    [
        "fairlead sessions --since today forget 3f2a",
        "fairlead log --since 7d prune --older-than 1d",
        "fairlead learn --days 3 accept 12345678",
        "fairlead learn --days 3 $WORD 1",
        "fairlead packs --home x disable git",
    ],
)
def test_options_before_a_verb_hide_nothing(project: Path, line: str) -> None:
    assert decide(project, line) is Decision.BLOCK
