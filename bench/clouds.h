/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clouds the bench is run on: synthetic ones, scans, and crowded near-misses.
 */
#ifndef CLUMP_BENCH_CLOUDS_H
#define CLUMP_BENCH_CLOUDS_H

#include <stdbool.h>
#include <stddef.h>

#include <clump/sim.h>

typedef struct bench_cloud {
    float *xyz; /* 3 * count floats, freed with bench_cloud_free() */
    size_t count;
} bench_cloud;

/* All return false with a sentence in why. */
bool bench_cloud_factors(const clump_factors *factors, bench_cloud *out, clump_message *why);

/* A KITTI scan. labels_path: null, or SemanticKITTI's labels, and then points of the ground are left out. */
bool bench_cloud_scan(const char *path, const char *labels_path, bench_cloud *out, clump_message *why);

/* Two concentric shells 1.01 apart, n points in all at k neighbours. radius 0: whole spheres, as
 * large as n and k make them; else caps of spheres of that radius and of radius + 1.01. */
bool bench_cloud_shells(size_t n, double k, double radius, bench_cloud *out, clump_message *why);

/* Two square plates 1.001 apart that lie askew, along none of the axes; n points in all at k neighbours. */
bool bench_cloud_plates(size_t n, double k, bench_cloud *out, clump_message *why);

void bench_cloud_free(bench_cloud *cloud);

#endif
