"""Libraries that hand out secrets: whoever prints what they answer, prints the secret."""

from __future__ import annotations

from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.running.thing import UNKNOWN, Origin, Thing, deep_origins, from_
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

SECRET: Origin = ("secret", "*")
_KEEPERS = lazy(
    r"^(?:kubernetes\w*|pykube|lightkube|kr8s)\b.*\.(?:list_secret_for_all_namespaces|(?:list|read)_namespaced_secret)$"
    r"|^(?:aio)?boto(?:3|core)\..*\.(?:get_secret_value|get_session_token|assume_role\w*|get_federation_token"
    r"|create_access_key|get_authorization_token|generate_db_auth_token|get_(?:frozen_)?credentials)$"
    r"|^hvac\..*\.(?:read_secret(?:_version)?|read|generate_credentials)$"
    r"|^azure\..*\.(?:get_secret|get_token|list_account_keys|list_keys)$|^msal\..*\.acquire_token\w*$"
    r"|^google\.cloud\.secretmanager\w*\..*\.access_secret_version$|^google\.auth\.default$"
    r"|^(?:keyring|keyrings)\..*get_(?:password|credential)$|^secretstorage\..*\.get_secret$"
    r"|^pykeepass\..*\.(?:entries|find_entries\w*|password)$|^browser_?cookie3?\.\w+$"
    r"|^(?:onepassword\w*|bitwarden\w*|infisical\w*|dopplersdk)\..*\.(?:get|resolve|get_item\w*|get_secret\w*|list\w*)$"
    r"|^netrc\.netrc\.authenticators$|^gitlab\..*\.variables\.(?:list|get)$|^consul\..*\.kv\.get$"
)
_LIBRARIES = names(
    """
    kubernetes kubernetes_asyncio pykube lightkube kr8s boto3 botocore aioboto3 hvac azure msal google keyring
    keyrings secretstorage pykeepass browser_cookie3 browsercookie onepasswordconnectsdk onepassword
    bitwarden_sdk infisical_sdk infisical dopplersdk netrc gitlab consul
    """
)
_PASSING = names("get items values decode json to_dict to_str dict pop read strip split copy")
LABELS = names(
    """
    metadata name Name NAME id Id ID arn ARN Arn version Version VersionId VersionStages type Type path
    created created_at CreatedDate updated expires_on Expiration expiry properties keys count label title
    username url scopes project_id account region region_name method
    """
)
"""What is told of a secret without telling it."""


def kept_secret(call: Call) -> Thing | None:
    """What the call hands out, if it is a keeper's; None for all else."""
    if call.method in _PASSING and SECRET in deep_origins(call.owner):
        return Thing(name=call.name, origins=from_(*SECRET))
    library = call.name.partition(".")[0]
    if library in _LIBRARIES and _KEEPERS.search(call.name):
        handed = Thing(name=call.name, origins=from_(*SECRET))
        return Thing(items=(handed, UNKNOWN)) if call.name == "google.auth.default" else handed
    return None


def labelled(thing: Thing) -> Thing:
    """A name or a date of what is kept."""
    kept = thing.origins - {SECRET}
    return thing.replace(origins=kept) if len(kept) < len(thing.origins) else thing
