# --- the recorder ---------------------------------------------------------------------------------------

# Read from this file when it is needed, unless this comes through a pipe.
[[ ! -f ${BASH_SOURCE[0]} ]] || return 0
IFS= read -r -d '' __HOOKS_RECORDER <<'FAIRLEAD_RECORDER' || :
@recorder@FAIRLEAD_RECORDER
