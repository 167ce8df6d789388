/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes_case.c: see classes_case.h.
 */
#include "support/classes_case.h"

#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"
#include "support/clouds.h"
#include "support/random.h"

#include <string.h>

/* ----- cases ------------------------------------------------------------------------------------------------------ */

/* Ids of the rows; 7 and 65535 are ids of points that have no row. */
static const uint16_t ids[CLASSES_ROWS] = {0, 1, 2, 10, 30, 252, 999, 32768, 65534};

static void make_rows(classes_case *c, uint64_t *random)
{
    const size_t count = 1 + check_random(random) % CLASSES_ROWS;
    for (size_t k = 0; k < count; k++) {
        clump_class *const row = &c->rows[k];
        const uint64_t bits = check_random(random);
        *row = (clump_class){.id = ids[k],
                             .radius = bits % 3 == 0 ? 0 : c->d * (bits % 3 == 1 ? 0.75f : 1.5f),
                             .two_d = bits / 3 % 3 == 0,
                             .stuff = bits / 9 % 6 == 0,
                             .oversize = (clump_oversize)(bits / 54 % 3)};
        if (bits / 162 % 3 == 0) row->min_size = 1 + bits / 486 % 6;
        if (bits / 162 % 3 == 1) row->max_size = 6 + bits / 486 % 40;
        if (k > 0 && bits / 100000 % 3 == 0) { /* the group of the row before */
            *row = c->rows[k - 1];
            row->id = ids[k];
            row->group = c->rows[k - 1].group = c->rows[k - 1].group ? c->rows[k - 1].group : (uint16_t)(k * 7000);
        }
    }
    c->classes = (clump_classes){.of = c->of, .rows = c->rows, .count = count};
}

void classes_case_make(classes_case *c, uint64_t seed, size_t most, bool growing)
{
    uint64_t random = seed;
    *c = (classes_case){.seed = seed, .options = clump_dbscan_defaults(), .density = seed % 2 == 0};
    c->points = check_random(&random) % (most + 1);
    c->d = cloud_fill((cloud_shape)(check_random(&random) % CLOUD_SHAPES), c->xyz, c->points, &random);
    if (c->d < 1e-18f || c->d > 1e18f) c->d = cloud_fill(CLOUD_CLUMPED, c->xyz, c->points, &random);
    cloud_dbscan_options(&c->options, c->mask, c->points, &random);
    if (c->options.common.max_size > 0) c->options.common.max_size += 6; /* not below the min_size of a row */
    c->min_points = cloud_min_points(c->points, &random);
    make_rows(c, &random);
    const uint64_t kinds = 1 + check_random(&random) % (CLASSES_ROWS + 2);
    for (size_t i = 0; i < c->points; i++) {
        const uint64_t kind = check_random(&random) % kinds;
        c->of[i] = kind < CLASSES_ROWS ? ids[kind] : kind == CLASSES_ROWS ? 7 : 65535;
    }
    if (seed % 5 == 0) cloud_spoil(c->xyz, c->points, 9, &random);
    if (growing && seed % 4 == 1) c->options.common.eps_per_metre = 0.02f;
    if (growing && seed % 4 == 1) c->options.common.sensor[2] = 0.5f * c->d;
}

clump_status classes_case_run(const classes_case *c, clump_context *ctx, int method, clump_points points,
                              const uint16_t *of, const uint8_t *mask, int32_t *labels, uint8_t *core,
                              int32_t *clusters)
{
    clump_classes classes = c->classes;
    classes.of = of;
    clump_clustering common = c->options.common;
    common.classes = &classes;
    common.mask = common.mask ? mask : NULL;
    if (c->density) {
        clump_dbscan_options options = c->options;
        options.method = (clump_dbscan_method)method;
        options.common = common;
        options.core = core;
        return clump_dbscan(ctx, points, c->d, c->min_points, &options, labels, clusters);
    }
    clump_ec_options options = clump_ec_defaults();
    options.method = (clump_ec_method)method;
    options.common = common;
    return clump_ec(ctx, points, c->d, &options, labels, clusters);
}

/* ----- brute force ------------------------------------------------------------------------------------------------ */

static const clump_class *row_of(const classes_case *c, uint16_t id)
{
    for (size_t k = 0; k < c->classes.count; k++)
        if (c->rows[k].id == id) return &c->rows[k];
    return NULL;
}

static bool are_one_group(const clump_class *a, const clump_class *b)
{
    return a == b || (a && b && a->group > 0 && a->group == b->group);
}

/* What the recursion shares. Clusters are numbered as they are found. */
typedef struct search {
    classes_case *c;
    const clump_class *row;
    int32_t found[CLASSES_POINTS]; /* of each point */
    const clump_class *rows[CLASSES_POINTS];
    int32_t count;
} search;

