/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pick.h: from a block of the reader to the stored form of the points that take part.
 */
#ifndef CLUMP_BIG_PICK_H
#define CLUMP_BIG_PICK_H

#include "frame.h"

/* Which points take part, besides finite ones. */
typedef struct clump_big_filter {
    const uint8_t *drop_classes; /* null, or 256 bytes */
    const double *crop;          /* null, or six numbers as in clump_big_options; needs the origin of the frame */
} clump_big_filter;

/* Refuses to drop classes where the input, whose first path is given, has none. */
clump_status clump_big_check_classes(const clump_big_filter *filter, const clump_reader_info *info, const char *path,
                                     clump_message *message);

/* Memory of one thread. Set to zero before the first use. */
typedef struct clump_big_picked {
    size_t count;
    size_t moved;          /* coordinates of the block that were rounded to others */
    unsigned char *stored; /* clump_big_frame_bytes() per point */
    uint16_t *places;      /* in the block, ascending */
    uint8_t *takes;        /* scratch: one per point of the block */
    float *offsets;        /* scratch: for the crop, and for float64 */
} clump_big_picked;

/* Picks the points of a block that take part, and unites `box` with the box of all its points, as clump_cloud_load() counts
 * them. Integers that the frame cannot store are stored wrong: clump_big_frame_fits() tells by the box. */
clump_status clump_big_pick(const clump_big_frame *frame, const clump_big_filter *filter, const clump_reader *reader,
                            const clump_block *block, clump_big_picked *picked, clump_big_box *box,
                            clump_message *message);
void clump_big_pick_release(clump_big_picked *picked);

/* Unites `box` with the box of all points of a block. */
void clump_big_box_add(clump_big_box *box, const clump_block *block);

#endif
