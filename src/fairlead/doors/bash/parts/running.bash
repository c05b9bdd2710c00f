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
