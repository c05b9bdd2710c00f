"""What scripts written for e-bash, and tests of such scripts, rely on: codes and messages, literally."""

import pytest
from bash_shell import Shell

SETUP = """
    hooks:declare h 2>/dev/null
    f() { echo "f $*"; return 3; }
    g() { echo g; }
"""
LINES = """
    lines=('1: contract:env:A=a' '1: contract:env:A+=b' '1: contract:other' '1: text' '2: contract:env:B=x')
"""

ROWS = {
    "a declaration is told": (
        "hooks:declare one two",
        0,
        ["Defining hooks from context: ", "  hooks: one two", "🟢 Registered hook: two (context: "],
    ),
    "the same context again": (
        "hooks:declare one 2>/dev/null; hooks:declare one",
        0,
        ["ℹ Hook 'one' already registered from this context, skipping"],
    ),
    "another context": (
        "source <(echo 'hooks:declare h')",
        0,
        [
            "[hooks] ⚠ Warning: Hook 'h' is being defined from multiple contexts:",
            "    Existing: ",
            "    New:      ",
            "  This is supported for nested/composed scripts, but verify it's intentional.",
        ],
    ),
    "names before a bad one stay declared, later ones are not": (
        "hooks:declare one 'bad name' two || hooks:known one && ! hooks:known two",
        0,
        ["invalid hook name 'bad name'. Only alphanumeric, underscore, and dash allowed."],
    ),
    "no name at all": ("hooks:declare", 0, []),
    "an empty name": ("hooks:declare ''", 1, ["invalid hook name ''"]),
    "an unknown hook": ("hooks:do other", 0, ["Hook 'other' not defined, skipping"]),
    "nothing implements it": ("hooks:do h", 0, ["⚪ No implementations found for hook 'h'"]),
    "a function": (
        "hook:h() { f \"$@\"; }; hooks:do h x 'y z'",
        3,
        [
            "Executing hook: h",
            "  → [function] hook:h",
            "f x y z",
            "    ↳ exit code: 3",
            "  🟢 Completed hook 'h' (1 implementation(s), final exit code: 3)",
        ],
    ),
    "registered functions": (
        "hooks:register h 20-g g; hooks:register h 10-f f; hooks:do h",
        0,
        [
            "Registered function 'f' as '10-f' for hook 'h'",
            "  Found 2 registered function(s) for hook 'h'",
            "  → [registered 1/2] 10-f → f()",
            "  → [registered 2/2] 20-g → g()",
        ],
    ),
    "a registered function that vanished": (
        "hooks:register h 10-f f; unset -f f; hooks:do h",
        0,
        ["  ⚠ [registered 1/1] 10-f → function f() not found, skipping"],
    ),
    "a registration without a function": (
        "hooks:register h name",
        1,
        ["hooks:register requires three parameters: <hook_name> <friendly_name> <function_name>"],
    ),
    "unregistered": (
        "hooks:register h 10-f f; hooks:unregister h 10-f",
        0,
        ["Unregistered '10-f' from hook 'h'"],
    ),
    "unregistered without a name": ("hooks:unregister h", 1, ["hooks:unregister requires two parameters"]),
    "unregistered, with no registrations": (
        "hooks:unregister h 10-f",
        1,
        ["no registrations found for hook 'h'"],
    ),
    "unregistered under another name": (
        "hooks:register h 10-f f; hooks:unregister h x",
        1,
        ["registration 'x' not found for hook 'h'"],
    ),
    "middleware without a hook": ("hooks:middleware", 1, ["hooks:middleware requires <hook> [function]"]),
    "middleware of an unknown hook": (
        "hooks:middleware other g",
        0,
        ["Registered middleware 'g' for hook 'other'"],
    ),
    "the default middleware without a separator": (
        "lines=('1: a'); _hooks:middleware:default h 3 lines x",
        1,
        ["hooks middleware expects '--' separator"],
    ),
    "the default middleware": (
        "lines=('1: out' '2: err'); _hooks:middleware:default h 3 lines -- x",
        3,
        ["out\n", "err\n"],
    ),
    "the middleware of modes": (
        LINES + 'code=0; _hooks:middleware:modes h 2 lines || code=$?; echo "A=$A B=${B-unset}"; exit $code',
        2,
        [
            "middleware is processing hook: 'h'",
            "total captured lines for 'h': 5",
            "unknown contract directive '",
            "contract:env:A=a\n",
            "A=a:b B=unset",
        ],
    ),
    "an env directive that is none": ("_hooks:env:apply bad", 1, ["invalid contract env directive 'bad'"]),
    "an env directive with a bad name": (
        "_hooks:env:apply 1x=2",
        1,
        ["invalid env var name '1x' in contract"],
    ),
    "patterns": (
        "hooks:pattern:source 'x-*'; hooks:pattern:script 'x-1*' 'y-*'; HOOKS_EXEC_MODE=source\n"
        'echo "$(hooks:exec:mode x-1.sh) $(hooks:exec:mode y-1.sh) $(hooks:exec:mode z.sh)"',
        0,
        [
            "Registered pattern for sourced execution: x-*",
            "Registered pattern for script execution: y-*",
            "source exec source",
        ],
    ),
    "sourced by the call": (
        "hooks:do:source h",
        0,
        ["Call-level override: forcing sourced mode for this hook execution", "s-1.sh (sourced mode)"],
    ),
    "run by the call, but a pattern says otherwise": (
        "hooks:pattern:source 'h-s-*'; hooks:do:script h",
        0,
        ["Call-level override: forcing exec mode for this hook execution", "s-1.sh (sourced mode)"],
    ),
}


@pytest.mark.parametrize("what", ROWS)
def test_codes_and_messages_are_those_of_e_bash(tmp_path, what):
    body, code, pieces = ROWS[what]
    shell = Shell(tmp_path)
    if "by the call" in what:
        shell.script("h-s-1.sh", "hook:run() { :; }")
    done = shell.run(f"{SETUP}\n{{ {body}; }} 2>&1", strict=False, debug="hooks,error")
    assert done.returncode == code
    assert [piece for piece in pieces if piece not in done.stdout] == []
