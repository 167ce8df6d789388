# SPDX-License-Identifier: BSD-3-Clause
"""Builds the extension clump._clump with CMake, for sdist and wheel. pyproject.toml has the metadata.

The library is linked into the extension, compiled for the baseline processor; CPU levels are chosen at run time.
Environment:

    CLUMP_CUDA           the CUDA backend: ON (for all GPUs), OFF, or AUTO, the default: for the GPUs of this machine, where
                         nvcc and nvidia-smi are found
    CLUMP_STATIC         libraries for recordings and compressed files: ON as lib*.a where there are any: a wheel that needs libc
                         alone; a folder: those in its lib/ and include/; OFF, the default: as the system has them
    CLUMP_PLATFORM       the platform in the name of the wheel, such as manylinux_2_28_x86_64 (default: this machine's)
    CLUMP_CMAKE_ARGS     more arguments for CMake, separated by spaces

pip shows the output of a build that succeeded only with -v. What is built, and whether CUDA is in it, is therefore written to
the terminal, too, and a wheel with CUDA has `1cuda` in its name, which pip prints.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    """The version in include/clump/clump.h, the one place where it is written."""
    text = (ROOT / "include/clump/clump.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"#define CLUMP_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def say(text):
    """Prints a line, and writes it to the terminal where there is one."""
    print(f"clump: {text}", flush=True)
    try:
        with open("/dev/tty", "w", encoding="utf-8") as terminal:
            terminal.write(f"\nclump: {text}\n")
    except OSError:
        pass


def gpu_architectures(nvcc):
    """The architectures of this machine's GPUs as CMake names them; no elements where there is no GPU for clump."""
    command = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        known = subprocess.run([nvcc, "--list-gpu-arch"], capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []
    found = sorted({int(major + minor) for major, minor in re.findall(r"^(\d+)\.(\d)$", answer, re.MULTILINE)})
    return [number for number in found if f"compute_{number}" in known and number >= 75]


def cuda_arguments():
    """Arguments for CMake, and why there is no CUDA where the machine decides that."""
    wanted = os.environ.get("CLUMP_CUDA", "AUTO")
    if wanted not in ("ON", "OFF", "AUTO"):
        raise SystemExit(f"CLUMP_CUDA is {wanted}: it can be ON, OFF or AUTO.")
    if wanted != "AUTO":
        return [f"-DCLUMP_CUDA={wanted}", "-UCMAKE_CUDA_ARCHITECTURES"], "CLUMP_CUDA is OFF"
    places = [os.environ.get("PATH", ""), os.environ.get("CUDA_PATH", "/usr/local/cuda") + "/bin", "/usr/local/cuda/bin"]
    nvcc = shutil.which("nvcc", path=os.pathsep.join(places))
    if not nvcc:
        return ["-DCLUMP_CUDA=OFF"], "there is no nvcc"
    here = gpu_architectures(nvcc)
    if not here:
        return ["-DCLUMP_CUDA=OFF"], f"nvidia-smi names no GPU that {nvcc} and clump know; CLUMP_CUDA=ON builds it for all GPUs"
    return ["-DCLUMP_CUDA=AUTO", f"-DCMAKE_CUDA_ARCHITECTURES={';'.join(map(str, here))}"], ""


def static_libraries(prefix):
    """Arguments for CMake that name the static forms of the libraries of io and viewer, of the system or below a prefix."""
    if prefix == "ON":
        folder = pathlib.Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("MULTIARCH") or "")
        places = [folder, pathlib.Path("/usr/lib") / folder.name, pathlib.Path("/usr/lib64"), pathlib.Path("/usr/local/lib")]
    else:
        places = [pathlib.Path(prefix) / "lib", *pathlib.Path(prefix).glob("lib/*-linux-gnu")]
    for word, name in (("LZF", "lzf"), ("BZ2", "bz2"), ("LZ4", "lz4"), ("ZSTD", "zstd"), ("SQLITE", "sqlite3"), ("ZLIB", "z")):
        path = next((place / f"lib{name}.a" for place in places if (place / f"lib{name}.a").exists()), None)
        if path is None:
            print(f"setup.py: there is no lib{name}.a: what needs it is left out")
        yield f"-DCLUMP_{word}_LIBRARY={path or f'CLUMP_{word}_LIBRARY-NOTFOUND'}"
        if path is None or prefix != "ON":
            yield f"-DCLUMP_{word}_INCLUDE={f'{prefix}/include' if path else ''}"


