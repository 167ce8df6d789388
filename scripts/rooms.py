#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rooms.py [--write]: checks every include by the list of rooms (rooms.txt), that a room defines the functions that its headers
declare, that comments name files that exist, the number of files of a folder, and the table of CONTRIBUTING.md, which --write
renews. Exit status 1 with a line for each thing that is wrong."""

import os
import re
import sys

ROOTS = {"src": "src", "io": "io", "big": "big", "cli": "cli", "bench": "bench", "sim": "sim", "mpi": "mpi", "python": "python/ext"}
SOURCES = (".c", ".h", ".cpp", ".hpp", ".cu", ".cuh")
MOST_FILES = 30
CUDA = re.compile(r"(cuda|cub|thrust|cooperative_groups)")
PCL_PLACES = ("rivals/", "include/clump/pcl", "examples/pcl", "bench/pcl_dropin.cpp", "tests/pcl/")
# A function at the left margin: its name, and ";" or "{". Macros are no functions.
FUNCTION = re.compile(r"^(?!typedef|return|static|else|#)\w[\w\s*]*?\b(\w+)\((?:[^;{}()]|\([^()]*\))*\)[^;{}()]*([;{])", re.MULTILINE)
COMMENTS = {"c": re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL), "sh": re.compile(r"(?<!\S)#[^\n]*|\"{3}.*?\"{3}", re.DOTALL)}
KINDS = {**dict.fromkeys((".c", ".h", ".cpp", ".hpp", ".cu", ".cuh", ".js", ".mjs"), "c"), **dict.fromkeys((".py", ".sh", ".cmake"), "sh")}
# A name of a file in a comment. Names with words in capitals stand for any name: test_NAME.c.
NAMED = re.compile(r"(?<![\w./*{}<>$-])(?:\.{1,2}/)*((?:[\w.-]+/)*[\w-]+\.(?:c|h|cu|cuh|cpp|hpp|py|sh|js|mjs|cmake|md))(?![\w/*(-]|\.\w)")
ENDING = re.compile(r"\w\.(?:[ch]|cuh?|[ch]pp|py|sh|m?js|cmake|md)\b")  # a quick look first
FOREIGN = ("three.js", "packages/clump/package.py", "wrap.cpp", "install/setup.sh", "lz4.h")  # files of others and of users
MARKS = "<!-- rooms:begin -->", "<!-- rooms:end -->"


def read_rooms():
    """{folder: (rooms, public headers, what it does)}, {(header, room that defines what it declares): how many functions}"""
    rows = [[part.strip() for part in line.split("|")] for line in lines_of("scripts/rooms.txt") if line and line[0] != "#"]
    rooms = {row[0]: ([] if row[1] == "-" else row[1].split(), row[2], row[3]) for row in rows if len(row) == 4}
    return rooms, {(row[0], row[1]): int(row[2]) for row in rows if len(row) == 3}


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


def check_doors(rooms, exceptions):
    """A room defines what its headers declare; inline functions and variables are not counted."""
    declared, defined, found = {}, {}, {}
    for path in files():
        text = COMMENTS["c"].sub("", "\n".join(lines_of(path)))
        for name, end in FUNCTION.findall(text):
            if end == ";" and path.endswith((".h", ".cuh")) and not path.startswith("include"):
                declared.setdefault(name, []).append(path)
            if end == "{" and path.endswith((".c", ".cu", ".cpp")):
                defined.setdefault(name, []).append(room_of(rooms, path))
    for name in sorted(declared.keys() & defined.keys()):
        for path in declared[name]:
            if room_of(rooms, path) not in defined[name]:
                found.setdefault((path, defined[name][0]), []).append(name)
    for key in {**found, **exceptions}:
        names, most = found.get(key, []), exceptions.get(key, 0)
        if len(names) > most:
            yield f"{key[0]}: declares {len(names)} functions of {key[1]}, at most {most} are allowed: {' '.join(names)}"
        elif len(names) < most:
            yield f"{key[0]}: declares only {len(names)} functions of {key[1]}: lower the {most} of scripts/rooms.txt"


def check_names():
    """Comments and pages name files that exist: by their end, or as the file itself makes them."""
    tree, texts = set(), {}
    for folder, folders, names in os.walk("."):
        folders[:] = [each for each in folders if each not in (".git", "build", "node_modules", "__pycache__")]
        for path in (os.path.relpath(os.path.join(folder, name)) for name in names):
            tree.update(path.split("/", n)[n] for n in range(path.count("/") + 1))
            kind = "md" if path.endswith(".md") else "sh" if path.endswith("CMakeLists.txt") else KINDS.get(os.path.splitext(path)[1])
            if kind and path != "CHANGELOG.md" and "/bundle/" not in path:
                texts[path] = kind, "\n".join(lines_of(path))
    for path, (kind, text) in texts.items():
        comments = COMMENTS[kind].findall(text) if kind in COMMENTS else [text]
        lines = [line for comment in comments for line in comment.splitlines() if ENDING.search(line)]
        for name in {name for line in lines for name in NAMED.findall(line)} - tree:
            if name in FOREIGN or re.search("[A-Z]{3}", name) or (kind in COMMENTS and name in COMMENTS[kind].sub("", text)):
                continue
            yield f"{path}: names {name}, which does not exist"


def table(rooms):
    lines = ["| folder | what it does | may include |", "|---|---|---|"]
    for name, (others, public, job) in rooms.items():
        also = [] if public in ("none", "any") and name.startswith("include") else {"none": [], "any": ["`<clump/...>`"]}.get(public, [])
        lines.append(f"| `{name}/` | {job} | {' '.join([*others, *also])} |")
    return "\n".join(lines)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    rooms, exceptions = read_rooms()
    with open("CONTRIBUTING.md", encoding="utf-8") as file:
        text = file.read()
    before, middle = text.split(MARKS[0])
    expected = f"{before}{MARKS[0]}\n\n{table(rooms)}\n\n{MARKS[1]}{middle.split(MARKS[1])[1]}"
    if "--write" in sys.argv:
        with open("CONTRIBUTING.md", "w", encoding="utf-8") as file:
            file.write(expected)
        text = expected
    wrong = sorted({*check_includes(rooms), *check_sizes(rooms), *check_doors(rooms, exceptions), *check_names()})
    if text != expected:
        wrong.append("CONTRIBUTING.md: the table of rooms is not that of scripts/rooms.txt (scripts/rooms.py --write)")
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
