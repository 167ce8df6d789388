# SPDX-License-Identifier: BSD-3-Clause
"""Simulated scans for the examples, for those who have none at hand. The program `clump` makes them."""

import os
import shutil
import subprocess
import sys


def run(*arguments):
    program = os.environ.get("CLUMP_PROGRAM") or shutil.which("clump")
    if not program:
        sys.exit("Name a scan, or install the program clump, which simulates one.")
    subprocess.run([program, *arguments, "-q"], check=True)


def street(path, *options):
    """Writes a scan of a street with a sensor of 64 beams, and returns its path."""
    run("gen", "lidar", "--no-vehicle", "--seed", "2", "-o", str(path), *options)
    return path


def survey(path, points=200000):
    """Writes an airborne survey, a LAS file with the classes ground, building and vegetation, and returns its path."""
    run("gen", "survey", "-n", str(points), "-o", str(path))
    return path
