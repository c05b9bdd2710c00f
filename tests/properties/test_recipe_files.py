"""Whatever the files of a project hold, reading what a runner would run ends and raises nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.shell.programs.running import RECIPE_READERS, recipe_readers_of
from fairlead.shell.reader import read_script

_VERBS = {
    "git": ("commit -m x", "zz", "push"), "python": ("-m pytest", "-m unittest a.b", "-m build"),
    "go": ("generate ./...",), "docker": ("compose up", "compose run a sh", "compose -f - up <x"),
    "pip": ("install .", "install -e a"), "uv": ("sync", "pip install ."), "node": ("--run a",),
    "cargo": ("build", "test", "make a"), "composer": ("install", "run a"), "deno": ("task a",),
    "pre-commit": ("run", "run a"), "lefthook": ("run a",), "ansible-playbook": ("a.yml",),
    "direnv": ("allow",), "devcontainer": ("up",), "terraform": ("plan", "apply"), "nx": ("run a:b", "a"),
    "npm": ("run a", "i", "run a -w b", "run $X"), "yarn": ("", "a", "workspace a b"),
}  # fmt: skip
_OTHERS = ("", "a", "run a", "start", "-f a a", "$X", "a b=c")
_PIECES = (
    "a", "b", "x ", "rm -rf /x", ":", ": ", " := ", "=", " += ", "!=", "?=", "\n", "\n\t", "\n  ", "\t",
    "- ", "{", "}", "[", "]", "(", ")", "$(", "${", "$", "$$", "{{", "}}", "{{.a}}", "#", "#!", "'", '"',
    '"""', "'''", "`", "\\", "\\\n", ",", ";", "%", "@", "*", "&a ", "*a", "<<: ", "|\n", "\0", "\ue000",
    "\ue0001\ue001", "\udc80", "define a\n", "endef\n", "ifeq (a,b)\n", "ifdef a\n", "else\n", "endif\n",
    "include a\n", "export ", "$(shell rm x)", "$(call a,b)", "$(foreach a,b,c)", "$(eval a: b)",
    "$(patsubst %,a,b)", ".ONESHELL:\n", '{"scripts": {"a": "rm x"', '"workspaces": ["*"]',
    '{"tasks": {"a":', "[tool.poe.tasks]\n", "[testenv]\n", "commands = ", "tasks:\n", "cmds:\n",
    "services:\n", "volumes:\n", "repos:\n", "hooks:\n", "- hosts: localhost\n", "shell: ",
    "task :a do\n", "end\n", "namespace :a do\n", "import 'a'\n", "mod a\n", "alias a := b\n",
    "def a(c):\n    c.run('x')\n", "//go:generate rm x\n", "<executable>", "<arguments>", "[core]\n",
    "hookspath = a\n", "gitdir: /a/worktrees/b", "set shell := ['a']\n", "a b='c':\n  d {{b}}\n",
)  # fmt: skip
_TEXTS = st.lists(st.sampled_from(_PIECES) | st.text(max_size=8), max_size=60).map("".join)
_NAMES = sorted({recipe_readers_of(name): name for name in RECIPE_READERS}.values() | _VERBS.keys())


@pytest.mark.parametrize("name", _NAMES)
@settings(max_examples=40, deadline=None)
@given(text=_TEXTS, other=_TEXTS)
def test_no_file_makes_a_reader_of_recipes_raise(name: str, text: str, other: str) -> None:
    def content(path: str) -> str | None:
        return None if path.endswith(("/gone", ".git")) else other if "/a" in path else text

    for words in _VERBS.get(name, _OTHERS):
        script = read_script(
            f"{name} {words}", cwd="/home/u/p", home="/home/u", top="/home/u/p", files=content, folders=_names
        )
        assert script.commands or script.opaque


def _names(folder: str) -> list[str]:
    return ["a", "b.go", "c.tf", "d"]
