"""What other packages offer is found in their metadata, and refused with a sentence where it is no use."""

import sys

import pytest

from fairlead.entry_points import KINDS, find, installed, load
from fairlead.errors import PluginError
from fairlead.interfaces import INTERFACE_VERSION
from tests.plugin_kit import distribution, plugins

__all__ = ["plugins"]

OURS = f"[fairlead.interface]\nversion = v{INTERFACE_VERSION}\n"


def test_installed_imports_nothing(plugins):
    found = installed()
    assert {plugin.kind for plugin in found} == set(KINDS)
    assert {plugin.distribution for plugin in found} == {"acme-fairlead"}
    assert "acme_fairlead" not in sys.modules


def test_a_plugin_is_loaded_by_kind_and_name(plugins):
    assert load("dialects", "acme").name == "acme"


def test_one_that_is_not_there_is_refused_with_those_that_are(plugins):
    with pytest.raises(PluginError, match="no plugin among the packs is named 'acme'") as caught:
        load("packs", "acme")
    assert "acme-deploys" in caught.value.hint


def test_an_import_error_is_a_plugin_error(plugins):
    with pytest.raises(PluginError, match="acme_has_no_such_module"):
        load("packs", "acme-broken")


def test_a_plugin_that_ends_the_process_when_imported_is_a_plugin_error(tmp_path, monkeypatch):
    (tmp_path / "acme_quits.py").write_text("raise SystemExit(0)\n")
    distribution(tmp_path, "quits", f"{OURS}[fairlead.sinks]\nquits = acme_quits:sink\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PluginError, match="SystemExit"):
        load("sinks", "quits")


@pytest.mark.parametrize(
    ("interface", "words"),
    [("", "does not say which version"), ("[fairlead.interface]\nversion = v99\n", "for version v99")],
)
def test_one_made_for_another_version_is_never_imported(tmp_path, monkeypatch, interface, words):
    (tmp_path / "acme_other.py").write_text("raise AssertionError('it was imported')\n")
    distribution(tmp_path, "other", f"{interface}[fairlead.middleware]\nother = acme_other:run\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PluginError, match=words):
        load("middleware", "other")


def test_a_name_that_two_distributions_offer_is_neither_of_them(tmp_path, monkeypatch):
    for name in ("one", "two"):
        distribution(tmp_path, name, f"{OURS}[fairlead.middleware]\nsame = os:getcwd\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PluginError, match="all offer it"):
        find("middleware", "same")


def test_what_lacks_the_parts_of_its_kind_is_refused(tmp_path, monkeypatch):
    entries = f"{OURS}[fairlead.dialects]\nodd = os:sep\n[fairlead.middleware]\nodd = os:sep\n"
    distribution(tmp_path, "odd", entries)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PluginError, match="os:sep is not something with name, decode, render, last_resort"):
        load("dialects", "odd")
    with pytest.raises(PluginError, match="os:sep is not something to call"):
        load("middleware", "odd")


@pytest.mark.parametrize("path", ["", None])
def test_law_9_a_distribution_in_the_current_folder_is_none(tmp_path, monkeypatch, path):
    distribution(tmp_path, "hostile", f"{OURS}[fairlead.middleware]\nhostile = os:getcwd\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path) if path is None else path, *sys.path])
    assert "hostile" not in {plugin.name for plugin in installed()}


def test_other_groups_are_none_of_ours(tmp_path, monkeypatch):
    distribution(tmp_path, "far", f"{OURS}[fairlead.nonsense]\na = os:sep\n[other.packs]\nb = os:sep\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "far" not in {plugin.distribution for plugin in installed()}
