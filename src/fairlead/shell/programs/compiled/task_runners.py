"""Made from `task-runners.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'dotenv': {'also': ('launches',), 'operands': ('uses',)},
 'just': {'also': ('launches',)},
 'sh': {'also': ('launches',)}}
SAME: dict[str, str] = {'bash': 'sh', 'ddev': 'just', 'dotenvx': 'dotenv', 'lando': 'just', 'sail': 'just', 'task': 'just'}
