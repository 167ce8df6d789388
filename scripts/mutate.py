#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutate.py [--tests REGEX] [--tier 1,2] FILE[:N]...: do the tests notice a fault? Makes up to N small faults (default 5) in each C
file and says which test finds each of them.

The faults are made in a copy of the tree, build/mutate/clump. They are built once, and the variable MUT chooses one. First all tests
run without a fault and must pass; that also tells which tests reach which fault. Then these run per fault until one fails or takes
longer than its limit. What survives a tier is tried in the next one (CLUMP_TEST_TIER). The same seed chooses the same faults.

    stmt  a statement is left out          plus  "+ 1" is missing
    cmp   a bound is one higher            and, or  one condition of several is dropped

JOBS is the number of tests at once. A fault that changes no result survives, too: read what is alive."""

import argparse
import concurrent.futures
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TREE, BUILD = "build/mutate/clump", "build/mutate/build"
MOST = 4096
# Each file gets this. Reached faults are marked in a shared mapping: a test may fork, crash or leave by _exit.
HEAD = f"""
extern int open(const char *, int, ...), close(int), atoi(const char *);
extern char *getenv(const char *);
extern void *mmap(void *, unsigned long, int, int, int, long);
static int mut_id;
static volatile unsigned char mut_none[{MOST}], *mut_seen = mut_none;
__attribute__((constructor)) static void mut_init(void)
{{
    if (getenv("MUT")) mut_id = atoi(getenv("MUT"));
    const int file = getenv("MUT_SEEN") ? open(getenv("MUT_SEEN"), 2) : -1;
    void *const seen = file < 0 ? (void *)-1 : mmap((void *)0, {MOST}, 3, 1, file, 0);
    if (seen != (void *)-1) mut_seen = seen;
    if (file >= 0) close(file);
}}
#define MUT(k) (mut_seen[k] = 1, mut_id == (k))
"""
TERM = r"([!\w][\w>.\[\]-]*(?: [<>=!]=? [\w.>-]+)?)"
STATEMENT = r"[a-z][\w>.\[\]-]* [-+|&]?= [^;]*|[a-z]\w*\([^;]*\)"
RULES = (
    ("cmp", re.compile(r"(?:<=|>=|<|>) (\w+)(?=[;)]| &&| \|\|)"), "({} + MUT({}))"),
    ("plus", re.compile(r"(\+ 1)\b(?![.\d])"), "{} - MUT({})"),
    ("and", re.compile(r"&& " + TERM + r"(?=[;)]| &&)"), "(MUT({1}) || {0})"),
    ("or", re.compile(r"\|\| " + TERM + r"(?=[;)]| \|\|)"), "(!MUT({1}) && {0})"),
    ("stmt", re.compile(r"^ +((?!(?:return|else|goto|break|if|for)\b)(?:" + STATEMENT + r");)$"), "{{ if (!MUT({1})) {0} }}"),
)
NO_CODE = re.compile(r"^\s*(\*|/\*|//|#)|static const|ASSERT|[\"']")


def find_sites(lines):
    """(line, begin, end, text, kind) of each place in a function where a fault can be made."""
    inside = False
    for i, line in enumerate(lines):
        inside = (inside or line == "{") and line != "}"
        if not inside or NO_CODE.search(line):
            continue
        for kind, pattern, text in RULES:
            if kind != "stmt" or not lines[i - 1].endswith(("=", ",", "(", "&&", "||", "?", ":", "+")):
                yield from ((i, match.start(1), match.end(1), text, kind) for match in pattern.finditer(line))


def choose(path, count, rng):
    """Up to `count` sites of a file, one per line."""
    with open(path, encoding="utf-8") as file:
        sites = list(find_sites(file.read().split("\n")))
    rng.shuffle(sites)
    return sorted(list({site[0]: site for site in reversed(sites)}.values())[-count:]) if count else []


def write(path, faults):
    """The file in the copy, with its faults {number: site}."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, (i, begin, end, text, _) in faults.items():
        lines[i] = lines[i][:begin] + text.format(lines[i][begin:end], number) + lines[i][end:]
    first = next(i for i, line in enumerate(lines) if line.startswith("#include"))
    lines[first] += f"{HEAD}#line {first + 2}"
    with open(os.path.join(TREE, path), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def copy_tree():
    names = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True).stdout.decode().split("\0")[:-1]
    for name in filter(os.path.isfile, names):
        target = os.path.join(TREE, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or os.stat(target).st_mtime != os.stat(name).st_mtime:
            shutil.copy2(name, target)


def run(*command, **variables):
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **variables})


def find_tests(pattern):
    """{test: the files of the build that its command names}, from the lists that CMake has written."""
    found = {}
    for folder, _, names in os.walk(BUILD):
        if "CTestTestfile.cmake" in names:
            with open(os.path.join(folder, "CTestTestfile.cmake"), encoding="utf-8") as file:
                for name, words in re.findall(r"^add_test\(\[=\[(.+?)\]=\] (.*)\)$", file.read(), re.MULTILINE):
                    if re.search(pattern, name):
                        paths = re.findall(r'"([^"]*)"', words)
                        found[name] = {os.path.relpath(p, BUILD) for p in paths if p.startswith(os.path.abspath(BUILD) + "/")}
    return found


