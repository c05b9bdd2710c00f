"""Made from `told-to-run.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'man': {'operands': ('text',)}}
SAME: dict[str, str] = {}
