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
  if [[ ${DEBUG:-} == *hooks* || ${DEBUG:-} == *'*'* ]] || declare -F echo:Hooks &>/dev/null; then
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

# Whether texts are compared byte by byte as it is: then `LC_ALL=C` is not needed, and a locale that is not there
# is not complained of by the shell when it comes back to it.
_hooks:bytewise() {
  local __h_two_bytes=$'\xc3\xa9' __h_small=a __h_capital=B
  [[ ${#__h_two_bytes} -eq 2 && ! $__h_small < $__h_capital ]]
}

# Runs one of our functions with letters that are what they are, though the script has set `nocasematch`.
_hooks:exactly() { # FUNCTION ARGS...
  if ! shopt -q nocasematch; then
    "$@"
    return $?
  fi
  local __h_exactly=0
  shopt -u nocasematch
  "$@" || __h_exactly=$?
  shopt -s nocasematch
  return "$__h_exactly"
}
