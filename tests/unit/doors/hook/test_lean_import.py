"""Modules that are loaded without looking for them are the same modules."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from importlib import import_module, invalidate_caches

import pytest

from fairlead.doors.hook.lean_import import LeanFinder

_SEEN = """
import sys
import fairlead
from importlib import import_module
if sys.argv[1:] == ["lean"]:
    from fairlead.doors.hook.lean_import import import_leanly
    import_leanly("fairlead", fairlead.__path__[0])
for name in ("fairlead.policy.places", "fairlead.shell", "fairlead.model.value", "fairlead.packs.rules"):
    module = import_module(name)
    spec = module.__spec__
    print(name, module.__file__, module.__cached__, module.__package__, getattr(module, "__path__", None),
        spec.origin, spec.has_location, spec.loader.get_filename(name), len(spec.loader.get_source(name)))
"""


def _told(*how: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", _SEEN, *how], capture_output=True, text=True, check=True
    ).stdout


def test_a_module_says_the_same_of_itself_whichever_way_it_was_loaded():
    assert _told("lean") == _told()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package `ours` with one module, which was compiled before, that only the lean way finds."""
    folder = tmp_path / "ours"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "tool.py").write_text("ANSWER = 1\n")
    py_compile.compile(str(folder / "tool.py"))
    monkeypatch.syspath_prepend(str(tmp_path))
    invalidate_caches()
    import_module("ours")
    monkeypatch.setattr(sys, "meta_path", [LeanFinder("ours", str(folder)), *sys.meta_path])
    yield folder
    for name in ("ours", "ours.tool", "ours.more"):
        sys.modules.pop(name, None)


def test_what_was_compiled_is_taken_where_the_source_is_as_it_was(package, monkeypatch):
    monkeypatch.setattr("builtins.compile", lambda *_, **__: pytest.fail("it was compiled again"))
    assert import_module("ours.tool").ANSWER == 1


@pytest.mark.parametrize("later", [0, 100])
def test_a_source_that_has_changed_is_compiled_anew(package, later):
    source = package / "tool.py"
    before = source.stat()
    source.write_text("ANSWER = 2\n" if later else "ANSWER = 1234\n")
    os.utime(source, (before.st_atime, before.st_mtime + later))
    assert import_module("ours.tool").ANSWER in (2, 1234)


def test_what_cannot_be_read_as_compiled_code_is_compiled_anew(package):
    (compiled,) = (package / "__pycache__").glob("tool.*.pyc")
    compiled.write_bytes(b"nonsense")
    assert import_module("ours.tool").ANSWER == 1


def test_what_was_compiled_by_its_content_is_left_to_the_ordinary_way(package):
    source = package / "tool.py"
    py_compile.compile(str(source), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    source.write_text("ANSWER = 3\n")
    assert import_module("ours.tool").ANSWER == 3


def test_a_module_that_was_never_compiled_is_compiled_and_kept(package, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (package / "more.py").write_text("ANSWER = 4\n")
    assert import_module("ours.more").ANSWER == 4
    assert list((package / "__pycache__").glob("more.*.pyc"))


def test_what_is_not_there_or_another_package_is_not_found(package):
    finder = LeanFinder("ours", str(package))
    assert finder.find_spec("ours.absent") is None
    assert finder.find_spec("oursother.tool") is None
    assert finder.find_spec("json") is None
