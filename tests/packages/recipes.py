#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""recipes.py SOURCE_DIR: what can be checked of package.xml and the recipes without the tools that build them.

Syntax, version, that a recipe says that it is untested, and that every CMake option that a recipe names exists here.
"""

import ast
import json
import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

root = Path(sys.argv[1])
failures = []


def check(condition, sentence):
    if not condition:
        failures.append(sentence)


def read(path):
    return (root / path).read_text(encoding="utf-8")


def known_options():
    """The options and cache variables that clump's CMake files define."""
    files = [root / "CMakeLists.txt", *(root / "cmake").glob("*.cmake"), *root.glob("*/CMakeLists.txt")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return set(re.findall(r"option\((\w+)", text)) | set(re.findall(r"set\((\w+)[^)]*\bCACHE\b", text))


def check_options(path, names):
    options = known_options()
    check(names, f"{path} passes no option of clump")
    for name in names:
        check(name in options, f"{path} names {name}, which is no option of clump")


def main():
    version = "".join(f".{number}" for number in re.findall(r"#define CLUMP_VERSION_\w+ (\d+)", read("include/clump/clump.h")))[1:]
    recipes = ["packaging/conda/recipe.yaml", "packaging/conda/variants.yaml", "packaging/vcpkg/vcpkg.json",
               "packaging/vcpkg/portfile.cmake", "packaging/spack/package.py"]
    for path in recipes:
        text = read(path)
        check("UNTESTED" in text, f"{path} does not say that it is untested")
        if path.endswith(("recipe.yaml", "portfile.cmake", "package.py")):
            check_options(path, re.findall(r"(?:\b|-D)(CLUMP_[A-Z_]+)", text))

    port = json.loads(read("packaging/vcpkg/vcpkg.json"))
    check(port["version"] == version, f"packaging/vcpkg/vcpkg.json has the version {port['version']}, not {version}")
    features = re.search(r"FEATURES\n(.*?)\)", read("packaging/vcpkg/portfile.cmake"), re.S).group(1)
    for feature in re.findall(r"^\s*(\w+) CLUMP", features, re.M):
        check(feature in port["features"], f"packaging/vcpkg/portfile.cmake has the feature {feature}, vcpkg.json has not")

    spack = ast.parse(read("packaging/spack/package.py"))
    calls = [node for node in ast.walk(spack) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "version"]
    versions = [call.args[0].value for call in calls]
    check(version in versions, f"packaging/spack/package.py has the versions {versions}, not {version}")

    conda = re.search(r"^  version: (\S+)$", read("packaging/conda/recipe.yaml"), re.M).group(1)
    check(conda == version, f"packaging/conda/recipe.yaml has the version {conda}, not {version}")
    try:
        import yaml
    except ImportError:
        print("skipped: recipes: run scripts/setup.sh --packages")
    else:
        for path in recipes[:2]:
            check(isinstance(yaml.safe_load(read(path)), dict), f"{path} is no mapping")

    manifest = xml.parse(root / "package.xml").getroot()
    check(manifest.findtext("version") == version, f"package.xml has the version {manifest.findtext('version')}, not {version}")
    check(manifest.findtext("export/build_type") == "cmake", "package.xml is no package of the type cmake")
    try:
        from catkin_pkg.package import parse_package
    except ImportError:
        print("skipped: recipes of ROS: run scripts/setup.sh --packages")
    else:
        for path in ("package.xml", "ros/clump_ros/package.xml"):
            warnings = []
            parse_package(str(root / path), warnings=warnings)
            check(not warnings, f"catkin_pkg on {path}: {warnings}")

    for failure in failures:
        print("FAILED:", failure)
    return 1 if failures else 0


sys.exit(main())
