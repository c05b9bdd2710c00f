"""A program that is known is not weaker than one that nobody knows, given the same paths."""

import pytest

from fairlead.model.decision import Decision
from fairlead.packs.judging import call_effects as call
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.files.given_paths import option_and_value, otherwise_given
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.programs.record import Program
from fairlead.shell.script import Command, Word
from tests.unit.packs.guard_kit import judge, shell_event

HOME, ROOT = "/home/somebody", "/home/somebody/project"


def _stopped(line: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(call, "home_of_user", lambda: HOME)
    return judge(shell_event(line, root=ROOT)).decision.objects


@pytest.mark.parametrize(
    "line",
    [
        "apachectl -f /etc/shadow -t",
        "nginx -c /etc/shadow",
        "cd /etc && nginx -c shadow",
        "wget -i ~/.netrc",
        "wget --input-file=/etc/shadow",
        "wget -i/etc/shadow",
        "ssh -F /etc/shadow host",
        "ssh -F /etc/shadow host ls",
        "tmux -f ~/.ssh/id_rsa new-session",
        "date -f /etc/shadow",
        "dig @203.0.113.5 -f ~/.aws/credentials",
        "file -m ~/.aws/credentials notes.txt",
        "as @/etc/shadow",
        "ld @/etc/shadow",
        "ansible-playbook -e @/etc/shadow site.yml --check",
        "git commit -F ~/.ssh/id_rsa",
        "ip -batch /etc/shadow",
    ],
)
def test_a_secret_is_read_by_whatever_option_names_it(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _stopped(line, monkeypatch)


@pytest.mark.parametrize(
    "line",
    [
        "strace -o /etc/cron.d/job ls",
        "strace -o/etc/cron.d/job ls",
        "strace -fo/etc/cron.d/job ls",
        "strace --output /etc/cron.d/job -- ls",
        "strace --output=/etc/cron.d/job ls",
        "valgrind --log-file=/etc/cron.d/job ./app",
        "/usr/bin/time -o /etc/cron.d/job true",
        "ssh -E /etc/cron.d/job host",
        "rsync --log-file=/etc/cron.d/job a b",
        "logrotate -l /etc/cron.d/job app.conf",
        "docker run --cidfile /etc/cron.d/job alpine",
        "curl --stderr /etc/cron.d/job https://example.com",
        "node --redirect-warnings=/etc/cron.d/job a.js",
        "openssl enc -in notes.txt -out /etc/cron.d/job",
    ],
)
def test_a_system_file_is_made_by_whatever_option_names_it(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _stopped(line, monkeypatch)


@pytest.mark.parametrize(
    "line",
    [
        "ssh -i ~/.ssh/id_rsa -F ~/.ssh/config host ls",
        "kubectl --kubeconfig ~/.kube/config get pods",
        "helm --kubeconfig=~/.kube/config list",
        "docker compose --env-file .env.production up -d",
        "terraform plan -var-file=secrets.tfvars",
        "ansible-playbook --private-key ~/.ssh/id_rsa site.yml --check",
        "openssl req -new -key k.pem -out r.csr",
        "curl --cert client.pem --key client.key https://localhost:8443",
        "curl --netrc-file ~/.netrc https://api.example.com",
        "git check-ignore .env",
        "git log --oneline -- .env",
        "GIT_SSH_COMMAND='ssh -i ~/.ssh/deploy_key' git fetch",
        "node --require dotenv/config app.js dotenv_config_path=.env",
        "gunicorn --pid /run/app.pid app:app",
        "nginx -t -c /etc/nginx/nginx.conf",
        "chmod 600 ~/.ssh/id_ed25519",
        "git -c http.sslCAInfo=/etc/ssl/certs/ca.pem fetch",
        "strace -f -o trace.txt ls /etc",
        "find /etc -name '*.conf' -o -path /etc/ssl",
        "file -f list.txt",
        "wc -l .env",
    ],
)
def test_what_is_used_or_kept_where_it_belongs_is_nobodys_business(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not _stopped(line, monkeypatch)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a -f x", [("", "a"), ("-f", "x")]),
        ("-abf x", [("-abf", "x")]),
        ("-f/x", [("-f", "/x")]),
        ("--file=/x", [("--file", "/x")]),
        ("--file /x", [("--file", "/x")]),
        ("--data=@/x", [("@", "/x")]),
        ("-e @/x", [("@", "/x")]),
        ("@/x", [("@", "/x")]),
        ("if=/x", [("if", "/x")]),
        ("file:///x", [("", "/x")]),
        ("--set path=/x", [("--set:path", "/x")]),
        ("https://h/x", []),
    ],
)
def test_a_path_is_found_with_the_option_that_it_belongs_to(line: str, found: list[tuple[str, str]]) -> None:
    words = list(map(Word, line.split()))
    assert [(option, word.text) for option, word in option_and_value(words)] == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("tool -c /home/me/.kube/config", []),
        ("tool --config=/home/me/.kube/config", []),
        ("tool -c /etc/shadow", [(Action.READ, "/etc/shadow")]),
        ("tool --config /etc/shadow", [(Action.READ, "/etc/shadow")]),
        ("tool --log-file /etc/x", [(Action.OVERWRITE, "/etc/x")]),
    ],
)
def test_settings_are_used_and_anything_else_given_as_such_is_shown(
    line: str, found: list[tuple[Action, str]]
) -> None:
    where = Surroundings("/p", "/home/me")
    command = Command(tuple(map(Word, line.split())), "/p")
    effects = otherwise_given(command, Program("tool", "taught"), where, [])
    assert [(each.action, each.target.path) for each in effects if each.target] == found


def test_a_line_without_such_paths_is_not_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "home_of_user", lambda: HOME)
    assert judge(shell_event("wget -i urls.txt", root=ROOT)).decision is Decision.CONTINUE
