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
if [[ -z ${__HOOKS_LOADED:-} ]]; then
  declare -g __HOOKS_LOADED=1
  declare -g -A __HOOKS_DEFINED=() __HOOKS_CONTEXTS=() __HOOKS_MIDDLEWARE=() __HOOKS_REPORTED=()
  declare -g -a __HOOKS_REGISTERED_HOOK=() __HOOKS_REGISTERED_NAME=() __HOOKS_REGISTERED_FUNC=()
  declare -g -a __HOOKS_SOURCE_PATTERNS=() __HOOKS_SCRIPT_PATTERNS=()
  declare -g __HOOKS_CAPTURE_SEQ=0 __HOOKS_END_TRAP_INSTALLED='' __HOOKS_END_DONE='' __HOOKS_LEGACY_TRAP=''
  declare -g __HOOKS_RECORDER_OWNER='' __HOOKS_RECORDER_PLACE='' __HOOKS_CAPTURING='' __HOOKS_HOME=''
  declare -g __HOOKS_STREAMS='' __HOOKS_BESIDE=''
  declare -g __HOOKS_OUT='' __HOOKS_ERR='' __HOOKS_ORDERS='' __HOOKS_REPLIES='' __HOOKS_LOADED_FROM=$PWD
  case ${BASH_SOURCE[1]:-} in
    /*/*) __HOOKS_LOADED_FROM=${BASH_SOURCE[1]%/*} ;;
    */*) __HOOKS_LOADED_FROM=$PWD/${BASH_SOURCE[1]%/*} ;;
  esac
fi
: "${HOOKS_DIR:=ci-cd}" "${HOOKS_PREFIX:=hook:}" "${HOOKS_EXEC_MODE:=exec}" "${HOOKS_AUTO_TRAP:=true}"

# --- words ----------------------------------------------------------------------------------------------

_hooks:log() {
  if declare -F echo:Hooks >/dev/null; then
    echo:Hooks "$@"
  elif [[ ${DEBUG:-} == *hooks* || ${DEBUG:-} == *'*'* ]]; then
    if type -P echo:Hooks >/dev/null; then echo:Hooks "$@"; else printf '[hooks] %s\n' "$*" >&2; fi
  fi
  return 0
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

_hooks:to_slug() { # NAME OUTVAR
  local __h_plain=${1//[^A-Za-z0-9]/_}
  printf -v "$2" '%s' "${__h_plain:0:40}"
}

# --- declaring ------------------------------------------------------------------------------------------

hooks:declare() {
  local __h_context=${BASH_SOURCE[1]:-main} __h_name
  [[ $__h_context == main || $__h_context == /* ]] || __h_context=$PWD/$__h_context
  [[ $# -eq 0 ]] || _hooks:log "Defining hooks from context: $__h_context"
  [[ $# -eq 0 ]] || _hooks:log "  hooks: $*"
  for __h_name in "$@"; do
    _hooks:declare:one "$__h_name" "$__h_context" || return 1
  done
  if [[ $# -gt 0 && -z $__HOOKS_HOME && $__h_context == /* ]]; then
    __HOOKS_HOME=${__h_context%/*}
  fi
  return 0
}

_hooks:declare:one() { # NAME CONTEXT
  local LC_ALL=C
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
  if [[ -z ${2:-} ]]; then
    unset "__HOOKS_MIDDLEWARE[$1]"
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

# Fills __h_keys, __h_kinds, __h_targets, __h_labels of the caller: registered functions and scripts in
# one sequence by byte order. A hook whose name begins another's leaves the other's scripts alone.
_hooks:collect() { # HOOK
  local LC_ALL=C IFS=$' \t\n' __h_each __h_dir __h_file __h_name __h_key
  __h_keys=() __h_kinds=() __h_targets=() __h_labels=()
  for __h_each in "${!__HOOKS_REGISTERED_HOOK[@]}"; do
    if [[ ${__HOOKS_REGISTERED_HOOK[__h_each]} == "$1" ]]; then
      _hooks:insert "${__HOOKS_REGISTERED_NAME[__h_each]}" registered \
        "${__HOOKS_REGISTERED_FUNC[__h_each]}" "${__HOOKS_REGISTERED_NAME[__h_each]}"
    fi
  done
  _hooks:dir __h_dir
  [[ -d $__h_dir ]] || return 0
  local -a __h_files=()
  _hooks:glob "$__h_dir" "$1"
  for __h_file in "${__h_files[@]}"; do
    __h_name=${__h_file##*/}
    _hooks:belongs_to_another "$__h_name" "$1" && continue
    _hooks:usable "$__h_file" || continue
    __h_key=${__h_name:${#1}+1}
    [[ $__h_key == ?*.* ]] && __h_key=${__h_key%.*}
    _hooks:insert "$__h_key" script "$__h_file" "$__h_name"
  done
}

# The caller's noglob, nullglob, failglob and GLOBIGNORE must not lose scripts, and stay as they are.
_hooks:glob() { # DIRECTORY HOOK; fills __h_files
  local GLOBIGNORE='' __h_restore=''
  [[ $- == *f* ]] && __h_restore='set -f;'
  shopt -q nullglob || __h_restore+='shopt -u nullglob;'
  shopt -q failglob && __h_restore+='shopt -s failglob;'
  set +f
  shopt -u failglob
  shopt -s nullglob
  __h_files=("$1/$2"-* "$1/$2"_*)
  eval "$__h_restore"
}

_hooks:belongs_to_another() { # FILE HOOK
  local __h_other
  for __h_other in "${!__HOOKS_DEFINED[@]}"; do
    if [[ ${#__h_other} -gt ${#2} && ($1 == "$__h_other"[-_.]* || $1 == "$__h_other") ]]; then
      return 0
    fi
  done
  return 1
}

_hooks:usable() { # FILE; says once why not
  local __h_why=''
  case $1 in
    *~ | *.bak | *.orig | *.rej | *.swp | *.swo | *.tmp | *.old | *.save) __h_why='it looks like what an editor leaves behind' ;;
    *) if [[ -f $1 ]]; then
      [[ -x $1 ]] || __h_why='it is not executable: chmod +x'
    elif [[ -L $1 && ! -e $1 ]]; then
      __h_why='it is a broken link'
    else
      __h_why='it is not a file'
    fi ;;
  esac
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
  ! declare -F "${HOOKS_PREFIX}$1" >/dev/null || return 0
  local -a __h_keys __h_kinds __h_targets __h_labels
  _hooks:collect "$1"
  ((${#__h_keys[@]} > 0))
}

hooks:list() {
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
  declare -F "${HOOKS_PREFIX}$1" >/dev/null && __h_parts='function'
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

# --- running --------------------------------------------------------------------------------------------

hooks:do() { # HOOK [ARGS...]
  if [[ -z ${1:-} ]]; then
    _hooks:error "hooks:do requires <hook> [args...]"
    return 1
  fi
  local __h_hook=$1
  shift
  [[ $__h_hook != end ]] || __HOOKS_END_DONE=1
  if ! hooks:known "$__h_hook"; then
    _hooks:log "Hook '$__h_hook' not defined, skipping"
    return 0
  fi
  export __HOOKS_FLOW_TERMINATE='' __HOOKS_FLOW_ROUTE='' __HOOKS_FLOW_EXIT_CODE=''
  local __h_middleware=${__HOOKS_MIDDLEWARE[$__h_hook]:-_hooks:middleware:default}
  # All names are local here and not in the functions below: bash is slower in a sourced script the more
  # functions with local names stand around it.
  local __h_code=0 __h_last=0 __h_worst=0 __h_count=0 __h_command_size=1 __h_each __h_tries
  local __h_registered=0 __h_scripts=0 __h_r=0 __h_s=0 __h_function __h_script __h_label __h_place __h_mode
  local __h_implementation=${HOOKS_PREFIX}$__h_hook
  local -a __h_keys __h_kinds __h_targets __h_labels __h_command
  _hooks:log "Executing hook: $__h_hook"
  _hooks:log "  Using middleware: $__h_middleware"
  if declare -F "${HOOKS_PREFIX}$__h_hook" >/dev/null; then
    _hooks:log "  → [function] ${HOOKS_PREFIX}$__h_hook"
    _hooks:through "${HOOKS_PREFIX}$__h_hook" "$@" || __h_code=$?
    _hooks:count
  fi
  _hooks:collect "$__h_hook"
  _hooks:do:sequence "$@"
  _hooks:do:finish
}

_hooks:count() {
  _hooks:log "    ↳ exit code: $__h_code"
  __h_last=$__h_code
  ((__h_code <= __h_worst)) || __h_worst=$__h_code
  __h_count=$((__h_count + 1))
}

_hooks:do:sequence() { # ARGS...
  for __h_each in "${__h_kinds[@]}"; do
    if [[ $__h_each == script ]]; then
      __h_scripts=$((__h_scripts + 1))
    else
      __h_registered=$((__h_registered + 1))
    fi
  done
  ((__h_registered == 0)) || _hooks:log "  Found $__h_registered registered function(s) for hook '$__h_hook'"
  ((__h_scripts == 0)) || _hooks:log "  Found $__h_scripts script(s) for hook '$__h_hook'"
  for __h_each in "${!__h_keys[@]}"; do
    if [[ ${HOOKS_FAIL_FAST:-} == true && $__h_last -ne 0 ]]; then
      return 0
    fi
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
  _hooks:mode_of "$__h_label" __h_mode
  if [[ $__h_mode == source ]]; then
    _hooks:log "  → [script $__h_place] $__h_label (sourced mode)"
    _hooks:sourced "$@" || __h_code=$?
  else
    _hooks:log "  → [script $__h_place] $__h_label (exec mode)"
    _hooks:tried "$@"
  fi
  _hooks:count
}

# HOOKS_TIMEOUT bounds each script (exit code 124), HOOKS_RETRIES gives a failed one more chances.
_hooks:tried() { # ARGS...
  __h_tries=$((1 + ${HOOKS_RETRIES:-0}))
  __h_command=("$__h_script")
  if [[ -n ${HOOKS_TIMEOUT:-} ]]; then
    __h_command=(timeout -k "${HOOKS_GRACE:-2}" "$HOOKS_TIMEOUT" "$__h_script")
  fi
  __h_command_size=${#__h_command[@]}
  _hooks:children "$BASHPID" __HOOKS_BESIDE
  for ((; __h_tries > 0; __h_tries--)); do
    __h_code=0
    _hooks:through "${__h_command[@]}" "$@" || __h_code=$?
    ((__h_code != 0)) || break
  done
  __HOOKS_BESIDE=''
  __h_command_size=1
}

# In the caller's shell: not captured, no middleware. A `hook:run` of an earlier script never runs again.
_hooks:sourced() { # ARGS...
  unset -f hook:run
  # shellcheck disable=SC1090 # known when it runs
  source "$__h_script" "$@" || return $?
  if ! declare -F hook:run >/dev/null; then
    _hooks:log "    ⚠ No hook:run function found in $__h_label, skipping"
    return 0
  fi
  hook:run "$@"
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
  [[ ${HOOKS_EXIT_POLICY:-last} != worst ]] || __h_last=$__h_worst
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

# The default middleware shows output as it comes and returns the code, so it needs no capture.
_hooks:through() { # COMMAND ARGS...
  if [[ $__h_middleware == _hooks:middleware:default ]]; then
    _hooks:shown "$@"
    return $?
  fi
  local __h_array='' __h_status=0
  _hooks:capture:run "$__h_hook" __h_array "$@" || __h_status=$?
  shift "$__h_command_size"
  local __h_answer=0
  if declare -F "$__h_middleware" >/dev/null; then
    "$__h_middleware" "$__h_hook" "$__h_status" "$__h_array" -- "$@" || __h_answer=$?
  else
    _hooks:error "middleware function '$__h_middleware' does not exist"
    _hooks:middleware:default "$__h_hook" 127 "$__h_array" -- "$@" || __h_answer=$?
  fi
  _hooks:capture:cleanup "$__h_array"
  return "$__h_answer"
}

_hooks:shown() { # COMMAND ARGS...
  if declare -F "$1" >/dev/null; then
    _hooks:on 1 2 "$@"
    return $?
  fi
  local __h_real_out __h_real_err __h_shown=0 __h_around=$__HOOKS_STREAMS
  exec {__h_real_out}>&1 {__h_real_err}>&2
  __HOOKS_STREAMS="$__h_real_out $__h_real_err"
  _hooks:on "$__h_real_out" "$__h_real_err" "$@" || __h_shown=$?
  __HOOKS_STREAMS=$__h_around
  exec {__h_real_out}>&- {__h_real_err}>&-
  return "$__h_shown"
}

# Runs a command on these descriptors. Unless a person sits there, the caller's input is not its to read.
# A program gets none of our other descriptors: what it leaves running would hold them open. What the shell
# itself would say of one that was killed names our insides and is not said.
_hooks:on() { # STDOUT STDERR COMMAND ARGS...
  local __h_streams="1>&$1 2>&$2"
  shift 2
  [[ -t 0 || ${HOOKS_STDIN:-} == inherit ]] || __h_streams+=' </dev/null'
  if declare -F "$1" >/dev/null; then
    eval "\"\$@\" $__h_streams"
  else
    local IFS=' ' __h_each
    for __h_each in $__HOOKS_STREAMS $__HOOKS_OUT $__HOOKS_ERR $__HOOKS_ORDERS $__HOOKS_REPLIES; do
      __h_streams+=" $__h_each>&-"
    done
    eval "{ \"\$@\" $__h_streams; } 2>/dev/null"
  fi
}

# --- capture --------------------------------------------------------------------------------------------

# Runs a command and puts what it printed into a new array, whose name goes to OUTVAR: one element per
# line, `1: ` for stdout and `2: ` for stderr, in the order in which they were written.
_hooks:capture:run() { # HOOK OUTVAR COMMAND ARGS...
  local __h_slug __h_name __h_exit=0
  _hooks:to_slug "$1" __h_slug
  __HOOKS_CAPTURE_SEQ=$((__HOOKS_CAPTURE_SEQ + 1))
  __h_name=__hooks_${__h_slug}_$__HOOKS_CAPTURE_SEQ
  declare -g -a "$__h_name=()"
  printf -v "$2" '%s' "$__h_name"
  shift 2
  if [[ -n $__HOOKS_CAPTURING ]] || ! _hooks:recorder; then
    _hooks:capture:plain "$__h_name" "$@"
    return $?
  fi
  local __h_stdout __h_stderr __h_around=$__HOOKS_STREAMS
  exec {__h_stdout}>&1 {__h_stderr}>&2
  __HOOKS_STREAMS="$__h_stdout $__h_stderr" __HOOKS_CAPTURING=1
  printf 'b\n' >&"$__HOOKS_ORDERS"
  _hooks:on "$__HOOKS_OUT" "$__HOOKS_ERR" "$@" || __h_exit=$?
  _hooks:capture:take "$__h_name"
  __HOOKS_STREAMS=$__h_around
  exec {__h_stdout}>&- {__h_stderr}>&-
  return "$__h_exit"
}

_hooks:capture:take() { # ARRAY
  local __h_lines __h_dropped
  __HOOKS_CAPTURING=''
  printf 'd\n' >&"$__HOOKS_ORDERS"
  IFS=' ' read -r -u "$__HOOKS_REPLIES" __h_lines __h_dropped || return 1
  mapfile -t "$1" <"$__HOOKS_RECORDER_PLACE"
  ((__h_dropped == 0)) || _hooks:warn "$__h_dropped bytes of output were too many to keep"
}

_hooks:capture:cleanup() { [[ -z ${1:-} ]] || unset "$1"; }

# Within another capture, and where there is no recorder: first what was written to stdout, then to stderr.
_hooks:capture:plain() { # ARRAY COMMAND ARGS...
  local __h_array=$1 __h_out __h_err __h_exit=0 __h_folder
  shift
  __h_folder=$(mktemp -d 2>/dev/null || mktemp -d -p /dev/shm) || {
    _hooks:error "no place for what '$1' prints: its output is shown and not captured"
    "$@"
    return $?
  }
  "$@" >"$__h_folder/1" 2>"$__h_folder/2" || __h_exit=$?
  mapfile -t __h_out <"$__h_folder/1"
  mapfile -t __h_err <"$__h_folder/2"
  rm -rf "$__h_folder"
  eval "$__h_array=(\"\${__h_out[@]/#/1: }\" \"\${__h_err[@]/#/2: }\")"
  return "$__h_exit"
}

# One process for each shell that captures, started when it first does. It shares the ends that hooks
# write on until it has set them to packets: then each write is one packet, and their order is known.
_hooks:recorder() {
  if [[ $__HOOKS_RECORDER_OWNER == "$BASHPID" ]]; then
    return 0
  fi
  [[ $__HOOKS_RECORDER_OWNER != none ]] || return 1
  local __h_shell=$BASHPID __h_program # within the parentheses below, BASHPID is another's
  if _hooks:pipe __HOOKS_OUT && _hooks:pipe __HOOKS_ERR && _hooks:pipe __HOOKS_ORDERS; then
    for __h_program in "${FAIRLEAD_RECORDER-fairlead-recorder}" "${FAIRLEAD_PYTHON-/usr/bin/python3}" \
      "${FAIRLEAD_PYTHON-python3}"; do
      type -P "$__h_program" >/dev/null || continue
      _hooks:recorder:start "$__h_program" "$__h_shell" || break
      if IFS= read -r -u "$__HOOKS_REPLIES" __HOOKS_RECORDER_PLACE; then
        __HOOKS_RECORDER_OWNER=$__h_shell
        return 0
      fi
      exec {__HOOKS_REPLIES}<&-
    done
  fi
  __HOOKS_RECORDER_OWNER=none
  _hooks:warn "no recorder could be started (is there a python3?): the order of stdout and stderr is guessed"
  return 1
}

# A pipe that is open for reading and writing. The text of `<<<` comes through a pipe in bash 5.1 and later.
_hooks:pipe() { # OUTVAR
  local __h_text __h_opened
  exec {__h_text}<<<''
  if [[ -p /dev/fd/$__h_text ]]; then
    exec {__h_opened}<>"/dev/fd/$__h_text"
  else
    exec {__h_opened}<> <(:)
  fi || return 1
  exec {__h_text}<&-
  printf -v "$1" "%s" "$__h_opened"
}

# It is the child of a child that ends at once: a `wait` of the script does not wait for it, and `$!` stays
# what it was. Of its replies the script keeps the reading end alone, so that their end can be seen.
_hooks:recorder:start() { # PROGRAM PID
  local __h_both __h_none
  _hooks:pipe __h_both || return 1
  ! read -r -t 0 -u "$__h_both" || IFS= read -r -u "$__h_both" __h_none # the end of the empty text
  if [[ ${1##*/} == python* ]]; then
    set -- "$2" "$1" -I -S -c "$__HOOKS_RECORDER"
  else
    set -- "$2" "$1"
  fi
  set -- "${@:2}" "$__HOOKS_OUT" "$__HOOKS_ERR" "$__HOOKS_ORDERS" "$1"
  # shellcheck disable=SC2034 # it prints nothing here
  __h_none=$("$@" </dev/null >&"$__h_both" 2>/dev/null {__h_both}>&- &)
  exec {__HOOKS_REPLIES}<"/dev/fd/$__h_both"
  exec {__h_both}>&-
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

_hooks:replay() { # ARRAY show|hide contract lines
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

_hooks:obey() { # HOOK ARRAY
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

_hooks:contract() { # TEXT; on failure __h_why says why
  local __h_text=${1%$'\r'}
  __h_why=''
  case $__h_text in
    '{'*) _hooks:contract:json "$__h_text" ;;
    env:*) _hooks:contract:env "${__h_text#env:}" ;;
    exit:*) _hooks:contract:exit "${__h_text#exit:}" ;;
    route:*) _hooks:contract:route "${__h_text#route:}" ;;
    mode=*) _hooks:contract:mode "${__h_text#mode=}" ;;
    'export '*) _hooks:contract:export "${__h_text#export }" ;;
    *=*) _hooks:contract:set "${__h_text%%=*}" "${__h_text#*=}" ;;
    *) __h_why="unknown contract directive '$__h_text'" && return 1 ;;
  esac
}

_hooks:contract:set() { # NAME VALUE
  if [[ ! $1 =~ ^[a-zA-Z_][a-zA-Z0-9_]*$ ]]; then
    __h_why="invalid env var name '$1' in contract"
    return 1
  fi
  if ! _hooks:may_set "$1"; then
    __h_why="a contract may not set $1; HOOKS_CONTRACT_ALLOW can permit it"
    return 1
  fi
  if [[ -v $1 && ${!1@a} == *r* ]]; then
    __h_why="$1 is readonly"
    return 1
  fi
  printf -v "$1" '%s' "$2"
  # shellcheck disable=SC2163 # the variable that $1 names
  export "$1"
}

# Not those that change how programs run. HOOKS_CONTRACT_ALLOW: names and patterns, separated by blanks;
# they narrow what may be set, or widen it where they begin with `+`.
_hooks:may_set() { # NAME
  local IFS=$' \t\n' __h_pattern __h_narrow='' __h_restore='set +f'
  [[ $- == *f* ]] && __h_restore=':'
  set -f
  local -a __h_patterns
  # shellcheck disable=SC2206 # split at blanks
  __h_patterns=(${HOOKS_CONTRACT_ALLOW:-})
  $__h_restore
  for __h_pattern in "${__h_patterns[@]}"; do
    [[ $__h_pattern == +* ]] || __h_narrow=1
    # shellcheck disable=SC2053
    [[ $1 != ${__h_pattern#+} ]] || return 0
  done
  [[ -z $__h_narrow ]] || return 1
  case $1 in
    PATH | LD_* | DYLD_* | IFS | ENV | BASH* | SHELLOPTS | PROMPT_COMMAND | PS[0-4] | CDPATH | GLOBIGNORE) return 1 ;;
    PYTHON* | PERL* | RUBY* | NODE_* | JAVA_TOOL_OPTIONS | _JAVA_OPTIONS | CLASSPATH | GIT_* | MAKEFLAGS) return 1 ;;
    GCONV_PATH | HOME | SHELL | TMPDIR | HOOKS_* | __HOOKS_* | __h_* | FAIRLEAD_* | LC_ALL) return 1 ;;
    OPENSSL_* | JDK_JAVA_OPTIONS | DOTNET_* | LUA_INIT* | LESSOPEN | LESSCLOSE) return 1 ;;
  esac
  return 0
}

_hooks:env:apply() { # as below, and says what is wrong
  local __h_why=''
  _hooks:contract:env "${1:-}" && return 0
  _hooks:error "$__h_why"
  return 1
}

_hooks:contract:env() { # NAME=VALUE, NAME+=VALUE, NAME^=VALUE or NAME-=VALUE
  if [[ ! $1 =~ ^([^=+^-]*)(\+=|\^=|-=|=)(.*)$ ]]; then
    __h_why="invalid contract env directive '$1'"
    return 1
  fi
  local __h_variable=${BASH_REMATCH[1]} __h_operator=${BASH_REMATCH[2]} __h_value=${BASH_REMATCH[3]}
  if [[ ! $__h_variable =~ ^[a-zA-Z_][a-zA-Z0-9_]*$ ]]; then
    __h_why="invalid env var name '$__h_variable' in contract"
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

_hooks:contract:exit() { # CODE
  if [[ ! $1 =~ ^[0-9]{1,3}$ ]] || ((10#$1 > 255)); then
    __h_why="'$1' is not an exit code (0 to 255)"
    return 1
  fi
  export __HOOKS_FLOW_TERMINATE=true __HOOKS_FLOW_EXIT_CODE=$((10#$1))
}

_hooks:contract:route() { # FILE
  if [[ -z $1 ]]; then
    __h_why='the file of a route is missing'
    return 1
  fi
  export __HOOKS_FLOW_TERMINATE=true __HOOKS_FLOW_ROUTE=$1
}

_hooks:contract:mode() { # MODE[:ARGUMENT]
  local __h_mode=${1%%:*} __h_argument=''
  [[ $1 != *:* ]] || __h_argument=${1#*:}
  case $__h_mode in
    dry | ok | skip)
      if [[ -n $__h_argument ]]; then
        __h_why="the mode '$__h_mode' takes no argument"
        return 1
      fi
      export CI_MODE=${__h_mode^^}
      if [[ $__h_mode == dry ]]; then
        export DRY_RUN=true
      else
        _hooks:contract:exit 0
        export __CI_MODE_TERMINATE=true __CI_MODE_EXIT=0
      fi
      ;;
    error)
      if [[ $__h_argument =~ ^0+$ ]]; then
        __h_why="'$__h_argument' is not the exit code of an error (1 to 255)"
        return 1
      fi
      _hooks:contract:exit "${__h_argument:-1}" || return 1
      export CI_MODE=ERROR __CI_MODE_TERMINATE=true __CI_MODE_EXIT=$__HOOKS_FLOW_EXIT_CODE
      ;;
    timeout)
      if [[ ! $__h_argument =~ ^[0-9]+(\.[0-9]+)?$ || $__h_argument =~ ^[0.]+$ ]]; then
        __h_why="'$__h_argument' is not a number of seconds: write timeout:SECONDS"
        return 1
      fi
      export CI_MODE=TIMEOUT CI_MODE_TIMEOUT=$__h_argument
      ;;
    test)
      _hooks:contract:route "$__h_argument" || return 1
      export CI_MODE=TEST __CI_MODE_TERMINATE=true
      ;;
    *) __h_why="'$__h_mode' is not a mode; known: dry, ok, error, skip, timeout, test" && return 1 ;;
  esac
}

_hooks:contract:export() { # NAME=WORD, as a shell would write it; nothing is evaluated
  local __h_word=${1#*=}
  if [[ $1 != *=* ]]; then
    __h_why="invalid contract env directive 'export $1'"
    return 1
  fi
  case $__h_word in
    "'"*"'") __h_word=${__h_word:1:${#__h_word}-2} && [[ $__h_word != *"'"* ]] ;;
    '"'*'"') __h_word=${__h_word:1:${#__h_word}-2} && [[ $__h_word != *[\"\$\`\\]* ]] ;;
    *[!A-Za-z0-9_@%+=:,./*?!#^~{}-]*) false ;;
  esac || {
    __h_why='only plain or quoted words can be exported: nothing is evaluated'
    return 1
  }
  _hooks:contract:set "${1%%=*}" "$__h_word"
}

# An object of texts, numbers and booleans; `"mode"` changes the mode, everything else is a variable.
_hooks:contract:json() { # OBJECT
  local __h_rest=${1#\{} __h_name __h_value
  local __h_pair='^[[:space:]]*"([A-Za-z_][A-Za-z0-9_]*)"[[:space:]]*:[[:space:]]*("(([^"\\]|\\.)*)"|-?[0-9][0-9.eE+-]*|true|false)[[:space:]]*(,|\}[[:space:]]*$)'
  local -a __h_names=() __h_values=()
  while [[ $__h_rest =~ $__h_pair ]]; do
    __h_name=${BASH_REMATCH[1]} __h_value=${BASH_REMATCH[2]}
    __h_rest=${__h_rest:${#BASH_REMATCH[0]}}
    [[ $__h_value != '"'* ]] || _hooks:unescaped "${__h_value:1:${#__h_value}-2}" __h_value
    __h_names+=("$__h_name") __h_values+=("$__h_value")
    [[ ${BASH_REMATCH[5]} == ',' ]] || break
  done
  if [[ ${BASH_REMATCH[5]:-} != '}'* && ! $1 =~ ^\{[[:space:]]*\}[[:space:]]*$ ]]; then
    __h_why="contract:$1 is not a flat JSON object"
    return 1
  fi
  local __h_each __h_failed=0
  for __h_each in "${!__h_names[@]}"; do
    if [[ ${__h_names[__h_each]} == mode ]]; then
      _hooks:contract:mode "${__h_values[__h_each]}" || __h_failed=1
    else
      _hooks:contract:set "${__h_names[__h_each]}" "${__h_values[__h_each]}" || __h_failed=1
    fi
  done
  return "$__h_failed"
}

_hooks:unescaped() { # TEXT OUTVAR
  local __h_plain=${1//\\\"/\"}
  __h_plain=${__h_plain//\\\//\/}
  __h_plain=${__h_plain//\\n/$'\n'}
  __h_plain=${__h_plain//\\t/$'\t'}
  __h_plain=${__h_plain//\\\\/\\}
  printf -v "$2" '%s' "$__h_plain"
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

hooks:flow:apply() {
  if [[ -n ${CI_MODE_TIMEOUT:-} && ${CI_MODE:-} == TIMEOUT ]]; then
    _hooks:bound "$CI_MODE_TIMEOUT"
  fi
  [[ ${__HOOKS_FLOW_TERMINATE:-} == true ]] || return 0
  if [[ -n ${__HOOKS_FLOW_ROUTE:-} ]]; then
    if [[ ! -f $__HOOKS_FLOW_ROUTE ]]; then
      _hooks:error "a hook routed to '$__HOOKS_FLOW_ROUTE', which is not there"
      exit 1
    fi
    # shellcheck disable=SC1090
    source "$__HOOKS_FLOW_ROUTE"
  fi
  exit "${__HOOKS_FLOW_EXIT_CODE:-0}"
}

# Ends the rest of the script after SECONDS, whatever it is doing, with exit code 124.
_hooks:bound() { # SECONDS
  CI_MODE_TIMEOUT=''
  if ! _hooks:recorder; then
    _hooks:error "the timeout of $1 s cannot be kept: there is no recorder"
    exit 1
  fi
  trap 'exit 124' ALRM
  printf 't %s\n' "$1" >&"$__HOOKS_ORDERS"
}

# --- the end of the script ------------------------------------------------------------------------------

_hooks:on_exit() { # CODE
  local __h_exit_code=$1
  set +e # the script is at its end: nothing may keep the rest of this from running
  if [[ -n $__HOOKS_STREAMS ]]; then # within a hook: back to where the script prints
    exec 1>&"${__HOOKS_STREAMS% *}" 2>&"${__HOOKS_STREAMS#* }"
  fi
  [[ -z $__HOOKS_BESIDE ]] || _hooks:cut_short __h_exit_code
  [[ -z $__HOOKS_CAPTURING ]] || _hooks:capture:rescue
  if [[ -n $__HOOKS_LEGACY_TRAP ]]; then
    _hooks:code "$__h_exit_code"
    eval "$__HOOKS_LEGACY_TRAP"
  fi
  if [[ -z $__HOOKS_END_DONE ]] && hooks:known end; then
    hooks:do end "$__h_exit_code" || :
  fi
}

# The script is ended by a signal while a file of a hook runs, which must not outlive it. Bash does not say
# which signal: Ctrl-C reaches the hook as well, so if that is gone already, it was this one.
_hooks:cut_short() { # OUTVAR of the exit code
  local IFS=' ' __h_children __h_each
  _hooks:children "$BASHPID" __h_children
  printf -v "$1" 130
  for __h_each in $__h_children; do
    if [[ $__HOOKS_BESIDE != *" $__h_each "* ]]; then
      printf -v "$1" 143
      _hooks:end_tree "$__h_each"
    fi
  done
  __HOOKS_BESIDE=''
}

_hooks:end_tree() { # PID
  local IFS=' ' __h_children __h_child
  _hooks:stopped "$1" # so that it starts no more of them meanwhile
  _hooks:children "$1" __h_children
  kill -TERM "$1" 2>/dev/null
  kill -CONT "$1" 2>/dev/null
  for __h_child in $__h_children; do
    _hooks:end_tree "$__h_child"
  done
}

_hooks:stopped() { # PID; it may be starting a child just now, so this waits until it stands still
  local __h_look __h_state=''
  kill -STOP "$1" 2>/dev/null || return 0
  for ((__h_look = 0; __h_look < 1000; __h_look++)); do
    { IFS= read -r __h_state <"/proc/$1/stat"; } 2>/dev/null || return 0
    [[ ${__h_state##*) } != [TtZX]* ]] || return 0
  done
}

_hooks:children() { # PID OUTVAR; ` 12 34 `, and never empty
  local __h_found=''
  { IFS= read -r __h_found <"/proc/$1/task/$1/children"; } 2>/dev/null || :
  printf -v "$2" ' %s ' "$__h_found"
}

# A hook that is cut short while it is captured: what it printed is shown where it belongs.
_hooks:capture:rescue() {
  local -a __h_rescued=()
  _hooks:capture:take __h_rescued || return 0
  _hooks:replay __h_rescued show
}

_hooks:trap:end() {
  [[ -z $__HOOKS_END_TRAP_INSTALLED ]] || return 0
  __HOOKS_END_TRAP_INSTALLED=1
  local __h_trap='' __h_both
  if _hooks:pipe __h_both; then # as `$(trap -p EXIT)`, without a second shell
    { trap -p EXIT && printf '\0'; } >&"$__h_both"
    IFS= read -r -d '' __h_trap <&"$__h_both" || :
    exec {__h_both}>&-
  fi
  if [[ $__h_trap == *trap* ]]; then
    local -a __h_words
    eval "__h_words=($__h_trap)"
    __HOOKS_LEGACY_TRAP=${__h_words[2]}
  fi
  trap '_hooks:on_exit "$?"' EXIT
}

hooks:bootstrap() {
  local __h_name
  for __h_name in begin end; do
    [[ -n ${__HOOKS_DEFINED[$__h_name]-} ]] || { __HOOKS_DEFINED[$__h_name]=1 && __HOOKS_CONTEXTS[$__h_name]=''; }
  done
  [[ ${HOOKS_AUTO_TRAP:-true} != true ]] || _hooks:trap:end
}

hooks:reset() {
  __HOOKS_DEFINED=() __HOOKS_CONTEXTS=() __HOOKS_MIDDLEWARE=() __HOOKS_REPORTED=()
  __HOOKS_REGISTERED_HOOK=() __HOOKS_REGISTERED_NAME=() __HOOKS_REGISTERED_FUNC=()
  __HOOKS_SOURCE_PATTERNS=() __HOOKS_SCRIPT_PATTERNS=()
  __HOOKS_CAPTURE_SEQ=0 __HOOKS_HOME='' __HOOKS_END_DONE=''
  unset __HOOKS_FLOW_TERMINATE __HOOKS_FLOW_ROUTE __HOOKS_FLOW_EXIT_CODE
  HOOKS_DIR=ci-cd HOOKS_PREFIX=hook: HOOKS_EXEC_MODE=exec HOOKS_AUTO_TRAP=true
}

# --- the recorder ---------------------------------------------------------------------------------------

# The text of bridge.py, so that this file can be used alone.
# shellcheck disable=SC2016
__HOOKS_RECORDER='"""Records what hooks in a bash script write. `hooks.bash` holds this text and starts it once per shell.

Arguments: two pipes that the script opened for reading and writing (stdout and stderr of hooks), one for
orders, the process id of the script. Orders are lines: `b` begins a capture, `d` ends it, `t SECONDS` bounds
the rest of the script. Answers go to stdout: first the place of captures, then for each the number of its
lines and of the bytes that were too many to keep.
"""

import fcntl
import os
import select
import signal
import sys
import time

MOST_BYTES = 64 << 20
MOST_WRITES = 1_000_000


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)  # it ends with the script, whoever ends that, and not before it
    out, err, orders, shell = (int(word) for word in sys.argv[1:5])
    poller = select.epoll()
    streams = {_opened(out): b"1: ", _opened(err): b"2: "}
    control = _opened(orders)
    for pipe in (*streams, control):
        poller.register(pipe, select.EPOLLIN | select.EPOLLET)
    alive = os.pidfd_open(shell)
    poller.register(alive, select.EPOLLIN)
    place = os.memfd_create("capture")
    _say(f"/proc/{os.getpid()}/fd/{place}")
    serve(poller, streams, control, alive, place, shell)


def _opened(number: int) -> int:
    """A reading end of our own. The flag is on that of the script, which we share while we hold it."""
    fcntl.fcntl(number, fcntl.F_SETFL, fcntl.fcntl(number, fcntl.F_GETFL) | os.O_DIRECT)
    fcntl.fcntl(number, fcntl.F_SETPIPE_SZ, 1)
    own = os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_NONBLOCK)
    os.close(number)
    _read(own)  # what was there before it was in packet mode would swallow the first packet
    return own


def serve(
    poller: select.epoll, streams: dict[int, bytes], control: int, alive: int, place: int, shell: int
) -> None:
    """Events come in the order of the writes, so an order comes after all that was written before it."""
    writes: list[tuple[bytes, bytes]] = []
    kept = dropped = 0
    deadline = None
    while True:
        wait = None if deadline is None else max(deadline - time.monotonic(), 0)
        for ready, _ in poller.poll(wait):
            if ready == alive:
                return
            data = _read(ready)
            if ready != control:
                if kept + len(data) > MOST_BYTES or len(writes) == MOST_WRITES:
                    dropped += len(data)
                    continue
                kept += len(data)
                writes.append((streams[ready], data))
            elif data in (b"b\n", b"d\n"):
                if data == b"d\n":
                    _say(f"{_keep(place, writes)} {dropped}")
                writes.clear()
                kept = dropped = 0
            elif data.startswith(b"t "):
                deadline = time.monotonic() + float(data[2:])
        if deadline is not None and time.monotonic() >= deadline:
            _end(shell)
            deadline = None


def _read(pipe: int) -> bytes:
    """One packet, which is one write."""
    try:
        return os.read(pipe, 65536)
    except BlockingIOError:
        return b""


def _keep(place: int, writes: list[tuple[bytes, bytes]]) -> int:
    """Whole lines, each at the place of its first byte. A shell cannot hold a NUL, so they are left out."""
    lines: list[list[bytes]] = []
    begun: dict[bytes, list[bytes]] = {}
    for tag, data in writes:
        *ended, rest = data.replace(b"\0", b"").split(b"\n")
        for piece in ended:
            line = begun.pop(tag, None)
            if line is None:
                lines.append([tag, piece])
            else:
                line.append(piece)
        if rest and tag in begun:
            begun[tag].append(rest)
        elif rest:
            begun[tag] = [tag, rest]
            lines.append(begun[tag])
    os.ftruncate(place, 0)
    data = b"".join(b"".join(line) + b"\n" for line in lines)
    while data:
        data = data[os.pwrite(place, data, os.fstat(place).st_size) :]
    return len(lines)


def _say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


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


def _descendants(process: int) -> list[int]:
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    own = [child for child in children if child != os.getpid()]
    return [each for child in own for each in (*_descendants(child), child)]


if __name__ == "__main__":
    main()
'

${__SOURCED__:+return}
[[ -n ${__HOOKS_BOOTSTRAPPED:-} ]] || {
  declare -g __HOOKS_BOOTSTRAPPED=1
  hooks:bootstrap
}
