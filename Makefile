# SPDX-License-Identifier: BSD-3-Clause
#
# The front door: each target is one or two lines that call a script or CMake. What a person needs
# besides is in CMakePresets.json. Everything made lies under build/.

PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 1)
BENCH  ?=
PAPERS ?=
SCAN   ?=
# the rows of the benches name the commit; a + where files differ from it
CLUMP_COMMIT := $(shell git describe --always --dirty=+ --exclude='*' 2>/dev/null)
export JOBS CLUMP_COMMIT

.PHONY: help demo test bench bench-files bench-dbscan bench-erccl bench-nn bench-objects install uninstall format check-all asan tsan fuzz
.PHONY: abi check-ros cpack deb deb-check dist wheel wheel-check
.PHONY: bench-batch bench-tree bench-detect bench-latency bench-laz bench-pcl bench-pieces bench-python bench-recordings bench-scaling bench-slower gpu-check clean papers program record viewer

help: ## this list
	@echo "make TARGET, where TARGET is one of:"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' Makefile | expand -t 20
	@echo "Variables: PREFIX=$(PREFIX)  JOBS=$(JOBS)  BENCH=\"options of clump_bench\"  PAPERS=\"options and experiments\""

demo: program ## build, find clusters and objects, show a drive as a page that plays (make demo SCAN=FILE: your scan)
	@scripts/demo.sh build/release/cli/clump build/demo "$(SCAN)"

test: ## build and run all tests; compares with PCL and scikit-learn where they are installed
	@scripts/setup.sh --python
	@scripts/check.sh release

record: program ## write the transcripts in tests/cli/ anew; read the difference
	@tests/cli/run.sh --record build/release/cli/clump

viewer: ## bundle the script of the page anew, into viewer/page/bundle/ (needs npm)
	@scripts/viewer.sh

bench: ## measure against PCL, keep the figures in bench/results/ (make bench BENCH="--quick blob")
	@scripts/setup.sh --rivals
	@scripts/build.sh release clump_benches
	@bench/run.sh build/release $(BENCH)

bench-files: ## measure reading files against PCL's readers, keep the figures in bench/results/files/
	@scripts/setup.sh --rivals
	@scripts/build.sh release clump_benches
	@mkdir -p bench/results/files
	@build/release/bench/clump_bench_files --csv bench/results/files/$$(build/release/bench/clump_bench_files --machine).csv

bench-dbscan: ## measure dbscan against scikit-learn, keep the figures in bench/results/dbscan/
	@scripts/setup.sh --rivals
	@scripts/build.sh release clump_benches
	@mkdir -p bench/results/dbscan
	@build/release/bench/clump_bench_dbscan --csv bench/results/dbscan/$$(build/release/bench/clump_bench_dbscan --machine).csv $(BENCH)

bench-erccl: ## measure erccl, its methods and PCL beside it, keep the figures in bench/results/erccl/
	@scripts/setup.sh --rivals
	@scripts/build.sh release clump_benches
	@mkdir -p bench/results/erccl
	@build/release/bench/clump_bench_erccl --csv bench/results/erccl/$$(build/release/bench/clump_bench_erccl --machine).csv $(BENCH)

bench-batch: ## measure many small clouds in one call against a call per cloud, keep the figures in bench/results/batch/
	@scripts/build.sh release clump_benches
	@mkdir -p bench/results/batch
	@build/release/bench/clump_bench_batch --csv bench/results/batch/$$(build/release/bench/clump_bench_batch --machine).csv $(BENCH)

bench-tree: ## measure the tree of all distances and HDBSCAN, keep the figures in bench/results/tree/
	@scripts/build.sh release clump_benches
	@mkdir -p bench/results/tree
	@build/release/bench/clump_bench_tree --csv bench/results/tree/$$(build/release/bench/clump_bench_tree --machine).csv $(BENCH)

bench-detect: ## measure detect against PCL's pipeline from scans to boxes, keep the figures in bench/results/detect/
	@scripts/setup.sh --rivals
	@scripts/build.sh release clump_benches
	@mkdir -p bench/results/detect
	@build/release/bench/clump_bench_detect --csv bench/results/detect/$$(build/release/bench/clump_bench_detect --machine).csv $(BENCH)

bench-objects: ## measure objects, and ec with a distance that grows, keep the figures in bench/results/objects/
	@scripts/build.sh release clump_benches
	@mkdir -p bench/results/objects
	@build/release/bench/clump_bench_objects --csv bench/results/objects/$$(build/release/bench/clump_bench_objects --machine).csv $(BENCH)

