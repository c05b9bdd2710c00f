"""Made from `editors.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'emacs': {'code': 'files.editor_scripts:read_emacs', 'operands': ('reads',)},
 'vim': {'code': 'files.editor_scripts:read_vim', 'operands': ('reads',)}}
SAME: dict[str, str] = {'ed': 'vim',
 'emacsclient': 'emacs',
 'ex': 'vim',
 'gvim': 'vim',
 'nvim': 'vim',
 'red': 'vim',
 'rvim': 'vim',
 'vi': 'vim',
 'view': 'vim'}
