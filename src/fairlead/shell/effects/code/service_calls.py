"""What code asks of servers, databases and code hosts, in whatever language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.code.cloud_libraries import cloud_effects
from fairlead.shell.effects.code.text.printed_text import without_shown
from fairlead.shell.effects.code.text.text_literals import statements_in, without_long_texts, without_texts
from fairlead.shell.effects.databases.database_clients import loses_graph
from fairlead.shell.effects.databases.sql_statements import sql_danger
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.server_requests import request
from fairlead.shell.following.line_files.code_writes import FETCHED
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Code

_METHOD = lazy(
    r"""\b(?:method|verb|type|CURLOPT_CUSTOMREQUEST)['"]?\s*(?:[:=]>?|=>|,)\s*['"](DELETE|PUT|PATCH)['"]
    |(?:request|open|fetch)\(\s*['"](DELETE|PUT|PATCH)['"]
    |\.(delete|put|patch)\(\s*f?['"`]https?://
    |Net::HTTP::(Delete|Put|Patch)\b|-Method\s+['"]?(Delete|Put|Patch)\b
    |\b(?:requests?|axios|got|httpx|session|client|http|HTTPoison|Faraday|RestClient)\.(delete|put|patch)\(""",
    re.I | re.X,
)
_ADDRESS = lazy(r"https?://[^\s'\"`)<>]+", re.I)
_MANY = 16
_LOSING = lazy(
    r"\b(?:drop_?all|drop_?database|drop_?collection|delete_?collection|flush_?all|flush_?db|indices\.delete"
    r"|drop_index(?:es)?|delete_index|truncate_table|drop_table|delete_all|destroy_all|drop_schema|delete_topics?)!?\s*\("
    r"|\b(?:delete_all|destroy_all)\b|\bsync\(\s*\{\s*force\s*:\s*true|\.query\(\w+\)\.delete\(\s*\)"
    r"|\b[A-Z]\w*\.delete\(\)\.execute\(|\bsequelize\.drop\(|\.destroy\(\s*\{\s*(?:truncate\s*:\s*true|where\s*:\s*\{\s*\})"
    r"|\.delete_?many\(\s*\{\s*(?:\}|where\s*:\s*\{\s*\})|\bdropDatabase\(|\.synchronize\(\s*true",
    re.I,
)
_LOSING_MODEL = lazy(
    r"\.objects(?:\.(?:all|filter)\(\s*\))?\.(?:delete|_raw_delete)\(|\b[A-Z]\w*\.(?:all\(\)\.delete|drop_collection)\(|\.obliterate\("
    r"|\bSidekiq::\w+[\w.&:()]{0,60}\bclear\b|\.delete\(\s*delete_all\s*=\s*True|\.deleteAll\(\s*\)"
    r"|\.from\([^()]{0,80}\)\.delete\(\)\.(?:neq|gte?|not)\(|\.ref\(\s*(?:''|\"\")?\s*\)\.(?:remove|set)\("
)
"""Calls on models, queues and stores that say which rows only in that they are all of them."""
_CONNECTED = lazy(
    r"""\b(?:import|from|use|require|using|-M)\b[^\n;]{0,80}\b(?:psycopg\d?|pymysql|MySQLdb|mysql[\w-]*|mariadb|asyncpg|aiosqlite
    |sqlite3?|sqlalchemy|cx_Oracle|oracledb|pyodbc|pymssql|snowflake|clickhouse\w*|duckdb|peewee|knex|sequelize|typeorm
    |drizzle[\w-]*|prisma|postgres|pg|bigquery|cassandra|databricks|redshift\w*|trino|pyhive|neo4j|cockroach\w*
    |django\.db|DBI|SqlClient)\b
    |\bcreate_engine\(|\bcreate(?:Connection|Pool)\(|\bDBI->|\bnew\s+(?:PDO|mysqli|SqlConnection)\b|\bjdbc:|\bActiveRecord\b
    |\bRepo\.|\bSql\.newInstance|\bDB::|\$?(?:execute|query)Raw\w*|\.queryArray\(|\bInvoke-Sqlcmd\b
    |(?:\.|->)(?:execute|executescript|executemany|raw|do)\(""",
    re.I | re.X,
)
"""Signs of a database in code that has a statement in one of its texts."""
_CLIENT = lazy(
    r"\b(?:sqlalchemy|db|Base|metadata|mongo\w*|redis|ioredis|elasticsearch|opensearch|chromadb|pymilvus|qdrant\w*|kafka\w*"
    r"|ActiveRecord|sequelize|client|conn|connection|engine|cluster|[A-Z]\w+(?=\.(?:(?:delete|destroy)_all|delete\(\)\.execute)))\b"
)
_LIBRARY = lazy(r"\b(?:github|octokit|gitlab|gitea|PyGithub)\b", re.I)
_AT_CODE_HOST = lazy(
    r"(?:get_(?:repo|user|organization|branch)\([^()]{0,100}\)|\.(?:repos|projects|actions))"
    r"[\w.()'\"/ ,]{0,80}\.(?:delete\w*|remove_\w+|edit_protection|transfer\w*)\(",
    re.I,
)
_MODEL_HUB = lazy(r"\b(?:huggingface_hub|transformers|datasets|HfApi|kagglehub)\b")
_AT_MODEL_HUB = lazy(
    r"\b(?:upload_folder|upload_file|upload_large_folder|push_to_hub|delete_repo|create_commit|dataset_upload|model_upload)\("
)


def service_effects(code: Code, *, in_memory: bool) -> Iterator[Effect]:
    """Calls that lose what a server keeps; a database that ends with the code loses nothing."""
    code = code.replace(text=without_shown(code.text, code.language))
    if "http" in code.text:
        yield from _requests(code)
        if _runs_what_it_fetched(without_long_texts(code.text)):
            yield Effect(Action.RUN_NETWORK_CODE, "download", code.command, what=f"{code.language} code")
    called = without_texts(code.text)
    if not in_memory:
        yield from _in_databases(code, called)
    yield from cloud_effects(code, called)
    if _LIBRARY.search(code.text) and _AT_CODE_HOST.search(code.text):
        yield Effect(Action.CHANGE_CI, "api-delete", code.command, what=f"{code.language} code")
    if _MODEL_HUB.search(code.text) and _AT_MODEL_HUB.search(code.text):
        yield Effect(Action.PUBLISH_PACKAGE, "publish", code.command, what=f"{code.language} code")


def _in_databases(code: Code, called: str) -> Iterator[Effect]:
    """Calls that lose tables or rows, and statements that do so where the code talks to a database."""
    found = _LOSING.search(called)
    if found is None or not _CLIENT.search(code.text):
        found = _LOSING_MODEL.search(called)
    if found is not None:
        yield Effect(Action.CHANGE_DATABASE, "unbound", code.command, what=found[0], detail=code.language)
    if not _CONNECTED.search(code.text):
        return
    for statement in statements_in(code.text):
        danger = ("drop", statement[:120]) if loses_graph(statement) else sql_danger(statement)
        if danger is not None:
            yield Effect(
                Action.CHANGE_DATABASE, danger[0], code.command, what=danger[1], detail=code.language
            )


_RUNS = (
    r"\b(?:run_path|system|run|call|Popen|check_call|check_output|exec\w{0,8}|spawn\w{0,8}|fork|require|include|load|chmod"
    r"|import_module|startfile|passthru)\b[^\n;]{0,80}"
)


def _runs_what_it_fetched(text: str) -> bool:
    """A file that comes off the network, and is run further down."""
    for match in list(FETCHED.finditer(text))[:_MANY]:
        path = next(group for group in match.groups() if group)
        if re.search(_RUNS + re.escape(path), text[match.end() :]):
            return True
    return False


def _requests(code: Code) -> Iterator[Effect]:
    """What the code asks of the servers that it names, if it deletes or changes something there."""
    found = _METHOD.search(code.text)
    if found is None:
        return
    method = next(group for group in found.groups() if group).upper()
    yield from request(code.command, method, _ADDRESS.findall(code.text)[:_MANY])
