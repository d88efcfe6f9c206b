# The short commands of the README. Each does its own set-up; they need make, and a Python of at least 3.11 with pip.
# On Python 3.11 the locks give Django 5.2, from 3.12 on Django 6.1.
#   make test PYTHON=/path/to/python3.12 VENV=var/venv312     another Python, in an environment of its own

.DEFAULT_GOAL := help
.PHONY: help demo test run check lint types migrations deploy contract conformance fuzz bench bench-emails lock clean

VENV ?= .venv
PYTHON ?= $(shell tools/find_python.sh)
BIN := $(VENV)/bin
# Quiet twice: no progress and no remarks of pip, errors only.
PIP_INSTALL := $(BIN)/python -m pip install -qq --require-hashes --only-binary :all:

help:
	@echo "make demo    a guided walk: the official MCP client against a server with sample mail"
	@echo "make test    the tests"
	@echo "make run     the same server, left running, with a token and the lines for common MCP clients"
	@echo "make check   lint, types, missing migrations, deployment checks"
	@echo "make contract     the REST API against its own OpenAPI document (part of make check)"
	@echo "make conformance  the official suite and the official clients (needs npm)"
	@echo "make fuzz         50,000 mutated messages"
	@echo "make bench   CPU per request, each beside a baseline of the same run"
	@echo "make bench-emails  a million mails in PostgreSQL (BENCH_DATABASE=...): deep pages, and the plan of each filter"
	@echo "make lock    write the lock files in requirements/ anew"
	@echo "make clean   remove the environment and all caches (not var/, where the data is)"

# --- Environments ---------------------------------------------------------------------------------------------------

# What tests and demo need. Made anew when its lock changes, so that nothing of an older lock stays.
$(VENV)/.test: requirements/test.txt
	@test -n "$(PYTHON)"
	@echo "Setting up $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP_INSTALL) -r requirements/test.txt
	@touch $@

# The tools of make check besides, in the same environment.
$(VENV)/.dev: requirements/dev.txt $(VENV)/.test
	@$(PIP_INSTALL) -r requirements/dev.txt
	@touch $@

# --- Commands -------------------------------------------------------------------------------------------------------

demo: $(VENV)/.test
	@tools/demo.sh $(BIN)/python

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto $(ARGS)

run: $(VENV)/.test
	@tools/run.sh $(BIN)/python $(PORT)

check: lint types migrations deploy contract

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

migrations: $(VENV)/.test
	$(BIN)/python manage.py makemigrations --check --dry-run

# As in production: a public address and a secret of its own (this one is made up and thrown away).
deploy: $(VENV)/.test
	BASE_URL=https://inbox.example SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')" \
		INBOX_ENCRYPTION_KEYS="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')" \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

bench: $(VENV)/.test
	@$(BIN)/python -m tools.bench $(ARGS)

# A PostgreSQL server, and a database there that this may create and drop.
BENCH_DATABASE ?= postgres://postgres@127.0.0.1:5432/kobana_bench

bench-emails: $(VENV)/.test
	@$(BIN)/python -m tools.bench.emails $(BENCH_DATABASE)

contract: $(VENV)/.dev
	@tools/contract.sh $(BIN)/python

conformance: $(VENV)/.test
	$(BIN)/python -m tests.conformance.run

fuzz: $(VENV)/.test
	FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-50000} $(BIN)/python -m pytest -n auto tests/fuzz

# --- Locks ----------------------------------------------------------------------------------------------------------

# Universal: one file serves every Python from 3.11 on, by markers. test and production take the versions of dev.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-build \
	--custom-compile-command "make lock" $(UPGRADE) pyproject.toml

lock:
	@test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet uv; }
	$(COMPILE) requirements/dev.in --output-file requirements/dev.txt
	$(COMPILE) requirements/test.in --constraints requirements/dev.txt --output-file requirements/test.txt
	$(COMPILE) requirements/production.in --constraints requirements/dev.txt --output-file requirements/production.txt

clean:
	rm -rf $(VENV) build dist .coverage htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -not -path './.venv*' -prune -exec rm -rf {} +
