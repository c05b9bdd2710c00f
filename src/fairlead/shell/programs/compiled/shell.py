"""Made from `shell.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'alias': {'also': ('paths',), 'code': 'own.loosening_commands:read_renaming'},
 'echo': {'code': 'secret_material.key_programs:read_printing'},
 'export': {'also': ('paths',), 'code': 'own.loosening_commands:read_exporting'},
 'printenv': {'code': 'secret_material.key_programs:read_printenv'}}
SAME: dict[str, str] = {'declare': 'export', 'enable': 'alias', 'hash': 'alias', 'printf': 'echo', 'setx': 'export'}
