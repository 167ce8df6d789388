# SPDX-License-Identifier: BSD-3-Clause
"""The examples in the docstrings of the package and in docs/python.md give what they show."""

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess

import pytest

import clump
from support.data import program

ROOT = pathlib.Path(__file__).parents[2]
PUBLIC = [name for name in clump.__all__ if not isinstance(getattr(clump, name), type) or
          not issubclass(getattr(clump, name), (Exception, tuple))]


def check(examples):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False)
    runner.run(examples)
    assert runner.failures == 0
    return runner.tries


@pytest.mark.parametrize("name", ["clump"] + [f"clump.{module.name}" for module in pkgutil.iter_modules(clump.__path__)])
def test_docstrings(name):
    module = importlib.import_module(name)
    for examples in doctest.DocTestFinder(exclude_empty=True).find(module):
        check(examples)


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_are_documented(name):
    assert getattr(clump, name).__doc__, f"clump.{name} has no docstring"


@pytest.mark.parametrize("page", ["docs/python.md"])
def test_page(page, tmp_path, monkeypatch):
    path = ROOT / page
    if not path.exists():
        pytest.skip("run it in the source folder")
    monkeypatch.chdir(tmp_path)
    for line in re.findall(r"^clump (gen .*)$", path.read_text(), flags=re.MULTILINE):  # the files that the page needs
        subprocess.run([program(), *line.split(), "-q"], check=True)
    text = re.sub(r"^```.*$", "", path.read_text(), flags=re.MULTILINE)  # a fence is no output
    examples = doctest.DocTestParser().get_doctest(text, {}, page, str(path), 0)
    assert check(examples) >= 10


def test_readme(tmp_path, monkeypatch):
    """The program in the README runs in the folder that `make demo` leaves."""
    path = ROOT / "README.md"
    if not path.exists():
        pytest.skip("run it in the source folder")
    block, = re.findall(r"^```python\n(.*?)^```$", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    subprocess.run([program(), "gen", "lidar", "--sensor", "128", "-o", "street.pcd", "-q"], check=True)
    names = {}
    exec(compile(block, str(path), "exec"), names)
    assert len(names["objects"]) == names["labels"].max() + 1 > 100
    assert len(clump.read("labelled.pcd")) == len(names["labels"])
