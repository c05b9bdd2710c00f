from fairlead.executors.python_call import PythonCall
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run

EVENT = Event(EventName.BEFORE_TOOL)


def hook(target, **config):
    return Hook("mine", HookType.SAFETY, EventName.BEFORE_TOOL, Run("python_call", target), config=config)


def test_a_callable_gets_event_config_and_what_was_said_before():
    seen = []
    previous = (Outcome(reason="before"),)
    PythonCall().run(hook(lambda *arguments: seen.append(arguments), limit=3), EVENT, previous)
    assert seen == [(EVENT, {"limit": 3}, previous)]


def test_what_it_returns_is_the_value():
    assert PythonCall().run(hook(lambda *_: "anything"), EVENT, ()).value == "anything"


def test_what_it_raises_becomes_a_failure_that_names_hook_and_line():
    def broken(event, config, previous):
        raise ValueError("no such thing")

    failure = PythonCall().run(hook(broken), EVENT, ()).failure
    assert failure.message.startswith("ValueError: no such thing (")
    assert "test_python_call.py:" in failure.message


async def _later(event, config, previous):
    return None


def test_an_awaitable_answer_is_left_to_the_driver():
    value = PythonCall().run(hook(_later), EVENT, ()).value
    assert hasattr(value, "__await__")
    value.close()


def test_a_target_that_cannot_be_called_is_a_failure():
    assert "cannot be called" in PythonCall().run(hook("text"), EVENT, ()).failure.message
