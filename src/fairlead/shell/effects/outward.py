"""What a program does to other people, whatever program it is: who may do what, money, and commands for the
console of an appliance or a server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.secret_words import shows_secrets
from fairlead.shell.effects.subcommands import is_dry_run, shown
from fairlead.shell.effects.unlisted import SPEAKING, TESTING
from fairlead.shell.effects.vocabulary import LOOKING, LOSING, UNDOING, lasts, parts, singular
from fairlead.shell.interpreters import interpreter_for
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.tables import names

_GIVING = names(
    "add create set grant assign invite promote put attach change allow reset update make new modify"
)
_ACCESS = names(
    "role permission acl privilege password passwd superuser collaborator principal admin sudoer permset"
)
_PEOPLE = names("user member account admin operator")
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
_MONEY = names("refund payout transfer withdrawal disbursement remittance")
_PAYING = names("create send pay issue submit execute confirm approve")
_WORD = lazy(r"[A-Za-z][\w:.-]*")
_FEW = 4


def outward(command: Command) -> Iterator[Effect]:
    """What the first words of a program say that it does to others."""
    if command.name in SPEAKING or command.name in TESTING or len(command.argv) < 2:
        return
    given = read_arguments(command.argv[1:])
    words = [word.text[:60] for word in given.operands[:_FEW]]
    texts = [word.text for word in command.argv[1:]]
    if is_dry_run(given) or texts[-1] == "-h":
        return
    if _reveals(words):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
    else:
        yield from shows_secrets(command)
    if any(word in LOOKING for word in words):
        return
    if _grants(command.name, words, texts):
        yield Effect(Action.CHANGE_CLOUD, "change-access", command, what=shown(command))
    elif _pays(command.name, words, texts):
        yield Effect(Action.CHANGE_CLOUD, "spend", command, what=shown(command))


def _pairs(words: list[str]) -> Iterator[tuple[str, ...]]:
    """Each word in its parts, and each word with the next one."""
    single = [parts(word) for word in words if _WORD.fullmatch(word)]
    single = [(*word, *(singular(part) for part in word)) for word in single]
    yield from (word for word in single if len(word) > 2)
    yield from (one + two for one, two in pairwise(single))


def _grants(program: str, words: list[str], texts: list[str]) -> bool:
    """`grant admin x`, `roles add x`, `set-password x`, `user create x --role=administrator`."""
    if words[:1] == ["grant"] or any(_GRANTING_OPTION.match(text) for text in texts):
        return True
    raises = bool(_MANAGER.search(program)) or any(_RAISING.match(text) for text in texts)
    if raises and any(_ACCOUNT_WORD.match(word) for word in words[:2]):
        return True
    for pair in _pairs(words[:3]):
        if any(part in _GIVING for part in pair) and any(
            part in _ACCESS or (raises and part in _PEOPLE) for part in pair
        ):
            return True
    return False


_SHOWING = names("get show reveal read view print dump export decrypt cat display fetch access")
_OPENING = names("reveal decrypt dump export print access")
_SECRET = names("secret password passphrase privkey mnemonic seed credential keypair")
_SECRET_WORD = lazy(
    r"^(?:dump|export|show|reveal|print)-?_?(?:priv(?:ate)?-?_?key|wallet|seed|mnemonic|secrets?)$", re.I
)


def _reveals(words: list[str]) -> bool:
    """`secrets get x`, `password show x`, `dumpprivkey x`: the value is printed, where one is named."""
    if any(_SECRET_WORD.match(word) for word in words[:3]):
        return True
    return any(
        (singular(one) in _SECRET and two in _SHOWING) or (one in _OPENING and singular(two) in _SECRET)
        for one, two in pairwise(words[:3])
        if len(words) > 2
    )


_AMOUNT = lazy(r"^--?(?:value|amount|amt|lamports|sats?|wei|fee-rate)(?:=|$)")
_SENDING = lazy(r"^(?:send\w*|transfer|withdraw|pay\w*)$")
_COIN = lazy(
    r"(?:coin|eth|solana|wallet|near|cast|monero|tezos|geth|lotus|sui|aptos)(?:-?(?:cli|client))?$|^lncli$|^ledger"
)


def _pays(program: str, words: list[str], texts: list[str]) -> bool:
    """`refunds create`, `wallet send --amount 1`, `bitcoin-cli sendtoaddress x 1`."""
    sends = any(_SENDING.match(word) for word in words[:2])
    if sends and (any(_AMOUNT.match(text) for text in texts) or _COIN.search(program)):
        return True
    return any(
        any(part in _MONEY for part in pair) and any(part in _PAYING for part in pair)
        for pair in _pairs(words)
    )


_CONSOLE_OPTION = lazy(r"^(?:-[cCeEx]|-rx|--?(?:command|execute|exec|cmd|run-command|run-once))$")
_CONSOLE_NAME = lazy(r"(?:ctl|cli|console|shell|sh|admin|client)$")
_APPLIANCE = lazy(
    r"no\s+[a-z]|conf(?:ig(?:ure)?)?\s+t(?:erm\w*)?\b|configure\b|clear\s+(?:ip|ipv6|bgp|arp|mac|crypto|line|log\w*|counters?|isis|ospf)\b"
    r"|(?:reload|write\s+erase|erase\s+startup|shutdown|reboot|poweroff|halt|disable|request\s+system)\b",
    re.I,
)


def told_to_console(command: Command) -> Iterator[Effect]:
    """`vtysh -c 'clear bgp *'`, `bconsole <<< 'delete volume=x'`: commands of a console's own language."""
    name = command.name
    if len(command.argv) < 2 and not command.stdin.text:
        return
    if name in SPEAKING or name in TESTING or interpreter_for(name) is not None:
        return
    lines = [after.text for before, after in pairwise(command.argv) if _CONSOLE_OPTION.match(before.text)]
    if _CONSOLE_NAME.search(name) or any(word.text in ("shell", "console") for word in command.argv[1:2]):
        lines += (command.stdin.text or "").splitlines()[:64]
        lines += [word.text for word in command.argv[1:8] if " " in word.text]
    if any(_loses_there(line) for line in lines):
        yield Effect(Action.CHANGE_CLOUD, "by-name", command, what=shown(command))


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
