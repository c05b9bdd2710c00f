"""Deletions that no row of the table names: of what is more than a little thing."""

from __future__ import annotations

from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.word_sets import names

_ERASING = names("delete deletes destroy erase expunge purge wipe")
_LITTLE = names(
    """
    comment comments message messages memory memories task tasks subtask subtasks todo todos note notes tab tabs cookie
    cookies label labels tag tags breakpoint breakpoints key keys item items document row rows column columns record
    line lines cell cells cache caches session sessions draft drafts node nodes entity entities observation
    observations relation relations container containers image images network networks subscription subscriptions
    webhook event events reminder reminders card cards reaction reactions bookmark bookmarks highlight layer layers
    object objects gameobject shape shapes component components symbol symbols selection text range ranges slide
    slides paragraph block blocks element elements file files folder directory dir path tree filter filters view
    views variable variables watch favorite favorites draft mock mocks log logs chunk chunks vector vectors
    edge edges attribute property properties field fields step steps snippet alias link links pin pins marker
    asset material mesh actor prefab scene sprite style styles page option word words character char frame frames
    sim sims simulator simulators emulator test annotation annotations worktree stash branch tag
    """
)
"""What is made and deleted again all day, one at a time, or what others judge by its path."""
EDITORS = names(
    "excel word powerpoint blender unity figma unreal godot serena ide jetbrains vscode taskmaster"
)
"""What they delete stands in a file or a drawing of the session."""
_JUDGED_ELSEWHERE = names(
    """
    mongodb mongo redis valkey postgres postgresql pg mysql mariadb mssql sqlite duckdb elasticsearch opensearch
    dynamodb cassandra kubernetes k8s kubectl docker podman git filesystem fs airtable blender unity figma unreal
    excel word powerpoint godot serena ide jetbrains vscode obsidian memory taskmaster http rest api
    """
)


def erases(told: Told) -> bool:
    """Something that a table would have to know to call it little."""
    things = told.tool - _ERASING - _FILLING
    return bool(
        told.tool & _ERASING
        and things
        and things.isdisjoint(_LITTLE)
        and told.known.isdisjoint(_JUDGED_ELSEWHERE)
    )


_FILLING = names("by id ids a an the my one mcp tool name and or from in of with soft request api run call")
