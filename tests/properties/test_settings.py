"""`install` then `uninstall` gives every byte back, from whatever the file was."""

import json
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from fairlead.settings.change import Change, JsonEntries, OwnFile, TomlBlock
from fairlead.settings.formats.json_edit import Default, Item, with_entries, without_entries
from fairlead.settings.formats.json_text import parse
from fairlead.settings.ledger import Ledger

COMMAND = "/home/dev/.local/share/fairlead/bin/fairlead-hook claude PreToolUse"
OURS = {"hooks": [{"type": "command", "command": COMMAND, "timeout": 60}]}
EDITS = (
    Default(("version",), 1),
    Item(("hooks", "PreToolUse"), OURS),
    Item(("hooks", "Stop"), OURS),
)

scalars = st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
handlers = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=10)})
groups = st.fixed_dictionaries(
    {"hooks": st.lists(handlers, max_size=2)}, optional={"matcher": st.text(max_size=5)}
)
hooks = st.dictionaries(
    st.sampled_from(["PreToolUse", "Stop", "SessionStart"]), st.lists(groups, max_size=2), max_size=3
)
documents = st.tuples(st.dictionaries(st.text(max_size=6), values, max_size=4), st.none() | hooks).map(
    lambda pair: {**pair[0], **({} if pair[1] is None else {"hooks": pair[1]})}
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A document as people and programs leave it: any layout, comments, commas at the end."""
    indent = draw(st.sampled_from([None, 1, 2, 4, "\t"]))
    text = json.dumps(draw(documents), indent=indent, ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()) and indent is not None:
        lines = text.split("\n")
        at = draw(st.integers(1, len(lines)))
        lines.insert(at - 1, draw(st.sampled_from(["// a comment, with a comma", "/* { */", ""])))
        text = "\n".join(lines)
    if draw(st.booleans()) and indent is not None:
        text = text.replace("\n}", ",\n}") if not text.endswith("{}") and "," not in text[-3:] else text
        try:
            parse(text)
        except Exception:
            text = text.replace(",\n}", "\n}")
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return (
        draw(st.sampled_from(["", "\ufeff", "// top\n"])) + text + draw(st.sampled_from(["", "\n", "\n\n"]))
    )


def round_trip(change: Change, content: bytes | None, *, twice: bool) -> bytes | None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agent" / Path(change.path).name
        if content is not None:
            path.parent.mkdir()
            path.write_bytes(content)
        moved = change.replace(path=str(path))
        for _ in range(2 if twice else 1):
            Ledger(f"{folder}/ledger.json").install(moved, agent="claude", scope="user")
        assert b"fairlead-hook" in path.read_bytes()
        Ledger(f"{folder}/ledger.json").uninstall(str(path))
        left = sorted(item.name for item in Path(folder).rglob("*") if item.name != "ledger.json")
        assert left == ([] if content is None else ["agent", path.name])
        return path.read_bytes() if path.exists() else None


@given(texts(), st.booleans())
def test_install_then_uninstall_restores_a_json_file_byte_for_byte(text: str, twice: bool) -> None:
    content = text.encode("utf-8", "surrogatepass")
    assert round_trip(JsonEntries("settings.json", EDITS), content, twice=twice) == content


@given(
    st.dictionaries(st.text("abc", min_size=1), st.integers() | st.text("xyz é"), max_size=3), st.booleans()
)
def test_install_then_uninstall_restores_a_toml_file_byte_for_byte(
    table: dict[str, object], ended: bool
) -> None:
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)} # c" for key, value in table.items()]
    content = ("\n".join(lines) + ("\n" if ended else "")).encode()
    block = f'[[hooks]]\nevent = "PreToolUse"\ncommand = "{COMMAND}"\n'
    assert round_trip(TomlBlock("config.toml", block), content, twice=True) == content


def test_install_then_uninstall_leaves_nothing_where_there_was_nothing() -> None:
    assert round_trip(JsonEntries("settings.json", EDITS), None, twice=True) is None
    assert round_trip(OwnFile("fairlead.js", b"// fairlead-hook"), None, twice=True) is None


@given(texts())
def test_adding_entries_changes_no_other_value_and_taking_them_out_none_either(text: str) -> None:
    before = parse(text).value
    added = with_entries(text, EDITS)
    assert added != text
    assert with_entries(added, EDITS) == added
    assert isinstance(before, dict)
    after = parse(without_entries(added)).value
    expected = {"version": 1, **before}
    assert _pruned(after) == _pruned(expected)


def _pruned(document: object) -> object:
    """An event without groups and no event at all mean the same."""
    assert isinstance(document, dict)
    kept = {event: found for event, found in document.get("hooks", {}).items() if found}
    return {
        **{key: value for key, value in document.items() if key != "hooks"},
        **({"hooks": kept} if kept else {}),
    }
