"""Whether a deployment reaches the people who use it: production, and not a place for trying things out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import option_values
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places import world
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

GO_LIVE = "go-live"
GO_LIVE_IF_NAMED = "go-live-if-named"
"""What a deed of a record says: everyone gets it unless a place for tests is named, or only where the line
or the settings of a cluster's client name another place."""

_TRIED_OUT = lazy(
    r"(?i)(?:^|[-_/.=:@,\s])(?:dev|devel|develop|development|local|localhost|127\.0\.0\.1|tests?|testing|e2e|ci|stg|stage|staging"
    r"|preview|sandbox|qa|uat|kind|k3d|k3s|minikube|docker-desktop|docker-for-desktop|rancher-desktop|orbstack|colima|microk8s"
    r"|demo|playground|emulators?|review|canary|pr-?\d+)(?:$|[-_/.=:,\s\d])"
)
_LIVE = lazy(r"(?i)(?:^|[-_/.=:@,\s])(?:prod|production|prd|live)(?:$|[-_/.=:,\s\d])")
_CLIENTS = names("kubectl oc k kubecolor microk8s.kubectl helm helm3 helmfile kustomize skaffold werf")
_CLUSTERS = ("--context", "--kube-context", "--kubeconfig", "--cluster", "--server", "-s")
_TEXTS = ("-m", "--message", "--description", "--notes", "--title", "--patch")
_SETTINGS = "KUBECONFIG"
_CURRENT = lazy(r"(?m)^current-context:[ \t]*[\"']?([^\"'\n#]{1,200})")


def goes_live(command: Command, where: Surroundings, way: str) -> bool:
    if way == GO_LIVE:
        return not any(map(_TRIED_OUT.search, _told(command)))
    if command.name in _CLIENTS:
        return _reaches_live_cluster(command, where)
    return any(map(_LIVE.search, _told(command)))


def names_production(texts: Sequence[str]) -> bool:
    return any(_LIVE.search(text[:400]) for text in texts)


def _told(command: Command) -> Iterator[str]:
    before = ""
    for word in command.argv[1:]:
        if before not in _TEXTS:
            yield word.text[:400]
        before = word.text
    for name, value in command.assignments.items():
        yield value.text[:400] if name != _SETTINGS else value.text.rsplit("/", 1)[-1]


def _reaches_live_cluster(command: Command, where: Surroundings) -> bool:
    """A context that is named is one for tests or not; without one, the current one of the client counts."""
    told = list(_told(command))
    if any(map(_LIVE.search, told)):
        return True
    if any(map(_TRIED_OUT.search, told)):
        return False
    return bool(_named_clusters(command)) or not _is_for_tests(_current_context(command, where))


def _named_clusters(command: Command) -> Sequence[str]:
    return [word.text for word in option_values(list(command.argv), *_CLUSTERS)]


def _is_for_tests(context: str) -> bool:
    """Where the client knows no cluster, it reaches none."""
    return not context or bool(_TRIED_OUT.search(context))


def _current_context(command: Command, where: Surroundings) -> str:
    given = command.assignments.get(_SETTINGS)
    path = given.text if given is not None else f"{where.home}/.kube/config"
    found = _CURRENT.search(world.text_of(path)) if path.startswith("/") else None
    return found[1].strip() if found is not None else ""
