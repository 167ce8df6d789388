/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes.h: clusters per class (clump/classes.h), for every job and backend. The points of a group are a cloud of their own,
 * so that a batch of clouds clusters all groups in one call of the backend:
 *
 *     classes_rows.c     rows            ->  groups, and the group of each id
 *     classes_deal.c     points          ->  points by cloud and group: a counting sort
 *     classes_run.c      batch of clouds ->  clusters per cloud; splits those that are too large
 *     classes_number.c   clusters        ->  numbers over all groups, labels, objects
 *     classes.c          the call: checks, and the way from a device and back
 *     classes_tables.c   built-in tables, classes of clusters
 *     classes_detect.c   clump_detect with classes: ground, clusters, boxes
 *
 * Words: a cloud of the caller is a `scene` here, of which there is one without a batch. A `part` is the points of one group in
 * one scene: part scene * groups + group. A point takes part where its class is clustered and the mask allows it.
 */
#ifndef CLUMP_JOBS_CLASSES_H
#define CLUMP_JOBS_CLASSES_H

#include "core/context.h"

#include <clump/classes.h>

#define CLUMP_CLASS_IDS  65536
#define CLUMP_CLASS_NONE 255 /* not clustered */

/* The values of a group, those of the call in place of 0. */
typedef struct clump_class_group {
    float radius; /* 0: that of the scene */
    size_t min_size, max_size;
    bool two_d;
    clump_oversize oversize;
} clump_class_group;

/* The clustering: one of these, checked. */
typedef struct clump_class_clustering {
    const clump_ec_job *ec;
    const clump_dbscan_job *dbscan;
    const clump_objects_job *objects; /* its points are finite */
    const float *heights;             /* of objects, above the ground, one per point; null: the ground is not known */
} clump_class_clustering;

/* A call with classes. All arrays are in host memory, those of the caller and of the context. */
typedef struct clump_class_job {
    clump_cloud_job in; /* of the caller */
    const uint16_t *of;
    const clump_method_table *methods;
    int method;
    clump_class_clustering by; /* without `in` */
    const int64_t *offsets;    /* of the scenes */
    size_t scenes;
    const float *radii; /* null, or one per scene */
    int32_t *counts;    /* null, or one per scene: output */
    uint8_t *core;      /* null, or one per point: output */

    /* made by clump_class_read_rows */
    const uint8_t *group_of; /* of each id: its group, or CLUMP_CLASS_NONE */
    const clump_class_group *groups;
    size_t group_count;

    /* made by clump_class_deal */
    size_t taken, masked; /* points that take part; points that the mask leaves out */
} clump_class_job;

/* Clouds for the backend, in host memory. */
typedef struct clump_class_clouds {
    const float *points;  /* x y z x y z ...; z is 0 in 2-D groups, but for objects */
    const float *heights; /* objects; may be null */
    size_t count;
    const int64_t *offsets;
    size_t clouds;
    const float *radii;
    const uint8_t *groups; /* of each cloud */
    float scale;           /* of a distance that grows with the range: 1, 0.5 ...; the radii have it */
    int32_t *labels, *counts;
    uint8_t *core;       /* DBSCAN, else null */
    clump_object *fresh; /* objects: the list of each cloud begins where its points do; null: it is not wanted */
} clump_class_clouds;

/* A cluster of a part. */
typedef struct clump_class_cluster {
    int32_t size;  /* 0: it was split */
    int32_t first; /* smallest index of its points; DBSCAN: of its core points */
    uint32_t part;
    int32_t slot; /* its cloud of a split; -1: none. In the end its number */
} clump_class_cluster;

/* Reads the rows of the caller. */
clump_status clump_class_read_rows(clump_context *ctx, const clump_classes *classes, clump_class_job *job);

/* Sorts the points that take part by part. Fills ctx->classes and job->taken, job->masked. */
clump_status clump_class_deal(clump_context *ctx, clump_class_job *job);

/* Finds the clusters of all parts, and splits those that are too large. *found: all of them, in ctx->classes.clusters; labels of
 * ctx->classes are their numbers there. */
clump_status clump_class_cluster_parts(clump_context *ctx, const clump_opened *on, const clump_class_job *job,
                                       size_t *found, clump_stats *stats);

/* Applies the limits of the groups and the order, and writes the labels of the caller. */
clump_status clump_class_number(clump_context *ctx, const clump_class_job *job, size_t found, clump_stats *stats);

/* Runs a clustering with classes whose other arguments are checked; with `batch`, which may be null, many scenes. */
clump_status clump_class_call(clump_context *ctx, const clump_classes *classes, const clump_class_clustering *by,
                              const clump_batch_job *batch, int32_t *cluster_count);

/* clump_detect with classes, for a job that is checked. */
clump_status clump_class_detect(clump_context *ctx, const clump_classes *classes, const clump_detect_job *job,
                                int32_t *cluster_count);

#endif
