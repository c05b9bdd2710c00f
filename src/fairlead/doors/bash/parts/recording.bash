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
