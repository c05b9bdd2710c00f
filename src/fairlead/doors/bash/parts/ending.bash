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
