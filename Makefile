# Every target sets up what it needs: any of them may be the first command in a fresh clone.
#   make test                     the whole judgement; what CI runs
#   make test ARGS="-k replay"    the same, with pytest narrowed down
#   make setup PYTHON=python3.13  another interpreter (remove .venv first: make clean)

PYTHON  ?= python3
UV      ?= uv
WORKERS ?= 2
# A third of a test is waiting for other processes and for time to pass: half as many more fill it.
TESTERS ?= $(shell echo $$(($(WORKERS) * 3 / 2)))
SHARE   ?= 1
MINUTES ?= 20
ARGS    ?=

# Where Python may not keep what it compiled, each of the hundreds of processes that the tests start
# compiles the whole package again, for most of its life. `make clean` takes the caches away.
export PYTHONDONTWRITEBYTECODE :=

VENV := .venv
BIN  := $(VENV)/bin
DEPS := $(VENV)/dependencies.stamp
HOUSE := $(VENV)/package.stamp
CODE := src tests tools

# Some systems split ensurepip from Python; there the pip outside installs into the venv.
PIP = $$($(BIN)/python -c 'import pip' 2>/dev/null && echo $(BIN)/python -m pip || echo $(PYTHON) -m pip --python $(BIN)/python)
PIP_INSTALL = $(PIP) --disable-pip-version-check install --quiet

LOCK_AS = --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet $(LOCK_FLAGS)
LOCK = $(UV) pip compile pyproject.toml $(LOCK_AS)

# Each is measured in an environment of its own, so that ours stays as it is shipped.
PEERS := langgraph dbos burr

.DEFAULT_GOAL := help
.PHONY: help setup demo test browser cluster shots pictures lint types floors rules fix bench peers soak docs mutants mutation check-long conformance-long proofs-long planning-long execution-long spec-long torture clients lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(HOUSE) ## Make .venv with everything in it; does nothing when it is up to date

demo: $(HOUSE) ## Work a plan and a mission over MCP, build a ticket; kill, resume, and prove it all
	@rm -rf demo-data
	@$(BIN)/interlock --data demo-data demo

test: lint types floors rules browser cluster ## All checks and all tests; the last line is the verdict
	@$(BIN)/python -m pytest -n $(TESTERS) --dist worksteal $(ARGS)

browser: ## See to it that there is a Chromium for the tests of the page; CHROMIUM=path names another
	@command -v $${CHROMIUM:-chromium-headless-shell} >/dev/null || { test -z "$$CHROMIUM" && command -v chromium >/dev/null; } || { \
	  echo "installing chromium (once)"; apt-get -qq update && apt-get -qq install --yes chromium-headless-shell >/dev/null; } || { \
	  echo "The tests of the page need a Chromium: install one, or say CHROMIUM=path/to/it." >&2; exit 1; }

cluster: ## See to it that there are etcd, patroni, haproxy and pgbouncer, for the tests of a fail-over
	@sh tools/postgres/cluster.sh

shots: $(HOUSE) browser ## Pictures of every page, light, dark and on a phone, into build/shots
	@$(BIN)/python -m tests.browser.shots

pictures: $(HOUSE) browser ## Render the pictures of the README from the demo's data, into docs/pictures
	@$(BIN)/python -m tests.browser.pictures

lint: $(HOUSE) ## Look for mistakes and odd layout (ruff)
	@$(BIN)/ruff check --quiet $(CODE)
	@$(BIN)/ruff format --check --quiet $(CODE)

types: $(HOUSE) ## Check the types of source, tests and tools (mypy, strict)
	@$(BIN)/mypy --num-workers $(WORKERS) --no-error-summary

floors: $(HOUSE) ## Check that imports only go down (import-linter)
	@$(BIN)/lint-imports --no-logo

rules: $(HOUSE) ## Check sizes, names, mirrors, words and locks (our own house rules)
	@$(BIN)/python -m tools.house_rules

fix: $(HOUSE) ## Mend what ruff can mend by itself
	@$(BIN)/ruff check --fix $(CODE)
	@$(BIN)/ruff format $(CODE)

bench: $(HOUSE) peers ## Measure kernel, engine and doors beside floors and peers (15 minutes); writes build/bench.json and docs/benchmarks.md
	@mkdir -p build
	@$(BIN)/python -m tools.bench
	@$(BIN)/python -m tools.bench.page

peers: $(PEERS:%=build/peers/%/.venv/peer.stamp) ## Make the environments of the programs that are measured beside us (build/peers)

soak: $(HOUSE) ## Load a server for MINUTES on each store; memory, descriptors, WAL and p99 must stay flat; writes build/soak.json
	@$(BIN)/python -m tools.soak --minutes $(MINUTES) $(ARGS)

docs: $(HOUSE) ## Redraw docs/machines from the tables
	@$(BIN)/python -m tools.docs

