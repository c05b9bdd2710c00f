# --- the recorder ---------------------------------------------------------------------------------------

# Read from this file when it is needed, unless this comes through a pipe.
if [[ -f ${BASH_SOURCE[0]} ]]; then
  [[ -z $__HOOKS_ALIASES ]] || shopt -s expand_aliases
  return 0
fi
mapfile -t -d '' __HOOKS_RECORDER <<'FAIRLEAD_RECORDER'
@recorder@FAIRLEAD_RECORDER
[[ -z $__HOOKS_ALIASES ]] || shopt -s expand_aliases
