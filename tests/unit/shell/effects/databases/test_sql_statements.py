"""Which statements lose data."""

import pytest

from fairlead.shell.effects.databases.sql_statements import sql_danger

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
    "WITH moved AS (UPDATE users SET a = 1 RETURNING *) SELECT * FROM moved WHERE id = 1",
    "DELETE TOP (10) PERCENT FROM users",
    "DELETE `p.d.t` WHERE true",
    "BEGIN; DELETE FROM users; END; BEGIN; ROLLBACK",
    "BEGIN; DELETE FROM users; SELECT 'ROLLBACK;'",
    "BEGIN; DELETE FROM users; -- ROLLBACK",
    "BEGIN; SELECT 1; ROLLBACK; DELETE FROM users",
    "BEGIN; DELETE FROM users; BEGIN; ROLLBACK",
    "BEGIN; DELETE FROM users; ROLLBACK TO before",
    "BEGIN TRAN DELETE FROM users; ROLLBACK",
]
DROPS = [
    "/*!50000 DROP TABLE users */",
    "ALTER TABLE a ALTER COLUMN b DROP NOT NULL, DROP COLUMN c",
    "INSERT OVERWRITE TABLE sales SELECT * FROM empty",
    "CREATE TEMP TABLE t AS SELECT 1; DROP TABLE users",
    "DROP TABLE t; CREATE TEMP TABLE t (a int)",
    "BEGIN; DROP TABLE users; ROLLBACK; DROP TABLE users",
    "USE app\nGO\nDROP TABLE users\nGO",
    "SELECT 1\nDROP TABLE users",
    "IF OBJECT_ID('users') IS NOT NULL DROP TABLE users",
    "IF EXISTS (SELECT 1) BEGIN TRUNCATE TABLE users END",
    "DROP TABLE ",
    "DROP TABLE IF EXISTS ",
    "DROP TABLE users#",
    "DROP TABLE #x;\nusers",
    "DROP TABLE IF EXISTS # mine\n users",
    "PURGE RECYCLEBIN",
    "REMOVE @stage/path",
    "ALTER TABLE users SET UNUSED COLUMN a",
    "ALTER TABLE users CLEAR COLUMN a IN PARTITION 1",
    "VACUUM users RETAIN 0 HOURS",
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
    "DELETE dbo.users WHERE id = 1",
    "DELETE TOP (10) FROM users WHERE id < 5",
    "WITH moved AS (UPDATE users SET a = 1 WHERE id = 2 RETURNING *) SELECT * FROM moved",
    "IF OBJECT_ID('tempdb..#t') IS NOT NULL DROP TABLE #t",
    "DROP TABLE #t",
    "DROP TABLE IF EXISTS #t",
    "CREATE TABLE IF NOT EXISTS dropped (a int)",
    "begin transaction; delete from users; rollback transaction;",
    "START TRANSACTION READ WRITE, ISOLATION LEVEL SERIALIZABLE; DELETE FROM users; ROLLBACK",
    "ALTER TABLE a ALTER COLUMN b\n  DROP NOT NULL",
    "VACUUM users RETAIN 168 HOURS",
    "GRANT SELECT ON a TO b",
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
