import pytest

from fairlead import middleware_base
from fairlead.middleware_base import MiddlewareResult


def test_fields_are_attributes_and_items():
    result = MiddlewareResult(decision="block", reason="why", metrics={"n": 1})
    assert (result.decision, result["decision"], result.get("reason")) == ("block", "block", "why")
    assert dict(result)["metrics"] == {"n": 1}
    assert result.get("nothing", 3) == 3
    with pytest.raises(KeyError):
        result["nothing"]


def test_metrics_are_not_shared():
    metrics = {"n": 1}
    MiddlewareResult("allow", "", metrics).metrics["n"] = 2
    assert metrics == {"n": 1}


@pytest.mark.parametrize("name", ["allow", "block", "ask", "approve", "halt"])
def test_each_decision_has_a_short_way(name):
    assert getattr(middleware_base, name)("why", n=1) == MiddlewareResult(name, "why", {"n": 1})


def test_no_opinion_and_rewriting():
    assert middleware_base.proceed().decision == "continue"
    assert middleware_base.rewrite({"command": "ls"}).updated_input == {"command": "ls"}


def test_it_shows_what_was_said():
    assert repr(middleware_base.block("why")) == "MiddlewareResult(decision='block', reason='why')"
