"""Calls that do what a well-known command does: judged as that command."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_word, is_elsewhere
from fairlead.shell.effects.code.python.running.thing import HOLE, Thing, deep_origins, shown_as
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

_MAINS = {
    "pip.main": "pip",
    "pip._internal.main": "pip",
    "pip._internal.cli.main.main": "pip",
    "ansible.cli.adhoc.main": "ansible",
    "conda.cli.main": "conda",
}
"""Programs that can be called as functions, with their words in a list."""
_LINES = {
    "crontab.CronTab.write": "echo job | crontab -",
    "crontab.CronTab.remove_all": "crontab -r",
}
_SCANNING = names(
    "nmap.PortScanner.scan nmap3.Nmap.scan_top_ports scapy.all.sr scapy.all.srp scapy.all.arping"
)
_UNITS = {"StopUnit": "stop", "KillUnit": "kill", "DisableUnitFiles": "disable"}
_POWER = names("PowerOff Reboot Halt Suspend Hibernate")
_RUNNING = names("os.system os.popen exec eval subprocess.run subprocess.check_output subprocess.getoutput")
_LISTENING = names(
    """
    scapy.all.sniff scapy.sendrecv.sniff scapy.all.AsyncSniffer pyshark.LiveCapture pcap.pcap pcapy.open_live
    pynput.keyboard.Listener keyboard.on_press keyboard.hook keyboard.record keyboard.on_release
    evdev.InputDevice pynput.mouse.Listener pyxhook.HookManager
    """
)
"""What others send, and what a person types: passwords are among it."""
_SEARCHING = names(
    "re.search re.findall re.finditer re.match re.compile.search re.compile.findall re.compile.finditer"
)
_SERVERS = names(
    """
    http.server.HTTPServer http.server.ThreadingHTTPServer socketserver.TCPServer
    socketserver.ThreadingTCPServer
    """
)
_LOGGING_IN = names("connect login extractall decrypt auth_password simple_bind_s")
_PASSWORDS = ("password", "pwd", "passwd", "pass")
_C_LIBRARY = {"mount": "mount", "umount": "umount", "umount2": "umount", "reboot": "reboot"}


def command_acts(call: Call) -> Iterator[Act]:
    if call.name in _LINES:
        yield Act("shell", _LINES[call.name])
    elif call.name in _MAINS:
        words = [as_word(shown_as(each)[0]) for each in call.at(0).items or ()]
        yield Act("shell", " ".join((_MAINS[call.name], *words)))
    elif call.name.startswith("ctypes.") and call.method in _C_LIBRARY:
        told = [as_word(shown_as(each)[0]) for each in call.given if each.texts]
        yield Act("shell", " ".join((_C_LIBRARY[call.method], *told[:2])))
    elif call.name.startswith("dbus.") and call.method in _POWER:
        yield Act("shell", "systemctl poweroff")
    elif call.method in _UNITS and call.at(0).texts:
        yield Act("shell", f"systemctl {_UNITS[call.method]} {as_word(call.told(0))}")
    elif call.method == "register_function" and any(each.name in _RUNNING for each in call.given):
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell", text=call.given[0].name)
    elif call.name in _LISTENING or _takes_packets(call):
        yield Act(str(Action.READ_SECRET), name=call.name)
    else:
        yield from _of_connection(call)


def _of_connection(call: Call) -> Iterator[Act]:
    if call.name in _SEARCHING:
        yield from _searched(call)
    elif call.name in _SERVERS:
        yield from _served(call)
    elif call.name in _SCANNING or _tries_many(call):
        yield Act(str(Action.RUN_NETWORK_CODE), name="scan", text=call.method)
    elif call.method in ("exec_command", "run", "sudo") and call.owner.peers:
        yield from _run_elsewhere(call)
    elif call.method in _LOGGING_IN:
        yield from _tried(call)


def _takes_packets(call: Call) -> bool:
    return call.name == "socket.socket" and any(each.name.endswith("AF_PACKET") for each in call.given)


def _tries_many(call: Call) -> bool:
    """A connection to one port, or one machine, after the other."""
    if call.method not in ("connect", "connect_ex", "create_connection", "open_connection"):
        return False
    address = call.given[0] if call.given and call.given[0].items else Thing(items=call.given[:2])
    ranged = any(kind == "range" for kind, _ in deep_origins(address))
    return ranged and is_elsewhere(call.hosts(address))


def _run_elsewhere(call: Call) -> Iterator[Act]:
    """`client.exec_command(line)` as `ssh host line`."""
    host = call.owner.peers[0].replace(HOLE, "") or "host"
    for line in call.at(0, "command").texts:
        yield Act("shell", f"ssh {as_word(host)} {as_word(line)}")


def _searched(call: Call) -> Iterator[Act]:
    """A pattern in the text of whatever files lie somewhere is a search through them."""
    pattern, text = (call.told(0), call.at(1)) if call.name.count(".") == 1 else ("password", call.at(0))
    for kind, path in deep_origins(text):
        if kind == "file" and "*" in path and pattern:
            yield Act("shell", f"grep -rE {as_word(pattern)} {as_word(path.partition('*')[0] or '.')}")


def _served(call: Call) -> Iterator[Act]:
    """Files of the folder here, for whoever can reach the address."""
    handler = call.at(1, "RequestHandlerClass")
    if not handler.name.endswith("SimpleHTTPRequestHandler"):
        return
    host = call.hosts(call.at(0, "server_address"))[0]
    bound = host if host and HOLE not in host else "0.0.0.0"  # noqa: S104 - what such a server listens on
    folder = (handler.fields or {}).get("directory")
    served = f" --directory {as_word(shown_as(folder)[0])}" if folder is not None else ""
    yield Act("shell", f"python3 -m http.server --bind {as_word(bound)}{served}")


def _tried(call: Call) -> Iterator[Act]:
    """Passwords out of a list of words."""
    given = [call.named[each] for each in _PASSWORDS if each in call.named] or list(call.given[1:2])
    tried = {path for each in given for kind, path in deep_origins(each) if kind == "file"}
    listed = [
        path for path in tried if path.endswith((".txt", ".lst", ".dic", "/words", ".list")) or "dict" in path
    ]
    for path in listed[:1]:
        yield Act(
            "shell", f"hydra -P {as_word(path)} ssh://{call.hosts(call.at(0))[0].replace(HOLE, '') or 'host'}"
        )
