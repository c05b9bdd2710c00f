"""Stores in clouds that are opened with keys which stand in the code: whose they are, nobody here said."""

from __future__ import annotations

from fairlead.shell.effects.code.python.calls.call import Call, is_elsewhere
from fairlead.shell.effects.code.python.running.thing import HOLE, deep_origins
from fairlead.shell.word_sets import names

ACCOUNTS = names(
    """
    boto3.client boto3.resource boto3.Session boto3.session.Session aioboto3.Session minio.Minio
    oss2.Auth b2sdk.v2.B2Api dropbox.Dropbox mega.Mega.login
    """
)
_KEYS = names(
    "aws_access_key_id aws_secret_access_key access_key secret_key oauth2_access_token email password"
)
_FOR_TESTS = names("test testing minioadmin dummy fake mock minio admin foo x")
_ENDPOINTS = ("endpoint_url", "endpoint")


def is_of_others(call: Call) -> bool:
    """A key in so many words, and a server that is not on this machine."""
    given = [call.named[key] for key in _KEYS if key in call.named]
    spelled = any(
        each.texts
        and HOLE not in each.texts[0]
        and each.texts[0].lower() not in _FOR_TESTS
        and not deep_origins(each)
        for each in given
    )
    named = next((call.named[key] for key in _ENDPOINTS if key in call.named), None)
    server = call.at(0) if call.name.startswith("minio.") else named
    return spelled and (server is None or is_elsewhere(call.hosts(server)))
