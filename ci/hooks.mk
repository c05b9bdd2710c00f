# Hooks in a Makefile: `include ci/hooks.mk`, then
#
#   deploy:
#   	$(call with_hook,begin,./deploy.sh production)
#
# runs the hook `begin` of the folder ci-cd, and the command in the same shell after it: it has what the hook
# set, and does not run if the hook asked to end. `make hook-NAME` runs a hook alone.
FAIRLEAD ?= fairlead
HOOK_FOLDER ?= ci-cd
HOOK_ARGUMENTS ?= $@
HOOK_OPTIONS ?=

with_hook = @set -e; set_by_hook=$$(mktemp); trap 'rm -f "$$set_by_hook"' EXIT; \
	$(FAIRLEAD) run --dir=$(HOOK_FOLDER) --apply --export="$$set_by_hook" $(HOOK_OPTIONS) -- $(1) $(HOOK_ARGUMENTS); \
	. "$$set_by_hook"; $(2)

hook-%:
	@$(FAIRLEAD) run --dir=$(HOOK_FOLDER) --apply $(HOOK_OPTIONS) -- $* $(HOOK_ARGUMENTS)
