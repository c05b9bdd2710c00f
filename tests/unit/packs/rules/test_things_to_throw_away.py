"""Databases of tests, clusters on this machine and old logs are there to be thrown away."""

from pathlib import Path

import pytest

from tests.unit.packs.guard_kit import decide, judge, shell_event


@pytest.mark.parametrize(
    "command",
    [
        "dropdb --if-exists app_test_tmp && createdb app_test_tmp",
        'psql "postgres://a:a@localhost:5433/app_test" -c "truncate bookings restart identity"',
        "psql -d app_test -c 'DROP TABLE users'",
        "psql -d postgres -c 'DROP DATABASE app_test'",
        "mysql app_test -e 'drop table x'",
        "docker compose exec -T db psql -d postgres -c 'DROP DATABASE app_test' -c 'SELECT 1'",
        "kubectl --context kind-dev delete -k deploy/dev",
        "kubectl --context=minikube -n shop delete pod -l app=x",
        "kubectl config use-context kind-dev",
        "molecule destroy",
        "docker images shop/basket --format '{{.ID}}' | tail -n +6 | xargs -r docker rmi -f",
        'for f in /var/log/app/*.log; do mv -- "$f" "$f.$(date +%F)"; done',
        """find /var/log/app -name '*.log' | while read -r f; do mv -- "$f" "$f.$(date +%F)"; done""",
        "rm /tmp/test.keystore",
        "kind delete cluster --name shop-test",
        "kind delete cluster --name=e2e",
        "k3d cluster delete ci-42",
        "python manage.py flush --no-input --settings=shop.settings.test",
    ],
)
def test_what_is_there_to_be_thrown_away_passes(command: str) -> None:
    assert not decide(command).objects


@pytest.mark.parametrize(
    "command",
    [
        "dropdb app",
        "dropdb app_test app",
        "dropdb -h db.example.com app_test",
        "dropdb app_test_prod",
        "dropdb latest",
        'psql "postgres://a:a@db.example.com/app_test" -c "truncate bookings"',
        "psql -d app_test -c '\\c app' -c 'DROP TABLE users'",
        "psql -d app_test -c 'DROP DATABASE app'",
        "psql -d app -c 'DROP DATABASE app_test; DROP TABLE users'",
        "PGHOST=db.example.com psql -d app_test -c 'DROP TABLE x'",
        "psql 'host=db.example.com dbname=app_test' -c 'drop table x'",
        "ssh host \"psql -d app_test -c 'DROP TABLE users'\"",
        "mysql -e 'use app; drop table x' app_test",
        "docker -H ssh://host exec db psql -d app_test -c 'drop table x'",
        "kubectl --context live delete pod x",
        "kubectl --context kind-x --kubeconfig /p delete ns shop",
        "kubectl --context kind-x -s https://x.example delete ns shop",
        "KUBECONFIG=/p kubectl --context kind-x delete ns shop",
        "kubectl --context kind-x get secret db -o yaml",
        "kubectl config rename-context live kind-live",
        "kubectl config set-context kind-x --cluster=live",
        "docker images --format '{{.ID}}' | xargs docker rmi -f",
        "docker images --format shop | xargs docker rmi -f",
        'for f in /var/log/app/*.log; do mv -- "$f" /tmp/; done',
        'for f in /var/log/*; do mv -- "$f" "$f.1"; done',
        "rm /tmp/*.key",
        "kind delete cluster --name shop",
        "kind delete cluster",
        "kind delete clusters --all",
        "kind delete clusters shop-test live",
        "kind delete cluster --name test-prod",
        "k3d cluster delete ci-42 shop",
        "k3d cluster delete -a",
        "ssh host kind delete cluster --name shop-test",
        "python manage.py flush --no-input --settings=shop.settings.production",
        "DATABASE_URL=postgres://db.example.com/x python manage.py flush --settings=shop.settings.test",
        "rm /tmp/.env",
    ],
)
def test_what_only_looks_like_it_is_stopped(command: str) -> None:
    assert decide(command).objects


SERVICES = "services:\n  aws:\n    image: localstack/localstack:3\n    ports: ['4566:4566']\n"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("docker compose down -v", SERVICES, True),
        ("docker compose -f compose.yml down -v --remove-orphans", SERVICES, True),
        ("docker-compose down --volumes", SERVICES, True),
        ("docker compose down -v", f"{SERVICES}    volumes: [data:/d]\nvolumes:\n  data:\n", False),
        ("docker compose down -v", f"{SERVICES}    volumes:\n      - ./d:/d\n", False),
        ("docker compose down -v", "include: [other.yml]\n" + SERVICES, False),
        ("docker compose down -v", "services: {}\n", False),
        ("docker compose -f other.yml down -v", SERVICES, False),
        ("docker compose -p shop down -v", SERVICES, False),
        ("docker --context live compose down -v", SERVICES, False),
        ("DOCKER_HOST=ssh://host docker compose down -v", SERVICES, False),
        ("ssh host docker compose down -v", SERVICES, False),
        ("docker compose down -v --rmi all", SERVICES, False),
        ("docker compose rm -sfv", SERVICES, False),
    ],
)
def test_services_without_volumes_keep_nothing(
    tmp_path: Path, command: str, text: str, expected: bool
) -> None:
    (tmp_path / "compose.yml").write_text(text)
    found = judge(shell_event(command, root=str(tmp_path)))
    assert (not found.decision.objects) is expected


def test_an_override_beside_it_may_keep_something(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(SERVICES)
    (tmp_path / "compose.override.yml").write_text("services:\n  aws:\n    volumes: [data:/d]\n")
    assert judge(shell_event("docker compose down -v", root=str(tmp_path))).decision.objects


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("adb shell pm clear io.acme.maps", True),
        ("adb -s emulator-5554 shell pm clear io.acme.maps.debug", True),
        ("adb shell pm uninstall io.acme.maps", True),
        ("adb shell pm clear com.whatsapp", False),
        ("adb shell pm clear io.acme.maps com.whatsapp", False),
        ("adb shell pm uninstall -k --user 0 io.acme.maps", False),
        ('adb shell pm clear "$APP"', False),
        ("adb shell reboot", False),
    ],
)
def test_the_app_of_the_project_may_be_cleared(tmp_path: Path, command: str, expected: bool) -> None:
    (tmp_path / "capacitor.config.ts").write_text("export default { appId: 'io.acme.maps' };\n")
    assert (not judge(shell_event(command, root=str(tmp_path))).decision.objects) is expected
