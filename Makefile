# Everything runs in .venv, made from requirements.lock by whatever target needs it first.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
SETUP := .venv/.installed

# Tests start hundreds of processes; none of them compiles again what the one before compiled.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo check mypy basedpyright test test-slow test-model format lock clean

demo: $(SETUP)  ## Build authoring/ into dist/ and serve it on a free loopback port
	$(BIN)/doctrove-build authoring dist
	$(BIN)/doctrove-host dist --port 0

check: $(SETUP)  ## Format, lint, types, floor plan
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(MAKE) --no-print-directory --jobs 2 mypy basedpyright
	$(BIN)/lint-imports

mypy basedpyright:
	$(BIN)/$@

test: $(SETUP)  ## All tests but the slow ones
	$(BIN)/pytest -n auto --dist worksteal -m "not slow"

test-slow: $(SETUP)  ## The tests that take minutes
	$(BIN)/pytest -m slow

test-model: $(SETUP)  ## Summaries by a real small language model (downloads 350 MB, takes minutes)
	$(BIN)/pytest -m slow -s tests/compression/test_real_model.py

format: $(SETUP)  ## Rewrite the code in the house format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

lock: $(SETUP)  ## Renew requirements.lock from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra dev \
		--no-header --no-annotate --output-file requirements.lock --upgrade pyproject.toml

clean:
	rm -rf .venv dist .doctrove

$(SETUP): requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@
