/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clouds of the benches: synthetic ones, scans, and dense clouds whose parts almost touch.
 */
#ifndef CLUMP_BENCH_CLOUDS_H
#define CLUMP_BENCH_CLOUDS_H

#include <clump/clump.h>
#include <clump/sim.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench_cloud {
    float *xyz; /* 3 * count floats, freed with bench_cloud_free() */
    size_t count;
} bench_cloud;

/* splitmix64: the next 64 random bits. */
uint64_t bench_random(uint64_t *state);

/* Allocates the points; their coordinates are not set. All that follow return false with a sentence in why. */
bool bench_cloud_allocate(size_t count, bench_cloud *out, clump_message *why);

bool bench_cloud_factors(const clump_factors *factors, bench_cloud *out, clump_message *why);

/* The points of a file, of the format that its name or its content tells. */
bool bench_cloud_file(const char *path, bench_cloud *out, clump_message *why);

/* A KITTI scan. labels_path: null, or SemanticKITTI's labels; with them the points of the ground are left out. */
bool bench_cloud_scan(const char *path, const char *labels_path, bench_cloud *out, clump_message *why);

/* Two concentric shells 1.01 apart, n points in all at k neighbours per point. radius 0: whole spheres whose size
 * follows from n and k; else caps of two spheres, of this radius and of radius + 1.01. */
bool bench_cloud_shells(size_t n, double k, double radius, bench_cloud *out, clump_message *why);

/* Two square plates 1.001 apart, parallel to none of the axes; n points in all at k neighbours per point. */
bool bench_cloud_plates(size_t n, double k, bench_cloud *out, clump_message *why);

/* A cube with a diagonal below 1: every point is a neighbour of every other. */
bool bench_cloud_cube(size_t n, bench_cloud *out, clump_message *why);

/* Half of the points in a cube of side 0.2, the other half around it, in a box where each has about 10 points within 1.
 * */
bool bench_cloud_dense_cell(size_t n, bench_cloud *out, clump_message *why);

/* What a sensor with 64 lasers sees in a street: ground, buildings, cars, poles and people. Close to a scan of KITTI in
 * the number of points and in their density; for benches of scans where there is none. */
bool bench_cloud_street(bench_cloud *out, clump_message *why);

void bench_cloud_free(bench_cloud *cloud);

/* --- steps.c: the labels of clump_detect in separate, plain steps, with any Euclidean clustering in the middle: ours or
 * a rival's. */

/* Clusters points that are all finite: one label per point, clusters numbered by smallest index, -1 for none. Returns
 * false where it failed. */
typedef bool steps_cluster(void *user, const float *xyz, size_t count, int32_t *labels);

typedef struct steps_job {
    const bench_cloud *cloud;
    float thin;      /* 0: none */
    size_t min_size; /* of clusters, in points of the cloud */
    steps_cluster *cluster;
    void *user;
} steps_job;

/* Ground by clump_ground with its defaults; the other points, or the first of each voxel, are clustered; the others of
 * the voxel get its label; small clusters become noise. labels: one per point, as those of clump_detect. heights: null,
 * or one per point, as clump_ground makes them. Returns false with a sentence in why. */
bool steps_run(clump_context *ctx, const steps_job *job, int32_t *labels, float *heights, clump_message *why);

#endif
