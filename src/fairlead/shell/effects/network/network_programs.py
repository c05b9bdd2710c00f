"""What goes over the network: downloads, uploads, requests that delete, shells for others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.documents import is_document, is_fed_a_document
from fairlead.shell.effects.network.pinned_releases import is_pinned_release
from fairlead.shell.effects.network.server_requests import LOCAL, STORE_PORT, is_local, request
from fairlead.shell.effects.network.token_hosts import are_told, go_to_strangers
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_sets import names

_CURL_VALUED = names(
    """
    -X --request -H --header -d --data --data-ascii
    --data-binary --data-raw --data-urlencode --json -F --form -T
    --upload-file -o --output -u --user -A --user-agent -b --cookie -c --cookie-jar -e --referer -K
    --config -m --max-time -w --write-out -x --proxy --connect-timeout --retry --retry-delay
    --cacert --cert --key --resolve --url --url-query -r --range --limit-rate --form-string --output-dir -E
    --unix-socket --interface --trace -D --dump-header --max-redirs --ciphers -y -Y -z -t -P -Q -C
    """
)
_DATA = ("-d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "--json")
_ENCODED = ("--data-urlencode", "--url-query")
_FORMS = ("-F", "--form")
_UPLOADS = ("-T", "--upload-file")
_DROP_SITES = lazy(
    r"(?:transfer\.sh|0x0\.st|file\.io|bashupload|paste(?:bin)?\.|termbin|ix\.io|sprunge|webhook\.site|requestbin|pipedream|"
    r"hookbin|ngrok|burpcollaborator|oast\.|interact\.sh|gofile|anonfiles|beeceptor|dpaste|hastebin|catbox|discord(?:app)?\.com/api/webhooks|"
    r"api\.telegram\.org/bot|clbin\.com|rentry\.|oshi\.at|tmpfiles\.org|temp\.sh|uguu\.se|envs\.sh|x0\.at|pixeldrain|wetransfer|filebin\.net"
    r"|keep\.sh|controlc\.com|ghostbin|privatebin|snippet\.host|bpa\.st|requestcatcher|mockbin|postb\.in|ptsv|smee\.io|dnslog|ceye\.io"
    r"|trycloudflare|loca\.lt|serveo\.net|localhost\.run|requestrepo|hookdeck|tempfile|fileditch|ufile\.io|sendspace|mediafire|mega\.nz)",
    re.IGNORECASE,
)
_LONGEST_HOST = 300


def _is_drop_site(address: str) -> bool:
    """A place that takes what anyone sends, and shows it to anyone."""
    return bool(_DROP_SITES.search(address[:_LONGEST_HOST]))


_PRIVATE = frozenset((Place.HOME, Place.HOME_ROOT, Place.SYSTEM, Place.OUTSIDE))
_ASKED = lazy(r"/(?:query|exec|sql|execute|statements?)(?:[/?]|\Z)")
"""Where servers of databases take statements."""


_LOSING_BODY = lazy(
    r"<delete>|\"delete\"\s*:|deleteMany|mutation\s*\{?\s*delete|\"is-destroy\"\s*:\s*true|\"deleteIndex\"",
    re.I,
)
_ENGINE = lazy(r"/(?:docker|podman|containerd)[\w-]*\.sock$")
_ENGINE_LOSES = lazy(r"/volumes/(?!\?|$)|/(?:volumes|system|containers|images)/prune\b")
_ENGINE_OPENS = lazy(
    r"\"Privileged\"\s*:\s*true|\"Binds\"\s*:\s*\[\s*\"/(?:etc|root|var)?:|\"PidMode\"\s*:\s*\"host", re.I
)


def _to_engine(command: Command, given: Arguments, method: str, addresses: Sequence[str]) -> Iterator[Effect]:
    """What is asked of the engine of containers through its socket."""
    if not _ENGINE.search(given.text("--unix-socket")):
        return
    body = " ".join(word.text for option in _DATA for word in given.values.get(option, ()))
    if _ENGINE_OPENS.search(body):
        yield Effect(Action.GAIN_PRIVILEGE, "container-privileged", command, what=shown(command))
    if method in ("DELETE", "POST") and any(_ENGINE_LOSES.search(address) for address in addresses):
        yield Effect(Action.CHANGE_CONTAINER, "delete-volume", command, what=shown(command))


def read_curl(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=_CURL_VALUED)
    addresses = [word.text for word in (*given.operands, *given.values.get("--url", ()))]
    sends = given.has(*_DATA, *_FORMS) and not given.has("-G", "--get")
    method = given.text("-X", "--request").upper() or ("POST" if sends else "")
    yield from request(command, method, addresses)
    yield from _to_engine(command, given, method, addresses)
    for address in addresses:
        if address.startswith("file://"):
            yield Effect(Action.READ, "curl", command, resolve(Word(address[7:]), command, where))
    body = " ".join(word.text for option in _DATA for word in given.values.get(option, ()))
    if "@-" in body and command.stdin.text:
        body = f"{body} {command.stdin.text}"
    database = any(STORE_PORT.search(address) or _ASKED.search(address) for address in addresses)
    if database and re.search(
        r"\bDETACH\s+DELETE\b|\b(?:DROP|TRUNCATE)(?:\s|\+|%20)+[A-Z]+(?:\s|\+|%20)+\w"
        r"|\bDELETE(?:\s|\+|%20)+FROM(?:\s|\+|%20)+[\w.]+(?:(?:\s|\+|%20)+WHERE(?:\s|\+|%20)+(?:1|TRUE)\b|\s*['\";}]|\s*\Z)",
        f"{body} {' '.join(addresses)}",
        re.I,
    ):
        yield Effect(Action.CHANGE_DATABASE, "drop", command, what=shown(command), detail="curl")
    remote = database or not is_local(addresses)
    if remote and _LOSING_BODY.search(body):
        yield Effect(Action.SEND_DATA, "host-delete", command, what=shown(command))
    sent = list(_sent_files(given))
    for word in sent:
        yield Effect(Action.READ, "curl", command, resolve(word, command, where))
    for word in given.values.get("-K", ()) + given.values.get("--config", ()) + given.values.get("-b", ()):
        yield Effect(Action.READ, "curl", command, resolve(word, command, where))
    for option in _CURL_OUTPUTS:
        for word in given.values.get(option, ()):
            yield from _saved(word, command, where)
    yield from _sending(command, given, sent, addresses, where)
    if command.stdin.text and any(given.text(option) in _INPUT for option in ("-K", "--config")):
        yield from _from_settings(command, where)


_INPUT = ("-", "/dev/stdin", "/dev/fd/0")
_CURL_OUTPUTS = ("-o", "--output", "--output-dir", "-D", "--dump-header", "-c", "--cookie-jar", "--trace")
_WGET_OUTPUTS = names(
    "-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies"
)


def _saved(word: Word, command: Command, where: Surroundings) -> Iterator[Effect]:
    """What is fetched goes into a file; in a folder of programs it is one."""
    target = resolve(word, command, where)
    yield Effect(Action.OVERWRITE, command.name, command, target, what=shown(command))
    folder, _, name = target.path.rpartition("/")
    if target.place is Place.HOME and is_pinned_release(command, name):
        return
    if folder.endswith(("/bin", "/sbin")) and target.place in (Place.SYSTEM, Place.LOCAL, Place.HOME):
        detail = "installs what cannot be known: a download becomes a program"
        yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, what=shown(command), detail=detail)


def _sent_files(given: Arguments) -> Iterator[Word]:
    for option in (*_DATA, "--url-query"):
        for word in given.values.get(option, ()):
            text = word.text
            if option == "--data-raw":
                continue
            name = text.partition("@")[2] if option in _ENCODED else text[1:] if text.startswith("@") else ""
            if name and name != "-":
                yield word.replace(text=name)
    for option in _FORMS:
        for word in given.values.get(option, ()):
            _, _, value = word.text.partition("=")
            if value[:1] in ("@", "<") and value[1:] != "-":
                yield word.replace(text=value[1:].split(";")[0])
    for option in _UPLOADS:
        yield from (word for word in given.values.get(option, ()) if word.text not in ("-", "."))


def _is_header(text: str) -> bool:
    return bool(re.match(r"^[\w-]+:\s", text)) or (":" in text.split("$", 1)[0] and "://" not in text)


def _logins(given: Arguments) -> list[Word]:
    return [word for option in ("-u", "--user") for word in given.values.get(option, ())]


def _sending(
    command: Command, given: Arguments, sent: Sequence[Word], addresses: Sequence[str], where: Surroundings
) -> Iterator[Effect]:
    if is_local(addresses):
        return
    uploads = given.has(*_UPLOADS)
    unknown = [word for word in command.argv[1:] if not word.known]
    free = [word for word in unknown if not _is_header(word.text) and word not in _logins(given)]
    told = [*(word.text for word in free), *_printed_variables(free)]
    if any(map(_is_drop_site, addresses)):
        if uploads or sent or given.has(*_DATA, *_FORMS) or are_told((word.text for word in unknown), ()):
            yield Effect(Action.SEND_DATA, "drop-site", command, what=shown(command))
    elif are_told(told, addresses) or go_to_strangers((word.text for word in unknown), addresses):
        yield Effect(Action.SEND_DATA, "environment", command, what=shown(command))
    elif all(map(_NEIGHBOUR.match, addresses)):
        return
    elif uploads or any(_is_own_work(word, command, where) for word in sent):
        yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))


def _printed_variables(words: Iterable[Word]) -> list[str]:
    """Variables that `$(printenv NAME)` puts into a word, as it would be written with `$NAME`."""
    stages = (stage for word in words if word.opaque is not None for stage in word.opaque.commands())
    return [f"${stage[-1]}" for stage in stages if stage[:1] == ("printenv",) and len(stage) > 1]


_NEIGHBOUR = lazy(r"^(?:https?://)?[\w-]+:\d+(?:/|$)")
"""A host of one word and a port: a container beside this one."""
_WORK = lazy(
    r"^/dev/fd/|\.(?:py|ipynb|[cm]?[jt]sx?|go|rs|java|kt|scala|swift|c|cc|cpp|h|hpp|cs|rb|php|ex|sql|sqlite3?|db|dump|bak|tar|tgz|gz|zip|7z)$"
)


def _is_own_work(word: Word, command: Command, where: Surroundings) -> bool:
    """Whether a file is no message that was made for sending: source, data, archives, private or unknown."""
    if not word.known or _WORK.search(word.text) or is_document(word.text):
        return True
    return resolve(word, command, where).place in _PRIVATE


def _from_settings(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`curl -K -`: its input are options, one on a line."""
    from fairlead.shell.following.line_files.given_files import options_in  # hardly ever

    words = (command.argv[0], *map(Word, options_in(command.stdin.text or "")))
    yield from read_curl(command.replace(argv=words), where)


