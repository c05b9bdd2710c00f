"""Containers and their volumes."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.judging.losses.thrown_away import is_kept_by_somebody
from fairlead.packs.rule import Pack, Rule, Severity
from fairlead.shell.effects.effect import Action

_CHANGE = (Action.CHANGE_CONTAINER,)

PACK = Pack(
    id="containers",
    summary="Volumes with data, removal of everything at once, services of a swarm",
    rules=(
        Rule(
            id="containers/delete-volume",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGE,
            names=frozenset(("delete-volume", "prune-volumes", "delete-everything")),
            when=is_kept_by_somebody,
            reason="`{what}` deletes volumes: databases live there.",
            person="Data in container volumes would be lost.",
            alternative="Stop without volumes: `docker compose down`, or look: `docker volume ls`.",
            dangerous=(
                "docker volume rm data",
                "docker volume prune -f",
                "docker compose down -v",
                "docker system prune -a --volumes",
            ),
            harmless=("docker compose down", "docker volume ls", "docker run --rm alpine ls"),
        ),
        Rule(
            id="containers/prune",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("prune", "delete-many")),
            when=is_kept_by_somebody,
            reason="`{what}` removes containers or images that it does not name.",
            person="Containers and images of other projects are among them.",
            alternative="Name one: `docker rm web`, or look: `docker ps -a`.",
            dangerous=(
                "docker system prune -af",
                "vagrant destroy -f",
                "docker image prune -a",
                "kind delete cluster --name shop",
            ),
            harmless=(
                "kind delete cluster --name shop-test",
                "docker rm web",
                "docker image prune -f",
                "docker ps -a",
                "docker builder prune",
            ),
        ),
        Rule(
            id="containers/delete-service",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("delete-service", "leave-cluster")),
            reason="`{what}` takes a running service away.",
            person="A running service would go away.",
            alternative="Look: `docker service ls`.",
            dangerous=("docker stack rm prod", "docker swarm leave --force", "docker service rm api"),
            harmless=("docker service ls",),
        ),
    ),
)
