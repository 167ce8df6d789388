#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""parts.py [--write] [BUILD_DIR]: what every part of clump weighs, beside its budget in scripts/parts.txt. Exit status 1 where a
budget is exceeded or a tracked file is in no part. What needs a build is left out without one.
parts.py --seconds [--write] BUILD_DIR: the same of the seconds of the tests, as scripts/ci.sh has measured them. It prints what
is over; --ci fails above 1.5 times a budget, but never where other programs use the processors.
--write lowers budgets to what there is, and sets those that are "-". It never raises one."""

import argparse
import bz2
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import circles  # noqa: E402

SOURCES = (".c", ".h", ".cpp", ".hpp", ".cu", ".cuh")
CODE, TESTS, SECONDS = 0, 1, 2  # the columns
COLUMNS = {CODE: "lines of code", TESTS: "lines of tests", SECONDS: "seconds"}
SMALL = 40  # lines of a small header
SLACK = 1.5  # times vary
MANY = ("python_tests",)  # the tests of a whole part in one process
BUSY = 1.25  # a loop that waits longer than this shares its core


class Scale:
    """parts.txt: budgets by (name, column), and the part of each folder."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().splitlines()
        self.budgets, self.places, self.parts = {}, {}, []
        for cells in (self.cells(line) for line in self.lines if self.is_row(line)):
            numbers = cells[1:4] if len(cells) == 6 else cells[1:2]
            self.budgets.update({(cells[0], c): None if number == "-" else float(number) for c, number in enumerate(numbers)})
            if len(cells) == 6:
                self.parts.append(cells[0])
                for column in (CODE, TESTS):
                    for place in expand(cells[4 + column]):
                        if place in self.places:
                            raise SystemExit(f"parts.txt: {place} is there twice")
                        self.places[place] = cells[0], column

    @staticmethod
    def is_row(line):
        return bool(line) and line[0] != "#"

    @staticmethod
    def cells(line):
        return [cell.strip() for cell in line.split("|")]

    def part_of(self, path):
        """(part, column) of a file; None where no folder above it has one."""
        while path and path not in self.places:
            path = os.path.dirname(path)
        return self.places.get(path)

    def lower(self, found):
        """The lines of the table with budgets lowered to what was found."""
        for line in self.lines:
            if self.is_row(line):
                cells = self.cells(line)
                for c in range(3 if len(cells) == 6 else 1):
                    value, budget = found.get((cells[0], c)), self.budgets[cells[0], c]
                    if value is not None and (budget is None or value < budget):
                        cells[1 + c] = show(value, c)
                widths = (7, 5, 5, 5, 0, 0) if len(cells) == 6 else (19, 5, 0)
                line = " | ".join(cell.rjust(w) if 0 < c < 4 else cell.ljust(w) for c, (cell, w) in enumerate(zip(cells, widths))).rstrip()
            yield line


def expand(words):
    for word in words.split():
        head, _, rest = word.partition("{")
        names, _, tail = rest.partition("}")
        yield from (head + name + tail for name in names.split(",")) if rest else (word,)


def show(value, column):
    return "-" if value is None else f"{value:.1f}" if column == SECONDS else f"{value:.0f}"


def describe(scale, found, name, column):
    value, budget = found[name, column], scale.budgets[name, column]
    over = "  OVER" if budget is not None and value > budget else ""
    return f"{show(value, column):>6} of {show(budget, column):>6} {COLUMNS[column] if name in scale.parts else ''}{over}".rstrip()


def read_files():
    """{tracked file: its text}; pictures and samples of binary formats have none."""
    names = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True).stdout.decode().split("\0")[:-1]
    files = {}
    for name in filter(os.path.isfile, names):
        with open(name, "rb") as file:
            data = file.read()
        try:
            files[name] = "" if b"\0" in data else data.decode()
        except UnicodeDecodeError:
            files[name] = ""
    return files


def count_lines(scale, files, wrong):
    found = {(part, column): 0 for part in scale.parts for column in (CODE, TESTS)}
    for name, text in files.items():
        place = scale.part_of(name)
        if place:
            found[place] += text.count("\n")
        else:
            wrong.append(f"{name}: no part of scripts/parts.txt has it")
    wrong += [f"parts.txt: there is no {place}" for place in scale.places if not os.path.exists(place)]
    return found


def count_test_programs(files):
    """A folder of test files is one program, and each clump_test_program() of tests/*.cmake, and each source in C++ or CUDA."""
    programs, calls = set(), 0
    for name, text in files.items():
        if name.startswith("tests/") and name.endswith(SOURCES):
            if re.search(r"^int main\(", text, re.MULTILINE):
                programs.add(name)
            if re.search(r"^CHECK_PROGRAM\(", text, re.MULTILINE):
                programs.add(os.path.dirname(name) if name.endswith(".c") else name)
        if re.fullmatch(r"tests/\w+\.cmake", name):
            calls += len(re.findall(r"^clump_test_program\(", text, re.MULTILINE))
    return len(programs) + calls


def count_all(files):
    """What is counted in the whole tree. The sources of a room of src/cuda are compiled as one."""
    public = {name: text for name, text in files.items() if re.fullmatch(r"include/clump/\w+\.h", name)}
    headers = [t for n, t in files.items() if n.endswith((".h", ".hpp", ".cuh")) and not n.startswith(("tests/", "python/tests/"))]
    lists = "".join(text for name, text in files.items() if name.endswith((".cmake", "CMakeLists.txt")))
    return {
        "exported functions": sum(len(re.findall(r"^CLUMP_API\b", text, re.MULTILINE)) for text in public.values()),
        "public header lines": sum(text.count("\n") for text in public.values()),
        "files": len(files),
        "CMake options": len(re.findall(r"^\s*(?:option\(|set\(CLUMP_\w+ .*\bCACHE\b)", lists, re.MULTILINE)),
        "small headers": sum(text.count("\n") <= SMALL for text in headers),
        "CUDA sources": len({os.path.dirname(name) for name in files if name.startswith("src/") and name.endswith(".cu")}),
        "test programs": count_test_programs(files),
    }


