"""Packets that are made by hand: those that speak in the name of others."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.running.thing import Thing, deep_origins, from_
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

_SENDING = names("send sendp sendpfast sr sr1 srp srp1 srloop srploop srflood")
_ANSWERS = names("DNSRR BOOTP DHCP ICMPv6ND_NA ICMPv6ND_RA HSRP VRRP STP RIP Dot11Deauth Dot11Beacon")
"""Parts of packets that only servers and routers send."""
_FORGED = "forged"
_REPLY = 2


def packet_acts(call: Call) -> Iterator[Act]:
    if call.method in _SENDING and call.name.startswith("scapy."):
        given = (*call.given, *call.named.values())
        if any(kind == _FORGED for each in given for kind, _ in deep_origins(each)):
            yield Act(str(Action.READ_SECRET), name="watch", text=call.method)


def forged_packet(call: Call) -> Thing | None:
    """`ARP(op=2, psrc=gateway)`, `DNSRR(rdata=…)`."""
    if not call.name.startswith("scapy."):
        return None
    said = call.named.get("op")
    replies = said is not None and (said.number == _REPLY or "is-at" in said.texts)
    if call.method in _ANSWERS or (call.method == "ARP" and replies):
        return Thing(name=call.name, origins=from_(_FORGED))
    return None
