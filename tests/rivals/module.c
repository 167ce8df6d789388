/* SPDX-License-Identifier: BSD-3-Clause
 *
 * module.c: a module as a user of CLUMP_RIVALS would write it (rivals/rival.h): Euclidean clustering, DBSCAN and nearest
 * neighbours, by comparing all pairs of points. test_bench.c loads it.
 */
#include "rivals/rival.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
    float *xyz;
    size_t count;
    int32_t *labels;
    const float *points, *queries; /* of nearest neighbours */
    size_t known, asked;
} state;

static float distance_squared(const float *a, const float *b)
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void *prepare(const float *xyz, size_t count)
{
    state *const s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->xyz = malloc(12 * count + 1), s->labels = malloc(4 * count + 1), s->count = count;
    if (!s->xyz || !s->labels) abort();
    memcpy(s->xyz, xyz, 12 * count);
    return s;
}

static size_t count_within(const state *s, size_t i, float eps)
{
    size_t found = 0;
    for (size_t j = 0; j < s->count; j++) found += distance_squared(s->xyz + 3 * i, s->xyz + 3 * j) <= eps * eps;
    return found;
}

/* Labels what is reached from the core point i. Recursion is deep enough for a test. */
static void flood(state *s, size_t i, float eps, size_t least, int32_t label)
{
    s->labels[i] = label;
    if (count_within(s, i, eps) < least) return;
    for (size_t j = 0; j < s->count; j++)
        if (s->labels[j] < 0 && distance_squared(s->xyz + 3 * i, s->xyz + 3 * j) <= eps * eps)
            flood(s, j, eps, least, label);
}

static bool run_dbscan(void *opaque, float eps, size_t least)
{
    state *const s = opaque;
    int32_t clusters = 0;
    memset(s->labels, 0xff, 4 * s->count);
    for (size_t i = 0; i < s->count; i++)
        if (s->labels[i] < 0 && count_within(s, i, eps) >= least) flood(s, i, eps, least, clusters++);
    return true;
}

/* The test has no two points at exactly the distance. */
static bool run_ec(void *opaque, float d)
{
    return run_dbscan(opaque, d, 1);
}

static void labels(void *opaque, int32_t *out)
{
    const state *const s = opaque;
    memcpy(out, s->labels, 4 * s->count);
}

static void forget(void *opaque)
{
    (void)opaque;
}

static void release(void *opaque)
{
    state *const s = opaque;
    free(s->xyz), free(s->labels), free(s);
}

static void *prepare_nn(const float *points, size_t count, const float *queries, size_t asked)
{
    state *const s = calloc(1, sizeof *s);
    if (s) s->points = points, s->known = count, s->queries = queries, s->asked = asked;
    return s;
}

static bool build(void *opaque)
{
    (void)opaque;
    return true;
}

static bool query(void *opaque, int32_t *indices, float *distances)
{
    const state *const s = opaque;
    for (size_t q = 0; q < s->asked; q++) {
        indices[q] = -1;
        for (size_t i = 0; i < s->known; i++) {
            const float d = distance_squared(s->queries + 3 * q, s->points + 3 * i);
            if (indices[q] < 0 || d < distances[q]) indices[q] = (int32_t)i, distances[q] = d;
        }
    }
    return true;
}

static const clump_rival ec[] = {
    {CLUMP_RIVAL_INTERFACE, "pairs", "1.0", true, prepare, run_ec, labels, forget, release}, {.name = NULL}};
static const clump_dbscan_rival dbscan[] = {
    {CLUMP_DBSCAN_RIVAL_INTERFACE, "pairs", "1.0", true, prepare, run_dbscan, labels, forget, release}, {.name = NULL}};
static const clump_nn_rival nn[] = {
    {CLUMP_NN_RIVAL_INTERFACE, "pairs", "1.0", prepare_nn, build, query, forget, release}, {.name = NULL}};

#define EXPORTED __attribute__((visibility("default")))
EXPORTED const void *clump_ec_rivals(void);
EXPORTED const void *clump_dbscan_rivals(void);
EXPORTED const void *clump_nn_rivals(void);

const void *clump_ec_rivals(void)
{
    return ec;
}

const void *clump_dbscan_rivals(void)
{
    return dbscan;
}

const void *clump_nn_rivals(void)
{
    return nn;
}
