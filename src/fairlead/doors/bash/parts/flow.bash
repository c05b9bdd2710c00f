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
  [[ ${__CI_MODE_TERMINATE:-} != true ]] || unset -v @grammar.callers_alone@
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
