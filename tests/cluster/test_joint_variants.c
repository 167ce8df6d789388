/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_joint_variants.c: why pieces are merged the way they are. A second, plain implementation of merging (all in
 * memory, neighbours of border points by all pairs) gives the labels of one call. With any one of four shortcuts it does
 * not, and the clouds of this test show it.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/cut.h"

#include "rules/distance.h"

#include <math.h>

enum { MOST = 400, NODES = 16 * MOST };

typedef enum variant {
    CORRECT,
    BORDER_BY_LOCAL_NUMBER,    /* a border point goes to its cluster with the smallest number in its piece */
    RIM_OF_EPS,                /* not twice that */
    FORGET_CLUSTERS_OF_OTHERS, /* clusters without an own core point are left out, also next to own border points */
    LINK_THROUGH_BORDERS,      /* border points join clusters of different pieces, too */
    VARIANTS
} variant;

static clump_context *ctx;
static float xyz[3 * MOST];

/* A piece, clustered. Clusters are the nodes base ... base + clusters - 1. */
typedef struct part {
    const size_t *members;
    size_t own, count;
    int32_t labels[MOST], clusters, base;
    uint8_t core[MOST];
} part;

static part parts[CUT_PIECES];
static int part_count;
static int32_t parent[NODES];
static bool forgotten[NODES];
static int64_t first[NODES], size[NODES];

