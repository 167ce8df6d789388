# SPDX-License-Identifier: BSD-3-Clause
#
# python3 run.py [WORD]...: runs the tests of this folder on the GPU, those whose name has one of the words where there are
# any. It needs no pytest. A test with the argument `library` runs once per library of libraries.py. Exit status 1: a test
# failed; 77: there is no GPU.
import importlib
import inspect
import pathlib
import sys
import time
import traceback

import clump
import libraries

failed, passed = [], 0


def run(name, function, *arguments):
    global passed
    if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
        return
    begin = time.perf_counter()
    try:
        note = function(*arguments)
        passed += 1
        verdict = "ok" + (f"      {note}" if note else "")
    except libraries.Skip as reason:
        verdict = f"skipped: {reason}"
    except Exception:
        failed.append(name)
        verdict = "FAILED\n" + traceback.format_exc()
    print(f"{time.perf_counter() - begin:7.2f} s  {name:48} {verdict}", flush=True)


def main():
    if not any(device.kind == "cuda" for device in clump.devices()):
        print("skipped: the Python package on a GPU: run it on a machine with an NVIDIA GPU")
        return 77
    there = []
    for library in libraries.ALL:
        try:
            there.append(library())
        except libraries.Skip as reason:
            print(f"skipped: {library.name}: {reason}", flush=True)
    for path in sorted(pathlib.Path(__file__).parent.glob("gpu_*.py")):
        module = importlib.import_module(path.stem)
        for name, function in vars(module).items():
            if not name.startswith("test_"):
                continue
            if "library" in inspect.signature(function).parameters:
                for library in there:
                    run(f"{path.stem[4:]} {name[5:]} [{library.name}]", function, library)
            else:
                run(f"{path.stem[4:]} {name[5:]}", function)
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
