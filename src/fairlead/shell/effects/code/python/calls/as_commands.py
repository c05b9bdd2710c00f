"""Calls that do what a well-known command does: judged as that command."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_word, is_elsewhere
from fairlead.shell.effects.code.python.calls.network import is_request
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
    "time.clock_settime": "date -s @0",
    "time.clock_settime_ns": "date -s @0",
    "socket.sethostname": "hostname other",
}
SCANNING = names(
    "nmap.PortScanner.scan nmap3.Nmap.scan_top_ports scapy.all.sr scapy.all.srp scapy.all.arping"
)
_FLOODING = names("scapy.all.send scapy.all.sendp scapy.all.sendpfast")
_FLOOD = 1000
"""Packets that nobody sends to see whether something answers."""
_UNITS = {"StopUnit": "stop", "KillUnit": "kill", "DisableUnitFiles": "disable"}
_POWER = names("PowerOff Reboot Halt Suspend Hibernate")
_RUNNING = names("os.system os.popen exec eval subprocess.run subprocess.check_output subprocess.getoutput")
LISTENING = names(
    """
    scapy.all.sniff scapy.sendrecv.sniff scapy.all.AsyncSniffer pyshark.LiveCapture pcap.pcap pcapy.open_live
    pynput.keyboard.Listener keyboard.on_press keyboard.hook keyboard.record keyboard.on_release
    evdev.InputDevice pynput.mouse.Listener pyxhook.HookManager pyautogui.screenshot pyscreenshot.grab
    PIL.ImageGrab.grab ImageGrab.grab mss.mss.shot mss.mss.grab mss.mss mss.shot sounddevice.rec
    sounddevice.InputStream pyaudio.PyAudio.open speech_recognition.Microphone
    Xlib.display.Display.record_enable_context
    """
)
"""What others send, and what a person types, sees or says: passwords are among it."""
_SEARCHING = names(
    "re.search re.findall re.finditer re.match re.compile.search re.compile.findall re.compile.finditer"
)
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
    elif call.name in _BY_PATH:
        yield from _by_path(call)
    elif any(each.name.endswith("ClassicService") for each in call.given):
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell", text=call.name)
    elif call.method in _UNITS and call.given:
        for unit in (text for each in call.at(0).items or (call.at(0),) for text in each.texts):
            yield Act("shell", f"systemctl {_UNITS[call.method]} {as_word(unit)}")
    elif call.method == "register_function" and any(each.name in _RUNNING for each in call.given):
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell", text=call.given[0].name)
    elif call.name in LISTENING or _takes_packets(call) or _looks_through_camera(call):
        yield Act(str(Action.READ_SECRET), name="watch", text=call.name)
    else:
        yield from _of_connection(call)


_BY_PATH = names("os.utime os.setxattr os.chroot")


def _by_path(call: Call) -> Iterator[Act]:
    """Functions that have a command of the same kind."""
    if call.name == "os.utime":
        yield from _dated(call)
        return
    for path in call.paths(0, "path"):
        if call.name == "os.chroot":
            yield Act("shell", f"chroot {as_word(path)} /bin/sh")
        elif call.told(1, "attribute").startswith("security."):
            yield Act("shell", f"setcap all+ep {as_word(path)}")


def _dated(call: Call) -> Iterator[Act]:
    """`os.utime` as `touch`: with the times of another file, or with some."""
    times = call.at(1, "times", "ns")
    others = [path for kind, path in sorted(deep_origins(times)) if kind == "times"]
    given = times.items is not None or bool(others)
    option = f"-r {as_word(others[0])}" if others else "-d @0" if given else ""
    for path in call.paths(0, "path"):
        if path not in others:
            yield Act("shell", f"touch {option} {as_word(path)}")


def _of_connection(call: Call) -> Iterator[Act]:
    if call.name in _SEARCHING:
        yield from _searched(call)
    elif call.name in SCANNING or _tries_many(call):
        yield Act(str(Action.RUN_NETWORK_CODE), name="scan", text=call.method)
    elif call.method in ("exec_command", "run", "sudo") and call.owner.peers:
        yield from _run_elsewhere(call)
    elif call.name in _FLOODING and (call.is_true("loop") or (call.at(9, "count").number or 0) >= _FLOOD):
        yield Act(str(Action.KILL), name="exhaust", text=call.method)


_ICMP = {"IPPROTO_ICMP", "IPPROTO_ICMPV6", "AF_NETLINK", "AF_CAN", "AF_BLUETOOTH"}


def _takes_packets(call: Call) -> bool:
    if call.name != "socket.socket":
        return False
    said = [each.name.rpartition(".")[2] for each in (*call.given, *call.named.values())]
    return "AF_PACKET" in said or "PF_PACKET" in said or ("SOCK_RAW" in said and _ICMP.isdisjoint(said))


def _looks_through_camera(call: Call) -> bool:
    """A camera has a number or a device; a film has a file."""
    device = call.at(0, "index", "filename")
    camera = device.number is not None or any(path.startswith("/dev/video") for path in device.texts)
    return call.name == "cv2.VideoCapture" and camera


_CONNECTING = names(
    "connect connect_ex create_connection open_connection sr1 SMBConnection Telnet FTP SSHClient"
)
_PEER = ("host", "port", "hostname", "address")


def _tries_many(call: Call) -> bool:
    """A connection to one port, or one machine, after the other."""
    if is_request(call):
        address = call.at(0, "url")
    elif call.method in _CONNECTING:
        told = (*call.given[:2], *(call.named[each] for each in _PEER if each in call.named))
        address = call.given[0] if call.given and call.given[0].items else Thing(items=told)
    else:
        return False
    hosts = call.hosts(address)
    ranged = any(kind == "range" for kind, _ in deep_origins(address)) and is_elsewhere(hosts)
    return ranged and (not is_request(call) or len(set(hosts)) > 1 or hosts[0] == HOLE)


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
