#!/usr/bin/env bash
# Hooks for bash scripts: declare points, implement them as functions and executable files in one order,
# and let a middleware read what they print. Needs bash 4.4 or later and, for middleware other than the
# default, python3; no other file. Sourcing it twice keeps what was declared.
#
# Names that begin with `__h_` are ours: a hook, a sourced script and a middleware run inside these
# functions and may use any other name as a global variable.

if [[ -o posix ]] || ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
  echo "hooks.bash needs bash 4.4 or later, and not its posix mode: start the script with bash, not with sh" >&2
  return 1
fi
if [[ -o keyword ]]; then
  echo "hooks.bash cannot work under 'set -k', which takes arguments for assignments: set +k" >&2
  return 1
fi
# An alias of the script is none of this file, whose words mean what they say.
shopt -q expand_aliases && __HOOKS_ALIASES=1 || __HOOKS_ALIASES=''
shopt -u expand_aliases
if [[ -z ${__HOOKS_LOADED:-} ]]; then
  declare -g __HOOKS_LOADED=1
  declare -g -A __HOOKS_DEFINED=() __HOOKS_CONTEXTS=() __HOOKS_MIDDLEWARE=() __HOOKS_REPORTED=()
  declare -g -a __HOOKS_REGISTERED_HOOK=() __HOOKS_REGISTERED_NAME=() __HOOKS_REGISTERED_FUNC=()
  declare -g -a __HOOKS_SOURCE_PATTERNS=() __HOOKS_SCRIPT_PATTERNS=()
  declare -g __HOOKS_CAPTURE_SEQ=0 __HOOKS_END_TRAP_INSTALLED='' __HOOKS_END_DONE='' __HOOKS_LEGACY_TRAP=''
  declare -g -a __HOOKS_OWNER=() __HOOKS_ORDERS=() __HOOKS_REPLIES=() __HOOKS_LINES=() __HOOKS_PROGRAM=()
  declare -g -a __HOOKS_OUT=() __HOOKS_ERR=() __HOOKS_DATA=() __HOOKS_INDEX=() __HOOKS_FOLDER=()
  declare -g -a __HOOKS_OUT_END=() __HOOKS_ERR_END=()
  declare -g __HOOKS_LEVEL=0 __HOOKS_UNSAID=213 __HOOKS_NO_RECORDER='' __HOOKS_STREAMS='' __HOOKS_BESIDE=''
  declare -g __HOOKS_HOME='' __HOOKS_OLD_BASH=''
  declare -g __HOOKS_NAMES_CHECKED='' __HOOKS_STARTED_IN=$PWD __HOOKS_LOADED_FROM=$PWD __HOOKS_BESIDE_US=${BASH_SOURCE[0]%/*}
  ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)) || __HOOKS_OLD_BASH=1
  # What was asked of the script that started this one is not asked of this one.
  unset -v __HOOKS_FLOW_TERMINATE __HOOKS_FLOW_ROUTE __HOOKS_FLOW_EXIT_CODE __HOOKS_FLOW_TIMEOUT __h_caller_place
  unset -v __CI_MODE_TERMINATE __CI_MODE_EXIT
  case ${BASH_SOURCE[1]:-} in
    /*/*) __HOOKS_LOADED_FROM=${BASH_SOURCE[1]%/*} ;;
    */*) __HOOKS_LOADED_FROM=$PWD/${BASH_SOURCE[1]%/*} ;;
  esac
  declare -g __HOOKS_FILE=${BASH_SOURCE[0]} __HOOKS_RECORDER=''
  [[ $__HOOKS_FILE == /* ]] || __HOOKS_FILE=$PWD/$__HOOKS_FILE
  [[ $__HOOKS_BESIDE_US == /* ]] || __HOOKS_BESIDE_US=$PWD/$__HOOKS_BESIDE_US
fi
: "${HOOKS_DIR:=ci-cd}" "${HOOKS_PREFIX:=hook:}" "${HOOKS_EXEC_MODE:=exec}" "${HOOKS_AUTO_TRAP:=true}"

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

# --- what implements a hook -----------------------------------------------------------------------------

# The folder of the hooks: beside the script that declared, so that a `cd` does not lose them.
_hooks:dir() { # OUTVAR
  local __h_home=${__HOOKS_HOME:-$__HOOKS_LOADED_FROM}
  if [[ ${HOOKS_DIR:-ci-cd} != /* && -d $__h_home/${HOOKS_DIR:-ci-cd} ]]; then
    printf -v "$1" '%s' "$__h_home/${HOOKS_DIR:-ci-cd}"
  else
    printf -v "$1" '%s' "${HOOKS_DIR:-ci-cd}"
  fi
}

_hooks:dir:missing() { # DIRECTORY; says so once, if someone has asked for it
  [[ ${HOOKS_DIR:-ci-cd} != ci-cd && -z ${__HOOKS_REPORTED[$1]-} ]] || return 0
  __HOOKS_REPORTED[$1]=1
  _hooks:warn "HOOKS_DIR is '$HOOKS_DIR', and there is no such folder ($1)"
}

# Fills __h_keys, __h_kinds, __h_targets, __h_labels of the caller: registered functions and scripts in
# one sequence by byte order. A hook whose name begins another's leaves the other's scripts alone.
_hooks:collect() { # HOOK
  _hooks:exactly _hooks:collect:exactly "$1"
}

_hooks:collect:exactly() { # HOOK
  _hooks:bytewise || local LC_ALL=C
  local __h_each __h_dir __h_file __h_name __h_key
  local -a __h_others=()
  __h_keys=() __h_kinds=() __h_targets=() __h_labels=()
  for __h_each in "${!__HOOKS_REGISTERED_HOOK[@]}"; do
    if [[ ${__HOOKS_REGISTERED_HOOK[__h_each]} == "$1" ]]; then
      _hooks:insert "${__HOOKS_REGISTERED_NAME[__h_each]}" registered \
        "${__HOOKS_REGISTERED_FUNC[__h_each]}" "${__HOOKS_REGISTERED_NAME[__h_each]}"
    fi
  done
  _hooks:dir __h_dir
  if [[ ! -d $__h_dir ]]; then
    _hooks:dir:missing "$__h_dir"
    return 0
  fi
  local -a __h_files=()
  _hooks:glob "$__h_dir" "$1"
  _hooks:others "$1"
  for __h_file in "${__h_files[@]}"; do # mostly nothing is to be said of a file, and it comes after the last one
    __h_name=${__h_file##*/}
    ((${#__h_others[@]} == 0)) || ! _hooks:belongs_to_another "$__h_name" || continue
    # shellcheck disable=SC2053 # the right side is a pattern
    [[ -f $__h_file && -x $__h_file && $__h_file != $__HOOKS_LEFT_BEHIND ]] || _hooks:usable "$__h_file" || continue
    __h_key=${__h_name:${#1}+1}
    [[ $__h_key == ?*.* ]] && __h_key=${__h_key%.*}
    if ((${#__h_keys[@]} > 0)) && [[ $__h_key < ${__h_keys[-1]} ]]; then
      _hooks:insert "$__h_key" script "$__h_file" "$__h_name"
    else
      __h_keys+=("$__h_key") __h_kinds+=(script) __h_targets+=("$__h_file") __h_labels+=("$__h_name")
    fi
  done
}

# The caller's noglob, nullglob, failglob and GLOBIGNORE must not lose scripts, and stay as they are.
_hooks:glob() { # DIRECTORY HOOK; fills __h_files
  local __h_restore=''
  [[ -z ${GLOBIGNORE:-} ]] || local GLOBIGNORE='' # only then: when it goes, so does dotglob
  [[ $- == *f* ]] && __h_restore='set -f;'
  shopt -q nullglob || __h_restore+='shopt -u nullglob;'
  shopt -q failglob && __h_restore+='shopt -s failglob;'
  set +f
  shopt -u failglob
  shopt -s nullglob
  __h_files=("$1/$2"-* "$1/$2"_*)
  eval "$__h_restore"
}

_hooks:others() { # HOOK; fills __h_others: hooks whose files may look like its own
  local __h_other
  for __h_other in "${!__HOOKS_DEFINED[@]}"; do
    [[ $__h_other != "$1"[-_]* ]] || __h_others+=("$__h_other")
  done
}

_hooks:belongs_to_another() { # FILE
  local __h_other
  for __h_other in "${__h_others[@]}"; do
    [[ $1 != "$__h_other"[-_.]* && $1 != "$__h_other" ]] || return 0
  done
  return 1
}

__HOOKS_LEFT_BEHIND='*@(~|.bak|.orig|.rej|.swp|.swo|.tmp|.old|.save)'

_hooks:usable() { # FILE; says once why not
  local __h_why=''
  # shellcheck disable=SC2053 # the right side is a pattern
  if [[ $1 == $__HOOKS_LEFT_BEHIND ]]; then
    __h_why='it looks like what an editor leaves behind'
  elif [[ -f $1 ]]; then
    [[ -x $1 ]] || __h_why='it is not executable: chmod +x'
  elif [[ -L $1 && ! -e $1 ]]; then
    __h_why='it is a broken link'
  else
    __h_why='it is not a file'
  fi
  [[ -n $__h_why ]] || return 0
  if [[ -z ${__HOOKS_REPORTED[$1]-} ]]; then
    __HOOKS_REPORTED[$1]=1
    _hooks:warn "$1 is not run: $__h_why"
  fi
  return 1
}

_hooks:insert() { # KEY KIND TARGET LABEL; what comes is nearly sorted, so this seldom moves anything
  local __h_at=${#__h_keys[@]}
  while ((__h_at > 0)) && [[ $1 < ${__h_keys[__h_at - 1]} ]]; do
    __h_at=$((__h_at - 1))
  done
  if ((__h_at == ${#__h_keys[@]})); then
    __h_keys+=("$1") __h_kinds+=("$2") __h_targets+=("$3") __h_labels+=("$4")
  else
    __h_keys=("${__h_keys[@]:0:__h_at}" "$1" "${__h_keys[@]:__h_at}")
    __h_kinds=("${__h_kinds[@]:0:__h_at}" "$2" "${__h_kinds[@]:__h_at}")
    __h_targets=("${__h_targets[@]:0:__h_at}" "$3" "${__h_targets[@]:__h_at}")
    __h_labels=("${__h_labels[@]:0:__h_at}" "$4" "${__h_labels[@]:__h_at}")
  fi
}

hooks:runnable() { # HOOK
  [[ -n ${1:-} ]] || return 1
  ! declare -F "${HOOKS_PREFIX:-hook:}$1" >/dev/null || return 0
  local -a __h_keys __h_kinds __h_targets __h_labels
  _hooks:collect "$1"
  ((${#__h_keys[@]} > 0))
}

hooks:list() {
  _hooks:state
  if ((${#__HOOKS_DEFINED[@]} == 0)); then
    printf 'No hooks defined\n'
    return 0
  fi
  printf 'Defined hooks:\n'
  local __h_hook
  for __h_hook in "${!__HOOKS_DEFINED[@]}"; do
    _hooks:list:one "$__h_hook"
  done
}

_hooks:list:one() { # HOOK
  local -a __h_keys __h_kinds __h_targets __h_labels
  local __h_kind __h_registered=0 __h_scripts=0 __h_parts='' __h_contexts=${__HOOKS_CONTEXTS[$1]-}
  _hooks:collect "$1"
  for __h_kind in "${__h_kinds[@]}"; do
    if [[ $__h_kind == script ]]; then
      __h_scripts=$((__h_scripts + 1))
    else
      __h_registered=$((__h_registered + 1))
    fi
  done
  declare -F "${HOOKS_PREFIX:-hook:}$1" >/dev/null && __h_parts='function'
  ((__h_registered == 0)) || __h_parts+="${__h_parts:+, }$__h_registered registered"
  ((__h_scripts == 0)) || __h_parts+="${__h_parts:+, }$__h_scripts script(s)"
  if [[ -n $__h_parts ]]; then
    printf '  - %s: implemented (%s)\n' "$1" "$__h_parts"
  else
    printf '  - %s: not implemented\n' "$1"
  fi
  local __h_bars=${__h_contexts//[^|]/}
  ((${#__h_bars} == 0)) || printf '      ⚠ defined in %s contexts\n' "$((${#__h_bars} + 1))"
}

# --- settings -------------------------------------------------------------------------------------------

# A setting that cannot be read is an error: what is meant to be strict must not be lenient in silence.
_hooks:settings() {
  if [[ -o posix ]]; then
    printf '%s\n' '[hooks] ⚠ posix mode was turned on (by POSIXLY_CORRECT or set -o posix), in which bash knows no function' \
      '  of such a name: set POSIXLY_CORRECT for the programs that need it alone. No hook is run.' >&2
    return 1
  fi
  [[ -n $__HOOKS_NAMES_CHECKED ]] || _hooks:settings:names
  [[ ${HOOKS_EXEC_MODE:-exec} != exec ||
    -n ${HOOKS_FAIL_FAST:-}${HOOKS_EXIT_POLICY:-}${HOOKS_STDIN:-}${HOOKS_RETRIES:-}${HOOKS_TIMEOUT:-}${HOOKS_GRACE:-} ]] || return 0
  local __h_wrong='' __h_number='[0-9]+([.][0-9]+)?[smhd]?'
  _hooks:flag "${HOOKS_FAIL_FAST:-false}" || [[ $? -eq 1 ]] || __h_wrong='HOOKS_FAIL_FAST is neither true nor false'
  case ${HOOKS_EXEC_MODE:-exec} in
    exec | source) ;;
    *) __h_wrong='HOOKS_EXEC_MODE is neither exec nor source' ;;
  esac
  case ${HOOKS_EXIT_POLICY:-last} in
    last | worst | first-failure) ;;
    *) __h_wrong='HOOKS_EXIT_POLICY is neither last, worst nor first-failure' ;;
  esac
  case ${HOOKS_STDIN:-none} in
    none | inherit) ;;
    *) __h_wrong='HOOKS_STDIN is neither none nor inherit' ;;
  esac
  [[ ${HOOKS_RETRIES:-0} =~ ^[0-9]{1,6}$ ]] || __h_wrong='HOOKS_RETRIES is not a number'
  [[ ${HOOKS_TIMEOUT:-0} =~ ^($__h_number)$ ]] || __h_wrong='HOOKS_TIMEOUT is not a number of seconds'
  [[ ${HOOKS_GRACE:-0} =~ ^($__h_number)$ ]] || __h_wrong='HOOKS_GRACE is not a number of seconds'
  [[ -n $__h_wrong ]] || return 0
  local __h_name=${__h_wrong%% *}
  _hooks:warn "$__h_wrong: '${!__h_name}'. No hook is run."
  return 1
}

_hooks:flag() { # VALUE; 0 for true, 1 for false, 2 for neither
  case ${1,,} in
    true | 1 | yes | on) return 0 ;;
    false | 0 | no | off) return 1 ;;
  esac
  return 2
}

# Names that are nearly those of settings. Others with the same prefix are the script's own.
_hooks:settings:names() {
  local __h_name __h_known
  __HOOKS_NAMES_CHECKED=1
  for __h_name in "${!HOOKS_@}"; do
    [[ ' HOOKS_AUTO_TRAP HOOKS_CONTRACT_ALLOW HOOKS_DIR HOOKS_EXEC_MODE HOOKS_EXIT_POLICY HOOKS_FAIL_FAST HOOKS_GRACE HOOKS_PREFIX HOOKS_REQUIRED HOOKS_RETRIES HOOKS_STDIN HOOKS_TIMEOUT ' != *" $__h_name "* && $__h_name != HOOKS_FLOW_* ]] || continue
    for __h_known in HOOKS_AUTO_TRAP HOOKS_CONTRACT_ALLOW HOOKS_DIR HOOKS_EXEC_MODE HOOKS_EXIT_POLICY HOOKS_FAIL_FAST HOOKS_GRACE HOOKS_PREFIX HOOKS_REQUIRED HOOKS_RETRIES HOOKS_STDIN HOOKS_TIMEOUT; do
      if _hooks:nearly "${__h_name#HOOKS_}" "${__h_known#HOOKS_}"; then
        _hooks:warn "$__h_name is not a setting: is $__h_known meant?"
        break
      fi
    done
  done
}

_hooks:nearly() { # NAME KNOWN; one letter more, less, other or swapped, or the same beginning
  local __h_at __h_head __h_tail
  [[ ${1//_/} != "${2//_/}" && ${1:0:4} != "${2:0:4}" ]] || return 0
  for ((__h_at = 0; __h_at <= ${#1}; __h_at++)); do
    __h_head=${1:0:__h_at} __h_tail=${1:__h_at}
    case $2 in
      "$__h_head"?"$__h_tail" | "$__h_head${__h_tail:1}" | "$__h_head"?"${__h_tail:1}") return 0 ;;
      "$__h_head${__h_tail:1:1}${__h_tail:0:1}${__h_tail:2}") return 0 ;;
    esac
  done
  return 1
}

# --- running --------------------------------------------------------------------------------------------

hooks:do() { # HOOK [ARGS...]
  local __h_trace='' __h_result=0
  [[ $- != *x* ]] || { __h_trace=x && set +x; } 2>/dev/null
  _hooks:do "$@" || __h_result=$?
  [[ -z $__h_trace ]] || set -x
  return "$__h_result"
}

_hooks:do() { # HOOK [ARGS...]
  if [[ -z ${1:-} ]]; then
    _hooks:error "hooks:do requires <hook> [args...]"
    return 1
  fi
  [[ -n ${__h_caller_place:-} ]] || _hooks:flow:forget
  local __h_hook=$1 __h_caller_place=$PWD __h_debug=${DEBUG:-} __h_silent
  shift
  _hooks:silent __h_silent
  [[ $__h_hook != end ]] || __HOOKS_END_DONE=1
  if ! hooks:known "$__h_hook"; then
    _hooks:log "Hook '$__h_hook' not defined, skipping"
    return 0
  fi
  _hooks:settings || return 2
  local __h_middleware=${__HOOKS_MIDDLEWARE[$__h_hook]:-_hooks:middleware:default}
  # All names are local here and not in the functions below: bash is slower in a sourced script the more
  # functions with local names stand around it.
  local __h_code=0 __h_last=0 __h_worst=0 __h_first=0 __h_count=0 __h_command_size=1 __h_each __h_tries
  local __h_registered=0 __h_scripts=0 __h_r=0 __h_s=0 __h_function __h_script __h_label __h_place __h_mode __h_timeout __h_bounded=''
  local __h_implementation=${HOOKS_PREFIX:-hook:}$__h_hook
  local -a __h_keys __h_kinds __h_targets __h_labels __h_command
  _hooks:log "Executing hook: $__h_hook"
  _hooks:log "  Using middleware: $__h_middleware"
  if declare -F "${HOOKS_PREFIX:-hook:}$__h_hook" >/dev/null; then
    _hooks:log "  → [function] ${HOOKS_PREFIX:-hook:}$__h_hook"
    _hooks:through "${HOOKS_PREFIX:-hook:}$__h_hook" "$@" || __h_code=$?
    _hooks:count
  fi
  _hooks:collect "$__h_hook"
  _hooks:do:sequence "$@"
  _hooks:do:finish
}

_hooks:count() {
  [[ ${DEBUG:-} == "$__h_debug" ]] || _hooks:silent __h_silent
  [[ -n $__h_silent ]] || _hooks:log "    ↳ exit code: $__h_code"
  __h_last=$__h_code
  __h_count=$((__h_count + 1))
  [[ $__h_code == 0 ]] || _hooks:count:failed
}

_hooks:count:failed() {
  ((__h_code <= __h_worst)) || __h_worst=$__h_code
  ((__h_first != 0)) || __h_first=$__h_code
}

_hooks:do:sequence() { # ARGS...
  for __h_each in "${__h_kinds[@]}"; do
    [[ $__h_each == script ]] || __h_registered=$((__h_registered + 1))
  done
  __h_scripts=$((${#__h_kinds[@]} - __h_registered))
  ((__h_registered == 0)) || _hooks:log "  Found $__h_registered registered function(s) for hook '$__h_hook'"
  ((__h_scripts == 0)) || _hooks:log "  Found $__h_scripts script(s) for hook '$__h_hook'"
  for __h_each in "${!__h_keys[@]}"; do
    ((__h_last == 0)) || ! _hooks:flag "${HOOKS_FAIL_FAST:-false}" || return 0
    __h_code=0
    if [[ ${__h_kinds[__h_each]} == script ]]; then
      __h_s=$((__h_s + 1))
      _hooks:do:script_at "$__h_each" "$__h_s/$__h_scripts" "$@"
    else
      __h_r=$((__h_r + 1))
      _hooks:do:registered_at "$__h_each" "$__h_r/$__h_registered" "$@"
    fi
  done
}

_hooks:do:registered_at() { # INDEX PLACE ARGS...
  __h_function=${__h_targets[$1]} __h_implementation=${__h_labels[$1]} __h_label="[registered $2] ${__h_labels[$1]} → ${__h_targets[$1]}"
  shift 2
  if ! declare -F "$__h_function" >/dev/null; then
    _hooks:log "  ⚠ ${__h_label%% → *} → function $__h_function() not found, skipping"
    return 0
  fi
  _hooks:log "  → $__h_label()"
  _hooks:through "$__h_function" "$@" || __h_code=$?
  _hooks:count
}

_hooks:do:script_at() { # INDEX PLACE ARGS...
  __h_script=${__h_targets[$1]} __h_label=${__h_labels[$1]} __h_implementation=${__h_labels[$1]} __h_place=$2
  shift 2
  [[ $__h_script == */* ]] || __h_script=./$__h_script
  __h_mode=${HOOKS_EXEC_MODE:-exec}
  ((${#__HOOKS_SOURCE_PATTERNS[@]} + ${#__HOOKS_SCRIPT_PATTERNS[@]} == 0)) || _hooks:mode_of "$__h_label" __h_mode
  if [[ $__h_mode == source ]]; then
    _hooks:log "  → [script $__h_place] $__h_label (sourced mode)"
    _hooks:sourced "$@" || __h_code=$?
  else
    [[ -n $__h_silent ]] || _hooks:log "  → [script $__h_place] $__h_label (exec mode)"
    if [[ -z ${HOOKS_TIMEOUT:-}${HOOKS_RETRIES:-} ]]; then
      __h_bounded=''
      _hooks:through "$__h_script" "$@" || __h_code=$?
    else
      _hooks:tried "$@"
    fi
  fi
  _hooks:count
}

# HOOKS_TIMEOUT bounds each script (exit code 124), HOOKS_RETRIES gives a failed one more chances; without
# either it is not asked. A person who is asked sits at a terminal, which only what runs in the foreground may read.
_hooks:tried() { # ARGS...
  __h_tries=$((1 + 10#${HOOKS_RETRIES:-0}))
  __h_command=("$__h_script") __h_bounded=${HOOKS_TIMEOUT:-}
  if [[ -n ${HOOKS_TIMEOUT:-} ]]; then
    __h_timeout=$(type -P timeout) || __h_timeout=timeout # the program, and not a function of the script
    __h_command=("$__h_timeout" -k "${HOOKS_GRACE:-2}" "$HOOKS_TIMEOUT" "$__h_script")
    [[ ! -t 0 ]] || __h_command=("$__h_timeout" --foreground "${__h_command[@]:1}")
  fi
  __h_command_size=${#__h_command[@]}
  for ((; __h_tries > 0; __h_tries--)); do
    __h_code=0
    _hooks:through "${__h_command[@]}" "$@" || __h_code=$?
    ((__h_code != 0)) || break
  done
  __h_command_size=1
}

# In the caller's shell: not captured, no middleware. A `hook:run` of an earlier script never runs again.
_hooks:sourced() { # ARGS...
  unset -f hook:run
  # shellcheck disable=SC1090 # known when it runs
  _hooks:traced source "$__h_script" "$@" || return $?
  if ! declare -F hook:run >/dev/null; then
    _hooks:log "    ⚠ No hook:run function found in $__h_label, skipping"
    return 0
  fi
  _hooks:traced hook:run "$@"
}

_hooks:do:finish() {
  if ((__h_count == 0)); then
    _hooks:log "  ⚪ No implementations found for hook '$__h_hook'"
    if [[ " ${HOOKS_REQUIRED:-} " == *" $__h_hook "* ]]; then
      _hooks:error "hook '$__h_hook' is required, and nothing implements it"
      return 127
    fi
    return 0
  fi
  case ${HOOKS_EXIT_POLICY:-last} in
    worst) __h_last=$__h_worst ;;
    first-failure) __h_last=$__h_first ;;
  esac
  _hooks:log "  🟢 Completed hook '$__h_hook' ($__h_count implementation(s), final exit code: $__h_last)"
  return "$__h_last"
}

hooks:do:source() {
  _hooks:log "Call-level override: forcing sourced mode for this hook execution"
  local HOOKS_EXEC_MODE=source
  hooks:do "$@"
}

hooks:do:script() {
  _hooks:log "Call-level override: forcing exec mode for this hook execution"
  local HOOKS_EXEC_MODE=exec
  hooks:do "$@"
}

# --- starting a command ---------------------------------------------------------------------------------

# The default middleware shows output as it comes and returns the code, so it needs no capture.
_hooks:through() { # COMMAND ARGS...
  if [[ $__h_middleware == _hooks:middleware:default ]]; then
    _hooks:on '' '' "$@"
    return $?
  fi
  local __h_array='' __h_status=0 __h_answer=0
  _hooks:capture:run "$__h_hook" __h_array "$@" || __h_status=$?
  shift "$__h_command_size"
  if ! declare -F "$__h_middleware" >/dev/null; then
    _hooks:error "middleware function '$__h_middleware' does not exist"
    _hooks:middleware:default "$__h_hook" 127 "$__h_array" -- "$@" || __h_answer=$?
  elif [[ -z ${__h_trace:-} ]]; then
    "$__h_middleware" "$__h_hook" "$__h_status" "$__h_array" -- "$@" || __h_answer=$?
  else
    _hooks:traced "$__h_middleware" "$__h_hook" "$__h_status" "$__h_array" -- "$@" || __h_answer=$?
  fi
  unset "$__h_array"
  return "$__h_answer"
}

# Runs a command on these descriptors, or on those of the script if they are empty. Unless a person sits there,
# the caller's input is not its to read. The script may end within the command, so its own streams are known:
# bash keeps what a redirection to a file replaces in the lowest descriptors that are free, for no program.
_hooks:on() { # STDOUT STDERR COMMAND ARGS...
  local __h_out=$1 __h_err=$2 __h_kept_out=- __h_kept_err=- __h_code_of=0 __h_around=$__HOOKS_STREAMS __h_since=0 REPLY=''
  shift 2
  if [[ $1 != */* ]] && declare -F "$1" >/dev/null; then
    _hooks:on:function "$@" || __h_code_of=$?
  else
    _hooks:on:program "$@" || __h_code_of=$?
  fi
  __HOOKS_STREAMS=$__h_around
  return "$__h_code_of"
}

_hooks:on:function() { # FUNCTION ARGS...
  if [[ -z $__h_out ]]; then
    _hooks:on:input "$@"
    return $?
  fi
  [[ ! -e /dev/fd/1 ]] || exec {__h_kept_out}>&1
  [[ ! -e /dev/fd/2 ]] || exec {__h_kept_err}>&2
  _hooks:close "$__h_kept_out" "$__h_kept_err"
  [[ -n $__HOOKS_STREAMS ]] || __HOOKS_STREAMS="$__h_kept_out $__h_kept_err"
  # shellcheck disable=SC2261 # to a file first, because of where bash keeps what that replaces
  _hooks:on:input "$@" 1>/dev/null 2>/dev/null 1>&"$__h_out" 2>&"$__h_err"
}

_hooks:on:input() { # FUNCTION ARGS...
  if [[ -t 0 || ${HOOKS_STDIN:-} == inherit ]]; then
    _hooks:traced "$@"
  else
    _hooks:traced "$@" </dev/null
  fi
}

# What the shell itself would say of a program that was killed names our insides, and is not said.
_hooks:on:program() { # PROGRAM ARGS...
  [[ ! -e /dev/fd/2 ]] || exec {__h_kept_err}>&2 {__h_kept_err}>&-
  [[ -n $__h_out || ! -e /dev/fd/1 ]] || __h_out=1
  [[ -n $__HOOKS_STREAMS ]] || __HOOKS_STREAMS="1 $__h_kept_err"
  [[ ! -r /proc/$BASHPID/task/$BASHPID/children ]] || read -r <"/proc/$BASHPID/task/$BASHPID/children" || :
  __HOOKS_BESIDE=" $REPLY "
  [[ -z ${__h_bounded:-} ]] || _hooks:clock __h_since
  if [[ -t 0 || ${HOOKS_STDIN:-} == inherit ]]; then
    _hooks:code "$__HOOKS_UNSAID"
    { "$@" 1>&"${__h_out:--}" 2>&"${__h_err:-$__h_kept_err}"; } 2>/dev/null || __h_code_of=$?
  else
    _hooks:code "$__HOOKS_UNSAID"
    { "$@" 1>&"${__h_out:--}" 2>&"${__h_err:-$__h_kept_err}" </dev/null; } 2>/dev/null || __h_code_of=$?
  fi
  __HOOKS_BESIDE=''
  ((__h_code_of != 137)) || ! _hooks:overdue "$__h_since" || __h_code_of=124
  ((__h_code_of != 126)) || ! _hooks:unreadable "$1" || __h_code_of=127
  return "$__h_code_of"
}

# Bash before 5.2 answers 126 for a file whose interpreter is not there, others 127.
_hooks:unreadable() { # FILE
  local REPLY=''
  { read -r <"$1" || :; } 2>/dev/null
  [[ $REPLY =~ ^\#![[:blank:]]*([^[:blank:]]+) && ! -e ${BASH_REMATCH[1]} ]]
}

# `timeout` answers 137 where it had to kill, which is also the code of what someone else has killed.
_hooks:overdue() { # SINCE
  [[ ${__h_bounded:-} =~ ^([0-9]+)([.]([0-9]+))?([smhd]?)$ ]] || return 1
  local __h_now __h_unit=1 __h_fraction=${BASH_REMATCH[3]}000000
  case ${BASH_REMATCH[4]} in
    m) __h_unit=60 ;;
    h) __h_unit=3600 ;;
    d) __h_unit=86400 ;;
  esac
  _hooks:clock __h_now
  ((__h_now - $1 >= (10#${BASH_REMATCH[1]} * 1000000 + 10#${__h_fraction:0:6}) * __h_unit))
}

_hooks:clock() { # OUTVAR; microseconds
  local __h_clock=${EPOCHREALTIME:-}
  [[ -n $__h_clock ]] || printf -v __h_clock '%(%s)T.000000' -1
  printf -v "$1" '%s' "${__h_clock//[!0-9]/}"
}

# Our own functions are not traced; what is the script's is, if it has asked for that.
_hooks:traced() { # COMMAND ARGS...
  local __h_traced_code=0
  if [[ -z ${__h_trace:-} || $1 == hooks:* || $1 == _hooks:* ]]; then
    "$@"
    return $?
  fi
  set -x
  "$@" || { __h_traced_code=$?; } 2>/dev/null
  { __h_trace=${-//[!x]/} && set +x; } 2>/dev/null
  return "$__h_traced_code"
}

# A copy of a descriptor that programs do not inherit. Bash marks the one so in which it keeps what a
# redirection replaces, and a copy of a marked one is marked as well.
_hooks:private() { # DESCRIPTOR OUTVAR; `-` for one that is closed
  local __h_next __h_copy=-
  if [[ -e /dev/fd/$1 ]]; then
    exec {__h_next}>&"$1" {__h_next}>&- # the lowest that is free
    eval "{ exec {__h_copy}>&$__h_next; } $1>/dev/null"
    if [[ ! /dev/fd/$__h_copy -ef /dev/fd/$1 ]]; then # an unknown bash: a common copy, then
      exec {__h_copy}>&- {__h_copy}>&"$1"
    fi
  fi
  printf -v "$2" '%s' "$__h_copy"
}

_hooks:close() { # DESCRIPTORS...
  local __h_open
  for __h_open in "$@"; do
    [[ $__h_open == - ]] || exec {__h_open}>&-
  done
}

# --- capture --------------------------------------------------------------------------------------------

# Runs a command and puts what it printed into a new array, whose name goes to OUTVAR: one element per
# line, `1: ` for stdout and `2: ` for stderr, in the order in which they were written. What is captured
# within another capture is a level above it, with descriptors of its own.
_hooks:capture:run() { # HOOK OUTVAR COMMAND ARGS...
  local __h_slug=${1//[^A-Za-z0-9]/_} __h_name __h_exit=0 __h_level=$__HOOKS_LEVEL
  __HOOKS_CAPTURE_SEQ=$((__HOOKS_CAPTURE_SEQ + 1))
  __h_name=__hooks_${__h_slug:0:40}_$__HOOKS_CAPTURE_SEQ
  declare -g -a "$__h_name=()"
  printf -v "$2" '%s' "$__h_name"
  shift 2
  if ! _hooks:recorder && ! _hooks:files; then
    _hooks:capture:nowhere "$@"
    return $?
  fi
  __HOOKS_LEVEL=$((__h_level + 1))
  _hooks:on "${__HOOKS_OUT[__h_level]}" "${__HOOKS_ERR[__h_level]}" "$@" || __h_exit=$?
  __HOOKS_LEVEL=$__h_level
  _hooks:capture:take "$__h_level" "$__h_name" || ((__h_exit != 0)) || __h_exit=1
  return "$__h_exit"
}

_hooks:capture:nowhere() { # COMMAND ARGS...
  _hooks:error "no place for what '$1' prints: its output is shown, what it asks for is not read, and it counts as failed"
  _hooks:on '' '' "$@" || return $?
  return 1
}

_hooks:capture:take() { # LEVEL ARRAY; fails if contracts were lost
  if [[ -n ${__HOOKS_FOLDER[$1]-} ]]; then
    _hooks:files:take "$@"
  else
    _hooks:recorder:take "$@"
  fi
}

_hooks:capture:cleanup() { [[ -z ${1:-} ]] || unset "$1"; }

# Where there is no recorder: first what was written to stdout, then to stderr.
_hooks:files() {
  local __h_folder __h_out __h_err
  __h_folder=$(mktemp -d 2>/dev/null || mktemp -d -p /dev/shm 2>/dev/null) || return 1
  if ! { exec {__h_out}>"$__h_folder/1" {__h_err}>"$__h_folder/2"; } 2>/dev/null; then
    rm -rf "$__h_folder"
    return 1
  fi
  __HOOKS_FOLDER[__HOOKS_LEVEL]=$__h_folder
  _hooks:private "$__h_out" "__HOOKS_OUT[$__HOOKS_LEVEL]"
  _hooks:private "$__h_err" "__HOOKS_ERR[$__HOOKS_LEVEL]"
  _hooks:close "$__h_out" "$__h_err"
}

_hooks:files:take() { # LEVEL ARRAY
  local __h_folder=${__HOOKS_FOLDER[$1]} __h_nuls
  local -a __h_first __h_then
  _hooks:close "${__HOOKS_OUT[$1]}" "${__HOOKS_ERR[$1]}"
  unset "__HOOKS_FOLDER[$1]"
  __h_nuls=$(cat "$__h_folder/1" "$__h_folder/2" | tr -dc '\0' | wc -c)
  if ((__h_nuls > 0)); then
    tr -d '\0' <"$__h_folder/1" >"$__h_folder/3" && tr -d '\0' <"$__h_folder/2" >"$__h_folder/4"
    mv "$__h_folder/3" "$__h_folder/1" && mv "$__h_folder/4" "$__h_folder/2"
  fi
  mapfile -t __h_first <"$__h_folder/1"
  mapfile -t __h_then <"$__h_folder/2"
  rm -rf "$__h_folder"
  eval "$2=(\"\${__h_first[@]/#/1: }\" \"\${__h_then[@]/#/2: }\")"
  _hooks:capture:said 0 "$__h_nuls" 0
}

_hooks:capture:said() { # CUT NULS LOST; fails if contracts were lost
  (($1 == 0)) || _hooks:warn "$1 bytes of output were too many to keep: the beginning, the end and all contracts are there"
  (($2 == 0)) || _hooks:warn "a shell cannot hold NUL bytes: $2 of them are left out of what was captured"
  (($3 == 0)) || { _hooks:warn "there were more contract lines than can be kept: some are lost" && return 1; }
}

# --- recording ------------------------------------------------------------------------------------------

# One recorder for each shell and level, started when it first captures, and again if it is gone. Bash copies a
# whole function at each of its calls, so what is done for every file has short ones.
_hooks:recorder() {
  local __h_reply
  if [[ ${__HOOKS_OWNER[__HOOKS_LEVEL]-} != "$BASHPID" ]] || ! _hooks:recorder:reached "$__HOOKS_LEVEL" ||
    ! _hooks:recorder:asked "$__HOOKS_LEVEL" b; then
    _hooks:recorder:another
  fi
}

_hooks:recorder:another() {
  if [[ ${__HOOKS_OWNER[__HOOKS_LEVEL]-} != "$BASHPID" ]]; then
    : # the first one
  elif _hooks:recorder:reached "$__HOOKS_LEVEL"; then
    _hooks:warn 'the recorder was killed: another one is started'
    _hooks:recorder:forget "$__HOOKS_LEVEL"
  else
    _hooks:warn 'the script has closed what leads to the recorder: another one is started'
    unset "__HOOKS_OWNER[$__HOOKS_LEVEL]" # what has these numbers now is the script's
  fi
  [[ -z $__HOOKS_NO_RECORDER ]] || return 1
  local __h_why='' __h_shell=$BASHPID # in what the next line starts, BASHPID is another's
  _hooks:recorder:start && return 0
  __HOOKS_NO_RECORDER=1
  _hooks:warn "no recorder could be started${__h_why:-: there is neither fairlead-recorder nor python3}." \
    'Hooks are captured all the same, but what they write to stderr comes after what they write to stdout.'
  return 1
}

# A script may close any descriptor, and open another by the same number.
_hooks:recorder:reached() { # LEVEL; or it is gone, and nobody can tell
  [[ ! -p ${__HOOKS_ORDERS[$1]} ]] ||
    [[ /dev/fd/${__HOOKS_OUT[$1]} -ef ${__HOOKS_OUT_END[$1]} && /dev/fd/${__HOOKS_ERR[$1]} -ef ${__HOOKS_ERR_END[$1]} ]]
}

_hooks:recorder:start() {
  local __h_out_read __h_out_write __h_err_read __h_err_write __h_candidate __h_hello='' __h_started=1
  local -a __h_program=()
  _hooks:pipe __h_out_read __h_out_write && _hooks:pipe __h_err_read __h_err_write || return 1
  for __h_candidate in "${FAIRLEAD_RECORDER-$__HOOKS_BESIDE_US/fairlead-recorder}" "${FAIRLEAD_RECORDER-fairlead-recorder}" \
    "${FAIRLEAD_PYTHON-/usr/bin/python3}" "${FAIRLEAD_PYTHON-python3}"; do
    [[ $__h_candidate != "${__h_program[0]-}" ]] || continue
    type -P "$__h_candidate" >/dev/null || continue
    __h_program=("$__h_candidate")
    [[ ${__h_candidate##*/} != python* ]] || { _hooks:recorder:text && __h_program+=(-I -S -c "$__HOOKS_RECORDER"); }
    __h_hello=$("${__h_program[@]}" "$__h_out_read" "$__h_out_write" "$__h_err_read" "$__h_err_write" "$__h_shell" \
      </dev/null 2>/dev/null) && _hooks:recorder:met && __h_started=0 && break
    __h_hello=${__h_hello#! }
    __h_why=${__h_why:+$__h_why,}
    __h_why="${__h_why:-:} $__h_candidate did not start (${__h_hello:-it needs Python 3.8 or later, and Linux})"
  done
  _hooks:close "$__h_out_read" "$__h_out_write" "$__h_err_read" "$__h_err_write"
  return "$__h_started"
}

# The program is at the end of this file, which bash does not read until then.
_hooks:recorder:text() {
  [[ -z $__HOOKS_RECORDER ]] || return 0
  local -a __h_lines
  local __h_at __h_after=0
  mapfile -t __h_lines <"$__HOOKS_FILE"
  for ((__h_at = ${#__h_lines[@]} - 1; __h_at >= 0; __h_at--)); do
    case ${__h_lines[__h_at]} in
      FAIRLEAD_RECORDER) __h_after=$__h_at ;;
      "mapfile -t -d '' __HOOKS_RECORDER <<'FAIRLEAD_RECORDER'") break ;;
    esac
  done
  printf -v __HOOKS_RECORDER '%s\n' "${__h_lines[@]:__h_at + 1:__h_after - __h_at - 1}"
}

# What it has recorded is in files of memory. They are kept open here as well, in case that it is killed.
_hooks:recorder:met() {
  local __h_level=$__HOOKS_LEVEL __h_data __h_index
  [[ $__h_hello =~ ^([0-9]+)\ ([0-9]+)\ ([0-9]+)\ ([0-9]+)\ ([0-9]+)\ ([0-9]+)$ ]] || return 1
  local __h_place=/proc/${BASH_REMATCH[1]}/fd
  { exec {__h_data}<"$__h_place/${BASH_REMATCH[5]}" {__h_index}<"$__h_place/${BASH_REMATCH[6]}"; } 2>/dev/null || return 1
  __HOOKS_ORDERS[__h_level]=$__h_place/${BASH_REMATCH[2]}
  __HOOKS_REPLIES[__h_level]=$__h_place/${BASH_REMATCH[3]}
  __HOOKS_LINES[__h_level]=$__h_place/${BASH_REMATCH[4]}
  __HOOKS_OUT_END[__h_level]=$__h_place/$__h_out_read
  __HOOKS_ERR_END[__h_level]=$__h_place/$__h_err_read
  _hooks:private "$__h_out_write" "__HOOKS_OUT[$__h_level]"
  _hooks:private "$__h_err_write" "__HOOKS_ERR[$__h_level]"
  _hooks:private "$__h_data" "__HOOKS_DATA[$__h_level]"
  _hooks:private "$__h_index" "__HOOKS_INDEX[$__h_level]"
  _hooks:close "$__h_data" "$__h_index"
  __HOOKS_PROGRAM=("${__h_program[@]}")
  __HOOKS_OWNER[__h_level]=$__h_shell
  [[ $__h_shell == "$$" ]] || _hooks:trap:subshell
}

_hooks:recorder:forget() { # LEVEL
  _hooks:close "${__HOOKS_OUT[$1]}" "${__HOOKS_ERR[$1]}" "${__HOOKS_DATA[$1]}" "${__HOOKS_INDEX[$1]}"
  unset "__HOOKS_OWNER[$1]"
}

_hooks:recorder:take() { # LEVEL ARRAY; fails if contracts were lost
  local __h_reply
  if ! _hooks:recorder:asked "$1" "d ${__HOOKS_OUT[$1]} ${__HOOKS_ERR[$1]}" ||
    ! mapfile -t "$2" <"${__HOOKS_LINES[$1]}"; then
    _hooks:recorder:recover "$@"
    return 0
  fi
  [[ -z $__h_reply ]] || _hooks:recorder:said "$1" # mostly there is nothing to say
}

_hooks:recorder:said() { # LEVEL
  [[ $__h_reply != *1 ]] || _hooks:recorder:forget "$1"
  [[ $__h_reply =~ ^([0-9]+)\ ([0-9]+)\ ([0-9]+)\  ]] || return 0
  _hooks:capture:said "${BASH_REMATCH[@]:1}"
}

# Who took over from a recorder that was killed does not know what that was asked, and begins no other capture.
_hooks:recorder:asked() { # LEVEL ORDER; the answer goes to __h_reply; fails if there is nobody to ask
  local REPLY
  [[ -p ${__HOOKS_ORDERS[$1]} ]] && printf '%s\n' "$2" 1<>"${__HOOKS_ORDERS[$1]}" &&
    read -r <"${__HOOKS_REPLIES[$1]}" || return 1
  __h_reply=$REPLY
  [[ $__h_reply != '?' ]] || _hooks:recorder:taken_over "$@"
}

_hooks:recorder:taken_over() { # LEVEL ORDER
  [[ $2 != b ]] || return 1
  _hooks:warn 'the recorder was killed during a hook: another one took over, and nothing is lost'
  _hooks:recorder:asked "$@"
}

_hooks:recorder:recover() { # LEVEL ARRAY
  local __h_lines __h_shell=$BASHPID
  _hooks:warn 'the recorder was killed during a hook: what the hook had written until then is kept'
  __h_lines=$("${__HOOKS_PROGRAM[@]}" finish "$__h_shell" "${__HOOKS_OUT[$1]}" "${__HOOKS_ERR[$1]}" \
    "${__HOOKS_DATA[$1]}" "${__HOOKS_INDEX[$1]}" 2>/dev/null) || :
  [[ -z $__h_lines ]] || mapfile -t "$2" <<<"$__h_lines"
  _hooks:recorder:forget "$1"
}

# A pipe by its two ends. The text of `<<<` comes through a pipe in bash 5.1 and later.
_hooks:pipe() { # READVAR WRITEVAR
  local __h_pipe_read __h_pipe_write
  exec {__h_pipe_read}<<<''
  if [[ ! -p /dev/fd/$__h_pipe_read ]]; then
    exec {__h_pipe_read}<&-
    exec {__h_pipe_read}< <(:)
  fi
  if ! { exec {__h_pipe_write}>"/dev/fd/$__h_pipe_read"; } 2>/dev/null; then
    exec {__h_pipe_read}<&-
    return 1
  fi
  printf -v "$1" '%s' "$__h_pipe_read"
  printf -v "$2" '%s' "$__h_pipe_write"
}

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

# --- contracts ------------------------------------------------------------------------------------------

# Nothing that a hook prints is evaluated: names and values are matched as text, and a variable whose
# assignment would evaluate is refused.
_hooks:contract() { # TEXT; on failure __h_why says why
  local __h_text=${1%$'\r'}
  __h_why=''
  case $__h_text in
    '{'*) _hooks:contract:json "$__h_text" ;;
    env:*) _hooks:contract:env "${__h_text#env:}" ;;
    exit:*) _hooks:contract:exit "${__h_text#exit:}" ;;
    route:*) _hooks:contract:route "${__h_text#route:}" ;;
    mode=*) _hooks:contract:mode "${__h_text#mode=}" ;;
    export[$' \t']*) _hooks:contract:export "${__h_text#export?}" ;;
    *=*) _hooks:contract:set "${__h_text%%=*}" "${__h_text#*=}" ;;
    *) __h_why="unknown contract directive '${__h_text:0:200}'" && return 1 ;;
  esac
}

_hooks:is() { # PATTERN TEXT; the same in every locale
  _hooks:bytewise || local LC_ALL=C
  [[ $2 =~ ^($1)$ ]]
}

_hooks:contract:set() { # NAME VALUE
  if ! _hooks:is '[A-Za-z_][A-Za-z0-9_]*' "$1"; then
    __h_why="invalid env var name '${1:0:200}' in contract"
    return 1
  fi
  if ! _hooks:may_set "$1"; then
    __h_why="a contract may not set $1; HOOKS_CONTRACT_ALLOW can permit it"
    return 1
  fi
  _hooks:contract:assign "$1" "$2"
}

_hooks:contract:assign() { # NAME VALUE; NAME is one
  local __h_attributes
  _hooks:attributes "$1" __h_attributes
  case $__h_attributes in
    *r*) __h_why="$1 is readonly" && return 1 ;;
    *[inaA]*) __h_why="a contract may not set $1: it is an integer, an array or a reference" && return 1 ;;
  esac
  printf -v "$1" '%s' "$2"
  # shellcheck disable=SC2163 # the variable that $1 names
  export "$1"
}

_hooks:attributes() { # NAME OUTVAR; of a variable without a value too
  local __h_found=''
  if [[ -z $__HOOKS_OLD_BASH && ! -R $1 && -v $1 ]]; then # what `@a` tells of another's name was not tried there
    __h_found=${!1@a}
  elif declare -p "$1" &>/dev/null; then
    __h_found=$(declare -p "$1")
    __h_found=${__h_found#declare -}
    __h_found=${__h_found%% *}
  fi
  printf -v "$2" '%s' "$__h_found"
}

# Not those that change how programs or hooks run. HOOKS_CONTRACT_ALLOW: names and patterns, separated by
# blanks; they narrow what may be set, or widen it where they begin with `+`.
_hooks:may_set() { # NAME
  _hooks:bytewise || local LC_ALL=C
  local __h_pattern __h_narrow='' __h_rest=${HOOKS_CONTRACT_ALLOW:-}
  __h_rest="${__h_rest//[$' \t\n']/ } "
  while [[ $__h_rest == *' '* ]]; do
    __h_pattern=${__h_rest%% *} __h_rest=${__h_rest#* }
    [[ -n $__h_pattern ]] || continue
    [[ $__h_pattern == +* ]] || __h_narrow=1
    # shellcheck disable=SC2053 # the right side is a pattern
    [[ $1 != ${__h_pattern#+} ]] || return 0
  done
  [[ -z $__h_narrow ]] || return 1
  case $1 in
    HOOKS_AUTO_TRAP | HOOKS_CONTRACT_ALLOW | HOOKS_DIR | HOOKS_EXEC_MODE | HOOKS_EXIT_POLICY | HOOKS_FAIL_FAST | HOOKS_GRACE | HOOKS_PREFIX | \
      HOOKS_REQUIRED | HOOKS_RETRIES | HOOKS_STDIN | HOOKS_TIMEOUT | __HOOKS_* | __hooks_* | __h_* | FAIRLEAD_* | \
      PATH | LD_* | DYLD_* | ENV | PYTHON* | PERL* | RUBY* | NODE_* | \
      JAVA_TOOL_OPTIONS | _JAVA_OPTIONS | JDK_JAVA_OPTIONS | CLASSPATH | DOTNET_* | LUA_INIT* | PHPRC | PHP_INI_SCAN_DIR | \
      AWKPATH | AWKLIBPATH | GIT_* | MAKEFLAGS | MAKEFILES | GNUMAKEFLAGS | GOFLAGS | GRADLE_OPTS | \
      MAVEN_ARGS | MAVEN_OPTS | NPM_CONFIG_* | npm_config_* | TAR_OPTIONS | RSYNC_RSH | GCONV_PATH | GLIBC_TUNABLES | \
      LOCPATH | NLSPATH | OPENSSL_* | LESSOPEN | LESSCLOSE | HOME | SHELL | TMPDIR | \
      LC_ALL | BROWSER | EDITOR | PAGER | MANPAGER | RUSTC | RUSTC_* | SSH_ASKPASS | \
      SUDO_ASKPASS | VISUAL | _ | BASH* | CDPATH | COMP_* | COMPREPLY | COPROC | \
      DIRSTACK | EPOCHREALTIME | EPOCHSECONDS | EUID | EXECIGNORE | FUNCNAME | FUNCNEST | GLOBIGNORE | \
      GLOBSORT | GROUPS | HIST* | IFS | INPUTRC | LINENO | MAIL | MAILPATH | \
      MAPFILE | OPTARG | OPTERR | OPTIND | PIPESTATUS | POSIXLY_CORRECT | PPID | PROMPT_COMMAND | \
      PS[0-4] | PWD | OLDPWD | RANDOM | READLINE_* | REPLY | SECONDS | SHELLOPTS | \
      SHLVL | SRANDOM | TMOUT | UID | ZDOTDIR) return 1 ;;
  esac
  return 0
}

_hooks:env:apply() { # as below, and says what is wrong
  local __h_why=''
  _hooks:exactly _hooks:contract:env "${1:-}" && return 0
  _hooks:error "$__h_why"
  return 1
}

_hooks:contract:env() { # NAME=VALUE, NAME+=VALUE, NAME^=VALUE or NAME-=VALUE
  local __h_variable=${1%%[=+^-]*} __h_operator='' __h_value
  __h_value=${1:${#__h_variable}}
  case $__h_value in
    '='*) __h_operator='=' ;;
    [+^-]=*) __h_operator=${__h_value:0:2} ;;
    *) __h_why="invalid contract env directive '${1:0:200}'" && return 1 ;;
  esac
  __h_value=${__h_value:${#__h_operator}}
  if ! _hooks:is '[A-Za-z_][A-Za-z0-9_]*' "$__h_variable"; then
    __h_why="invalid env var name '${__h_variable:0:200}' in contract"
    return 1
  fi
  local __h_now=${!__h_variable-}
  case $__h_operator in
    +=) __h_value=$__h_now${__h_now:+:}$__h_value ;;
    ^=) __h_value=$__h_value${__h_now:+:}$__h_now ;;
    -=) _hooks:without "$__h_now" "$__h_value" __h_value ;;
  esac
  _hooks:contract:set "$__h_variable" "$__h_value"
}

_hooks:without() { # LIST ELEMENT OUTVAR; a list is separated by colons
  local __h_rest=$1: __h_kept='' __h_part
  while [[ $__h_rest == *:* ]]; do
    __h_part=${__h_rest%%:*}
    __h_rest=${__h_rest#*:}
    [[ -z $__h_part || $__h_part == "$2" ]] || __h_kept+=${__h_kept:+:}$__h_part
  done
  printf -v "$3" '%s' "$__h_kept"
}

# What the caller is to do is for itself alone: exported, it would end the scripts that the caller starts.
_hooks:contract:exit() { # CODE
  if ! _hooks:is '[0-9]{1,3}' "$1" || ((10#$1 > 255)); then
    __h_why="'${1:0:200}' is not an exit code (0 to 255)"
    return 1
  fi
  __HOOKS_FLOW_TERMINATE=true __HOOKS_FLOW_EXIT_CODE=$((10#$1))
}

_hooks:contract:route() { # FILE, from where the caller was when it ran the hook
  if [[ -z $1 ]]; then
    __h_why='the file of a route is missing'
    return 1
  fi
  __HOOKS_FLOW_TERMINATE=true __HOOKS_FLOW_ROUTE=$1
  [[ $1 == /* ]] || __HOOKS_FLOW_ROUTE=${__h_caller_place:-$PWD}/$1
}

_hooks:contract:mode() { # MODE[:ARGUMENT]
  local __h_mode=${1%%:*} __h_argument='' __h_kind __h_default __h_pair
  local -a __h_exported __h_own
  [[ $1 != *:* ]] || __h_argument=${1#*:}
  case $__h_mode in
    dry) __h_kind='' __h_default='' __h_exported=(DRY_RUN=true) __h_own=() ;;
    ok) __h_kind='zero' __h_default='' __h_exported=() __h_own=(__CI_MODE_TERMINATE=true __CI_MODE_EXIT=0) ;;
    error) __h_kind='code' __h_default='1' __h_exported=() __h_own=(__CI_MODE_TERMINATE=true __CI_MODE_EXIT={}) ;;
    skip) __h_kind='zero' __h_default='' __h_exported=() __h_own=(__CI_MODE_TERMINATE=true __CI_MODE_EXIT=0) ;;
    timeout) __h_kind='seconds' __h_default='' __h_exported=(CI_MODE_TIMEOUT={}) __h_own=() ;;
    test) __h_kind='file' __h_default='' __h_exported=() __h_own=(__CI_MODE_TERMINATE=true) ;;
    *) __h_why="'${__h_mode:0:200}' is not a mode; known: dry, ok, error, skip, timeout, test" && return 1 ;;
  esac
  [[ -n $__h_argument ]] || __h_argument=$__h_default
  _hooks:mode:"${__h_kind:-plain}" || return 1
  _hooks:contract:assign CI_MODE "${__h_mode^^}" || return 1
  for __h_pair in "${__h_exported[@]}" "${__h_own[@]}"; do
    _hooks:contract:assign "${__h_pair%%=*}" "${__h_pair#*=}" || return 1
  done
  [[ ${#__h_own[@]} -eq 0 ]] || export -n "${__h_own[@]%%=*}"
}

_hooks:mode:plain() {
  [[ -z $__h_argument ]] || { __h_why="the mode '$__h_mode' takes no argument" && return 1; }
}

_hooks:mode:zero() { _hooks:mode:plain && _hooks:contract:exit 0; }

_hooks:mode:code() {
  if [[ $__h_argument =~ ^0+$ ]]; then
    __h_why="'$__h_argument' is not the exit code of an error (1 to 255)"
    return 1
  fi
  _hooks:contract:exit "$__h_argument" || return 1
  __h_own=("${__h_own[@]//\{\}/$__HOOKS_FLOW_EXIT_CODE}")
}

_hooks:mode:seconds() {
  if ! _hooks:is '[0-9]{1,9}([.][0-9]{1,9})?' "$__h_argument" || [[ $__h_argument =~ ^[0.]+$ ]]; then
    __h_why="'${__h_argument:0:200}' is not a number of seconds: write $__h_mode:SECONDS"
    return 1
  fi
  __HOOKS_FLOW_TIMEOUT=$__h_argument
  __h_exported=("${__h_exported[@]//\{\}/$__h_argument}")
}

_hooks:mode:file() { _hooks:contract:route "$__h_argument"; }

_hooks:contract:export() { # NAME=WORD, as a shell would write it
  local __h_pair=$1 __h_word
  while [[ $__h_pair == [$' \t']* ]]; do __h_pair=${__h_pair:1}; done
  __h_word=${__h_pair#*=}
  if [[ $__h_pair != *=* ]]; then
    __h_why="invalid contract env directive 'export ${1:0:200}'"
    return 1
  fi
  case $__h_word in
    "'"*"'") __h_word=${__h_word:1:${#__h_word}-2} && [[ $__h_word != *"'"* ]] ;;
    '"'*'"') __h_word=${__h_word:1:${#__h_word}-2} && [[ $__h_word != *[\"\$\`\\]* ]] ;;
    *) _hooks:is '[A-Za-z0-9_@%+=:,./*?!#^~{}-]*' "$__h_word" ;;
  esac || {
    __h_why='only plain or quoted words can be exported: nothing is evaluated'
    return 1
  }
  _hooks:contract:set "${__h_pair%%=*}" "$__h_word"
}

# --- contracts in JSON ----------------------------------------------------------------------------------

# An object of texts, numbers and booleans; `"mode"` changes the mode, everything else is a variable. What
# is not such an object does nothing at all.
_hooks:contract:json() { # OBJECT
  local -a __h_names=() __h_values=() __h_kinds=()
  if ! _hooks:json:object "$1"; then
    __h_why="contract:${1:0:200} is not a flat JSON object of texts, numbers and booleans"
    return 1
  fi
  local __h_each __h_all=''
  for __h_each in "${!__h_names[@]}"; do
    _hooks:json:pair "${__h_names[__h_each]}" "${__h_values[__h_each]}" "${__h_kinds[__h_each]}" ||
      __h_all+=${__h_all:+; }$__h_why
  done
  __h_why=$__h_all
  [[ -z $__h_all ]]
}

_hooks:json:pair() { # NAME VALUE KIND
  if [[ $3 == null ]]; then
    __h_why="$1 is null and stays as it is"
    return 1
  elif [[ $1 == mode ]]; then
    _hooks:contract:mode "$2"
  else
    _hooks:contract:set "$1" "$2"
  fi
}

_hooks:json:object() { # OBJECT; fills __h_names, __h_values, __h_kinds
  _hooks:bytewise || local LC_ALL=C # what is not ASCII stays as it is
  local __h_rest=$1 __h_text __h_kind
  local __h_blank='' __h_empty=$'^[{][ \t\n\r]*[}][ \t\n\r]*$'
  [[ ! $__h_rest =~ $__h_empty ]] || return 0
  __h_rest=${__h_rest#\{}
  while :; do
    _hooks:json:skip && _hooks:json:text || return 1
    [[ $__h_text =~ ^([A-Za-z_][A-Za-z0-9_]*)$ ]] || return 1
    __h_names+=("$__h_text")
    _hooks:json:skip
    [[ $__h_rest == :* ]] || return 1
    __h_rest=${__h_rest:1}
    _hooks:json:skip && _hooks:json:value || return 1
    [[ ${__h_names[-1]} != mode || $__h_kind == text ]] || return 1
    __h_values+=("$__h_text") __h_kinds+=("$__h_kind")
    _hooks:json:skip
    case $__h_rest in
      ,*) __h_rest=${__h_rest:1} ;;
      \}*) __h_rest=${__h_rest:1} && _hooks:json:skip && [[ -z $__h_rest ]] && return 0 || return 1 ;;
      *) return 1 ;;
    esac
  done
}

_hooks:json:skip() { # blanks
  __h_blank=${__h_rest%%[!$' \t\n\r']*}
  __h_rest=${__h_rest:${#__h_blank}}
}

_hooks:json:value() { # takes it from __h_rest to __h_text and __h_kind
  __h_kind=word
  case $__h_rest in
    \"*) __h_kind=text && _hooks:json:text ;;
    true*) __h_text=true && __h_rest=${__h_rest:4} ;;
    false*) __h_text=false && __h_rest=${__h_rest:5} ;;
    null*) __h_text='' && __h_kind=null && __h_rest=${__h_rest:4} ;;
    *)
      [[ $__h_rest =~ ^(-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?) ]] || return 1
      __h_text=${BASH_REMATCH[1]} && __h_rest=${__h_rest:${#__h_text}}
      ;;
  esac
}

_hooks:json:text() { # takes it from __h_rest to __h_text
  [[ $__h_rest == '"'* ]] || return 1
  local __h_plain
  __h_rest=${__h_rest:1} __h_text=''
  while :; do
    __h_plain=${__h_rest%%[\"\\]*}
    [[ $__h_plain != *[$'\x01'-$'\x1f']* ]] || return 1
    __h_text+=$__h_plain
    __h_rest=${__h_rest:${#__h_plain}}
    case $__h_rest in
      \"*) __h_rest=${__h_rest:1} && return 0 ;;
      \\u*) _hooks:json:code_point || return 1 ;;
      \\[\"\\/]*) __h_text+=${__h_rest:1:1} && __h_rest=${__h_rest:2} ;;
      \\[bfnrt]*) printf -v __h_plain '%b' "${__h_rest:0:2}" && __h_text+=$__h_plain && __h_rest=${__h_rest:2} ;;
      *) return 1 ;;
    esac
  done
}

# `\u00e9`, or two halves of what is beyond 16 bits; not a half alone, and not the NUL that no variable holds.
_hooks:json:code_point() {
  [[ $__h_rest =~ ^\\u([0-9A-Fa-f]{4}) ]] || return 1
  local __h_point=$((16#${BASH_REMATCH[1]}))
  __h_rest=${__h_rest:6}
  if ((__h_point >= 0xd800 && __h_point < 0xdc00)); then
    [[ $__h_rest =~ ^\\u([dD][c-fC-F][0-9A-Fa-f]{2}) ]] || return 1
    __h_point=$((0x10000 + ((__h_point - 0xd800) << 10) + 16#${BASH_REMATCH[1]} - 0xdc00))
    __h_rest=${__h_rest:6}
  elif ((__h_point == 0 || (__h_point >= 0xdc00 && __h_point < 0xe000))); then
    return 1
  fi
  _hooks:json:utf8 "$__h_point"
}

_hooks:json:utf8() { # CODE_POINT; adds its bytes to __h_text
  local __h_bytes
  if (($1 < 0x80)); then
    printf -v __h_bytes '\\x%02x' "$1"
  elif (($1 < 0x800)); then
    printf -v __h_bytes '\\x%02x' $((0xc0 | $1 >> 6)) $((0x80 | $1 & 63))
  elif (($1 < 0x10000)); then
    printf -v __h_bytes '\\x%02x' $((0xe0 | $1 >> 12)) $((0x80 | $1 >> 6 & 63)) $((0x80 | $1 & 63))
  else
    printf -v __h_bytes '\\x%02x' $((0xf0 | $1 >> 18)) $((0x80 | $1 >> 12 & 63)) $((0x80 | $1 >> 6 & 63)) $((0x80 | $1 & 63))
  fi
  printf -v __h_bytes '%b' "$__h_bytes"
  __h_text+=$__h_bytes
}

# --- what the caller does then --------------------------------------------------------------------------

# The mode that someone asked for, for a script or for all, as a contract line; nothing without one.
hooks:mode() { # SCRIPT
  local __h_name=${1//[^A-Za-z0-9_]/_} __h_variable __h_asked=''
  for __h_variable in "CI_SCRIPT_MODE_$__h_name" "HOOKS_FLOW_MODE_$__h_name" CI_SCRIPT_MODE HOOKS_FLOW_MODE; do
    __h_asked=${!__h_variable-}
    [[ -z $__h_asked ]] || break
  done
  local __h_word=${__h_asked%%:*}
  case ${__h_word^^} in
    '' | EXEC) return 0 ;;
    ERROR) [[ $__h_asked == *:* ]] || __h_asked=error:${CI_SCRIPT_ERROR_CODE:-${HOOKS_FLOW_ERROR_CODE:-1}} ;;
    TEST) ;;
    */*) __h_asked=test:$__h_asked __h_word=test ;;
  esac
  [[ $__h_asked != *:* ]] || __h_word=${__h_asked%%:*}
  printf 'contract:mode=%s%s\n' "${__h_word,,}" "${__h_asked:${#__h_word}}"
}

# What a hook asked for that has ended. Within a hook, what that one has asked for stands.
_hooks:flow:forget() {
  __HOOKS_FLOW_TERMINATE='' __HOOKS_FLOW_ROUTE='' __HOOKS_FLOW_EXIT_CODE='' __HOOKS_FLOW_TIMEOUT=''
  [[ ${__CI_MODE_TERMINATE:-} != true ]] || unset -v __CI_MODE_TERMINATE __CI_MODE_EXIT
}

hooks:flow:apply() {
  [[ -z ${__HOOKS_FLOW_TIMEOUT:-} ]] || _hooks:bound "$__HOOKS_FLOW_TIMEOUT"
  [[ ${__HOOKS_FLOW_TERMINATE:-} == true ]] || return 0
  if [[ -n ${__HOOKS_FLOW_ROUTE:-} ]]; then
    if [[ ! -f $__HOOKS_FLOW_ROUTE ]]; then
      _hooks:error "a hook routed to '$__HOOKS_FLOW_ROUTE', which is not there"
      exit 1
    fi
    [[ $__HOOKS_FLOW_ROUTE == */* ]] || __HOOKS_FLOW_ROUTE=./$__HOOKS_FLOW_ROUTE
    # shellcheck disable=SC1090
    source "$__HOOKS_FLOW_ROUTE" || exit $?
  fi
  exit "${__HOOKS_FLOW_EXIT_CODE:-0}"
}

# Ends the rest of the script after SECONDS, whatever it is doing, with exit code 124.
_hooks:bound() { # SECONDS
  __HOOKS_FLOW_TIMEOUT=''
  if ! _hooks:recorder || ! printf 't %s\n' "$1" 1<>"${__HOOKS_ORDERS[__HOOKS_LEVEL]}"; then
    _hooks:error "the timeout of $1 s cannot be kept: there is no recorder"
    exit 1
  fi
  trap 'exit 124' ALRM
}

# --- the end of the script ------------------------------------------------------------------------------

_hooks:on_exit() { # CODE
  local __h_exit_code=${1:-$?}
  { set +ex; } 2>/dev/null # the script is at its end: nothing may keep the rest of this from running
  _hooks:streams:back
  [[ -z $__HOOKS_BESIDE ]] || _hooks:cut_short __h_exit_code
  _hooks:capture:rescue
  if [[ -n $__HOOKS_LEGACY_TRAP ]]; then
    _hooks:code "$__h_exit_code"
    eval "$__HOOKS_LEGACY_TRAP"
  fi
  if [[ -z $__HOOKS_END_DONE ]] && hooks:known end; then
    hooks:do end "$__h_exit_code" || :
  fi
}

_hooks:streams:back() { # within a hook: to where the script prints
  [[ -n $__HOOKS_STREAMS ]] || return 0
  [[ $__HOOKS_STREAMS == '1 '* ]] || exec 1>&"${__HOOKS_STREAMS% *}"
  exec 2>&"${__HOOKS_STREAMS#* }"
  __HOOKS_STREAMS=''
}

# A subshell has none of the script's traps. It runs no `end`, but loses nothing either.
_hooks:trap:subshell() {
  local -a __h_words
  eval "__h_words=($(trap -p EXIT))"
  __HOOKS_LEGACY_TRAP=${__h_words[2]-}
  [[ $__HOOKS_LEGACY_TRAP != _hooks:on_exit* ]] || __HOOKS_LEGACY_TRAP=''
  __HOOKS_END_DONE=1
  trap '_hooks:on_exit "$?"' EXIT
}

# The script ends while a program of a hook runs. Who says a code has it: `$?` is the one from before the
# program only if a signal ends the script. Bash does not tell which: Ctrl-C reaches the program as well, so if
# that is gone, it was this one; otherwise it must not outlive the script.
_hooks:cut_short() { # OUTVAR of the exit code
  local __h_each
  local -a __h_children
  [[ ${!1} != "$__HOOKS_UNSAID" ]] || printf -v "$1" 130
  _hooks:children "$BASHPID" __h_children
  for __h_each in "${__h_children[@]}"; do
    if [[ $__HOOKS_BESIDE != *" $__h_each "* ]]; then
      printf -v "$1" 143
      _hooks:end_tree "$__h_each"
    fi
  done
  __HOOKS_BESIDE=''
}

_hooks:end_tree() { # PID
  local __h_child
  local -a __h_children
  _hooks:stopped "$1" # so that it starts no more of them meanwhile
  _hooks:children "$1" __h_children
  kill -TERM "$1" 2>/dev/null
  kill -CONT "$1" 2>/dev/null
  for __h_child in "${__h_children[@]}"; do
    _hooks:end_tree "$__h_child"
  done
}

_hooks:stopped() { # PID; it may be starting a child just now, so this waits until it stands still
  local __h_look REPLY=''
  kill -STOP "$1" 2>/dev/null || return 0
  for ((__h_look = 0; __h_look < 1000; __h_look++)); do
    { read -r <"/proc/$1/stat"; } 2>/dev/null || return 0
    [[ ${REPLY##*) } != [TtZX]* ]] || return 0
  done
}

_hooks:children() { # PID ARRAY
  { mapfile -t -d ' ' "$2" <"/proc/$1/task/$1/children"; } 2>/dev/null || :
}

# Hooks that are cut short while they are captured: what they printed is shown where it belongs.
_hooks:capture:rescue() {
  local -a __h_rescued
  local __h_level __h_levels=$__HOOKS_LEVEL
  __HOOKS_LEVEL=0
  for ((__h_level = 0; __h_level < __h_levels; __h_level++)); do
    __h_rescued=()
    _hooks:capture:take "$__h_level" __h_rescued || :
    _hooks:replay __h_rescued show
  done
}

_hooks:trap:end() {
  [[ -z $__HOOKS_END_TRAP_INSTALLED ]] || return 0
  __HOOKS_END_TRAP_INSTALLED=1
  if declare -F trap:on >/dev/null; then # the script has its own way to share a trap
    trap:on _hooks:on_exit EXIT
    return 0
  fi
  local __h_trap='' __h_read __h_write REPLY=''
  if _hooks:pipe __h_read __h_write; then # as `$(trap -p EXIT)`, without a second shell
    { trap -p EXIT && printf '\0'; } >&"$__h_write"
    read -r -d '' <&"$__h_read" || :
    __h_trap=$REPLY
    _hooks:close "$__h_read" "$__h_write"
  else
    __h_trap=$(trap -p EXIT)
  fi
  if [[ $__h_trap == *trap* ]]; then
    local -a __h_words
    eval "__h_words=($__h_trap)"
    __HOOKS_LEGACY_TRAP=${__h_words[2]}
  fi
  trap '_hooks:on_exit "$?"' EXIT
}

hooks:bootstrap() {
  local __h_name __h_flag=0
  for __h_name in begin end; do
    [[ -n ${__HOOKS_DEFINED[$__h_name]-} ]] || { __HOOKS_DEFINED[$__h_name]=1 && __HOOKS_CONTEXTS[$__h_name]=''; }
  done
  _hooks:flag "${HOOKS_AUTO_TRAP:-true}" || __h_flag=$?
  [[ $__h_flag -ne 1 ]] || return 0
  [[ $__h_flag -eq 0 ]] ||
    _hooks:warn "HOOKS_AUTO_TRAP is neither true nor false: '$HOOKS_AUTO_TRAP'. The hook end runs by itself."
  _hooks:trap:end
}

hooks:reset() {
  _hooks:state
  __HOOKS_DEFINED=() __HOOKS_CONTEXTS=() __HOOKS_MIDDLEWARE=() __HOOKS_REPORTED=()
  __HOOKS_REGISTERED_HOOK=() __HOOKS_REGISTERED_NAME=() __HOOKS_REGISTERED_FUNC=()
  __HOOKS_SOURCE_PATTERNS=() __HOOKS_SCRIPT_PATTERNS=()
  __HOOKS_CAPTURE_SEQ=0 __HOOKS_HOME='' __HOOKS_END_DONE=''
  unset __HOOKS_FLOW_TERMINATE __HOOKS_FLOW_ROUTE __HOOKS_FLOW_EXIT_CODE __HOOKS_FLOW_TIMEOUT
  HOOKS_DIR=ci-cd HOOKS_PREFIX=hook: HOOKS_EXEC_MODE=exec HOOKS_AUTO_TRAP=true
}

[[ -n ${__SOURCED__:-} || -n ${__HOOKS_BOOTSTRAPPED:-} ]] || {
  declare -g __HOOKS_BOOTSTRAPPED=1
  hooks:bootstrap
}

# --- the recorder ---------------------------------------------------------------------------------------

# Read from this file when it is needed, unless this comes through a pipe.
if [[ -f ${BASH_SOURCE[0]} ]]; then
  [[ -z $__HOOKS_ALIASES ]] || shopt -s expand_aliases
  return 0
fi
mapfile -t -d '' __HOOKS_RECORDER <<'FAIRLEAD_RECORDER'
"""Records what hooks in a bash script write. `hooks.bash` holds this text and starts it once per shell.

    OUT_READ OUT_WRITE ERR_READ ERR_WRITE SHELL    two pipes, by their ends, and the script's process id

It goes to the background and says where it can be reached, as numbers of descriptors of its own: process
id, orders, replies, lines, data, index. An order `b` begins a capture, unless it is the first, and
`d OUT ERR` ends it. Each has a reply, which is empty if there is nothing to say. At the end it is how many
bytes were cut, how many NULs left out, whether contracts were lost and whether someone still holds the pipes
(those that hold them by the numbers OUT and ERR, which are the script's own, do not count); the lines are
then in `lines`. `t SECONDS` bounds the rest of the script.

That process is a guard, which holds everything open and does nothing. It has a child that records. If that is
killed, the guard starts another one, which takes the capture to its end: all that was read is in `data`, and
`index` tells whose it is (a stream and a length each), so nothing is lost with a process. What the script has
asked for may be lost, so the reply `?` tells it to ask again.

    finish SHELL OUT ERR DATA INDEX

prints the lines of a capture whose guard was killed, from descriptors of the script.

Written for Python 3.6, so that one that is too old can say what it is.
"""

import fcntl
import os
import select
import signal
import sys
import time

"""What the recorder of the bash door has read, whose it is, and the lines that it makes.

Written for Python 3.6, like all of the recorder, so that one that is too old can say what it is.
"""

import os
import struct
import sys

MOST = 64 << 20
HEAD = TAIL = 16 << 20
CONTRACTS = 1 << 20
LENGTH = struct.Struct("<I")
RECORD = struct.Struct("<cI")
CONTRACT = b"contract:"


class Log:
    """What was read, and whose it is. It is not in this process alone, so it outlives it."""

    def __init__(self, data: int, index: int) -> None:
        self.data = data
        self.index = index
        self.size = 0
        self.clear()

    def clear(self) -> None:
        self._empty()
        self.cut = 0
        self.lost = 0

    def _empty(self) -> None:
        for each in (self.data, self.index):
            os.ftruncate(each, 0)
            os.lseek(each, 0, os.SEEK_SET)
        self.size = 0

    def take(self, tag: bytes, pipe: int) -> int:
        """One packet, which is one write. It is in the log as soon as it is out of the pipe."""
        os.write(self.index, tag)
        taken = _move(pipe, self.data)
        os.write(self.index, LENGTH.pack(taken))
        self.size += taken + RECORD.size
        if self.size > MOST:
            self._thin()
        return taken

    def writes(self) -> "list[tuple[bytes, bytes]]":
        data, index = _content(self.data), _content(self.index)
        whole = len(index) // RECORD.size * RECORD.size
        writes = []
        place = 0
        for tag, length in RECORD.iter_unpack(index[:whole]):
            writes.append((tag, data[place : place + length]))
            place += length
        if whole < len(index):  # killed before the length was written
            writes.append((index[whole : whole + 1], data[place:]))
        return writes

    def mend(self) -> None:
        """After a process that was killed, perhaps before it wrote a length; this one may be killed, too."""
        writes = self.writes()
        if os.fstat(self.index).st_size % RECORD.size:
            os.write(self.index, LENGTH.pack(len(writes[-1][1])))
        self.size = sum(len(data) + RECORD.size for _, data in writes)

    def _thin(self) -> None:
        kept, cut, lost = thinned(self.writes())
        self._empty()
        put(self.data, b"".join(data for _, data in kept))
        put(self.index, b"".join(RECORD.pack(tag, len(data)) for tag, data in kept))
        self.size = sum(len(data) + RECORD.size for _, data in kept)
        self.cut += cut
        self.lost += lost


def _move(pipe: int, place: int) -> int:
    try:
        if sys.platform == "linux" and hasattr(os, "splice"):
            return os.splice(pipe, place, 65536, flags=os.SPLICE_F_NONBLOCK)
        data = os.read(pipe, 65536)
        put(place, data)
        return len(data)
    except BlockingIOError:
        return 0


def _content(place: int) -> bytes:
    pieces = []  # type: list[bytes]
    at = 0
    while True:
        piece = os.pread(place, 1 << 24, at)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        at += len(piece)


def put(place: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(place, view) :]


def thinned(writes: "list[tuple[bytes, bytes]]") -> "tuple[list[tuple[bytes, bytes]], int, int]":
    """The head, the tail and the contract lines between them; bytes cut; bytes of contracts lost."""
    first, last = _middle([len(data) + RECORD.size for _, data in writes])
    kept = writes[:first]
    streams = {b"1": Sieve(CONTRACT), b"2": Sieve(b"")}
    for tag, data in kept:
        streams[tag].follow(data)
    for tag, data in writes[first:last]:
        kept.append((tag, streams[tag].sift(data)))
    for tag, data in writes[last:]:
        kept.append((tag, streams[tag].finish_line(data)))
    kept = [(tag, data) for tag, data in kept if data]
    cut = sum(len(data) for _, data in writes) - sum(len(data) for _, data in kept)
    return kept, cut, streams[b"1"].lost


def _middle(costs: "list[int]") -> "tuple[int, int]":
    first = used = 0
    while used + costs[first] <= HEAD:
        used += costs[first]
        first += 1
    last = len(costs)
    used = 0
    while last > first and used + costs[last - 1] <= TAIL:
        last -= 1
        used += costs[last]
    return first, last


class Sieve:
    """Follows the lines of one stream, and lets through those that begin with a prefix."""

    def __init__(self, prefix: bytes) -> None:
        self._prefix = prefix
        self._begun = b""  # of the line that is not at its end
        self._kept = False
        self._room = CONTRACTS
        self.lost = 0

    def follow(self, data: bytes) -> None:
        """What is kept in any case."""
        _, ended, rest = data.rpartition(b"\n")
        self._begun = (rest if ended else self._begun + rest)[: len(CONTRACT)]
        self._kept = bool(self._begun)

    def sift(self, data: bytes) -> bytes:
        *ended, rest = data.split(b"\n")
        return b"".join([self._piece(piece, b"\n") for piece in ended] + [self._piece(rest, b"")])

    def finish_line(self, data: bytes) -> bytes:
        """Of a line that began before, what would be let through; all of the others."""
        if not self._begun:
            return data
        line, ended, rest = data.partition(b"\n")
        return self.sift(line + ended) + rest

    def _piece(self, piece: bytes, end: bytes) -> bytes:
        before = self._begun
        self._begun = (before + piece)[: len(CONTRACT)]
        passed = b""
        if self._prefix and self._begun == self._prefix:
            passed = piece if self._kept else before + piece
            self._room -= len(passed)
            if self._room < 0:
                self.lost += len(passed)
                passed = b""
            self._kept = self._kept or bool(passed)
        if end:
            passed += b"\n" if self._kept else b""
            self._begun = b""
            self._kept = False
        return passed


def lines_of(writes: "list[tuple[bytes, bytes]]") -> "tuple[list[bytes], int]":
    """Whole lines, each at the place of its first byte, and how many NULs were left out: a shell has none."""
    lines = []  # type: list[list[bytes]]
    begun = {}  # type: dict[bytes, list[bytes]]
    nuls = 0
    for tag, data in writes:
        nuls += data.count(b"\0")
        *ended, rest = data.replace(b"\0", b"").split(b"\n")
        for piece in ended:
            line = begun.pop(tag, None)
            if line is None:
                lines.append([tag, b": ", piece])
            else:
                line.append(piece)
        if rest and tag in begun:
            begun[tag].append(rest)
        elif rest:
            begun[tag] = [tag, b": ", rest]
            lines.append(begun[tag])
    return [b"".join(line) for line in lines], nuls

LINGER = 0.1
"""Seconds that what a hook leaves running may still write."""
TURNS = 20
"""How many recorders may be killed before there is no other one."""


if sys.version_info < (3, 8) or sys.platform != "linux":
    sys.stdout.write(
        f"! it is Python {sys.version_info[0]}.{sys.version_info[1]} on {sys.platform}, "
        "and 3.8 or later on Linux is needed\n"
    )
    sys.exit(1)


def main() -> None:
    if sys.argv[1] == "finish":
        finish(*sys.argv[2:7])
        return
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)  # it ends with the script, whoever ends that, and not before it
    Recorder(*(int(word) for word in sys.argv[1:6])).start()


class Recorder:
    def __init__(self, out_read: int, out_write: int, err_read: int, err_write: int, shell: int) -> None:
        self.shell = shell
        self.streams = {out_read: b"1", err_read: b"2"}
        self.write_ends = [out_write, err_write]
        for end in self.write_ends:
            fcntl.fcntl(end, fcntl.F_SETFL, os.O_DIRECT)
            fcntl.fcntl(end, 1031, 1)  # F_SETPIPE_SZ: one page, which is one packet
        for end in self.streams:
            os.set_blocking(end, False)
            _drop(end)  # what was there before it was in packet mode would swallow the first packet
        self.orders, self.orders_write = os.pipe()
        self.replies_read, self.replies = os.pipe()
        self.alive = _pidfd(shell)
        self.poller = self._poller()
        self.lines = os.memfd_create("lines")
        self.log = Log(os.memfd_create("data"), os.memfd_create("index"))
        self.pipes = {_identity(os.fstat(end)) for end in self.streams}
        self.newest = _newest_process()
        self.bound = os.memfd_create("bound")
        self.deadline = 0.0
        self.left = False
        self.took_over = False

    def _poller(self) -> select.epoll:  # type: ignore[name-defined, unused-ignore]
        poller = select.epoll()
        for end in self.streams:
            poller.register(end, select.EPOLLIN | select.EPOLLET)
        poller.register(self.orders, select.EPOLLIN)
        if self.alive >= 0:
            poller.register(self.alive, select.EPOLLIN)
        return poller

    def start(self) -> None:
        places = (self.orders, self.replies_read, self.lines, self.log.data, self.log.index)
        child = os.fork()
        if child:
            os.write(1, (" ".join(str(number) for number in (child, *places)) + "\n").encode())
            os._exit(0)
        self._let_go_of_the_rest()
        self.guard()

    def guard(self) -> None:
        for turn in range(TURNS):
            child = os.fork()
            if not child:
                if turn:
                    self._take_over()
                self.serve()
                os._exit(0)
            self._close_write_ends()
            if not os.WIFSIGNALED(os.waitpid(child, 0)[1]):
                return

    def _take_over(self) -> None:
        """Leaves the pipes after this capture: only who has their writing ends can clear flags on them."""
        self.took_over = True
        self.poller = self._poller()  # who was killed may have been told of writes that it did not take
        self.deadline = float(os.pread(self.bound, 32, 0) or 0)
        self.log.mend()
        self._drop_orders()
        os.write(self.replies, b"?\n")

    def _drop_orders(self) -> None:
        """They will be given again, unless they were obeyed: then the script reads `lines` at this moment."""
        if select.select([self.orders], [], [], 0)[0]:
            for order in os.read(self.orders, 4096).split(b"\n"):
                if order.startswith(b"t"):  # which has no reply, so nobody gives it again
                    self._obey(order.split())

    def _let_go_of_the_rest(self) -> None:
        """Locks, files and folders of the script are not ours to hold."""
        ours = {
            self.poller.fileno(),
            self.alive,
            self.orders,
            self.orders_write,
            self.replies_read,
            self.replies,
        }
        ours |= (
            {self.lines, self.log.data, self.log.index, self.bound} | set(self.streams) | set(self.write_ends)
        )
        for number in [int(name) for name in os.listdir("/proc/self/fd")]:
            if number not in ours:
                try:
                    os.close(number)
                except OSError:
                    continue  # that of the listing itself
        os.chdir("/")

    def serve(self) -> None:
        """Events come in the order of the writes."""
        while self.streams or self.deadline:
            asked = b""
            for ready, event in self.poller.poll(self._patience()):
                if ready == self.alive:
                    return
                if ready == self.orders:
                    asked += os.read(self.orders, 4096)
                else:
                    self._take(ready, event)
            for order in asked.split(b"\n"):
                self._obey(order.split())
            if self.deadline and time.monotonic() >= self.deadline:
                self.deadline = 0.0
                _end(self.shell)
            if self.alive < 0 and not os.path.exists(f"/proc/{self.shell}"):
                return

    def _patience(self) -> "float | None":
        waits = [] if self.alive >= 0 else [1.0]
        if self.deadline:
            waits.append(max(self.deadline - time.monotonic(), 0))
        return min(waits) if waits else None

    def _take(self, pipe: int, event: int) -> None:
        if not self.left:
            self.log.take(self.streams[pipe], pipe)
        while self.left and _drop(pipe):
            pass
        if event & select.EPOLLHUP:
            self.poller.unregister(pipe)
            del self.streams[pipe]

    def _obey(self, order: "list[bytes]") -> None:
        if order[:1] == [b"d"] and not self.left:
            self._end_capture({int(number) for number in order[1:]})
        elif order[:1] == [b"b"]:
            self.log.clear()
            self.newest = _newest_process()
            os.write(self.replies, b"\n")
        elif order[:1] == [b"t"]:
            self.deadline = time.monotonic() + float(order[1])
            os.pwrite(self.bound, repr(self.deadline).encode(), 0)

    def _end_capture(self, numbers: "set[int]") -> None:
        self._settle(0)
        held = self._held(numbers)
        until = time.monotonic() + LINGER
        while held and time.monotonic() < until:
            self._settle(0.005)
            held = self._held(numbers)
        self._settle(0)
        lines, nuls = lines_of(self.log.writes())
        os.ftruncate(self.lines, 0)
        os.lseek(self.lines, 0, os.SEEK_SET)
        put(self.lines, b"".join(line + b"\n" for line in lines))
        held = held or self.took_over
        said = (self.log.cut, nuls, int(self.log.lost > 0), int(held))
        reply = " ".join(str(number) for number in said) if any(said) else ""
        for end in self.write_ends:  # a hook may have set more flags on it than its own life
            fcntl.fcntl(end, fcntl.F_SETFL, os.O_DIRECT)
        os.write(self.replies, reply.encode() + b"\n")
        if held:
            self._leave()

    def _settle(self, seconds: float) -> None:
        """Takes all that was written before now, or comes within a time."""
        while True:
            ready = [each for each, _ in self.poller.poll(seconds) if each in self.streams]
            if not ready:
                return
            for pipe in ready:
                self.log.take(self.streams[pipe], pipe)
            seconds = 0

    def _held(self, numbers: "set[int]") -> bool:
        """Whether a process that began since the capture before writes on the pipes."""
        now = _newest_process()
        since = range(self.newest + 1, now + 1)
        if now < self.newest or len(since) > 5000:
            since = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # type: ignore[assignment, unused-ignore]
        ours = (os.getpid(), os.getppid(), self.shell)
        return any(self._holds(process, numbers) for process in since if process not in ours)

    def _holds(self, process: int, numbers: "set[int]") -> bool:
        try:
            for name in os.listdir(f"/proc/{process}/fd"):
                if int(name) in numbers:
                    continue
                if _identity(os.stat(f"/proc/{process}/fd/{name}")) in self.pipes:
                    return True
        except OSError:
            return False  # it is gone, or another's
        return False

    def _leave(self) -> None:
        """The script takes new pipes; whoever still writes on these may do so, and nobody reads it."""
        self.left = True
        self._close_write_ends()
        for place in (self.log.data, self.log.index):
            os.ftruncate(place, 0)

    def _close_write_ends(self) -> None:
        for end in self.write_ends:
            os.close(end)
        self.write_ends = []


def _drop(pipe: int) -> bool:
    try:
        return bool(os.read(pipe, 65536))
    except BlockingIOError:
        return False


def _identity(status: os.stat_result) -> "tuple[int, int]":
    return status.st_dev, status.st_ino


def _pidfd(process: int) -> int:
    """Readable when the process ends; -1 where there is no such thing."""
    try:
        return os.pidfd_open(process)
    except (AttributeError, OSError):
        return -1


def _newest_process() -> int:
    with open("/proc/loadavg") as file:
        return int(file.read().split()[-1])


def finish(shell: str, out: str, err: str, data: str, index: str) -> None:
    places = [f"/proc/{shell}/fd/{number}" for number in (out, err, data, index)]
    writes = Log.__new__(Log)
    writes.data, writes.index = (os.open(place, os.O_RDONLY) for place in places[2:])
    read = writes.writes()
    for tag, place in zip((b"1", b"2"), places[:2]):  # noqa: B905 - `strict` is not in every Python
        pipe = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
        try:
            read.append((tag, os.read(pipe, 65536)))
        except BlockingIOError:
            continue
    for line in lines_of(read)[0]:
        sys.stdout.buffer.write(line + b"\n")


def _end(shell: int) -> None:
    """Ends what the script has running, so that it comes to its own end: it is told by SIGALRM."""
    children = _descendants(shell)
    os.kill(shell, signal.SIGALRM)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for child in children:
            try:
                os.kill(child, number)
            except ProcessLookupError:
                continue
        if number == signal.SIGTERM:
            time.sleep(0.2)


def _descendants(process: int) -> "list[int]":
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    own = [child for child in children if child != os.getpid()]
    return [each for child in own for each in [*_descendants(child), child]]


if __name__ == "__main__":
    main()
FAIRLEAD_RECORDER
[[ -z $__HOOKS_ALIASES ]] || shopt -s expand_aliases
