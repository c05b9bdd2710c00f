"""The words by which data names effects: each is an action, and a rule speaks of it."""

import pytest

from fairlead.packs.judging.pack_table import all_packs
from fairlead.shell.effects.effect import Action
from fairlead.shell.programs.effect_words import EFFECT_GROUPS, UNMINDED, effect_word


def test_the_words_for_effects_speak_of_actions() -> None:
    for word, group in EFFECT_GROUPS.items():
        assert group.action in set(Action)
        for way in group.ways:
            assert effect_word(group.action, way) == f"{word}/{way}"


def test_an_effect_without_a_word_is_an_error() -> None:
    with pytest.raises(LookupError):
        effect_word("change-cloud", "no-such-way")


def test_a_rule_speaks_of_every_effect_that_data_may_name() -> None:
    rules = [rule for pack in all_packs() for rule in pack.rules]
    unminded = {
        f"{word}/{way}"
        for word, group in EFFECT_GROUPS.items()
        for way in group.ways
        if not any(group.action in rule.actions and (not rule.names or way in rule.names) for rule in rules)
    }
    assert unminded == UNMINDED