def read_wget(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    valued = names(
        """
        -O -o -a -P -U --post-file --post-data --body-file --body-data --method --header
        --output-document -t -T -w -Q --directory-prefix --output-file --append-output --save-cookies
        """
    )
    given = read_arguments(command.argv[1:], valued=valued)
    addresses = [word.text for word in given.operands]
    posts = given.has("--post-data", "--post-file")
    yield from request(command, given.text("--method").upper() or ("POST" if posts else ""), addresses)
    for option in ("--post-file", "--body-file"):
        for word in given.values.get(option, ()):
            yield Effect(Action.READ, "wget", command, resolve(word, command, where))
            if not is_local(addresses):
                yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))
    for word in (word for option in _WGET_OUTPUTS for word in given.values.get(option, ())):
        if word.text != "-":
            yield from _saved(word, command, where)
    headers = given.values.get("--header", ())
    unknown = [word.text for word in command.argv[1:] if not word.known]
    told = [word.text for word in command.argv[1:] if not word.known and word not in headers]
    told = [text for text in told if not text.startswith("--header=")]
    told += _printed_variables(word for word in command.argv[1:] if not word.known and word not in headers)
    if not is_local(addresses) and (are_told(told, addresses) or go_to_strangers(unknown, addresses)):
        yield Effect(Action.SEND_DATA, "environment", command, what=shown(command))
    if given.has("--post-data", "--body-data") and any(map(_is_drop_site, addresses)):
        yield Effect(Action.SEND_DATA, "drop-site", command, what=shown(command))


