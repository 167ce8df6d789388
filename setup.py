# SPDX-License-Identifier: BSD-3-Clause
"""Builds the extension clump._clump with CMake, for sdist and wheel. pyproject.toml has the metadata.

The library is linked into the extension, compiled for the baseline processor; CPU levels are chosen at run time.
Environment:

    CLUMP_CUDA=ON        with the CUDA backend (default OFF)
    CLUMP_STATIC=ON      libraries for recordings and compressed files as lib*.a where there are any: a wheel that needs
                         libc alone. OFF: as the system has them. (default OFF)
    CLUMP_CMAKE_ARGS     more arguments for CMake, separated by spaces
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    """The version in include/clump/clump.h, the one place where it is written."""
    text = (ROOT / "include/clump/clump.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"#define CLUMP_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def static_libraries():
    """Arguments for CMake that name the static forms of the libraries of io/CMakeLists.txt and viewer/CMakeLists.txt."""
    folder = pathlib.Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("MULTIARCH") or "")
    folders = [folder, pathlib.Path("/usr/lib") / folder.name, pathlib.Path("/usr/lib64"), pathlib.Path("/usr/local/lib")]
    for word, name in (("LZF", "lzf"), ("BZ2", "bz2"), ("LZ4", "lz4"), ("ZSTD", "zstd"), ("SQLITE", "sqlite3"), ("ZLIB", "z")):
        for path in (place / f"lib{name}.a" for place in folders):
            if path.exists():
                yield f"-DCLUMP_{word}_LIBRARY={path}"
                break
        else:
            print(f"setup.py: there is no lib{name}.a: what needs it is left out")
            yield f"-DCLUMP_{word}_LIBRARY=CLUMP_{word}_LIBRARY-NOTFOUND"
            yield f"-DCLUMP_{word}_INCLUDE="


class CleanCopy(build_py):
    """Copies the modules. What an earlier build has left would otherwise go into the wheel."""

    def run(self):
        shutil.rmtree(pathlib.Path(self.build_lib) / "clump", ignore_errors=True)
        super().run()


class CMakeBuild(build_ext):
    """Builds the target clump_python and takes the extension from CMake's build folder."""

    def build_extension(self, ext):
        if not shutil.which("cmake"):
            raise SystemExit("clump is built with CMake, and there is no cmake (Debian: cmake ninja-build).")
        folder = pathlib.Path(self.build_temp).resolve() / "cmake"
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "BUILD_SHARED_LIBS": "OFF",
            "CLUMP_PYTHON": "ON",
            "CLUMP_CUDA": os.environ.get("CLUMP_CUDA", "OFF"),
            "CLUMP_NATIVE": "OFF",
            "Python3_EXECUTABLE": sys.executable,
        }
        for part in ("BUILD_CLI", "BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCH", "INSTALL"):
            options[f"CLUMP_{part}"] = "OFF"
        arguments = [f"-D{name}={value}" for name, value in options.items()]
        if os.environ.get("CLUMP_STATIC", "OFF") == "ON":
            arguments += static_libraries()
        if shutil.which("ninja"):
            arguments += ["-G", "Ninja"]
        arguments += shlex.split(os.environ.get("CLUMP_CMAKE_ARGS", ""))
        jobs = os.environ.get("JOBS") or str(len(os.sched_getaffinity(0)))
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *arguments], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "clump_python", "-j", jobs], check=True)
        made = folder / "python" / "clump" / "_clump.abi3.so"
        wanted = pathlib.Path(self.get_ext_fullpath(ext.name))
        wanted.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, wanted)
        subprocess.run([os.environ.get("STRIP", "strip"), "--strip-unneeded", wanted], check=False)


setup(
    version=version(),
    package_dir={"": "python"},
    packages=["clump"],
    package_data={"clump": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("clump._clump", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": CMakeBuild, "build_py": CleanCopy},
    options={"bdist_wheel": {"py_limited_api": "cp311"}, "build": {"build_base": "build/setuptools"}},
    zip_safe=False,
)
