# SPDX-License-Identifier: BSD-3-Clause
#
# python3 run.py FILE... [options of pytest]: runs pytest. Exit status 77, with a sentence, where a part is missing. Skipped
# tests are listed as "skipped: WHAT: WHY" (scripts/left-out.sh).
import sys

try:
    import numpy  # noqa: F401
    import pytest
except ImportError as missing:
    print(f"skipped: the Python package: there is no {missing.name} (scripts/setup.sh --python)")
    sys.exit(77)


class Skips:
    def __init__(self):
        self.passed = 0

    def pytest_runtest_logreport(self, report):
        if report.skipped and isinstance(report.longrepr, tuple):
            print(f"\nskipped: {report.nodeid.rsplit('/')[-1]}: {report.longrepr[2].removeprefix('Skipped: ')}")
        self.passed += report.when == "call" and report.passed

    def pytest_collectreport(self, report):
        if report.skipped and isinstance(report.longrepr, tuple):
            print(f"\nskipped: {report.nodeid.rsplit('/')[-1]}: {report.longrepr[2].removeprefix('Skipped: ')}")


if __name__ == "__main__":  # a spawned child imports this file, too
    skips = Skips()
    status = pytest.main(["-q", "-p", "no:cacheprovider", "--capture=sys", *sys.argv[1:]], plugins=[skips])
    if status in (0, 5) and not skips.passed:
        sys.exit(77)
    sys.exit(int(status))
