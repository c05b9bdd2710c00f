"""The tables of the centre. Each version is a list of statements that the one before is brought up by."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.doors.fleet.collecting.database import Database
from fairlead.errors import FairleadError

_FIRST = (
    """CREATE TABLE decisions (
        machine TEXT NOT NULL, id TEXT NOT NULL, fleet_group TEXT NOT NULL,
        moment BIGINT NOT NULL, received BIGINT NOT NULL,
        writer TEXT NOT NULL, seq BIGINT NOT NULL, prev TEXT NOT NULL,
        request TEXT NOT NULL, observes TEXT NOT NULL,
        agent TEXT NOT NULL, event TEXT NOT NULL, kind TEXT NOT NULL, decision TEXT NOT NULL,
        rule TEXT NOT NULL, would TEXT NOT NULL, would_rule TEXT NOT NULL, failure TEXT NOT NULL,
        canary INTEGER NOT NULL, person TEXT NOT NULL, session TEXT NOT NULL, bundle BIGINT NOT NULL,
        class TEXT NOT NULL, message TEXT NOT NULL,
        PRIMARY KEY (machine, id))""",
    "CREATE INDEX decisions_by_place ON decisions (machine, writer, seq)",
    "CREATE INDEX decisions_by_moment ON decisions (machine, moment)",
    "CREATE INDEX decisions_by_time ON decisions (moment)",
    "CREATE INDEX decisions_by_class ON decisions (class, moment)",
    """CREATE TABLE writers (
        machine TEXT NOT NULL, writer TEXT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL,
        seen BIGINT NOT NULL, PRIMARY KEY (machine, writer))""",
    """CREATE TABLE gaps (
        machine TEXT NOT NULL, writer TEXT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL,
        found BIGINT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (machine, writer, first))""",
    """CREATE TABLE forks (
        machine TEXT NOT NULL, writer TEXT NOT NULL, seq BIGINT NOT NULL, ids TEXT NOT NULL,
        found BIGINT NOT NULL, PRIMARY KEY (machine, writer, seq))""",
    """CREATE TABLE incidents (
        machine TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, found BIGINT NOT NULL,
        detail TEXT NOT NULL, PRIMARY KEY (machine, kind, id))""",
    "CREATE INDEX incidents_by_moment ON incidents (found)",
    """CREATE TABLE hours (
        hour BIGINT NOT NULL, fleet_group TEXT NOT NULL, bundle BIGINT NOT NULL, decision TEXT NOT NULL,
        rule TEXT NOT NULL, would TEXT NOT NULL, would_rule TEXT NOT NULL, failed INTEGER NOT NULL,
        calls BIGINT NOT NULL,
        PRIMARY KEY (hour, fleet_group, bundle, decision, rule, would, would_rule, failed))""",
    """CREATE TABLE machines (
        machine TEXT NOT NULL PRIMARY KEY, fleet_group TEXT NOT NULL,
        since BIGINT NOT NULL, contact BIGINT NOT NULL, decided BIGINT NOT NULL, beat_at BIGINT NOT NULL,
        host TEXT NOT NULL, version TEXT NOT NULL, bundle BIGINT NOT NULL, bundle_state TEXT NOT NULL,
        mode TEXT NOT NULL, off INTEGER NOT NULL, behind BIGINT NOT NULL,
        agents INTEGER NOT NULL, unguarded INTEGER NOT NULL, unwell INTEGER NOT NULL,
        heartbeat TEXT NOT NULL)""",
)
MIGRATIONS: Sequence[Sequence[str]] = (_FIRST,)


def prepare(database: Database) -> None:
    """Brings the tables up to this version; any number of collectors may do so at once."""
    with database.writing() as statements:
        database.alone(statements)
        statements.run("CREATE TABLE IF NOT EXISTS fairlead_schema (version INTEGER NOT NULL)")
        found = statements.run("SELECT max(version) FROM fairlead_schema")[0][0] or 0
        if found > len(MIGRATIONS):
            raise FairleadError(
                f"{database.shown} was made by a later Fairlead (version {found} of its tables)",
                hint="install that one here, too",
            )
        for version, migration in enumerate(MIGRATIONS[found:], start=found + 1):
            for statement in migration:
                statements.run(statement)
            statements.run("INSERT INTO fairlead_schema (version) VALUES (?)", (version,))
