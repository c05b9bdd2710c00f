from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event_name import GATING, EventName
from fairlead.model.hook import HookType
from fairlead.policy.layering.trust import Trust, trust
from fairlead.policy.places import Places
from fairlead.policy.policy import Policy, load_policy
from fairlead.policy.reading.entry import Entry

DATA = Path(__file__).parents[2] / "data" / "seed"
Write = Callable[..., str]
Load = Callable[..., Policy]


def entry(policy: Policy, id_: str, event: EventName = EventName.BEFORE_TOOL) -> Entry:
    (found,) = (entry for entry in policy.entries if (entry.id, entry.event) == (id_, event))
    return found


def ids(policy: Policy, event: EventName = EventName.BEFORE_TOOL) -> list[str]:
    return [entry.id for entry in policy.entries if entry.event is event]


ONE = """\
    event: PreToolUse
    middleware:
      - id: {id}
"""


def test_without_files_the_built_in_guards_are_on_and_observers_off(load: Load) -> None:
    policy = load()
    on = [entry.id for entry in policy.entries if entry.enabled and entry.event is EventName.BEFORE_TOOL]
    assert on == ["validate-tool-inputs", "block-dangerous-commands", "protect-sensitive-files"]
    assert not [entry for entry in policy.entries if entry.enabled and entry.observes]
    assert (policy.hash, policy.problems, policy.default_decisions) == ("builtin", (), {})


def test_law_2_a_built_in_guard_that_is_not_installed_blocks(places: Places, root: str) -> None:
    policy = load_policy(places, root, builtin_names=["validate-tool-inputs"])
    broken = entry(policy, "block-dangerous-commands")
    assert broken.broken is not None
    assert "no built-in 'block-dangerous-commands'" in broken.broken.message


def test_the_seeds_example_file_loads_unchanged(places: Places, root: str, load: Load) -> None:
    policy = load(extra=[str(DATA)])
    assert policy.errors == ()
    guard = entry(policy, "block-dangerous-commands")
    assert guard.config == {"dangerous_patterns": ["rm -rf", "sudo rm", "dd if="]}
    assert (guard.builtin, guard.layer, guard.timeout) == ("block-dangerous-commands", "extra", 30.0)
    assert entry(policy, "emit-metrics").config == {"statsd_host": "localhost", "statsd_port": 8125}
    assert entry(policy, "log-operations").enabled
    assert policy.default_decisions == {EventName.BEFORE_TOOL: Decision.ALLOW}
    assert all("the built-in" in problem.message for problem in policy.problems)
    assert len(policy.problems) == 4


@pytest.mark.parametrize(
    ("agent", "timeout", "enabled"),
    [("claude", 60.0, True), ("claude-code", 60.0, True), ("codex", 30.0, False), ("gemini", 30.0, True)],
)
def test_providers_change_an_agent_and_a_vendor_covers_its_agents(
    load: Load, agent: str, timeout: float, enabled: bool
) -> None:
    guard = entry(load(extra=[str(DATA)], agent=agent), "block-dangerous-commands")
    assert (guard.timeout, guard.enabled) == (timeout, enabled)


def test_an_agents_own_section_beats_its_vendors(places: Places, write: Write, load: Load) -> None:
    text = ONE.format(id="block-dangerous-commands")
    text += "    providers: {claude: {timeout: 5}, anthropic: {timeout: 9, enabled: false}}\n"
    write(places.config, text)
    guard = entry(load(agent="claude"), "block-dangerous-commands")
    assert (guard.timeout, guard.enabled) == (5.0, False)


def test_a_stronger_layer_overrides_field_by_field(places: Places, write: Write, load: Load) -> None:
    write(
        places.system, ONE.format(id="block-dangerous-commands") + "        timeout: 5\n        priority: 3\n"
    )
    path = write(places.config, ONE.format(id="block-dangerous-commands") + "        timeout: 7\n")
    policy = load()
    guard = entry(policy, "block-dangerous-commands")
    assert (guard.timeout, guard.priority, guard.type) == (7.0, 3, HookType.SAFETY)
    assert (guard.layer, guard.origin) == ("user", f"{path}:3")
    assert ids(policy)[:3] == ["validate-tool-inputs", "block-dangerous-commands", "protect-sensitive-files"]
    assert policy.problems == ()


