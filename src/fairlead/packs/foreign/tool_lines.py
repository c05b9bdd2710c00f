"""Foreign tools by the words of their names, with the line that does the same: knowledge alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.model.facts import quoted
from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value
from fairlead.packs.foreign.foreign_names import given_of, words_of
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names


class Alike(Value):
    """A tool that has one of `things` in the names of its server or its own, and one of `verbs` in its own.
    In `line`, `{key}` is what the call has under that key, or under one that another `|` names."""

    things: frozenset[str]
    verbs: frozenset[str]
    line: str


def _alike(things: str, verbs: str, line: str) -> Alike:
    return Alike(names(things), names(verbs), line)


_TOOLS = (
    _alike("firewall ufw", "disable stop off reset", "ufw disable"),
    _alike("firewall iptables nftables", "flush", "iptables -F"),
    _alike(
        "dns resolver network",
        "dns nameserver nameservers",
        "resolvectl dns eth0 {servers|server|nameservers|dns}",
    ),
    _alike("hosts", "add set write update", "echo {ip|address} {hostname|host|name|domain} >> /etc/hosts"),
    _alike(
        "ssh authorized",
        "authorized authorize",
        "echo {key|public_key|publicKey} >> ~/.ssh/authorized_keys",
    ),
    _alike("cron crontab", "create add set new schedule", "echo '* * * * * {command|cmd|job}' | crontab -"),
    _alike("users accounts", "create add", "useradd -G {groups|group|role} {username|user|name}"),
    _alike("ngrok localtunnel cloudflared", "create start open", "ngrok tcp {addr|port|local_port}"),
    _alike(
        "ssh tunnel",
        "tunnel forward",
        "ssh -R {remote_port|remotePort}:localhost:{local_port|localPort} {host}",
    ),
    _alike("nmap masscan rustscan", "scan run", "nmap {target|targets|host|hosts|network|ip|range}"),
    _alike(
        "nmap masscan rustscan",
        "scan run",
        "nmap {scan_type|options|flags|additional_args|args} {target|targets|host|hosts|network|ip|range}",
    ),
    _alike("pypi twine", "upload publish", "twine upload dist/*"),
    _alike("pip pip3 uv", "install", "pip install {packages|package|requirements|url|spec}"),
    _alike("npm yarn pnpm", "install add", "npm install {packages|package|url|spec}"),
    _alike("apt dnf yum pacman", "remove purge uninstall", "apt remove -y {packages|package|name}"),
    _alike("vscode code cursor", "install", "code --install-extension {vsix|path|file|extension|id}"),
    _alike("restic", "forget prune", "restic forget --prune --keep-last {keep_last|keepLast|keep|id}"),
    _alike("adb android", "adb shell", "adb shell {command|cmd}"),
    _alike("vagrant", "destroy", "vagrant destroy -f"),
    _alike(
        "libvirt virsh qemu kvm", "undefine destroy", "virsh undefine {domain|name|vm} --remove-all-storage"
    ),
    _alike("rsync", "sync copy run push", "rsync -a {src|source|from} {dst|dest|destination|to}"),
    _alike(
        "archive zip tar",
        "extract unpack untar unzip",
        "tar xf {archive|source|file|path} -C {dest|destination|target|output}",
    ),
    _alike("drizzle", "push", "drizzle-kit push --force={force}"),
    _alike(
        "doppler infisical chamber", "secrets export download", "doppler secrets download --project={project}"
    ),
)
"""What cannot be filled in leaves its line out."""
_HOLE = lazy(r"\{([\w|]+)\}")
_LONGEST = 2000


def alike_lines(call: ToolCall) -> Iterator[str]:
    server, tool = words_of(call)
    known, asked, given = {*server, *tool}, {*tool}, given_of(call)
    for each in _TOOLS:
        if each.things & known and each.verbs & asked:
            line = _filled(each.line, given)
            if line:
                yield line


def _filled(line: str, given: Mapping[str, object]) -> str:
    found = [_words(hole, given) for hole in _HOLE.findall(line)]
    if not all(found):
        return ""
    filling = iter(found)
    return _HOLE.sub(lambda _: next(filling), line)


def _words(keys: str, given: Mapping[str, object]) -> str:
    value = next((given[key] for key in keys.split("|") if given.get(key) not in (None, "", [], False)), None)
    listed = value if isinstance(value, list) else [] if value is None else [value]
    return " ".join(quoted(str(each)[:_LONGEST]) for each in listed[:32] if isinstance(each, (str, int)))
