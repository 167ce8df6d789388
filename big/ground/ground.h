/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.h: the ground of a survey, as docs/ground.md defines it ("Surveys").
 *
 *     map.c       squares of tiles in a hash table; which points are ground
 *     surface.c   from the lows of parts to the surface, by rules/relief.h, as the ground around a sensor
 *     phase.c     the phase: all blocks are read once, ranks join their lows, the work folder keeps the surface
 *     marks.c     which points are ground, from the scatter to the output
 *
 * A `tile` has 2 x 2 parts. A `square` is 64 x 64 tiles. Only squares with points are there: a survey may be long and thin.
 *
 *     heights of a square, while lows are looked for      4 per tile: the lowest point of each part
 *     while the surface is made                           4 per tile: what steps of surface.c read and write
 *     afterwards                                          1 per tile: the surface
 */
#ifndef CLUMP_BIG_GROUND_H
#define CLUMP_BIG_GROUND_H

#include "frame.h"
#include "workers.h"
#include "rules/hash.h"
#include "rules/relief.h"

#include <pthread.h>

enum {
    CLUMP_BIG_SQUARE = 64, /* tiles along a side */
    CLUMP_BIG_SQUARE_TILES = CLUMP_BIG_SQUARE * CLUMP_BIG_SQUARE,
    CLUMP_BIG_TILE_PARTS = 4,
    CLUMP_BIG_TILE_UNITS = 1024, /* along a side: places are integers of these */
    CLUMP_BIG_SQUARE_LOWS = CLUMP_BIG_SQUARE_TILES * CLUMP_BIG_TILE_PARTS
};

#define CLUMP_BIG_SQUARE_BYTES ((size_t)CLUMP_BIG_SQUARE_LOWS * sizeof(int32_t)) /* of a square, at most */
#define CLUMP_BIG_HIGHEST      0x1p18                                            /* m: sums of 8 heights fit 32 bits */

typedef struct clump_big_square {
    int64_t x, y; /* from 0 of the coordinates */
} clump_big_square;

struct clump_big_ground {
    bool steps;         /* the frame; else offsets from `origin` */
    int64_t part;       /* steps: side of a part */
    double step;        /* steps */
    double unit;        /* offsets: 1/1024 of a tile */
    double origin[3];   /* offsets */
    clump_lows lows;    /* its cones */
    int32_t sigma;      /* 1/1024 m */
    size_t most;        /* squares that there is room for */
    size_t each;        /* heights per square: 4 per tile, or 1 */
    int32_t *heights;   /* of square k from each * k on */
    size_t bytes;       /* of the memory of heights */
    size_t count, room; /* squares; may be more than `most`: those have no heights */
    clump_big_square *squares;
    uint32_t *table; /* number of a square + 1, or 0; null: none yet */
    size_t slots;    /* of the table, a power of two */
    clump_hash_key key;
    pthread_mutex_t lock;
    bool made;
};

/* Makes an empty map. tile: options of clump_ground(), which have been checked. most: squares that there is memory for. */
clump_status clump_big_ground_make(clump_big_ground *g, const clump_big_frame *frame,
                                   const clump_ground_options *options, size_t most, clump_message *message);
void clump_big_ground_release(clump_big_ground *g); /* a zeroed one is fine */

/* Returns the heights of a square; null: it has none. */
int32_t *clump_big_ground_find(const clump_big_ground *g, int64_t x, int64_t y);

/* The same, and adds the square where it is not there, without lows. Several threads may call it. */
clump_status clump_big_ground_add(clump_big_ground *g, int64_t x, int64_t y, int32_t **heights, clump_message *message);

/* Leaves one height per tile, the surface, and gives the rest of the memory back. */
void clump_big_ground_shrink(clump_big_ground *g);

/* Finds the surface from the lows. */
clump_status clump_big_ground_surface(clump_big_ground *g, clump_big_workers *workers, clump_message *message);

/* Where a point is on the map. */
typedef struct clump_big_place {
    int64_t u, v;   /* 1/1024 of a tile */
    int32_t height; /* 1/1024 m */
} clump_big_place;

/* Finds the place of point i of a block: steps are those of the block; xyz are its float32 offsets in the other frame. False: it
 * has none. */
bool clump_big_ground_place(const clump_big_ground *g, const int64_t *steps, const float *xyz, size_t i,
                            clump_big_place *out);

/* The square of the last place. Zeroed before the first. */
typedef struct clump_big_square_cursor {
    clump_big_square square;
    const int32_t *heights;
} clump_big_square_cursor;

/* Whether a point at this place is ground. The surface has been found. */
bool clump_big_ground_takes(const clump_big_ground *g, const clump_big_place *place, clump_big_square_cursor *at);

/* Which points of a block are ground: a bit each. */
typedef struct clump_big_marks {
    uint64_t bits[CLUMP_BLOCK_POINTS / 64];
    uint64_t sum; /* checksum of the bits, and the number of the block */
} clump_big_marks;

#endif
