from fairlead.engine.planner import Planner
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import HookType
from fairlead.model.matching.matcher import matcher_from
from fairlead.model.tool_call import ToolKind
from fairlead.testing import hook, result_event, shell_event, tool_event


def quiet(event, config, previous):
    return None


def test_each_type_has_its_phase():
    hooks = [hook(quiet, id=str(kind), type=kind) for kind in HookType]
    plan = Planner(hooks).plan(shell_event("ls"))
    assert [h.id for batch in plan.validate for h in batch.hooks] == ["validation"]
    assert [h.id for batch in plan.transform for h in batch.hooks] == ["transformation"]
    assert [h.id for batch in plan.guard for h in batch.hooks] == ["authorization", "safety"]
    assert [h.id for batch in plan.observe for h in batch.hooks] == ["observability"]


def test_after_hooks_run_in_the_reverse_of_the_before_order():
    hooks = [
        hook(quiet, id="inner", event=EventName.AFTER_TOOL, type=HookType.TRANSFORMATION),
        hook(quiet, id="outer", event=EventName.AFTER_TOOL, type=HookType.TRANSFORMATION, priority=10),
    ]
    plan = Planner(hooks).plan(result_event("Bash", {}, "out"))
    assert [h.id for batch in plan.result for h in batch.hooks] == ["inner", "outer"]


def test_a_disabled_hook_is_not_in_the_plan():
    assert Planner([hook(quiet, enabled=False)]).plan(shell_event("ls")).hooks == ()


def test_parallel_guards_that_are_neighbours_share_a_batch():
    hooks = [
        hook(quiet, id="a", parallel=True),
        hook(quiet, id="b", parallel=True),
        hook(quiet, id="c"),
        hook(quiet, id="d", parallel=True),
    ]
    plan = Planner(hooks).plan(shell_event("ls"))
    assert [[h.id for h in batch.hooks] for batch in plan.guard] == [["a", "b"], ["c"], ["d"]]


def test_transformations_never_run_at_once():
    hooks = [hook(quiet, id=name, type=HookType.TRANSFORMATION, parallel=True) for name in "ab"]
    plan = Planner(hooks).plan(shell_event("ls"))
    assert [len(batch.hooks) for batch in plan.transform] == [1, 1]


def test_a_matcher_by_the_best_known_name_covers_every_agents_shell():
    planner = Planner([hook(quiet, matcher=matcher_from("Bash"))])
    assert planner.plan(tool_event("run_shell_command", {"command": "ls"}, kind=ToolKind.SHELL)).hooks
    assert not planner.plan(tool_event("read_file", {"path": "x"}, kind=ToolKind.READ)).hooks


def test_a_matcher_on_arguments_is_asked_at_every_call():
    planner = Planner([hook(quiet, matcher=matcher_from({"arguments": {"command": "git *"}}))])
    assert planner.plan(shell_event("git status")).hooks
    assert not planner.plan(shell_event("ls")).hooks


def test_memory_stays_flat_however_many_tool_names_an_agent_invents():
    planner = Planner([hook(quiet)])
    for number in range(2000):
        planner.plan(tool_event(f"tool{number}", {}))
    assert len(planner._candidates) <= 512
    assert len(planner._plans) <= 512


def test_a_plan_that_hangs_on_the_tools_name_alone_is_made_once():
    planner = Planner([hook(quiet, matcher=matcher_from("Bash")), hook(quiet, id="b")])
    assert planner.plan(shell_event("ls")) is planner.plan(shell_event("git status"))


def test_an_event_without_a_tool_is_matched_by_its_subject_at_every_call():
    planner = Planner([hook(quiet, event=EventName.SESSION_START, matcher=matcher_from("startup"))])
    for _ in range(2):
        assert planner.plan(Event(EventName.SESSION_START, payload={"source": "startup"})).hooks
        assert not planner.plan(Event(EventName.SESSION_START, payload={"source": "clear"})).hooks
