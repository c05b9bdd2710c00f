"""Files that code runs: scripts that it starts, whichever language it is written in."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.hook import Outcome
from tests.unit.packs.guard_kit import judge, shell_event
from tests.unit.packs.project_files.project_kit import commit, put


def said(root: Path, command: str) -> Outcome:
    return judge(shell_event(command, root=str(root)))


STARTING = [
    """python3 -c "import os;os.system('bash x.sh')" """,
    """python3 -c "import os;os.system('./x.sh')" """,
    """python3 -c "import subprocess as s;s.run(['./x.sh'])" """,
    """python3 -c "import subprocess;subprocess.check_call(['bash', 'x.sh'])" """,
    """python3 -c "import os;os.execv('./x.sh', ['x'])" """,
    """python3 -c "import os;os.spawnl(os.P_WAIT, './x.sh', 'x')" """,
    """node -e "require('child_process').execSync('./x.sh')" """,
    """perl -e 'system("./x.sh")' """,
    """ruby -e 'system "./x.sh"' """,
]


@pytest.mark.parametrize("command", STARTING)
def test_a_script_that_code_starts_is_read(tmp_path: Path, command: str) -> None:
    commit(tmp_path)
    put(tmp_path, "x.sh", "#!/bin/sh\nrm -rf ~\n")
    assert said(tmp_path, command).decision is Decision.BLOCK


@pytest.mark.parametrize("command", STARTING)
def test_a_harmless_script_that_code_starts_passes(tmp_path: Path, command: str) -> None:
    commit(tmp_path)
    put(tmp_path, "x.sh", "#!/bin/sh\nrm -rf build\n")
    assert said(tmp_path, command).decision is Decision.CONTINUE


USE = 'import subprocess\nsubprocess.check_call(["bash", "x.sh"])\n'


def test_a_script_that_a_file_of_code_starts_is_read_and_the_way_to_it_is_told(tmp_path: Path) -> None:
    commit(tmp_path, use_py=USE)
    put(tmp_path, "x.sh", "#!/bin/sh\nrm -rf ~\n")
    outcome = said(tmp_path, "python use.py")
    assert outcome.decision is Decision.BLOCK
    assert "use.py:1 → x.sh:2 (written since the last commit)" in str(outcome)


@pytest.mark.parametrize(("changed", "verdict"), [("", Decision.CONTINUE), ("x.sh", Decision.BLOCK)])
def test_the_script_is_judged_by_whose_it_is_and_not_by_whose_the_code_is(
    tmp_path: Path, changed: str, verdict: Decision
) -> None:
    line = "#!/bin/sh\ngit push --force origin main\n"
    commit(tmp_path, use_py=USE, x_sh=line)
    if changed:
        put(tmp_path, changed, f"{line}\necho more\n")
    assert said(tmp_path, "python use.py").decision is verdict


def test_what_code_runs_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    commit(tmp_path, use_py=USE, x_sh="echo fine\n")
    assert said(tmp_path, "python use.py").decision is Decision.CONTINUE
    put(tmp_path, "x.sh", "rm -rf ~\n")
    assert said(tmp_path, "python use.py").decision is Decision.BLOCK


def test_code_that_runs_itself_and_its_neighbours_over_and_over_ends(tmp_path: Path) -> None:
    commit(tmp_path)
    lines = [f"os.system('python f{number}.py')" for number in range(30)]
    for number in range(30):
        put(tmp_path, f"f{number}.py", "import os\n" + "\n".join(lines))
    assert said(tmp_path, "python f0.py").decision is Decision.CONTINUE


# What code takes in

WIPE = "import os\nos.system('rm -rf ~')\n"
WIPE_JS = "require('child_process').execSync('rm -rf ~')\n"
LOADING = [
    ("a.py", WIPE, 'python3 -c "import a"'),
    ("a.py", WIPE, 'python3 -c "import sys, a as b; print(1)"'),
    ("json.py", WIPE, 'python3 -c "import json"'),
    ("pkg/cli.py", WIPE, 'python3 -c "from pkg import cli"'),
    ("pkg/cli.py", WIPE, 'python3 -c "from pkg.cli import main"'),
    ("pkg/__init__.py", WIPE, 'python3 -c "import pkg.cli"'),
    ("lib/a.py", WIPE, 'PYTHONPATH=lib python3 -c "import a"'),
    ("a.py", WIPE, "python3 -c \"import importlib; importlib.import_module('a')\""),
    ("a.py", WIPE, "python3 -c \"exec(open('a.py').read())\""),
    ("a.py", WIPE, "python3 -c \"import runpy; runpy.run_path('a.py')\""),
    ("lib/a.py", WIPE, "python3 -c \"import sys; sys.path.insert(0, 'lib'); import a\""),
    ("b.js", WIPE_JS, "node -e \"require('./b.js')\""),
    ("b.js", WIPE_JS, "node -e \"require('./b')\""),
    ("b.js", WIPE_JS, "node -e \"import('./b.js')\""),
    ("b.mjs", WIPE_JS, "node --input-type=module -e \"import './b.mjs'\""),
    ("main.rb", "system('rm -rf ~')\n", "ruby -e \"require './main'\""),
    ("b.js", WIPE_JS, "node -r ./b.js -e 1"),
    ("b.js", WIPE_JS, "node --import ./b.js app.js"),
    ("b.js", WIPE_JS, "node --require=./b.js app.js"),
    ("b.js", WIPE_JS, 'NODE_OPTIONS="--require ./b.js" node -e 1'),
    ("b.js", WIPE_JS, 'export NODE_OPTIONS="--require ./b.js"; node -e 1'),
    ("main.rb", "system('rm -rf ~')\n", "ruby -r./main.rb -e 1"),
    ("main.rb", "system('rm -rf ~')\n", "RUBYOPT=-r./main ruby -e 1"),
    ("a.php", "<?php system('rm -rf ~');\n", "php -r \"require 'a.php';\""),
]


@pytest.mark.parametrize(("name", "text", "command"), LOADING)
def test_what_code_takes_in_is_read(tmp_path: Path, name: str, text: str, command: str) -> None:
    commit(tmp_path)
    put(tmp_path, name, text)
    assert said(tmp_path, command).decision is Decision.BLOCK


@pytest.mark.parametrize(("name", "text", "command"), LOADING)
def test_what_code_takes_in_passes_where_it_is_harmless(
    tmp_path: Path, name: str, text: str, command: str
) -> None:
    commit(tmp_path)
    put(tmp_path, name, text.replace("rm -rf ~", "echo hello"))
    assert said(tmp_path, command).decision is Decision.CONTINUE


def test_the_way_through_modules_is_told(tmp_path: Path) -> None:
    commit(tmp_path, use_py="import sys\nfrom pkg import cli\n")
    put(tmp_path, "pkg/cli.py", "\n\nfrom .deep import wipe\n")
    put(tmp_path, "pkg/deep.py", WIPE)
    outcome = said(tmp_path, "python use.py")
    assert outcome.decision is Decision.BLOCK
    assert "use.py:2 → pkg/cli.py:3 → pkg/deep.py:1 (written since the last commit)" in str(outcome)


FUNCTIONS = "import os\n\ndef wipe():\n    os.system('rm -rf ~')\n\ndef other():\n    wipe()\n\n"


@pytest.mark.parametrize(
    ("text", "use", "verdict"),
    [
        (FUNCTIONS, "import a\nprint(a.version)\n", Decision.CONTINUE),
        (FUNCTIONS, "from a import other\nother()\n", Decision.BLOCK),
        (FUNCTIONS + "other()\n", "import a\n", Decision.BLOCK),
        (FUNCTIONS + "if __name__ == '__main__':\n    other()\n", "import a\n", Decision.CONTINUE),
        (FUNCTIONS + "if __name__ != '__main__':\n    other()\n", "import a\n", Decision.BLOCK),
        (FUNCTIONS.replace("def other", "@register\ndef other"), "import a\n", Decision.BLOCK),
        (FUNCTIONS.replace("def other()", "def __getattr__(name)"), "import a\n", Decision.BLOCK),
        ("import os\ndef f(x=os.system('rm -rf ~')): return [\n    1]\n", "import a\n", Decision.BLOCK),
        ("import os\nclass A:\n    os.system('rm -rf ~')\n", "import a\n", Decision.BLOCK),
        ("import os\ndef f(x=os.system('rm -rf ~')):\n    pass\n", "import a\n", Decision.BLOCK),
    ],
)
def test_functions_of_a_module_count_where_something_names_them(
    tmp_path: Path, text: str, use: str, verdict: Decision
) -> None:
    commit(tmp_path)
    put(tmp_path, "a.py", text)
    put(tmp_path, "use.py", use)
    assert said(tmp_path, "python use.py").decision is verdict


def test_a_function_counts_whichever_module_names_it(tmp_path: Path) -> None:
    commit(tmp_path, use_py="import a\nimport b\n", b_py="from a import other\nother()\n")
    put(tmp_path, "a.py", FUNCTIONS)
    assert said(tmp_path, "python use.py").decision is Decision.BLOCK


def test_a_module_that_the_line_itself_writes_is_read(tmp_path: Path) -> None:
    commit(tmp_path)
    line = "echo 'import os; os.system(\"{}\")' > zz.py; python -c 'import zz'"
    assert said(tmp_path, line.format("rm -rf ~")).decision is Decision.BLOCK
    assert said(tmp_path, line.format("echo hello")).decision is Decision.CONTINUE


def test_a_committed_module_is_judged_as_other_committed_files_are(tmp_path: Path) -> None:
    push = "import os\nos.system('git push --force origin main')\n"
    commit(tmp_path, use_py="import a\n", a_py=push)
    assert said(tmp_path, "python use.py").decision is Decision.CONTINUE
    put(tmp_path, "a.py", f"{push}\n")
    assert said(tmp_path, "python use.py").decision is Decision.BLOCK


def test_modules_that_take_in_one_another_end(tmp_path: Path) -> None:
    commit(tmp_path)
    every = "".join(f"import m{number}\n" for number in range(60))
    for number in range(60):
        put(tmp_path, f"m{number}.py", every)
    assert said(tmp_path, "python m0.py").decision is Decision.CONTINUE


# What starts code of the project


@pytest.mark.parametrize(
    "command",
    [
        "python -m pdb a.py",
        "python -m cProfile a.py",
        "python -m cProfile -o out.prof a.py --fast",
        "python -m trace --trace a.py",
        "python -m debugpy --listen 5678 a.py",
        "python -m coverage run a.py",
        "torchrun --nproc_per_node=2 a.py",
        "streamlit run a.py",
        "locust -f a.py",
        "uvicorn a:app --reload",
        "python -m uvicorn a:app",
        "gunicorn -w 4 a:app",
        "gunicorn --bind=0.0.0.0:8000 'a:make()'",
        "flask --app a run",
        "flask --app=a run",
        "celery -A a worker",
        "celery --app=a worker -l info",
    ],
)
@pytest.mark.parametrize(
    ("text", "verdict"), [(WIPE, Decision.BLOCK), ("import os\napp = os.getcwd()\n", Decision.CONTINUE)]
)
def test_code_is_read_whatever_starts_it(tmp_path: Path, command: str, text: str, verdict: Decision) -> None:
    commit(tmp_path)
    put(tmp_path, "a.py", text)
    assert said(tmp_path, command).decision is verdict


@pytest.mark.parametrize(
    "command", ["pm2 start b.js", "npx nodemon b.js", "electron b.js", "forever start b.js"]
)
def test_scripts_of_javascript_are_read_whatever_starts_them(tmp_path: Path, command: str) -> None:
    commit(tmp_path)
    put(tmp_path, "b.js", WIPE_JS)
    assert said(tmp_path, command).decision is Decision.BLOCK