def test_a_built_in_that_is_off_is_on_for_whoever_names_it(places: Places, write: Write, load: Load) -> None:
    write(places.config, ONE.format(id="log-operations") + "        config: {log_file: x}\n")
    assert entry(load(), "log-operations").enabled
    assert not entry(load(), "emit-metrics").enabled
    write(places.config, ONE.format(id="log-operations") + "        enabled: false\n")
    assert not entry(load(), "log-operations").enabled


def test_what_a_user_turned_off_stays_off_when_a_project_names_it(
    places: Places, root: str, write: Write, load: Load
) -> None:
    write(places.config, ONE.format(id="block-dangerous-commands") + "        enabled: false\n")
    write(f"{root}/.fairlead", ONE.format(id="block-dangerous-commands") + "        timeout: 3\n")
    trust(places, root)
    guard = entry(load(), "block-dangerous-commands")
    assert (guard.enabled, guard.timeout) == (False, 3.0)


def test_an_override_needs_neither_type_nor_path(places: Places, write: Write, load: Load) -> None:
    write(places.system, ONE.format(id="corp") + "        type: safety\n        path: corp.py\n")
    write(places.system, "def process(*a): ...", file="corp.py")
    write(places.config, ONE.format(id="corp") + "        enabled: false\n")
    policy = load()
    guard = entry(policy, "corp")
    assert policy.problems == ()
    assert (guard.enabled, guard.runs) == (False, "python")
    assert guard.path == os.path.join(places.system, "hooks/one/corp.py")


def test_a_locked_entry_can_be_neither_changed_nor_disabled(
    places: Places, root: str, write: Write, load: Load
) -> None:
    origin = write(places.system, ONE.format(id="block-dangerous-commands") + "        locked: true\n")
    write(places.config, ONE.format(id="block-dangerous-commands") + "        enabled: false\n")
    write(f"{root}/.fairlead", ONE.format(id="block-dangerous-commands") + "        on_error: allow\n")
    trust(places, root)
    policy = load()
    guard = entry(policy, "block-dangerous-commands")
    assert (guard.enabled, guard.on_error, guard.layer) == (True, Decision.BLOCK, "system")
    assert [problem.message for problem in policy.problems] == [
        f"'block-dangerous-commands' is locked by {origin}:3; this entry changes nothing"
    ] * 2


def test_an_entry_without_path_names_a_built_in_or_is_broken(
    places: Places, write: Write, load: Load
) -> None:
    path = write(places.config, ONE.format(id="block-dangerous-comands") + "        type: safety\n")
    policy = load()
    assert [str(problem) for problem in policy.problems] == [
        f"{path}:3:5: no built-in is named 'block-dangerous-comands'; 'path' is missing\n"
        "  hint: did you mean 'block-dangerous-commands'?"
    ]
    assert entry(policy, "block-dangerous-comands").broken is not None
    assert entry(policy, "block-dangerous-commands").broken is None


def test_a_new_entry_must_say_its_type_unless_it_is_a_built_in(
    places: Places, write: Write, load: Load
) -> None:
    write(places.config, "event: ConfigChange\nmiddleware:\n  - id: protect-sensitive-files\n")
    write(places.config, ONE.format(id="own") + "        path: own.py\n", "two")
    write(places.config, "", "two", file="own.py")
    policy = load()
    assert entry(policy, "protect-sensitive-files", EventName.CONFIG_CHANGE).type is HookType.SAFETY
    assert [problem.message for problem in policy.problems] == ["missing key 'type'"]
    assert entry(policy, "own").broken is not None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("path: nowhere.py", "nowhere.py cannot be used: No such file or directory"),
        ("path: .", "is not a file"),
        ("path: plain.sh", "plain.sh is not executable"),
    ],
)
def test_law_2_a_guard_whose_file_is_missing_stays_and_says_so(
    places: Places, write: Write, load: Load, line: str, message: str
) -> None:
    write(places.config, ONE.format(id="own") + f"        type: safety\n        {line}\n")
    write(places.config, "exit 0", file="plain.sh")
    policy = load()
    broken = entry(policy, "own").broken
    assert broken is not None
    assert message in broken.message
    assert message in policy.problems[0].message


