"""Wrong values for the commands of a fleet, and what is said about each; `FREE` cannot be wrong."""

from __future__ import annotations

_NEAR_KEY = ["--key", "own.kye"]
_BUILD = ["bundle", "build", "policy", "--version", "1"]
_AT = ["--to", "folder:policy", "--freshness-key", "own.key"]
_ENROL = ["fleet", "enrol", "--source", "folder:policy", "--group", "web", "--roles", "fooctl.toml"]
_COLLECT = ["fleet", "collect", "--source", "nats://127.0.0.1:4222", "--database", "sqlite:x"]
_BOARD = ["fleet", "dashboard", "--database", "sqlite:x"]
_FORWARD = ["forward"]

_ONLINE = {
    "--to": (["--to", "flder:policy", "--freshness-key", "own.key"], "folder"),
    "--freshness-key": (["--to", "folder:policy", "--freshness-key", "own.kye"], "own.key"),
    "--fresh-for": ([*_AT, "--fresh-for", "soon"], "write it like"),
    "--credentials": ([*_AT, "--credentials", "own.kye"], "own.key"),
    "--tls-ca": ([*_AT, "--tls-ca", "own.kye"], "own.key"),
}
_WHERE = {
    "bundle freshness": ["bundle", "freshness", "--group", "web"],
    "bundle publish": ["bundle", "publish", "own.key", "--public", f"ed25519:{'A' * 43}="],
    "fleet rollout": ["fleet", "rollout", "web", "--percent", "5"],
    "fleet halt": ["fleet", "halt", "web"],
    "fleet watch": ["fleet", "watch", "web"],
}

_LATER = {
    ("fleet halt", "--fresh-for"),
    ("fleet watch", "--fresh-for"),
    ("bundle publish", "--to"),
    ("bundle publish", "--fresh-for"),
}
"""Not there, or read after the bundle."""

_CHALLENGE = ["fleet", "answer-challenge", "7Q2M4", "--user", "ann", "--reason", "x", "--keys", "own.key"]
_HEARD = ["--machine", "m1", "--bundle", "1", "--minutes", "5"]
_OFF = ["fleet", "grant-off", "--out", "new.grant"]
_OFF_ALL = [*_OFF, "m1", "--minutes", "5", "--reason", "x", "--key", "own.key"]

