"""What no file of a weaker standing can do, whatever it says."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.policy.places import Places
from fairlead.policy.policy import Policy, load_policy
from fairlead.policy.reading.entry import Entry

BUILTINS = frozenset(
    {
        "validate-tool-inputs",
        "block-dangerous-commands",
        "protect-sensitive-files",
        "approve-safe-operations",
        "log-operations",
        "emit-metrics",
    }
)
unhurried = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)

ids = st.sampled_from([*sorted(BUILTINS), "own", "corp", "project/x", ""])
words = st.sampled_from(["allow", "ask", "block", "safety", "observability", "authorization", "Bash", "x"])
values = words | st.booleans() | st.integers(-5, 5) | st.none() | st.lists(words, max_size=2)
entries = st.dictionaries(
    st.sampled_from(
        [
            "type",
            "enabled",
            "path",
            "url",
            "matcher",
            "priority",
            "before",
            "after",
            "on_error",
            "locked",
            "config",
            "timeout",
            "tiemout",
        ]
    ),
    values | st.dictionaries(words, values, max_size=2),
    max_size=5,
)
files = st.fixed_dictionaries(
    {"event": st.sampled_from(["PreToolUse", "ToolPermission", "ConfigChange", "Stop", "Nothing"])},
    optional={
        "middleware": st.lists(st.builds(lambda id_, more: {"id": id_, **more}, ids, entries), max_size=4),
        "default_decision": words,
        "providers": st.dictionaries(st.sampled_from(["claude", "openai", "x"]), entries, max_size=2),
        "execution": words,
        "nonsense": values,
    },
)


class Machine:
    def __init__(self, folder: str) -> None:
        self.places = Places(*(f"{folder}/{name}" for name in ("config", "state", "run", "share", "system")))
        self.root = f"{folder}/project"

    def write(self, policy_root: str, document: object, name: str = "one") -> None:
        folder = Path(policy_root, "hooks", name)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hook.meta.yaml").write_text(json.dumps(document))

    def load(self) -> Policy:
        return load_policy(self.places, self.root, builtin_names=BUILTINS, agent="claude")


def standing(policy: Policy) -> list[Entry]:
    return [entry for entry in policy.entries if not entry.id.startswith("project/")]


@unhurried
@given(st.lists(files, max_size=3), files)
def test_law_9_an_untrusted_project_touches_nothing_of_another_layer(
    project: list[object], user: object
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(folder)
        machine.write(machine.places.config, user)
        before = machine.load()
        for number, document in enumerate(project):
            machine.write(f"{machine.root}/.fairlead", document, f"f{number}")
        after = machine.load()
    assert standing(after) == standing(before)
    assert after.default_decisions == before.default_decisions
    for entry in after.entries:
        if entry.id.startswith("project/"):
            assert (entry.trusted, entry.locked, entry.broken) == (False, False, None)
            assert entry.runs == "builtin"
            assert not entry.observes
            assert (entry.before, entry.after) == ((), ())


@unhurried
@given(files)
def test_a_locked_system_entry_survives_whatever_the_user_writes(user: object) -> None:
    guard = {"id": "block-dangerous-commands", "type": "safety", "locked": True, "timeout": 7}
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(folder)
        machine.write(machine.places.system, {"event": "PreToolUse", "middleware": [guard]})
        (before,) = [entry for entry in machine.load().entries if entry.locked]
        machine.write(machine.places.config, user)
        after = machine.load()
    assert before in after.entries


@unhurried
@given(files)
def test_law_2_an_error_in_a_users_file_is_never_without_an_answer(user: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(folder)
        machine.write(machine.places.config, user)
        policy = machine.load()
    broken = [entry for entry in policy.entries if entry.broken]
    observers = ("observability", "log-operations", "emit-metrics")
    assert broken or not policy.errors or any(word in json.dumps(user) for word in observers)
