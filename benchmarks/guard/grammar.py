"""Shell text by rules: mostly well-formed, deep, full of corners, now and then broken off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Choose = Callable[[Sequence[T]], T]

PROGRAMS = (
    "rm", "ls", "echo", "cat", "git", "find", "xargs", "sudo", "env", "bash", "sh", "eval", "python3", "node",
    "sed", "awk", "tar", "dd", "kill", "curl", "psql", "docker", "kubectl", "terraform", "cd", "set",
    "printf", "read", "trap", "source", "timeout", "ssh", "perl", "make", "npm", "chmod", "mv", "tee", "exec",
)  # fmt: skip
ARGUMENTS = (
    "-rf", "-c", "-e", "--", "-", "--hard", "-exec", "{}", ";", "+", "-delete", "-I{}", "-n", "--force", "/",
    "~", ".", "..", "*", "build", ".env", "/etc/passwd", "/dev/sda", "HEAD~1", "reset", "push", "clean",
    "https://example.com/x", "DROP TABLE users", "print(1)", "import os", "1", "", "a b", "é", "\u202e",
)  # fmt: skip
NAMES = ("a", "HOME", "PATH", "IFS", "x1", "_", "1", "@", "*", "#", "?", "!")
OPERATORS = (
    ":-",
    ":=",
    ":+",
    ":?",
    "-",
    "%",
    "%%",
    "#",
    "##",
    "/",
    "//",
    "^^",
    ",,",
    "@",
    ":1:2",
    "[0]",
    "[@]",
)
REDIRECTS = (">", ">>", "<", "2>", "&>", ">|", "<>", "2>&1", "<<<", ">&")
JOINERS = ("; ", " && ", " || ", "\n", " & ", " | ", " |& ")
NOISE = (
    "$(", "${", "`", '"', "'", "$'", "((", "[[", "<<EOF", "<(", ")", "}", "]]", "fi", "done", "esac", ";;",
    "\\", "\x00", "\x1b", "\ud7ff", "\ufeff", "{a,b}", "$((1+", "<<'", "|", "&", "case x in", "function", "!",
)  # fmt: skip


class Grammar:
    """Builds text from choices, whoever makes them: a random generator or a property test."""

    def __init__(self, choose: Choose[object]) -> None:
        self._choose = choose

    def one(self, options: Sequence[T]) -> T:
        return self._choose(options)  # type: ignore[return-value]  # chosen from the options

    def script(self, depth: int) -> str:
        text = self.command(depth)
        for _ in range(self.one((0, 0, 1, 1, 2, 3))):
            text += self.one(JOINERS) + self.command(depth)
        return text

    def command(self, depth: int) -> str:
        makers = (self.simple, self.simple, self.simple, self.assignment, self.noise)
        return self.one(makers if depth <= 0 else (*makers, self.compound, self.compound, self.document))(
            depth
        )

    def simple(self, depth: int) -> str:
        words = [self.one(PROGRAMS) if self.one((True, True, False)) else self.word(depth - 1)]
        words += [self.word(depth - 1) for _ in range(self.one((0, 1, 2, 3, 4)))]
        if self.one((False, False, True)):
            words.append(self.one(REDIRECTS) + self.word(depth - 1))
        return " ".join(words)

    def assignment(self, depth: int) -> str:
        value = self.word(depth - 1)
        return self.one((f"{self.one(NAMES)}={value}", f"a=({value} {value})", f"declare -A m=([{value}]=1)"))

    def noise(self, depth: int) -> str:
        return self.one(NOISE) + self.one((" ", "")) + self.word(depth - 1)

    def compound(self, depth: int) -> str:
        inner = self.script(depth - 1)
        word = self.word(depth - 1)
        return self.one(
            (
                f"{{ {inner}; }}",
                f"( {inner} )",
                f"if {inner}; then {inner}; else :; fi",
                f"for i in {word} {word}; do {inner}; done",
                f"while {inner}; do {inner}; done",
                f"case {word} in a|*) {inner};; esac",
                f"f() {{ {inner}; }}; f {word}",
                f"[[ {word} == {word} ]] && {inner}",
                f"(( a = {word} ))",
                f"coproc {inner}",
                f"trap {self.quoted(inner)} EXIT",
                f"bash -c {self.quoted(inner)}",
                f"eval {self.quoted(inner)}",
                f"{inner} | xargs {word}",
                f"find . -exec {inner} \\;",
                f"python3 -c {self.quoted(inner)}",
            )
        )

    def document(self, depth: int) -> str:
        inner = self.script(depth - 1)
        start = self.one(("<<EOF", "<<'EOF'", "<<-EOF", '<<"EOF"'))
        return f"{self.one(('cat', 'bash', 'python3 -', 'sh -s a', 'tee x'))} {start}\n{inner}\nEOF\n"

    def word(self, depth: int) -> str:
        if depth <= 0:
            return self.one(ARGUMENTS)
        inner = self.word(depth - 1)
        name = self.one(NAMES)
        return self.one(
            (
                inner,
                self.quoted(inner),
                f'"{inner}"',
                f"$'{inner}\\x41\\n'",
                f"${name}",
                f"${{{name}{self.one(OPERATORS)}{inner}}}",
                f"$({self.script(depth - 2)})",
                f"`{inner}`",
                f"<({self.script(depth - 2)})",
                f"$(({inner}+1))",
                f"{{{inner},b}}",
                f"{inner}*",
                inner + "\\\n" + self.one(ARGUMENTS),
            )
        )

    def quoted(self, text: str) -> str:
        return "'" + text.replace("'", "'\\''") + "'"
