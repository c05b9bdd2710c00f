"""Firewalls that are opened or shut, and networks that are cut or led elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_TAKING_AWAY = names("-F --flush -X flush disable reset --panic-on -P --policy delete")
_SHUTTING = names("DROP REJECT")
_EVERYONE = lazy(r"\b[01]?[-:]65535\b|^(?:0\.0\.0\.0/0|::/0|Anywhere)$")
_NFT_CHANGES = names("add insert create replace destroy -f --file")


def read_firewall(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    words = {word.text for word in command.argv[1:]}
    if command.name == "nft" and {"-c", "--check"} & words:
        return
    removed = any(word.startswith(("--remove", "--set-default-zone")) for word in words) or (
        command.name == "pfctl" and any(word.startswith(("-d", "-F")) for word in words)
    )
    if _TAKING_AWAY & words or removed or _shuts(words) or _opens(command.name, words):
        yield Effect(Action.CHANGE_SYSTEM, "firewall", command, what=shown(command))
    elif {"REDIRECT", "DNAT"} & words and not {"-C", "--check", "-L"} & words:
        yield Effect(Action.CHANGE_SYSTEM, "led-elsewhere", command, what=shown(command))


def _shuts(words: set[str]) -> bool:
    """Everything, or the port through which people log in."""
    narrowed = {"-s", "--source", "-p", "--dport", "-d"} & words
    return bool(_SHUTTING & words) and (not narrowed or bool({"22", "ssh"} & words))


def _opens(program: str, words: set[str]) -> bool:
    pairs = ({"state", "off"}, {"default", "allow"}, {"allow", "any"})
    if any(pair <= words for pair in pairs) or "-D" in words:
        return True
    if any(_EVERYONE.search(word) for word in words) or (program == "nft" and _NFT_CHANGES & words):
        return True
    everyone = {"-I", "-A", "--insert", "--append"} & words and "ACCEPT" in words
    narrowed = any(word.startswith(("-s", "-p", "--dport", "-d", "-i", "-m", "--source")) for word in words)
    return bool(everyone) and not narrowed


_LED_ELSEWHERE = lazy(r"^-set(?:dns|web|secureweb|socks|autoproxy|ftpproxy|v6|manual|airport|networkservice)")
_NAMES_SERVED = lazy(r"^(?:ipv[46]\.(?:dns|gateway|routes|method)|proxy\.)")


def read_interfaces(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    words = [word.text for word in command.argv[1:]]
    down = (
        command.name == "ifdown"
        or words[-1:] == ["off"]
        or "down" in words
        or {"flush", "del", "delete"} & set(words[:3])
        or words[:2] == ["networking", "off"]
        or "disconnect" in words[:2]
    )
    led = any(_LED_ELSEWHERE.match(word) for word in words[:1]) or (
        command.name == "nmcli"
        and any(re.match(r"mod", word) for word in words[1:2])
        and any(_NAMES_SERVED.match(word) for word in words)
    )
    led = led or (
        any(word in ("add", "replace", "change") for word in words[:3])
        and bool({"default", "0.0.0.0/0", "0/0", "0.0.0.0/1", "128.0.0.0/1"} & set(words))
    )
    led = led or {"hw", "ether"} <= set(words) or ({"set", "address"} <= set(words) and words[:1] == ["link"])
    if {"promisc", "on"} <= set(words) or words[-1:] == ["promisc"]:
        yield Effect(Action.READ_SECRET, "watch", command, what=shown(command))
    if command.name == "nmcli" and {"-s", "--show-secrets"} & set(words):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
    if (down or led) and "--help" not in words:
        yield Effect(Action.CHANGE_SYSTEM, "network-down", command, what=shown(command))
