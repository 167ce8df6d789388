/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes_tables.c: see classes.h. Built-in tables, and the class of a cluster.
 *
 * Widths are the means of the boxes that nuScenes' annotations have for a class; vehicles on rails have that of a bus. The distance
 * is 0.4 times the width, rounded to centimetres: objects of a class stand farther apart than that, and their own points are nearer
 * to each other. docs/classes.md has the figures.
 */
#include "jobs/classes.h"

#include "common/assert.h"
#include "common/sort.h"

#include <string.h>

/* --- tables ------------------------------------------------------------------------------------------ */

#define THING(id, group, radius, name)                                                                                 \
    {                                                                                                                  \
        id, group, radius, 0, 0, true, false, CLUMP_OVERSIZE_DROP, name                                                \
    }
#define STUFF(id, name)                                                                                                \
    {                                                                                                                  \
        id, 0, 0, 0, 0, false, true, CLUMP_OVERSIZE_DROP, name                                                         \
    }

static const clump_class semantickitti_rows[] = {
    THING(10, 1, 0.79f, "car"),
    THING(252, 1, 0.79f, "car"),
    THING(11, 0, 0.24f, "bicycle"),
    THING(13, 2, 1.18f, "bus"),
    THING(257, 2, 1.18f, "bus"),
    THING(15, 0, 0.31f, "motorcycle"),
    THING(16, 3, 1.18f, "on-rails"),
    THING(256, 3, 1.18f, "on-rails"),
    THING(18, 4, 1.00f, "truck"),
    THING(258, 4, 1.00f, "truck"),
    THING(20, 5, 1.00f, "other-vehicle"),
    THING(259, 5, 1.00f, "other-vehicle"),
    THING(30, 6, 0.27f, "person"),
    THING(254, 6, 0.27f, "person"),
    THING(31, 7, 0.24f, "bicyclist"),
    THING(253, 7, 0.24f, "bicyclist"),
    THING(32, 8, 0.31f, "motorcyclist"),
    THING(255, 8, 0.31f, "motorcyclist"),
    STUFF(40, "road"),
    STUFF(44, "parking"),
    STUFF(48, "sidewalk"),
    STUFF(49, "other-ground"),
    STUFF(50, "building"),
    STUFF(51, "fence"),
    STUFF(52, "other-structure"),
    STUFF(60, "lane-marking"),
    STUFF(70, "vegetation"),
    STUFF(71, "trunk"),
    STUFF(72, "terrain"),
    STUFF(80, "pole"),
    STUFF(81, "traffic-sign"),
    STUFF(99, "other-object"),
};

static const clump_class nuscenes_rows[] = {
    THING(2, 1, 0.27f, "pedestrian"),
    THING(3, 1, 0.27f, "pedestrian"),
    THING(4, 1, 0.27f, "pedestrian"),
    THING(6, 1, 0.27f, "pedestrian"),
    THING(9, 0, 0.20f, "barrier"),
    THING(12, 0, 0.16f, "traffic_cone"),
    THING(14, 0, 0.24f, "bicycle"),
    THING(15, 2, 1.18f, "bus"),
    THING(16, 2, 1.18f, "bus"),
    THING(17, 0, 0.79f, "car"),
    THING(18, 0, 1.14f, "construction_vehicle"),
    THING(21, 0, 0.31f, "motorcycle"),
    THING(22, 0, 1.16f, "trailer"),
    THING(23, 0, 1.00f, "truck"),
    STUFF(24, "driveable_surface"),
    STUFF(25, "other_flat"),
    STUFF(26, "sidewalk"),
    STUFF(27, "terrain"),
    STUFF(28, "manmade"),
    STUFF(30, "vegetation"),
};

#define TABLE(name)                                                                                                    \
    {                                                                                                                  \
#name, name##_rows, sizeof name##_rows / sizeof *name##_rows                                                   \
    }

static const struct {
    const char *name;
    const clump_class *rows;
    size_t count;
} tables[] = {TABLE(semantickitti), TABLE(nuscenes)};

