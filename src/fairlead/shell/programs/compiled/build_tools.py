"""Made from `build-tools.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'cmake': {'also': ('named-files',), 'code': 'files.deleting_programs:TABLE'}}
SAME: dict[str, str] = {}
