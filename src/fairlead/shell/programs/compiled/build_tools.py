"""Made from `build-tools.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'cmake': {'also': ('named-files', 'settled')}}
SAME: dict[str, str] = {}
