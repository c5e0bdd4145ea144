# Byzanz. 'make help' lists the targets.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
# One worker more than cores, because browser tests spend time waiting. These tests are long and next
# to each other in the list, so idle workers must be able to take tests from busy ones (worksteal).
WORKERS := $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
PIP := $(BIN)/pip --disable-pip-version-check --quiet

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
# Tests start hundreds of processes; without bytecode files each would compile every module.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play terminal test check bench soak catalogues docs dist clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

play: .venv/plays ## play in your browser
	@$(BIN)/byzanz serve --open

terminal: .venv/plays ## play in this terminal
	@$(BIN)/byzanz play

test: .venv/develops ## run the tests
	@$(BIN)/python -m tests.web.browsers
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

check: .venv/develops ## check format, lint, types, imports and documentation
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest -q tests/docs tests/packaging/test_imports.py

bench: .venv/develops ## measure speed, and compare with other simulators if they are installed
	$(BIN)/python -m benchmarks.readable_engine
	$(BIN)/python -m benchmarks.engines --write
	$(BIN)/python -m benchmarks.environments --write
	$(BIN)/python -m benchmarks.load --seconds 60 --finished 200 --write

soak: .venv/develops ## run the long tests: random games, illegal actions, lockstep, mutations
	$(BIN)/pytest -m slow -n $(WORKERS) --dist worksteal
	$(BIN)/python -m tests.soak
	$(BIN)/python -m tests.notation.proofs --deals 10000
	$(BIN)/python -m tests.fast.lockstep --games 5000 --jobs 2
	$(BIN)/python -m tests.envs.lockstep --games 200
	$(BIN)/python -m tests.tables.races --races 2000
	$(BIN)/python -m tests.tables.races --races 2000 --url postgresql
	$(BIN)/python -m tests.tables.answer_times --positions 400
	$(BIN)/python -m tests.web.worlds --games 200 --jobs 2
	$(BIN)/python -m tests.web.malformed --requests 20000
	$(BIN)/python -m tests.web.killing --kills 200
	$(BIN)/python -m tests.web.killing --kills 200 --postgresql
	$(BIN)/python -m tests.web.killing --kills 500 --workers 3
	$(BIN)/python -m tests.web.killing --kills 20 --workers 3 --how replace
	$(BIN)/python -m tests.web.killing --kills 20 --workers 3 --how restart-database
	$(BIN)/python -m tests.web.reconnecting
	$(BIN)/python -m tests.web.browser.test_layout
	$(BIN)/python -m tests.web.browser.test_speed
	$(BIN)/python -m tests.web.browser.test_lessons
	$(BIN)/byzanz lessons check
	$(BIN)/byzanz puzzles check
	$(BIN)/python -m tests.coach.reasons.positions
	$(BIN)/python -m tests.coach.exhaustive --positions 2000
	$(BIN)/python -m scripts.rate_bots --check --games 2000
	$(BIN)/python -m tests.mutation

catalogues: .venv/develops ## update and compile the translation catalogues
	$(BIN)/python -m scripts.catalogues

docs: .venv/documents ## build the documentation site in build/site, and check its links
	$(BIN)/python -m scripts.site

dist: .venv/develops ## build the source distribution and the wheel, and test the wheel
	@rm -rf dist
	$(BIN)/python -m hatchling build
	@echo "Testing the wheel in a new virtual environment ..."
	$(BIN)/python -m tests.packaging.installation dist/*.whl
	@echo "Built:"; ls dist/* | sed 's/^/  /'

clean: ## remove .venv and all build files
	rm -rf .venv build dist mutants .hypothesis .mypy_cache .pytest_cache .ruff_cache

.venv/made:
	$(PYTHON) -c 'import sys; sys.exit("Byzanz needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/plays: .venv/made pyproject.toml constraints.txt
	@echo "Setting up (once) ..."
	$(PIP) install --editable .
	$(BIN)/python -m byzanz.terminal.compilation
	@touch $@

.venv/develops: .venv/made pyproject.toml constraints.txt
	@echo "Setting up (once) ..."
	$(PIP) install --editable '.[dev]'
	$(BIN)/python -m byzanz.terminal.compilation
	@touch $@ .venv/plays

.venv/documents: .venv/made pyproject.toml constraints.txt
	@echo "Setting up (once) ..."
	$(PIP) install --editable '.[docs]'
	@touch $@
