"""A name that begins like a losing verb loses nothing."""

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "command",
    [
        "swift test --filter DeleteTests",
        "gcloud run services describe delete-worker",
        "gcloud functions logs read delete-user",
        "gcloud logging read delete",
        "supabase functions serve delete-user",
        "doctl apps list --format delete",
        "flyctl logs --search destroy",
        "helm get values destroy-svc",
        "sometool db shell delete-test",
    ],
)
def test_what_is_looked_at_may_be_called_anything(command: str) -> None:
    assert decide(command) < Decision.ASK


@pytest.mark.parametrize(
    "command",
    [
        "gcloud logging logs delete old",
        "gcloud run services delete --format json api",
        "doctl apps delete --format x 1",
        "sometool logs purge --all",
        "swift delete container",
    ],
)
def test_a_verb_after_a_thing_is_a_verb(command: str) -> None:
    assert decide(command) >= Decision.ASK
