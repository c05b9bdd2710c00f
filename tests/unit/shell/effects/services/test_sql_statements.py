"""Which statements lose data."""

import pytest

from fairlead.shell.effects.services.sql_statements import sql_danger

UNBOUND = [
    "DELETE FROM users WHERE id = 3 OR 1=1",
    "DELETE FROM users WHERE (1 = 1)",
    "DELETE FROM users WHERE name LIKE '%'",
    "DELETE FROM users WHERE created_at <= now()",
    "DELETE FROM users -- don't WHERE id = 1",
    "DELETE FROM users # WHERE id = 1",
    "DELETE users",
    "UPDATE a SET b = (SELECT c FROM d WHERE d.id = a.id)",
    "WITH x AS (SELECT 1) UPDATE t SET a = 1",
    "WITH gone AS (DELETE FROM log RETURNING *) SELECT * FROM gone WHERE id = 1",
    "MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE",
]
DROPS = [
    "/*!50000 DROP TABLE users */",
    "ALTER TABLE a ALTER COLUMN b DROP NOT NULL, DROP COLUMN c",
    "INSERT OVERWRITE TABLE sales SELECT * FROM empty",
    "CREATE TEMP TABLE t AS SELECT 1; DROP TABLE users",
    "DROP TABLE t; CREATE TEMP TABLE t (a int)",
]
HARMLESS = [
    "DELETE FROM users WHERE id = 3 OR id = 4",
    "DELETE FROM sessions WHERE expires_at < now()",
    "DELETE FROM a USING b WHERE a.id = b.id",
    "DELETE FROM a WHERE 1 = 0",
    "UPDATE a SET b = 1 WHERE c = 2 AND 1 = 1",
    "INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET b = 1",
    "WITH gone AS (DELETE FROM log WHERE id < 9 RETURNING *) INSERT INTO old SELECT * FROM gone",
    "CREATE TEMP TABLE t AS SELECT 1; DROP TABLE t",
    "ALTER TABLE a ALTER COLUMN b DROP NOT NULL",
    "SELECT data #> '{a}' FROM t",
    "SELECT 'it''s; DROP TABLE y'",
]


@pytest.mark.parametrize("sql", UNBOUND)
def test_a_change_is_unbound_where_nothing_says_which_rows(sql: str) -> None:
    found = sql_danger(sql)
    assert found is not None
    assert found[0] == "unbound"


@pytest.mark.parametrize("sql", DROPS)
def test_what_a_statement_drops_is_found(sql: str) -> None:
    found = sql_danger(sql)
    assert found is not None
    assert found[0] == "drop"


@pytest.mark.parametrize("sql", HARMLESS)
def test_a_change_of_chosen_rows_or_of_passing_tables_is_harmless(sql: str) -> None:
    assert sql_danger(sql) is None
