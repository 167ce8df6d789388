/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.h: evidence over time: what clump_memory remembers, and the corrections that follow. clump/track.h defines it in words.
 *
 *     memory.c         creation; known objects where they are expected, and the points of clusters in their boxes; views of a frame
 *                      become those of objects; unions of boxes
 *     memory_change.c  which clusters are divided or become one; labels, clusters and objects after that
 *
 * Only + - * / and sqrt of doubles are used, which round in the same way everywhere.
 */
#ifndef CLUMP_HOST_MEMORY_H
#define CLUMP_HOST_MEMORY_H

#include "core/context.h"
#include "host/motion.h"

#include <clump/track.h>

#include <math.h>

enum {
    CLUMP_MEMORY_FRAMES = 8,  /* that are remembered */
    CLUMP_MEMORY_LABELS = 16, /* clusters that are looked at per object */
    CLUMP_MEMORY_BOXES = 64,  /* boxes that are looked at per square */
    CLUMP_MEMORY_SIDE = 256,  /* squares along a side of the grid */
    CLUMP_MEMORY_LEAST = 10   /* points of a part, and of what is left */
};
#define CLUMP_MEMORY_MARGIN 0.3
#define CLUMP_MEMORY_SQUARE 2.0

typedef struct clump_memory_view {
    uint64_t frame; /* number of the frame, from 1 */
    int64_t time;
    clump_motion_box box;
    bool own; /* no correction made it */
} clump_memory_view;

/* An object. The list of objects is in the order of their identities. */
typedef struct clump_memory_object {
    uint64_t id, first; /* first: frame in which it was first seen */
    double velocity[2]; /* over ground; 0 unless it moves */
    bool moves;
    clump_object object; /* of the last view of its own */
    bool was_object;     /* its last view was an object */
    int32_t points;      /* of the last view of its own */
    int32_t count;       /* views, oldest first */
    clump_memory_view views[CLUMP_MEMORY_FRAMES];
} clump_memory_object;

struct clump_memory {
    clump_work home; /* holds the memory, as for a tracker */
    clump_motion_axes axes;
    clump_motion_scene now;
    clump_buffer objects, other; /* clump_memory_object; the list of the next frame */
    int32_t count;
    uint64_t frame; /* frames that were remembered */
    int64_t time;   /* of the last one */
    clump_buffer look, change, changes,
        gathered;    /* scratch memory of a correction; a clump_memory_change per cluster */
    int32_t changed; /* entries of `changes`; 0: no correction */
};

/* A known object where it is expected. */
typedef struct clump_memory_place {
    const clump_memory_object *object;
    clump_motion_box box;
    double area;
    int32_t own; /* label of its own cluster, -1: none */
    int32_t labels;
    int32_t label[CLUMP_MEMORY_LABELS], points[CLUMP_MEMORY_LABELS]; /* clusters with points in the box */
    int32_t from;    /* label of the cluster that has swallowed it; -1: none */
    int32_t next;    /* place that the same cluster has swallowed, of a higher identity; -1: none */
    int32_t becomes; /* new label of the part; -1: it has no points */
    int32_t taken;   /* points of the part */
} clump_memory_place;

/* A box in a square. */
typedef struct clump_memory_entry {
    int32_t place, next; /* next: of the same square, -1: none */
} clump_memory_entry;

/* A box, beside which nothing is read for most points. */
typedef struct clump_memory_near {
    double middle[2], reach; /* reach: square of the radius of a circle around it, with the margin */
} clump_memory_near;

/* Squares around the sensor, and the boxes that touch them. */
typedef struct clump_memory_grid {
    double corner[2];
    clump_memory_near *boxes; /* one per place */
    int32_t *heads;           /* first entry per square, -1: none */
    uint8_t *listed;          /* entries per square */
    clump_memory_entry *entries;
    int32_t count;
} clump_memory_grid;