bench-nn: ## measure nearest neighbours against FLANN, nanoflann and PCL, keep the figures in bench/results/nn/
	@scripts/setup.sh --rivals
	@scripts/build.sh release clump_benches
	@mkdir -p bench/results/nn
	@build/release/bench/clump_bench_nn --csv bench/results/nn/$$(build/release/bench/clump_bench_nn --machine).csv $(BENCH)

bench-python: ## measure clump from Python against scikit-learn, Open3D and SciPy, keep the figures in bench/results/python/
	@scripts/setup.sh --python --python-long --python-rivals
	@scripts/build.sh release clump_program
	@scripts/build.sh release clump_python
	@bench/python.sh build/release $(BENCH)

bench-latency: ## measure frames at 10 and 20 Hz beside busy programs, keep the figures in bench/results/latency/
	@scripts/setup.sh
	@scripts/build.sh release clump_bench_latency
	@mkdir -p bench/results/latency
	@build/release/bench/clump_bench_latency --csv bench/results/latency/$$(build/release/bench/clump_bench_latency --machine).csv $(BENCH)

bench-laz: ## measure reading and writing LAZ (make bench-laz BENCH="--threads 8 survey.laz")
	@scripts/setup.sh
	@scripts/build.sh release clump_bench_laz
	@build/release/bench/clump_bench_laz $(BENCH)

bench-recordings: ## measure frames out of recordings, keep the figures in bench/results/recordings/
	@scripts/setup.sh
	@scripts/build.sh release clump_bench_recordings
	@mkdir -p bench/results/recordings
	@build/release/bench/clump_bench_recordings --csv bench/results/recordings/$$(build/release/bench/clump_bench_recordings --machine).csv $(BENCH)

bench-pcl: ## measure programs that use PCL with and without clump/pcl.hpp, keep the figures in bench/results/pcl/
	@scripts/setup.sh --rivals
	@scripts/build.sh release clump_bench_pcl
	@mkdir -p bench/results/pcl
	@build/release/bench/clump_bench_pcl --csv bench/results/pcl/$$(build/release/bench/clump_bench_pcl --machine).csv $(BENCH)

bench-scaling: ## measure 1, 2, 4 ... threads, keep the figures in bench/results/scaling/
	@scripts/setup.sh
	@scripts/build.sh release clump_bench_scaling
	@mkdir -p bench/results/scaling
	@build/release/bench/clump_bench_scaling --csv bench/results/scaling/$$(build/release/bench/clump_bench_scaling --machine).csv $(BENCH)

bench-slower: ## measure the quick cases again, a minute; print those that are slower than in bench/results/scaling/ by 5 %
	@scripts/setup.sh
	@scripts/build.sh release clump_bench_scaling
	@bench/slower.sh build/release/bench/clump_bench_scaling

bench-pieces: ## measure a cloud in pieces against one call, keep the figures in bench/results/pieces/
	@scripts/setup.sh
	@scripts/build.sh release clump_bench_pieces
	@mkdir -p bench/results/pieces
	@build/release/bench/clump_bench_pieces --csv bench/results/pieces/$$(build/release/bench/clump_bench_pieces --machine).csv $(BENCH)

papers: ## repeat the papers' experiments, make the report build/papers/report.html (make papers PAPERS="--quick ec-size")
	@scripts/setup.sh --rivals
	@scripts/build.sh release clump_benches
	@scripts/papers.sh build/release $(PAPERS)

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

check-all: ## everything CI does, and more: every preset, gcc and clang, the long tests
	@scripts/check-all.sh

check-ros: ## build ros/clump_ros and check it on the ROS 2 that is sourced; skipped with a sentence where there is none
	@scripts/check-ros.sh || [ $$? -eq 77 ]

asan: ## all tests with the address and undefined-behaviour sanitizers
	@scripts/setup.sh --python
	@scripts/check.sh asan

tsan: ## the threaded tests with the thread sanitizer (clang)
	@scripts/setup.sh --sanitizers
	@scripts/check.sh tsan

fuzz: ## feed broken files to every parser for FUZZ_SECONDS each (clang, libFuzzer)
	@scripts/setup.sh --sanitizers
	@scripts/fuzz.sh

gpu-check: ## what only a machine with an NVIDIA GPU can check: tests, compute-sanitizer, bench
	@scripts/gpu-check.sh

clean: ## remove everything that was built
	rm -rf build

program:
	@scripts/setup.sh
	@scripts/build.sh release clump_program
