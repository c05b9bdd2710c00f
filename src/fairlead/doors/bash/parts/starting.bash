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