mutants: $(HOUSE) ## Remove every row of the tables in turn; each must make a check or a test fail
	@$(BIN)/python -m tools.mutants

mutation: $(HOUSE) build/mutation/.venv/mutmut.stamp ## Change the code that decides, a place at a time; a test must fail: an hour, and a stopped run goes on; ARGS="fence chain" names groups
	@$(BIN)/python -m tools.mutation --workers $(WORKERS) $(ARGS)

check-long: $(HOUSE) ## The checks at large bounds: minutes, not seconds
	@$(BIN)/interlock workflow check plan --steps 4
	@$(BIN)/interlock workflow check mission --hops 3
	@$(BIN)/interlock workflow check ticket --beads 5

conformance-long: $(HOUSE) ## Every command in every state against the engine, at large bounds: an hour
	@$(BIN)/python -m pytest -n $(WORKERS) -rP tests/conformance --long $(ARGS)

proofs-long: $(HOUSE) ## Every write of missions made to fail on both stores, every race 200 times, longer walks, every cursor, command, door and look: minutes
	@$(BIN)/python -m pytest -n $(WORKERS) tests/browser/test_axe.py tests/commands tests/crash/test_mission_writes.py tests/doors/test_parity.py tests/doors/test_tenants.py tests/kernel/check/test_outcome.py tests/kernel/test_explain.py tests/races tests/ideas --long $(ARGS)

planning-long: $(HOUSE) ## A planning run whose server and worker are killed in every phase; the run on PostgreSQL: minutes
	@$(BIN)/python -m pytest tests/planning --long $(ARGS)

execution-long: $(HOUSE) ## A whole ticket whose server and worker are killed at every boundary and inside every phase: minutes
	@$(BIN)/python -m pytest tests/execution --long $(ARGS)

spec-long: $(HOUSE) ## What the specs promise, on SQLite and PostgreSQL: every pair of status and command
	@$(BIN)/python -m pytest -n $(WORKERS) tests/spec --long $(ARGS)

torture: $(HOUSE) ## Every campaign at its large figure, and every planted bug: hours; SHARE=0.1 runs a tenth, and a stopped run goes on
	@$(BIN)/python -m tests.torture run --share $(SHARE) $(ARGS)

clients: $(HOUSE) ## Fetch the real MCP clients (npm) and let each of them work on our server
	@$(BIN)/python -m tools.clients
	@$(BIN)/python -m pytest -rA tests/clients $(ARGS)

lock: ## Make the lock files again (needs uv); LOCK_FLAGS=--upgrade takes newer versions
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: install it anywhere and say UV=path/to/uv" >&2; exit 1; }
	@$(LOCK) --output-file requirements/run.txt >/dev/null
	@$(LOCK) --constraint requirements/run.txt --extra dev --extra bench --output-file requirements/dev.txt >/dev/null
	@for peer in $(PEERS); do \
	  $(UV) pip compile requirements/peers/$$peer.in $(LOCK_AS) --output-file requirements/peers/$$peer.txt >/dev/null || exit 1; done
	@$(UV) pip compile requirements/mutation.in $(LOCK_AS) --constraint requirements/dev.txt --output-file requirements/mutation.txt >/dev/null
	@echo "requirements/run.txt, dev.txt, mutation.txt and requirements/peers are up to date"

clean: ## Remove .venv, caches and everything that was built
	@rm -rf $(VENV) build dist demo-data .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find $(CODE) -name __pycache__ -prune -exec rm -rf {} +

$(DEPS): requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Interlock needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "Say which one to use: make setup PYTHON=python3.12" >&2; exit 1; }
	@echo "setting up $(VENV) (once; about half a minute)"
	@$(PYTHON) -m venv --clear $(VENV) >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip $(VENV)
	@$(PIP_INSTALL) --require-hashes --requirement requirements/dev.txt
	@touch $@

build/peers/%/.venv/peer.stamp: requirements/peers/%.txt
	@echo "setting up $* in $(@D) (once)"
	@$(PYTHON) -m venv --clear $(@D) >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip $(@D)
	@$(PYTHON) -m pip --python $(@D)/bin/python --disable-pip-version-check install --quiet --require-hashes --requirement $<
	@touch $@

# mutmut alone; what the tests need is looked up in our own environment, after it. A path in a .pth
# does not bring the .pth files that lie there: our sources are not found, only those it changed.
build/mutation/.venv/mutmut.stamp: requirements/mutation.txt $(DEPS)
	@echo "setting up mutmut in $(@D) (once)"
	@$(PYTHON) -m venv --clear $(@D) >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip $(@D)
	@$(PYTHON) -m pip --python $(@D)/bin/python --disable-pip-version-check install --quiet --require-hashes --requirement $<
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > $$($(@D)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/house.pth
	@touch $@

# Built from what is installed already, without a network: the build backend is in the lock.
$(HOUSE): $(DEPS) pyproject.toml
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
