"""Made from `editors.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'ed': {'code': 'files.editor_scripts:read_vim', 'operands': ('reads',)},
 'emacs': {'code': 'files.editor_scripts:read_emacs', 'operands': ('reads',)},
 'emacsclient': {'code': 'files.editor_scripts:read_emacs', 'operands': ('reads',)},
 'vim': {'code': 'files.editor_scripts:read_vim', 'operands': ('reads',)}}
SAME: dict[str, str] = {'ex': 'vim', 'gvim': 'vim', 'nvim': 'vim', 'red': 'ed', 'rvim': 'vim', 'vi': 'vim', 'view': 'vim'}
