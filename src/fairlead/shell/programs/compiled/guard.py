"""Made from `guard.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'alias': {'also': ('paths',), 'code': 'own.loosening_commands:TABLE'},
 'export': {'also': ('paths',), 'code': 'own.loosening_commands:TABLE'},
 'fairlead': {'also': ('paths',), 'code': 'own.loosening_commands:TABLE'},
 'fairlead-hook': {'also': ('paths',), 'code': 'own.loosening_commands:TABLE'}}
SAME: dict[str, str] = {'declare': 'export', 'enable': 'alias', 'hash': 'alias', 'setx': 'export'}
