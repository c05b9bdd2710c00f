# --- words ----------------------------------------------------------------------------------------------

_hooks:log() {
  [[ -z ${__h_silent:-} ]] || return 0
  if declare -F echo:Hooks >/dev/null; then
    echo:Hooks "$@"
  elif [[ ${DEBUG:-} == *hooks* || ${DEBUG:-} == *'*'* ]]; then
    if type -P echo:Hooks >/dev/null; then echo:Hooks "$@"; else printf '[hooks] %s\n' "$*" >&2; fi
  fi
  return 0
}

# Looked up once for each hook: what is not said should cost nothing.
_hooks:silent() { # OUTVAR
  if [[ ${DEBUG:-} == *hooks* || ${DEBUG:-} == *'*'* ]] || declare -F echo:Hooks >/dev/null; then
    printf -v "$1" ''
  else
    printf -v "$1" 1
  fi
}

_hooks:error() {
  if declare -F echo:Error >/dev/null; then
    echo:Error "$@"
  elif [[ -n ${DEBUG-error} ]]; then
    if type -P echo:Error >/dev/null; then echo:Error "$@"; else printf '[error] %s\n' "$*" >&2; fi
  fi
  return 0
}

_hooks:logger:refresh() { :; } # loggers are looked up when they are needed

_hooks:warn() { printf '[hooks] ⚠ %s\n' "$*" >&2; }

_hooks:code() { return "$1"; }
