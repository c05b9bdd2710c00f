"""Hooks at random, as rows of the table: what they print, in pieces and with contracts of every kind, and how
they end."""

from __future__ import annotations

import json
import string

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from conformance.table import Row

SETTABLE = ("A", "B", "C_1", "lower", "_x", "HOOKS_TEST_PATH", "CI_MODE", "DRY_RUN", "CI_MODE_TIMEOUT")
REFUSED = ("PS4", "SECONDS", "IFS", "LD_PRELOAD", "HOOKS_DIR", "__h_code", "BASH_ENV", "OPTIND", "GIT_DIR")
NO_NAMES = ("", "1A", "A-B", "A B", "A[0]", "a[$(touch pwned)]", "\u00c4", "A.b", " A")
WORDS = (
    *("", "x", "1.2.3", "a b", " a ", "a:b", "b", "a+=b", "=", "$A", "${A}", "$(touch pwned)"),
    *("it's", 'say "x"', "'q'", '"q"', "'", '"', '"$A"', "\\", "\\n", "*", "?", "[a]", "~", "{a,b}", "!x"),
    *("\u00fc", "\u20ac\U0001f600", "\udcff\udcfe", "\r", "x\r", "\t", "\x1b[31m", "%s", "`touch pwned`"),
)  # fmt: skip
MODES = (
    *("dry", "dry:", "DRY", "Dry", " dry", "dry ", "ok", "ok:", "skip", "skip:1", "", "nonsense"),
    *("error", "error:", "error:7", "error:08", "error:0", "error:256", "error:x", "error:-1"),
    *("timeout:", "timeout:5", "timeout:0", "timeout:1.5", "timeout:x", "test:", "test:there.sh"),
)  # fmt: skip
CODES = (
    *("0", "3", "007", "255", "256", "-1", "", "abc", "1 ", " 1", "3\r", "1x", "0x1", "1000", "08", "\u0663"),
)  # fmt: skip
JSON_VALUES = (
    *("x", "", "a b", "\u00e9\U0001f600", 'q"\\/\n\t', 0, -1, 1.5, 10**30, 1e300, True, False, None),
)  # fmt: skip
NO_JSON = (
    *('{"A":}', "{}", "{ }", '{"A":1,}', '{"A":"x"', '{"A":[1]}', '{"A":{"B":1}}', '{"A":01}', '{"A":NaN}'),
    *('{"A":1.0}', '{"A":1e5}', '{"A":-0}', '{"A":"\\u0000"}', '{"A":"\\ud83d"}', '{"A":"\\ud83d\\ude00"}'),
    *('{"A":"x"} ', '{"A":"x"}x', '{"A" : "x" , "B" : 2}', "{'A':1}", '{"A":"x","A":"y"}', '{"A":TRUE}'),
    *('{"A":"\\x41"}', '{"A":"a\tb"}', '{"mode":"dry"}', '{"mode":1}', '{"mode":"ok","A":"1"}', '{"A-B":1}'),
)  # fmt: skip
FILES = ("h-1.sh", "h_1.sh", "h-2.sh", "h-10.sh", "h-a b", "h-Z.py", "h-.x", "h--", "h-a.b.c")
ALLOWED = ("A", "+PS4", "C_*", "+GIT_*", "lo?er")
CALLERS = (
    *("", "shopt -s nocasematch", "shopt -s nullglob extglob dotglob", "shopt -s failglob", "set -f"),
    *("IFS='123456789 /:-._ha'", "readonly IFS=,", "shopt -s nocaseglob; GLOBIGNORE='*'", "set -a"),
    *("shopt -s localvar_inherit", "shopt -s xpg_echo lastpipe", "set -ET; trap 'x=1' ERR DEBUG RETURN"),
    *("export LC_ALL=C.UTF-8", "export LC_ALL=C", "shopt -s expand_aliases; alias exec=false mapfile=false"),
    *("readonly A_B=1; declare -i integer=3", "trap 'x=1' USR1; shopt -s inherit_errexit", "set -Cm"),
)  # fmt: skip
"""What a caller in bash may do, and which is to make no difference."""

