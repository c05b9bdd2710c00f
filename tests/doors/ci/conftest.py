"""A project with hooks, and a step of GitHub Actions that runs them."""

import pytest

from github_runner import Runner
from hook_files import script


@pytest.fixture
def hooks(machine):
    folder = machine.project / "ci-cd"
    folder.mkdir()
    return lambda name, body, mode=0o755: script(folder, name, body, mode)


class GitHubStep:
    def __init__(self, machine):
        self._machine = machine
        self.env, self.output, self.summary = (
            machine.project.parent / name for name in ("env-file", "output-file", "summary-file")
        )
        for each in (self.env, self.output, self.summary):
            each.write_text("")
        self.environment = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_ENV": str(self.env),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_WORKSPACE": str(machine.project),
        }

    def run(self, *words, **environment):
        done = self._machine.fairlead(
            "run", "begin", "--github", *words, environment=self.environment | environment
        )
        return done, Runner().read(done.stdout)


@pytest.fixture
def step(machine):
    return GitHubStep(machine)
