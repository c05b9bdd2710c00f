"""Made from `guard.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'fairlead': {'also': ('paths',), 'code': 'own.loosening_commands:read_fairlead'},
 'fairlead-hook': {'also': ('paths',), 'code': 'own.loosening_commands:read_hook'}}
SAME: dict[str, str] = {}
