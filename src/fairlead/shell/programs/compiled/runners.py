"""Made from `runners.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'direnv': {'does': (('allow|permit|grant /tmp/*|/var/tmp/*|/dev/shm/*', 'change-guard', 'command-setting'),),
            'operands': ('uses',)},
 'dotenv': {'also': ('launches',), 'operands': ('uses',)},
 'dotenvx': {'also': ('launches',), 'operands': ('uses',)},
 'tox': {'also': ('no-outputs',)}}
SAME: dict[str, str] = {}
