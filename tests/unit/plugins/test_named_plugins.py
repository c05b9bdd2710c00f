"""`plugins.yaml`, entries that name plugins, and who may not."""

import pytest

from fairlead import entry_points
from fairlead.assembly import BUILTINS, build, hooks_of_policy, policy_for
from fairlead.dialects.payloads.caller_detection import dialect_for
from fairlead.doors.hook.call import answer
from fairlead.doors.hook.hook_call import HookCall
from fairlead.doors.hook.systems import Systems
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.verdict import Verdict
from fairlead.packs.judging.guard_settings import read_settings
from fairlead.packs.judging.pack_table import is_rule, load_pack
from fairlead.packs.judging.placed import UNPLACED
from fairlead.policy.layering.review import what_would_run
from fairlead.policy.named_plugins import named_plugins, problems_in
from fairlead.policy.places import find_places
from fairlead.testing import bash, shell_event
from tests.plugin_kit import plugins

__all__ = ["plugins"]

PAYLOAD = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git status"}}'


@pytest.fixture
def places(tmp_path):
    return find_places(str(tmp_path / "home"))


def write_policy(places, text):
    from pathlib import Path

    folder = Path(places.config) / "hooks" / "mine"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hook.meta.yaml").write_text(text)


def policy_of(places, *entries):
    write_policy(places, "event: PreToolUse\nmiddleware:\n" + "".join(f"  - {entry}\n" for entry in entries))
    return policy_for(places, "", "claude")


def no_metadata(**_):
    raise AssertionError("somebody looked for plugins")


# the hot path


def test_law_14_neither_a_first_nor_a_later_call_looks_for_plugins(places, monkeypatch):
    monkeypatch.setattr(entry_points, "distributions", no_metadata)
    policy_of(places, "{id: approve-safe-operations}", "{id: log-operations, config: {log_file: /dev/null}}")
    systems = Systems(places)
    for number in range(3):
        call = HookCall("claude", PAYLOAD, "PreToolUse", "/", request=f"{number:032}")
        assert answer(call, systems).reply.exit_code == 0
    systems.close()


def test_building_a_policy_that_names_a_plugin_does_not_look_for_it(places, monkeypatch):
    monkeypatch.setattr(entry_points, "distributions", no_metadata)
    policy = policy_of(places, "{id: hours, type: safety, plugin: acme-hours}")
    assert policy.problems == ()
    assert "hours" in [hook.id for hook in hooks_of_policy(policy, UNPLACED)]


# entries


def verdict_of(places, *entries, command="git status"):
    system = build(policy_of(places, *entries))
    return system.fire(shell_event(command))


def test_a_guard_of_a_plugin_has_a_say(places, plugins):
    verdict = verdict_of(places, "{id: hours, type: safety, plugin: acme-hours, config: {tools: [Bash]}}")
    assert (verdict.decision, verdict.rule, verdict.breakdown) == (Decision.BLOCK, "acme/hours", None)


def test_law_2_a_guard_that_cannot_be_imported_blocks(places, plugins):
    verdict = verdict_of(places, "{id: odd, type: safety, plugin: acme-broken}")
    assert verdict.decision is Decision.BLOCK
    assert "acme_has_no_such_module" in verdict.reason


def test_law_2_an_executor_that_raises_or_gives_rubbish_is_a_failure_of_its_hook(places, plugins, tmp_path):
    (tmp_path / "site" / "acme_fairlead" / "executor.py").write_text(
        "class TextExecutor:\n    def run(self, *given):\n        return 7\n"
    )
    target = tmp_path / "x.txt"
    target.write_text("")
    verdict = verdict_of(places, f"{{id: odd, type: safety, executor: acme-text, path: {target}}}")
    assert verdict.decision is Decision.BLOCK
    assert "it gave no Capture but a int" in verdict.reason


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{id: a, type: safety, plugin: b, url: 'https://x.example'}", "not two of them"),
        ("{id: a, type: safety, plugin: b, path: /bin/true}", "not two of them"),
        ("{id: a, type: safety, executor: b}", "'executor' needs a 'path'"),
        (
            "{id: protect-sensitive-files, config: {packs: {plugins: [b]}}}",
            "this guard asks no packs of plugins",
        ),
    ],
)
def test_an_entry_that_makes_no_sense_is_an_error(places, entry, words):
    policy = policy_of(places, entry)
    assert any(words in problem.message for problem in policy.errors)


def test_a_plugin_may_stand_in_the_place_of_a_built_in_of_the_users_own(places, plugins):
    policy = policy_of(places, "{id: block-dangerous-commands, plugin: acme-hours, config: {tools: []}}")
    entry = next(one for one in policy.entries if one.id == "block-dangerous-commands")
    assert (entry.plugin, entry.builtin, policy.errors) == ("acme-hours", "", ())


