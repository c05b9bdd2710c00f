"""Made from `debuggers.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'gcore': {'also': ('anywhere', 'verbs'), 'code': 'secret_material.secret_stores:TABLE'},
 'gdb': {'also': ('anywhere', 'verbs'), 'code': 'secret_material.secret_stores:TABLE'}}
SAME: dict[str, str] = {'lldb': 'gdb'}
