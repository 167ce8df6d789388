/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_clusters_case.h: what the tests of described clusters share: a survey, and the clusters that a run gives.
 */
#ifndef CLUMP_TESTS_BIG_CLUSTERS_CASE_H
#define CLUMP_TESTS_BIG_CLUSTERS_CASE_H

#include "big/big_case.h"

enum { POINTS = 20000, EACH = 192, POINT = 48, CLASS = 18, HULL = 8 }; /* but POINTS bytes, as in big/clusters.h */

static clump_context *alone;
static double xyz[3 * POINTS];
static const double far_away[3] = {637000, 4850000, 100};
static char path[256], work[256];

/* The clusters that a run gives. */
typedef struct collected {
    clump_cluster *clusters;
    uint16_t *classes; /* null: none came */
    float *hulls;      /* null: none came */
    size_t corners;
    int64_t count;
    int calls, fail_at; /* fail_at: the call that fails; 0: none */
    double origin[3];
} collected;

static inline clump_status collect(void *user, const clump_cluster *clusters, const uint16_t *classes,
                                   const float *hulls, int64_t first, size_t count, const double origin[3])
{
    collected *const c = user;
    CHECK_INT(first, c->count);
    CHECK(count > 0);
    if (++c->calls == c->fail_at) return CLUMP_ERR_IO_WRITE;
    c->clusters = realloc(c->clusters, ((size_t)c->count + count) * sizeof *clusters);
    memcpy(c->clusters + c->count, clusters, count * sizeof *clusters);
    if (classes) {
        c->classes = realloc(c->classes, ((size_t)c->count + count) * sizeof *classes);
        memcpy(c->classes + c->count, classes, count * sizeof *classes);
    }
    size_t corners = 0;
    for (size_t k = 0; k < count; k++) corners += (size_t)clusters[k].hull_corners;
    if (hulls) {
        c->hulls = realloc(c->hulls, (c->corners + corners) * 2 * sizeof *hulls);
        memcpy(c->hulls + 2 * c->corners, hulls, corners * 2 * sizeof *hulls);
    }
    c->corners += corners;
    c->count += (int64_t)count;
    memcpy(c->origin, origin, sizeof c->origin);
    return CLUMP_OK;
}

static inline clump_status run(const clump_joint_settings *s, clump_big_options o, const clump_big_hooks *hooks,
                               collected *c, clump_big_result *r)
{
    const char *const input = path;
    o.clusters = collect;
    o.clusters_user = c;
    o.work = work;
    o.ram = (size_t)256 << 20;
    return clump_big_run_with(&input, 1, NULL, s, &o, hooks, r, &big_why);
}

static inline uint64_t largest_of(const big_whole *whole)
{
    int32_t most = 0;
    for (int64_t k = 0; k < whole->clusters; k++)
        most = whole->described[k].count > most ? whole->described[k].count : most;
    return (uint64_t)most;
}

/* Returns the bytes that the largest cluster needs. */
static inline size_t least_memory(const big_whole *whole)
{
    return (size_t)largest_of(whole) * (size_t)(POINT + (whole->class_of ? CLASS : 0) + (whole->hulls ? HULL : 0)) +
           EACH;
}

static inline void release(big_whole *whole, collected *c)
{
    free(whole->described);
    free(whole->class_of);
    free(whole->hulls);
    free(c->clusters);
    free(c->classes);
    free(c->hulls);
}

static inline void check_equal(const big_whole *whole, const collected *c)
{
    CHECK_INT(c->count, whole->clusters);
    for (int64_t k = 0; k < c->count && k < whole->clusters; k++) {
        if (memcmp(&c->clusters[k], &whole->described[k], sizeof *c->clusters) == 0) continue;
        CHECK_FAIL("cluster %lld of %s differs", (long long)k, path);
        break;
    }
    CHECK(c->count == 0 || memcmp(c->origin, whole->origin, sizeof c->origin) == 0);
    CHECK(c->count == 0 || !c->classes == !whole->class_of);
    CHECK(c->count == 0 || !c->hulls == !whole->hulls);
    if (c->hulls)
        CHECK(c->corners == whole->corners && memcmp(c->hulls, whole->hulls, 2 * c->corners * sizeof *c->hulls) == 0);
    if (c->classes) CHECK(memcmp(c->classes, whole->class_of, (size_t)c->count * sizeof *c->classes) == 0);
}

static inline void save(const char *name, const double *origin)
{
    snprintf(path, sizeof path, "%s", big_path(name));
    snprintf(work, sizeof work, "%s", big_path("work"));
    big_save(path, xyz, POINTS, origin);
}

#endif
