"""Clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.arguments import option_values
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.services.cluster_manifests import manifest_effects
from fairlead.shell.effects.subcommand_tables import Danger, same_reader, shown, subcommand_reader
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

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
    Danger("create|apply clusterrolebinding *", "change-access"),
    Danger("create rolebinding *", "change-access"),
    Danger("patch", "finalizers"),
    Danger("rollout undo", "drain"),
    Danger("rollback", "drain"),
    Danger("debug node/*", "drain"),
    Danger("run", "drain", needs=("--privileged", "--overrides")),
    Danger("cordon", "drain"),
    Danger("config view", "read-secret", needs=("--raw",), action=Action.READ_SECRET),
    Danger("create token *", "read-secret", action=Action.READ_SECRET),
    Danger("whoami", "read-secret", needs=("-t", "--show-token"), action=Action.READ_SECRET),
    Danger("extract secret/*|secrets/*", "read-secret", action=Action.READ_SECRET),
    Danger("proxy", "change-access", needs=("--accept-hosts", "--disable-filter")),
    Danger("drain", "drain"),
    Danger("adm|admin drain|taint|cordon", "drain"),
    Danger("adm prune", "delete", needs=("--confirm",)),
    Danger("adm policy add-*|remove-*", "change-access"),
    Danger("adm|admin certificate|node-logs approve", "change-access"),
    Danger("replace", "delete-data", needs=("--raw",)),
    Danger("replace", "delete", needs=("--force",)),
    Danger("scale", "scale-down", needs=("--replicas",)),
    Danger("taint", "drain"),
    Danger("config delete-*|unset", "delete"),
    Danger(
        "get secret|secrets|*,secret|*,secrets|secret,*|secrets,*",
        "read-secret",
        needs=("-o", "--output"),
        action=Action.READ_SECRET,
    ),
    Danger("get secret/*|secrets/*", "read-secret", needs=("-o", "--output"), action=Action.READ_SECRET),
    Danger("certificate approve", "change-access"),
    Danger("virt stop|restart|delete", "drain"),
    Danger("krew index add", "source-change", action=Action.CHANGE_PACKAGES),
)
_microk8s = subcommand_reader(
    Action.CHANGE_CLUSTER,
    (Danger("reset|uninstall", "delete-everything"), Danger("stop|leave|remove-node|disable", "drain")),
)
_kubectl_known = subcommand_reader(Action.CHANGE_CLUSTER, _KUBECTL, valued=_VALUED)


_FREED = lazy(r"finalizers\"?\s*:\s*(?:null|\[\s*\])|\"remove\".*finalizers")
"""A patch that takes the finalizers away lets what is being deleted go, with what it holds."""


_NONE_LEFT = lazy(
    r"replicas\"?\s*:\s*0\b|/replicas\"\s*,\s*\"value\"\s*:\s*0\b|\"value\"\s*:\s*0\s*,.{0,80}/replicas"
)


def _kubectl(command: Command, where: Surroundings) -> Iterator[Effect]:
    if (
        command.name in ("k3s", "microk8s", "k0s", "rke2", "minikube")
        and len(command.argv) > 1
        and command.argv[1].text == "kubectl"
    ):
        command = command.replace(argv=command.argv[1:])
    elif command.name == "microk8s":
        yield from _microk8s(command, where)
        return
    yield from _applied_address(command)
    text = command.stdin.text or ""
    yield from manifest_effects(command)
    for effect in _kubectl_known(command, where):
        if effect.name == "delete" and re.search(
            r"kind\"?:\s*\"?(?:Namespace|PersistentVolume|StatefulSet|CustomResource)", text
        ):
            yield effect.replace(name="delete-data")
        elif effect.name == "read-secret" and any(_tells_no_data(word.text) for word in command.argv):
            continue
        elif effect.name == "finalizers":
            patched = effect.what
            if "finalizers" in patched or "eclaimPolicy" in patched:
                yield effect.replace(name="delete-data" if _FREED.search(patched) else "drain")
            elif _NONE_LEFT.search(patched):
                yield effect.replace(name="scale-down")
        elif effect.name != "scale-down" or _scales_to_nothing(command):
            yield effect


_USUAL = lazy(
    r"^https://(?:raw\.githubusercontent\.com|[\w.-]{1,60}\.k8s\.io|docs\.[\w.-]{1,60}|dl\.k8s\.io)/"
)
"""Where the projects that clusters are made of keep their manifests."""


def _applied_address(command: Command) -> Iterator[Effect]:
    """`kubectl apply -f https://…`: what a stranger's server says is put into the cluster."""
    texts = [word.text for word in command.argv[1:]]
    if not any("://" in text for text in texts) or any(text.startswith("--dry-run") for text in texts):
        return
    from fairlead.shell.effects.services.package_managers import (
        is_foreign,  # only where it is given an address
    )

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


