"""Made from `wrappers.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'gtime': {'also': ('no-outputs',), 'outputs': ('--output', '-o')},
 'ltrace': {'outputs': ('--output', '-o')},
 'perf': {'outputs': ('--output', '-o')},
 'script': {'operands': ('changes',), 'values': ('--command', '-B', '-I', '-O', '-T', '-c')},
 'strace': {'outputs': ('--output', '-o')},
 'time': {'also': ('no-outputs',), 'outputs': ('--output', '-o')}}
SAME: dict[str, str] = {}