def count_program(program):
    """Of `clump --help` and `clump COMMAND --help`. `gen lidar` is a page of its own, and one word with `gen survey`."""

    def page(*words):
        return subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True).stdout

    commands = [words.split() for words in re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", page().split("Options:")[0], re.MULTILINE)]
    rows = [len(re.findall(r"^  +-", page(*words), re.MULTILINE)) for words in commands]
    return {"commands": len({words[0] for words in commands}), "option rows": sum(rows), "longest --help": max(rows)}


def count(scale, build, wrong):
    files = read_files()
    found = count_lines(scale, files, wrong)
    total = count_all(files)
    program = os.path.join(build, "cli/clump")
    if os.access(program, os.X_OK):
        total.update(count_program(program))
    else:
        print("skipped: commands and options: clump has not been built")
    listed, why = circles.find(build)
    if why:
        print(f"skipped: circles of files: {why}")
    else:
        total["circles of files"] = len(listed)
        if len(listed) > (scale.budgets["circles of files", CODE] or 0):
            wrong += listed
    return {**found, **{(name, CODE): value for name, value in total.items()}}


def loop(_=None):
    """The unit of seconds. Returns the seconds of its core, and those of a clock."""
    data = "".join(f"{i * i * 7919 % 100003:05d} " for i in range(330000)).encode()
    core, clock = time.process_time(), time.monotonic()
    bz2.compress(data)
    return time.process_time() - core, time.monotonic() - clock


def read_seconds(build):
    """{test: seconds of all processors}, from what the shell's `times` has written: cmake/TestTimes.cmake."""
    folder, found = os.path.join(build, "Testing/Times"), {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            times = re.findall(r"(\d+)m([\d.]+)s", file.read().replace(",", "."))
        found[name] = sum(60 * int(minutes) + float(seconds) for minutes, seconds in times)
    return found


def count_seconds(scale, build):
    """({(part, SECONDS): loops, and the longest test}, whether other programs use the processors)"""
    with multiprocessing.Pool() as pool:
        loops = pool.map(loop, range(os.cpu_count()))
    unit = sorted(core for core, _ in loops)[len(loops) // 2]
    busy = max(clock / core for core, clock in loops) > BUSY
    roots = [place for place, (_, column) in scale.places.items() if column == TESTS]
    paths = [os.path.join(folder, name) for root in roots for folder, _, names in os.walk(root) for name in names]
    stems = {os.path.basename(path).split(".")[0]: path for path in [*paths, *filter(os.path.isfile, roots)]}
    found = {(part, SECONDS): 0 for part in scale.parts}
    tests = {name: seconds / unit for name, seconds in read_seconds(build).items()}
    for name, value in tests.items():
        # A test has the name of its file; else that of its list, as cli_ec of tests/cli.cmake; else that of its folder.
        words = name.split("_")
        stem = next((s for s in ("_".join(words[:n]) for n in range(len(words), 0, -1)) if s in stems), None)
        folders = [stems.get(stem), f"tests/{words[0]}", f"{words[0]}/tests", f"{words[0]}s", "tests"]
        path = next(path for path in folders if path and os.path.exists(path))
        found[scale.part_of(path)[0], SECONDS] += value
    for name in sorted(tests, key=tests.get, reverse=True)[:10]:
        print(f"{tests[name]:8.1f}  {name}")
    print(f"{unit:8.2f} s of a core is one loop{'; other programs use the processors: nothing is judged' if busy else ''}")
    longest = max((value for name, value in tests.items() if name not in MANY), default=0)
    return {**found, ("longest test", CODE): longest}, busy


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for flag in ("--write", "--seconds", "--ci"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("build", nargs="?", default="build/release")
    options = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    path, wrong, slack = "scripts/parts.txt", [], 1
    scale = Scale(path)
    judged = options.seconds or options.ci
    if not judged and not (os.path.exists(".git") and shutil.which("git")):
        print("skipped: parts: install git" if os.path.exists(".git") else "skipped: parts: run it in a clone of the repository")
        return 77
    if judged:
        found, busy = count_seconds(scale, options.build)
        slack = SLACK if options.ci and not busy else float("inf")
    else:
        found = count(scale, options.build, wrong)
    for part in scale.parts:
        print(f"{part:8}", *(describe(scale, found, part, column) for column in COLUMNS if (part, column) in found), sep="   ")
    if (scale.parts[0], CODE) in found:
        print(f"{sum(found[part, c] for part in scale.parts for c in (CODE, TESTS) if part != 'data'):6.0f} lines in all, without data")
    for name in (name for name, _ in scale.budgets if name not in scale.parts and (name, CODE) in found):
        print(describe(scale, found, name, CODE), name, sep="   ")
    wrong += [f"parts.txt: no row {name}" for name, column in found if (name, column) not in scale.budgets]
    for (name, column), value in found.items():
        budget = scale.budgets.get((name, column))
        if budget is not None and value > budget * slack:
            what = f"{name}: {COLUMNS[column]}" if name in scale.parts else name
            wrong.append(f"{what}: {show(value, column)}, at most {show(budget, column)} (CONTRIBUTING.md, The scale)")
    if options.write:
        text = "\n".join(scale.lower(found)) + "\n"  # before the file is emptied
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
