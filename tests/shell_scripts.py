"""Random scripts whose only program is `probe`, for trying the shell reader against bash itself.

They write files where they are, so they never leave the folders that the test made.
"""

from __future__ import annotations

from random import Random

NAMES = ("X", "Y", "Z")
TEXTS = (
    "one", "two words", "a/b/c.txt", "x=y", "", "tab\tbed", "ünï", "-rf", "a:b:c", "UPPER", "  edge  ", "q'q",
)  # fmt: skip
OPERATORS = (
    "", ":-fall back", "-d", ":+alt", "+alt", "#*/", "##*/", "%/*", "%%/*", "%.*", "/a/b", "//a/b", "/#o/0",
    "/%c/C", ":1", ":1:2", ": -2", ":0:1", "^^", ",,", "^", "@U", "#o", "%%[a-c]*", "//[aeiou]/_",
)  # fmt: skip
PLAIN = ("plain", "a/b", "x=1", "--flag", "-n", "1", "a,b", "%s", "@", "a#b", "a~b", "]", "a~")
QUOTED = ("two words", "", "a\\$b", 'a\\"b', "a\\\\b", "tick\\`", "st*r.zz", "{a,b}", "~")
ESCAPED = (r"\a\b", r"a\ b", r"\$X", r"\'", r"\"", "a\\\nb", r"\*.zz", r"\~")
ANSI = (r"$'a\tb'", r"$'\x41\102'", r"$'it\'s'", r"$'\u00e9'", '$"plain"', r"$'\cA\e'")
BRACES = ("{a,b}", "{1..3}", "x{a,b}y{c,d}", "{a,b{1,2}}", "{x}", "{}", "{a..c}", "a{,b}", "{3..1}")
SUMS = ("1+2", "2*(3+4)", "7/2", "-7%3", "1<<4", "3>2", "2**5", "0x1f", "010", "!0")
POSITIONAL = ('"$@"', "$@", '"$*"', "$#", '"$1"', "$2", '"${@:2}"', '"${#@}"')
ARRAYS = ('"${A[@]}"', '"${A[1]}"', "${A[0]}", '"${#A[@]}"', '"${A[@]:1}"', '"${A[-1]}"', "${A}")
PATTERNS = ("*.zz", "a?zz", "[x]zz", "'*.zz'")
TILDES = ("~", "~/x", "~root", "~/")
FILTERS = ("rev", "tr a-z A-Z", "cut -c1-2", "base64")
PLACES = (".", "~", "-", "~/a", "~/a/..", '"$HOME/b"')
WRAPPERS = ("env", "nice -n 1", "timeout 9", "nohup", "command", "time", "env P=1")
FORMATS = ("%s-%s", "%5s", "%-4s|", "%03d", "%b")
HEREDOC = ("$X", "lit", "`echo t`", "\\$Y", "$((1+1))")


def quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


