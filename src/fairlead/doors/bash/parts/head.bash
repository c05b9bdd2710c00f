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
if [[ -o keyword ]]; then
  echo "hooks.bash cannot work under 'set -k', which takes arguments for assignments: set +k" >&2
  return 1
fi
# An alias of the script is none of this file, whose words mean what they say.
shopt -q expand_aliases && __HOOKS_ALIASES=1 || __HOOKS_ALIASES=''
shopt -u expand_aliases
if [[ -z ${__HOOKS_LOADED:-} ]]; then
  declare -g __HOOKS_LOADED=1
  declare -g -A __HOOKS_DEFINED=() __HOOKS_CONTEXTS=() __HOOKS_MIDDLEWARE=() __HOOKS_REPORTED=()
  declare -g -a __HOOKS_REGISTERED_HOOK=() __HOOKS_REGISTERED_NAME=() __HOOKS_REGISTERED_FUNC=()
  declare -g -a __HOOKS_SOURCE_PATTERNS=() __HOOKS_SCRIPT_PATTERNS=()
  declare -g __HOOKS_CAPTURE_SEQ=0 __HOOKS_END_TRAP_INSTALLED='' __HOOKS_END_DONE='' __HOOKS_LEGACY_TRAP=''
  declare -g -a __HOOKS_OWNER=() __HOOKS_ORDERS=() __HOOKS_REPLIES=() __HOOKS_LINES=() __HOOKS_PROGRAM=()
  declare -g -a __HOOKS_OUT=() __HOOKS_ERR=() __HOOKS_DATA=() __HOOKS_INDEX=() __HOOKS_FOLDER=()
  declare -g -a __HOOKS_OUT_END=() __HOOKS_ERR_END=()
  declare -g __HOOKS_LEVEL=0 __HOOKS_UNSAID=213 __HOOKS_NO_RECORDER='' __HOOKS_STREAMS='' __HOOKS_BESIDE=''
  declare -g __HOOKS_HOME='' __HOOKS_OLD_BASH=''
  declare -g __HOOKS_NAMES_CHECKED='' __HOOKS_STARTED_IN=$PWD __HOOKS_LOADED_FROM=$PWD __HOOKS_BESIDE_US=${BASH_SOURCE[0]%/*}
  ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)) || __HOOKS_OLD_BASH=1
  # What was asked of the script that started this one is not asked of this one.
  unset -v __HOOKS_FLOW_TERMINATE __HOOKS_FLOW_ROUTE __HOOKS_FLOW_EXIT_CODE __HOOKS_FLOW_TIMEOUT __h_caller_place
  unset -v @grammar.callers_alone@
  case ${BASH_SOURCE[1]:-} in
    /*/*) __HOOKS_LOADED_FROM=${BASH_SOURCE[1]%/*} ;;
    */*) __HOOKS_LOADED_FROM=$PWD/${BASH_SOURCE[1]%/*} ;;
  esac
  declare -g __HOOKS_FILE=${BASH_SOURCE[0]} __HOOKS_RECORDER=''
  [[ $__HOOKS_FILE == /* ]] || __HOOKS_FILE=$PWD/$__HOOKS_FILE
  [[ $__HOOKS_BESIDE_US == /* ]] || __HOOKS_BESIDE_US=$PWD/$__HOOKS_BESIDE_US
fi
: "${HOOKS_DIR:=ci-cd}" "${HOOKS_PREFIX:=hook:}" "${HOOKS_EXEC_MODE:=exec}" "${HOOKS_AUTO_TRAP:=true}"
