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