def test_what_an_entry_runs_depends_on_its_path_protocol_and_url(
    places: Places, write: Write, load: Load
) -> None:
    lines = ["path: a.py", "path: a.py\n        protocol: claude", "path: a.sh", "url: https://a.example"]
    for number, line in enumerate(lines):
        text = ONE.format(id=f"e{number}") + f"        type: safety\n        {line}\n"
        write(places.config, text, f"f{number}")
        for file in ("a.py", "a.sh"):
            os.chmod(write(places.config, "", f"f{number}", file=file), 0o755)
    policy = load()
    assert [entry(policy, f"e{n}").runs for n in range(4)] == ["python", "command", "command", "http"]
    assert policy.problems == ()


def test_the_same_id_twice_in_a_layer_is_an_error_and_the_first_stays_whole(
    places: Places, write: Write, load: Load
) -> None:
    first = write(places.config, ONE.format(id="block-dangerous-commands"), "a")
    second = write(places.config, ONE.format(id="block-dangerous-commands"), "b")
    policy = load()
    assert [str(problem) for problem in policy.problems] == [
        f"{second}:3:5: two hooks are named 'block-dangerous-commands'\n"
        f"  hint: rename one; the other is at {first}:3"
    ]
    assert entry(policy, "block-dangerous-commands").broken is None
    assert entry(policy, "block-dangerous-commands#2").broken is not None


def test_a_broken_override_of_an_observer_leaves_it_alone(places: Places, write: Write, load: Load) -> None:
    write(places.config, ONE.format(id="log-operations") + "        enabeld: true\n")
    policy = load()
    assert len(policy.problems) == 1
    assert (entry(policy, "log-operations").broken, entry(policy, "log-operations").enabled) == (None, False)


def test_a_name_in_before_that_nobody_has_is_reported(places: Places, write: Write, load: Load) -> None:
    write(places.config, ONE.format(id="protect-sensitive-files") + "        before: validate-tool-input\n")
    (problem,) = load().problems
    assert "'before' names 'validate-tool-input'" in problem.message
    assert problem.hint == "did you mean 'validate-tool-inputs'?"


def test_among_files_of_a_layer_the_strictest_default_decision_holds_and_stronger_layers_win(
    places: Places, root: str, write: Write, load: Load
) -> None:
    for name, word in (("a", "ask"), ("b", "block"), ("c", "allow")):
        write(places.system, f"event: PreToolUse\ndefault_decision: {word}\n", name)
    assert load().default_decisions == {EventName.BEFORE_TOOL: Decision.BLOCK}
    write(places.config, "event: PreToolUse\ndefault_decision: ask\nproviders: {gemini: {enabled: false}}\n")
    assert load().default_decisions == {EventName.BEFORE_TOOL: Decision.ASK}
    assert load(agent="gemini").default_decisions == {EventName.BEFORE_TOOL: Decision.BLOCK}


def test_law_2_a_pipe_in_place_of_a_policy_file_blocks_and_does_not_hang(places: Places, load: Load) -> None:
    os.makedirs(f"{places.config}/hooks/one")
    os.mkfifo(f"{places.config}/hooks/one/hook.meta.yaml")
    policy = load()
    assert [e.event for e in policy.entries if e.broken] == sorted(GATING)
    assert "not a regular file" in policy.problems[0].message