class CleanCopy(build_py):
    """Copies the modules. What an earlier build has left would otherwise go into the wheel."""

    def run(self):
        shutil.rmtree(pathlib.Path(self.build_lib) / "clump", ignore_errors=True)
        super().run()


class CMakeBuild(build_ext):
    """Builds the target clump_python and takes the extension from CMake's build folder."""

    def configure(self, folder):
        """Lets CMake configure the folder. Returns what it says on CUDA: a version and architectures, or why there is none."""
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "BUILD_SHARED_LIBS": "OFF",
            "CLUMP_PYTHON": "ON",
            "CLUMP_NATIVE": "OFF",
            "CLUMP_DDS": "OFF",
            "Python3_EXECUTABLE": sys.executable,
        }
        for part in ("BUILD_CLI", "BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCH", "INSTALL"):
            options[f"CLUMP_{part}"] = "OFF"
        cuda, why_not = cuda_arguments()
        arguments = [*(f"-D{name}={value}" for name, value in options.items()), *cuda]
        if os.environ.get("CLUMP_STATIC", "OFF") != "OFF":
            arguments += static_libraries(os.environ["CLUMP_STATIC"])
        if shutil.which("ninja"):
            arguments += ["-G", "Ninja"]
        arguments += shlex.split(os.environ.get("CLUMP_CMAKE_ARGS", ""))
        done = subprocess.run(["cmake", "-S", ROOT, "-B", folder, *arguments], stdout=subprocess.PIPE, text=True, check=False)
        print(done.stdout, end="", flush=True)
        if done.returncode != 0:
            raise SystemExit("clump: CMake could not configure the build; what it says is above.")
        found = re.search(r"^-- (CUDA [0-9.]+, code for .*)$", done.stdout, re.MULTILINE)
        if found:
            return found[1], ""
        refused = re.search(r"^-- No CUDA, (.*): clump is built", done.stdout, re.MULTILINE)
        return "", refused[1] if refused else why_not

    def build_extension(self, ext):
        if not shutil.which("cmake"):
            raise SystemExit("clump is built with CMake, and there is no cmake (Debian: cmake ninja-build).")
        began = time.monotonic()
        folder = pathlib.Path(self.build_temp).resolve() / "cmake"
        cuda, why_not = self.configure(folder)
        what = f"with {cuda}" if cuda else f"without CUDA: {why_not}"
        jobs = os.environ.get("JOBS") or str(len(os.sched_getaffinity(0)))
        say(f"building on {jobs} cores, {what}")
        if subprocess.run(["cmake", "--build", folder, "--target", "clump_python", "-j", jobs], check=False).returncode != 0:
            raise SystemExit("clump: the compiler failed; what it says is above.")
        made = folder / "python" / "clump" / "_clump.abi3.so"
        wanted = pathlib.Path(self.get_ext_fullpath(ext.name))
        wanted.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, wanted)
        subprocess.run([os.environ.get("STRIP", "strip"), "--strip-unneeded", wanted], check=False)
        wheel = self.distribution.command_obj.get("bdist_wheel")
        if cuda and wheel:
            wheel.build_number = "1cuda"
        say(f"built in {time.monotonic() - began:.0f} s, {what}")


bdist_wheel = {"py_limited_api": "cp311"}
if os.environ.get("CLUMP_PLATFORM"):
    bdist_wheel["plat_name"] = os.environ["CLUMP_PLATFORM"]
setup(
    version=version(),
    package_dir={"": "python"},
    packages=["clump"],
    package_data={"clump": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("clump._clump", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": CMakeBuild, "build_py": CleanCopy},
    options={"bdist_wheel": bdist_wheel, "build": {"build_base": "build/setuptools"}},
    zip_safe=False,
)
