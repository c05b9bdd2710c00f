from __future__ import annotations

import textwrap

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event_name import GATING, EventName
from fairlead.model.hook import Header, HookType
from fairlead.policy.reading.load import LoadedFile, load_file


def load(text: str) -> LoadedFile:
    return load_file(textwrap.dedent(text).encode(), "hook.meta.yaml", layer="user")


def texts(file: LoadedFile) -> list[str]:
    return [str(problem) for problem in file.problems]


WHOLE = """\
    id: one
    event: PreToolUse
    middleware:
      - id: guard
        type: safety
"""


def with_line(line: str) -> LoadedFile:
    return load(WHOLE + f"        {line}\n")


def test_every_key_of_an_entry_is_read() -> None:
    file = load("""\
        event: PreToolUse
        execution: parallel
        middleware:
          - id: guard
            path: guards/guard.py
            type: authorization
            enabled: false
            config: {words: [a, 1, true, null]}
            matcher: Bash
            priority: 7
            before: other
            after: [third, fourth]
            timeout: 2.5
            on_error: ask
            protocol: claude
            locked: true
    """)
    assert file.problems == ()
    (entry,) = file.entries
    assert (entry.id, entry.type, entry.event) == ("guard", HookType.AUTHORIZATION, EventName.BEFORE_TOOL)
    assert (entry.path, entry.enabled, entry.matcher, entry.priority) == ("guards/guard.py", False, "Bash", 7)
    assert entry.config == {"words": ["a", 1, True, None]}
    assert (entry.before, entry.after, entry.timeout) == (("other",), ("third", "fourth"), 2.5)
    assert (entry.on_error, entry.protocol, entry.locked) == (Decision.ASK, "claude", True)
    assert (entry.execution, entry.origin) == ("parallel", "hook.meta.yaml:4")


def test_an_unknown_key_is_named_with_line_and_column_and_the_nearest_word() -> None:
    file = with_line("tiemout: 5")
    assert texts(file) == ["hook.meta.yaml:6:5: unknown key 'tiemout'\n  hint: did you mean 'timeout'?"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("timeout: soon", "hook.meta.yaml:6:14: 'timeout' must be a number, not 'soon'"),
        ("timeout: 0", "hook.meta.yaml:6:14: 'timeout' must be above 0 and at most 3600 seconds"),
        ("timeout: .nan", "hook.meta.yaml:6:14: 'timeout' must be above 0 and at most 3600 seconds"),
        ("timeout: true", "hook.meta.yaml:6:14: 'timeout' must be a number, not true"),
        ("enabled: maybe", "hook.meta.yaml:6:14: 'enabled' must be true or false, not 'maybe'"),
        ("on_error: blok", "hook.meta.yaml:6:15: 'on_error' cannot be 'blok'"),
        ("protocol: smoke", "hook.meta.yaml:6:15: 'protocol' cannot be 'smoke'"),
        ("priority: 1.5", "hook.meta.yaml:6:15: 'priority' must be a whole number, not 1.5"),
        ("before: [a, [b]]", "hook.meta.yaml:6:17: 'before' takes ids of hooks"),
        ("matcher: /(/", "hook.meta.yaml:6:14: /(/ is not a regular expression"),
        ("matcher: {tol: Bash}", "hook.meta.yaml:6:14: a matcher has no key 'tol'"),
        ("type: safety", "hook.meta.yaml:6:5: key 'type' appears twice\n  hint: the first is on line 5"),
        ("config: {a: {b: 1, b: 2}}", "hook.meta.yaml:6:24: key 'b' appears twice"),
        ("config: {a: !!python/name:os.system x}", "the tag tag:yaml.org,2002:python/name:os.system is not"),
        ("config: 5", "hook.meta.yaml:6:13: 'config' must be a mapping, not 5"),
        ("path: ''", "hook.meta.yaml:6:11: 'path' is empty"),
        ("url: http://guard.example/", "hook.meta.yaml:6:10: 'url' must be https, or http on this machine"),
        ("<<: {a: 1}", "hook.meta.yaml:6:5: unknown key '<<'\n  hint: merge keys are not read"),
    ],
)
def test_a_bad_value_breaks_its_entry_and_says_where(line: str, message: str) -> None:
    file = with_line(line)
    assert len(file.problems) == 1
    assert message in texts(file)[0]
    (entry,) = file.entries
    assert entry.id == "guard"
    assert entry.broken is not None
    assert "hook.meta.yaml:6:" in entry.broken.message
    assert "fairlead off" in entry.broken.message
    assert entry.on_error is Decision.BLOCK