def build(faults, pattern):
    """Builds what the tests need. Faults that do not compile are dropped. Returns the tests."""
    launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    done = run("cmake", "-G", "Ninja", "-S", TREE, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DCLUMP_CUDA=OFF", "-DCLUMP_WERROR=OFF",
               "-DCLUMP_NATIVE=ON", "-DCLUMP_MPI=OFF", "-DCLUMP_LAZPERF=OFF", "-DCLUMP_BUILD_BENCH=OFF", *launcher)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    tests = find_tests(pattern)
    targets = {line.split(":")[0] for line in run("ninja", "-C", BUILD, "-t", "targets", "all").stdout.splitlines()}
    wanted = sorted(set().union(*tests.values()) & targets) if all(words & targets for words in tests.values()) else ["all"]
    while True:
        for path in {path for path, _ in faults.values()}:
            write(path, {number: site for number, (other, site) in faults.items() if other == path})
        done = run("cmake", "--build", BUILD, "-j", os.environ.get("JOBS", str(os.cpu_count())), "--target", *wanted)
        if not done.returncode:
            return tests
        wrong = {(name, int(line) - 1) for name, line in re.findall(r"([\w./-]+):(\d+):\d+: error", done.stdout)}
        bad = [k for k, (path, site) in faults.items() if any(name.endswith(path) and line == site[0] for name, line in wrong)]
        if not bad:
            sys.exit(done.stdout + done.stderr)
        for number in bad:
            del faults[number]


def run_test(name, tier, limit, **variables):
    """Whether a test passes, and its seconds."""
    env = {**os.environ, "CLUMP_TEST_TIER": tier, "CTEST_OUTPUT_ON_FAILURE": "0", **variables}
    command = ["ctest", "--test-dir", BUILD, "-R", f"^{re.escape(name)}$"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env, start_new_session=True) as process:
        begin = time.monotonic()
        try:
            passed = process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            passed = False
            os.killpg(process.pid, signal.SIGKILL)
    return passed, time.monotonic() - begin


def run_without(name, tier):
    """(passed, seconds, what it reaches) of a test without a fault."""
    with tempfile.NamedTemporaryFile() as seen:
        seen.write(bytes(MOST))
        seen.flush()
        passed, seconds = run_test(name, tier, None, MUT="0", MUT_SEEN=seen.name)
        seen.seek(0)
        return passed, seconds, seen.read()


def find_killer(number, tests, tier):
    """What kills a fault: the quickest tests are asked first."""
    reached = [name for name, (_, _, seen) in tests.items() if seen[number]]
    for name in sorted(reached, key=lambda name: tests[name][1]):
        passed, seconds = run_test(name, tier, 10 + 5 * tests[name][1], MUT=str(number))
        if not passed:
            return f"killed by {name}, tier {tier}, {seconds:.0f} s"
    return f"ALIVE   {len(reached)} tests reach it, tier {tier}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE[:N]")
    parser.add_argument("--tests", default="^(test|fuzz)_", metavar="REGEX", help="tests of CTest (default: %(default)s)")
    parser.add_argument("--tier", default="1", help="tiers, in this order (default: 1)")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    os.environ.setdefault("CLUMP_DATA", os.path.abspath("../shared/data"))
    copy_tree()
    chosen = []
    for word in options.files:
        path, _, count = word.partition(":")
        chosen += [(os.path.normpath(path), site) for site in choose(path, int(count or 5), random.Random(f"{options.seed} {path}"))]
    faults = dict(enumerate(chosen[: MOST - 1], 1))
    print(f"{len(faults)} faults; building in {BUILD}", flush=True)
    names = build(faults, options.tests)
    alive, verdicts = list(faults), {}
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        for tier in options.tier.split(","):
            tests = dict(zip(names, pool.map(lambda name, t=tier: run_without(name, t), names)))
            failed = [name for name, (passed, _, _) in tests.items() if not passed]
            if failed:
                sys.exit(f"without a fault, in tier {tier}, these fail: {' '.join(failed)}")
            print(f"tier {tier}: {len(tests)} tests pass without a fault", flush=True)
            verdicts.update(zip(alive, pool.map(lambda number, s=tests, t=tier: find_killer(number, s, t), alive)))
            alive = [number for number in alive if verdicts[number].startswith("ALIVE")]
            if not alive:
                break
    for number, (path, (i, begin, end, text, kind)) in faults.items():
        with open(path, encoding="utf-8") as file:
            line = file.read().split("\n")[i]
        print(f"{number:3} {path}:{i + 1} {kind}: {line[:begin].lstrip()}[{line[begin:end]}]{line[end:]}\n    {verdicts[number]}")
    print(f"{len(faults) - len(alive)} of {len(faults)} killed")


if __name__ == "__main__":
    main()
