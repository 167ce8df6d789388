#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rooms.py [--write]: checks every include by the list of rooms (rooms.txt), the number of files of a folder, the budgets of the
whole tree, which it prints, and the table of CONTRIBUTING.md, which --write renews. Exit status 1 with a line for each thing that
is wrong."""

import os
import re
import sys

ROOTS = {"src": "src", "io": "io", "big": "big", "cli": "cli", "bench": "bench", "sim": "sim", "mpi": "mpi", "python": "python/ext"}
SOURCES = (".c", ".h", ".cpp", ".hpp", ".cu", ".cuh")
MOST_FILES = 30
SMALL = 40  # lines of a small header
# Budgets may shrink and never grow. A small header needs a room of its own or three files that include it: else its lines belong
# to the door of the room. Every CUDA source and every test program costs seconds of each build. circles.py counts the circles.
BUDGETS = {"small headers": 48, "CUDA sources": 16, "test programs": 41, "circles of files": 5}
CUDA = re.compile(r"(cuda|cub|thrust|cooperative_groups)")
PCL_PLACES = ("rivals/", "include/clump/pcl", "examples/pcl", "bench/pcl_dropin.cpp", "tests/pcl/")
MARKS = "<!-- rooms:begin -->", "<!-- rooms:end -->"


def read_rooms():
    """{folder: (rooms, public headers, what it does)}"""
    with open("scripts/rooms.txt", encoding="utf-8") as file:
        rows = [[part.strip() for part in line.split("|")] for line in file if line.strip() and line[0] != "#"]
    return {name: (rooms.replace("-", "").split() if rooms == "-" else rooms.split(), public, job) for name, rooms, public, job in rows}


def reach(rooms, name):
    """All rooms whose headers a room may include."""
    found, todo = set(), [name]
    while todo:
        room = todo.pop()
        if room in found:
            continue
        found.add(room)
        if room.endswith(".h"):  # one file
            continue
        for other in rooms[room][0]:
            todo += [each for each in rooms if each.startswith(other[:-1])] if other.endswith("*") else [other]
    return found


def room_of(rooms, path):
    """The room of a file: its folder, or the nearest above."""
    folder = os.path.dirname(path)
    while folder and folder not in rooms:
        folder = os.path.dirname(folder)
    return folder


def resolve(path, name):
    """The file that a quoted include names: relative to the root of its own part of the tree, or to the project."""
    root = ROOTS.get(path.split("/")[0], os.path.dirname(path))
    for folder in (os.path.dirname(path) if path.startswith(("examples", "python", "sim", "mpi")) else root, root, "src", ".", "cli", "big"):
        found = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(found):
            return found
    return None


def wrong_include(rooms, path, room, include):
    """Why a file must not include this; None where it may."""
    name = include[1:-1]
    if include[0] == '"':
        found = resolve(path, name)
        if ".." in name:
            return "paths with .. are not allowed"
        if not found:
            return "there is no such file"
        other = room_of(rooms, found)
        return None if reach(rooms, room) & {other, found} else f"{room} may not include {other}"
    public = rooms[room][1]
    if name.startswith("clump/") and public != "any" and name[6:] not in public.split():
        return f"{room} may only include of the public headers: {public}"
    if CUDA.match(name) and not path.startswith("src/cuda"):
        return "CUDA belongs into src/cuda"
    if name.startswith("pcl/") and not path.startswith(PCL_PLACES):
        return "PCL belongs into rivals, and into the drop-in: include/clump/pcl, examples/pcl"
    return None


def files():
    """Every source file of the project, but for tests, which may include everything."""
    for top in ("include", "src", "io", "sim", "big", "mpi", "cli", "rivals", "bench", "viewer", "python", "examples", "ros"):
        for folder, _, names in os.walk(top):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(SOURCES))


def check_includes(rooms):
    for path in files():
        room = room_of(rooms, path)
        if not room:
            yield f"{path}: there is no room for it in scripts/rooms.txt"
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for include in re.findall(r'^\s*#\s*include\s*("[^"]+"|<[^>]+>)', text, re.MULTILINE):
            why = wrong_include(rooms, path, room, include)
            if why:
                yield f"{path}: #include {include}: {why}"
        if path != "src/core/registry.c" and re.search(r"^\s*#\s*(el)?if.*CLUMP_WITH_CUDA", text, re.MULTILINE):
            yield f"{path}: only src/core/registry.c may ask for CLUMP_WITH_CUDA"


def check_sizes(rooms):
    for folder, _, names in (each for top in (*rooms, "tests", "python") for each in os.walk(top)):
        if "node_modules" in folder:  # what the tests of the page install
            continue
        count = sum(name.endswith((*SOURCES, ".js", ".mjs", ".py", ".sh")) for name in names)
        if count > MOST_FILES:
            yield f"{folder}: {count} source files, at most {MOST_FILES} are allowed"


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def tests():
    for folder, _, names in os.walk("tests"):
        yield from (os.path.join(folder, name) for name in names if name.endswith(SOURCES))


def count_test_programs():
    """A folder of test files is one program, and each clump_test_program() of tests/*.cmake, and each source in C++ or CUDA."""
    programs = set()
    for path in tests():
        folder, extension = os.path.dirname(path), os.path.splitext(path)[1]
        for line in lines_of(path):
            if line.startswith("int main("):
                programs.add(path)
            elif line.startswith("CHECK_PROGRAM("):
                programs.add(folder if extension == ".c" else path)
    lists = (lines_of(os.path.join("tests", name)) for name in os.listdir("tests") if name.endswith(".cmake"))
    return len(programs) + sum(line.startswith("clump_test_program(") for lines in lists for line in lines)


def count_budgets():
    """{budget: what there is}. The sources of a room of src/cuda are compiled as one."""
    return {
        "small headers": sum(path.endswith((".h", ".hpp", ".cuh")) and len(lines_of(path)) <= SMALL for path in files()),
        "CUDA sources": len({os.path.dirname(path) for path in files() if path.endswith(".cu")}),
        "test programs": count_test_programs(),
    }


def check_budgets(counts):
    for name, count in counts.items():
        if count > BUDGETS[name]:
            yield f"{count} {name}, at most {BUDGETS[name]} are allowed"


def table(rooms):
    lines = ["| folder | what it does | may include |", "|---|---|---|"]
    for name, (others, public, job) in rooms.items():
        also = [] if public in ("none", "any") and name.startswith("include") else {"none": [], "any": ["`<clump/...>`"]}.get(public, [])
        lines.append(f"| `{name}/` | {job} | {' '.join([*others, *also])} |")
    return "\n".join(lines)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    rooms = read_rooms()
    with open("CONTRIBUTING.md", encoding="utf-8") as file:
        text = file.read()
    before, middle = text.split(MARKS[0])
    expected = f"{before}{MARKS[0]}\n\n{table(rooms)}\n\n{MARKS[1]}{middle.split(MARKS[1])[1]}"
    if "--write" in sys.argv:
        with open("CONTRIBUTING.md", "w", encoding="utf-8") as file:
            file.write(expected)
        text = expected
    counts = count_budgets()
    wrong = sorted({*check_includes(rooms), *check_sizes(rooms), *check_budgets(counts)})
    if text != expected:
        wrong.append("CONTRIBUTING.md: the table of rooms is not that of scripts/rooms.txt (scripts/rooms.py --write)")
    print(", ".join(f"{count} {name} (at most {BUDGETS[name]})" for name, count in counts.items()))
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
