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
    [[ ' @grammar.settings@ ' != *" $__h_name "* && $__h_name != HOOKS_FLOW_* ]] || continue
    for __h_known in @grammar.settings@; do
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
