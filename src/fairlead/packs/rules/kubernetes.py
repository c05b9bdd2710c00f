"""Clusters."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.rule import Pack, Rule, Severity
from fairlead.shell.effects.effect import Action

_CHANGE = (Action.CHANGE_CLUSTER,)

PACK = Pack(
    id="kubernetes",
    summary="Deletes in a cluster, drained nodes, removed releases",
    rules=(
        Rule(
            id="kubernetes/delete-data",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGE,
            names=frozenset(("delete-data", "delete-everything")),
            reason="`{what}` deletes more than one thing, or what holds data.",
            person="Namespaces, volumes, releases or whole clusters would be deleted.",
            alternative="See what would go: `kubectl delete pod web-1 --dry-run=client`.",
            dangerous=(
                "kubectl delete namespace prod",
                "kubectl delete pods --all",
                "kubectl -n prod delete pvc data",
                "helm uninstall api",
                "eksctl delete cluster --name x",
            ),
            harmless=("kubectl get pods", "kubectl delete pod web-1 --dry-run=client", "helm list"),
        ),
        Rule(
            id="kubernetes/delete",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("delete",)),
            reason="`{what}` deletes something in the cluster.",
            person="Something in the cluster would be deleted.",
            alternative="Look first: `kubectl get all`, or restart: `kubectl rollout restart deployment/web`.",
            dangerous=(
                "kubectl delete pod web-1",
                "kubectl delete job x",
                "kubectl replace --force -f x.yaml",
            ),
            harmless=("kubectl rollout restart deployment/web", "kubectl apply -f app.yaml"),
        ),
        Rule(
            id="kubernetes/change-access",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("change-access",)),
            reason="`{what}` changes who may do what in the cluster.",
            person="Access rights in the cluster would be changed.",
            alternative="Look: `kubectl auth can-i --list`.",
            dangerous=(
                "kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=bob",
                "oc adm policy add-scc-to-user privileged -z default",
            ),
            harmless=("kubectl auth can-i --list", "kubectl get clusterrolebindings"),
        ),
        Rule(
            id="kubernetes/disturb",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("drain", "scale-down")),
            reason="`{what}` takes running work away.",
            person="Running services would be moved or stopped.",
            alternative="Look first: `kubectl get nodes`.",
            dangerous=(
                "kubectl drain node-1",
                "kubectl scale deploy/web --replicas=0",
                "helm rollback api 3",
            ),
            harmless=(
                "kubectl get nodes",
                "kubectl scale deploy/web --replicas=3",
                "helm upgrade api ./chart",
            ),
        ),
    ),
)
