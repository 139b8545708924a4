# Two commands: `make demo` to see it, `make test` to trust it; `make test-long` and `make test-all` test the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000

.PHONY: demo test test-long test-all lint audit build site bench study faults load fuzz screenshots translations clean

demo: $(VENV)/installed
	@$(BIN)/python manage.py demo --port $(PORT)

test: $(VENV)/installed-dev
	$(BIN)/python -m tests $(ARGS)

# What takes minutes: faults, endurance, attacks, small runs of benchmarks, and of studies if statistics changed.
test-long: $(VENV)/installed-dev
	$(BIN)/python -m tests --long $(ARGS)

# Everything, changed or not, with new examples for property tests and small runs of all studies.
test-all: $(VENV)/installed-dev
	$(BIN)/python -m tests --all $(ARGS)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.budgets
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive appraise_gec judgments ranking manage.py

# A wheel and a source distribution in dist/; tests/long/test_package.py installs both.
build: $(VENV)/installed-dev
	$(BIN)/python -m build --no-isolation --sdist --wheel --outdir dist

# The guides as a static site in var/site.
site: $(VENV)/installed-dev
	$(BIN)/python -m sphinx -W --keep-going --quiet -c docs/site -b dirhtml docs var/site

# Asks for packages with known vulnerabilities; not part of CI, which must not depend on what others say today.
audit: $(VENV)/installed-dev
	test -d var/audit || $(PYTHON) -m venv var/audit
	var/audit/bin/pip install --quiet --disable-pip-version-check pip-audit
	var/audit/bin/pip-audit --strict --path "$$($(BIN)/python -c 'import site; print(site.getsitepackages()[0])')"

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks $(ARGS)

# How far the conclusions of reports hold, by simulation: minutes.
study: $(VENV)/installed-dev
	$(BIN)/python -m studies $(ARGS)

faults: $(VENV)/installed-dev
	$(BIN)/python -m tests.faults $(ARGS)

load: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks load $(ARGS)

fuzz: $(VENV)/installed-dev
	$(BIN)/python -m tests.fuzz $(ARGS)

screenshots: $(VENV)/installed-dev
	$(BIN)/python -m tests.screenshots

# Needs GNU gettext.
translations: $(VENV)/installed
	$(BIN)/python manage.py make_translations

$(VENV)/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed; say which with: make PYTHON=python3.11 ...")'
	@echo "Making $(VENV) and installing requirements.txt; this takes a minute or two."
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements.txt requirements-errant.txt requirements-dev.txt $(VENV)/installed
	@echo "Installing requirements-dev.txt."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf $(VENV) var dist test-output
