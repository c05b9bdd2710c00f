"""What a program does to other people, whatever program it is: who may do what, money, and commands for the
console of an appliance or a server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import add

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.own.guard_names import PROTECTING
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.secret_material.secret_words import shows_secrets
from fairlead.shell.effects.words.lexicon.granting_words import ACCESS, GIVING, MONEY, PAYING, PEOPLE, SECRETS
from fairlead.shell.effects.words.lexicon.losing_verbs import LOSING, UNDOING
from fairlead.shell.effects.words.lexicon.showing_verbs import LOOKING, OPENING_SECRETS, SHOWING_SECRETS
from fairlead.shell.effects.words.lexicon.word_forms import lasts, parts, singular
from fairlead.shell.effects.words.unlisted_programs import SPEAKING, TESTING, Told
from fairlead.shell.following.interpreters import interpreter_for
from fairlead.shell.lazy_pattern import lazy

_RAISING = lazy(
    r"^--?(?:[a-z]+-)*(?:roles?|role-?name|admin|superuser|is-?admin|privileges?|permissions?|grants?)(?:=|$)",
    re.I,
)
_GRANTING_OPTION = lazy(
    r"^--(?:allow-principal|grant[\w-]*|make-admin|add-admin|superuser|set-admin)(?:=|$)", re.I
)
_ACCOUNT_WORD = lazy(
    r"^(?:user-?add|add-?user|create-?user|mkuser|passwd|chpasswd|set-?passwd|resetpassword)$", re.I
)
_MANAGER = lazy(r"(?:ctl|cli|admin|adm|users|acls)(?:\.sh)?$")
_WORD = lazy(r"[A-Za-z][\w:.-]*")
_FEW = 4


def outward(told: Told) -> Iterator[Effect]:
    """What the first words of a program say that it does to others."""
    command, name, texts = told.command, told.name, told.texts
    if told.tries or not texts or texts[-1] == "-h" or name in SPEAKING or name in TESTING:
        return
    words = [word.text[:60] for word in told.given.operands[:_FEW]]
    if _reveals(words):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
    else:
        yield from shows_secrets(command)
    if not LOOKING.isdisjoint(words):
        return
    pairs = _pairs(words)
    if _grants(told, words, pairs if len(words) < _FEW else _pairs(words[: _FEW - 1])):
        yield Effect(Action.CHANGE_CLOUD, "change-access", command, what=shown(command))
    elif _pays(told, words, pairs):
        yield Effect(Action.CHANGE_CLOUD, "spend", command, what=shown(command))


_MINER = lazy(
    r"^(?:[\w.-]+/){0,2}(?:xmrig(?:-\w+)?|xmr-stak|cpuminer(?:-\w+)?|minerd|nbminer|t-rex|lolminer|phoenixminer|gminer|ethminer)(?::[\w.-]+)?$"
)
"""Images and programs that do nothing else."""


def mining(told: Told) -> Iterator[Effect]:
    """`./tool -o stratum+tcp://pool…`: it works for whoever has the wallet."""
    pool = any(
        text.rpartition("=")[2].startswith(("stratum+", "stratum1+", "stratum2+")) for text in told.texts
    )
    if pool or any(map(_MINER.match, told.texts)):
        yield Effect(Action.KILL, "exhaust", told.command, what=shown(told.command))


_TAKING_AWAY = ("uninstall", "remove", "stop", "disable", "unload", "deactivate", "kill")


def disarming(told: Told) -> Iterator[Effect]:
    """`…/Malwarebytes/uninstall.sh`, `sentinelctl unload`: what protects the machine is taken away."""
    line = " ".join(text for text in told.said if " " not in text.strip() or "/" in text)[:400]
    if any(map(line.lower().__contains__, _TAKING_AWAY)) and PROTECTING.search(line):
        yield Effect(Action.CHANGE_SERVICE, "stop-vital", told.command, what=shown(told.command))


def _pairs(words: list[str]) -> list[tuple[str, ...]]:
    """Each word that has several parts, and each word with the next one, also in the singular."""
    single, several = [], []
    for word in words:
        if _WORD.fullmatch(word):
            spoken = parts(word)
            plural = [part for part in spoken if part.endswith("s")]
            single.append((*spoken, *map(singular, plural)))
            if len(spoken) > 1:
                several.append(single[-1])
    return [*several, *map(add, single, single[1:])]


def _grants(told: Told, words: list[str], pairs: list[tuple[str, ...]]) -> bool:
    """`grant admin x`, `roles add x`, `set-password x`, `user create x --role=administrator`."""
    if words[:1] == ["grant"] or any(map(_GRANTING_OPTION.match, told.options)):
        return True
    raises = bool(_MANAGER.search(told.name)) or any(map(_RAISING.match, told.options))
    if raises and any(map(_ACCOUNT_WORD.match, words[:2])):
        return True
    for pair in pairs:
        if not GIVING.isdisjoint(pair) and not (
            ACCESS.isdisjoint(pair) and (not raises or PEOPLE.isdisjoint(pair))
        ):
            return True
    return False


_SECRET_WORD = lazy(
    r"^(?:dump|export|show|reveal|print)-?_?(?:priv(?:ate)?-?_?key|wallet|seed|mnemonic|secrets?)$", re.I
)


def _reveals(words: list[str]) -> bool:
    """`secrets get x`, `password show x`, `dumpprivkey x`: the value is printed, where one is named."""
    if any(map(_SECRET_WORD.match, words[:3])):
        return True
    if len(words) < 3:
        return False
    for one, two in pairwise(words[:3]):
        if (two in SHOWING_SECRETS and singular(one) in SECRETS) or (
            one in OPENING_SECRETS and singular(two) in SECRETS
        ):
            return True
    return False


_AMOUNT = lazy(r"^--?(?:value|amount|amt|lamports|sats?|wei|fee-rate)(?:=|$)")
_SENDING = lazy(r"^(?:send\w*|transfer|withdraw|pay\w*)$")
_COIN = lazy(
    r"(?:coin|eth|solana|wallet|near|cast|monero|tezos|geth|lotus|sui|aptos)(?:-?(?:cli|client))?$|^lncli$|^ledger"
)


def _pays(told: Told, words: list[str], pairs: list[tuple[str, ...]]) -> bool:
    """`refunds create`, `wallet send --amount 1`, `bitcoin-cli sendtoaddress x 1`."""
    sends = any(map(_SENDING.match, words[:2]))
    if sends and (any(map(_AMOUNT.match, told.options)) or _COIN.search(told.name)):
        return True
    of_money = [pair for pair in pairs if not MONEY.isdisjoint(pair)]
    return bool(of_money) and any(not PAYING.isdisjoint(pair) for pair in of_money)


_CONSOLE_OPTION = lazy(r"^(?:-[cCeEx]|-rx|--?(?:command|execute|exec|cmd|run-command|run-once))$")
_CONSOLE_NAME = lazy(r"(?:ctl|cli|console|shell|sh|admin|client)$")
_APPLIANCE = lazy(
    r"no\s+[a-z]|conf(?:ig(?:ure)?)?\s+t(?:erm\w*)?\b|configure\b|clear\s+(?:ip|ipv6|bgp|arp|mac|crypto|line|log\w*|counters?|isis|ospf)\b"
    r"|(?:reload|write\s+erase|erase\s+startup|shutdown|reboot|poweroff|halt|disable|request\s+system)\b",
    re.I,
)


def told_to_console(told: Told) -> Sequence[Effect]:
    """`vtysh -c 'clear bgp *'`, `bconsole <<< 'delete volume=x'`: commands of a console's own language."""
    name, texts, typed = told.name, told.texts, told.command.stdin.text
    if not (texts or typed) or name in SPEAKING or name in TESTING:
        return ()
    lines: list[str] = []
    if told.options or told.said[0].startswith("-"):
        lines = [after for before, after in pairwise(told.said) if _CONSOLE_OPTION.match(before)]
    if _CONSOLE_NAME.search(name) or texts[:1] in (["shell"], ["console"]):
        lines += (typed or "").splitlines()[:64]
        lines += [text for text in texts[:7] if " " in text]
    if not lines or interpreter_for(name) is not None or not any(map(_loses_there, lines)):
        return ()
    return (Effect(Action.CHANGE_CLOUD, "by-name", told.command, what=shown(told.command)),)


def _loses_there(line: str) -> bool:
    """A verb that loses something, with what it is done to, or a change of how an appliance works."""
    words = line[:400].split()
    if len(words) < 2:
        return bool(words) and words[0].lower() in ("reload", "reboot", "shutdown")
    if _APPLIANCE.match(line):
        return True
    nouns = [part for word in (words[0].rpartition(".")[0], *words[1:3]) for part in parts(word)]
    verb = words[0].lower().rpartition(".")[2]
    if verb in ("rmr", "deleteall") and words[1].startswith("/"):
        return True
    return (verb in LOSING or verb in UNDOING) and any(lasts(noun) for noun in nouns)
