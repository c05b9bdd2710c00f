"""Loops that never end and start another process in every round."""

from __future__ import annotations

from fairlead.shell.expansion.reading import Feed
from fairlead.shell.expansion.values import Partial, Scalar
from fairlead.shell.language.syntax_tree import Assignment, Compound, Literal, Sequence, Simple, WordNode


def starts_without_end(node: Compound, feed: Feed) -> bool:
    return node.body is not None and _only_background(node.body) and _never_ends(node, feed)


_WAITING = frozenset(
    ("sleep", "read", "break", "exit", "return", "wait", "timeout", "curl", "inotifywait", "entr", "usleep")
)


def fills_without_end(node: Compound, feed: Feed) -> bool:
    """`while :; do cat a >> b; done`: nothing in it waits, asks or leaves."""
    return node.body is not None and _never_ends(node, feed) and _only_writes(node.body)


def _only_writes(body: Sequence) -> bool:
    """Whether all of it are plain commands, none of which waits, and one of them writes."""
    stages = [stage for item in body.items for stage in item.first.stages]
    if any(item.rest for item in body.items) or not all(isinstance(stage, Simple) for stage in stages):
        return False
    simple = [stage for stage in stages if isinstance(stage, Simple)]
    programs = {_beginning(word) for stage in simple for word in stage.words[:1]}
    return not programs & _WAITING and any(_writes(stage) for stage in simple)


_COMPUTING = frozenset(
    (
        *(":", "true", "cat", "head", "dd", "openssl", "bc", "factor", "echo", "expr", "let", "seq", "sort"),
        *("md5sum", "sha1sum", "sha256sum", "sha512sum", "b2sum", "cksum", "shasum"),
        *("gzip", "bzip2", "xz", "zstd", "base64", "awk", "wc", "tr"),
    )
)


def burns_without_end(node: Compound, feed: Feed) -> bool:
    """`while :; do :; done`, `while :; do head -c 1G /dev/urandom | xz; done`: power, and nothing to see."""
    if node.body is None or not _never_ends(node, feed):
        return False
    stages = [stage for item in node.body.items for stage in item.first.stages]
    if any(item.rest for item in node.body.items) or not all(isinstance(stage, Simple) for stage in stages):
        return False
    simple = [stage for stage in stages if isinstance(stage, Simple)]
    programs = {_beginning(word) for stage in simple for word in stage.words[:1]}
    shown = any(_is_seen(each) for each in simple[-1:]) and programs & {"echo", "cat", "seq"}
    return bool(programs) and programs <= _COMPUTING and not shown


def _is_seen(stage: Simple) -> bool:
    return not any(">" in redirect.operator for redirect in stage.redirects)


def _writes(stage: Simple) -> bool:
    texts = [_beginning(word) for word in stage.words]
    appends = any(redirect.operator in (">>", "&>>") for redirect in stage.redirects)
    return (
        appends
        or texts[:1] in (["fallocate"], ["mktemp"], ["touch"], ["mkdir"])
        or any(text.startswith("of=") for text in texts)
    )


def _beginning(word: WordNode | Assignment) -> str:
    """What a word surely begins with."""
    if not isinstance(word, WordNode):
        return ""
    if not word.parts:
        return word.plain or ""
    first = word.parts[0]
    return first.text if isinstance(first, Literal) else ""


def _only_background(body: Sequence) -> bool:
    """Whether nothing in it waits for what it starts."""
    if len(body.items) == 1 and not body.items[0].background and not body.items[0].rest:
        stage = body.items[0].first.stages[-1]
        if not isinstance(stage, Compound) or stage.kind not in ("group", "subshell"):
            return False
        return stage.body is not None and _only_background(stage.body)
    return bool(body.items) and all(item.background for item in body.items)


def _never_ends(node: Compound, feed: Feed) -> bool:
    if node.kind == "loop":
        text = "".join(part.text for part in node.parts if isinstance(part, Literal))
        middle = text.split(";")[1:2]
        return len(node.parts) <= 1 and middle in ([""], [" "], ["1"], ["true"])
    condition = _only_command(node.condition)
    if node.kind == "until":
        return condition == ["false"]
    if condition[:1] == ["read"]:
        return _repeats(feed.text)
    return condition in (["true"], [":"], ["[", "1", "]"], ["test", "1"], ["((1))"])


def _repeats(text: Scalar | None) -> bool:
    """Whether the input is that of `yes`, which stands for a line without end as three of it."""
    if not isinstance(text, str):
        return isinstance(text, Partial) and any(part.program == "yes" for part in text.unknown.parts())
    lines = text.splitlines()
    return len(lines) == 3 and len(set(lines)) == 1


def _only_command(sequence: Sequence | None) -> list[str]:
    """The words of a condition that is one plain command."""
    if sequence is None or len(sequence.items) != 1 or sequence.items[0].rest:
        return []
    stages = sequence.items[0].first.stages
    stage = stages[0]
    if len(stages) != 1 or sequence.items[0].first.negated:
        return []
    if isinstance(stage, Simple):
        return [word.plain or "" for word in stage.words if isinstance(word, WordNode)]
    text = "".join(part.text for part in stage.parts if isinstance(part, Literal)).strip()
    return ["((1))"] if stage.kind == "arithmetic" and text.isdigit() and text != "0" else []
