import pytest

from fairlead.model.event_name import EventName, event_named, known_event_names

SEED_004 = [
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "Notification",
    "SessionStart",
    "SessionEnd",
    "PreCompress",
]


@pytest.mark.parametrize("name", SEED_004)
def test_every_event_of_the_seed_has_its_own_name(name):
    assert event_named(name).value == name


@pytest.mark.parametrize(
    ("native", "event"),
    [
        ("PreToolUse", EventName.BEFORE_TOOL),
        ("preToolUse", EventName.BEFORE_TOOL),
        ("pre-tool-use", EventName.BEFORE_TOOL),
        ("pre_tool_use", EventName.BEFORE_TOOL),
        ("tool.execute.before", EventName.BEFORE_TOOL),
        ("beforeShellExecution", EventName.BEFORE_TOOL),
        ("PostToolUse", EventName.AFTER_TOOL),
        ("PermissionRequest", EventName.TOOL_PERMISSION),
        ("UserPromptSubmit", EventName.BEFORE_AGENT),
        ("Stop", EventName.AFTER_AGENT),
        ("PreCompact", EventName.PRE_COMPRESS),
        ("ConfigChange", EventName.CONFIG_CHANGE),
        ("SubagentStop", EventName.SUBAGENT_STOP),
        ("resources/read", EventName.BEFORE_RESOURCE),
        ("prompts/get", EventName.BEFORE_SERVER_PROMPT),
        ("sampling/createMessage", EventName.BEFORE_SAMPLING),
        ("elicitation/create", EventName.ELICITATION),
    ],
)
def test_agents_names_are_aliases(native, event):
    assert event_named(native) is event


@pytest.mark.parametrize("name", ["", "Novelty", "PreToolUseX", "\0"])
def test_a_name_that_nobody_uses_is_other(name):
    assert event_named(name) is EventName.OTHER


def test_every_known_spelling_leads_to_an_event():
    assert all(event_named(name) is not EventName.OTHER for name in known_event_names() if name != "Other")