static int32_t find(int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void unite(int32_t a, int32_t b)
{
    a = find(a), b = find(b);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* ----- clouds ---------------------------------------------------------------------------------------------------- */

/* A flat cloud: a lattice whose points are at exactly eps, heaps, or points at random. Many points are border points. */
static clump_joint_settings make_cloud(size_t *count, uint64_t *random)
{
    const int kind = (int)(check_random(random) % 4);
    const float span = 1.5f + 5 * check_random_float(random);
    *count = 1 + check_random(random) % MOST;
    for (size_t i = 0; i < 3 * *count; i++) {
        float x = (check_random_float(random) - 0.5f) * span * (i % 3 == 2 && kind != 1 ? 0.1f : 1);
        if (kind == 0) x = roundf(x * 4) / 4;
        if (kind == 2 && i >= 3 && check_random(random) % 4)
            x = xyz[3 * (check_random(random) % (i / 3)) + i % 3] + (check_random_float(random) - 0.5f) * 0.4f;
        xyz[i] = x;
    }
    clump_joint_settings s = clump_joint_defaults();
    s.d = kind == 0 ? 0.25f * (float)(1 + check_random(random) % 4) : 0.1f + 0.7f * check_random_float(random);
    s.min_points = 2 + check_random(random) % 7;
    s.min_size = check_random(random) % 3 ? 1 : 1 + check_random(random) % 6;
    s.max_size = check_random(random) % 3 ? 0 : s.min_size + check_random(random) % 40;
    return s;
}

/* ----- merging ----------------------------------------------------------------------------------------------------- */

static void cluster_parts(const cut *pieces, const clump_joint_settings *s)
{
    static float points[3 * MOST];
    static int64_t indices[MOST];
    int32_t nodes = 0;
    part_count = pieces->pieces;
    for (int p = 0; p < part_count; p++) {
        part *const t = &parts[p];
        t->members = pieces->members[p], t->own = pieces->own[p], t->count = pieces->count[p];
        cut_copy(pieces, p, xyz, 1, 0, points, indices);
        clump_dbscan_options o = clump_dbscan_defaults();
        o.core = t->core;
        const clump_points piece = {.xyz = points, .count = t->count};
        CHECK_INT(clump_dbscan(ctx, piece, s->d, s->min_points, &o, t->labels, &t->clusters), CLUMP_OK);
        t->base = nodes;
        nodes += t->clusters;
        CHECK(nodes <= NODES);
    }
    for (int32_t i = 0; i < nodes; i++) parent[i] = i, first[i] = INT64_MAX, size[i] = 0, forgotten[i] = false;
}

static void forget_clusters_of_others(void)
{
    for (int p = 0; p < part_count; p++) {
        const part *const t = &parts[p];
        for (int32_t c = 0; c < t->clusters; c++) forgotten[t->base + c] = true;
        for (size_t m = 0; m < t->own; m++)
            if (t->core[m]) forgotten[t->base + t->labels[m]] = false;
    }
}

static void link_parts(const cut *pieces, bool all)
{
    for (int p = 0; p < part_count; p++)
        for (size_t m = parts[p].own; m < parts[p].count; m++) {
            const part *const t = &parts[p], *const home = &parts[pieces->owner[t->members[m]]];
            size_t at = 0;
            while (home->members[at] != t->members[m]) at++;
            if (t->labels[m] < 0 || home->labels[at] < 0 || (!all && !(t->core[m] && home->core[at]))) continue;
            if (!forgotten[t->base + t->labels[m]]) unite(t->base + t->labels[m], home->base + home->labels[at]);
        }
}

/* Returns the whole cluster of the border point `m` of a part, -1: none. */
static int32_t border_root(const part *t, size_t m, float eps, variant v)
{
    if (v == BORDER_BY_LOCAL_NUMBER) return t->labels[m] < 0 ? -1 : find(t->base + t->labels[m]);
    int32_t best = -1;
    const float *const p = xyz + 3 * t->members[m];
    for (size_t k = 0; k < t->count; k++) {
        const float *const q = xyz + 3 * t->members[k];
        if (!t->core[k] || clump_distance_squared(p[0], p[1], p[2], q[0], q[1], q[2]) > eps * eps) continue;
        if (forgotten[t->base + t->labels[k]]) continue;
        const int32_t root = find(t->base + t->labels[k]);
        if (best < 0 || first[root] < first[best]) best = root;
    }
    return best;
}

/* Writes the whole cluster of every point; -1: none. */
static void find_roots(float eps, variant v, int32_t *roots)
{
    for (int p = 0; p < part_count; p++)
        for (size_t m = 0; m < parts[p].own; m++) {
            if (!parts[p].core[m]) continue;
            int64_t *const f = &first[find(parts[p].base + parts[p].labels[m])];
            if ((int64_t)parts[p].members[m] < *f) *f = (int64_t)parts[p].members[m];
        }
    for (int p = 0; p < part_count; p++)
        for (size_t m = 0; m < parts[p].own; m++) {
            const part *const t = &parts[p];
            const int32_t root = t->core[m] ? find(t->base + t->labels[m]) : border_root(t, m, eps, v);
            roots[t->members[m]] = root;
            if (root >= 0) size[root]++;
        }
}

/* Numbers the clusters by first core point. */
static void number_points(const clump_joint_settings *s, size_t count, const int32_t *roots, int32_t *labels)
{
    int32_t number[NODES], next = 0;
    for (int32_t i = 0; i < NODES; i++) number[i] = -1;
    for (int64_t f = 0; f < (int64_t)count; f++)
        for (size_t i = 0; i < count; i++) {
            const int32_t root = roots[i];
            if ((int64_t)i != f || root < 0 || first[root] != f) continue;
            const size_t points = (size_t)size[root];
            if (points >= s->min_size && (s->max_size == 0 || points <= s->max_size)) number[root] = next++;
        }
    for (size_t i = 0; i < count; i++) labels[i] = roots[i] < 0 ? -1 : number[roots[i]];
}

/* Returns whether merging in this way gives the labels of one call. */
static bool is_equal(uint64_t seed, variant v)
{
    static int32_t whole[MOST], merged[MOST], roots[MOST];
    uint64_t random = seed;
    size_t count;
    const clump_joint_settings s = make_cloud(&count, &random);
    const cut_kind kind = check_random(&random) % 2 ? CUT_BOXES : CUT_SCATTERED;
    const double width = v == RIM_OF_EPS ? clump_joint_settings_reach(&s) / 2 : 0;
    cut pieces = cut_make(kind, xyz, count, &s, width, false, &random);
    cluster_parts(&pieces, &s);
    if (v == FORGET_CLUSTERS_OF_OTHERS) forget_clusters_of_others();
    link_parts(&pieces, v == LINK_THROUGH_BORDERS);
    find_roots(s.d, v, roots);
    number_points(&s, count, roots, merged);
    cut_free(&pieces);
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.min_size = s.min_size, o.common.max_size = s.max_size;
    int32_t clusters;
    const clump_points all = {.xyz = xyz, .count = count};
    CHECK_INT(clump_dbscan(ctx, all, s.d, s.min_points, &o, whole, &clusters), CLUMP_OK);
    return memcmp(whole, merged, count * sizeof *whole) == 0;
}

static long count_different(variant v, long rounds)
{
    long different = 0;
    for (long round = 0; round < rounds; round++) different += !is_equal((uint64_t)round * 104729 + 3, v);
    return different;
}

static void merging_as_documented_is_exact(void)
{
    CHECK_INT(count_different(CORRECT, 300), 0);
}

static void shortcuts_are_seen(void)
{
    static const char *const names[VARIANTS] = {"correct", "border points by their local number", "a rim of eps",
                                                "forgetting clusters of others", "links through border points"};
    for (int v = CORRECT + 1; v < VARIANTS; v++) {
        const long different = count_different((variant)v, 300);
        printf("%s: %ld of 300 clouds differ\n", names[v], different);
        CHECK_MSG(different > 0, "%s is not seen", names[v]);
    }
}

CHECK_PROGRAM(test_joint_variants)
{
    ctx = cpu_context(1);
    RUN(merging_as_documented_is_exact);
    RUN(shortcuts_are_seen);
    clump_context_destroy(ctx);
}
