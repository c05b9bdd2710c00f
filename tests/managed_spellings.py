"""Ways to write `managed.yaml`, plain ones and odd ones."""

from __future__ import annotations

from hypothesis import strategies as st

CODE, ANSWER = f"1-{'a1' * 8}-{'b2' * 32}", f"2-{'a1' * 8}-{'b2' * 32}"
DEEDS = ("off", "allow", "trust", "approve")
_ODD_WORDS = (
    "!!str {}",
    "&a {}",
    "*a",
    "{} ",
    "{}#",
    "{} # x",
    "false",
    "~",
    "|\n  {}",
    ">-\n    {}",
    "{{{}: 1}}",
    "[{}]",
    "{}\u00a0",
    "\u3000{}",
    "? {}",
    "{}:",
    "<<",
    '"\\x6f{}"',
    "",
)
_ODD_KEYS = (
    '"{}":', "'{}':", "? {}\n:", "{} :", "!!str {}:", "&k {}:", " {}:", "{}: &x", "{}\u00a0:", "*{} :",
    "{}:\t", "{}::", "{}: !!seq",
)  # fmt: skip
_KEYS = st.sampled_from(["{}:"] * 12 + [*_ODD_KEYS])
_ODD_STARTS = (
    "\ufeff", "---\n", "# c\n", "%YAML 1.1\n---\n", "\t\n", "--- # x\n", "--- !!map\n", "{", "!!map\n",
    "\u2028", "# caf\u00e9\u2028",
)  # fmt: skip
_STARTS = st.sampled_from([""] * 8 + [*_ODD_STARTS])
_ENDS = st.sampled_from(["\n"] * 5 + ["", "\n...\n", "\n---\n", "\n--- {forbid: [off]}\n", "\n%YAML 1.1\n"])
_ODD_LETTERS = " \t\n\r#:-[]{}&*!|>'\"%@`,?\\\u0085\u2028\u2029\0\ufeff\u00a0"


def _words(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    plain = st.sampled_from(["{}"] * 20 + ['"{}"', "'{}'"])
    form = st.one_of(plain, plain, plain, st.sampled_from(_ODD_WORDS))
    return st.builds(str.format, form, st.sampled_from(names))


@st.composite
def _lists(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    items = draw(st.lists(_words(names), max_size=3))
    if draw(st.booleans()):
        between = draw(st.sampled_from([", "] * 4 + [",", ",\n  ", ",\n", ",\t", " ,", ", ,"]))
        brackets = [("[", "]")] * 8 + [
            ("[\n", "\n]"),
            ("[ ", " ]"),
            ("[", "],"),
            ("[", ""),
            ("", "]"),
            ("(", ")"),
        ]
        opening, closing = draw(st.sampled_from(brackets))
        return f" {opening}{between.join(items)}{closing}"
    indent = draw(st.sampled_from(["  "] * 4 + ["", " ", "\t"]))
    dash = draw(st.sampled_from(["- "] * 6 + ["-", "-  ", "-\t"]))
    return "".join(f"\n{indent}{dash}{item}" for item in items)


_GLASS = st.sampled_from([
    f" {{codes: [{CODE}], minutes: 5}}",
    f" {{answers: [{ANSWER}], people: [ann], minutes: 1440}}",
    f"\n  codes:\n    - {CODE}\n  minutes: 5",
    f"\n  codes:\n  - {CODE}\n  answers:\n  - {ANSWER}\n  people:\n  - ann",
    f"\n  minutes: 5\n  codes: [{CODE}]",
    f"\n  codes: [{CODE}]\n  minutes: 08",
    f"\n  codes: [{CODE}]\n  minutes: 1441",
    f"\n  codes: [{ANSWER}]",
    f"\n  codes: [{CODE}]\n  codes: [{CODE}]",
    f"\n  codes: [{CODE}]\n forbid: [off]",
    f"\n  codes: &c [{CODE}]\n  forbid: [off]",
    f"\n  codes: [{CODE}\n",
    "\n  people: [ann]",
    "\n  codes: []",
    " 3",
    " {}",
    "",
])  # fmt: skip


def _section(key: str) -> st.SearchStrategy[str]:
    body = {
        "forbid": _lists(DEEDS),
        "lock": _lists(("git", "secrets", "packs/*", "git/force-push", "off", "x-no", "_a")),
        "break_glass": _GLASS,
        "x": st.just(" 1"),
    }[key]
    return st.builds(lambda form, said: form.format(key) + said, _KEYS, body)


@st.composite
def spellings(draw: st.DrawFn) -> bytes:
    keys = draw(
        st.lists(st.sampled_from(["forbid", "forbid", "lock", "break_glass", "x"]), min_size=1, max_size=3)
    )
    text = draw(_STARTS) + "\n".join(draw(_section(key)) for key in keys) + draw(_ENDS)
    if draw(st.integers(0, 4)) == 0:
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(_ODD_LETTERS)) + text[at + draw(st.integers(0, 1)) :]
    ending = draw(st.sampled_from(["\n"] * 6 + ["\r\n", "\r"]))
    return text.replace("\n", ending).encode("utf-8", "replace")
