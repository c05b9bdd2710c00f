"""Variables whose value is a command: git, man and others run what they find there."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.redirections import code_text
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Scalar, of_word
from fairlead.shell.expansion.words_to_arguments import expand_parts
from fairlead.shell.following.git.git_settings import VARIABLES, git_setting
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.language.statements import parse_quoted
from fairlead.shell.protected.hook_switches import switches_hooks_off
from fairlead.shell.script import Word
from fairlead.shell.word_pieces import part_from
from fairlead.shell.word_sets import names

_COMMANDS = names(
    """
    MANPAGER FCEDIT HGEDITOR SVN_EDITOR BROWSER LESSOPEN LESSCLOSE
    PROMPT_COMMAND SUDO_EDITOR SUDO_ASKPASS RSYNC_RSH CVS_RSH SVN_SSH FZF_DEFAULT_COMMAND
    SYSTEMD_EDITOR KUBE_EDITOR CC CXX RUSTC RUSTDOC RSYNC_CONNECT_PROG RSYNC_PROXY_COMMAND MAKESHELL
    npm_config_script_shell npm_config_shell npm_config_git npm_config_editor TERMCMD
    """
)
_KINDS = ("PAGER", "EDITOR", "BROWSER", "ASKPASS", "_WRAPPER", "_RUNNER", "_LAUNCHER", "_LINKER", "_RSH")
"""Endings of further names of that kind: `AWS_PAGER`, `KUBE_EDITOR`, `RUSTC_WRAPPER`."""
_OPTIONS = {
    "TAR_OPTIONS": "tar", "FZF_DEFAULT_OPTS": "fzf", "LESS": "less", "MAKEFLAGS": "make",
    "NODE_OPTIONS": "node", "RUBYOPT": "ruby", "PERL5OPT": "perl", "GOFLAGS": "go",
    **dict.fromkeys(("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS"), "java"),
    **dict.fromkeys(("MAVEN_OPTS", "GRADLE_OPTS", "SBT_OPTS", "CATALINA_OPTS"), "java"),
}  # fmt: skip
"""Variables that hold options of a program."""
_CODE = {"PERL5DB": ("perl", "-e"), "VIMINIT": ("vim", "-c"), "EXINIT": ("vim", "-c")}
"""Variables that hold code for a program, and how it is given code otherwise."""
_PROMPTS = names("PS0 PS1 PS2 PS4")
_FILES = names("BASH_ENV ENV")


def run_variables(
    run: Reading, assignments: Mapping[str, Word], state: State, frame: Frame, span: tuple[int, int]
) -> None:
    """Run what stands in variables that programs take for commands or for files to run."""
    _tell_of_switches(run, assignments, state, frame, span)
    for name, value in assignments.items():
        text: Scalar | None = None
        if name in _COMMANDS or name.endswith(_KINDS):
            skipped = len(value.text) - len(value.text.lstrip("| \t"))
            text = of_word(part_from(value, skipped))
        elif name in VARIABLES:
            text = git_setting(VARIABLES[name], value)
        elif name in _FILES:
            text = code_text(run, value, state)
            if "$" in value.text or "`" in value.text:
                _expand(run, name, value, state, frame, span)
        elif name in _PROMPTS:
            _expand(run, name, value, state, frame, span)
        elif name in _OPTIONS and value.known:
            words = [Word(_OPTIONS[name]), *(Word(each) for each in split_arguments(value.text))]
            run.run_words(words, Call({}, (), *span), state.copy(), _silent(frame, name, span))
        elif name == "PYTHONSTARTUP" or name in _CODE:
            words = [*map(Word, _CODE.get(name, ("python3",))), value]
            run.run_words(words, Call({}, (), *span), state.copy(), _silent(frame, name, span))
        elif name.startswith("GIT_CONFIG_VALUE_"):
            key = assignments.get(name.replace("VALUE", "KEY"))
            text = git_setting(key.text if key else "", value)
        elif name.startswith("BASH_FUNC_"):
            text = of_word(part_from(value, value.text.find("{")))
        if text:
            run.run_text(text, state.process(run.environment), _silent(frame, name, span))


def _tell_of_switches(
    run: Reading, assignments: Mapping[str, Word], state: State, frame: Frame, span: tuple[int, int]
) -> None:
    """As what they come to: such a variable holds for all that the command starts."""
    for name in filter(switches_hooks_off, assignments):
        run.emit([Word("export"), Word(f"{name}=")], Call({}, (), *span), state, frame)


def _expand(run: Reading, name: str, value: Word, state: State, frame: Frame, span: tuple[int, int]) -> None:
    """A shell expands the value when it starts or prompts: what is substituted there runs."""
    parts = parse_quoted(value.text, run.budget)
    expand_parts(run, parts, state.copy(), frame.inside(f"{name}=", span=span))


def _silent(frame: Frame, name: str, span: tuple[int, int]) -> Frame:
    """What a variable makes run reads nothing here, and nobody reads what it prints."""
    inner = frame.inside(f"{name}=", span=span)
    inner.want, inner.feed = False, Feed()
    return inner
