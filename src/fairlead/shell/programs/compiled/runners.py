"""Made from `runners.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'direnv': {'operands': ('uses',)},
 'dotenv': {'also': ('launches',), 'operands': ('uses',)},
 'dotenvx': {'also': ('launches',), 'operands': ('uses',)},
 'tox': {'also': ('no-outputs',)}}
SAME: dict[str, str] = {}
