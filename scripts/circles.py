#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""circles.py BUILD_DIR: lists the groups of source files that call each other in a circle, with the symbols that close the circle.
Exit status 1 where there are more of them than BUDGETS of rooms.py allows, 77 where the build is not finished.

A file calls another one where its object needs a symbol that the object of the other defines. A circle is a strongly connected
component of this graph, two files or more, inside one component of the build. A room of src/cuda is one object."""

import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from rooms import BUDGETS  # noqa: E402

# The components of the build, and the targets of CMake whose objects they have.
COMPONENTS = {
    "src": ("clump", "clump_cuda"),
    "io": ("clump_io_objects",),
    "big": ("clump_big_objects",),
    "sim": ("clump_sim",),
    "viewer": ("clump_viewer",),
    "cli": ("clump_program_objects",),
    "bench": ("clump_bench_common", "clump_bench_papers"),
    "python": ("clump_python",),
    "tests": ("clump_test_support",),
}
MAY_BE_ABSENT = ("cli", "bench", "python", "tests")  # there are builds without them


def read_objects(build):
    """{target: {object: source}}, as compile_commands.json has them: objects of files that are gone may still lie in the folders."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    targets = {}
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    for entry in entries:
        found = re.search(r" -o (\S+/CMakeFiles/(\w+)\.dir/\S+)", entry["command"])
        if found:
            targets.setdefault(found[2], {})[os.path.join(build, found[1])] = os.path.relpath(entry["file"], root)
    return targets


def read_symbols(objects):
    """{object: (symbols it defines, symbols it needs)}"""
    table = {path: (set(), set()) for path in objects}
    text = subprocess.run(["nm", "-A", "-P", "-g", *objects], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        path, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        table[path][kind in "Uvw"].add(name)
    return table


def make_graph(table):
    """{object: {object it calls: symbols}}"""
    home = {name: path for path, (defined, _) in table.items() for name in defined}
    graph = {path: {} for path in table}
    for path, (defined, needed) in table.items():
        for name in (needed - defined) & home.keys():
            graph[path].setdefault(home[name], set()).add(name)
    return graph


def reach(graph, start):
    """All objects that can be called from `start`, itself only through a circle."""
    found, todo = set(), [start]
    while todo:
        more = graph[todo.pop()].keys() - found
        found |= more
        todo += more
    return found


def find_circles(graph):
    reached = {path: reach(graph, path) for path in graph}
    groups = {frozenset(other for other in reached[path] if path in reached[other]) for path in graph if path in reached[path]}
    return sorted((sorted(group) for group in groups), key=lambda group: (-len(group), group))


def print_circle(component, group, graph, sources):
    print(f"{component}: {len(group)} files call each other in a circle")
    for path in group:
        for other in sorted(graph[path].keys() & set(group)):
            print(f"    {sources[path]} -> {sources[other]}: {' '.join(sorted(graph[path][other]))}")


def main():
    build = os.path.abspath(sys.argv[1])
    try:
        targets = read_objects(build)
    except FileNotFoundError:
        print("skipped: circles of files, compile_commands.json: build all targets")
        return 77
    count = 0
    for component, names in COMPONENTS.items():
        sources = {path: source for name in names for path, source in targets.get(name, {}).items()}
        missing = [path for path in sources if not os.path.isfile(path)]
        if missing or not (sources or component in MAY_BE_ABSENT):
            print(f"skipped: circles of files: {os.path.relpath(missing[0], build) if missing else component} has not been built: build all targets")
            return 77
        graph = make_graph(read_symbols(sources)) if sources else {}
        for group in find_circles(graph):
            count += 1
            print_circle(component, group, graph, sources)
    most = BUDGETS["circles of files"]
    print(f"{count} circles of files (at most {most})")
    return count > most


if __name__ == "__main__":
    sys.exit(main())