const clump_class *clump_classes_builtin(const char *name, size_t *count)
{
    for (size_t k = 0; name && count && k < sizeof tables / sizeof *tables; k++) {
        if (strcmp(name, tables[k].name) != 0) continue;
        *count = tables[k].count;
        return tables[k].rows;
    }
    return NULL;
}

const char *clump_classes_builtin_name(int i)
{
    return i >= 0 && (size_t)i < sizeof tables / sizeof *tables ? tables[i].name : NULL;
}

const char *clump_oversize_name(clump_oversize oversize)
{
    static const char *const names[] = {"drop", "keep", "split"};
    return (size_t)oversize < sizeof names / sizeof *names ? names[oversize] : NULL;
}

/* --- classes of clusters ------------------------------------------------------------------------------ */

enum { TABLES_CLASS_BITS = 16, TABLES_LABEL_BITS = 31 };

static clump_status check_clusters(clump_context *ctx, const int32_t *labels, const uint16_t *of, size_t count,
                                   int32_t cluster_count, const uint16_t *classes)
{
    clump_work *const work = &ctx->work;
    if (cluster_count < 0)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: cluster_count is %d, below 0", work->call, cluster_count);
    if (count > INT32_MAX)
        return clump_fail(work, CLUMP_ERR_TOO_MANY, "%s: %zu points, at most %d fit into one call", work->call, count,
                          INT32_MAX);
    if ((count > 0 && (!labels || !of)) || (cluster_count > 0 && !classes))
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: labels, of or classes is null", work->call);
    const clump_span spans[] = {
        clump_span_in("labels", labels, count, sizeof *labels, sizeof *labels),
        clump_span_in("of", of, count, sizeof *of, sizeof *of),
        clump_span_out("classes", classes, (size_t)cluster_count, sizeof *classes, sizeof *classes)};
    return clump_check_spans(work, work->call, spans, 3);
}

/* Lists label << 16 | class of all points in clusters; returns their number in *listed. */
static clump_status list_points(clump_context *ctx, const int32_t *labels, const uint16_t *of, size_t count,
                                int32_t cluster_count, uint64_t *keys, size_t *listed)
{
    *listed = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % 65536 == 0) CLUMP_TRY(clump_poll(&ctx->work));
        if (labels[i] < 0) continue;
        if (labels[i] >= cluster_count)
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: labels[%zu] is %d, but there are %d clusters",
                              ctx->work.call, i, labels[i], cluster_count);
        keys[(*listed)++] = (uint64_t)labels[i] << TABLES_CLASS_BITS | of[i];
    }
    return CLUMP_OK;
}

clump_status clump_classes_of_clusters(clump_context *ctx, const int32_t *labels, const uint16_t *of, size_t count,
                                       int32_t cluster_count, uint16_t *classes)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_classes_of_clusters"));
    CLUMP_TRY(check_clusters(ctx, labels, of, count, cluster_count, classes));
    const size_t counters = clump_radix_counters(1);
    CLUMP_TRY(
        clump_buffer_reserve(&ctx->work, &ctx->classes.keys, 2 * count * sizeof(uint64_t) + counters * sizeof(size_t)));
    uint64_t *const keys = ctx->classes.keys.data;
    size_t listed;
    CLUMP_TRY(list_points(ctx, labels, of, count, cluster_count, keys, &listed));
    const uint64_t *const sorted =
        clump_radix_sort(ctx->work.team, keys, keys + count, listed, 0, TABLES_CLASS_BITS + TABLES_LABEL_BITS,
                         (size_t *)(void *)(keys + 2 * count), 1);
    if (!sorted) return clump_poll(&ctx->work);
    if (cluster_count > 0) memset(classes, 0, (size_t)cluster_count * sizeof *classes);
    for (size_t k = 0, most = 0, first = 0; first < listed; first = k) { /* runs of one label and class */
        while (k < listed && sorted[k] == sorted[first]) k++;
        const size_t label = (size_t)(sorted[first] >> TABLES_CLASS_BITS);
        if (first > 0 && sorted[first - 1] >> TABLES_CLASS_BITS == label && k - first <= most) continue;
        most = k - first;
        classes[label] = (uint16_t)sorted[first];
    }
    return CLUMP_OK;
}