WRONG: dict[str, tuple[list[str], str]] = {
    "fleet answer-challenge challenge": ([*_CHALLENGE[:2], "7Q2M4", *_CHALLENGE[3:], *_HEARD], "3 groups"),
    "fleet answer-challenge --machine": ([*_CHALLENGE, *_HEARD, "--machine", "M 1"], "letter by letter"),
    "fleet answer-challenge --bundle": ([*_CHALLENGE, *_HEARD, "--bundle", "x"], ""),
    "fleet answer-challenge --minutes": ([*_CHALLENGE, *_HEARD, "--minutes", "1441"], ""),
    "fleet answer-challenge --keys": ([*_CHALLENGE, *_HEARD, "--keys", "own.kye"], "own.key"),
    "fleet grant-off machine": ([*_OFF, "M 1", *_OFF_ALL[5:]], "fairlead fleet status"),
    "fleet grant-off --minutes": ([*_OFF_ALL, "--minutes", "0"], ""),
    "fleet grant-off --within": ([*_OFF_ALL, "--within", "soon"], "write it like"),
    "fleet grant-off --key": ([*_OFF_ALL, *_NEAR_KEY], "own.key"),
    "fleet grant-off --with": ([*_OFF_ALL, "--with", "own.kye"], "own.key"),
    **{
        f"{name} {option}": ([*words, *given], near)
        for name, words in _WHERE.items()
        for option, (given, near) in _ONLINE.items()
        if (name, option) not in _LATER
    },
    "bundle build --group": ([*_BUILD, "--group", "We b"], "small letters"),
    "bundle build --key": ([*_BUILD, "--group", "web", *_NEAR_KEY], "own.key"),
    "bundle build --version": (["bundle", "build", "policy", "--version", "0"], ""),
    "bundle build source": (["bundle", "build", "polcy", "--version", "1"], "policy"),
    "bundle freshness --group": (["bundle", "freshness", "--group", "We b", *_AT], "small letters"),
    "bundle inspect file": (["bundle", "inspect", "own.kye"], "own.key"),
    "bundle publish --percent": (["bundle", "publish", "own.key", *_AT, "--percent", "101"], ""),
    "bundle publish --public": (["bundle", "publish", "own.key", *_AT, "--public", "xyz"], "keygen"),
    "bundle publish --roles": (["bundle", "publish", "own.key", *_AT, "--roles", "own.kye"], "own.key"),
    "bundle publish file": (["bundle", "publish", "own.kye", *_AT], "own.key"),
    "bundle rotate --add": (["bundle", "rotate", "--add", "bundel", "xyz"], "bundle"),
    "bundle rotate --from": (["bundle", "rotate", "--from", "own.kye"], "own.key"),
    "bundle rotate --key": (["bundle", "rotate", *_NEAR_KEY], "own.key"),
    "bundle rotate --remove": (["bundle", "rotate", "--remove", "bundle", "xyz"], "keygen"),
    "bundle rotate --threshold": (["bundle", "rotate", "--threshold", "bundel", "2"], "bundle"),
    "bundle sign --key": (["bundle", "sign", "own.key", *_NEAR_KEY], "own.key"),
    "bundle sign file": (["bundle", "sign", "own.kye", "--key", "own.key"], "own.key"),
    "bundle verify --group": (["bundle", "verify", "own.key", "--group", "We b"], "small letters"),
    "bundle verify --opa-key": (["bundle", "verify", "own.key", "--opa", "--opa-key", "own.kye"], "own.key"),
    "bundle verify --public": (["bundle", "verify", "own.key", "--public", "xyz"], "keygen"),
    "bundle verify --roles": (["bundle", "verify", "own.key", "--roles", "own.kye"], "own.key"),
    "bundle verify file": (["bundle", "verify", "own.kye"], "own.key"),
    "fleet agent --spread": (["fleet", "agent", "--spread", "-1"], ""),
    "fleet broker-config --machines": (["fleet", "broker-config", "--machines", "own.kye"], "own.key"),
    "fleet broker-config --user": (
        ["fleet", "broker-config", "--machines", "fooctl.toml", "--user", "publishr", "UA"],
        "publisher",
    ),
    "fleet broker-key file": (["fleet", "broker-key", "own.key"], "exists"),
    "fleet broker-setup --credentials": (
        ["fleet", "broker-setup", "nats://127.0.0.1:4222", "--credentials", "own.kye"],
        "own.key",
    ),
    "fleet broker-setup --tls-ca": (
        ["fleet", "broker-setup", "tls://127.0.0.1:4222", "--tls-ca", "own.kye"],
        "own.key",
    ),
    "fleet broker-setup --room": (
        ["fleet", "broker-setup", "nats://127.0.0.1:4222", "--room", "lots"],
        "500m",
    ),
    "fleet broker-setup address": (["fleet", "broker-setup", "nat://host"], "nats://host:4222"),
    "fleet collect --credentials": ([*_COLLECT, "--credentials", "nofile"], "no file"),
    "fleet collect --database": ([*_COLLECT[:4], "--database", "mysql://x"], "postgresql://"),
    "fleet collect --keep": ([*_COLLECT, "--keep", "pas=3d"], "pass"),
    "fleet collect --source": (
        ["fleet", "collect", "--source", "nat://x", "--database", "sqlite:x"],
        "nats://",
    ),
    "fleet collect --tls-ca": ([*_COLLECT, "--tls-ca", "nofile"], "nofile"),
    "fleet collect --tls-cert": ([*_COLLECT, "--tls-cert", "nofile"], "nofile"),
    "fleet collect --tls-key": ([*_COLLECT, "--tls-key", "nofile"], "nofile"),
    "fleet collect --expected": ([*_COLLECT, "--expected", "own.kye"], "own.key"),
    "fleet dashboard --credentials": ([*_BOARD, "--credentials", "own.kye"], "own.key"),
    "fleet dashboard --expected": ([*_BOARD, "--expected", "own.kye"], "own.key"),
    "fleet dashboard --key": ([*_BOARD, "--key", "own.kye"], "own.key"),
    "fleet dashboard --roles": ([*_BOARD, "--roles", "own.kye"], "own.key"),
    "fleet dashboard --source": ([*_BOARD, "--source", "nat://host"], "nats://host:4222"),
    "fleet dashboard --tls-ca": ([*_BOARD, "--tls-ca", "own.kye"], "own.key"),
    "fleet dashboard --database": (["fleet", "dashboard", "--database", "mysql://x"], "postgresql://"),
    "fleet dashboard --port": (["fleet", "dashboard", "--port", "70000"], ""),
    "fleet enrol --credentials": ([*_ENROL, "--credentials", "own.kye"], "own.key"),
    "fleet enrol --group": (["fleet", "enrol", "--source", "folder:x", "--group", "We b"], "small letters"),
    "fleet enrol --machine": ([*_ENROL, "--machine", "My Laptop"], "small letters"),
    "fleet enrol --proxy": ([*_ENROL, "--proxy", "proxy.example"], "http://"),
    "fleet enrol --roles": ([*_ENROL[:6], "--roles", "own.kye"], "own.key"),
    "fleet enrol --source": (["fleet", "enrol", "--source", "flder:x", *_ENROL[4:]], "folder:"),
    "fleet enrol --tls-ca": ([*_ENROL, "--tls-ca", "own.kye"], "own.key"),
    "fleet machines --credentials": (["fleet", "machines", "--credentials", "own.kye"], "own.key"),
    "fleet machines --expected": (["fleet", "machines", "--expected", "own.kye"], "own.key"),
    "fleet machines --source": (["fleet", "machines", "--source", "nat://host"], "nats://host:4222"),
    "fleet machines --tls-ca": (["fleet", "machines", "--tls-ca", "own.kye"], "own.key"),
    "fleet privacy --last": (["fleet", "privacy", "--last", "-1"], ""),
    "fleet rollout --percent": (["fleet", "rollout", "web", *_AT, "--percent", "0"], ""),
    "fleet rollout group": (["fleet", "rollout", "We b", *_AT, "--status"], "small letters"),
    "fleet halt group": (["fleet", "halt", "We b", *_AT], "small letters"),
    "fleet watch --after": (["fleet", "watch", "web", *_AT, "--after", "soon"], "write it like"),
    "fleet watch --expected": (["fleet", "watch", "web", *_AT, "--expected", "own.kye"], "own.key"),
    "fleet watch group": (["fleet", "watch", "We b", *_AT], "small letters"),
    "forward --jetstream": (["forward", "--jetstream", "nat://host", "--subject", "x"], "nats://"),
    "forward --ocsf": (["forward", "--ocsf", "http://example.org/x"], "https"),
    "forward --otlp-logs": (["forward", "--otlp-logs", "example.org"], "http"),
    "forward --syslog": (["forward", "--syslog", "udp://host"], "tls://"),
    "forward --credentials": (
        ["forward", "--jetstream", "nats://127.0.0.1:1", "--subject", "x", "--credentials", "nofile"],
        "no file",
    ),
    "forward --tls-ca": (
        ["forward", "--jetstream", "tls://127.0.0.1:1", "--subject", "x", "--tls-ca", "nofile"],
        "nofile",
    ),
}

FREE = {
    "bundle publish --to": "read after the bundle; `bundle freshness` tries the same",
    "bundle publish --fresh-for": "read after the bundle; `bundle freshness` tries the same",
    "bundle build --created": "read when the policy is there; tests of the command try it",
    "bundle build --expires": "read when the policy is there; tests of the command try it",
    "forward --subject": "the broker says what it takes",
    "bundle build -o": "a file that is written",
    "bundle keygen file": "a file that is written",
    "bundle rotate -o": "a file that is written",
    "fleet halt --reason": "any text",
    "fleet answer-challenge --user": "only that machine knows its users",
    "fleet answer-challenge --reason": "any text",
    "fleet grant-off --user": "only that machine knows its users",
    "fleet grant-off --reason": "any text",
    "fleet grant-off --out": "a file that is written",
}
