"""Practice reads the examples of the rules, and leaves nothing behind that a call would notice."""

from __future__ import annotations

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
