# --- declaring ------------------------------------------------------------------------------------------

hooks:declare() {
  local __h_context=${BASH_SOURCE[1]:-main} __h_name
  _hooks:state
  [[ $__h_context == main || $__h_context == /* ]] || _hooks:placed "$__h_context" __h_context
  [[ $# -eq 0 ]] || _hooks:log "Defining hooks from context: $__h_context"
  [[ $# -eq 0 ]] || _hooks:log "  hooks: $*"
  for __h_name in "$@"; do
    _hooks:declare:one "$__h_name" "$__h_context" || return 1
  done
  if [[ $# -gt 0 && -z $__HOOKS_HOME && $__h_context == /* ]]; then
    __HOOKS_HOME=${__h_context%/*}
    # A link to a script, in a folder of programs say, has its hooks where the script is.
    if [[ -L $__h_context && ! -d $__HOOKS_HOME/${HOOKS_DIR:-ci-cd} ]]; then
      __h_context=$(readlink -f "$__h_context") && __HOOKS_HOME=${__h_context%/*}
    fi
  fi
  return 0
}

# A script keeps the name by which it was started, whatever folder it goes to since. Bash has the script itself
# open as 255, which tells which of the files of that name it is.
_hooks:placed() { # FILE OUTVAR
  local __h_file __h_started=/proc/$$/fd/255
  for __h_file in "$PWD/$1" "$__HOOKS_STARTED_IN/$1" "${OLDPWD:-$PWD}/$1"; do
    if [[ $1 != "$0" && -f $__h_file || $__h_file -ef $__h_started ]]; then
      printf -v "$2" '%s' "$__h_file"
      return 0
    fi
  done
  [[ $1 != "$0" ]] || __h_file=$(readlink "$__h_started" 2>/dev/null) || __h_file=''
  [[ $__h_file == /* && -f $__h_file ]] || __h_file=$__HOOKS_STARTED_IN/$1
  printf -v "$2" '%s' "$__h_file"
}

# What holds names survives that someone has unset it, as tests of scripts do.
_hooks:state() {
  declare -p __HOOKS_DEFINED __HOOKS_CONTEXTS __HOOKS_MIDDLEWARE __HOOKS_REPORTED &>/dev/null ||
    declare -g -A __HOOKS_DEFINED __HOOKS_CONTEXTS __HOOKS_MIDDLEWARE __HOOKS_REPORTED
}

_hooks:declare:one() { # NAME CONTEXT
  _hooks:bytewise || local LC_ALL=C
  if [[ ! $1 =~ ^[a-zA-Z0-9_-]+$ ]]; then
    _hooks:error "invalid hook name '$1'. Only alphanumeric, underscore, and dash allowed."
    return 1
  fi
  local __h_known=${__HOOKS_CONTEXTS[$1]-}
  if [[ -z ${__HOOKS_DEFINED[$1]-} || -z $__h_known ]]; then
    __HOOKS_DEFINED[$1]=1
    __HOOKS_CONTEXTS[$1]=$2
    _hooks:log "  🟢 Registered hook: $1 (context: $2)"
  elif [[ "|$__h_known|" == *"|$2|"* ]]; then
    _hooks:log "  ℹ Hook '$1' already registered from this context, skipping"
  else
    printf '%s\n' "[hooks] ⚠ Warning: Hook '$1' is being defined from multiple contexts:" \
      "    Existing: $__h_known" "    New:      $2" \
      "  This is supported for nested/composed scripts, but verify it's intentional." >&2
    __HOOKS_CONTEXTS[$1]="$__h_known|$2"
  fi
}

hooks:known() { [[ -n ${1:-} && -n ${__HOOKS_DEFINED[$1]-} ]]; }

hooks:register() { # HOOK NAME FUNCTION
  if [[ -z ${1:-} || -z ${2:-} || -z ${3:-} ]]; then
    _hooks:error "hooks:register requires three parameters: <hook_name> <friendly_name> <function_name>"
    return 1
  fi
  if ! declare -F "$3" >/dev/null; then
    _hooks:error "function '$3' does not exist"
    return 1
  fi
  _hooks:state
  local __h_at
  if _hooks:registered:at "$1" "$2" __h_at; then
    _hooks:error "friendly name '$2' already registered for hook '$1'"
    return 1
  fi
  hooks:known "$1" || _hooks:log "⚠ Registering function for undefined hook '$1' (hook should be defined first)"
  __HOOKS_REGISTERED_HOOK+=("$1")
  __HOOKS_REGISTERED_NAME+=("$2")
  __HOOKS_REGISTERED_FUNC+=("$3")
  _hooks:log "Registered function '$3' as '$2' for hook '$1'"
}

hooks:unregister() { # HOOK NAME
  if [[ -z ${1:-} || -z ${2:-} ]]; then
    _hooks:error "hooks:unregister requires two parameters: <hook_name> <friendly_name>"
    return 1
  fi
  local __h_at
  if ! _hooks:registered:at "$1" '' __h_at; then
    _hooks:error "no registrations found for hook '$1'"
    return 1
  fi
  if ! _hooks:registered:at "$1" "$2" __h_at; then
    _hooks:error "registration '$2' not found for hook '$1'"
    return 1
  fi
  unset "__HOOKS_REGISTERED_HOOK[$__h_at]" "__HOOKS_REGISTERED_NAME[$__h_at]" "__HOOKS_REGISTERED_FUNC[$__h_at]"
  _hooks:log "Unregistered '$2' from hook '$1'"
}

_hooks:registered:at() { # HOOK NAME OUTVAR; an empty NAME means any
  local __h_each
  for __h_each in "${!__HOOKS_REGISTERED_HOOK[@]}"; do
    if [[ ${__HOOKS_REGISTERED_HOOK[__h_each]} == "$1" ]] &&
      [[ -z $2 || ${__HOOKS_REGISTERED_NAME[__h_each]} == "$2" ]]; then
      printf -v "$3" '%s' "$__h_each"
      return 0
    fi
  done
  return 1
}

hooks:middleware() { # HOOK [FUNCTION]
  if [[ -z ${1:-} ]]; then
    _hooks:error "hooks:middleware requires <hook> [function]"
    return 1
  fi
  _hooks:state
  if [[ -z ${2:-} ]]; then
    __HOOKS_MIDDLEWARE[$1]=''
    _hooks:log "Reset middleware for hook '$1' to default"
    return 0
  fi
  if ! declare -F "$2" >/dev/null; then
    _hooks:error "middleware function '$2' does not exist"
    return 1
  fi
  __HOOKS_MIDDLEWARE[$1]=$2
  _hooks:log "Registered middleware '$2' for hook '$1'"
}

hooks:middleware:set() {
  if [[ -z ${2:-} ]]; then
    _hooks:error "hooks:middleware:set requires <hook> <function>"
    return 1
  fi
  hooks:middleware "$1" "$2"
}
hooks:middleware:unset() { hooks:middleware "${1:-}"; }
hooks:middleware:default() { _hooks:middleware:default "$@"; }

hooks:pattern:source() {
  local __h_pattern
  for __h_pattern in "$@"; do
    __HOOKS_SOURCE_PATTERNS+=("$__h_pattern")
    _hooks:log "Registered pattern for sourced execution: $__h_pattern"
  done
}

hooks:pattern:script() {
  local __h_pattern
  for __h_pattern in "$@"; do
    __HOOKS_SCRIPT_PATTERNS+=("$__h_pattern")
    _hooks:log "Registered pattern for script execution: $__h_pattern"
  done
}

hooks:exec:mode() { # BASENAME
  local __h_mode
  _hooks:mode_of "${1:-}" __h_mode
  printf '%s\n' "$__h_mode"
}

_hooks:mode_of() { # BASENAME OUTVAR
  local __h_pattern
  for __h_pattern in "${__HOOKS_SOURCE_PATTERNS[@]}"; do
    # shellcheck disable=SC2053 # the right side is a pattern
    if [[ $1 == $__h_pattern ]]; then
      printf -v "$2" source
      return 0
    fi
  done
  for __h_pattern in "${__HOOKS_SCRIPT_PATTERNS[@]}"; do
    # shellcheck disable=SC2053
    if [[ $1 == $__h_pattern ]]; then
      printf -v "$2" exec
      return 0
    fi
  done
  printf -v "$2" '%s' "${HOOKS_EXEC_MODE:-exec}"
}
