# --- contracts in JSON ----------------------------------------------------------------------------------

# An object of texts, numbers and booleans; `"mode"` changes the mode, everything else is a variable. What
# is not such an object does nothing at all.
_hooks:contract:json() { # OBJECT
  local -a __h_names=() __h_values=() __h_kinds=()
  if ! _hooks:json:object "$1"; then
    __h_why="contract:${1:0:200} is not a flat JSON object of texts, numbers and booleans"
    return 1
  fi
  local __h_each __h_all=''
  for __h_each in "${!__h_names[@]}"; do
    _hooks:json:pair "${__h_names[__h_each]}" "${__h_values[__h_each]}" "${__h_kinds[__h_each]}" ||
      __h_all+=${__h_all:+; }$__h_why
  done
  __h_why=$__h_all
  [[ -z $__h_all ]]
}

_hooks:json:pair() { # NAME VALUE KIND
  if [[ $3 == null ]]; then
    __h_why="$1 is null and stays as it is"
    return 1
  elif [[ $1 == mode ]]; then
    _hooks:contract:mode "$2"
  else
    _hooks:contract:set "$1" "$2"
  fi
}

_hooks:json:object() { # OBJECT; fills __h_names, __h_values, __h_kinds
  _hooks:bytewise || local LC_ALL=C # what is not ASCII stays as it is
  local __h_rest=$1 __h_text __h_kind
  local __h_blank='' __h_empty=$'^[{][ \t\n\r]*[}][ \t\n\r]*$'
  [[ ! $__h_rest =~ $__h_empty ]] || return 0
  __h_rest=${__h_rest#\{}
  while :; do
    _hooks:json:skip && _hooks:json:text || return 1
    [[ $__h_text =~ ^(@grammar.name@)$ ]] || return 1
    __h_names+=("$__h_text")
    _hooks:json:skip
    [[ $__h_rest == :* ]] || return 1
    __h_rest=${__h_rest:1}
    _hooks:json:skip && _hooks:json:value || return 1
    [[ ${__h_names[-1]} != mode || $__h_kind == text ]] || return 1
    __h_values+=("$__h_text") __h_kinds+=("$__h_kind")
    _hooks:json:skip
    case $__h_rest in
      ,*) __h_rest=${__h_rest:1} ;;
      \}*) __h_rest=${__h_rest:1} && _hooks:json:skip && [[ -z $__h_rest ]] && return 0 || return 1 ;;
      *) return 1 ;;
    esac
  done
}

_hooks:json:skip() { # blanks
  __h_blank=${__h_rest%%[!$' \t\n\r']*}
  __h_rest=${__h_rest:${#__h_blank}}
}

_hooks:json:value() { # takes it from __h_rest to __h_text and __h_kind
  __h_kind=word
  case $__h_rest in
    \"*) __h_kind=text && _hooks:json:text ;;
    true*) __h_text=true && __h_rest=${__h_rest:4} ;;
    false*) __h_text=false && __h_rest=${__h_rest:5} ;;
    null*) __h_text='' && __h_kind=null && __h_rest=${__h_rest:4} ;;
    *)
      [[ $__h_rest =~ ^(@grammar.json_number@) ]] || return 1
      __h_text=${BASH_REMATCH[1]} && __h_rest=${__h_rest:${#__h_text}}
      ;;
  esac
}

_hooks:json:text() { # takes it from __h_rest to __h_text
  [[ $__h_rest == '"'* ]] || return 1
  local __h_plain
  __h_rest=${__h_rest:1} __h_text=''
  while :; do
    __h_plain=${__h_rest%%[\"\\]*}
    [[ $__h_plain != *[$'\x01'-$'\x1f']* ]] || return 1
    __h_text+=$__h_plain
    __h_rest=${__h_rest:${#__h_plain}}
    case $__h_rest in
      \"*) __h_rest=${__h_rest:1} && return 0 ;;
      \\u*) _hooks:json:code_point || return 1 ;;
      \\[\"\\/]*) __h_text+=${__h_rest:1:1} && __h_rest=${__h_rest:2} ;;
      \\[bfnrt]*) printf -v __h_plain '%b' "${__h_rest:0:2}" && __h_text+=$__h_plain && __h_rest=${__h_rest:2} ;;
      *) return 1 ;;
    esac
  done
}

# `\u00e9`, or two halves of what is beyond 16 bits; not a half alone, and not the NUL that no variable holds.
_hooks:json:code_point() {
  [[ $__h_rest =~ ^\\u([0-9A-Fa-f]{4}) ]] || return 1
  local __h_point=$((16#${BASH_REMATCH[1]}))
  __h_rest=${__h_rest:6}
  if ((__h_point >= 0xd800 && __h_point < 0xdc00)); then
    [[ $__h_rest =~ ^\\u([dD][c-fC-F][0-9A-Fa-f]{2}) ]] || return 1
    __h_point=$((0x10000 + ((__h_point - 0xd800) << 10) + 16#${BASH_REMATCH[1]} - 0xdc00))
    __h_rest=${__h_rest:6}
  elif ((__h_point == 0 || (__h_point >= 0xdc00 && __h_point < 0xe000))); then
    return 1
  fi
  _hooks:json:utf8 "$__h_point"
}

_hooks:json:utf8() { # CODE_POINT; adds its bytes to __h_text
  local __h_bytes
  if (($1 < 0x80)); then
    printf -v __h_bytes '\\x%02x' "$1"
  elif (($1 < 0x800)); then
    printf -v __h_bytes '\\x%02x' $((0xc0 | $1 >> 6)) $((0x80 | $1 & 63))
  elif (($1 < 0x10000)); then
    printf -v __h_bytes '\\x%02x' $((0xe0 | $1 >> 12)) $((0x80 | $1 >> 6 & 63)) $((0x80 | $1 & 63))
  else
    printf -v __h_bytes '\\x%02x' $((0xf0 | $1 >> 18)) $((0x80 | $1 >> 12 & 63)) $((0x80 | $1 >> 6 & 63)) $((0x80 | $1 & 63))
  fi
  printf -v __h_bytes '%b' "$__h_bytes"
  __h_text+=$__h_bytes
}
