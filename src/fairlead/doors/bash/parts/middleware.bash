# --- middleware -----------------------------------------------------------------------------------------

_hooks:middleware:default() { # HOOK CODE ARRAY -- ARGS...
  if [[ ${4:-} != -- ]]; then
    _hooks:error "hooks middleware expects '--' separator"
    return 1
  fi
  local __h_default_code=$2
  _hooks:replay "$3" show
  return "$__h_default_code"
}

_hooks:replay() { _hooks:exactly _hooks:replay:exactly "$@"; } # ARRAY show|hide contract lines

_hooks:replay:exactly() {
  local -n __h_replayed=$1
  local __h_line
  for __h_line in "${__h_replayed[@]}"; do
    case $__h_line in
      '1: contract:'*) [[ $2 == hide ]] || printf '%s\n' "${__h_line#1: }" ;;
      '1: '*) printf '%s\n' "${__h_line#1: }" ;;
      '2: '*) printf '%s\n' "${__h_line#2: }" >&2 ;;
      *) printf '%s\n' "$__h_line" ;;
    esac
  done
}

# Obeys contract lines and shows them like all others; the code stays the implementation's.
_hooks:middleware:modes() { # HOOK CODE ARRAY [--] ARGS...
  _hooks:obey "$1" "$3"
  _hooks:replay "$3" show
  return "$2"
}

# The same, with the contract lines hidden.
hooks:middleware:contract() { # HOOK CODE ARRAY [--] ARGS...
  _hooks:obey "$1" "$3"
  _hooks:replay "$3" hide
  return "$2"
}

_hooks:obey() { _hooks:exactly _hooks:obey:exactly "$@"; } # HOOK ARRAY

_hooks:obey:exactly() {
  local -n __h_obeyed=$2
  local __h_line __h_number=0 __h_why=''
  _hooks:log "middleware is processing hook: '$1'"
  _hooks:log "total captured lines for '$1': ${#__h_obeyed[@]}"
  for __h_line in "${__h_obeyed[@]}"; do
    [[ $__h_line != '1: '* ]] || __h_number=$((__h_number + 1))
    [[ $__h_line != '1: contract:'* ]] || _hooks:contract "${__h_line#1: contract:}" ||
      _hooks:error "hook '$1', line $__h_number of its output${__h_implementation:+ ($__h_implementation)}: $__h_why"
  done
}
