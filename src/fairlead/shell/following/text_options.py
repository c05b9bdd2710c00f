"""Programs that can be told to run shell text: in an option, in a script of their own, or on their input.

Each function here yields what would run, as (how, text). The program itself is a command all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.values import Partial, Scalar, of_word
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word
from fairlead.shell.word_pieces import part_from

Found = Iterator[tuple[str, Scalar | list[Word]]]
"""How, and what: shell text, or the words of a command that no shell sees again."""
Hidden = Callable[[list[Word], Scalar | None], Found]

_SHELL_ESCAPE = lazy(
    r"^[ \t]*(?:\\!|!|\.(?:shell|system)\b|system\b|(?:platform[ \t]+)?shell\b)[ \t]*(.+)$", re.M
)
_PROGRAM = lazy(r"\b(?:FROM|TO)\s+PROGRAM\s+'((?:[^']|'')+)'", re.I)
_SYSCMD = lazy(r"syscmd\(([^()]*)\)")
_SOCAT = lazy(
    r"(?:EXEC|SYSTEM):\s*(['\"]?)(.+?)\1(?:,(?:pty|stderr|setsid|sigint|sane|ctty|su|nofork).*)?", re.I | re.S
)
_SEND = lazy(r"\bsend\s+(?:-\w+\s+)*(?:--\s+)?\"((?:\\.|[^\"\\])*)\"")
_CODE_COMMAND = lazy(r"^\s*(?:python|python3|py|script|pi|python-interactive)\s+(.+)$", re.S)
_SPAWN = lazy(r"(?:^|[;{\n])[ \t]*(?:spawn|exec|system)[ \t]+((?:-\w+[ \t]+)*)([^;\n}]+)")


def in_options(*names: str) -> Hidden:
    """The program runs the value of these options through a shell."""

    def find(words: list[Word], stdin: Scalar | None) -> Found:
        for value in option_values(words, *names):
            yield f"{words[0].text} {names[0]}", of_word(value)

    return find


def _lines(text: Scalar | None) -> str:
    if isinstance(text, Partial):
        return text.shown
    return text or ""


def escapes(*names: str) -> Hidden:
    """`!command`, `\\! command`, `.shell command` and the like, in options or on the input."""

    def find(words: list[Word], stdin: Scalar | None) -> Found:
        texts = [value.text for value in option_values(words, *names)]
        texts += [word.text for word in words[1:] if re.match(r"\.(?:shell|system)\b|\\!", word.text)]
        for text in [*texts, _lines(stdin)]:
            for match in _SHELL_ESCAPE.finditer(text):
                yield f"{words[0].text} !", _unwrapped(match.group(1).strip().rstrip(";"))
            for match in _PROGRAM.finditer(text):
                yield f"{words[0].text} PROGRAM", match.group(1).replace("''", "'")

    return find


def _unwrapped(text: str) -> str:
    """`system "rm x"` gives one string to the shell."""
    quoted = len(text) > 2 and text[0] in "\"'" and text[-1] == text[0] and text[0] not in text[1:-1]
    return text[1:-1] if quoted else text


def find_in_tar(words: list[Word], stdin: Scalar | None) -> Found:
    for value in option_values(words, "--checkpoint-action"):
        if value.text.startswith("exec="):
            yield "tar --checkpoint-action", of_word(part_from(value, 5))
    yield from in_options(*_TAR_PROGRAMS)(words, stdin)


_TAR_PROGRAMS = (
    *("--to-command", "--use-compress-program", "-I", "--info-script", "--new-volume-script", "-F"),
    *("--rsh-command", "--rmt-command"),
)


def find_in_sftp(words: list[Word], stdin: Scalar | None) -> Found:
    """The program behind `-D` and `-S` is its server or its ssh."""
    yield from in_options("-D", "-S")(words, stdin)
    yield from find_in_ssh_options(words, stdin)
    yield from escapes()(words, stdin)


_SSH_COMMAND = lazy(r"(?:Proxy|Local|KnownHosts|Authorized\w+)Command[= \t]+(.+)", re.I | re.S)


def find_in_ssh_options(words: list[Word], stdin: Scalar | None) -> Found:
    """`-o ProxyCommand=…` of the programs around ssh."""
    for value in option_values(words, "-o"):
        match = _SSH_COMMAND.fullmatch(value.text)
        if match:
            yield f"{words[0].text} -o", match.group(1)


def find_in_scp(words: list[Word], stdin: Scalar | None) -> Found:
    yield from in_options("-S")(words, stdin)
    yield from find_in_ssh_options(words, stdin)


def find_in_ctest(words: list[Word], stdin: Scalar | None) -> Found:
    texts = [word.text for word in words]
    if "--test-command" in texts:
        yield "ctest --test-command", words[texts.index("--test-command") + 1 :]


def find_in_maven(words: list[Word], stdin: Scalar | None) -> Found:
    """`-Dexec.executable=rm -Dexec.args=…` of its plugin that runs programs."""
    told = dict(word.text[2:].partition("=")[::2] for word in words[1:] if word.text.startswith("-D"))
    if "exec.executable" in told:
        line = f"{told['exec.executable']} {told.get('exec.args', '')} {told.get('exec.commandlineArgs', '')}"
        yield "mvn exec", line


def find_in_socat(words: list[Word], stdin: Scalar | None) -> Found:
    for word in words[1:]:
        match = _SOCAT.fullmatch(word.text)
        if match:
            yield "socat", match.group(2)


def find_in_m4(words: list[Word], stdin: Scalar | None) -> Found:
    for match in _SYSCMD.finditer(_lines(stdin)):
        yield "m4 syscmd", match.group(1).strip("`'\" ")


def _python(code: str) -> list[Word]:
    return [Word("python3"), Word("-c"), Word(code)]


def find_in_rpm(words: list[Word], stdin: Scalar | None) -> Found:
    """`%(command)` and `%{lua:code}` in what it expands, and what its output goes to."""
    for value in option_values(words, "--pipe"):
        yield "rpm --pipe", of_word(value)
    for value in option_values(words, "--eval", "-E"):
        for match in re.finditer(r"%\(([^()]*)\)", value.text):
            yield "rpm %()", match.group(1)
        for match in re.finditer(r"%\{lua:(.*)\}", value.text, re.S):
            yield "rpm %{lua:}", [Word("lua"), Word("-e"), Word(match.group(1))]


def find_in_latex(words: list[Word], stdin: Scalar | None) -> Found:
    for text in [*(word.text for word in words[1:]), _lines(stdin)]:
        for match in re.finditer(r"\\write18\s*\{([^{}]*)\}|\\input\s*\{?\|\s*\"?([^{}\"]*)", text):
            yield "\\write18", match.group(1) or match.group(2)


def find_in_puppet(words: list[Word], stdin: Scalar | None) -> Found:
    for value in option_values(words, "-e", "--execute"):
        for match in re.finditer(r"exec\s*\{\s*(['\"])(.+?)\1\s*:", value.text, re.S):
            yield "puppet exec", match.group(2)
        for match in re.finditer(r"generate\(([^()]*)\)", value.text):
            yield "puppet generate", match.group(1).replace(",", " ")


def find_in_expect(words: list[Word], stdin: Scalar | None) -> Found:
    texts = [value.text for value in option_values(words, "-c")]
    for text in texts or [_lines(stdin)]:
        for match in _SPAWN.finditer(text):
            yield "expect spawn", match.group(2).strip()
        for match in _SEND.finditer(text) if _SPAWN.search(text) else ():
            yield "expect send", match.group(1).removesuffix("\\r").removesuffix("\\n")


def find_in_gdb(words: list[Word], stdin: Scalar | None) -> Found:
    yield from escapes("-ex", "--eval-command", "-iex", "-o")(words, stdin)
    for value in option_values(words, "-ex", "--eval-command", "-iex", "-o", "--one-line"):
        match = _CODE_COMMAND.match(value.text)
        if match:
            yield "gdb python", _python(match.group(1))
    texts = [word.text for word in words]
    for mark in ("--args", "-args", "--"):
        if mark in texts:
            yield "gdb --args", words[texts.index(mark) + 1 :]


def find_in_ansible(words: list[Word], stdin: Scalar | None) -> Found:
    module = next((value.text for value in option_values(words, "-m", "--module-name")), "command")
    if module.rsplit(".", 1)[-1] in ("shell", "command", "raw", "script"):
        yield from in_options("-a", "--args")(words, stdin)


_CARGO_PROGRAM = lazy(r"(?:runner|rustc(?:-workspace)?-wrapper|linker|rustdoc|rustc)[\"']?\s*=\s*(.+)", re.S)


def find_in_cargo(words: list[Word], stdin: Scalar | None) -> Found:
    for value in option_values(words, "--config"):
        match = _CARGO_PROGRAM.search(value.text)
        if match:
            strings = re.findall(r"\"((?:\\.|[^\"\\])*)\"|'([^']*)'", match.group(1))
            yield "cargo --config", " ".join(double or single for double, single in strings) or match.group(1)
    if len(words) > 1 and words[1].text == "watch":
        yield from in_options("-s", "--shell")(words, stdin)
        for value in option_values(words, "--"):
            yield "cargo watch", words[words.index(value) :]


def find_in_operands(words: list[Word], stdin: Scalar | None) -> Found:
    """Every operand is a command line of its own."""
    for word in words[1:]:
        if not word.text.startswith("-"):
            yield words[0].text, of_word(word)


def find_in_fzf(words: list[Word], stdin: Scalar | None) -> Found:
    yield from in_options("--preview")(words, stdin)
    for value in option_values(words, "--bind"):
        for match in re.finditer(r"(?:execute(?:-silent)?|become|reload)(?:\(([^()]*)\)|:(.*))", value.text):
            yield "fzf --bind", match.group(1) or match.group(2) or ""


_CMAKE_TOOLS: Mapping[str, tuple[str, ...]] = {
    **{tool: (tool,) for tool in ("env", "time", "rm", "touch", "cat")},
    **dict.fromkeys(("copy", "copy_if_different"), ("cp",)),
    "copy_directory": ("cp", "-r"),
    **dict.fromkeys(("remove", "remove_directory"), ("rm", "-rf")),
    "rename": ("mv",),
    "create_symlink": ("ln", "-s"),
    "chdir": ("env", "-C"),
}


def find_in_cmake(words: list[Word], stdin: Scalar | None) -> Found:
    """`cmake -E` has small tools of its own, named and used like the usual ones."""
    if len(words) > 2 and words[1].text == "-E" and words[2].text in _CMAKE_TOOLS:
        tool = words[2].text
        yield f"cmake -E {tool}", [*map(Word, _CMAKE_TOOLS[tool]), *words[3:]]


def find_in_hg(words: list[Word], stdin: Scalar | None) -> Found:
    for value in option_values(words, "--config"):
        name, _, text = value.text.partition("=")
        if text.startswith("!") or name.startswith(
            ("hooks.", "extdiff.", "merge-tools.", "ui.editor", "ui.ssh")
        ):
            yield "hg --config", text.lstrip("!")
