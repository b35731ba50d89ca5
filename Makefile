# Gnomon's one entrance for people and for machines. Needs make and Python 3.11 or newer.
# Everything is installed into .venv inside the checkout; nothing outside it is touched.

VENV    ?= .venv
PYTHON  ?=
WORKERS ?= auto
SECONDS ?= 60
MODEL   ?= examples/bit_transmission.ispl
ARGS    ?=

BIN     := $(VENV)/bin
PIP     := $(BIN)/python -m pip install -qq --disable-pip-version-check
PYTEST  := $(BIN)/python -m pytest
FAST    := GNOMON_HYPOTHESIS=fast $(PYTEST) -q -n $(WORKERS) --dist worksteal -m 'not slow'
SITE    := build/site
SAY     := @printf '== %s\n'
# The page of the studio, which is built from all of these.
PAGE    := src/gnomon/interfaces/studio/static/sources.sha256
WEB     := editors/grammar/ispl.tmLanguage.json $(addprefix web/,package-lock.json build.mjs index.html tsconfig.json) \
           $(shell find web/src -type f)

# An environment that was moved, or whose Python has gone, is made afresh.
MADE_FOR := $(shell test -x '$(VENV)/bin/python' && cat '$(VENV)/.made' 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help demo studio web test test-fast coverage matrix package docs links pictures vscode editors changelog format lint types imports tests fuzz bench \
        golden clean FORCE

help:                ## say what there is
	@printf 'Targets:\n'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1 \2/p' Makefile | awk '{ n = $$1; $$1 = ""; printf "  %-11s%s\n", n, $$0 }'
	@printf '%s\n' 'Variables:' \
	  '  PYTHON=...   the Python to use (3.11 or newer); only read while $(VENV) is made' \
	  '  VENV=...     where to install (now $(VENV))' \
	  '  WORKERS=...  test processes (now $(WORKERS))' \
	  '  SECONDS=...  how long `make fuzz` looks for failures (now $(SECONDS))' \
	  '  ARGS=...     more arguments for pytest, for the benchmarks or for the studio'

demo: $(VENV)/.runtime ## install, and check an example model with evidence
	$(SAY) 'gnomon check $(MODEL) --evidence'
	@$(BIN)/gnomon check '$(MODEL)' --evidence || { status=$$?; test $$status -eq 1 || exit $$status; }

studio: $(VENV)/.studio $(PAGE) ## install, build the page where web/ has changed, and open the studio (ARGS='FOLDER')
	@$(BIN)/gnomon studio $(ARGS)

$(PAGE): $(WEB)
	$(SAY) 'the page of the studio'
	@command -v npm > /dev/null || { echo 'the page is built with Node.js 20 or newer and npm, which were not found' >&2; exit 1; }
	@cd web && { test node_modules/.package-lock.json -nt package-lock.json || \
	  npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --silent; } && npm run --silent build

web:                 ## the page of the studio, checked and built; without npm it is left out
	@if command -v npm > /dev/null; then \
	  $(MAKE) --no-print-directory '$(PAGE)' && cd web && npm run --silent test; \
	else echo 'npm was not found: there is no page of the studio, and its tests are skipped'; fi

test: lint types imports web tests ## the whole suite: format, lint, types, imports, tests
	$(SAY) 'all is well'

# In two runs, since what engines have done stays in the memory of their process, and commands have a limit there.
# Some tests wait for clocks and processes. On a busy machine one of ten thousand may come too late: what has failed beside
# others (status 1, and nothing worse) is tried once more by itself, and told.
DEEP  := tests/contract tests/laws
# Many of the others wait, for processes and limits: one more of them at a time than there are processors.
OTHERS = $(if $(filter auto,$(WORKERS)),$$(( $$(getconf _NPROCESSORS_ONLN) + 1 )),$(WORKERS))
AGAIN  = || { test $$? -eq 1 && printf '== what failed, once more by itself\n' && \
         $(PYTEST) -q -n 0 --last-failed --last-failed-no-failures none
tests: $(VENV)/.dev
	$(SAY) 'the tests of engines against each other, and the laws'
	@$(PYTEST) -q -n $(WORKERS) --dist worksteal $(DEEP) $(ARGS) $(AGAIN) $(DEEP); }
	$(SAY) 'all other tests'
	@$(PYTEST) -q -n $(OTHERS) --dist worksteal $(addprefix --ignore=,$(DEEP)) tests $(ARGS) $(AGAIN) $(addprefix --ignore=,$(DEEP)) tests; }

test-fast: $(VENV)/.dev ## the tests that are not slow, with fewer random examples, in three minutes
	@$(FAST) $(ARGS)

coverage: $(VENV)/.dev ## what the fast suite runs of the code, with a floor
	$(SAY) 'coverage of the fast tests'
	@rm -rf .cache/coverage && mkdir -p .cache/coverage
	@$(FAST) --cov --cov-report=term:skip-covered > '$(VENV)/coverage.log' 2>&1 || { cat '$(VENV)/coverage.log' >&2; exit 1; }
	@sed -n '/^TOTAL/p; /^[0-9]* passed/p' '$(VENV)/coverage.log'

matrix:              ## the fast suite on every Python from 3.11 to 3.13 that is found
	@MAKE='$(MAKE)' .ci/matrix

package: $(VENV)/.dev ## build sdist and wheel, install them elsewhere, run the demo there
	@.ci/package '$(BIN)/python'

docs: $(VENV)/.docs   ## the site, into build/site: pages, reference from the code, notebooks; no warnings, no dead links
	$(SAY) 'the site: reading pages, running notebooks and drawing the gallery; some minutes the first time, less after that'
	@$(BIN)/sphinx-build -q -n -W --keep-going -j auto -d .cache/site-trees -b html docs '$(SITE)'
	$(SAY) 'the links between its pages'
	@PYTHONPATH=docs/_ext $(BIN)/python -m gnomon_site.link_check '$(SITE)'
	@printf 'open %s\n' '$(SITE)/index.html'

