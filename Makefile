# Two commands for a fresh clone: `make demo` and `make test`. Both make their own environment in .venv.

PYTHON ?= python3
EXAMPLE ?= examples/bmi.py
PYTEST_ARGS ?=
WORKERS ?= -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder --max-worker-restart 0
EXAMPLES ?= 50000
SEED ?= 0
COUNT ?= 10000
FUZZ_ARGS ?=
KILLS ?= 50
HAZARDS ?=
HAZARD_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

# Where it is set, each of the many processes of a test run would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-full test-all differential hazards fuzz kill lint docs pictures changelog dist clean help report-assets

help:
	@echo "make demo      generate tests for $(EXAMPLE), run them and show what they cover"
	@echo "make test      run tracetwin's own tests but the slow ones: some minutes on two cores"
	@echo "make test-full run all of them"
	@echo "make test-all  the same on each Python from 3.10 to 3.13 that is there"
	@echo "make differential  each operation against CPython and z3, $(EXAMPLES) examples; EXAMPLES=, SEED=, PYTEST_ARGS='-k NAME'"
	@echo "make hazards   hostile modules beside a canary, each as a user would run it; HAZARDS='world NAME', HAZARD_ARGS="
	@echo "make fuzz      $(COUNT) random files and wheels through the command; COUNT=, SEED=, FUZZ_ARGS="
	@echo "make kill      $(KILLS) runs killed at random moments and resumed; KILLS=, SEED="
	@echo "make lint      ruff, mypy --strict, import-linter"
	@echo "make docs      the documentation's site in build/docs, warnings are errors"
	@echo "make report-assets  check the types in the script of reports; it takes node"
	@echo "make pictures  the pictures of the documentation, from real runs; it takes Chromium"
	@echo "make changelog what the next release says of itself, from changelog.d"
	@echo "make dist      sdist and wheel in dist, checked, installed and tried in an empty environment"
	@echo "make clean     remove everything that the others made"

demo: $(VENV)/.installed
	rm -rf .demo
	$(BIN)/tracetwin generate $(EXAMPLE) -o .demo --time-limit 20
	@echo
	@cat .demo/test_*.py
	@echo
	PYTHONPATH=$(dir $(EXAMPLE)) $(BIN)/coverage run --data-file=.demo/.coverage --branch \
		--include=$(EXAMPLE) -m unittest discover -s .demo
	$(BIN)/coverage report --data-file=.demo/.coverage --show-missing

# Compiled first: what is imported behind the walls can't write __pycache__.
COMPILE := $(BIN)/python -m compileall -q instrumenter runtime tracetwin

test: $(VENV)/.developing
	$(COMPILE)
	DIFFERENTIAL_PART=5 $(BIN)/python -m pytest $(WORKERS) -m "not slow" $(PYTEST_ARGS)

# Some tests wait for processes, and a machine that does other things as well may keep them waiting too long: what
# failed is tried once more with nothing beside it, and shown in both runs; what fails twice is broken.
test-full: $(VENV)/.developing
	$(COMPILE)
	$(BIN)/python -m pytest $(WORKERS) $(PYTEST_ARGS) || { [ $$? -eq 1 ] && \
		$(BIN)/python -m pytest --last-failed --last-failed-no-failures none $(PYTEST_ARGS); }

test-all: $(VENV)/.developing
	$(BIN)/python -m tox run -- $(PYTEST_ARGS)

differential: $(VENV)/.developing
	DIFFERENTIAL_EXAMPLES=$(EXAMPLES) DIFFERENTIAL_SEED=$(SEED) DIFFERENTIAL_TABLE=1 \
		$(BIN)/python -m pytest tests/differential -s $(PYTEST_ARGS)

hazards: $(VENV)/.installed
	$(BIN)/python -m tests.hazards.run $(HAZARDS) $(HAZARD_ARGS)

fuzz: $(VENV)/.installed
	$(BIN)/python benchmarks/fuzz/run.py --count $(COUNT) --seed $(SEED) $(FUZZ_ARGS)

kill: $(VENV)/.installed
	$(BIN)/python -m tests.e2e.kills --count $(KILLS) --seed $(SEED)

lint: $(VENV)/.developing
	@status=0; \
	for check in "ruff check --output-format concise ." "mypy --strict" "lint-imports"; do \
		echo "$$check"; $(BIN)/$$check || status=1; \
	done; \
	exit $$status

# The theme tells at each build of a successor to come; the site's pages ask no other host for anything.
docs: $(VENV)/.documenting
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@if grep -rnoE --include=*.html '<(script|link|img|iframe|source)[^>]* (src|href)="?(https?:)?//[^" >]*' build/docs; \
		then echo "these are loaded from another host"; exit 1; fi
	@echo "build/docs/index.html"

# The script is shipped as it is written; its types stand in its comments.
report-assets:
	npx --yes --package typescript@5.9 -- tsc --noEmit --allowJs --checkJs --strict --target es2022 \
		--lib es2022,dom,dom.iterable tracetwin/report/assets/report.js

pictures: $(VENV)/.developing
	PYTHONPATH=. $(BIN)/python docs/pictures/make.py

changelog: $(VENV)/.releasing
	$(BIN)/towncrier build --draft --version $$($(BIN)/python -c 'import tracetwin; print(tracetwin.__version__)')

dist: $(VENV)/.releasing
	rm -rf dist build/trial
	mkdir -p build
	$(BIN)/python -m build --outdir dist . > build/dist.log 2>&1 || { cat build/dist.log; exit 1; }
	$(BIN)/twine check --strict dist/*
	$(PYTHON) -m venv --clear build/trial
	build/trial/bin/python -m pip --disable-pip-version-check install --quiet dist/tracetwin-*.whl
	cp examples/bmi.py build/trial
	cd build/trial && bin/tracetwin --version && bin/tracetwin generate bmi.py -o suite --time-limit 20 \
		&& bin/python -m unittest discover -s suite

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("tracetwin needs Python 3.10 or later; say which one: make PYTHON=python3.12" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) --editable .
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(PIP) --editable ".[dev]"
	@touch $@

$(VENV)/.documenting: $(VENV)/.installed
	$(PIP) --editable ".[docs]"
	@touch $@

$(VENV)/.releasing: $(VENV)/.installed
	$(PIP) --editable ".[release]"
	@touch $@

clean:
	rm -rf $(VENV) .tox .demo build dist *.egg-info
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage
	find instrumenter runtime tracetwin tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
