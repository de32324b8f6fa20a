# Everything a clone needs. `make` alone says what there is.
#
# Work is done in .venv and web/node_modules; marks of finished steps lie in .venv, so that a second run is
# quick and removing .venv starts afresh. All paths are relative: the clone may lie anywhere.

PYTHON ?= python3
JOBS ?= auto
GAMES ?= 1000
WATCHED ?= 20000
FEWER ?= 5000
RELATIVES ?= "onepage-2.21 --points 750" "apocalypse-3.3 --points 1000"
SEED ?= 1
EDITION ?= onepage-3.0
ARGS ?=

PY := .venv/bin/python
PIP := $(PY) -m pip --quiet --disable-pip-version-check install
PAGE := src/rolloff/server/page/index.html
GEOMETRY := src/rolloff/geometry
KERNEL_SOURCES := $(wildcard $(GEOMETRY)/build_kernels.py $(GEOMETRY)/kernel_sources.py $(GEOMETRY)/trig.py $(GEOMETRY)/csrc/*)
PAGE_SOURCES := $(shell find web/src web/public -type f 2>/dev/null) \
	$(addprefix web/,index.html package.json svelte.config.js tsconfig.json vite.config.ts)

step = @printf '\n== %s\n' "$(1)"

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play test lint format units page-tests bench page-bench soak mutants kernels try-kernels page pictures wheel \
	requirements clean distclean

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

play: .venv/.run try-kernels $(PAGE) ## start the table in the browser
	@$(PY) -m rolloff play $(ARGS)

test: .venv/.dev try-kernels $(PAGE) lint page-tests units ## every check: format, lint, types, contracts, tests

lint: .venv/.dev ## format, lint, types, import contracts
	$(call step,format)
	@$(PY) -m ruff format --check --output-format concise .
	$(call step,lint)
	@$(PY) -m ruff check --output-format concise .
	$(call step,types)
	@$(PY) -m mypy
	$(call step,import contracts)
	@.venv/bin/lint-imports --no-logo

format: .venv/.dev ## put every Python file into shape
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format .

page-tests: web/node_modules/.package-lock.json
	$(call step,page: types)
	@web/npm run --silent check
	$(call step,page: tests)
	@web/npm run --silent test

units: .venv/.dev
	@printf '\n== tests: unit, property, golden, browser\n'
	@$(PY) -m pytest -n $(JOBS) $(ARGS)

bench: .venv/.dev try-kernels ## measure the numbers the design holds; BASE=commit interleaves two commits
	@$(if $(BASE),$(PY) -m tools.bench_base "$(BASE)" $(ARGS),$(PY) -m rolloff bench $(ARGS))

page-bench: .venv/.dev try-kernels $(PAGE) ## measure the page in Chromium: start, first shot, frames, verdicts, size
	@$(PY) -m bench.page_bench $(ARGS)

soak: .venv/.dev try-kernels ## many games and attacks from SEED: records, invariants, frequencies, census, long counts
	@for agents in "random random" "closing closing"; do \
		rm -rf build/soak && mkdir -p build/soak && \
		printf '\n== soak: %s\n' "$$agents" && \
		$(PY) -m rolloff duel $$agents --edition "$(EDITION)" --games $(GAMES) --seed $(SEED) \
			--record build/soak $(ARGS) && \
		find build/soak -name '*.jsonl' -print0 | xargs -0 -n 200 $(PY) -m rolloff record verify || exit 1; \
	done
	$(call step,soak: invariants)
	@$(PY) -m tests.properties.soak --agents random --games $(WATCHED) --seed $(SEED) --jobs 2
	@$(PY) -m tests.properties.soak --agents closing --games $(GAMES) --seed $(SEED) --jobs 2
	@$(PY) -m tests.properties.soak --agents greedy --games 300 --seed $(SEED) --jobs 2
	@$(PY) -m tests.properties.soak --agents random --edition commentary-10 --games 10000 --seed $(SEED) --jobs 2
	@for points in 1000 2000; do \
		$(PY) -m rolloff duel random random --edition commentary-10 --points $$points --games $(GAMES) --seed $(SEED) --jobs 2 || exit 1; \
	done
	@for edition in $(RELATIVES); do \
		$(PY) -m tests.properties.soak --agents random --edition $$edition --games $(FEWER) --seed $(SEED) --jobs 2 && \
		$(PY) -m tests.properties.soak --agents closing --edition $${edition%% *} --games 100 --seed $(SEED) --jobs 2 || exit 1; \
	done
	$(call step,soak: frequencies of attacks)
	@$(PY) -m tests.odds.soak --attacks 200000 --seed $(SEED) --jobs 2
	$(call step,soak: larger sets of rules against every fall of the dice)
	@$(PY) -m pytest -n 2 -q -m soak --ignore=tests/server tests
	$(call step,soak: the server killed and attacked by hostile messages; memory over many games; a full disk)
	@$(PY) -m pytest -n 0 -s -q -m soak tests/server
	$(call step,soak: census)
	@$(PY) -m tools.census --agents random --games 500 --seed $(SEED) --verify
	@$(PY) -m tools.census --agents greedy --games 200 --seed $(SEED) --verify
	@for edition in "onepage-2.21 --points 750 1500" apocalypse-3.3; do \
		$(PY) -m tools.census --agents random --games 300 --seed $(SEED) --verify --edition $$edition && \
		$(PY) -m tools.census --agents greedy --games 100 --seed $(SEED) --verify --edition $$edition || exit 1; \
	done
	@$(PY) -m tools.census_phases --seed $(SEED)
	$(call step,soak: golden counts)
	@$(PY) -m tools.golden --all
	$(call step,soak: reference games)
	@$(PY) -m tools.reference_games

mutants: .venv/.dev ## switch off the code that cites CLAUSE (of EDITION); its tests must fail
	@test -n "$(CLAUSE)" || { echo "Say which clause: make mutants CLAUSE=SHOOT-6" >&2; exit 2; }
	@$(PY) -m tools.mutants --edition "$(EDITION)" "$(CLAUSE)" $(ARGS)

kernels: .venv/.kernels ## compile the geometry kernels in place

try-kernels: .venv/.run
	@$(MAKE) --no-print-directory --silent .venv/.kernels >.venv/kernels.log 2>&1 || \
		echo "No compiled kernels (.venv/kernels.log says why): the plain twin gives the same answers, slower." >&2

page: $(PAGE) ## build the browser's page into the package

pictures: .venv/.dev try-kernels $(PAGE) ## take the pictures of the README and the documents anew
	@$(PY) -m tools.pictures

wheel: .venv/.run $(PAGE) ## build a wheel into dist/ (with the clause coverage of the last whole test run)
	@$(PY) -m tools.ship_coverage || true
	@rm -rf build/lib build/bdist.* build/temp.*
	@$(PY) -m pip --quiet --disable-pip-version-check wheel --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist

requirements: ## pin every package anew, by hash, without registry addresses
	@$(PYTHON) -m venv build/pins && build/pins/bin/python -m pip --quiet install pip-tools
	@set -e; export CUSTOM_COMPILE_COMMAND="make requirements"; \
	pin() { build/pins/bin/python -m piptools compile --quiet --upgrade --generate-hashes --strip-extras \
		--allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options "$$@"; }; \
	pin -o requirements/run.txt pyproject.toml; \
	pin -c requirements/run.txt --extra dev --extra plots --extra postgresql -o requirements/dev.txt pyproject.toml; \
	pin -o requirements/build.txt requirements/build.in; \
	pin -o requirements/web.txt requirements/web.in

clean: ## remove what was built and cached; keep .venv and web/node_modules
	rm -rf build dist src/*.egg-info src/rolloff/server/page .pytest_cache .mypy_cache .ruff_cache \
		.import_linter_cache .hypothesis .coverage* .venv/.kernels .venv/.run
	rm -f $(GEOMETRY)/_kernels.c $(GEOMETRY)/_kernels*.so $(GEOMETRY)/*.o
	find src tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean ## remove .venv and web/node_modules too
	rm -rf .venv web/node_modules

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Rolloff needs Python 3.11 or later; say which with make PYTHON=..." >&2; exit 1; }
	@python="$(if $(filter file,$(origin PYTHON)),$$($(PYTHON) tools/quick_python.py),$(PYTHON))" && \
		echo "Setting up .venv of $$python" && "$$python" -m venv .venv

.venv/.run: requirements/run.txt requirements/build.txt pyproject.toml setup.py | .venv/bin/python
	@echo "Installing what Rolloff runs on"
	@$(PIP) --require-hashes -r requirements/build.txt -r requirements/run.txt
	@ROLLOFF_KERNELS=off $(PIP) --no-deps --no-build-isolation --editable .
	@$(PY) -m compileall -q src/rolloff
	@touch $@

.venv/.dev: requirements/dev.txt .venv/.run
	@echo "Installing what the checks need"
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

# A failed build leaves no old kernels behind: they would disagree with the plain twin.
.venv/.kernels: .venv/.run $(KERNEL_SOURCES)
	@rm -f $(GEOMETRY)/_kernels*.so
	@echo "Compiling the kernels"
	@$(PY) $(GEOMETRY)/build_kernels.py
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json web/package.json | .venv/bin/python
	@echo "Installing what the page is built with"
	@web/npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): web/node_modules/.package-lock.json $(PAGE_SOURCES)
	@echo "Building the page"
	@web/npm run --silent build
	@touch $@
