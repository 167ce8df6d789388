# SPDX-License-Identifier: BSD-3-Clause
"""python3 bench/report page FILE CSV...     makes the page of the papers' experiments of the rows in these files
python3 bench/report tables [--check]     writes the tables of all results into README.md and docs/; --check: writes nothing, status 1
                                          says that a page is out of date
python3 bench/report stale                says which result files have rows of older sources than those of the last commit

Needs Python 3.9 or later, and no package."""
import argparse
import collections
import csv
import difflib
import glob
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import benches
import pages
import rows
import tables
from papers import papers

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = "README.md", "docs/benchmarks.md", "docs/choosing.md", "docs/papers.md"


def save(path, text):
    """Writes the text beside the file and renames it: the file is whole or untouched."""
    try:
        with open(path + ".new", "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(path + ".new", path)
    except OSError as why:
        raise rows.Failure(f"{path} cannot be written") from why


def fill_pages(check):
    results = os.path.join(ROOT, "bench", "results")
    machines = rows.machines(sorted(glob.glob(os.path.join(results, "papers", "*.csv"))))
    kinds = {**benches.bench_kinds(results), **tables.paper_kinds(papers(), machines)}
    status = 0
    for page in PAGES:
        old = rows.read_text(os.path.join(ROOT, page))
        new = tables.fill(old, page, kinds)
        if new == old:
            continue
        if not check:
            save(os.path.join(ROOT, page), new)
            continue
        status = 1
        print(f"{page} is out of date: run python3 bench/report tables")
        print("\n".join(list(difflib.unified_diff(old.split("\n"), new.split("\n"), "is", "should be", lineterm="", n=0))[:20]))
    return status


def changed_since(commit):
    """How many commits have changed what is measured since; None: the commit is not known."""
    words = [os.path.join(ROOT, "bench", "commit.sh"), re.sub(r"[+-].*", "", commit)]
    found = subprocess.run(words, capture_output=True, text=True, check=False) if commit else None
    return int(found.stdout) if found and found.returncode == 0 else None


def say_stale():
    results = os.path.join(ROOT, "bench", "results")
    for path in sorted(glob.glob(os.path.join(results, "**", "*.csv"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            dates = collections.Counter(line["date"] for line in csv.DictReader(file))
        for date, count in sorted(dates.items()):
            day, _, commit = date.partition(" ")
            since = changed_since(commit)
            age = "commit not known" if since is None else "current" if since == 0 else f"{since} commit{'s' * (since != 1)} of sources since"
            print(f"{os.path.relpath(path, results)}: {count} rows of {day} {commit or '-'}: {age}")
    return 0


def main(words):
    parser = argparse.ArgumentParser(prog="bench/report", description="the page and the tables of the results of benches")
    commands = parser.add_subparsers(dest="command", required=True)
    page = commands.add_parser("page", help="make the page of the papers' experiments")
    page.add_argument("file")
    page.add_argument("csv", nargs="+", help="result files of any number of machines")
    commands.add_parser("tables", help="write the tables into README.md and docs/").add_argument(
        "--check", action="store_true", help="write nothing; status 1: a page is out of date")
    commands.add_parser("stale", help="say which results are of older sources")
    given = parser.parse_args(words)
    try:
        if given.command == "stale":
            return say_stale()
        if given.command == "tables":
            return fill_pages(given.check)
        save(given.file, pages.write(papers(), rows.machines(given.csv), os.path.dirname(given.file) or "."))
        return 0
    except rows.Failure as why:
        print("bench/report:", why, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
