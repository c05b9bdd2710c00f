"""Made from `runners.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {',': {},
 'aws-okta': {},
 'corepack': {},
 'cross-env': {},
 'devbox': {},
 'direnv': {},
 'dotenv': {},
 'dotenvx': {},
 'envdir': {},
 'hyperfine': {},
 'kubie': {},
 'nix-shell': {},
 'telepresence': {},
 'tox': {}}
SAME: dict[str, str] = {'comma': ',', 'pkgx': ','}
