"""Made from `processes.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'fuser': {'code': 'machine.process_programs:read_fuser'},
 'kill': {'code': 'machine.process_programs:read_kill', 'operands': ('text',)},
 'pkill': {'code': 'machine.process_programs:read_pkill'},
 'prlimit': {'also': ('verbs',),
             'does': (('', 'change-system', 'kernel', ('--nofile', '--nproc', '--as', '--cpu')),)},
 'ps': {'also': ('anywhere', 'no-outputs', 'verbs'), 'code': 'machine.process_programs:read_ps'},
 'renice': {'code': 'machine.process_programs:read_renice'},
 'slay': {'also': ('heedless',), 'does': (('', 'kill', 'kill-everything', (), ('--version',)),)},
 'stress': {'code': 'machine.process_programs:read_stress'}}
SAME: dict[str, str] = {'killall': 'pkill', 'killall5': 'pkill', 'skill': 'pkill', 'stress-ng': 'stress', 'xkill': 'pkill'}