def test_all_problems_of_a_file_come_at_once_in_the_order_of_lines() -> None:
    file = load("""\
        event: PreToolUse
        sumary: hello
        middleware:
          - id: a
            type: saftey
          - id: b
            type: safety
            timeout: x
            priorty: 3
    """)
    assert texts(file) == [
        "hook.meta.yaml:2:1: unknown key 'sumary'\n  hint: did you mean 'summary'?",
        "hook.meta.yaml:5:11: 'type' cannot be 'saftey'\n  hint: did you mean 'safety'?",
        "hook.meta.yaml:8:14: 'timeout' must be a number, not 'x'\n  hint: for example timeout: 30",
        "hook.meta.yaml:9:5: unknown key 'priorty'\n  hint: did you mean 'priority'?",
    ]


def test_law_2_a_broken_entry_never_disables_its_neighbours() -> None:
    file = load("""\
        event: PreToolUse
        middleware:
          - id: first
            type: safety
          - just some words
          - id: third
            type: safety
            tiemout: 4
            matcher: Bash
            on_error: ask
          - id: fourth
            type: validation
    """)
    by_id = {entry.id: entry for entry in file.entries}
    assert list(by_id) == ["first", "entry-2", "third", "fourth"]
    assert by_id["first"].broken is None
    assert by_id["fourth"].broken is None
    assert by_id["entry-2"].broken is not None
    assert by_id["third"].broken is not None
    assert (by_id["third"].matcher, by_id["third"].on_error) == ("Bash", Decision.ASK)


def test_law_2_an_unreadable_on_error_counts_as_block() -> None:
    (entry,) = with_line("on_error: [allow]").entries
    assert entry.broken is not None
    assert entry.on_error is Decision.BLOCK


def test_law_2_a_broken_observer_is_dropped_and_reported() -> None:
    file = load("""\
        event: PreToolUse
        middleware:
          - id: watch
            type: observability
            tiemout: 4
          - id: guard
            type: safety
    """)
    assert [entry.id for entry in file.entries] == ["guard"]
    assert len(file.problems) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "hook.meta.yaml:1:1: the file is empty"),
        (b"# only a comment\n", "hook.meta.yaml:1:1: the file is empty"),
        (b"event: [", "hook.meta.yaml:2:1: this is not YAML: did not find expected node content"),
        (b"event: PreToolUse\n\tmiddleware: []\n", "hook.meta.yaml:2:1: this is not YAML"),
        (b"a: 1\n---\nb: 2\n", "this is not YAML: but found another document"),
        (b"event: \xff\xfe", "hook.meta.yaml:1:8: the file is not UTF-8"),
        (b"- a\n- b\n", "hook.meta.yaml:1:1: a policy is a mapping"),
        (b"just words", "hook.meta.yaml:1:1: a policy is a mapping"),
        (b"a: \x00", "this is not YAML"),
        (b"#" * 300_000, "the file is larger than 256 KiB"),
        (b"a: " + b"[" * 100_000, "the document is too deeply nested"),
        (b"a: [" + b"1, " * 50_000 + b"]", "the document is too long"),
        (b"a: &a [*a]", "aliases make this document too large"),
        (b"*nobody", "this is not YAML: found undefined alias"),
    ],
)
def test_law_2_a_file_that_cannot_be_parsed_blocks_every_gating_event(content: bytes, message: str) -> None:
    file = load_file(content, "hook.meta.yaml", layer="user")
    assert message in texts(file)[0]
    assert {entry.event for entry in file.entries} == GATING
    for entry in file.entries:
        assert entry.broken is not None
        assert entry.on_error is Decision.BLOCK
        assert "hook.meta.yaml" in entry.broken.message
        assert "Mend the file" in entry.broken.message
        assert "fairlead off" in entry.broken.message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("matcher: *.env\n", "put text that begins with * or & in quotes"),
        ("a: 1\n\tb: 2\n", "indent with spaces"),
        ("summary: mind: the gap\n", "put text that holds a colon and a space in quotes"),
        ("a: [1\n", "a bracket is not closed, or a comma is missing"),
        ("a: 'x\n", "a quote or a bracket is not closed"),
        ("a:\n  - b: 1\n   c: 2\n", "is the line indented like its neighbours?"),
    ],
)
def test_a_parsers_words_come_with_what_usually_lies_behind_them(text: str, hint: str) -> None:
    assert load(text).problems[0].hint == hint


def test_a_bomb_of_aliases_is_bounded() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    file = load_file("\n".join(lines).encode(), "hook.meta.yaml", layer="user")
    assert "aliases make this document too large" in texts(file)[0]


def test_an_unknown_event_blocks_every_gating_event_and_names_the_nearest() -> None:
    file = load("event: PreToolUs\nmiddleware:\n  - {id: guard, type: safety}\n")
    assert texts(file) == [
        "hook.meta.yaml:1:8: unknown event 'PreToolUs'\n  hint: did you mean 'PreToolUse'?"
    ]
    assert {entry.event for entry in file.entries} == GATING
    assert all(entry.broken for entry in file.entries)