_HELM = (
    Danger("push|cm-push", "publish", action=Action.PUBLISH_PACKAGE),
    Danger("uninstall|delete|del|un", "delete-data"),
    Danger("rollback", "drain"),
    Danger("repo add * http://*", "source-change", action=Action.CHANGE_PACKAGES),
    Danger("plugin install http*|git*", "install-from-address", action=Action.CHANGE_PACKAGES),
)
_OTHER = {
    "eksctl": (Danger("delete", "delete-everything"),),
    "kubeadm": (Danger("reset", "delete-everything"),),
    "talosctl": (Danger("reset|wipe", "delete-everything"), Danger("shutdown|reboot|upgrade", "drain")),
    "etcdctl": (
        Danger("get */secrets*", "read-secret", action=Action.READ_SECRET),
        Danger("del|rm|rmdir", "delete-data"),
        Danger("snapshot restore", "delete-data"),
        Danger("auth|user|role disable|delete|revoke*|grant*|passwd", "drain"),
        Danger("member remove", "drain"),
    ),
    "flux": (Danger("delete|uninstall", "delete-data"), Danger("suspend", "drain")),
    "argocd": (
        Danger("** delete|rm|remove|terminate-op", "delete-data"),
        Danger("app sync", "drain", needs=("--prune", "--force", "--replace")),
        Danger("app rollback", "drain"),
        Danger("repo|repocreds|cluster add", "drain"),
        Danger("admin initial-password", "read-secret", action=Action.READ_SECRET),
        Danger("app set", "drain", needs=("--sync-policy", "--self-heal", "--repo")),
        Danger("account update-password|generate-token|delete-token", "change-access"),
        Danger("proj|repo|cluster|cert|gpg remove-*|rm", "delete-data"),
    ),
    "istioctl": (Danger("** uninstall", "delete-data"),),
    "velero": (Danger("** delete|uninstall", "delete-data"),),
    "helmfile": (Danger("destroy|delete", "delete-everything"),),
    **dict.fromkeys(
        (
            "k3s-uninstall.sh",
            "k3s-agent-uninstall.sh",
            "k3s-killall.sh",
            "rke2-uninstall.sh",
            "rke2-killall.sh",
        ),
        (Danger("", "delete-everything"),),
    ),
    "rke": (Danger("remove", "delete-everything"), Danger("etcd snapshot-restore", "drain")),
    "k0s": (Danger("reset", "delete-everything"), Danger("kubectl delete", "delete-data")),
    "k0sctl": (Danger("reset", "delete-everything"),),
    "clusterctl": (Danger("delete", "delete-everything"),),
    "clusteradm": (Danger("delete|unjoin|clean", "delete-everything"),),
    "vcluster": (Danger("delete|rm", "delete-data"), Danger("pause", "drain")),
    "kubefirst": (Danger("destroy|** destroy", "delete-everything"),),
    "kurtosis": (Danger("** rm|clean", "delete-data"),),
    "cilium": (Danger("uninstall", "delete-data"),),
    "cmctl": (Danger("** uninstall", "delete-data"),),
    "kn": (Danger("** delete", "delete-data"),),
    "tkn": (Danger("** delete|rm", "delete-data"),),
    "kapp": (Danger("** delete", "delete-data"),),
    "odo": (Danger("delete", "delete-data"),),
    "garden": (Danger("cleanup|delete", "delete-data"),),
    "osdctl": (Danger("** delete", "delete-data"),),
    "rosa": (Danger("delete|uninstall", "delete-everything"),),
    "openshift-install": (Danger("destroy", "delete-everything"),),
    "skaffold": (Danger("delete", "delete-data"),),
    "devspace": (Danger("purge", "delete-data"), Danger("** delete|remove", "delete-data")),
    "tilt": (Danger("down", "delete-data", needs=("--delete-namespaces",)), Danger("delete", "delete-data")),
    "kops": (Danger("delete", "delete-everything", needs=("--yes", "-y")),),
    "rancher": (Danger("** delete|rm", "delete-data"),),
    "linkerd": (Danger("uninstall", "delete-data"),),
    "virtctl": (Danger("stop|restart|pause|migrate", "drain"), Danger("delete", "delete-data")),
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
            valued=(
                "--endpoints",
                "--user",
                "--cluster",
                "--namespace",
                "-n",
                "--context",
                "-f",
                "--file",
                "-e",
                "--environment",
            ),
        )
        for name, table in _OTHER.items()
    },
}
