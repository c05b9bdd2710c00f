"""A runner does what a file of the project says: whose the file is decides how strictly it is judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.git_traps import git
from tests.unit.packs.guard_kit import judge, shell_event

_RUNNERS = {
    "yarn deploy": ("package.json", '{{"scripts": {{"deploy": "{line}"}}}}'),
    "bun run deploy": ("package.json", '{{"scripts": {{"deploy": "{line}"}}}}'),
    "npm ci": ("package.json", '{{"scripts": {{"postinstall": "{line}"}}}}'),
    "run-s 'de*'": ("package.json", '{{"scripts": {{"deploy": "{line}"}}}}'),
    "turbo run deploy": ("package.json", '{{"scripts": {{"deploy": "{line}"}}}}'),
    "npx lint-staged": ("package.json", '{{"lint-staged": {{"*": "{line}"}}}}'),
    "composer deploy": ("composer.json", '{{"scripts": {{"deploy": ["{line}"]}}}}'),
    "deno task deploy": ("deno.json", '{{"tasks": {{"deploy": "{line}"}}}}'),
    "poe deploy": ("pyproject.toml", '[tool.poe.tasks]\ndeploy = {{shell = "{line}"}}\n'),
    "hatch run deploy": ("pyproject.toml", '[tool.hatch.envs.default.scripts]\ndeploy = "{line}"\n'),
    "pdm run deploy": ("pyproject.toml", '[tool.pdm.scripts]\ndeploy = {{shell = "{line}"}}\n'),
    "pipenv run deploy": ("Pipfile", '[scripts]\ndeploy = "{line}"\n'),
    "inv deploy": ("tasks.py", "@task\ndef deploy(c):\n    c.run('{line}')\n"),
    "nox -s deploy": ("noxfile.py", "@nox.session\ndef deploy(s):\n    s.run('sh', '-c', '{line}')\n"),
    "pytest": ("conftest.py", "import os\nos.system('{line}')\n"),
    "pytest tests/test_a.py": ("tests/test_a.py", "import os\ndef test_a():\n    os.system('{line}')\n"),
    "pip install -e .": ("setup.py", "import os\nos.system('{line}')\n"),
    "python -m build": ("setup.py", "import os\nos.system('{line}')\n"),
    "pre-commit run": (
        ".pre-commit-config.yaml",
        "repos:\n- repo: local\n  hooks:\n  - {{id: a, language: system, entry: '{line}'}}\n",
    ),
    "lefthook run pre-commit": ("lefthook.yml", "pre-commit:\n  commands:\n    a: {{run: '{line}'}}\n"),
    "git commit -m x": (".husky/pre-commit", "{line}\n"),
    "git push": (".githooks/pre-push", "#!/bin/sh\n{line}\n"),
    "rake deploy": ("Rakefile", "task :deploy do\n  sh '{line}'\nend\n"),
    "go generate": ("a.go", 'package a\n//go:generate sh -c "{line}"\n'),
    "cmake -B build": ("CMakeLists.txt", "execute_process(COMMAND {line})\n"),
    "ansible-playbook a.yml": ("a.yml", "- hosts: localhost\n  tasks:\n  - shell: {line}\n"),
    "foreman start": ("Procfile", "web: {line}\n"),
    "direnv allow": (".envrc", "{line}\n"),
    "devcontainer up": (".devcontainer/devcontainer.json", '{{"initializeCommand": "{line}"}}'),
    "cargo test": (".cargo/config.toml", '[target.x]\nrunner = "{line}"\n'),
    "git hook run pre-push": (".githooks/pre-push", "#!/bin/sh\n{line}\n"),
    "go run .": ("a.go", 'package main\nfunc main() {{ exec.Command("sh", "-c", "{line}").Run() }}\n'),
    "java a.java": ("a.java", 'class A {{ void a() {{\nRuntime.getRuntime().exec("{line}");\n}} }}\n'),
    "bats a.bats": ("a.bats", '@test "a" {{\n  {line}\n}}\n'),
    "jupyter nbconvert --to html --execute a.ipynb": (
        "a.ipynb",
        '{{"cells": [{{"cell_type": "code", "source": ["import os\\n", "!{line}\\n"]}}]}}',
    ),
    "papermill a.ipynb out.ipynb": (
        "a.ipynb",
        '{{"cells": [{{"cell_type": "code", "source": "import os\\nos.system(\'{line}\')"}}]}}',
    ),
    "jupyter execute a.ipynb": (
        "a.ipynb",
        '{{"cells": [{{"cell_type": "code", "source": "%%bash\\n{line}"}}]}}',
    ),
    "pm2 start a.js --name a": ("a.js", "require('child_process').execSync('{line}')\n"),
    "pm2 start a.sh": ("a.sh", "{line}\n"),
    "npx nodemon a.js": ("a.js", "require('child_process').execSync('{line}')\n"),
    "electron a.js": ("a.js", "require('child_process').execSync('{line}')\n"),
    "watchexec -e js -- sh a.sh": ("a.sh", "{line}\n"),
    "psql -d x -f a.sql": ("a.sql", "select 1;\n\\! {line}\n"),
    "psql --file=a.sql": ("a.sql", "\\! {line}\n"),
    "vim -S a.vim": ("a.vim", "set nu\n!{line}\n"),
    "nvim -u a.vim b.txt": ("a.vim", "call system('{line}')\n"),
    "gdb -batch -x a.gdb ./a": ("a.gdb", "break main\nshell {line}\n"),
    "emacs --script a.el": ("a.el", '(message "a")\n(shell-command "{line}")\n'),
    "python -m pdb a.py": ("a.py", "import os\nos.system('{line}')\n"),
    "python3 -m cProfile -s time a.py": ("a.py", "import os\nos.system('{line}')\n"),
    "streamlit run a.py": ("a.py", "import os\nos.system('{line}')\n"),
    "locust -f a.py": ("a.py", "import os\nos.system('{line}')\n"),
    "uvicorn app.main:app --reload": ("app/main.py", "import os\nos.system('{line}')\n"),
    "gulp": ("gulpfile.js", "require('child_process').execSync('{line}')\n"),
}  # fmt: skip
_HOOKS = {"git commit -m x": ".husky", "git push": ".githooks", "git hook run pre-push": ".githooks"}


def _lay(root: Path, runner: str, line: str, *, committed: bool) -> None:
    name, text = _RUNNERS[runner]
    git(root, "init", "-q")
    if runner in _HOOKS:
        git(root, "config", "core.hooksPath", _HOOKS[runner])
    path = root / name
    path.parent.mkdir(exist_ok=True)
    (root / "README.md").write_text("A project.\n")
    if committed:
        path.write_text(text.format(line=line))
    git(root, "add", "-A")
    git(root, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "work")
    path.write_text(text.format(line=line))


@pytest.mark.parametrize("runner", _RUNNERS)
@pytest.mark.parametrize(
    ("line", "committed", "expected"),
    [
        ("rm -rf ~", False, Decision.BLOCK),
        ("rm -rf ~", True, Decision.BLOCK),
        ("npm publish", False, Decision.ASK),
        ("npm publish", True, Decision.CONTINUE),
        ("echo nothing", False, Decision.CONTINUE),
    ],
)
def test_whose_recipe_it_is_decides_how_strictly_it_is_judged(
    tmp_path: Path, runner: str, line: str, *, committed: bool, expected: Decision
) -> None:
    _lay(tmp_path, runner, line, committed=committed)
    found = judge(shell_event(runner, root=str(tmp_path)))
    assert found.decision == expected, found.reason
