"""What the words of a record cannot say about clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.arguments import option_values
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.packages.package_sources import is_foreign
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.services.cluster_manifests import manifest_effects
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_FREED = lazy(r"finalizers\"?\s*:\s*(?:null|\[\s*\])|\"remove\".*finalizers")
"""A patch that takes the finalizers away lets what is being deleted go, with what it holds."""


_NONE_LEFT = lazy(
    r"replicas\"?\s*:\s*0\b|/replicas\"\s*,\s*\"value\"\s*:\s*0\b|\"value\"\s*:\s*0\s*,.{0,80}/replicas"
)


def read_kubectl(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    yield from _applied_address(command)
    text = command.stdin.text or ""
    yield from manifest_effects(command)
    yield from _disguised(command)
    local = _on_this_machine(command)
    for effect in known(command, where):
        if local and effect.action is Action.CHANGE_CLUSTER:
            continue
        if effect.name == "delete" and re.search(
            r"kind\"?:\s*\"?(?:Namespace|PersistentVolume|StatefulSet|CustomResource)", text
        ):
            yield effect.replace(name="delete-data")
        elif effect.name == "read-secret" and any(_tells_no_data(word.text) for word in command.argv):
            continue
        elif effect.name == "finalizers":
            texts = [word.text for word in command.argv]
            if any("finalizers" in each or "eclaimPolicy" in each for each in texts):
                yield effect.replace(name="delete-data" if any(map(_FREED.search, texts)) else "drain")
            elif any(map(_NONE_LEFT.search, texts)):
                yield effect.replace(name="scale-down")
        elif effect.name != "scale-down" or _scales_to_nothing(command):
            yield effect


_LOCAL = lazy(
    r"^(?:kind-|k3d-)[\w.-]+$|^(?:minikube|docker-desktop|rancher-desktop|colima|orbstack|microk8s)$"
)
"""Contexts that tools make for the clusters that they start on this machine."""
_ELSEWHERE = names("-s --server --cluster --kubeconfig --token --user --as")
_NAMING = names("rename-context set-context set-cluster")


def _on_this_machine(command: Command) -> bool:
    """Whether it names a cluster to throw away: nobody else lives there."""
    texts = [word.text for word in command.argv[1:]]
    given = {text.partition("=")[0] for text in texts if text.startswith("-")}
    contexts = [word.text for word in option_values(list(command.argv), "--context") if word.known]
    moved = not given.isdisjoint(_ELSEWHERE) or "KUBECONFIG" in command.assignments
    local = bool(contexts) and all(map(_LOCAL.match, contexts))
    return local and not moved and not any(wrapper.place for wrapper in command.wrappers)


def _disguised(command: Command) -> Iterator[Effect]:
    """Another cluster that gets the name of one on this machine."""
    texts = [word.text for word in command.argv[1:]]
    if "config" in texts and not _NAMING.isdisjoint(texts) and any(map(_LOCAL.match, texts)):
        yield Effect(Action.CHANGE_CLUSTER, "change-access", command, what=shown(command))


_USUAL = lazy(
    r"^https://(?:raw\.githubusercontent\.com|[\w.-]{1,60}\.k8s\.io|docs\.[\w.-]{1,60}|dl\.k8s\.io)/"
)
"""Where the projects that clusters are made of keep their manifests."""


def _applied_address(command: Command) -> Iterator[Effect]:
    """`kubectl apply -f https://…`: what a stranger's server says is put into the cluster."""
    texts = [word.text for word in command.argv[1:]]
    if not any("://" in text for text in texts) or any(text.startswith("--dry-run") for text in texts):
        return
    verb = any(text in ("apply", "create", "replace") for text in texts)
    given = option_values(list(command.argv), "-f", "--filename", "-k", "--kustomize")
    if verb and any(is_foreign(word.text) and not _USUAL.search(word.text) for word in given):
        yield Effect(Action.CHANGE_PACKAGES, "install-from-address", command, what=shown(command))


def _tells_no_data(text: str) -> bool:
    """An output of names, or by a template that leaves the data out."""
    template = re.search(r"^(?:-o=?|--output=)?(?:jsonpath|go-template|custom-columns)\w*=", text)
    return text in ("name", "-oname", "--output=name", "wide", "-owide", "--output=wide") or (
        template is not None and "data" not in _META.sub("", text)
    )


_META = lazy(r"metadata")


def _scales_to_nothing(command: Command) -> bool:
    texts = [word.text for word in command.argv]
    return "--replicas=0" in texts or ("--replicas", "0") in pairwise(texts)
