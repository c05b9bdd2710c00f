"""What can be given to `fairlead bundle`: how each value is wrong, or why it cannot be."""

_BUILD = ["bundle", "build", "policy", "--version", "1", "--group", "web"]
_FILE = ["fooctl.tml"]
_TO = ["--to", "folder:/", "--freshness-key", "fooctl.toml"]
_PUBLISH = ["bundle", "publish", "fooctl.toml", *_TO]
_FRESHNESS = ["bundle", "freshness", "--group", "web", *_TO]

WRONG: dict[str, tuple[list[str], str]] = {
    "bundle build --created": ([*_BUILD, "--created", "soon"], "2026-11-19T08:00:00Z"),
    "bundle build --expires": ([*_BUILD, "--expires", "soon"], "1h"),
    "bundle build --group": ([*_BUILD, "--group", "We b"], "small letters"),
    "bundle build --key": ([*_BUILD, "--key", *_FILE], "fooctl.toml"),
    "bundle build --version": ([*_BUILD, "--version", "0"], ""),
    "bundle build source": (["bundle", "build", "polcy", "--version", "1"], "policy"),
    "bundle freshness --fresh-for": ([*_FRESHNESS, "--fresh-for", "soon"], "1h"),
    "bundle freshness --freshness-key": ([*_FRESHNESS, "--freshness-key", *_FILE], "fooctl.toml"),
    "bundle freshness --group": ([*_FRESHNESS, "--group", "We b"], "small letters"),
    "bundle freshness --to": ([*_FRESHNESS, "--to", "foldr:/"], "folder"),
    "bundle freshness --credentials": ([*_FRESHNESS, "--credentials", *_FILE], "fooctl.toml"),
    "bundle freshness --tls-ca": ([*_FRESHNESS, "--tls-ca", *_FILE], "fooctl.toml"),
    "bundle inspect file": (["bundle", "inspect", *_FILE], "fooctl.toml"),
    "bundle publish --credentials": ([*_PUBLISH, "--credentials", *_FILE], "fooctl.toml"),
    "bundle publish --fresh-for": ([*_PUBLISH, "--fresh-for", "soon"], "1h"),
    "bundle publish --freshness-key": ([*_PUBLISH, "--freshness-key", *_FILE], "fooctl.toml"),
    "bundle publish --percent": ([*_PUBLISH, "--percent", "101"], ""),
    "bundle publish --public": ([*_PUBLISH, "--public", "ed25519:x"], "keygen"),
    "bundle publish --roles": ([*_PUBLISH, "--roles", *_FILE], "fooctl.toml"),
    "bundle publish --tls-ca": ([*_PUBLISH, "--tls-ca", *_FILE], "fooctl.toml"),
    "bundle publish --to": ([*_PUBLISH, "--to", "foldr:/"], "folder"),
    "bundle publish file": (["bundle", "publish", *_FILE, *_TO], "fooctl.toml"),
    "bundle rotate --add": (["bundle", "rotate", "--add", "bundel", "x"], "bundle"),
    "bundle rotate --from": (["bundle", "rotate", "--from", *_FILE], "fooctl.toml"),
    "bundle rotate --key": (["bundle", "rotate", "--key", *_FILE], "fooctl.toml"),
    "bundle rotate --remove": (["bundle", "rotate", "--remove", "bundle", "ed25519:x"], "keygen"),
    "bundle rotate --threshold": (["bundle", "rotate", "--threshold", "bundel", "1"], "bundle"),
    "bundle sign --key": (["bundle", "sign", "fooctl.toml", "--key", *_FILE], "fooctl.toml"),
    "bundle sign file": (["bundle", "sign", *_FILE], "fooctl.toml"),
    "bundle verify --group": (["bundle", "verify", "fooctl.toml", "--group", "We b"], "small letters"),
    "bundle verify --opa-key": (["bundle", "verify", "fooctl.toml", "--opa-key", *_FILE], "fooctl.toml"),
    "bundle verify --public": (["bundle", "verify", "fooctl.toml", "--public", "ed25519:x"], "keygen"),
    "bundle verify --roles": (["bundle", "verify", "fooctl.toml", "--roles", *_FILE], "fooctl.toml"),
    "bundle verify file": (["bundle", "verify", *_FILE], "fooctl.toml"),
}
FREE = {
    "bundle build -o": "a file that is written",
    "bundle keygen file": "a file that is written",
    "bundle rotate -o": "a file that is written",
}
