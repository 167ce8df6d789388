#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scale.py SCRIPTS_DIR: parts.py on a small tree: it fails on one line too many, and --write never raises a budget."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TABLE = """# part | code | tests | seconds | folders of the code | folders of the tests
core    | 3 | - | 0.5 | src | tests
rest    | - | - | - | scripts .gitignore |
exported functions | 1 | of headers
public header lines | - | of headers
files | - | of all
CMake options | - | of lists
small headers | - | of headers
CUDA sources | - | of sources
test programs | - | of tests
longest test | 10 | loops
"""


def put(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def parts(*words, fails=False, says=""):
    """Runs parts.py, and returns its table."""
    subprocess.run(["git", "add", "-A"], check=True)
    done = subprocess.run([sys.executable, "scripts/parts.py", *words, "build"], capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails and says in done.stdout, (words, done)
    with open("scripts/parts.txt", encoding="utf-8") as file:
        return done.stdout, [re.sub(" +", " ", line) for line in file.read().splitlines()]


def main():
    put("scripts/parts.txt", TABLE)
    put(".gitignore", "build\n__pycache__\n")
    put("src/a.c", "1\n2\n3\n")
    put("src/picture.png", "\0\n\n\n\n")
    put("tests/test_a.c", "1\n")
    _, table = parts("--write")
    assert table[1] == "core | 3 | 1 | 0.5 | src | tests", table
    assert table[3] == "exported functions | 0 | of headers", table

    # One line too many, and one function; --write does not help.
    put("src/a.c", "1\n2\n3\n4\n")
    parts(fails=True, says="core: lines of code: 4, at most 3")
    assert parts("--write", fails=True)[1] == table
    put("src/a.c", "1\n2\n3\n")
    put("include/clump/a.h", "CLUMP_API int a(void);\n")
    said, _ = parts(fails=True, says="exported functions: 1, at most 0")
    assert "include/clump/a.h: no part" in said, said
    shutil.rmtree("include")
    assert parts()[1] == table

    # What has become less lowers its budget.
    put("src/a.c", "1\n")
    assert parts("--write")[1][1] == "core | 1 | 1 | 0.5 | src | tests"
    shutil.rmtree("tests")
    parts(fails=True, says="there is no tests")
    put("tests/test_a.c", "1\n")

    # Seconds: a test of 40 s is over. This is judged in CI alone, and not beside other programs.
    put("build/Testing/Times/test_a_small", "0m0.000s 0m0.000s\n0m39.000s 0m1.000s\n")
    command = [sys.executable, "scripts/parts.py", "--ci", "--write", "build"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout
    assert "OVER" in said, done
    assert done.returncode == 0 if "nothing is judged" in said else re.search(r"core: seconds: \d+\.\d, at most 0\.5", said), done
    assert parts()[1][1] == "core | 1 | 1 | 0.5 | src | tests"


if __name__ == "__main__":
    if not shutil.which("git"):
        print("skipped: scale: install git")
        sys.exit(77)
    scripts = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        subprocess.run(["git", "init", "-q"], check=True)
        os.mkdir("scripts")
        for name in ("parts.py", "circles.py"):
            shutil.copy(os.path.join(scripts, name), "scripts")
        main()
        os.chdir("/")
