"""Made from `shell-builtins.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'cd': {'only': 'moves'}, 'true': {'only': 'steers'}}
SAME: dict[str, str] = {':': 'true',
 'break': 'true',
 'continue': 'true',
 'dirs': 'cd',
 'exit': 'true',
 'false': 'true',
 'popd': 'cd',
 'pushd': 'cd',
 'return': 'true',
 'shift': 'true',
 'times': 'true',
 'wait': 'true'}
