"""Made from `task-runners.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'just': {'also': ('launches',)}}
SAME: dict[str, str] = {'ddev': 'just', 'lando': 'just', 'sail': 'just', 'task': 'just'}
