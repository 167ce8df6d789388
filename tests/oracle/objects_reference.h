/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_reference.h: clump_objects after section 8 of clump.h, in plain C: all pairs of points on every level, or scan
 * neighbours by scan_reference.h; sets of points instead of measures that are merged. Ground and heights are those of clump_ground. For
 * points in host memory.
 */
#ifndef CLUMP_TESTS_OBJECTS_REFERENCE_H
#define CLUMP_TESTS_OBJECTS_REFERENCE_H

#include <clump/clump.h>

typedef struct objects_reference {
    int32_t *labels;
    clump_object *found; /* as many as there are, and one more */
    int32_t count;
    size_t finite, masked, noise, ground;
} objects_reference;

/* The state of one run. Clusters have temporary numbers until the end. */
typedef struct objects_scene {
    clump_points points;
    const clump_objects_options *o;
    float *heights;
    uint8_t *taken;                       /* points that are clustered */
    int32_t *level[CLUMP_OBJECTS_LEVELS]; /* point ──► node; nodes are named by their first points */
    int32_t *cluster;                     /* point ──► temporary number */
    uint8_t *is_object;                   /* by temporary number */
    size_t *members;                      /* scratch */
    int32_t clusters;
    bool two_d; /* the tree ignores z: clusters per class (clump/classes.h) */
} objects_scene;

/* Finds ground and heights, and which points are clustered. */
void objects_find_ground(clump_context *ctx, objects_scene *s, objects_reference *r);

/* A scene has the memory of one run. */
objects_scene objects_scene_make(clump_points points, const clump_objects_options *o);
void objects_scene_release(objects_scene *s);

/* Finds the clusters of the points that are taken, and lists them. The other points are noise. */
void objects_find(clump_context *ctx, objects_scene *s, objects_reference *r, bool all_pairs);

/* Runs the definition. With all_pairs = false the nodes are those of clump_ec. For scan neighbours rings or columns must be
 * given. The caller releases the result. */
objects_reference reference_objects(clump_context *ctx, clump_points points, const clump_objects_options *o,
                                    bool all_pairs);
void objects_reference_release(objects_reference *r);

#endif
