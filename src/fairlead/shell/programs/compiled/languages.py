"""Made from `languages.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'osascript': {'code': 'machine.desktop_scripts:read_osascript'}}
SAME: dict[str, str] = {}
