"""Deeds that lose something: knowledge alone."""

from __future__ import annotations

from fairlead.packs.foreign.deeds.deed import deed
from fairlead.packs.foreign.deeds.told import Told
from fairlead.shell.word_sets import names

LOST = (
    deed(
        "by-name",
        "delete destroy erase expunge purge wipe trash terminate",
        """
        board boards person persons people profile profiles flag flags gate gates segment segments
        audience campaign campaigns lists folder folders form forms survey surveys invoice invoices playlist album
        albums photo photos video videos asset assets media experiment model models endpoint endpoints function
        functions job jobs schedule schedules policy policies group groups role roles member members sprint epic
        milestone wiki document documents doc docs sheet spreadsheet presentation contract envelope certificate
        portfolio notebook notebooks company companies opportunity dag dags source sources destination connection
        connections trigger triggers number conversation conversations thread threads entry entries checkpoint
        artifact artifacts release version versions alert alerts rule rules incident incidents runbook meeting
        course experience listing review reviews menu theme plugin plugins route routes tunnel gateway balancer
        catalog registry policyset budget payment chat server guild vault realm client clients federation report
        reports dataset calendar calendars tests suite
        """,
        unless="layer selection symbol breakpoint line lines comment",
    ),
    deed("by-name", "delete destroy", "base bases"),
    deed("by-name", "release", "number phone"),
    deed("by-name", "push", "force", at="git github gitlab"),
    deed("by-name", "delete", "item", at="bitwarden onepassword 1password lastpass keepass dashlane"),
    deed("by-name", "delete", "list", at="clickup trello todoist mailchimp klaviyo sendgrid contacts crm"),
    deed("by-name", "delete remove purge", "records record", at="salesforce hubspot crm zoho pipedrive dynamics"),
    deed("by-name", "clear reset wipe empty", "index indices folder memories database store collection workspace graph"),
    deed("by-name", "clear reset wipe", at="memory mem0 graph knowledge", unless="cache session history filter"),
    deed("by-name", "rebuild", "linode droplet server vm vps node"),
    deed("by-name", "schedule request initiate confirm", "deletion erasure termination"),
    deed("by-name", "replace set", "all", beside="objects documents records rows items rules members synonyms"),
    deed("by-name", "clear", "objects records rules synonyms", at="algolia meilisearch typesense"),
    deed("by-name", "delete remove revoke", "key keys token tokens", beside="api access app application service account ssh gpg signing deploy encryption", unless="list"),
    deed("by-name", "delete", "all everything"),
    deed("by-name", "empty", "album bin recycle deleted archive folder vault bucket trash"),
    deed("by-name", "forget leave", "database workspace organization"),
    deed("by-name", "overwrite", "all database index bucket collection"),
    deed("by-name", "detach", "delete"),
    deed("by-name", "delete remove", "node nodes", at="jenkins cluster proxmox consul nomad kubernetes k8s swarm ceph"),
    deed("by-name", "drop", "data logs metrics events"),
    deed("by-name", "delete remove", "tag tags image images version", at="hub dockerhub registry ecr ghcr gcr quay harbor"),
    deed("by-name", "drop", "messages message queue queues events jobs"),
    deed("by-name", "wipe", at="phone device mdm laptop computer disk drive tablet mobile find"),
    deed("by-name", "delete purge clear", "logs log events", at="monitor audit siem security splunk datadog elastic cloudwatch logging loki graylog"),
    deed("by-name", "overwrite", "tag image version"),
)  # fmt: skip
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
