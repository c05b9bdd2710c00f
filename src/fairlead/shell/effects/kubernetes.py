"""Clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommands import Danger, same_reader, subcommand_reader
from fairlead.shell.script import Command
from fairlead.shell.tables import names
from fairlead.shell.targets import Surroundings

_VALUED = names(
    """
    -n --namespace --context --kubeconfig --cluster --user -s --server -f --filename -l --selector
    -o --output --kube-context --replicas -p --patch --type --field-selector --grace-period
    --timeout -c --container
    """
)

_KUBECTL = (
    Danger("delete", "delete-everything", needs=("--all", "-A", "--all-namespaces")),
    Danger(
        "delete ns|project|projects|namespace|namespaces|pv|pvc|persistentvolume*|crd|crds|node"
        "|customresourcedefinition*"
        "|nodes|no|statefulset*|sts|secret*|storageclass*|sc|clusterrole*|all",
        "delete-data",
    ),
    Danger("delete", "delete-data", needs=("-k", "--kustomize", "--raw")),
    Danger("delete pod|pods|po|job|jobs|event|events", "delete"),
    Danger("delete pod/*|po/*|job/*", "delete"),
    Danger("delete *", "delete-data"),
    Danger("delete", "delete"),
    Danger("label ns|namespace *", "drain"),
    Danger("apply", "delete", needs=("--prune",)),
    Danger("create|apply clusterrolebinding *", "drain"),
    Danger("create rolebinding *", "drain"),
    Danger("patch", "finalizers"),
    Danger("rollout undo", "drain"),
    Danger("debug node/*", "drain"),
    Danger("run", "drain", needs=("--privileged", "--overrides")),
    Danger("cordon", "drain"),
    Danger("config view", "read-secret", needs=("--raw",), action=Action.READ_SECRET),
    Danger("create token *", "read-secret", action=Action.READ_SECRET),
    Danger("proxy", "drain", needs=("--accept-hosts", "--disable-filter")),
    Danger("drain", "drain"),
    Danger("replace", "delete", needs=("--force",)),
    Danger("scale", "scale-down", needs=("--replicas",)),
    Danger("taint", "drain"),
    Danger("config delete-*|unset", "delete"),
    Danger("get secret|secrets", "read-secret", needs=("-o", "--output"), action=Action.READ_SECRET),
    Danger("get secret/*|secrets/*", "read-secret", needs=("-o", "--output"), action=Action.READ_SECRET),
    Danger("certificate approve", "drain"),
)
_kubectl_known = subcommand_reader(Action.CHANGE_CLUSTER, _KUBECTL, valued=_VALUED)


def _kubectl(command: Command, where: Surroundings) -> Iterator[Effect]:
    if command.name in ("k3s", "microk8s") and len(command.argv) > 1 and command.argv[1].text == "kubectl":
        command = command.replace(argv=command.argv[1:])
    text = command.stdin.text or ""
    for effect in _kubectl_known(command, where):
        if effect.name == "delete" and re.search(
            r"kind\"?:\s*\"?(?:Namespace|PersistentVolume|StatefulSet|CustomResource)", text
        ):
            yield effect.replace(name="delete-data")
        elif effect.name == "read-secret" and any(
            word.text in ("name", "-oname", "wide", "-owide") for word in command.argv
        ):
            continue
        elif effect.name == "finalizers":
            if "finalizers" in effect.what or "eclaimPolicy" in effect.what:
                yield effect.replace(name="drain")
        elif effect.name != "scale-down" or _scales_to_nothing(command):
            yield effect


def _scales_to_nothing(command: Command) -> bool:
    texts = [word.text for word in command.argv]
    return "--replicas=0" in texts or ("--replicas", "0") in pairwise(texts)


_HELM = (
    Danger("push|cm-push", "publish", action=Action.PUBLISH_PACKAGE),
    Danger("uninstall|delete|del|un", "delete-data"),
    Danger("rollback", "drain"),
)
_OTHER = {
    "eksctl": (Danger("delete", "delete-everything"),),
    "kubeadm": (Danger("reset", "delete-everything"),),
    "talosctl": (Danger("reset", "delete-everything"), Danger("shutdown|reboot", "drain")),
    "etcdctl": (
        Danger("del|rm|rmdir", "delete-data"),
        Danger("snapshot restore", "delete-data"),
        Danger("member remove", "drain"),
    ),
    "flux": (Danger("delete|uninstall", "delete-data"), Danger("suspend", "drain")),
    "argocd": (Danger("app|appset|proj|cluster|repo delete|rm", "delete-data"),),
    "istioctl": (Danger("** uninstall", "delete-data"),),
    "velero": (Danger("** delete", "delete-data"),),
    "helmfile": (Danger("destroy|delete", "delete-everything"),),
    "k3s-uninstall.sh": (Danger("", "delete-everything"),),
    "kops": (Danger("delete", "delete-everything"),),
    "rancher": (Danger("** delete|rm", "delete-data"),),
    "linkerd": (Danger("uninstall", "delete-data"),),
    "kustomize": (),
}

TABLE: dict[str, EffectReader] = {
    **same_reader(_kubectl, "kubectl oc k microk8s.kubectl kubecolor k3s microk8s"),
    "helm3": subcommand_reader(Action.CHANGE_CLUSTER, _HELM, valued=_VALUED),
    "helm": subcommand_reader(Action.CHANGE_CLUSTER, _HELM, valued=_VALUED),
    **{
        name: subcommand_reader(
            Action.CHANGE_CLUSTER,
            table,
            valued=("--endpoints", "--cluster", "--namespace", "-n", "--context"),
        )
        for name, table in _OTHER.items()
    },
}
