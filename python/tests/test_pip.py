# SPDX-License-Identifier: BSD-3-Clause
"""pip install: what it says, and whether CUDA is in the package.

setup.py, pip and setuptools are the real ones. cmake, nvcc and nvidia-smi are scripts: cmake writes down its arguments, says what
the test wants it to say, and takes the extension of this build for the one that it has built. So a case takes seconds.
"""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import clump
import pytest

from support import data

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE = """#!/bin/sh
echo "$@" >>{log}
if [ "$1" = --build ]; then
    mkdir -p "$2/python/clump"
    cp {module} "$2/python/clump"
else
    echo '-- {says}'
fi
"""
NO_GPU = "echo 'NVIDIA-SMI has failed' >&2; exit 9"
H200 = "echo 9.0; echo 9.0"
KNOWS = "echo compute_75; echo compute_90"


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A copy of what setup.py reads: nothing is written into the source folder."""
    if not (ROOT / "setup.py").exists():
        pytest.skip(data.DO_SOURCES)
    if data.SANITIZER:
        pytest.skip(data.DO_UNWATCHED)
    if data.TIER == 1:
        pytest.skip("set CLUMP_TEST_TIER=2")
    for module in ("pip", "setuptools", "wheel"):
        if not importlib.util.find_spec(module):
            pytest.skip(f"{module}: {data.DO_LONG}")
    folder = tmp_path_factory.mktemp("sources")
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "include/clump/clump.h", "python/README.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "python/clump", folder / "python/clump", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def install(sources, tmp_path, *, verbose=True, says="Configuring done", cuda=None, **tools):
    """What pip prints, and the first arguments that cmake gets."""
    folder = tmp_path / "bin"
    folder.mkdir()
    log = tmp_path / "log"
    texts = {"cmake": CMAKE.format(log=log, module=clump._clump.__file__, says=says), "nvidia-smi": f"#!/bin/sh\n{NO_GPU}\n"}
    texts |= {name.replace("_", "-"): f"#!/bin/sh\n{lines}\n" for name, lines in tools.items()}
    for name, text in texts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:/usr/bin:/bin", "CUDA_PATH": str(tmp_path), "PYTHONPATH": ""}
    for name in ("CLUMP_CUDA", "CLUMP_STATIC", "CLUMP_PLATFORM", "CLUMP_CMAKE_ARGS"):
        environment.pop(name, None)
    if cuda:
        environment["CLUMP_CUDA"] = cuda
    command = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index",
               "--disable-pip-version-check", "--target", tmp_path / "installed", *(["-v"] if verbose else []), "."]
    done = subprocess.run(command, cwd=sources, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, start_new_session=True)  # no terminal to write to
    first = log.read_text().splitlines()[0] if log.exists() else ""
    return done.returncode, done.stdout + done.stderr, first


def test_no_gpu(sources, tmp_path):
    status, output, arguments = install(sources, tmp_path, nvcc=KNOWS)
    assert status == 0, output
    assert "-DCLUMP_CUDA=OFF" in arguments
    assert f"without CUDA: nvidia-smi names no GPU that {tmp_path}/bin/nvcc and clump know; CLUMP_CUDA=ON builds it" in output
    assert (tmp_path / "installed/clump/_clump.abi3.so").exists()


def test_gpu_of_this_machine(sources, tmp_path):
    status, output, arguments = install(sources, tmp_path, nvcc=KNOWS, nvidia_smi=H200, says="CUDA 13.0.88, code for 90",
                                        verbose=False)
    assert status == 0, output
    assert "-DCLUMP_CUDA=AUTO -DCMAKE_CUDA_ARCHITECTURES=90 " in arguments + " "
    assert "-1cuda-cp311-abi3-" in output, "the name of the wheel, which pip prints without -v"


def test_nvcc_that_does_not_work(sources, tmp_path):
    why = "this is CUDA 11.8.89, which is too old"
    status, output, _ = install(sources, tmp_path, nvcc=KNOWS, nvidia_smi=H200,
                                says=f"No CUDA, {why}: clump is built for the CPU alone")
    assert status == 0, output
    assert f"without CUDA: {why}" in output
    assert "1cuda" not in output


def test_gpu_that_is_unknown(sources, tmp_path):
    _, output, arguments = install(sources, tmp_path, nvcc=KNOWS, nvidia_smi="echo 6.1; echo 99.9")
    assert "-DCLUMP_CUDA=OFF" in arguments, output


@pytest.mark.parametrize("wanted", ["ON", "OFF"])
def test_asked_for(sources, tmp_path, wanted):
    status, output, arguments = install(sources, tmp_path, cuda=wanted, nvcc=KNOWS, nvidia_smi=H200,
                                        says="CUDA 13.0.88, code for 75-real 90" if wanted == "ON" else "done")
    assert status == 0, output
    assert f"-DCLUMP_CUDA={wanted} " in arguments and "-DCMAKE_CUDA_ARCHITECTURES" not in arguments
    assert ("with CUDA 13.0.88, code for 75-real 90" if wanted == "ON" else "without CUDA: CLUMP_CUDA is OFF") in output


def test_wrong_word(sources, tmp_path):
    status, output, _ = install(sources, tmp_path, cuda="yes")
    assert status != 0 and "CLUMP_CUDA is yes: it can be ON, OFF or AUTO." in output


def test_main():
    done = subprocess.run([sys.executable, "-m", "clump"], capture_output=True, text=True, check=True)
    words = done.stdout.split()
    assert words[:2] == ["clump", f"{clump.__version__},"]
    assert clump._clump.__file__ in words
    assert ("no CUDA" in done.stdout) == all(device.kind == "cpu" for device in clump.devices())
    for name in ("lzf", "bz2", "lz4", "zstd", "sqlite3"):
        there = name in clump._clump.libraries.split()
        assert (f"without    {name}: " in done.stdout) != there