_PORTS = lazy(r"^\d+-\d+$")
"""All doors of a machine, one after the other."""


def read_netcat(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(
        command.argv[1:], valued=("-e", "-c", "-p", "-s", "-w", "-x", "-X", "-i", "--exec", "--sh-exec")
    )
    if given.has("-e", "-c", "--exec", "--sh-exec", "--lua-exec"):
        yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=shown(command))
        return
    if re.search(r"flush_?all", command.stdin.text or "", re.IGNORECASE):
        yield Effect(
            Action.CHANGE_DATABASE, "drop", command, what=command.stdin.text or "", detail=command.name
        )
    local = any(LOCAL.match(word.text) for word in given.operands) or command.stdin.text is not None
    if not local and any(_PORTS.match(word.text) for word in given.operands[1:]):
        yield Effect(Action.RUN_NETWORK_CODE, "scan", command, what=shown(command))
    if command.stdin.kind in ("file", "pipe") and not given.has("-z", "-l", "--listen") and not local:
        yield Effect(Action.SEND_DATA, "raw-connection", command, what=shown(command))


_LOGIN_PORT = lazy(r"^tcp[46]?(?:-connect)?:[^,]*:(?:22|2375|3389|5900)\b")


def read_socat(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    texts = [word.text.lower() for word in command.argv[1:]]
    remote = any(
        re.match(r"^(?:tcp|udp|ssl|openssl|tcp4|tcp6)(?:-listen|-connect)?:", text) for text in texts
    )
    for word in command.argv[1:]:
        kind, _, path = word.text.partition(":")
        if kind.lower() in ("file", "open", "gopen", "create"):
            target = resolve(word.replace(text=path.split(",")[0]), command, where)
            last = word is command.argv[-1]
            if remote:
                yield Effect(Action.READ, "socat", command, target)
                if not last and not any(map(_TO_ITSELF.search, texts)):
                    yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))
            if (last or "-u" not in texts) and "rdonly" not in path:
                yield Effect(Action.OVERWRITE, "socat", command, target, what=shown(command))
    listens = any(re.match(r"^(?:tcp[46]?|openssl|ssl)-l(?:isten)?:", text) for text in texts)
    if listens and any(_LOGIN_PORT.match(text) for text in texts):
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))
    if remote and any(text.startswith(("exec:", "system:", "shell:")) for text in texts):
        yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=shown(command))
    elif remote and command.stdin.kind in ("file", "pipe"):
        yield Effect(Action.SEND_DATA, "raw-connection", command, what=shown(command))


