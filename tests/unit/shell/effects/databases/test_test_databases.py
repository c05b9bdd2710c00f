"""The database of the tests may be thrown away; no other."""

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "command",
    [
        "RAILS_ENV=test bin/rails db:reset",
        "php artisan migrate:fresh --env=testing",
        "npx sequelize-cli db:drop --env test",
        "RAILS_ENV=test DATABASE_URL=postgres://me@localhost/x rails db:drop",
    ],
)
def test_a_database_for_tests_is_made_anew(command: str) -> None:
    assert decide(command) < Decision.ASK


@pytest.mark.parametrize(
    "command",
    [
        "bin/rails db:reset",
        "RAILS_ENV=test rails db:reset RAILS_ENV=production",
        "NODE_ENV=test npx sequelize-cli db:drop --env production",
        "RAILS_ENV=test DATABASE_URL=postgres://me@db.example.com/x rails db:drop",
    ],
)
def test_any_other_is_kept(command: str) -> None:
    assert decide(command) is Decision.BLOCK
