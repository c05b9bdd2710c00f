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
