# Everything from a fresh checkout: `make demo`, `make test`. Set-up happens once, into .venv.
# Paths are relative, so that the checkout may lie in a folder with spaces in its name.

PYTHON ?= python3
WORKERS ?= 2
SEEDS ?= 20

BIN := .venv/bin
INSTALLED := .venv/installed
INSTALLED_DEV := .venv/installed-dev

export PIP_DISABLE_PIP_VERSION_CHECK ?= 1
# Arrays here are small: a second BLAS thread would only wait for the first.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help demo test fast lint format types check bench clean

help:
	@echo "make demo    a class of 40 through the whole loop, into demo-course/"
	@echo "make test    all tests          make fast    those without browsers and services"
	@echo "make lint    ruff               make types   pyright, strict"
	@echo "make check   the content check  make bench   speed and memory"
	@echo "make format  ruff format        make clean   remove what these made"

# A broken attempt leaves no stamp, so the next one begins again.
$(INSTALLED): pyproject.toml
	@$(PYTHON) -m venv --clear .venv || { echo "On Debian: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --editable .
	@touch $(INSTALLED)

$(INSTALLED_DEV): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --editable ".[dev,nbgrader,dask]"
	@touch $(INSTALLED_DEV)

# Only a course that the demo made is removed.
demo: $(INSTALLED)
	@if grep -qs '^name = "demo"' demo-course/course.toml; then rm -rf demo-course; fi
	$(BIN)/headwork demo --into demo-course --workers $(WORKERS)

test: $(INSTALLED_DEV)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

fast: $(INSTALLED_DEV)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow"

lint: $(INSTALLED_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(INSTALLED_DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(INSTALLED_DEV)
	$(BIN)/pyright --pythonpath $(BIN)/python

check: $(INSTALLED)
	$(BIN)/headwork check --seeds $(SEEDS)

bench: $(INSTALLED)
	$(BIN)/python bench/run.py

clean:
	@if grep -qs '^name = "demo"' demo-course/course.toml; then rm -rf demo-course; fi
	rm -rf .venv dist build .pytest_cache .ruff_cache .hypothesis
