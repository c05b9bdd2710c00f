"""Practice reads the examples of the rules, and leaves nothing behind that a call would notice."""

from __future__ import annotations

import subprocess
import sys

from fairlead.packs.guards.practice import practise
from fairlead.packs.judging import readings as call
from fairlead.shell import reader


def test_every_kind_of_rule_has_been_read_once(monkeypatch):
    texts = []
    real = reader.read_script
    monkeypatch.setattr(
        "fairlead.packs.guards.practice.read_script",
        lambda text, **given: texts.append(text) or real(text, **given),
    )
    remembered = dict(call._harmless)
    practise()
    assert {text.split()[0] for text in texts} >= {"rm", "git", "curl", "psql", "kubectl", "docker"}
    assert call._harmless == remembered


def test_after_practice_no_call_that_runs_files_or_remembers_waits_for_a_module():
    wanted = """
        packs.earlier.run_before packs.judging.losses.committed_work packs.noting.file_notes
        packs.repository.work_tree sessions.recollection shell.following.recipe_files.hooks.git_hooks
        shell.protected.candidates
    """
    seen = (
        "import sys; from fairlead.packs.guards.practice import load_rooms; load_rooms()\n"
        f"print([name for name in {wanted.split()} if f'fairlead.{{name}}' not in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
