/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes.h: clusters per class. A network has given every point a class: car, person, road. Points of different classes
 * never share a cluster, and every class has a distance of its own.
 *
 *     static const clump_class rows[] = {{.id = 10, .radius = 0.7f, .two_d = true, .name = "car"},
 *                                        {.id = 30, .radius = 0.3f, .two_d = true, .name = "person"}};
 *     clump_classes classes = {.of = ids, .rows = rows, .count = 2};      // ids: one per point
 *     clump_ec_options options = clump_ec_defaults();
 *     options.common.classes = &classes;
 *     clump_ec(ctx, points, 0.5f, &options, labels, &clusters);
 *
 * The result is a definition. The rows are divided into groups. The clusters of a group are those of a separate call on
 * the points of its classes alone, with the values of its row; then come max_size with its rule, and min_size. The
 * clusters of all groups are numbered together, as options.order says. Points of classes without a row, and of stuff, are
 * CLUMP_NOISE.
 *
 * clump_ec, clump_dbscan, their batches, clump_objects, and clump_detect with these three have classes: every method, on every
 * backend. The classes and the labels of points on a device pass through host memory, and the call waits; clump_detect and
 * clump_objects need points in host memory.
 *
 * clump_objects, and calls with eps_per_metre, cluster one group after the other: their second call on a cloud may still
 * allocate, as a table has the size that suited the last group.
 *
 * clump_objects finds the ground among all points. The separate call for a group gets its points that are not ground, with
 * these heights; the radius of the row is d, and neighbours are exact. The trees are made on the CPU, also beside a GPU.
 */
#ifndef CLUMP_CLASSES_H
#define CLUMP_CLASSES_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLUMP_CLASS_GROUPS 255 /* most groups that are clustered */
#define CLUMP_CLASS_SPLITS 4   /* most steps of CLUMP_OVERSIZE_SPLIT */

/* What becomes of a cluster with more than max_size points. clump_stats counts all of them. */
typedef enum clump_oversize {
    CLUMP_OVERSIZE_DROP = 0, /* it becomes noise, as without classes */
    CLUMP_OVERSIZE_KEEP = 1, /* it stays */
    CLUMP_OVERSIZE_SPLIT =
        2 /* its points are clustered again as a cloud of their own, with half of the distance. This is
                              * repeated for parts that are still too large, CLUMP_CLASS_SPLITS times at most. What is too
                              * large then stays */
} clump_oversize;

/* The row of a class. Only the id is needed. */
typedef struct clump_class {
    uint16_t id;
    uint16_t group; /* 0: a group of its own. Rows with the same number above 0 are one group: their classes may share
                     * clusters. All else must be equal in these rows, but for the name */
    float radius;   /* distance of clump_ec, eps of clump_dbscan, d of clump_objects; 0: that of the call */
    size_t min_size, max_size; /* 0: those of the call */
    bool two_d;                /* z is ignored, as with two_d of the call */
    bool stuff;                /* not clustered: road, building, vegetation */
    clump_oversize oversize;   /* CLUMP_OVERSIZE_DROP */
    const char *name;          /* may be null; the library does not use it */
} clump_class;

typedef struct clump_classes {
    const uint16_t *of;      /* the class of each point, in the place of the points */
    const clump_class *rows; /* in host memory, one per class */
    size_t count;            /* of the rows; at least 1 */
} clump_classes;

/* Finds the class of each cluster: the one that most of its points have; of equal counts the smallest id. All arrays are
 * in host memory.
 * labels   count entries, each below cluster_count; those below 0 are left out
 * of       the class of each point
 * classes  output: cluster_count entries; 0 for a label without points */
CLUMP_API clump_status clump_classes_of_clusters(clump_context *ctx, const int32_t *labels, const uint16_t *of,
                                                 size_t count, int32_t cluster_count, uint16_t *classes);

/* Returns the rows of a built-in table and sets *count; null for a name that does not exist. They are constant.
 *     "semantickitti"  ids of SemanticKITTI's label files; a class that moves is in the group of the one that stands
 *     "nuscenes"       ids of nuScenes-lidarseg, 0 ... 31
 * Distances are 0.4 times the usual width of the class, seen from above (docs/classes.md). */
CLUMP_API const clump_class *clump_classes_builtin(const char *name, size_t *count);

/* Returns the name of a built-in table, i = 0, 1 ...; null after the last. */
CLUMP_API const char *clump_classes_builtin_name(int i);

/* Returns "drop", "keep" or "split"; null for values that do not exist. */
CLUMP_API const char *clump_oversize_name(clump_oversize oversize);

#ifdef __cplusplus
}
#endif
#endif