/* The frame that is corrected. */
typedef struct clump_memory_frame {
    int64_t time;
    const double *pose;
    clump_points points;
    const clump_describe_options *describe;
    int32_t *labels;
    clump_cluster *clusters;
    clump_object *objects;
    int32_t count, capacity;
    clump_memory_place *places; /* in the order of identities */
    int32_t place_count;
    clump_memory_grid grid;
} clump_memory_frame;

/* Returns the seconds between two times, the later one first. */
static inline double clump_memory_seconds(int64_t later, int64_t earlier)
{
    return (double)((uint64_t)later - (uint64_t)earlier) / 1e9;
}

/* Returns the number of views of its own in the last frames. */
int32_t clump_memory_own_views(const clump_memory_object *object, uint64_t frame);

/* Makes room in a buffer of the memory. A failure has its sentence in `work`. */
clump_status clump_memory_room(clump_work *work, clump_memory *memory, clump_buffer *buffer, size_t bytes);

/* A point over ground: seen from above, and its height above the sensor. */
typedef struct clump_memory_point {
    double plane[2], height;
} clump_memory_point;

static inline clump_memory_point clump_memory_point_at(const clump_motion_axes *axes, const double pose[12],
                                                       const float *p)
{
    clump_memory_point point = {.height = (double)p[axes->up]};
    for (int k = 0; k < 2; k++) {
        const double *const row = pose + 4 * axes->plane[k];
        point.plane[k] = row[0] * (double)p[0] + row[1] * (double)p[1] + row[2] * (double)p[2] + row[3];
    }
    return point;
}

/* Returns the square of the distance to a box, seen from above. */
static inline double clump_memory_distance(const clump_motion_box *box, const clump_memory_point *p)
{
    const double x = p->plane[0] - box->middle[0], y = p->plane[1] - box->middle[1];
    const double along = fabs(x * box->along[0] + y * box->along[1]) - box->half[0];
    const double across = fabs(y * box->along[0] - x * box->along[1]) - box->half[1];
    return (along > 0 ? along * along : 0) + (across > 0 ? across * across : 0);
}

/* Returns the square of a coordinate, limited to the grid; *outside becomes whether it is not in it. NaN is outside. */
static inline int32_t clump_memory_square(double offset, bool *outside)
{
    const double square = offset / CLUMP_MEMORY_SQUARE;
    if (!(square >= 0)) return *outside = true, 0;
    if (!(square < CLUMP_MEMORY_SIDE)) return *outside = true, CLUMP_MEMORY_SIDE - 1;
    return (int32_t)square;
}

/* Returns the first entry of the square of a point; -1: none. */
static inline int32_t clump_memory_first(const clump_memory_grid *g, const clump_memory_point *p)
{
    bool outside = false;
    const int32_t x = clump_memory_square(p->plane[0] - g->corner[0], &outside);
    const int32_t y = clump_memory_square(p->plane[1] - g->corner[1], &outside);
    return outside ? -1 : g->heads[y * CLUMP_MEMORY_SIDE + x];
}

/* Returns whether a point can be in a box. */
static inline bool clump_memory_is_near(const clump_memory_near *box, const clump_memory_point *p)
{
    const double x = p->plane[0] - box->middle[0], y = p->plane[1] - box->middle[1];
    return x * x + y * y <= box->reach;
}

/* Returns whether a point is in a box. */
static inline bool clump_memory_is_in(const clump_motion_box *box, const clump_memory_point *p, double squared_distance)
{
    return squared_distance <= CLUMP_MEMORY_MARGIN * CLUMP_MEMORY_MARGIN &&
           p->height >= box->lower - CLUMP_MEMORY_MARGIN && p->height <= box->upper + CLUMP_MEMORY_MARGIN;
}

/* memory_change.c: changes labels, clusters and objects. *count as in clump_memory_correct. */
clump_status clump_memory_apply(clump_context *ctx, clump_memory *memory, clump_memory_frame *frame, int32_t *count);

#endif
