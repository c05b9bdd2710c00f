"""Made from `shell.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'alias': {'also': ('paths',), 'code': 'own.loosening_commands:TABLE'},
 'echo': {'code': 'secret_material.key_programs:TABLE'},
 'export': {'also': ('paths',), 'code': 'own.loosening_commands:TABLE'},
 'printenv': {'code': 'secret_material.key_programs:TABLE'}}
SAME: dict[str, str] = {'declare': 'export', 'enable': 'alias', 'hash': 'alias', 'printf': 'echo', 'setx': 'export'}
