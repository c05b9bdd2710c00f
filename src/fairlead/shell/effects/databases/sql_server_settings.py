"""Statements that lose no row, and still change what the server does or whom it obeys."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

_STATEMENT = lazy(
    r"""^\s*(?:
    ALTER\s+(?:SYSTEM|LOGIN|SERVER\s+ROLE)\b
    |ALTER\s+(?:TABLE|DATABASE|SCHEMA|ACCOUNT)\b.*\b(?:DATA_RETENTION_TIME_IN_DAYS\s*=\s*0\b|DROP\s+MASKING\s+POLICY|DROP\s+ROW\s+ACCESS)
    |(?:ALTER|UNSET)\s+.*\bUNSET\s+(?:MASKING|NETWORK|PASSWORD|SESSION)[_ ]POLICY
    |ALTER\s+DATABASE\b.*\b(?:RENAME|OWNER|OFFLINE|READ_ONLY|SINGLE_USER|RESTRICTED_USER)\b
    |ALTER\s+TABLE\b.*\b(?:DISABLE\s+(?:TRIGGER|ROW|RULE|KEYS)|NOCHECK\s+CONSTRAINT|NO\s+FORCE\s+ROW)
    |(?:DISABLE|ENABLE)\s+TRIGGER\b.*\bON\s+(?:ALL\s+SERVER|DATABASE)
    |SET\s+(?:GLOBAL|PERSIST|@@GLOBAL|@@PERSIST|session_replication_role|CLUSTER\s+SETTING)
    |EXEC(?:UTE)?\s+(?:\w+\.)*(?:xp_\w+|sp_(?:configure|add\w+|drop\w+|oa\w+|rename\w*|detach_db|msforeach\w+))
    |(?:STOP|RESET)\s+(?:REPLICA|SLAVE|GROUP_REPLICATION|BINARY\s+LOGS|QUERY\s+CACHE)
    |CHANGE\s+(?:MASTER|REPLICATION)|SHUTDOWN\b|KILL\s+(?:QUERY|CONNECTION|\d|ALL)
    |RESTORE\s+(?:DATABASE|LOG|TABLE|FROM)|(?:UN)?INSTALL\s+(?:PLUGIN|COMPONENT|SONAME)
    |RENAME\s+(?:TABLE|USER|DATABASE)|REVOKE\b|DENY\s+\w|SYSTEM\s+(?:DROP|SHUTDOWN|KILL|STOP|RESTORE)
    |GRANT\b.*\b(?:TO\s+PUBLIC|WITH\s+(?:GRANT|ADMIN)\s+OPTION|ALL\b|SYSADMIN|DBA|SUPER|ADMIN|ACCOUNTADMIN
      |pg_execute_server_program|pg_write_server_files|pg_read_server_files|rds_superuser|FILE)\b
    |CREATE\b.*\bLANGUAGE\s+(?:'')?(?:plpython\du|plpythonu|plperlu|pltclu|c)\b
    |CREATE\s+(?:OR\s+REPLACE\s+)?FUNCTION\b.*\bSONAME\b
    |CREATE\s+EXTENSION\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:plpython\du|plpythonu|plperlu|pltclu|adminpack|file_fdw)\b
    |CREATE\s+(?:LOGIN|USER|ROLE)\b.*\b(?:SUPERUSER|CREATEROLE|BYPASSRLS|REPLICATION|ADMIN)\b
    |CALL\s+mysql\.rds_\w+|LOAD\s+''|VACUUM\s+INTO\b
    )""",
    re.I | re.S | re.X,
)
_FUNCTION = lazy(
    r"\b(?:pg_terminate_backend|pg_promote|pg_read_(?:binary_)?file|pg_ls_dir|pg_file_\w+|lo_export|lo_import"
    r"|dblink_exec|sys_exec|sys_eval|load_extension|load_file|pg_rotate_logfile|pg_wal_replay_pause"
    r"|pg_create_logical_replication_slot|dbms_scheduler\.\w+|utl_http\.\w+|utl_file\.\w+)\s*\(|\bxp_cmdshell\b",
    re.I,
)
_ONE_SESSION = lazy(r"^\s*SELECT\s+pg_terminate_backend\s*\(\s*\d+\s*\)\s*$", re.I)


def changes_server(statement: str) -> bool:
    """Whether a statement, its strings emptied, changes the server, its copies or who may do what."""
    if _ONE_SESSION.match(statement):
        return False
    return bool(_STATEMENT.match(statement) or _FUNCTION.search(statement))
