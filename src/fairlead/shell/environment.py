"""Variables whose value is a command: git, man and others run what they find there."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.shell.expand import expand_parts
from fairlead.shell.git_settings import git_setting
from fairlead.shell.pieces import part_from
from fairlead.shell.reading import Frame, Reading
from fairlead.shell.redirections import file_text
from fairlead.shell.script import Word
from fairlead.shell.state import State
from fairlead.shell.syntax import parse_quoted
from fairlead.shell.tables import names
from fairlead.shell.values import Scalar, of_word

_COMMANDS = names(
    """
    GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_ASKPASS
    GIT_PROXY_COMMAND PAGER MANPAGER EDITOR VISUAL FCEDIT HGEDITOR SVN_EDITOR BROWSER LESSOPEN LESSCLOSE
    PROMPT_COMMAND SUDO_EDITOR SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH CVS_RSH SVN_SSH FZF_DEFAULT_COMMAND
    SYSTEMD_EDITOR KUBE_EDITOR
    """
)
_PROMPTS = names("PS0 PS1 PS2 PS4")
_FILES = names("BASH_ENV ENV")


def run_variables(
    run: Reading, assignments: Mapping[str, Word], state: State, frame: Frame, span: tuple[int, int]
) -> None:
    """Run what stands in variables that programs take for commands or for files to run."""
    for name, value in assignments.items():
        text: Scalar | None = None
        if name in _COMMANDS:
            skipped = len(value.text) - len(value.text.lstrip("| \t"))
            text = of_word(part_from(value, skipped))
        elif name in _FILES:
            text = file_text(run, value, state)
        elif name in _PROMPTS:
            expand_parts(
                run, parse_quoted(value.text, run.budget), state.copy(), frame.inside(f"{name}=", span=span)
            )
        elif name.startswith("GIT_CONFIG_VALUE_"):
            key = assignments.get(name.replace("VALUE", "KEY"))
            text = git_setting(key.text if key else "", value)
        elif name.startswith("BASH_FUNC_"):
            text = of_word(part_from(value, value.text.find("{")))
        if text:
            inner = frame.inside(f"{name}=", span=span)
            inner.want = False
            run.run_text(text, state.process(run.environment), inner)
