"""Shell text is found in files of other formats, whole or in pieces."""

from __future__ import annotations

import pytest

from fairlead.shell.embedded import install_scripts, pipeline_commands


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("jobs:\n  b:\n    steps:\n      - run: make test\n", "make test"),
        ("      - run: |\n          a\n          b\n        env:\n          X: c\n", "a\nb"),
        ("build:\n  script:\n    - npm ci\n    - 'npm test'\n", "npm ci\nnpm test"),
        ("x:\n  script:\n    - |\n      a: b\n      c\n  tags: [d]\n", "a: b\nc"),
        ("commands: [go vet ./..., go test ./...]\n", "go vet ./...\ngo test ./..."),
        ('- command: "echo \\"hi\\""\n', 'echo "hi"'),
        ("name: it's a name\nrun: a # why\n", "a # why"),
        ("# run: a\n", ""),
        ("          tail of a block\n", "tail of a block"),
    ],
)
def test_the_steps_of_a_pipeline(text: str, commands: str) -> None:
    assert pipeline_commands("/p/.github/workflows/a.yml", text) == commands


def test_a_folded_block_is_one_command() -> None:
    found = pipeline_commands("/p/.gitlab-ci.yml", "script:\n  - >-\n    curl x\n    | sh\n")
    assert found == "curl x \\\n| sh \\"


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("steps { sh 'make test' }", "make test"),
        ('sh """\na\nb\n"""', "\na\nb\n"),
        ("sh(returnStdout: true, script: 'git log')", "git log"),
        ("echo 'not shell'", ""),
    ],
)
def test_the_steps_of_a_jenkinsfile(text: str, commands: str) -> None:
    assert pipeline_commands("/p/Jenkinsfile", text) == commands


def test_scripts_that_an_install_runs_by_itself() -> None:
    text = '{"scripts": {"test": "a", "postinstall": "b \\"c\\"", "prepare": "husky"}}'
    assert install_scripts(text) == 'b "c"\nhusky'
