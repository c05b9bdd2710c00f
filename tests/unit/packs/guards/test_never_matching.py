import pytest

from fairlead.packs.guards.never_matching import never_matching


@pytest.mark.parametrize(
    "pattern", [r"\b>>\s*/dev/sd[a-z]\b", "rm  -rf", "rm\t-rf", "^ rm", "(", "", r"\|\bsh"]
)
def test_a_command_pattern_that_no_normal_form_has_is_flagged(pattern: str) -> None:
    [sentence] = never_matching({"dangerous_patterns": [pattern]})
    assert repr(pattern) in sentence


@pytest.mark.parametrize("pattern", ["secrets/", "a//b", "./x", "../y", ""])
def test_a_path_pattern_that_no_path_has_is_flagged(pattern: str) -> None:
    [sentence] = never_matching({"protected_patterns": [pattern]})
    assert repr(pattern) in sentence


def test_the_patterns_of_the_first_design_are_fine() -> None:
    config = {
        "dangerous_patterns": ["rm -rf", "sudo rm", "dd if=", r"\brm\s+-rf\b", r"curl.*\|.*sh", r"\bmkfs\b"],
        "protected_patterns": [".env*", "*.key", "*.pem", "~/.ssh/*"],
    }
    assert never_matching(config) == []