links: docs          ## the same, and every page elsewhere that the site links to is asked for
	@PYTHONPATH=docs/_ext $(BIN)/python -m gnomon_site.link_check --online '$(SITE)'

pictures: $(VENV)/.dev web ## the pictures of the studio in README and guide; needs Chromium
	@$(BIN)/python .ci/pictures.py

vscode:              ## the VS Code extension as a .vsix, from its lock file
	$(SAY) 'the VS Code extension'
	@command -v npm > /dev/null || { echo 'the extension is built with Node.js 20 or newer and npm, which were not found' >&2; exit 1; }
	@cd editors/vscode && { test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund --prefer-offline; }
	@cd editors/vscode && npm run --silent test && npm run --silent package

editors: $(VENV)/.dev ## the language server in Neovim and in VS Code, and the grammar in its library
	@for folder in editors/vscode editors/grammar/test; do \
	  (cd "$$folder" && { test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund --silent; }) || exit 1; \
	done
	@GNOMON_NEED_BROWSER=1 GNOMON_NEED_EDITORS=1 $(PYTEST) -q -n $(WORKERS) --dist worksteal tests/editors tests/field/test_textmate_grammar.py $(ARGS)

changelog: $(VENV)/.dev ## what the fragments in changelog.d would become
	@$(BIN)/towncrier build --draft --version "$$($(BIN)/python -c 'import gnomon; print(gnomon.__version__)')" 2>/dev/null

format: $(VENV)/.dev ## format the code, and fix what can be fixed safely
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/.dev   ## is it formatted, is it lint free
	$(SAY) 'format and lint'
	@$(BIN)/ruff format --check --quiet . || { echo 'some files are not formatted: run `make format`' >&2; exit 1; }
	@$(BIN)/ruff check --quiet .

types: $(VENV)/.dev  ## mypy, strict, on sources and tests
	$(SAY) 'types'
	@$(BIN)/mypy --no-error-summary

imports: $(VENV)/.dev ## are the layers kept apart
	$(SAY) 'imports'
	@$(BIN)/lint-imports --cache-dir .cache/import-linter > '$(VENV)/imports.log' 2>&1 || { cat '$(VENV)/imports.log' >&2; exit 1; }

fuzz: $(VENV)/.dev   ## run the laws on ever new random examples for SECONDS
	@end=$$(( $$(date +%s) + $(SECONDS) )); round=0; \
	while [ $$(date +%s) -lt $$end ]; do \
	  round=$$((round + 1)); printf '== round %s\n' "$$round"; \
	  GNOMON_HYPOTHESIS=fuzz $(PYTEST) -q -x -n $(WORKERS) -m 'hypothesis or concurrent' $(ARGS) || exit $$?; \
	done

bench: $(VENV)/.dev  ## run the benchmarks
	@test -f benchmarks/run.py || { echo 'there are no benchmarks yet (benchmarks/run.py)' >&2; exit 1; }
	@$(BIN)/python benchmarks/run.py $(ARGS)

golden: $(VENV)/.dev ## accept the present output as right: snapshots and Markdown specs
	GNOMON_UPDATE_SPECS=1 $(PYTEST) -q -n 0 --snapshot-update $(ARGS)
	@printf 'Now read the difference before you commit it.\n'

clean:               ## remove the environment, all caches, and pages that were generated
	rm -rf '$(VENV)' .venv-3.* .cache .pytest_cache .hypothesis build dist
	sed -n 's,^/\(docs/.*\),\1,p' .gitignore | xargs rm -rf
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. Five stamps: it exists; Gnomon runs; so does its studio; the developer's tools are there, too;
# and those that build the site.

$(VENV)/.dev: pyproject.toml $(VENV)/.made
	$(SAY) 'installing gnomon and the tools of its developers'
	@$(PIP) -e '.[dev]'
	@touch '$(VENV)/.runtime' '$(VENV)/.studio' '$@'

$(VENV)/.studio: pyproject.toml $(VENV)/.made
	$(SAY) 'installing gnomon with the studio'
	@$(PIP) -e '.[studio]'
	@touch '$(VENV)/.runtime' '$@'

$(VENV)/.docs: pyproject.toml $(VENV)/.made
	$(SAY) 'installing gnomon and what builds the site'
	@$(PIP) -e '.[docs]'
	@touch '$(VENV)/.runtime' '$@'

$(VENV)/.runtime: pyproject.toml $(VENV)/.made
	$(SAY) 'installing gnomon'
	@$(PIP) -e .
	@touch '$@'

ifneq ($(MADE_FOR),$(CURDIR))
$(VENV)/.made: FORCE
endif
$(VENV)/.made:
	@found=; \
	for candidate in $(if $(PYTHON),'$(PYTHON)',python3.13 python3.12 python3.11 python3 python); do \
	  if "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	  then found=$$candidate; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  printf '%s\n' \
	    'gnomon needs Python 3.11 or newer with its venv module, and $(if $(PYTHON),$(PYTHON) is not that,none was found on the PATH).' \
	    'Install one (on Debian and Ubuntu also the package python3-venv), or name it: make PYTHON=/path/to/python3' >&2; \
	  exit 1; \
	fi; \
	printf '== making %s with %s (%s)\n' '$(VENV)' "$$found" "$$("$$found" -V)"; \
	"$$found" -m venv --clear '$(VENV)' && printf '%s\n' '$(CURDIR)' > '$@'
FORCE:
