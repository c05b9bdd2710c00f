#!/usr/bin/env bash
# Helpers of e-bash for scripts that are moved from it: source this before hooks.bash.
#
# Several handlers share one signal. Each is called with the exit code at that time; they run in the order in
# which they were added, after what the script had as its trap before.

declare -g -A __E_BASH_HANDLERS=() __E_BASH_TRAPS=()

trap:on() { # [--allow-duplicates] HANDLER SIGNALS...
  local duplicates=''
  [[ ${1:-} != --allow-duplicates ]] || { duplicates=1 && shift; }
  if [[ $# -lt 2 ]] || ! declare -F "$1" >/dev/null; then
    printf 'trap:on needs <function> <signal>...\n' >&2
    return 1
  fi
  local handler=$1 signal
  shift
  for signal in "$@"; do
    signal=${signal#SIG}
    [[ -v __E_BASH_HANDLERS[$signal] ]] || _trap:take_over "$signal"
    [[ -z $duplicates && " ${__E_BASH_HANDLERS[$signal]} " == *" $handler "* ]] ||
      __E_BASH_HANDLERS[$signal]+=" $handler"
  done
}

trap:off() { # HANDLER SIGNALS...
  local handler=$1 signal kept each
  local -a handlers
  shift
  for signal in "$@"; do
    signal=${signal#SIG} kept=''
    _trap:handlers "$signal"
    for each in "${handlers[@]}"; do
      [[ $each == "$handler" ]] || kept+=" $each"
    done
    __E_BASH_HANDLERS[$signal]=$kept
  done
}

trap:clear() { # SIGNALS...
  local signal
  for signal in "$@"; do
    signal=${signal#SIG}
    unset "__E_BASH_HANDLERS[$signal]" "__E_BASH_TRAPS[$signal]"
    trap - "$signal"
  done
}

trap:list() { # [SIGNALS...]
  local signal
  [[ $# -gt 0 ]] || set -- "${!__E_BASH_HANDLERS[@]}"
  for signal in "$@"; do
    printf '%s:%s\n' "${signal#SIG}" "${__E_BASH_HANDLERS[${signal#SIG}]-}"
  done
}

_trap:take_over() { # SIGNAL
  local set_before
  set_before=$(trap -p "$1")
  if [[ -n $set_before ]]; then
    local -a words
    eval "words=($set_before)"
    __E_BASH_TRAPS[$1]=${words[2]}
  fi
  __E_BASH_HANDLERS[$1]=''
  # shellcheck disable=SC2064 # the signal of now
  trap "Trap::dispatch '$1' \"\$?\"" "$1"
}

_trap:handlers() { # SIGNAL; fills handlers of the caller, whatever IFS is
  local rest=${__E_BASH_HANDLERS[$1]-} name
  handlers=()
  while [[ $rest == ' '* ]]; do
    rest=${rest# }
    name=${rest%% *} rest=${rest#"${rest%% *}"}
    handlers+=("$name")
  done
}

_trap:code() { return "$1"; }

Trap::dispatch() { # SIGNAL CODE
  local handler
  local -a handlers
  if [[ $2 == 0 ]]; then
    eval "${__E_BASH_TRAPS[$1]-}"
  else
    _trap:code "$2" || eval "${__E_BASH_TRAPS[$1]-}" # which sees this code
  fi
  _trap:handlers "$1"
  for handler in "${handlers[@]}"; do
    "$handler" "$2" || :
  done
}
