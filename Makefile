# SPDX-License-Identifier: BSD-3-Clause
#
# The front door: each target is one or two lines that call a script or CMake. What a person needs
# besides is in CMakePresets.json. Everything made lies under build/.

PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 1)
BENCH  ?=
PAPERS ?=
PART   ?=
SCAN   ?=
PART   ?=
export JOBS

.PHONY: help demo test bench bench-slower measure install uninstall format check-all asan tsan fuzz
.PHONY: abi check-ros cpack deb deb-check dist wheel wheel-check
.PHONY: gpu-check clean papers program record viewer

help: ## this list
	@echo "make TARGET, where TARGET is one of:"
	@sed -n 's/^\([a-z%-]*\):[^#]*## \(.*\)/  \1\t\2/p' Makefile | expand -t 20
	@echo "Variables: PREFIX=$(PREFIX)  JOBS=$(JOBS)  BENCH=\"options of clump_bench\"  PAPERS=\"options and experiments\""

demo: program ## build, find clusters and objects, show a drive as a page that plays (make demo SCAN=FILE: your scan)
	@scripts/demo.sh build/release/cli/clump build/demo "$(SCAN)"

test: ## build and run all tests of libraries and program; make test PART=io: one part
	@PART="$(PART)" scripts/ci.sh 1

record: program ## write the transcripts in tests/cli/ anew; read the difference
	@tests/cli/run.sh --record build/release/cli/clump

viewer: ## bundle the script of the page anew, into viewer/page/bundle/ (needs npm)
	@scripts/viewer.sh

bench: bench-ec ## measure ec against PCL, keep the figures in bench/results/ (make bench BENCH="--quick blob")

bench-%: ## the same of another job: dbscan detect erccl nn objects tree files latency ... (make bench-list: all)
	@bench/run.sh $* $(BENCH)

bench-slower: ## measure the quick cases again, a minute; print those that are slower than in bench/results/scaling/ by 5 %
	@scripts/setup.sh --tests
	@scripts/build.sh release clump_bench
	@bench/slower.sh build/release/bench/clump_bench

measure: ## run every bench that this machine can; goes on where it was interrupted, says which figures are of older sources
	@bench/measure.sh

papers: ## repeat the papers' experiments, make the report build/papers/report.html (make papers PAPERS="--quick ec-size")
	@bench/run.sh papers $(PAPERS)

wheel: ## build sdist and wheels of the Python package into build/wheel/: every Linux, ARM and x86 (CLUMP_CUDA=ON: this system, with CUDA)
	@scripts/setup.sh --python --python-long
	@scripts/wheel.sh

wheel-check: wheel ## judge the wheels, install wheel and sdist into fresh virtual environments, run the Python tests there
	@scripts/wheel-check.sh

install: ## install library, headers and program under PREFIX
	@scripts/install.sh --check "$(PREFIX)"
	@scripts/setup.sh
	@scripts/build.sh release clump_installed
	@scripts/install.sh build/release "$(PREFIX)"

uninstall: ## remove what make install has put under PREFIX
	@scripts/install.sh --uninstall "$(PREFIX)"

dist: ## make the release tarball of the last commit, build/dist/clump-VERSION.tar.gz
	@scripts/dist.sh

deb: ## build Debian's packages of the last commit in build/deb/, judged by lintian
	@scripts/setup.sh --packages
	@scripts/deb.sh

deb-check: ## install the packages of make deb in a bare Debian in a folder and run their tests there (root)
	@scripts/setup.sh --packages
	@scripts/deb-check.sh

cpack: ## build the packages for download, with CUDA where there is an nvcc, in build/cpack/ (all GPUs: long)
	@scripts/setup.sh --packages
	@scripts/cpack.sh

abi: ## say whether programs compiled with the last release run with this tree
	@scripts/setup.sh --packages
	@scripts/abi.sh

format: ## format the sources
	@scripts/setup.sh --format
	@scripts/format.sh

check-all: ## everything CI does, and more: all tests under sanitizers and clang, all fresh machines, 20 times the random cases
	@scripts/ci.sh 3

check-ros: ## build ros/clump_ros and check it on the ROS 2 that is sourced; skipped with a sentence where there is none
	@scripts/check-ros.sh || [ $$? -eq 77 ]

asan: ## tests of memory, damage and cancelling with the address and undefined-behaviour sanitizers
	@scripts/ci.sh 2 --only "address, undefined"

tsan: ## tests of threads with the thread sanitizer (clang)
	@scripts/ci.sh 2 --only threads

fuzz: ## feed broken files to every parser for FUZZ_SECONDS each (clang, libFuzzer)
	@scripts/setup.sh --tests --sanitizers
	@scripts/fuzz.sh

gpu-check: ## what only a machine with an NVIDIA GPU can check: tests, compute-sanitizer, bench
	@scripts/gpu-check.sh

clean: ## remove everything that was built
	rm -rf build

program:
	@scripts/setup.sh
	@scripts/build.sh release clump_program
