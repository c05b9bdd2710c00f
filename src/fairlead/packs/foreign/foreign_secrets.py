"""What a foreign tool shows that was to stay hidden: `get_secret`, an item of a password manager, `decrypt`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.foreign_names import given_of, words_of
from fairlead.packs.foreign.given_texts import given_texts
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.words.lexicon.showing_verbs import SHOWING_SECRETS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_SHOWING = SHOWING_SECRETS | names("retrieve copy find lookup download")
_HIDDEN = names("secret secrets password passwords passwd credential credentials passphrase otp totp")
_HIDDEN_KEYS = frozenset(
    (("private", "key"), ("access", "key"), ("api", "key"), ("signing", "key"), ("seed", "phrase"), ("recovery", "phrase"), ("mnemonic", "phrase"), ("recovery", "codes"), ("backup", "codes"), ("connection", "string"), ("connection", "strings"), ("root", "token"), ("account", "keys"), ("storage", "keys"), ("master", "key"), ("session", "token"), ("access", "token"), ("id", "token"), ("kube", "config"), ("role", "key"), ("management", "token"), ("admin", "token"), ("auth", "token"), ("bearer", "token"), ("refresh", "token"), ("service", "token"), ("bot", "token"), ("encryption", "key"), ("deploy", "token"), ("join", "token"), ("bootstrap", "token"), ("auth", "key"), ("service", "key"))
)  # fmt: skip
_KEYS_AT_ONCE = frozenset(
    (("account", "keys"), ("storage", "keys"), ("access", "keys"), ("connection", "strings"))
)
"""A list of these has them in it, where a list of secrets has their names."""
_TELLING = names("account storage cosmos servicebus eventhub redis search function")
_JARS = names("cookies cookie localstorage")
_OWN = lazy(r"(?:https?://)?(?:localhost|127\.|0\.0\.0\.0|\[::1\])")
_KEEPERS = names(
    """
    1password onepassword bitwarden lastpass keepass keepassxc dashlane keychain keyring keyvault secretsmanager
    infisical doppler secrets passwords vaultwarden akeyless gopass secretstorage vault
    """
)
_KEPT = names("item items entry login value field note kv")
_ABOUT = names(
    """
    scanning alert alerts metadata policy policies list lists name names version versions exists status rotation
    count schema template templates history help docs documentation scan audit search usage reset field form
    strength expiry
    """
)
"""Beside a secret, these say something about it."""
_UNHIDING = lazy(
    r"^(?:(?:reveal|decrypt|unmask|unredact)(?:_?\w+)?|with_?(?:decryption|values)"
    r"|(?:show|include|return|with)_?(?:secrets?|values?|passwords?|plaintext|credentials|dms|private(?:_?(?:messages|channels))?|pii))$",
    re.IGNORECASE,
)
_SEARCHING = names("grep ripgrep rg search find")
_ELSEWHERE = names("code repositories repos issues web docs documentation messages emails notes")
_LOOKED_FOR = names("pattern regex query text")
_MATERIAL = lazy(r"BEGIN (?:\w+ )?PRIVATE KEY|\bAKIA\b|aws_secret_access_key|\bsk_live_")
_ASKING = ("object", "type", "kind", "field", "property")
_TYPING = ("resourceType", "resource_type", "resource", "kind", "type")


def shown_by_name(call: ToolCall, cwd: str) -> Iterator[Effect]:
    """What the tool would put into the conversation, as its names and its switches say."""
    server, tool = words_of(call)
    given = given_of(call)
    if (
        not _SEARCHING.isdisjoint(tool)
        and _ELSEWHERE.isdisjoint(tool)
        and any(each.key in _LOOKED_FOR and _MATERIAL.search(each.text) for each in given_texts(call))
    ):
        yield Effect(Action.READ_SECRET, "search", Command((), cwd), what=call.name)
    if _unhides(given) or _is_shown(set(server), tool, given):
        yield Effect(Action.READ_SECRET, "shown-by-tool", Command((), cwd), what=call.name)


def _unhides(given: Mapping[str, object]) -> bool:
    return any(value is True and _UNHIDING.match(key) for key, value in given.items())


def _of_another_site(given: Mapping[str, object]) -> bool:
    """Cookies of what the person is logged in to, and not of what the session runs itself."""
    sites = (given.get(key) for key in ("domain", "url", "site", "host"))
    return any(isinstance(site, str) and site and not _OWN.match(site) for site in sites)


def _asked(given: Mapping[str, object]) -> set[str]:
    return {str(given[key]).lower() for key in _ASKING if isinstance(given.get(key), str)}


def _is_shown(server: set[str], tool: list[str], given: Mapping[str, object]) -> bool:
    words = set(tool)
    if words & _HIDDEN and ("values" in words or {"access", "version"} <= words):
        return True
    if tool[0] == "list" and _KEYS_AT_ONCE & set(pairwise(tool)) and words & _TELLING:
        return True
    if not words & _SHOWING or words & _ABOUT:
        return False
    if server & (_KEEPERS - {"vault"}) and words <= _SHOWING | {"to", "clipboard", "value", "all"} and given:
        return True
    if server & _KEEPERS and _asked(given) & (_HIDDEN | _KEPT):
        return True
    if words & _JARS and (words & {"export", "dump"} or _of_another_site(given)):
        return True
    if words & {"export", "dump"} and "vault" in words:
        return True
    if words & _HIDDEN or _HIDDEN_KEYS & set(pairwise(tool)):
        return True
    kinds = {str(given[key]).lower() for key in _TYPING if isinstance(given.get(key), str)}
    if kinds & {"secret", "secrets"}:
        return isinstance(given.get("name"), str)
    return bool(server & _KEEPERS and words & _KEPT)