class Scripts:
    """Grows one script from a seed; every value in it is constant, so that the reader must know it all."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.pick = self.random.choice

    def name(self) -> str:
        return self.pick(NAMES)

    def parameter(self) -> str:
        if self.random.random() < 0.1:
            return "${#" + self.name() + "}"
        return "${" + self.name() + self.pick(OPERATORS) + "}"

    def atom(self, depth: int = 0) -> str:
        kinds = [
            lambda: self.pick(PLAIN),
            lambda: quote(self.pick(TEXTS)),
            lambda: f'"{self.pick(QUOTED)}"',
            lambda: f'"{self.pick(("", "pre "))}${self.name()}{self.pick(("", "/post"))}"',
            lambda: "${" + self.name() + "}",
            lambda: '"' + self.parameter() + '"',
            self.parameter,
            lambda: self.pick(ESCAPED),
            lambda: self.pick(ANSI),
            lambda: self.pick(BRACES),
            lambda: f"$(({self.pick(SUMS)}))",
            lambda: self.pick(POSITIONAL),
            lambda: self.pick(ARRAYS),
            lambda: self.pick(PATTERNS),
        ]
        if depth < 2:
            kinds += [
                lambda: f"$(echo {self.words(depth + 1)})",
                lambda: f'"$(printf %s {self.words(depth + 1)})"',
                lambda: f"`echo {self.pick(('a b', 'x', quote('q r')))}`",
                lambda: f"$(basename {self.pick(('/a/b.c .c', 'a/b', '/x/'))})",
                lambda: f"$(dirname {self.pick(('/a/b.c', 'a/b', 'x'))})",
                lambda: f"$(echo {self.pick(('abc', 'Hello'))} | {self.pick(FILTERS)})",
            ]
        return self.pick(kinds)()

    def word(self, depth: int = 0) -> str:
        if self.random.random() < 0.1:
            return self.pick(TILDES)
        return "".join(self.atom(depth) for _ in range(self.pick((1, 1, 1, 2, 3))))

    def words(self, depth: int = 0) -> str:
        return " ".join(self.word(depth) for _ in range(self.random.randint(1, 3)))

    def probe(self) -> str:
        return f"probe {self.words()}"

    def simple(self) -> list[object]:
        inner = quote('probe in $X "$1"')
        return [
            self.probe,
            lambda: f"{self.name()}={self.word()}",
            lambda: f"{self.name()}+={quote(self.pick(TEXTS))}",
            lambda: f"export {self.name()}={self.word()}",
            lambda: f"cd {self.pick(PLACES)} > out",
            lambda: f"pushd {self.pick(('~/a', '~/b'))} >/dev/null; {self.probe()}; popd >/dev/null",
            lambda: f"set -- {self.words()}",
            lambda: f"A=({self.words()}); {self.pick(('A+=(more)', 'A[1]=set', ':'))}",
            lambda: f"printf -v {self.name()} {quote(self.pick(FORMATS))} {self.pick(('1 2', '7'))}",
            lambda: f"read -r {self.name()} {self.name()} <<< {self.word()}",
            lambda: f"eval {quote(self.probe())}",
            lambda: f"X={quote(self.pick(TEXTS))} bash -c {inner} zero {self.word()}",
            lambda: f"{self.pick(WRAPPERS)} {self.probe()}",
            lambda: (
                f"echo {self.pick(('a b', 'q r s'))} | xargs {self.pick(('', '-n 9 '))}probe {self.word()}"
            ),
            lambda: f"probe {self.word()} > out 2>&1 {self.word()} < /dev/null",
            lambda: f"bash <<'E'\n{self.probe()}\nE",
            lambda: f"cat <<E > f.sh\nprobe {self.pick(HEREDOC)} {self.pick(HEREDOC)}\nE\nbash f.sh",
            lambda: f"let n=4+3; ((n++)); probe $n; unset {self.name()}",
            lambda: f"echo {quote(self.probe())} | base64 | base64 -d | bash",
        ]

    def statement(self, depth: int = 0) -> str:
        kinds = self.simple()
        if depth < 2:
            deeper = depth + 1
            kinds += [
                lambda: f"({self.body(deeper)})",
                lambda: "{ " + self.body(deeper) + "; }",
                lambda: f"{self.probe()} && {self.probe()}",
                lambda: f'for v in {self.words()}; do probe "$v"; {self.statement(deeper)}; done',
                lambda: f"f() {{ {self.body(deeper)}; }}; f {self.words()}",
                lambda: f"true && {{ {self.body(deeper)}; }}",
                lambda: f'while read -r l; do probe got "$l"; done <<< {self.word()}',
            ]
        return self.pick(kinds)()

    def body(self, depth: int = 0) -> str:
        return "\n".join(self.statement(depth) for _ in range(self.random.randint(1, 3)))

    def script(self) -> str:
        start = [f"{name}={quote(self.pick(TEXTS))}" for name in NAMES]
        rest = [self.statement() for _ in range(4)]
        return "\n".join([*start, "A=(one 'two words')", "set -- p1 'p 2'", *rest])


CONDITIONS = (
    "true",
    "false",
    "[ a = a ]",
    "[ a = b ]",
    '[ -n "$X" ]',
    "[[ $Y == one ]]",
    "(( 1 > 2 ))",
    "! true",
)


class BranchingScripts(Scripts):
    """Scripts with branches: the reader takes every way, so it must find at least what bash runs."""

    def change(self) -> str:
        return self.pick(
            (
                f"{self.name()}={quote(self.pick(TEXTS))}",
                f"set -- {quote(self.pick(TEXTS))} {quote(self.pick(TEXTS))}",
                f"cd {self.pick(('~', '~/b', '~/a'))}",
                f'f() {{ probe f{self.random.randint(1, 9)} ${self.name()} "$1"; }}',
                f"unset {self.name()}",
                f"A=({quote(self.pick(TEXTS))} z)",
                f"echo 'probe file{self.random.randint(1, 9)} \"$1\"' > s.sh",
                "shift",
            )
        )

    def branching(self) -> str:
        condition = self.pick(CONDITIONS)
        return self.pick(
            (
                f"{condition} && {self.change()}",
                f"{condition} || {self.change()}",
                f"{condition} && {self.change()} || {self.change()}",
                f"if {condition}; then {self.change()}; else {self.change()}; fi",
                f"if {condition}; then {self.change()}; fi",
                f"case ${self.name()} in one|two*) {self.change()};; *) {self.change()};; esac",
                f"for i in 1 2 3; do [ $i = 2 ] && {{ {self.change()}; }}; done",
                f'while [ $# -gt 0 ]; do probe loop "$1"; shift; done; {self.change()}',
                f"n=0; while [ $n -lt 3 ]; do n=$((n+1)); probe n$n; {self.change()}; done",
                f'( {self.change()}; probe sub "$X" )',
                f"{{ {condition} && return 0 2>/dev/null; {self.change()}; }}",
                self.change(),
            )
        )

    def use(self) -> str:
        return self.pick(
            (
                'probe use "$X" "$Y" "$1"', "probe split $X $Z", 'probe arr "${A[@]}"', "f arg",
                "source ./s.sh arg", "bash s.sh arg", 'probe rest "$@"', "eval 'probe ev \"$X\"'",
                f"{self.pick(CONDITIONS)} && probe maybe \"$Y\"", "probe def ${X:-none} \"${1-no}\"",
            )
        )  # fmt: skip

    def script(self) -> str:
        start = [f"{name}={quote(self.pick(TEXTS))}" for name in NAMES]
        start += ["A=(one 'two words')", "set -- p1 'p 2'", "f() { probe f0 \"$1\"; }", "cd ~",
                  "echo 'probe file0' > s.sh"]  # fmt: skip
        rest = [self.pick((self.branching, self.use))() for _ in range(6)]
        return "\n".join([*start, *rest, self.use()])
