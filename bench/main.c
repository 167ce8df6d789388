/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench JOB [options]: all benches. Exit status: 0 done (also where a figure is missed), 1 answers differ or something
 * failed, 2 wrong usage.
 */
#include "gpu/gpu.h"
#include "jobs/jobs.h"
#include "papers/papers.h"

#include <stdio.h>
#include <string.h>

static const struct job {
    const char *name, *what;
    int (*run)(int argc, char **argv);
} jobs[] = {
    {"ec", "Euclidean clustering, beside two builds of PCL", bench_ec},
    {"dbscan", "DBSCAN, beside scikit-learn", bench_dbscan},
    {"erccl", "ER-CCL, its methods, and PCL beside it", bench_erccl},
    {"detect", "from scans to boxes, beside PCL's steps", bench_detect},
    {"objects", "objects, and ec with a distance that grows", bench_objects},
    {"nn", "nearest neighbours, beside FLANN, nanoflann and PCL", bench_nn},
    {"tree", "the tree of all distances, and HDBSCAN", bench_tree},
    {"batch", "many small clouds in one call", bench_batch},
    {"pieces", "a cloud in pieces", bench_pieces},
    {"scaling", "1, 2, 4 ... threads", bench_scaling},
    {"latency", "frames at 10 and 20 Hz beside busy programs", bench_latency},
    {"files", "reading files, beside PCL's readers", bench_files},
    {"recordings", "frames out of recordings", bench_recordings},
    {"laz", "reading and writing LAZ", bench_laz},
    {"scale", "the plan of clump-mpi for 1 to 4096 ranks, without points", bench_scale},
    {"papers", "the experiments of the papers", papers_main},
    {"gpu", "the CUDA backend", bench_gpu},
};

static void print_help(FILE *to)
{
    fputs("clump_bench JOB [options] [CASE...]   measure one job (clump_bench JOB --help)\n\n", to);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) fprintf(to, "  %-12s%s\n", jobs[i].name, jobs[i].what);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof jobs / sizeof *jobs; i++)
        if (strcmp(argv[1], jobs[i].name) == 0) return jobs[i].run(argc - 1, argv + 1);
    const bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
    if (argc > 1 && !help) fprintf(stderr, "clump_bench: %s is not a job\n", argv[1]);
    print_help(help ? stdout : stderr);
    return help ? 0 : 2;
}