def test_packs_of_plugins_come_after_ours_and_judge_no_files(plugins):
    settings = read_settings({"packs": {"plugins": ["acme-deploys", "acme-deploys"], "disable": ["ci"]}})
    assert settings.dangers[-1] == "plugin:acme-deploys"
    assert settings.dangers.count("plugin:acme-deploys") == 1
    assert "plugin:acme-deploys" not in settings.guarding


def test_an_exception_can_be_made_from_a_rule_of_a_plugin(plugins):
    load_pack.cache_clear()
    assert is_rule("acme-deploys/release-notes")
    assert is_rule("git/discard-work") == ("git/discard-work" in [rule.id for rule in load_pack("git").rules])
    for unknown in ("acme-deploys/other", "acme-broken/x", "nobody/x", "git/nothing", ""):
        assert not is_rule(unknown)


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / ".fairlead" / "hooks" / "mine"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(
        "event: PreToolUse\nmiddleware:\n"
        "  - {id: hours, type: safety, plugin: acme-hours}\n"
        "  - {id: block-dangerous-commands, config: {packs: {plugins: [acme-deploys]}}}\n"
        "  - {id: protect-sensitive-files}\n"
    )
    return str(tmp_path)


def test_a_person_who_is_asked_for_trust_reads_which_plugins_would_run(project):
    needed = [entry.plugins for entry in what_would_run(project, BUILTINS).code]
    assert needed == [[("middleware", "acme-hours")], [("packs", "acme-deploys")]]


def test_law_9_an_untrusted_projects_entries_that_need_plugins_are_left_out(places, project, monkeypatch):
    monkeypatch.setattr(entry_points, "distributions", no_metadata)
    policy = policy_for(places, project, "claude")
    added = [entry.id for entry in policy.entries if entry.layer == "project"]
    assert added == ["project/protect-sensitive-files"]
    assert sum("would run a plugin" in problem.message for problem in policy.problems) == 2


# dialects


def test_plugins_yaml_names_dialects_and_says_what_is_wrong_with_it(tmp_path):
    file = tmp_path / "plugins.yaml"
    assert (named_plugins([str(tmp_path)], "dialects"), list(problems_in([str(tmp_path)]))) == (set(), [])
    file.write_text("dialects: [acme, 7]\ndialect: x\n")
    assert named_plugins([str(tmp_path), str(tmp_path / "none")], "dialects") == {"acme"}
    assert len(list(problems_in([str(tmp_path)]))) == 2
    for text in ("[", "acme", "dialects: acme"):
        file.write_text(text)
        assert named_plugins([str(tmp_path)], "dialects") == set()
        assert list(problems_in([str(tmp_path)]))


def speaking(tmp_path, name="acme"):
    (tmp_path / "plugins.yaml").write_text(f"dialects: [{name}]\n")
    return dialect_for(name, b"{}", {}, roots=[str(tmp_path)])


def test_a_dialect_that_is_not_named_is_not_used(tmp_path, plugins):
    assert dialect_for("acme", b"{}", {}, roots=[str(tmp_path)]).name == "generic"
    assert speaking(tmp_path).name == "acme"


def test_no_plugin_speaks_for_an_agent_of_ours(tmp_path):
    assert type(speaking(tmp_path, "claude")).__name__ != "ThirdPartyDialect"


REFUSED = Verdict(Decision.BLOCK, reason="because")


@pytest.mark.parametrize("body", ["raise KeyError('x')", "return None", "return b'{}'"])
def test_law_2_a_dialect_that_breaks_while_it_answers_refuses_by_exit_code(tmp_path, plugins, body):
    (plugins / "acme_fairlead" / "dialect.py").write_text(
        "class Odd:\n    name = 'acme'\n"
        "    def decode(self, raw, *, native_event, environment): raise KeyError('y')\n"
        f"    def render(self, event, verdict): {body}\n"
        f"    def last_resort(self, native): {body}\n"
        "DIALECT = Odd()\n"
    )
    dialect = speaking(tmp_path)
    event = Event(EventName.BEFORE_TOOL, "PreToolUse", tool=bash("x"))
    reply = dialect.render(event, REFUSED)
    assert (reply.exit_code, b"because" in reply.stderr) == (2, True)
    assert "could not answer" in reply.degraded[-1]
    for native in ("PreToolUse", "before"):
        assert dialect.last_resort(native).exit_code == 2
    from fairlead.errors import PayloadError

    with pytest.raises(PayloadError, match="KeyError: 'y'"):
        dialect.decode(b"{}", native_event="PreToolUse", environment={})


def test_law_2_what_the_dialect_of_a_plugin_cannot_read_is_refused_at_an_event_of_its_own(places, plugins):
    import json
    import os

    os.makedirs(places.config)
    with open(os.path.join(places.config, "plugins.yaml"), "w") as file:
        file.write("dialects: [acme]")
    systems = Systems(places)
    reply = answer(HookCall("acme", b"rubbish", "before", "/", request="0" * 32), systems).reply
    systems.close()
    assert json.loads(reply.stdout)["acme"] == "no"
