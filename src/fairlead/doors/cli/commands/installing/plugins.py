"""`fairlead plugins`: what other packages offer, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable

import click

from fairlead.dialects.agent_registry import AGENTS
from fairlead.doors.cli.output import Session, note, say, show_json
from fairlead.entry_points import Plugin, installed, loaded
from fairlead.errors import PluginError
from fairlead.interfaces import INTERFACE_VERSION
from fairlead.packs.judging.pack_table import PACKS
from fairlead.packs.judging.plugin_pack import flaws_of
from fairlead.packs.rule import Pack
from fairlead.policy.named_plugins import named_plugins, problems_in


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the plugins as JSON.")
@click.pass_obj
def command(session: Session, *, as_json: bool) -> int:
    """Show the plugins of this installation: their kind, name, distribution and version of the interface.

    Each is imported to see whether it can be used. Exit code 1 when one cannot.

    \b
    Example:
      fairlead plugins
    """
    roots = (session.places.system, session.places.config)
    found = [(plugin, flaw_of(plugin)) for plugin in installed()]
    problems = [*problems_in(roots), *_unknown_dialects(found, named_plugins(roots, "dialects"))]
    if as_json:
        plugins = [_json(plugin, flaw) for plugin, flaw in found]
        wrong = [str(problem) for problem in problems]
        show_json({"interface": INTERFACE_VERSION, "plugins": plugins, "problems": wrong})
    else:
        _show(found)
        for problem in problems:
            note(str(problem))
    return 1 if problems or any(flaw for _, flaw in found) else 0


def flaw_of(plugin: Plugin) -> str:
    """Why it cannot be used, in words; empty when it can."""
    if plugin.name in _taken(plugin.kind):
        return "its name is that of a built-in, which is used instead"
    if plugin.flaw:
        return plugin.flaw
    try:
        offered = loaded(plugin)
    except PluginError as error:
        return error.message.partition("cannot be used: ")[2] or error.message
    if plugin.kind == "packs":
        flaws = flaws_of(offered, plugin.name) if isinstance(offered, Pack) else ["it is no Pack"]
        return "; ".join(flaws)
    if plugin.kind == "dialects" and getattr(offered, "name", None) != plugin.name:
        return f"its name is {getattr(offered, 'name', None)!r}, its entry point is {plugin.name!r}"
    return ""


def _taken(kind: str) -> frozenset[str]:
    from fairlead.doors.cli.command_table import COMMANDS

    ours: dict[str, Iterable[str]] = {"dialects": AGENTS, "packs": PACKS, "commands": COMMANDS}
    return frozenset(ours.get(kind, ()))


def _unknown_dialects(found: list[tuple[Plugin, str]], named: frozenset[str]) -> list[str]:
    there = {plugin.name for plugin, _ in found if plugin.kind == "dialects"}
    missing = sorted(named - there)
    return [f"plugins.yaml names the dialect {name!r}, which is not installed" for name in missing]


def _show(found: list[tuple[Plugin, str]]) -> None:
    if not found:
        note(f"no plugins are installed; this is version v{INTERFACE_VERSION} of the interface")
    for plugin, flaw in found:
        of = f"{plugin.distribution} {plugin.version}"
        say(f"{plugin.kind:<10}  {plugin.name:<20}  {of:<28}  {plugin.interface or '?':<4}  {flaw or 'ok'}")


def _json(plugin: Plugin, flaw: str) -> dict[str, object]:
    return {
        "kind": plugin.kind,
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "interface": plugin.interface,
        "place": plugin.place,
        "flaw": flaw,
    }
