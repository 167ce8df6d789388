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

/* Fills xyz, three floats a point, and returns a distance that makes it interesting. */
float cloud_fill(cloud_shape shape, float *xyz, size_t count, uint64_t *random);

/* A value that is not finite into about one of `every` points, in any coordinate. */
void cloud_spoil(float *xyz, size_t count, size_t every, uint64_t *random);

/* Some of the options of clump_ec, at random; a mask of `count` entries is put into `mask`. */
void cloud_options(clump_ec_options *o, uint8_t *mask, size_t count, uint64_t *random);

/* Order, limits of sizes and mask of clump_erccl, at random; a mask of `count` entries is put into `mask`. */
void cloud_erccl_options(clump_erccl_options *o, uint8_t *mask, size_t count, uint64_t *random);

/* min_points of clump_dbscan for `count` points, at random: mostly small, at times more than there are points. */
size_t cloud_min_points(size_t count, uint64_t *random);

/* x moved by `steps` floats, up or down; stays finite. */
float cloud_step(float x, int steps);

/* Whether the thread sanitizer watches, under which everything takes 20 times as long: clouds can
 * then be smaller, as it does not need much to see a race. */
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

/* Why a child of a process with threads cannot be tested here; null: it can. The thread sanitizer allows no threads after
 * a fork. The address sanitizer's allocator is not made for it: a lock that another thread holds during the fork, for
 * instance one that starts, stays locked in the child. */
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

/* 20 times as many with CLUMP_TEST_LONG=1 in the environment. */
int cloud_rounds(int usual);

#endif
