"""What can be given to the commands of `fairlead fleet` that take up, publish and look."""

_FILE = ["fooctl.tml"]
_ENROL = ["fleet", "enrol", "--source", "folder:/srv", "--group", "web", "--roles", "fooctl.toml"]
_SIGNED = ["--to", "folder:/", "--freshness-key", "fooctl.toml"]
_ROLLOUT = ["fleet", "rollout", "web", *_SIGNED]
_WATCH = ["fleet", "watch", "web", *_SIGNED]
_SETUP = ["fleet", "broker-setup", "nats://127.0.0.1:1"]
_MACHINES = ["fleet", "machines", "--from", "nats://127.0.0.1:1"]
_CONFIG = ["fleet", "broker-config", "--machines"]

WRONG: dict[str, tuple[list[str], str]] = {
    "fleet agent --spread": (["fleet", "agent", "--spread", "-1"], ""),
    "fleet broker-config --machines": ([*_CONFIG, *_FILE], "fooctl.toml"),
    "fleet broker-config --user": ([*_CONFIG, "fooctl.toml", "--user", "publisch", "U"], "publisher"),
    "fleet broker-setup --credentials": ([*_SETUP, "--credentials", *_FILE], "fooctl.toml"),
    "fleet broker-setup --tls-ca": ([*_SETUP, "--tls-ca", *_FILE], "fooctl.toml"),
    "fleet broker-setup address": (["fleet", "broker-setup", "foo"], "nats://"),
    "fleet enrol --credentials": ([*_ENROL, "--credentials", *_FILE], "fooctl.toml"),
    "fleet enrol --group": ([*_ENROL, "--group", "We b"], "small letters"),
    "fleet enrol --machine": ([*_ENROL, "--machine", "My box"], "small letters"),
    "fleet enrol --proxy": ([*_ENROL, "--source", "https://x.example", "--proxy", "foo"], "http://"),
    "fleet enrol --roles": ([*_ENROL, "--roles", *_FILE], "fooctl.toml"),
    "fleet enrol --source": ([*_ENROL, "--source", "htps://x"], "https"),
    "fleet enrol --tls-ca": ([*_ENROL, "--tls-ca", *_FILE], "fooctl.toml"),
    "fleet machines --credentials": ([*_MACHINES, "--credentials", *_FILE], "fooctl.toml"),
    "fleet machines --expected": ([*_MACHINES, "--expected", *_FILE], "fooctl.toml"),
    "fleet machines --from": (["fleet", "machines", "--from", "foo"], "nats://"),
    "fleet machines --tls-ca": ([*_MACHINES, "--tls-ca", *_FILE], "fooctl.toml"),
    "fleet rollout --credentials": ([*_ROLLOUT, "--credentials", *_FILE], "fooctl.toml"),
    "fleet rollout --fresh-for": ([*_ROLLOUT, "--halt", "--fresh-for", "soon"], "1h"),
    "fleet rollout --freshness-key": ([*_ROLLOUT, "--freshness-key", *_FILE], "fooctl.toml"),
    "fleet rollout --percent": ([*_ROLLOUT, "--percent", "101"], ""),
    "fleet rollout --tls-ca": ([*_ROLLOUT, "--tls-ca", *_FILE], "fooctl.toml"),
    "fleet rollout --to": ([*_ROLLOUT, "--halt", "--to", "foldr:/"], "folder"),
    "fleet rollout group": (["fleet", "rollout", "We b", *_SIGNED], "small letters"),
    "fleet watch --credentials": ([*_WATCH, "--credentials", *_FILE], "fooctl.toml"),
    "fleet watch --freshness-key": ([*_WATCH, "--freshness-key", *_FILE], "fooctl.toml"),
    "fleet watch --tls-ca": ([*_WATCH, "--tls-ca", *_FILE], "fooctl.toml"),
    "fleet watch --to": ([*_WATCH, "--to", "foldr:/"], "folder"),
    "fleet watch group": (["fleet", "watch", "We b", *_SIGNED], "small letters"),
}
