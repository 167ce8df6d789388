/* SPDX-License-Identifier: BSD-3-Clause
 *
 * log.h: the points of all tiles in one file, appended in segments, and how they are collected.
 *
 *     segment   head | runs | stored points | places
 *     run       input block, count: points of one block, own points or rim points of the tile
 *     place     16 bits: the place in the input block. index = 65536 x block + place. A log of clusters has no places
 *
 * One file, because thousands of tiles would need as many descriptors. Blocks come in any order. Sorted by block, the
 * runs of a tile give its points ascending by index.
 */
#ifndef CLUMP_BIG_LOG_H
#define CLUMP_BIG_LOG_H

#include "store/store.h"
#include "tiles/map.h"

#define CLUMP_BIG_LOG_NAME     "clump-points"
#define CLUMP_BIG_RIM          0x80000000u /* in clump_big_run.count: rim points */
#define CLUMP_BIG_SEGMENT_HEAD 40          /* bytes of a head, which stays when the space of a segment is given back */

typedef struct clump_big_points_run {
    uint32_t block;
    uint32_t count; /* and CLUMP_BIG_RIM */
} clump_big_points_run;

/* What is known of a segment without reading it. */
typedef struct clump_big_segment {
    uint64_t at; /* byte of its head */
    uint32_t tile, points, rims, runs;
} clump_big_segment;

/* Takes the bytes of a segment if another rank has its tile; *away tells. Several threads call it. */
typedef clump_status clump_big_log_away(void *user, uint32_t tile, const struct iovec *parts, int count, bool *away,
                                        clump_message *message);

typedef struct clump_big_log {
    clump_big_file file;
    size_t record;            /* bytes of a stored point */
    size_t place;             /* bytes of its place: 2, or 0 */
    uint64_t size;            /* bytes; atomic while threads append */
    clump_big_log_away *away; /* null: all tiles are this rank's */
    void *away_user;
    uint64_t own;         /* points that were appended, without those in rims; set to 0 where they are counted */
    pthread_mutex_t lock; /* of the list and the count */
    clump_big_segment *segments;
    size_t count, capacity;
} clump_big_log;

/* Opens a log of a work folder. */
clump_status clump_big_log_open(clump_big_disk *disk, const char *name, size_t record, bool places, clump_big_log *out,
                                clump_message *message);
void clump_big_log_close(clump_big_log *log);

/* Cuts the log to `size` bytes. Its segments are listed by the next function. */
clump_status clump_big_log_restore(clump_big_log *log, uint64_t size, clump_message *message);
/* Lists the segment at byte *at from its head, and moves *at to the next. `tiles`: all tile numbers are below. */
clump_status clump_big_log_restore_segment(clump_big_log *log, uint32_t tiles, uint64_t *at, clump_message *message);

/* Appends a segment. Several threads may call it. `places` is null in a log without them. */
clump_status clump_big_log_append(clump_big_log *log, clump_big_segment segment, const clump_big_points_run *runs,
                                  const void *stored, const uint16_t *places, clump_message *message);

/* Lists the segments from byte `at` on, which other ranks have sent, and counts their own points. */
clump_status clump_big_log_list(clump_big_log *log, uint32_t tiles, uint64_t at, clump_message *message);

/* Returns the bytes of a segment. */
size_t clump_big_segment_bytes(const clump_big_log *log, const clump_big_segment *segment);

/* Takes a segment that was read and checked. Its points follow each other in `stored` and `places`, run by run. */
typedef clump_status clump_big_log_visit(void *user, const clump_big_segment *segment, const clump_big_points_run *runs,
                                         const unsigned char *stored, const unsigned char *places,
                                         clump_message *message);

/* Reads segments first ... end - 1 of the list, one at a time. */
clump_status clump_big_log_read(const clump_big_log *log, size_t first, size_t end, clump_big_log_visit *visit,
                                void *user, clump_message *message);

/* Reads the runs of a segment; not checked, but for their sum. */
clump_status clump_big_log_read_runs(const clump_big_log *log, const clump_big_segment *segment,
                                     clump_big_points_run *runs, clump_message *message);

/* Refuses the log for what is at this byte. */
clump_status clump_big_log_damaged(const clump_big_log *log, uint64_t at, clump_message *message);

/* Sorts the segments by tile, then by place in the file. begin[t] ... begin[t + 1] - 1 are those of tile t. */
void clump_big_log_sort(clump_big_log *log, uint32_t tiles, size_t *begin);

/* --- sink.c: collects points per tile and appends them to the log in segments. One sink per thread */

typedef struct clump_big_sink {
    clump_big_log *log;
    uint32_t first_tile; /* number of the map's tile 0 in the log */
    uint32_t tiles;
    uint32_t capacity, run_capacity; /* points and runs per tile */
    size_t stride;                   /* bytes per tile */
    struct clump_big_sunk *sunk;     /* per tile: what is collected */
    unsigned char *memory;
    uint32_t *tile_of; /* scratch: per point of a block */
    uint32_t *outer;   /* scratch: points that may be in rims */
} clump_big_sink;

/* Makes a sink with buffers of about `bytes` in all. */
clump_status clump_big_sink_open(clump_big_log *log, uint32_t first_tile, uint32_t tiles, size_t bytes,
                                 clump_big_sink *out, clump_message *message);
void clump_big_sink_close(clump_big_sink *sink);

/* Appends consecutive points of one block to a tile. kind: 0, or CLUMP_BIG_RIM. `places` is null in a log without them. */
clump_status clump_big_sink_add(clump_big_sink *sink, uint32_t tile, uint32_t block, uint32_t kind,
                                const unsigned char *stored, const uint16_t *places, size_t count,
                                clump_message *message);

/* Puts own points of one input block, at most 65536 of them, into their tiles and into rims. */
clump_status clump_big_sink_own(clump_big_sink *sink, const clump_big_map *map, const clump_big_frame *frame,
                                uint32_t block, const void *stored, const uint16_t *places, size_t count,
                                clump_message *message);

/* Puts points that belong to none of the map's tiles into the rims of those that are near. */
clump_status clump_big_sink_rim(clump_big_sink *sink, const clump_big_map *map, const clump_big_frame *frame,
                                uint32_t block, const void *stored, const uint16_t *places, size_t count,
                                clump_message *message);

/* Appends everything that is left. */
clump_status clump_big_sink_flush(clump_big_sink *sink, clump_message *message);

#endif
