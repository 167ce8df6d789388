/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clouds.h: clouds that have broken clustering programs before, for the tests of libclump.
 */
#ifndef CLUMP_TESTS_CLOUDS_H
#define CLUMP_TESTS_CLOUDS_H

#include <clump/clump.h>

typedef enum cloud_shape {
    CLOUD_UNIFORM, /* a box, from lonely points to one cluster */
    CLOUD_CLUMPED, /* heaps of several sizes */
    CLOUD_LATTICE, /* spacing a power of two, d exactly that, one float more or less */
    CLOUD_CORNERS, /* the same with d the diagonal of a square or a cube */
    CLOUD_DECIMAL, /* multiples of 0.1f: ties by chance of rounding */
    CLOUD_LINE,    /* along an axis or a diagonal, steps of about d */
    CLOUD_PLANE,   /* flat, tilted or along two axes */
    CLOUD_COPIES,  /* few places, many points */
    CLOUD_EQUAL,   /* one place */
    CLOUD_SCALES,  /* coordinates of all magnitudes around d */
    CLOUD_COARSE,  /* a million metres away, where floats are 0.06 apart */
    CLOUD_TINY,    /* d and coordinates near the smallest allowed, denormals among them */
    CLOUD_HUGE,    /* near the largest, up to FLT_MAX */
    CLOUD_SLABS,   /* two dense slabs a little more, or a little less, than d apart */
    CLOUD_SCAN,    /* rings of points as a turning sensor sees them */
    CLOUD_JITTER,  /* a shaken lattice of about d: many lonely points side by side */
    CLOUD_SHAPES
} cloud_shape;

const char *cloud_name(cloud_shape shape);

/* Fills xyz, three floats per point, and returns a distance with which the cloud has clusters of several sizes. */
float cloud_fill(cloud_shape shape, float *xyz, size_t count, uint64_t *random);

/* Puts a value that is not finite into one coordinate of about one in `every` points. */
void cloud_spoil(float *xyz, size_t count, size_t every, uint64_t *random);

/* Makes one z in four NaN, for 2-D mode, which must not read it. */
void cloud_spoil_z(float *xyz, size_t count, uint64_t *random);

/* Sets some options of clump_ec at random. Sometimes o->mask is `mask`, filled with `count` entries. */
void cloud_options(clump_ec_options *o, uint8_t *mask, size_t count, uint64_t *random);

/* Sets the options that clump_dbscan shares with clump_ec, and no_border_points, at random. */
void cloud_dbscan_options(clump_dbscan_options *o, uint8_t *mask, size_t count, uint64_t *random);

/* Returns a min_points for clump_dbscan: mostly small, sometimes as large as the cloud or larger. */
size_t cloud_min_points(size_t count, uint64_t *random);

/* Points as a caller may have them: any stride, any start, a NaN pattern in between. The memory ends with the last
 * z, so that a sanitizer finds reads behind it. The caller frees `memory`. */
typedef struct cloud_view {
    char *memory;
    clump_points points;
} cloud_view;

/* Copies packed points into a view with a stride and an offset at random; some views have stride 0, which means 12. */
cloud_view cloud_view_make(const float *xyz, size_t count, uint64_t *random);

/* Returns the float `steps` floats above or below x; always finite. */
float cloud_step(float x, int steps);

/* Whether the thread sanitizer is active. Everything then takes 20 times as long. Tests use smaller clouds, which
 * suffice to find a race. */
#if defined(__SANITIZE_THREAD__)
#define CLOUD_WATCHED true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLOUD_WATCHED true
#endif
#endif
#ifndef CLOUD_WATCHED
#define CLOUD_WATCHED false
#endif

/* Why a child of a process with threads cannot be tested here; null: it can. The thread sanitizer allows no threads
 * after a fork. The address sanitizer's allocator is not made for it: a lock that another thread holds during the
 * fork, for instance one that starts, stays locked in the child. */
#if defined(__SANITIZE_ADDRESS__)
#define CLOUD_NO_FORK "the address sanitizer's allocator may be locked after a fork"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CLOUD_NO_FORK "the address sanitizer's allocator may be locked after a fork"
#endif
#endif
#ifndef CLOUD_NO_FORK
#define CLOUD_NO_FORK (CLOUD_WATCHED ? "the thread sanitizer has no threads after a fork" : NULL)
#endif

/* Sets order, limits of sizes and sometimes the mask of clump_erccl at random, as cloud_options does. */
void cloud_erccl_options(clump_erccl_options *o, uint8_t *mask, size_t count, uint64_t *random);

#endif
