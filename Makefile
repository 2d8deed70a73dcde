# doubtable. Needs Python 3.11 to 3.14 and make; everything else goes into .venv in this folder. `make help` lists all.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The screen also runs with pygame instead of pygame-ce (Debian's python3-pygame); both cannot be in one environment.
PYGAME := 2.6.1
PYGAME_VENV := build/pygame-venv
PYGAME_STAMP := $(PYGAME_VENV)/.installed-$(PYGAME)

.PHONY: play setup test lint test-pygame test-long test-kernel test-firmware test-hardware test-deploy races bench gallery deb release hardware help clean

play: setup  ## start the table: a window, or a demonstration where there is no display (ARGS="--people 6")
	@$(BIN)/doubtable play $(ARGS)

setup: $(STAMP)  ## make .venv with everything in it, and no more

$(STAMP): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing: install Python 3.11 or newer (apt install python3 python3-venv), then run make again"; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] < (3, 15) else "doubtable needs Python 3.11 to 3.14: name one with make PYTHON=python3.12")'
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv is missing: install its package (apt install python3-venv), then run make again"; exit 2; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@echo "Installing doubtable into $(VENV) (once) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

test: setup  ## the tests, on all cores (under 3 minutes)
	@$(BIN)/pytest -n auto $(ARGS)

lint: setup  ## form, types, and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-pygame: $(PYGAME_STAMP)  ## the screen's tests with pygame instead of pygame-ce (a minute)
	@$(PYGAME_VENV)/bin/python -c 'import pygame, sys; sys.exit("this is pygame-ce" if hasattr(pygame, "IS_CE") else 0)'
	@PYTHONPATH=controller $(PYGAME_VENV)/bin/pytest -n auto tests/screen $(ARGS)

$(PYGAME_STAMP): pyproject.toml
	@$(PYTHON) -m venv --clear $(PYGAME_VENV)
	@echo "Installing pygame $(PYGAME) into $(PYGAME_VENV) (once) ..."
	@$(PYGAME_VENV)/bin/python -c 'import tomllib; all = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
		print(*(each for each in all["dependencies"] + all["optional-dependencies"]["dev"] \
		if not each.startswith(("pygame", "import-linter", "mypy", "ruff", "types-"))), sep="\n")' >$(PYGAME_VENV)/requirements
	@$(PYGAME_VENV)/bin/python -m pip install -q --disable-pip-version-check --only-binary pygame \
		pygame==$(PYGAME) -r $(PYGAME_VENV)/requirements
	@touch $@

test-long: setup  ## the full counts, for hours; their figures stand in docs/
	@DOUBTABLE_LONG=1 $(BIN)/pytest -n auto $(ARGS)

test-kernel: setup  ## the whole program on the kernel's own GPIO, in a virtual machine (Debian 12, x86-64)
	@tests/kernel/run.sh

test-firmware:  ## the button panel's firmware, down to an emulated chip (Linux, x86-64)
	@firmware/tests/run.sh $(ARGS)

test-hardware:  ## everything for builders made twice: the same bytes, as committed
	@sh hardware/check.sh

test-deploy: setup  ## the package on a machine that boots: kills, hangs, full disk, upgrade, power cut (Debian, root)
	@deploy/tests/run.sh

deb: setup  ## dist/doubtable_VERSION_all.deb for Debian 13 and Raspberry Pi OS
	@sh deploy/debian/build.sh

release: setup  ## everything that is handed out, with checksums: dist/
	@sh deploy/release.sh

races: setup  ## races of simulated fingers against the rule (N=1000000 SEED=1 MUTANT=chained RACE=4711 CORES=2)
	@cd tests && ../$(BIN)/python -m races $(foreach word,N SEED MUTANT RACE CORES,$(if $($(word)),$(word)=$($(word))))

bench: setup  ## doubtable beside what people would use instead: build/bench.json (ARGS="--short", "--only edges")
	@cd tests && ../$(BIN)/python -m bench $(ARGS)

gallery: setup  ## every scene at every size as pictures: build/gallery/index.html
	@$(BIN)/python -m doubtable.screen.gallery $(ARGS)

hardware:  ## everything a builder needs: hardware/out and docs/build
	@sh hardware/build.sh $(ARGS)

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 22

clean:
	rm -rf build dist $(VENV) hardware/.venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
