"""Databases of tests, clusters on this machine and old logs are there to be thrown away."""

import pytest

from tests.unit.packs.guard_kit import decide


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
        "rm /tmp/.env",
    ],
)
def test_what_only_looks_like_it_is_stopped(command: str) -> None:
    assert decide(command).objects
