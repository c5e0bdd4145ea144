# Byzanz. 'make help' lists what can be made.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
# One more than there are cores, for tests in a browser also wait. They are long and lie side by side:
# whoever is done takes over from the others, or one would play all of them alone in the end.
WORKERS := $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
PIP := $(BIN)/pip --disable-pip-version-check --quiet

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
# Tests start hundreds of processes, which need not compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play terminal test check bench soak catalogues clean
.DEFAULT_GOAL := help

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

play: .venv/plays ## play in your browser (sets everything up first)
	@$(BIN)/byzanz serve --open

terminal: .venv/plays ## play a game in this terminal
	@$(BIN)/byzanz play

test: .venv/develops ## all tests
	@$(BIN)/python -m tests.web.browsers
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

check: .venv/develops ## format, lint, types, the import contract, the documentation's promises
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest -q tests/docs

bench: .venv/develops ## speed, beside a peer where one is installed
	$(BIN)/python -m benchmarks.readable_engine
	$(BIN)/python -m benchmarks.engines --write
	$(BIN)/python -m benchmarks.load --seconds 60 --finished 200 --write

soak: .venv/develops ## the long tests: many games, illegal attempts, lockstep, mutations
	$(BIN)/python -m tests.soak
	$(BIN)/python -m tests.fast.lockstep --games 5000 --jobs 2
	$(BIN)/python -m tests.tables.races --races 2000
	$(BIN)/python -m tests.tables.races --races 2000 --url postgresql
	$(BIN)/python -m tests.web.worlds --games 200 --jobs 2
	$(BIN)/python -m tests.web.malformed --requests 20000
	$(BIN)/python -m tests.web.killing --kills 200
	$(BIN)/python -m tests.web.killing --kills 200 --postgresql
	$(BIN)/python -m tests.web.browser.test_layout
	$(BIN)/python -m tests.mutation

catalogues: .venv/develops ## take up new texts into the catalogues of all languages, and compile them
	$(BIN)/python -m scripts.catalogues

clean: ## remove what was set up and built
	rm -rf .venv build dist mutants .hypothesis .mypy_cache .pytest_cache .ruff_cache

.venv/made:
	$(PYTHON) -c 'import sys; sys.exit("Byzanz needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/plays: .venv/made pyproject.toml constraints.txt
	@echo "Setting up (once) ..."
	$(PIP) install --editable .
	$(BIN)/python -c 'from byzanz.bots import BOTS, make_bot; [make_bot(name, 0) for name in BOTS]'
	@touch $@

.venv/develops: .venv/made pyproject.toml constraints.txt
	@echo "Setting up (once) ..."
	$(PIP) install --editable '.[dev]'
	@touch $@ .venv/plays
