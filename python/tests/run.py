# SPDX-License-Identifier: BSD-3-Clause
#
# python3 python/tests/run.py [NAME...] [options of pytest]: runs the tests of this folder in one process, or those of some files: test_ec
# is test_ec.py. The package and the program are those of build/release where the environment names no others. Exit status 77,
# with a sentence, where a part is missing. Skipped tests are listed as "skipped: WHAT: DO", DO being what to do about it.
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build" / "release"
if __name__ == "__main__" and "PYTHONPATH" not in os.environ and (BUILD / "python" / "clump").exists():
    os.environ["PYTHONPATH"] = str(BUILD / "python")  # for processes that tests start
    os.environ.setdefault("CLUMP_PROGRAM", str(BUILD / "cli" / "clump"))
    sys.path.insert(0, os.environ["PYTHONPATH"])

try:
    import numpy  # noqa: F401
    import pytest
except ImportError as missing:
    print(f"skipped: the Python package, {missing.name}: run scripts/setup.sh --python and build anew")
    sys.exit(77)


class Skips:
    def __init__(self):
        self.passed = 0

    def pytest_runtest_logreport(self, report):
        self.pytest_collectreport(report)
        self.passed += report.when == "call" and report.passed

    def pytest_collectreport(self, report):
        if report.skipped and isinstance(report.longrepr, tuple):
            print(f"\nskipped: {report.nodeid.rsplit('/')[-1]}: {report.longrepr[2].removeprefix('Skipped: ')}")


if __name__ == "__main__":  # a spawned child imports this file, too
    first_option = next((i for i, word in enumerate(sys.argv) if i and word.startswith("-")), len(sys.argv))
    files = [str(HERE / f"{word.removesuffix('.py')}.py") for word in sys.argv[1:first_option]]
    arguments = [*(files or [str(HERE)]), *sys.argv[first_option:]]
    skips = Skips()
    status = pytest.main(["-q", "-p", "no:cacheprovider", "--capture=sys", *arguments], plugins=[skips])
    if status in (0, 5) and not skips.passed:
        sys.exit(77)
    sys.exit(int(status))
