# SPDX-License-Identifier: BSD-3-Clause
"""UNTESTED: no Spack was there to build this with.

It builds a source tree: in a repository of Spack this file is packages/clump/package.py, and then

    spack dev-build -d /path/to/clump clump@0.1.0 +cuda cuda_arch=90
"""

from spack.package import *


class Clump(CMakePackage, CudaPackage):
    """Finds the clusters in LiDAR point clouds: Euclidean clustering, DBSCAN, ground, obstacles, boxes."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("shared", default=True, description="Shared instead of static libraries")
    variant("mpi", default=False, description="The program clump-mpi, for many machines")
    variant("recordings", default=True, description="Compressed recordings, and recordings in SQLite")
    variant("view", default=True, description="Compressed pages and pictures of clump view")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cuda@12:", when="+cuda")
    depends_on("mpi", when="+mpi")
    depends_on("bzip2", when="+recordings")
    depends_on("lz4", when="+recordings")
    depends_on("zstd", when="+recordings")
    depends_on("sqlite", when="+recordings")
    depends_on("zlib-api", when="+view")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("CLUMP_CUDA", "cuda"),
            self.define_from_variant("CLUMP_MPI", "mpi"),
            # Spack compiles for the processor that the specification names: its compiler wrapper adds -march.
            self.define("CLUMP_NATIVE", False),
            self.define("CLUMP_PYTHON", False),
            self.define("CLUMP_LAZPERF", False),
            self.define("CLUMP_BUILD_TESTS", False),
            self.define("CLUMP_BUILD_BENCH", False),
            self.define("CLUMP_BUILD_EXAMPLES", False),
        ]
        if self.spec.satisfies("+cuda") and not self.spec.satisfies("cuda_arch=none"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
