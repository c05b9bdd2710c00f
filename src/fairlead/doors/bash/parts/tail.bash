[[ -n ${__SOURCED__:-} || -n ${__HOOKS_BOOTSTRAPPED:-} ]] || {
  declare -g __HOOKS_BOOTSTRAPPED=1
  hooks:bootstrap
}