words = st.sampled_from(WORDS) | st.text(string.printable.replace("\n", ""), max_size=12)
names = st.sampled_from(SETTABLE) | st.sampled_from(SETTABLE + REFUSED + NO_NAMES)


def _directives() -> SearchStrategy[str]:
    operators = st.sampled_from(("=", "+=", "^=", "-=", "", "==", "*="))
    blanks = st.sampled_from((" ", "  ", "\t", ""))
    quoted = st.sampled_from(("{}", "'{}'", '"{}"'))
    objects = st.dictionaries(
        st.sampled_from(SETTABLE + REFUSED[:2]), st.sampled_from(JSON_VALUES), max_size=3
    )
    return st.one_of(
        st.builds("{}={}".format, names, words),
        st.builds("env:{}{}{}".format, names, operators, words),
        st.builds(lambda b, n, q, w: f"export{b}{n}={q.format(w)}", blanks, names, quoted, words),
        st.sampled_from(MODES).map("mode={}".format),
        st.sampled_from(CODES).map("exit:{}".format),
        st.sampled_from(("there.sh", "", "/nowhere/x")).map("route:{}".format),
        objects.map(json.dumps),
        objects.map(lambda each: json.dumps(each, ensure_ascii=False)),
        st.sampled_from(NO_JSON),
        words,
    )


lines = st.one_of(
    _directives().map("contract:{}".format),
    _directives().map("contract:{}".format),
    st.sampled_from(("Contract:A=1", " contract:A=1", "contract :A=1", "1: contract:A=1", "2: x", "")),
    words,
)


@st.composite
def bodies(draw: DrawFn) -> str:
    """A program that writes lines whole or in two pieces, and says what it finds in its environment."""
    said = []
    for _ in range(draw(st.integers(0, 5))):
        stream = draw(st.sampled_from((1, 1, 1, 2)))
        data = draw(lines).encode("utf-8", "surrogateescape").replace(b"\0", b"") + b"\n"
        cut = draw(st.integers(0, len(data))) if draw(st.integers(0, 4)) == 0 else len(data)
        said += [_written(piece, stream) for piece in (data[:cut], data[cut:]) if piece]
    if draw(st.booleans()):
        said.append(f'echo "A=${{A-}} B=${{B-}} {draw(st.sampled_from(SETTABLE))}"')
    said.append(draw(st.sampled_from(("", "", "", "exit 3", "exit 1", "kill -TERM $$", "kill -KILL $$"))))
    return "\n".join(said)


def _written(data: bytes, stream: int) -> str:
    octal = "".join(f"\\{byte:03o}" for byte in data)
    return f"printf '{octal}' >&{stream}"


@st.composite
def rows(draw: DrawFn, **more: object) -> Row:
    keys = st.sampled_from(
        ("h-1.sh", "h_1.sh", "h-2.sh", "h-10.sh", "h-a b", "h-Z.py", "h-.x", "h--", "h-a.b.c")
    )
    files = draw(st.dictionaries(keys, bodies(), min_size=1, max_size=3))
    options: dict[str, object] = {}
    if draw(st.booleans()):
        options["fail_fast"] = draw(st.booleans())
        options["exit_policy"] = draw(st.sampled_from(("last", "worst", "first-failure")))
        options["retries"] = draw(st.integers(0, 1))
    if draw(st.integers(0, 4)) == 0:
        options["allow"] = draw(st.lists(st.sampled_from(ALLOWED), max_size=2))
    return {
        "declare": ["h"],
        "calls": [["h"]] * draw(st.integers(1, 2)),
        "files": files,
        "plain": {"there.sh": "echo there; exit 9"},
        "options": options,
        "unset": [*SETTABLE, *REFUSED[3:4], "GIT_DIR"],
        "environment": {"B": "b1:b2"},
        "shell": draw(st.sampled_from(CALLERS)),
        **more,
    }
