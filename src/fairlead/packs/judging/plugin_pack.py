"""A pack of another package. Its rules only ever add objections, so it can stop more and never less."""

from __future__ import annotations

from fairlead.entry_points import load
from fairlead.errors import PluginError
from fairlead.packs.rule import Pack, Rule


def load_foreign_pack(name: str) -> Pack:
    """Raises PluginError for what is no pack; then the guard that was told to use it blocks."""
    pack = load("packs", name)
    if not isinstance(pack, Pack):
        raise PluginError(f"the plugin {name!r} is no Pack but a {type(pack).__name__}")
    for flaw in flaws_of(pack, name):
        raise PluginError(f"the pack {name!r} of a plugin cannot be used: {flaw}")
    return pack


def flaws_of(pack: Pack, name: str) -> list[str]:
    """What would mix its rules up with those of others, or make of one something else than a guard."""
    from fairlead.packs.judging.pack_table import PACKS

    flaws = [] if pack.id == name else [f"its id is {pack.id!r}, its entry point is {name!r}"]
    if pack.id in PACKS:
        flaws.append(f"there is a built-in pack {pack.id!r}")
    for rule in pack.rules:
        if not isinstance(rule, Rule):
            flaws.append(f"{rule!r} is no Rule")
            continue
        if not rule.id.startswith(f"{pack.id}/"):
            flaws.append(f"the rule {rule.id!r} does not begin with '{pack.id}/'")
        if not rule.decision.objects:
            flaws.append(f"the rule {rule.id!r} objects to nothing")
    return flaws
