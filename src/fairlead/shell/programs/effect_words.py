"""The effects that data may name: `cluster/delete-data` is one, and a rule of a pack speaks of each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fairlead.model.value import Value
from fairlead.shell.word_sets import names


class EffectGroup(Value):
    """`action` is what happens, in the words that rules use; `ways` are the ways in which it happens.

    `go-live` and `go-live-if-named` of a cloud are one effect, `go-live`: they say when it counts.

    No rule minds `known-source`, `known-task`, `listed` and `own-images`: a deed that says one of them keeps
    a wider deed after it from being found. Code decides
    what `deploy` of a cloud, `finalizers` and `scaled` come to.
    """

    action: str
    ways: frozenset[str]


def _group(action: str, ways: str) -> EffectGroup:
    return EffectGroup(action, names(ways))


EFFECT_GROUPS: Mapping[str, EffectGroup] = MappingProxyType(
    {
        "accounts": _group(
            "change-accounts",
            "add-account change-account change-password delete-account join-root-group sudoers",
        ),
        "ci": _group(
            "change-ci",
            "change-access change-repository change-secret change-visibility delete-release "
            "delete-repository delete-secret deploy disable-workflow merge-past-checks",
        ),
        "cloud": _group(
            "change-cloud",
            "apply change-access delete deploy destroy disturb go-live go-live-if-named spend state",
        ),
        "cluster": _group(
            "change-cluster",
            "change-access delete delete-data delete-everything drain finalizers scale-down",
        ),
        "container": _group(
            "change-container",
            "delete-everything delete-many delete-service delete-volume leave-cluster own-images prune "
            "prune-volumes scaled",
        ),
        "database": _group("change-database", "access drop listed reset unbound"),
        "disk": _group("format", "format partition resize"),
        "guard": _group(
            "change-guard",
            "agent-without-hooks command-setting kill-guard loosen unguarded-agent uninstall-guard "
            "uninstall-other-guard",
        ),
        "history": _group("rewrite-history", "branch-delete filter-branch prune push-force tag-delete"),
        "kill": _group("kill", "exhaust kill-everything kill-vital"),
        "machine": _group("shutdown", "shutdown"),
        "network": _group("run-network-code", "download remote-shell tunnel"),
        "packages": _group(
            "change-packages",
            "install-from-address known-source remove remove-environment remove-vital source-change",
        ),
        "privilege": _group(
            "gain-privilege",
            "container-mounts-host container-privileged escape root-shell setcap sudo xhost",
        ),
        "publish": _group("publish-package", "known-task publish registry-change unpublish"),
        "secret": _group("read-secret", "guess read-secret watch"),
        "send": _group("send-data", "http-delete mail mirror-delete publish-gist upload"),
        "service": _group(
            "change-service", "delete-crontab replace-crontab start-later stop-service stop-vital"
        ),
        "system": _group("change-system", "delete-logs firewall hide-tracks kernel load-kernel network-down"),
        "unsaved": _group("discard-git-work", "other-vcs"),
    }
)


UNMINDED = frozenset(
    (
        *(
            "cloud/deploy",
            "cluster/finalizers",
            "container/own-images",
            "container/scaled",
            "database/listed",
        ),
        *("packages/known-source", "publish/known-task"),
    )
)
"""Deeds that no rule minds: they stand before a wider one because they are harmless, or code decides about
them. Only records of our own have them."""


def effect_word(action: str, way: str) -> str:
    """How data writes this effect."""
    for word, group in EFFECT_GROUPS.items():
        if group.action == action and way in group.ways:
            return f"{word}/{way}"
    raise LookupError(f"no word for {action}/{way}")
