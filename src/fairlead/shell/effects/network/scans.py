"""Programs that look for open doors: on whose machines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.attack_requests import is_attack
from fairlead.shell.effects.network.server_requests import LOCAL
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_sets import names

_COUNTS = names("-sn -sL -sP --help -h -V --version --iflist --script-help")
_MANY = lazy(r"^[\w.:-]+/(?:\d{1,2}|1[01]\d)$|^(?:\d+(?:-\d+)?\.|\*\.){1,3}(?:\d+-\d+|\*)(?:\.[\d*-]+)*$")
_INTRUSIVE = lazy(
    r"^(?:-A|-O|-sS|-sU|-sA|-sF|-sX|-sN|--script=?(?:.*(?:vuln|brute|exploit|auth|dos|intrusive)).*)$"
)
_ASKS = names("--help -H -help --version -version -Version -V --list --wizard -hh")
_NEAR = lazy(
    r"(?:^|[/@:=])(?:localhost|127\.\d|0\.0\.0\.0|\[?::1|host\.docker\.internal|testphp\.vulnweb\.com)"
)


def read_scan(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """A whole network, or a stranger's machine in a way that intrudes."""
    texts = [word.text for word in command.argv[1:]]
    if not _COUNTS.isdisjoint(texts):
        return
    given = read_arguments(command.argv[1:], valued=_VALUED, single_dash=True)
    targets = [word.text for word in given.operands]
    listed = any(text.startswith("-iL") or text in ("-iR", "--excludefile") for text in texts)
    many = listed or any(map(_MANY.match, targets))
    intrudes = any(map(_INTRUSIVE.match, texts)) and not all(map(_is_near, targets))
    if many or intrudes:
        yield Effect(Action.RUN_NETWORK_CODE, "scan", command, what=shown(command))


_VALUED = (
    "-p",
    "-oN",
    "-oX",
    "-oG",
    "-oA",
    "--script",
    "--script-args",
    "-T",
    "-e",
    "-S",
    "--top-ports",
    "-iL",
)


_EVERYONE = lazy(
    r"(?i)\((?:objectclass|objectcategory)=(?:user|person|computer|group|organizationalperson|inetorgperson|posixaccount|domain|\*)\)"
    r"|serviceprincipalname=|useraccountcontrol|admincount=|samaccounttype=|ms-mcs-admpwd|memberof=\*|\(cn=\*\)|\(uid=\*\)"
)


def read_directory(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`ldapsearch … '(objectClass=user)'`: everyone that a directory knows; one's own may be asked."""
    texts = [word.text for word in command.argv[1:]]
    asks = any(map(_EVERYONE.search, texts)) and not {"-s", "base"} <= set(texts)
    elsewhere = any("://" in text or text in ("-H", "-h") for text in texts)
    near = any(_NEAR.search(text) or text.startswith("ldap:///") for text in texts)
    if asks and elsewhere and not near:
        yield Effect(Action.RUN_NETWORK_CODE, "scan", command, what=shown(command))


def read_attack(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """Programs whose purpose is to find a way in; tried on one's own machine they do no harm."""
    texts = [word.text for word in command.argv[1:]]
    if _ASKS.isdisjoint(texts) and not any(map(_is_near, texts)):
        yield Effect(Action.RUN_NETWORK_CODE, "scan", command, what=shown(command))


def _is_near(text: str) -> bool:
    return bool(_NEAR.search(text) or LOCAL.match(text))


def scanned_ports(command: Command) -> Iterator[Effect]:
    """`for port in {1..65535}; do echo > /dev/tcp/10.0.0.1/$port; done`."""
    for redirect in command.redirects:
        target = redirect.target
        if target.opaque is None or not target.text.startswith(("/dev/tcp/", "/dev/udp/")):
            continue
        if _is_each(target.opaque) and not _is_near(target.text.removeprefix("/dev/tcp")):
            yield Effect(Action.RUN_NETWORK_CODE, "scan", command, what=f"{redirect.operator} {target.text}")


SWEEPING = names(
    "ping ping6 fping arping nc ncat telnet ssh scp sshpass rsync curl wget http https xh httpie"
)
_NETWORK = lazy(r"^(?:\w+@|https?://)?(?!127\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.[$…]")
_REQUESTING = names("curl wget http https xh httpie")
_PORT_BY_PORT = names("nc ncat telnet")
_ADDRESS = lazy(r"^(?:\d{1,3}(?:\.\d{1,3}){3}|[\w-]+(?:\.[\w-]+)+)$")


def swept_machines(command: Command) -> Iterator[Effect]:
    """`for i in {1..254}; do ping -c1 192.168.1.$i; done`."""
    texts = [word.text for word in command.argv[1:]]
    if command.name in _REQUESTING and any(map(is_attack, texts)) and not any(map(_is_near, texts)):
        yield Effect(Action.RUN_NETWORK_CODE, "scan", command, what=shown(command))
        return
    if command.name == "ping" and _tells_others(command):
        yield Effect(Action.SEND_DATA, "raw-connection", command, what=shown(command))
        return
    for index, word in enumerate(command.argv[1:], 1):
        if word.opaque is None or not (_is_each(word.opaque) or _of_known_machines(word.opaque)):
            continue
        before = command.argv[index - 1].text
        if _of_known_machines(word.opaque):
            yield Effect(Action.RUN_NETWORK_CODE, "scan", command, what=shown(command))
            return
        port = command.name in _PORT_BY_PORT and _ADDRESS.match(before) and not _is_near(before)
        if port or _NETWORK.match(word.text):
            yield Effect(Action.RUN_NETWORK_CODE, "scan", command, what=shown(command))
            return


def _tells_others(command: Command) -> bool:
    """`ping -p "$part" host`: a part of a file in each packet."""
    return any(
        option.text == "-p" and value.opaque is not None and bool(value.opaque.commands())
        for option, value in pairwise(command.argv)
    )


def _of_known_machines(opaque: Unknown) -> bool:
    """Whatever machine this one was ever at."""
    return any(word.endswith("known_hosts") for stage in opaque.commands() for word in stage)


def _is_each(opaque: Unknown) -> bool:
    """One after the other of many: of a loop, of `seq`, of what `xargs` is given."""
    return opaque.has(*_EACH) or any(stage[:1] == ("seq",) for stage in opaque.commands())


_EACH = (Kind.ONE_OF_VALUES, Kind.TOO_MANY_WORDS, Kind.COUNTER, Kind.XARGS_ITEM)
