import json
import os

import pytest

from fairlead.errors import FairleadError
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.policy.answers.grants import Grants
from fairlead.policy.places import find_places

NOW = 1000.0


@pytest.fixture
def grants(tmp_path):
    return Grants(find_places(str(tmp_path)))


def call(root="/project", **more):
    return Event(EventName.BEFORE_TOOL, root=root, **more)


def rules(grants, root="/project", *, now=NOW, request="r1"):
    return [grant.rule for grant in grants.covering(call(root, request=request), now=now)]


def test_there_are_none_at_first(grants):
    assert grants.all() == [] and rules(grants) == []


def test_an_exception_holds_for_its_rule_everywhere(grants):
    grants.give("git/force-push", now=NOW)
    assert rules(grants) == ["git/force-push"]


def test_an_exception_holds_only_below_its_folder(grants):
    grants.give("a", scope="/project", now=NOW)
    assert rules(grants, "/project") == rules(grants, "/project/sub") == ["a"]
    assert rules(grants, "/project-2") == rules(grants, "/") == []


def test_an_exception_for_an_agent_holds_for_that_one_alone(grants):
    grants.give("a", agent="claude", now=NOW)
    assert [g.rule for g in grants.covering(call(agent="claude"), now=NOW)] == ["a"]
    assert grants.covering(call(agent="codex"), now=NOW) == []
    assert grants.covering(call(), now=NOW) == []
    assert [grant.agent for grant in grants.all()] == ["claude"]


def test_an_exception_that_was_given_before_agents_were_named_stays_as_it_was(grants, tmp_path):
    given = grants.give("a", scope="/project", now=NOW)
    path = tmp_path / "state" / "grants" / f"{given.id}.json"
    fields = json.loads(path.read_text())
    del fields["agent"]
    path.write_text(json.dumps(fields))
    assert grants.all() == [given]
    assert rules(grants, "/project") == ["a"]
    assert rules(grants, "/elsewhere") == []


def test_an_exception_ends(grants):
    grants.give("a", until=NOW + 60, now=NOW)
    assert rules(grants, now=NOW + 59) == ["a"]
    assert rules(grants, now=NOW + 60) == []


def test_an_exception_for_once_is_used_up_by_one_request(grants):
    grants.give("a", once=True, now=NOW)
    (grant,) = grants.covering(call(request="r1"), now=NOW)
    assert grants.use([grant], "r1") == [grant]
    assert grants.use([grant], "r2") == []
    assert rules(grants, request="r2") == []


def test_the_same_request_tried_again_may_use_it_again(grants):
    grants.give("a", once=True, now=NOW)
    (grant,) = grants.all()
    grants.use([grant], "r1")
    assert rules(grants, request="r1") == ["a"]
    assert grants.use(grants.covering(call(request="r1"), now=NOW), "r1")


def test_an_exception_can_be_taken_back(grants):
    given = grants.give("a", now=NOW)
    grants.revoke(given.id)
    assert grants.all() == []
    with pytest.raises(FairleadError, match=given.id):
        grants.revoke(given.id)


@pytest.mark.parametrize("name", ["../x", "", "/etc/passwd"])
def test_no_name_leads_out_of_the_folder(grants, name):
    with pytest.raises(FairleadError):
        grants.revoke(name)


def test_a_file_that_cannot_be_read_excepts_nothing(grants, tmp_path):
    given = grants.give("a", now=NOW)
    (tmp_path / "state" / "grants" / f"{given.id}.json").write_text("{}")
    assert grants.all() == []


def test_exceptions_are_private(grants, tmp_path):
    given = grants.give("a", now=NOW)
    mode = os.stat(tmp_path / "state" / "grants" / f"{given.id}.json").st_mode & 0o777
    assert mode == 0o600


def test_an_exception_for_a_session_holds_in_that_one_alone(grants):
    grants.give("a", session="s1", now=NOW)
    assert [g.rule for g in grants.covering(call(session="s1"), now=NOW)] == ["a"]
    assert grants.covering(call(session="s2"), now=NOW) == []
    assert grants.covering(call(), now=NOW) == []


def test_an_exception_for_a_command_excuses_that_command_and_not_its_rule(grants):
    given = grants.give("a", command="git push -f", cwd="/project", now=NOW)
    assert grants.all() == [given]
    assert given.excuse not in ("a", "a/*")
    assert given.excuse != given.replace(command="git push").excuse
    assert given.excuse != given.replace(cwd="/project/sub").excuse
    assert given.replace(command="").excuse == "a"
