# One command a task; `make help` lists them. Everything runs from the virtual environment that scripts/setup makes.
SHELL := /bin/bash
PYTHON := .venv/bin/python
JOBS ?= 2
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint docs format cpp-test py-test fuzz-smoke wheel release sanitize fuzz bench accuracy clean

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## system packages, .venv, the package built and installed from this tree
	@scripts/setup

demo: setup ## set up, then analyze a first loop
	.venv/bin/corecast analyze examples/triad.gcc-O3.s --cpu skylake_x

test: setup ## everything that CI checks: lint, C++ tests, Python tests, a short fuzz run
	@scripts/check

lint: setup ## ruff, clang-format and mypy
	@scripts/check lint

cpp-test: setup ## the C++ tests only
	@scripts/check cpp

py-test: setup ## the Python tests only
	@scripts/check python

fuzz-smoke: setup ## some seconds of every fuzzer
	@scripts/check fuzz

docs: setup ## the documentation as a site, in build/site/html
	@scripts/check docs

format: setup ## format Python and C++
	.venv/bin/ruff check --fix --quiet . || true
	.venv/bin/ruff format .
	scripts/format-cpp

wheel: setup ## a wheel for this interpreter in dist/, tried where there is neither LLVM nor a compiler
	$(PYTHON) tools/release.py build --this
	$(PYTHON) tools/release.py try dist/*.whl

release: setup ## wheels for all interpreters on PATH and the sources, in dist/ (docs/releasing.md)
	scripts/install-system --release
	rm -rf dist
	$(PYTHON) tools/release.py build
	$(PYTHON) tools/release.py build --architecture aarch64
	$(PYTHON) tools/release.py sdist

sanitize: setup ## C++ tests and simulated random blocks under address and undefined-behaviour sanitizers
	scripts/sanitize
	scripts/sanitize --python

fuzz: setup ## every fuzzer for FUZZ_SECONDS (60) each
	scripts/fuzz --seconds $(or $(FUZZ_SECONDS),60)

bench: setup ## the benchmarks, figures against the aims
	scripts/bench

accuracy: setup ## errors on the repository's own measured blocks, and their change against the committed table
	$(PYTHON) tools/guard_accuracy.py

clean: ## remove what was built; .venv stays
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f .venv/.stamp-package
