"""Made from `processes.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'fuser': {'code': 'machine.process_programs:TABLE'},
 'kill': {'code': 'machine.process_programs:TABLE'},
 'pkill': {'code': 'machine.process_programs:TABLE'},
 'prlimit': {'also': ('verbs',),
             'does': (('', 'change-system', 'kernel', ('--nofile', '--nproc', '--as', '--cpu')),)},
 'ps': {'also': ('anywhere', 'verbs'), 'code': 'secret_material.secret_stores:TABLE'},
 'renice': {'code': 'machine.process_programs:TABLE'},
 'slay': {'code': 'machine.process_programs:TABLE'},
 'stress': {'code': 'machine.process_programs:TABLE'}}
SAME: dict[str, str] = {'killall': 'pkill', 'killall5': 'pkill', 'skill': 'pkill', 'stress-ng': 'stress', 'xkill': 'pkill'}
