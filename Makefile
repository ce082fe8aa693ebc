# make run: set up and start the app.  make test: set up and test.  make check: all gates.
# RECORDS: how many benchmark-scale makes.
# TORCH_INDEX: address of PyTorch's CPU wheel index, for Linux machines (see README).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
TORCH_INDEX ?=
RECORDS ?= 100000
# With TORCH_INDEX that index vouches for its wheel; without it, the hashes of locks/torch.txt do.
TORCH := $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX) -c constraints.txt torch,--require-hashes -r locks/torch.txt)
PAGE := tests/e2e tests/network tests/spaces
QUICKLY := $(PAGE:%=--ignore=%)
LOCKED := install --quiet --no-deps --require-hashes

.PHONY: lock run test library-tests page-tests quick check evaluate benchmark benchmark-load benchmark-paint benchmark-scale recipes sync space shots clean

$(STAMP): pyproject.toml $(wildcard locks/*.txt)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-deps $(TORCH)
	if $(BIN)/python locks/wants_cuda.py; then $(BIN)/pip $(LOCKED) -r locks/cuda.txt; fi
	$(BIN)/pip $(LOCKED) -r locks/app.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $(STAMP)

lock:
	$(PYTHON) locks/write.py

run: $(STAMP)
	$(BIN)/python app.py

# Browsers and servers wait for much of their time, so the two halves run beside each other.
test: $(STAMP)
	$(MAKE) --jobs=2 --keep-going library-tests page-tests

library-tests: $(STAMP)
	$(BIN)/python -m pytest $(QUICKLY)

page-tests: $(STAMP)
	$(BIN)/python -m pytest $(PAGE)

quick: $(STAMP)
	$(BIN)/python -m pytest -n 3 -m "not e2e and not model and not process" $(QUICKLY)

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

evaluate: $(STAMP)
	$(BIN)/python -m benchmarks.evaluate
	$(BIN)/python -m benchmarks.request_tables

benchmark: $(STAMP)
	$(BIN)/python -m benchmarks.speed

benchmark-load: $(STAMP)
	$(BIN)/python -m benchmarks.load

benchmark-paint: $(STAMP)
	$(BIN)/python -m benchmarks.paint

benchmark-scale: $(STAMP)
	$(BIN)/python -m benchmarks.scale --records $(RECORDS)

recipes: $(STAMP)
	$(BIN)/python -m benchmarks.recipes

sync: $(STAMP)
	$(BIN)/python -m retrieval sync

space: $(STAMP)
	$(BIN)/python spaces_config/assemble.py space

shots: $(STAMP)
	$(BIN)/python -m benchmarks.screenshots

clean:
	rm -rf $(VENV) space build .mypy_cache .ruff_cache .import_linter_cache