/* Clusters the points with mask 1 and splits what is too large. */
static void find_clusters(search *s, const uint8_t *mask, float d, float per_metre, int steps)
{
    classes_case *const c = s->c;
    int32_t labels[CLASSES_POINTS];
    uint8_t core[CLASSES_POINTS], part[CLASSES_POINTS];
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.two_d = s->row->two_d || c->options.common.two_d;
    o.common.mask = mask;
    o.common.eps_per_metre = per_metre;
    memcpy(o.common.sensor, c->options.common.sensor, sizeof o.common.sensor);
    o.no_border_points = c->options.no_border_points;
    const clump_points points = {.xyz = c->xyz, .count = c->points};
    const clump_ec_options ec = oracle_common(&o);
    const int32_t count =
        c->density ? oracle_dbscan(points, d, c->min_points, &o, labels, core) : oracle_ec(points, d, &ec, labels);
    for (size_t i = 0; i < c->points; i++)
        if (mask[i]) s->found[i] = -1, c->core[i] = c->density ? core[i] : 0;
    const size_t most = s->row->max_size ? s->row->max_size : c->options.common.max_size;
    for (int32_t k = 0; k < count; k++) {
        size_t size = 0;
        for (size_t i = 0; i < c->points; i++) size += part[i] = labels[i] == k;
        if (s->row->oversize == CLUMP_OVERSIZE_SPLIT && most > 0 && size > most && steps < CLUMP_CLASS_SPLITS) {
            c->split++;
            find_clusters(s, part, d / 2, per_metre / 2, steps + 1);
            continue;
        }
        for (size_t i = 0; i < c->points; i++)
            if (part[i]) s->found[i] = s->count;
        s->rows[s->count++] = s->row;
    }
}

/* Applies the limits: clusters outside of them become -1. */
static void limit_clusters(search *s, size_t *sizes)
{
    classes_case *const c = s->c;
    for (size_t i = 0; i < c->points; i++)
        if (s->found[i] >= 0) sizes[s->found[i]]++;
    for (int32_t k = 0; k < s->count; k++) {
        const clump_class *const row = s->rows[k];
        const size_t least = row->min_size ? row->min_size : c->options.common.min_size,
                     most = row->max_size ? row->max_size : c->options.common.max_size;
        bool stays = sizes[k] >= least;
        if (stays && most > 0 && sizes[k] > most) {
            stays = row->oversize != CLUMP_OVERSIZE_DROP;
            if (stays) c->kept++;
            if (!stays) c->dropped++, c->dropped_points += sizes[k];
        }
        for (size_t i = 0; !stays && i < c->points; i++)
            if (s->found[i] == k) s->found[i] = -1;
        if (!stays) sizes[k] = 0;
    }
}

/* Numbers the clusters that are left. */
static void number_clusters(search *s, size_t *sizes)
{
    classes_case *const c = s->c;
    const bool by_size = c->options.common.order == CLUMP_ORDER_SIZE;
    for (size_t i = 0; i < c->points; i++) c->labels[i] = -1;
    c->clusters = 0;
    for (;;) {
        int32_t best = -1;
        for (size_t i = 0; i < c->points && (best < 0 || by_size); i++) {
            const int32_t k = s->found[i];
            if (k < 0 || sizes[k] == 0 || (c->density && !c->core[i])) continue;
            if (best < 0 || sizes[k] > sizes[best]) best = k;
        }
        if (best < 0) return;
        for (size_t i = 0; i < c->points; i++)
            if (s->found[i] == best) c->labels[i] = c->clusters;
        sizes[best] = 0;
        c->clusters++;
    }
}

void classes_case_expect(classes_case *c, size_t begin, size_t end)
{
    static search s;
    static size_t sizes[CLASSES_POINTS];
    s = (search){.c = c};
    memset(sizes, 0, sizeof sizes);
    memset(c->core, 0, sizeof c->core);
    c->dropped = c->dropped_points = c->kept = c->split = 0;
    for (size_t i = 0; i < c->points; i++) s.found[i] = -1;
    for (size_t k = 0; k < c->classes.count; k++) {
        s.row = &c->rows[k];
        bool known = s.row->stuff;
        for (size_t j = 0; j < k; j++) known = known || are_one_group(&c->rows[j], s.row);
        if (known) continue;
        uint8_t mask[CLASSES_POINTS] = {0};
        for (size_t i = begin; i < end; i++)
            mask[i] = are_one_group(row_of(c, c->of[i]), s.row) && (!c->options.common.mask || c->mask[i]);
        find_clusters(&s, mask, s.row->radius != 0 ? s.row->radius : c->d, c->options.common.eps_per_metre, 0);
    }
    limit_clusters(&s, sizes);
    number_clusters(&s, sizes);
}
