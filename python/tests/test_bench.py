# SPDX-License-Identifier: BSD-3-Clause
"""bench/python.py runs, compares results, and keeps its rows."""
import csv
import pathlib
import subprocess
import sys

import pytest

BENCH = pathlib.Path(__file__).parents[2] / "bench" / "python.py"
if not BENCH.exists():
    pytest.skip("run it in the source folder", allow_module_level=True)


def bench(*arguments):
    done = subprocess.run([sys.executable, str(BENCH), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rows_of_other_cases_stay(tmp_path, monkeypatch):
    path = tmp_path / "machine.csv"
    monkeypatch.setenv("CLUMP_COMMIT", "abcd1234")
    bench("--repeat", "1", "--csv", str(path), "overhead-4")
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["case"] for row in rows} == {"overhead-4"} and len(rows) == 3
    assert all(0 < float(row["median_ms"]) < 100 and "," not in "".join(row.values()) for row in rows)
    assert all(row["date"].endswith(" abcd1234") for row in rows)
    bench("--repeat", "1", "--csv", str(path), "overhead-1")  # and overhead-16
    with open(path, newline="", encoding="utf-8") as file:
        cases = [row["case"] for row in csv.DictReader(file)]
    assert sorted(set(cases)) == ["overhead-1", "overhead-16", "overhead-4"]
    assert bench("--machine").strip() == bench("--machine").strip() != ""


def test_a_case_without_its_cloud_is_left_out(tmp_path):
    assert "left out" in bench("--data", str(tmp_path), "--no-rivals", "dbscan-kitti")
