"""Processes that are looked for first: what would be killed is what is searched for."""

import pytest

from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "line",
    [
        "kill -9 $(pgrep -f sshd)",
        "kill $(pidof dockerd)",
        "ps aux | grep postgres | awk '{print $2}' | xargs kill -9",
        "sudo kill -9 $(ps -ef | grep '[n]ginx' | awk '{print $2}')",
        "for p in $(pgrep systemd); do kill -9 $p; done",
        "lsof -t -i :22 | xargs kill -9",
        "kill -9 $(ps -eo pid= )",
        "pgrep . | xargs kill -9",
        "ls /proc | grep '^[0-9]' | xargs kill -9",
        "for p in /proc/[0-9]*; do kill -9 ${p##*/}; done",
        "sudo killall -u postgres",
        "sudo pkill -u www-data",
        "kill -9 -1",
        "sudo fuser -k 5432/tcp",
        "ps -u root -o pid= | xargs sudo kill",
        "kill $(ps aux | awk '/fairlead/ {print $2}')",
        "pkill -f fairlead",
        "ps -A -o pid,comm | awk '$2 ~ /auditd/ {print $1}' | xargs sudo kill -TERM",
        "killall -9 Finder Dock SystemUIServer loginwindow",
        'pgrep -x mysqld | while read p; do kill -9 "$p"; done',
        "kill $(ss -ltnp 'sport = :22' | grep -oP 'pid=\\K\\d+')",
        "kill $(lsof -ti tcp:22)",
        "kill $(lsof -t -i@127.0.0.1:5432)",
        "kill -9 $(ps -C sshd -o pid=)",
        "ps -ef | awk '$8 == \"auditd\" {print $2}' | xargs -r kill",
        "ps aux | grep -E 'nginx|apache2' | awk '{print $2}' | sudo xargs kill -9",
        "for p in $(pgrep -f '/usr/sbin/sshd'); do sudo kill $p; done",
        "P=$(pidof postgres); kill $P",
        "fuser -k 22/tcp",
        "fuser -k -n tcp 5432",
        "kill $(fuser 5432/tcp)",
        "PID=$(ps aux | grep '[d]ockerd' | awk '{print $2}'); kill -9 $PID",
        "kill $(ps aux | awk '$1 == \"root\" {print $2}')",
        "pkill nginx",
    ],
)
def test_the_name_that_is_searched_for_is_what_would_be_killed(line: str) -> None:
    assert decide(line).objects


@pytest.mark.parametrize(
    "line",
    [
        "kill $(ps aux | awk '/vite/ {print $2}')",
        "kill $(lsof -t -i:3000)",
        "lsof -ti tcp:8080 | xargs kill -9",
        'pkill -f "next dev"',
        'kill -9 $(pgrep -f "node server.js")',
        "ps aux | grep webpack | grep -v grep | awk '{print $2}' | xargs kill",
        "for p in $(pgrep -f uvicorn); do kill $p; done",
        "fuser -k 5173/tcp",
        "kill %1",
        "pgrep -f pytest | xargs -r kill",
        "kill -0 $(cat server.pid)",
        "pgrep -fl node",
        "kill $(ps aux | awk '$11 ~ /vite/ {print $2}')",
        "ps aux | grep -E \"vite|next\" | awk '{print $2}' | xargs kill",
        "ps ax -o pid,command | awk '/node server/{print $1}' | xargs kill",
        "kill $(ps aux | awk '/[v]ite/ && !/awk/ {print $2}')",
        "kill -9 $(ps -ef | grep 'my-postgres-proxy' | grep -v grep | awk '{print $2}')",
        "ps -ef | awk '$8 == \"gunicorn\" {print $2}' | xargs -r kill",
        "kill $(ss -ltnp 'sport = :3000' | grep -oP 'pid=\\K\\d+')",
        "kill $(pgrep -f 'postgres -D /tmp/testdb')",
        "kill $(pgrep -u $USER -f uvicorn)",
        'pgrep -f "python manage.py" | xargs kill',
        "kill $(cat /tmp/server.pid)",
        "kill $(jobs -p)",
        "kill -HUP $(pidof nginx)",
        "pkill -HUP nginx",
        "sudo kill -s HUP $(cat /run/nginx.pid)",
        "kill -USR1 $(pidof nginx)",
    ],
)
def test_ones_own_programs_may_be_looked_for_and_ended(line: str) -> None:
    assert not decide(line).objects
