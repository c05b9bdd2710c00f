# --- contracts ------------------------------------------------------------------------------------------

# Nothing that a hook prints is evaluated: names and values are matched as text, and a variable whose
# assignment would evaluate is refused.
_hooks:contract() { # TEXT; on failure __h_why says why
  local __h_text=${1%$'\r'}
  __h_why=''
  case $__h_text in
    '{'*) _hooks:contract:json "$__h_text" ;;
    env:*) _hooks:contract:env "${__h_text#env:}" ;;
    exit:*) _hooks:contract:exit "${__h_text#exit:}" ;;
    route:*) _hooks:contract:route "${__h_text#route:}" ;;
    mode=*) _hooks:contract:mode "${__h_text#mode=}" ;;
    export[$' \t']*) _hooks:contract:export "${__h_text#export?}" ;;
    *=*) _hooks:contract:set "${__h_text%%=*}" "${__h_text#*=}" ;;
    *) __h_why="unknown contract directive '${__h_text:0:200}'" && return 1 ;;
  esac
}

_hooks:is() { # PATTERN TEXT; the same in every locale
  _hooks:bytewise || local LC_ALL=C
  [[ $2 =~ ^($1)$ ]]
}

_hooks:contract:set() { # NAME VALUE
  if ! _hooks:is '@grammar.name@' "$1"; then
    __h_why="invalid env var name '${1:0:200}' in contract"
    return 1
  fi
  if ! _hooks:may_set "$1"; then
    __h_why="a contract may not set $1; HOOKS_CONTRACT_ALLOW can permit it"
    return 1
  fi
  _hooks:contract:assign "$1" "$2"
}

_hooks:contract:assign() { # NAME VALUE; NAME is one
  local __h_attributes
  _hooks:attributes "$1" __h_attributes
  case $__h_attributes in
    *r*) __h_why="$1 is readonly" && return 1 ;;
    *[inaA]*) __h_why="a contract may not set $1: it is an integer, an array or a reference" && return 1 ;;
  esac
  printf -v "$1" '%s' "$2"
  # shellcheck disable=SC2163 # the variable that $1 names
  export "$1"
}