_TO_ITSELF = lazy(r":(?:localhost|127\.[\d.]+|\[?::1\]?):")


def read_ztcp(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """A connection that zsh itself holds."""
    if any(not word.text.startswith("-") and not LOCAL.match(word.text) for word in command.argv[1:2]):
        yield Effect(Action.SEND_DATA, "raw-connection", command, what=shown(command))


def read_mail(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(
        command.argv[1:], valued=("-s", "-a", "-A", "-c", "-b", "-r", "--body", "--attach", "--to", "--from")
    )
    for word in (*given.values.get("-a", ()), *given.values.get("-A", ())):
        yield Effect(Action.READ, "mail", command, resolve(word, command, where))
    for option in ("--body", "--attach"):
        for word in given.values.get(option, ()):
            if word.text.startswith("@") or option == "--attach":
                named = word.replace(text=word.text.removeprefix("@"))
                yield Effect(Action.READ, "mail", command, resolve(named, command, where))
    if command.stdin.kind in ("file", "pipe") or given.has("-a", "-A", "--attach"):
        yield Effect(Action.SEND_DATA, "mail", command, what=shown(command))


def read_lookup(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """A name that is made of a command's output carries it to whoever answers for the domain."""
    for word in command.argv[1:]:
        if word.opaque is not None and _carries(word.text, word.opaque):
            yield Effect(Action.SEND_DATA, "name-lookup", command, what=shown(command))
            return


_CARRIED = (
    Kind.OUTPUT, Kind.CONTENT, Kind.MATCH, Kind.SOURCED, Kind.UNSET, Kind.DEPENDS_ON_ENVIRONMENT,
    Kind.VARIABLE, Kind.INDIRECT, Kind.ARRAY, Kind.ELEMENT, Kind.PART, Kind.PART_OF_TEXT, Kind.ARITHMETIC,
    Kind.PER_RUN, Kind.PRINTF_VALUE, Kind.ROUND, Kind.COUNTER,
)  # fmt: skip
"""What a command prints, a file holds or a variable has."""


def _carries(text: str, unknown: Unknown) -> bool:
    """Whether a part of a name with dots is what somebody else may want to know."""
    dotted = "." in text or any("." in each for each in unknown.mentions())
    return dotted and not text.endswith((")", "`")) and unknown.has(*_CARRIED)


def read_ftp(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """Its input are commands of its own: `put FILE`."""
    for line in (command.stdin.text or "").splitlines():
        words = line.split()
        if words[:1] in (["put"], ["mput"], ["send"], ["append"]) and len(words) > 1:
            yield Effect(Action.READ, "ftp", command, resolve(Word(words[1]), command, where))
            yield Effect(Action.SEND_DATA, "upload", command, what=line[:80])
    texts = " ".join(word.text for word in command.argv[1:])
    for name in re.findall(r"\bm?put\s+([^\s;]+)", texts) or (
        [command.argv[-1].text]
        if command.name == "ncftpput" or (command.name == "ftp" and "-u" in texts.split())
        else []
    ):
        yield Effect(Action.READ, "ftp", command, resolve(Word(name), command, where))
    if re.search(r"\b(?:put|mirror -R)\s", texts):
        yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))


def read_remote_module(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`deno run https://…`, `bunx https://…`: the program is an address."""
    if any(re.match(r"^(?:git\+)?https?://", word.text) for word in command.argv[1:5]):
        yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=shown(command))


_HTTPIE_VALUED = names("-a --auth -A --auth-type -o --output --session -p --print --bearer --proxy --timeout")


def read_httpie(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`http POST host f@FILE`, `xh post host @FILE`."""
    for word in command.argv[1:]:
        _, at, path = word.text.partition("@")
        if at and path and "://" not in word.text:
            yield Effect(Action.READ, "http", command, resolve(word.replace(text=path), command, where))
            yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))
    words = [word.text for word in command.argv[1:] if not word.text.startswith("-")]
    addresses = [text for text in words if "." in text or ":" in text][:1]
    given = read_arguments(command.argv[1:], valued=_HTTPIE_VALUED).operands
    told = [word.text for word in given if not word.known and not re.match(r"[\w-]+:(?!//)", word.text)]
    unknown = [word.text for word in command.argv[1:] if not word.known]
    if not is_local(addresses) and (are_told(told, addresses) or go_to_strangers(unknown, addresses)):
        yield Effect(Action.SEND_DATA, "environment", command, what=shown(command))
    sends = not any(word.text == "--offline" for word in command.argv)
    if sends and is_fed_a_document(command) and not is_local(addresses):
        yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))
    if sends and len(words) > 1 and words[0].upper() in ("DELETE", "PUT", "PATCH", "POST"):
        yield from request(command, words[0].upper(), words[1:2])


def read_logger(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-f", "-n", "-P", "-p", "-t", "--file", "--server"))
    for word in (*given.values.get("-f", ()), *given.values.get("--file", ())):
        yield Effect(Action.READ, "logger", command, resolve(word, command, where))
        if given.has("-n", "--server"):
            yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))


def read_paste(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """Programs that put a text where everyone can read it."""
    if any(word.text in ("--help", "-h", "--version") for word in command.argv[1:2]):
        return
    for word in command.argv[1:]:
        if not word.text.startswith("-"):
            yield Effect(Action.READ, "paste", command, resolve(word, command, where))
    yield Effect(Action.SEND_DATA, "upload", command, what=shown(command))
