/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The labels of clump_detect in separate, plain steps: see clouds.h.
 */
#include "harness/clouds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A point that takes part: not ground, finite. */
typedef struct candidate {
    float voxel[3];
    int32_t index;          /* in the cloud */
    int32_t representative; /* index in the cloud of the first point of its voxel */
} candidate;

static int by_voxel(const void *left, const void *right)
{
    const candidate *const a = left, *const b = right;
    for (int k = 0; k < 3; k++)
        if (a->voxel[k] != b->voxel[k]) return a->voxel[k] < b->voxel[k] ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Compares values, not bytes: -0 and 0 are one voxel. */
static bool same_voxel(const candidate *a, const candidate *b)
{
    return a->voxel[0] == b->voxel[0] && a->voxel[1] == b->voxel[1] && a->voxel[2] == b->voxel[2];
}

static int by_index(const void *left, const void *right)
{
    const candidate *const a = left, *const b = right;
    return (a->index > b->index) - (a->index < b->index);
}

/* Returns the number of candidates, in the order of the cloud. */
static size_t collect(const bench_cloud *cloud, const int32_t *labels, candidate *out)
{
    size_t count = 0;
    for (size_t i = 0; i < cloud->count; i++) {
        const float *const p = cloud->xyz + 3 * i;
        if (labels[i] == CLUMP_GROUND || !isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) continue;
        out[count++] = (candidate){.index = (int32_t)i, .representative = (int32_t)i};
    }
    return count;
}

static void find_representatives(const bench_cloud *cloud, float thin, candidate *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) list[i].voxel[k] = floorf(cloud->xyz[3 * (size_t)list[i].index + k] / thin);
    qsort(list, count, sizeof *list, by_voxel);
    for (size_t i = 1; i < count; i++)
        if (same_voxel(&list[i], &list[i - 1])) list[i].representative = list[i - 1].representative;
    qsort(list, count, sizeof *list, by_index);
}

/* Clusters the representatives. Writes one label per candidate into the labels of the cloud. */
static bool cluster(const steps_job *job, const candidate *list, size_t count, int32_t *labels, clump_message *why)
{
    float *const xyz = malloc(3 * count * sizeof *xyz + 1);
    int32_t *const found = malloc(count * sizeof *found + 1);
    size_t used = 0;
    bool done = xyz && found;
    for (size_t i = 0; i < count && done; i++)
        if (list[i].index == list[i].representative)
            memcpy(xyz + 3 * used++, job->cloud->xyz + 3 * (size_t)list[i].index, 3 * sizeof *xyz);
    if (!done)
        snprintf(why->text, sizeof why->text, "no memory for %zu points", count);
    else if (!(done = job->cluster(job->user, xyz, used, found)))
        snprintf(why->text, sizeof why->text, "%zu points were not clustered", used);
    used = 0;
    for (size_t i = 0; i < count && done; i++) /* a representative comes before the others of its voxel */
        labels[list[i].index] =
            list[i].index == list[i].representative ? found[used++] : labels[list[i].representative];
    free(xyz), free(found);
    return done;
}

/* Small clusters become noise, the others are renumbered. */
static bool limit_sizes(int32_t *labels, size_t count, size_t min_size, clump_message *why)
{
    int32_t clusters = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        if (labels[i] >= clusters) clusters = labels[i] + 1;
    size_t *const sizes = calloc((size_t)clusters + 1, sizeof *sizes);
    int32_t *const numbers = malloc(((size_t)clusters + 1) * sizeof *numbers);
    const bool done = sizes && numbers;
    if (!done) snprintf(why->text, sizeof why->text, "no memory for %d clusters", clusters);
    for (size_t i = 0; i < count && done; i++)
        if (labels[i] >= 0) sizes[labels[i]]++;
    for (int32_t c = 0; c < clusters && done; c++) numbers[c] = sizes[c] < min_size ? CLUMP_NOISE : kept++;
    for (size_t i = 0; i < count && done; i++)
        if (labels[i] >= 0) labels[i] = numbers[labels[i]];
    free(sizes), free(numbers);
    return done;
}

bool steps_run(clump_context *ctx, const steps_job *job, int32_t *labels, float *heights, clump_message *why)
{
    const bench_cloud *const cloud = job->cloud;
    clump_ground_options ground = clump_ground_defaults();
    ground.heights = heights;
    if (clump_ground(ctx, (clump_points){.xyz = cloud->xyz, .count = cloud->count}, &ground, labels, NULL) != CLUMP_OK)
        return snprintf(why->text, sizeof why->text, "%.400s", clump_context_error(ctx)), false;
    candidate *const list = malloc(cloud->count * sizeof *list + 1);
    if (!list) return snprintf(why->text, sizeof why->text, "no memory for %zu points", cloud->count), false;
    const size_t count = collect(cloud, labels, list);
    if (job->thin > 0) find_representatives(cloud, job->thin, list, count);
    const bool done = cluster(job, list, count, labels, why) && limit_sizes(labels, cloud->count, job->min_size, why);
    free(list);
    return done;
}
