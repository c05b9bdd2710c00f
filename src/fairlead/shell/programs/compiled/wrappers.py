"""Made from `wrappers.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'command': {'operands': ('text',)},
 'entr': {'also': ('no-outputs',), 'operands': ('uses',)},
 'env': {'also': ('no-outputs',)},
 'gtime': {'also': ('no-outputs',), 'outputs': ('--output', '-o')},
 'ltrace': {'outputs': ('--output', '-o')},
 'perf': {'outputs': ('--output', '-o')},
 'script': {'operands': ('changes',), 'values': ('--command', '-B', '-I', '-O', '-T', '-c')},
 'strace': {'outputs': ('--output', '-o')},
 'time': {'also': ('no-outputs',), 'outputs': ('--output', '-o')},
 'watch': {'also': ('no-outputs',)}}
SAME: dict[str, str] = {}
