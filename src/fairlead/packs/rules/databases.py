"""Data in databases."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.rule import Pack, Rule, Scene, Severity
from fairlead.shell.effects.databases.test_databases import is_test_database
from fairlead.shell.effects.effect import Action, Effect

_CHANGE = (Action.CHANGE_DATABASE,)


def _is_kept(effect: Effect, scene: Scene) -> bool:
    """Tests fill their databases anew."""
    return not is_test_database(effect.command)


PACK = Pack(
    id="databases",
    summary="Drops, truncations, deletes and updates without a condition, resets by migration tools",
    rules=(
        Rule(
            id="databases/drop",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGE,
            names=frozenset(("drop",)),
            when=_is_kept,
            reason="`{what}` ({detail}) removes data for good.",
            person="Tables, databases or keys would be removed with what is in them.",
            alternative='Look first: `psql -c "SELECT count(*) FROM users"`.',
            dangerous=(
                'psql -c "DROP TABLE users"',
                "mysql -e 'drop database prod'",
                "redis-cli FLUSHALL",
                "mongosh --eval 'db.dropDatabase()'",
                "dropdb app",
                "sqlite3 app.db 'DELETE FROM x; DROP TABLE y'",
                "psql <<< 'TRUNCATE orders'",
            ),
            harmless=(
                'psql -c "SELECT * FROM users"',
                "psql -c \"INSERT INTO log VALUES ('drop table x')\"",
                "redis-cli GET key",
                "sqlite3 :memory: 'drop table x'",
                "mysql -e 'show tables'",
            ),
        ),
        Rule(
            id="databases/unbound-change",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=_CHANGE,
            names=frozenset(("unbound",)),
            when=_is_kept,
            reason="`{what}` ({detail}) changes every row: it has no condition.",
            person="Every row would be changed or deleted.",
            alternative='Add a condition: `psql -c "DELETE FROM users WHERE id = 7"`.',
            dangerous=(
                'psql -c "DELETE FROM users"',
                "mysql -e 'UPDATE users SET admin = 1'",
                "psql -c 'delete from a where 1=1'",
            ),
            harmless=("psql -c 'DELETE FROM users WHERE id = 7'", 'psql -c "UPDATE a SET b = 1 WHERE c = 2"'),
        ),
        Rule(
            id="databases/access",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("access",)),
            reason="`{what}` ({detail}) changes who may do what in the database, or runs a program on its server.",
            person="Rights in the database would be changed.",
            alternative="Look at them: `psql -c '\\du'`.",
            dangerous=('psql -c "GRANT ALL ON DATABASE x TO y"', "psql -c 'ALTER ROLE a SUPERUSER'"),
            harmless=("psql -c '\\du'",),
        ),
        Rule(
            id="databases/reset",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=_CHANGE,
            names=frozenset(("reset",)),
            when=_is_kept,
            reason="`{what}` throws the database away and builds it anew.",
            person="All data in the database would be lost.",
            alternative="Migrate instead: `rails db:migrate`, `npx prisma migrate dev`.",
            dangerous=(
                "rails db:drop",
                "npx prisma migrate reset --force",
                "php artisan migrate:fresh",
                "python manage.py flush --no-input",
                "bundle exec rake db:reset",
            ),
            harmless=(
                "rails db:migrate",
                "npx prisma generate",
                "python manage.py migrate",
                "php artisan migrate",
            ),
        ),
    ),
)
