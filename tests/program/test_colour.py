#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Colours are for terminals alone: runs the program with pipes and with a pseudo-terminal, and compares.

    test_colour.py CLUMP
"""
import errno
import os
import pty
import subprocess
import sys
import tempfile
import unittest

program = os.path.abspath(sys.argv.pop(1))


def read_all(file):
    data = b""
    while True:
        try:
            more = os.read(file, 65536)
        except OSError as error:  # Linux: the other end of the terminal is closed
            if error.errno != errno.EIO:
                raise
            more = b""
        if not more:
            return data
        data += more


def run(*words, out=False, err=False, **variables):
    """Returns what the program prints. out, err: to a terminal instead of a pipe."""
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    environment.update({"TERM": "xterm"}, **variables)
    environment = {k: v for k, v in environment.items() if v is not None}
    ours, theirs = pty.openpty()
    child = subprocess.Popen([program, *words], env=environment, stdin=subprocess.DEVNULL,
                             stdout=theirs if out else subprocess.PIPE, stderr=theirs if err else subprocess.PIPE)
    os.close(theirs)
    terminal = read_all(ours).replace(b"\r\n", b"\n") if out or err else b""
    stdout, stderr = child.communicate()
    os.close(ours)
    return (terminal if out else stdout, terminal if err else stderr)


def plain(data):
    for sequence in (b"\033[0m", b"\033[1m", b"\033[2m", b"\033[1;31m"):
        data = data.replace(sequence, b"")
    return data


class Colour(unittest.TestCase):
    def test_help(self):
        for words in (["--help"], ["ec", "-h"], ["ec", "--help"], ["gen", "--help"]):
            piped, _ = run(*words)
            shown, _ = run(*words, out=True)
            self.assertNotIn(b"\033", piped)
            self.assertIn(b"\033[1mUsage:\033[0m", shown)
            self.assertEqual(plain(shown), piped)

    def test_hints_are_dim(self):
        shown, _ = run("ec", "-h", out=True)
        self.assertIn(b"\033[2m    points less than 0.5 m apart", shown)

    def test_errors_are_red(self):
        _, piped = run("ec", "missing.pcd", "-d", "1")
        _, shown = run("ec", "missing.pcd", "-d", "1", err=True)
        self.assertNotIn(b"\033", piped)
        self.assertTrue(shown.startswith(b"\033[1;31mclump:\033[0m missing.pcd"), shown)
        self.assertEqual(plain(shown), piped)

    def test_hint_of_an_error(self):
        _, shown = run("ec", "scan.pcd", err=True)
        self.assertTrue(shown.endswith(b"\033[2m; see 'clump ec --help'\033[0m\n"), shown)

    def test_errors_of_threads(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.pcd")
            with open(path, "w", encoding="ascii") as file:
                file.write("nothing")
            _, piped = run("ec", path, "-d", "1", "--each")
            _, shown = run("ec", path, "-d", "1", "--each", err=True)
        self.assertTrue(shown.startswith(b"\033[1;31mclump:\033[0m "), shown)
        self.assertEqual(plain(shown), piped)

    def test_a_warning_is_not_red(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "twice.csv")
            with open(path, "w", encoding="ascii") as file:
                file.write("x,y,z,a,a\n1,2,3,4,5\n")
            _, shown = run("convert", path, os.path.join(folder, "scan.bin"), err=True)
        self.assertIn(b"\033[1mclump:\033[0m", shown)
        self.assertNotIn(b"\033[1;31m", shown)

    def test_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "toy.pcd")
            run("gen", "factors", "-n", "1024", "-c", "16", "-q", "-o", path)
            piped, _ = run("ec", path, "-d", "1")
            shown, _ = run("ec", path, "-d", "1", out=True)
        self.assertNotIn(b"\033", piped)
        self.assertIn(b"\033[2m... and 6 more", shown)
        table = piped.index(b"\n\n")  # times above it differ
        self.assertEqual(plain(shown)[-len(piped[table:]):], piped[table:])

    def test_one_stream_of_two(self):
        out, err = run("ec", "-h", err=True)
        self.assertNotIn(b"\033", out)
        self.assertEqual(err, b"")

    def test_off(self):
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": None}):
            shown, _ = run("ec", "-h", out=True, **variables)
            self.assertNotIn(b"\033", shown, variables)
        shown, _ = run("ec", "-h", out=True, NO_COLOR="")  # empty: not set, by the rule of no-color.org
        self.assertIn(b"\033", shown)


if __name__ == "__main__":
    unittest.main()