_hooks:attributes() { # NAME OUTVAR; of a variable without a value too
  local __h_found=''
  if [[ -z $__HOOKS_OLD_BASH && ! -R $1 && -v $1 ]]; then # what `@a` tells of another's name was not tried there
    __h_found=${!1@a}
  elif declare -p "$1" &>/dev/null; then
    __h_found=$(declare -p "$1")
    __h_found=${__h_found#declare -}
    __h_found=${__h_found%% *}
  fi
  printf -v "$2" '%s' "$__h_found"
}

# Not those that change how programs or hooks run. HOOKS_CONTRACT_ALLOW: names and patterns, separated by
# blanks; they narrow what may be set, or widen it where they begin with `+`.
_hooks:may_set() { # NAME
  _hooks:bytewise || local LC_ALL=C
  local __h_pattern __h_narrow='' __h_rest=${HOOKS_CONTRACT_ALLOW:-}
  __h_rest="${__h_rest//[$' \t\n']/ } "
  while [[ $__h_rest == *' '* ]]; do
    __h_pattern=${__h_rest%% *} __h_rest=${__h_rest#* }
    [[ -n $__h_pattern ]] || continue
    [[ $__h_pattern == +* ]] || __h_narrow=1
    # shellcheck disable=SC2053 # the right side is a pattern
    [[ $1 != ${__h_pattern#+} ]] || return 0
  done
  [[ -z $__h_narrow ]] || return 1
  case $1 in
    @grammar.protected@) return 1 ;;
  esac
  return 0
}

_hooks:env:apply() { # as below, and says what is wrong
  local __h_why=''
  _hooks:exactly _hooks:contract:env "${1:-}" && return 0
  _hooks:error "$__h_why"
  return 1
}

_hooks:contract:env() { # NAME=VALUE, NAME+=VALUE, NAME^=VALUE or NAME-=VALUE
  local __h_variable=${1%%[=+^-]*} __h_operator='' __h_value
  __h_value=${1:${#__h_variable}}
  case $__h_value in
    '='*) __h_operator='=' ;;
    [+^-]=*) __h_operator=${__h_value:0:2} ;;
    *) __h_why="invalid contract env directive '${1:0:200}'" && return 1 ;;
  esac
  __h_value=${__h_value:${#__h_operator}}
  if ! _hooks:is '@grammar.name@' "$__h_variable"; then
    __h_why="invalid env var name '${__h_variable:0:200}' in contract"
    return 1
  fi
  local __h_now=${!__h_variable-}
  case $__h_operator in
    +=) __h_value=$__h_now${__h_now:+:}$__h_value ;;
    ^=) __h_value=$__h_value${__h_now:+:}$__h_now ;;
    -=) _hooks:without "$__h_now" "$__h_value" __h_value ;;
  esac
  _hooks:contract:set "$__h_variable" "$__h_value"
}

_hooks:without() { # LIST ELEMENT OUTVAR; a list is separated by colons
  local __h_rest=$1: __h_kept='' __h_part
  while [[ $__h_rest == *:* ]]; do
    __h_part=${__h_rest%%:*}
    __h_rest=${__h_rest#*:}
    [[ -z $__h_part || $__h_part == "$2" ]] || __h_kept+=${__h_kept:+:}$__h_part
  done
  printf -v "$3" '%s' "$__h_kept"
}

# What the caller is to do is for itself alone: exported, it would end the scripts that the caller starts.
_hooks:contract:exit() { # CODE
  if ! _hooks:is '@grammar.exit_code@' "$1" || ((10#$1 > 255)); then
    __h_why="'${1:0:200}' is not an exit code (0 to 255)"
    return 1
  fi
  __HOOKS_FLOW_TERMINATE=true __HOOKS_FLOW_EXIT_CODE=$((10#$1))
}

_hooks:contract:route() { # FILE, from where the caller was when it ran the hook
  if [[ -z $1 ]]; then
    __h_why='the file of a route is missing'
    return 1
  fi
  __HOOKS_FLOW_TERMINATE=true __HOOKS_FLOW_ROUTE=$1
  [[ $1 == /* ]] || __HOOKS_FLOW_ROUTE=${__h_caller_place:-$PWD}/$1
}

_hooks:contract:mode() { # MODE[:ARGUMENT]
  local __h_mode=${1%%:*} __h_argument='' __h_kind __h_default __h_pair
  local -a __h_exported __h_own
  [[ $1 != *:* ]] || __h_argument=${1#*:}
  case $__h_mode in
    @grammar.modes@
    *) __h_why="'${__h_mode:0:200}' is not a mode; known: @grammar.mode_names@" && return 1 ;;
  esac
  [[ -n $__h_argument ]] || __h_argument=$__h_default
  _hooks:mode:"${__h_kind:-plain}" || return 1
  _hooks:contract:assign CI_MODE "${__h_mode^^}" || return 1
  for __h_pair in "${__h_exported[@]}" "${__h_own[@]}"; do
    _hooks:contract:assign "${__h_pair%%=*}" "${__h_pair#*=}" || return 1
  done
  [[ ${#__h_own[@]} -eq 0 ]] || export -n "${__h_own[@]%%=*}"
}

_hooks:mode:plain() {
  [[ -z $__h_argument ]] || { __h_why="the mode '$__h_mode' takes no argument" && return 1; }
}

_hooks:mode:zero() { _hooks:mode:plain && _hooks:contract:exit 0; }

_hooks:mode:code() {
  if [[ $__h_argument =~ ^0+$ ]]; then
    __h_why="'$__h_argument' is not the exit code of an error (1 to 255)"
    return 1
  fi
  _hooks:contract:exit "$__h_argument" || return 1
  __h_own=("${__h_own[@]//\{\}/$__HOOKS_FLOW_EXIT_CODE}")
}

_hooks:mode:seconds() {
  if ! _hooks:is '@grammar.seconds@' "$__h_argument" || [[ $__h_argument =~ ^[0.]+$ ]]; then
    __h_why="'${__h_argument:0:200}' is not a number of seconds: write $__h_mode:SECONDS"
    return 1
  fi
  __HOOKS_FLOW_TIMEOUT=$__h_argument
  __h_exported=("${__h_exported[@]//\{\}/$__h_argument}")
}

_hooks:mode:file() { _hooks:contract:route "$__h_argument"; }

_hooks:contract:export() { # NAME=WORD, as a shell would write it
  local __h_pair=$1 __h_word
  while [[ $__h_pair == [$' \t']* ]]; do __h_pair=${__h_pair:1}; done
  __h_word=${__h_pair#*=}
  if [[ $__h_pair != *=* ]]; then
    __h_why="invalid contract env directive 'export ${1:0:200}'"
    return 1
  fi
  case $__h_word in
    "'"*"'") __h_word=${__h_word:1:${#__h_word}-2} && [[ $__h_word != *"'"* ]] ;;
    '"'*'"') __h_word=${__h_word:1:${#__h_word}-2} && [[ $__h_word != *[\"\$\`\\]* ]] ;;
    *) _hooks:is '@grammar.bare@' "$__h_word" ;;
  esac || {
    __h_why='only plain or quoted words can be exported: nothing is evaluated'
    return 1
  }
  _hooks:contract:set "${__h_pair%%=*}" "$__h_word"
}
