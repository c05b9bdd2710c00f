"""The page with every key of a policy file, from the tables that the loader reads."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.fleet.bundles.settings import BUNDLE_KEYS
from fairlead.fleet.enrolment import ENROLMENT_KEYS
from fairlead.policy.managed.rules import GLASS_KEYS, MANAGED_KEYS
from fairlead.policy.mode import MODE_KEYS
from fairlead.policy.reading.builtin_config import CONFIGS
from fairlead.policy.reading.schema import (
    AGENTS,
    ENTRY_KEYS,
    FILE_KEYS,
    KIND_WORDS,
    PROVIDER_KEYS,
    RULE,
    RULE_KEYS,
    VENDORS,
    Key,
)
from handbook.markdown import code, sentence, table

HEAD = """# Keys of a policy file

Every key that `hook.meta.yaml` takes, and those of [the files beside it](#other-files). [The policy file](../policy.md) explains how they work together. `fairlead policy schema` prints the same as a JSON Schema for your editor, and `fairlead policy check` names whatever is wrong, with its line.

"""


def policy_page() -> str:
    parts = [
        ("The file", FILE_KEYS, "At the top of the file. Only `event` is required."),
        (
            "An entry of `middleware`",
            ENTRY_KEYS,
            "Only `id` is required; a hook of your own also needs `type`.",
        ),
        ("A rule of `rules`", RULE_KEYS, "`id` and at least one example in `stops` are required."),
        ("A section of `providers`", PROVIDER_KEYS, "Changes for one agent, or for all agents of a vendor."),
    ]
    sections = [f"## {title}\n\n{text}\n\n{_keys(keys)}" for title, keys, text in parts]
    return HEAD + "\n".join([*sections, _providers(), _built_ins(), _beside()])


_BESIDE = (
    ("`hooks/mode.yaml`", MODE_KEYS, "What only watches, and what counts: [audit](../policy.md#audit)."),
    (
        "`hooks/managed.yaml`",
        MANAGED_KEYS,
        "Of the system and of the fleet, and of nobody else: "
        "[what nobody may loosen](../managed.md#what-nobody-may-loosen).",
    ),
    ("`break_glass` in it", GLASS_KEYS, "[One-time codes](../fleet-approvals.md#break-the-glass)."),
    (
        "`bundle.yaml`",
        BUNDLE_KEYS,
        "Beside `hooks` in the policy folder of a fleet: "
        "[a policy folder, and its bundle](../fleet-reference.md#a-policy-folder-and-its-bundle).",
    ),
    ("`fleet.yaml`", ENROLMENT_KEYS, "On each machine: [fleet.yaml](../fleet-reference.md#fleetyaml)."),
)


def _beside() -> str:
    """Files that are not `hook.meta.yaml`."""
    parts = [f"### {title}\n\n{text}\n\n{_keys(keys)}" for title, keys, text in _BESIDE]
    return "## Other files\n\n" + "\n".join(parts)


def _keys(keys: Mapping[str, Key]) -> str:
    rows = [(code(name), _value(key), sentence(key.meaning), code(key.example)) for name, key in keys.items()]
    return table(("key", "value", "meaning", "example"), rows)


def _value(key: Key) -> str:
    if key.words:
        return ", ".join(map(code, key.words))
    return " or ".join(KIND_WORDS[kind] for kind in key.kinds)


def _providers() -> str:
    agents = [
        (
            code(agent),
            ", ".join(map(code, others)),
            ", ".join(code(v) for v, own in VENDORS.items() if agent in own),
        )
        for agent, others in AGENTS.items()
    ]
    return "## Names for `providers`\n\n" + table(("agent", "other names", "vendor"), agents)


def _built_ins() -> str:
    """What `config` of each built-in hook takes."""
    text = "## `config` of the built-in hooks\n\nA built-in that is not listed takes no `config`.\n"
    for name, keys in CONFIGS.items():
        if keys and name != RULE:
            text += f"\n### `{name}`\n\n{_keys(keys)}"
    return text