def test_law_2_a_folder_with_too_many_files_blocks(
    places: Places, write: Write, load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairlead.policy.find.MAX_ITEMS", 1)
    for name in ("a", "b", "c"):
        write(places.config, ONE.format(id="block-dangerous-commands"), name)
    assert [e.event for e in load().entries if e.broken] == sorted(GATING)


def test_law_2_a_policy_folder_that_was_asked_for_and_is_not_there_blocks(load: Load, tmp_path: Path) -> None:
    policy = load(extra=[str(tmp_path / "typo")])
    assert [e.event for e in policy.entries if e.broken] == sorted(GATING)
    assert "there is no folder" in policy.problems[0].message


def test_files_that_look_like_policies_but_are_not_read_are_reported(
    places: Places, write: Write, load: Load, tmp_path: Path
) -> None:
    write(places.config, ONE.format(id="x"), file="hook.meta.yml")
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", f"{places.config}/hooks/link")
    assert sorted(problem.message for problem in load().problems) == [
        "a link to a folder is not followed",
        "this file is not read",
    ]


# law 9


CODE = "        type: safety\n        path: guard.py\n"


def test_law_9_an_untrusted_projects_code_is_left_out_and_reported(
    root: str, write: Write, load: Load
) -> None:
    path = write(f"{root}/.fairlead", ONE.format(id="own") + CODE)
    write(f"{root}/.fairlead", "import os", file="guard.py")
    policy = load()
    assert "own" not in " ".join(ids(policy))
    assert [str(problem) for problem in policy.problems] == [
        f"{path}:3:5: 'own' would run code, and this project is not trusted: it is left out\n"
        "  hint: read it, then run `fairlead trust`"
    ]
    assert not [e for e in policy.entries if e.broken]


def test_law_9_untrusted_entries_are_additions_that_merge_with_nothing(
    root: str, write: Write, load: Load
) -> None:
    before = {e.id: e for e in load().entries if e.event is EventName.BEFORE_TOOL}
    write(
        f"{root}/.fairlead",
        ONE.format(id="block-dangerous-commands")
        + """\
        type: observability
        enabled: true
        on_error: allow
        locked: true
        before: validate-tool-inputs
        path: guard.py
        config: {dangerous_patterns: [make]}
      - id: protect-sensitive-files
        enabled: false
    providers: {claude: {enabled: false}}
    default_decision: block
""",
    )
    policy = load(agent="claude")
    for id_, old in before.items():
        assert entry(policy, id_) == old
    added = entry(policy, "project/block-dangerous-commands")
    assert (added.trusted, added.locked, added.before, added.path) == (False, False, (), "")
    assert (added.type, added.builtin, added.enabled) == (HookType.SAFETY, "block-dangerous-commands", True)
    assert added.config == {"dangerous_patterns": ["make"]}
    assert policy.default_decisions == {}


@pytest.mark.parametrize("text", ["event: [", "event: Nothing\n", "", "event: PreToolUse\nbad: 1\n"])
def test_law_9_an_untrusted_projects_broken_file_is_reported_and_ignored(
    root: str, write: Write, load: Load, text: str
) -> None:
    write(f"{root}/.fairlead", text)
    policy = load()
    assert not [e for e in policy.entries if e.broken]
    assert [problem.severity for problem in policy.problems] == ["warning"]


def test_law_9_an_untrusted_project_with_an_id_twice_locks_nobody_out(
    root: str, write: Write, load: Load
) -> None:
    for name in ("a", "b"):
        write(f"{root}/.fairlead", ONE.format(id="block-dangerous-commands"), name)
    policy = load()
    assert not [e for e in policy.entries if e.broken]
    assert [problem.severity for problem in policy.problems] == ["warning"]


def test_law_9_an_untrusted_project_turns_on_no_observer(root: str, write: Write, load: Load) -> None:
    text = ONE.format(id="log-operations") + "        config: {log_file: /tmp/stolen}\n"
    write(f"{root}/.fairlead", text)
    policy = load()
    assert "project/log-operations" not in ids(policy)
    assert "only records" in policy.problems[0].message


def test_law_9_a_trusted_projects_entries_merge_and_its_python_comes_from_the_pinned_bytes(
    places: Places, root: str, write: Write, load: Load
) -> None:
    text = ONE.format(id="own") + CODE + "      - id: protect-sensitive-files\n        enabled: false\n"
    write(f"{root}/.fairlead", text)
    write(f"{root}/.fairlead", "def process(*a): ...", file="guard.py")
    trust(places, root)
    policy = load()
    assert policy.problems == ()
    assert policy.trust is Trust.TRUSTED
    own = entry(policy, "own")
    assert (own.source, own.trusted, own.layer) == (b"def process(*a): ...", True, "project")
    assert not entry(policy, "protect-sensitive-files").enabled


@pytest.mark.parametrize("change", ["edit", "add", "remove", "mode", "all"])
def test_law_9_a_change_after_trust_takes_it_back_and_a_human_is_asked(
    places: Places, root: str, write: Write, load: Load, change: str
) -> None:
    write(f"{root}/.fairlead", ONE.format(id="own") + CODE)
    guard = write(f"{root}/.fairlead", "def process(*a): ...", file="guard.py")
    trust(places, root)
    if change == "edit":
        Path(guard).write_text("def process(*b): ...", encoding="utf-8")
    elif change == "add":
        write(f"{root}/.fairlead", "", file="new.py")
    elif change == "remove":
        os.unlink(guard)
    elif change == "mode":
        os.chmod(guard, stat.S_IMODE(os.stat(guard).st_mode) | 0o111)
    else:
        shutil.rmtree(f"{root}/.fairlead")
    policy = load()
    assert policy.trust is Trust.CHANGED
    assert "own" not in ids(policy)
    for event in GATING:
        asked = entry(policy, "project/trust", event)
        assert (asked.on_error, asked.trusted) == (Decision.ASK, False)
        assert asked.broken is not None
        assert "fairlead untrust" in asked.broken.message


@pytest.mark.parametrize("path", ["../../../outside.py", "link.py", "/etc/hostname"])
def test_law_9_a_trusted_project_runs_nothing_from_outside_its_folder(
    places: Places, root: str, write: Write, load: Load, path: str
) -> None:
    outside = os.path.join(root, "outside.py")
    Path(outside).write_text("evil", encoding="utf-8")
    write(f"{root}/.fairlead", ONE.format(id="own") + f"        type: safety\n        path: {path}\n")
    os.symlink(outside, f"{root}/.fairlead/hooks/one/link.py")
    trust(places, root)
    policy = load()
    broken = entry(policy, "own").broken
    assert broken is not None
    assert "leads out of" in broken.message


def test_law_9_a_policy_folder_that_is_a_link_is_ignored_and_reported(
    root: str, write: Write, load: Load, tmp_path: Path
) -> None:
    write(str(tmp_path / "elsewhere"), ONE.format(id="block-dangerous-commands"))
    os.symlink(tmp_path / "elsewhere", f"{root}/.fairlead")
    policy = load()
    assert "project/block-dangerous-commands" not in ids(policy)
    assert "is a link" in policy.problems[0].message


# law 11


@pytest.mark.usefixtures("settled")
def test_law_11_a_change_anywhere_is_seen_and_nothing_else(
    places: Places, root: str, write: Write, load: Load
) -> None:
    write(places.config, ONE.format(id="own") + CODE)
    guard = write(places.config, "1", file="guard.py")
    policy = load()
    assert not policy.changed()
    steps: list[Callable[[], object]] = [
        lambda: write(places.system, ONE.format(id="x")),
        lambda: write(places.config, ONE.format(id="y"), "two"),
        lambda: write(f"{root}/.fairlead", ONE.format(id="z")),
        lambda: os.unlink(guard),
        lambda: trust(places, root),
        lambda: shutil.rmtree(f"{places.config}/hooks/two"),
    ]
    for step in steps:
        step()
        assert policy.changed()
        policy = load()
        assert not policy.changed()


@pytest.mark.usefixtures("settled")
def test_law_11_the_same_size_and_mtime_do_not_hide_a_change(
    places: Places, write: Write, load: Load
) -> None:
    path = write(places.config, ONE.format(id="aaa"))
    policy = load()
    before = os.stat(path)
    write(places.config, ONE.format(id="bbb"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    while os.stat(path).st_ctime_ns == before.st_ctime_ns:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert policy.changed()


def test_law_11_what_was_written_a_moment_ago_is_read_again(places: Places, write: Write, load: Load) -> None:
    write(places.config, ONE.format(id="aaa"))
    assert load().changed()


def test_the_hash_names_the_content(places: Places, root: str, write: Write, load: Load) -> None:
    write(places.config, ONE.format(id="block-dangerous-commands"))
    first = load().hash
    assert load().hash == first
    write(places.config, ONE.format(id="protect-sensitive-files"))
    assert load().hash not in (first, "builtin")
