"""What the records of programs cannot show with one line each: that the same is caught by every door."""

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "command",
    [
        "cmake -E rm -rf /srv/data",
        "cmake -E remove_directory ~/Documents",
        "cmake -E rename ~/Documents /srv/x",
        "cmake -E copy_if_different x /etc/passwd",
        "cmake -E create_symlink /tmp/x /usr/lib/libc.so",
        "cmake -E cat .env",
        "cmake -E chdir /srv rm -rf data",
        "python -m keyring get system user",
        "python3 -m venv --clear /srv/app",
        "python -m aider --yes",
        "shutdown -h",
        "shutdown -h now",
        "halt -h",
        "sops exec-env x.yaml env",
        "sops exec-env x.yaml 'printenv AWS_KEY'",
        "cursor-agent --print --force 'fix it'",
        "gemini mcp add x -- node s.js",
        "goose run --auto",
        "goose down-to 0",
        "copilot app delete",
        "hydra -L users.txt -P words.txt ssh://10.0.0.1",
        "ceph-deploy disk zap node1:sdb",
        "lvremove --all vg0",
        "dscl . -delete /Users/bob",
        "nsenter --target=1 -m sh",
        "php .env",
        "gawk '{print}' .env",
        "zgrep KEY .env",
    ],
)
def test_it_is_stopped(command: str) -> None:
    assert decide(command) >= Decision.ASK


@pytest.mark.parametrize(
    "command",
    [
        "cmake --preset release && cmake --build --preset release",
        "cmake -E rm -rf build",
        "cmake -E copy a.txt build/a.txt",
        "python -m venv --clear .venv",
        "python -m json.tool data.json",
        "shutdown -c",
        "shutdown --show",
        "sops exec-env x.yaml 'npm start'",
        "gemini -p 'say -y'",
        "cursor-agent -m sonnet status",
        "hydra serve all",
        "lvremove -t vg0/data",
        "nsenter --target=4242 -m ps",
        "php index.php",
        "kubectl get pods -o yaml",
        "pytest -o cache_dir=/etc/x",
    ],
)
def test_it_passes(command: str) -> None:
    assert decide(command) < Decision.ASK


def test_only_the_shells_own_command_is_harmless_by_its_name() -> None:
    assert decide("cd --dangerously-skip-permissions") is Decision.CONTINUE
    assert decide("./cd --dangerously-skip-permissions") is Decision.ASK