def test_a_missing_event_is_an_error() -> None:
    file = load("id: one\nmiddleware: []\n")
    assert texts(file) == ["hook.meta.yaml:1:1: missing key 'event'\n  hint: add event: PreToolUse"]
    assert {entry.event for entry in file.entries} == GATING


def test_a_file_of_observers_with_a_bad_key_blocks_nothing() -> None:
    file = load("event: Stop\nsumary: x\nmiddleware:\n  - {id: watch, type: observability}\n")
    assert len(file.problems) == 1
    assert [entry.id for entry in file.entries] == ["watch"]


def test_an_unreadable_default_decision_blocks_the_event_of_its_file() -> None:
    file = load("event: PreToolUse\ndefault_decision: blok\nmiddleware:\n  - {id: g, type: safety}\n")
    assert texts(file) == [
        "hook.meta.yaml:2:19: 'default_decision' cannot be 'blok'\n  hint: did you mean 'block'?"
    ]
    guard = file.entries[-1]
    assert (guard.event, guard.on_error) == (EventName.BEFORE_TOOL, Decision.BLOCK)
    assert guard.broken is not None


def test_events_are_known_in_every_agents_spelling() -> None:
    for name in ("PreToolUse", "BeforeTool", "pre-tool-use", "beforeShellExecution", "tool.execute.before"):
        assert load(f"event: {name}\n").event is EventName.BEFORE_TOOL


@pytest.mark.parametrize("word", ["../x", "project/x", "a b", "", "x" * 101, "-x"])
def test_an_id_is_a_plain_word(word: str) -> None:
    file = load(f"event: PreToolUse\nmiddleware:\n  - {{id: '{word}', type: safety}}\n")
    assert "cannot be an id" in texts(file)[0]
    assert file.entries[0].id == "entry-1"


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("https://guard.example/x", True),
        ("http://localhost:8080/x", True),
        ("http://127.0.0.1/", True),
        ("http://[::1]:99/", True),
        ("http://localhost@evil.example/", False),
        ("http://localhost.evil.example/", False),
        ("http://evil.example\\@localhost/", False),
        ("https://user:word@guard.example/", False),
        ("https://", False),
        ("file:///etc/passwd", False),
        ("https://a b/", False),
    ],
)
def test_an_address_is_https_or_on_this_machine(url: str, good: bool) -> None:
    assert (not with_line(f"url: '{url}'").problems) is good


def test_providers_are_checked_like_everything_else() -> None:
    file = load("""\
        event: PreToolUse
        providers:
          cluade: {timeout: 5}
          claude: {timout: 5}
          codex: 7
    """)
    assert texts(file) == [
        "hook.meta.yaml:3:3: no agent is known as 'cluade'\n  hint: did you mean 'claude'?",
        "hook.meta.yaml:4:12: unknown key 'timout'\n  hint: did you mean 'timeout'?",
        "hook.meta.yaml:5:10: section 'codex' must be a mapping\n  hint: for example {timeout: 60}",
    ]
    assert [problem.severity for problem in file.problems] == ["warning", "error", "error"]


def test_a_version_that_is_not_known_is_an_error() -> None:
    assert texts(load("event: Stop\nversion: 2\n"))[0].startswith(
        "hook.meta.yaml:2:10: version 2 is not known here"
    )


def test_headers_are_texts_or_say_where_the_secret_comes_from() -> None:
    loaded = load("""\
        id: one
        event: PreToolUse
        middleware:
          - id: guard
            type: safety
            url: https://guard.example/hook
            headers:
              X-Team: platform
              Authorization: {text: 'Bearer ', env: GUARD_TOKEN}
              X-Key: {file: ~/key}
    """)
    assert not loaded.problems
    assert loaded.entries[0].headers == (
        Header("X-Team", "platform"),
        Header("Authorization", "Bearer ", variable="GUARD_TOKEN"),
        Header("X-Key", file="~/key"),
    )


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ("{Host: x}", "cannot be a header of yours"),
        ("{'a b': x}", "cannot be a header of yours"),
        ("{X-Key: [a]}", "must be text or a mapping"),
        ("{X-Key: {evn: A}}", "did you mean 'env'?"),
        ("{X-Key: {text: a}}", "from one place"),
        ("{X-Key: {env: A, file: b}}", "from one place"),
    ],
)
def test_a_header_that_makes_no_sense_breaks_its_entry(headers: str, said: str) -> None:
    loaded = load(f"""\
        id: one
        event: PreToolUse
        middleware:
          - {{id: guard, type: safety, url: "https://guard.example", headers: {headers}}}
    """)
    assert said in "\n".join(texts(loaded))
    assert loaded.entries[0].broken
