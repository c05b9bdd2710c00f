"""Made from `debuggers.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'gcore': {'also': ('anywhere', 'heedless', 'verbs'), 'does': (('', 'read-secret', 'read-secret'),)},
 'gdb': {'also': ('anywhere', 'verbs'), 'code': 'machine.debuggers:read_debugger'}}
SAME: dict[str, str] = {'lldb': 'gdb', 'procdump': 'gcore'}
