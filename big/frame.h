/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frame.h: what the coordinates of a survey become: numbers that are stored, voxels that choose tiles, floats that are
 * clustered.
 *
 *     reader   float32            float64                     integers (LAS, LAZ), or rounded to steps
 *     stored   float32            float32 offsets             integers minus `base`, 32 or 64 bits
 *     voxel    clump_cell()       clump_cell()                floor(integer x inverse)
 *     floats   as they are        as they are                 whole: offsets from the origin; steps: minus a tile's centre
 *
 * The origin of integers in the frame `whole` is known when all points have been read. Voxels do not depend on it.
 *
 * With options.thin, floats are stored of all readers, and a voxel is a block of the voxels of thinning (rules/voxel.h). So
 * points that share one of these are in the same tile, and in the same rims. Integers are then offsets from the origin that
 * the headers tell, and run.c checks it when all points have been read.
 */
#ifndef CLUMP_BIG_FRAME_H
#define CLUMP_BIG_FRAME_H

#include "rules/cell.h"
#include "rules/tiles.h"
#include "rules/voxel.h"

#include <clump/big.h>

typedef enum clump_big_stored {
    CLUMP_BIG_F32, /* 12 bytes per point */
    CLUMP_BIG_I32, /* 12 */
    CLUMP_BIG_I64  /* 24 */
} clump_big_stored;

/* The box of points: of integers in steps, else in the unit of the files. Empty: lower above upper. */
typedef struct clump_big_box {
    int64_t lower_step[3], upper_step[3];
    double lower[3], upper[3];
} clump_big_box;

typedef struct clump_big_frame {
    clump_file_frame kind; /* WHOLE or STEPS */
    clump_coordinates coordinates;
    clump_coordinates own; /* before they were rounded */
    clump_big_stored stored;
    bool two_d;
    bool flat; /* voxels have no z: two_d, or that of a group */
    bool ids;  /* a stored point ends with its class, 16 bits */
    int reach; /* voxels, as in clump_tiling */
    float d;   /* of the floats that are clustered; of groups the largest */
    double step;
    int64_t base[3];      /* integers: subtracted before they are stored */
    double inverse;       /* integers: voxels per step */
    int64_t edge;         /* integers: edge of a voxel in steps; thinning: in voxels of thinning */
    double extent;        /* integers, whole: the largest offset that voxels allow, in steps */
    clump_cell_rule rule; /* floats */
    double origin[3];     /* whole: of all points */
    float thin;           /* 0, or the edge of the voxels of thinning */
    float outer;          /* thinning: voxels with a larger number count as this one; likewise below 0 */
} clump_big_frame;

/* Chooses the kind of frame: a step asks for steps, thinning for the frame whole. Fails where the files cannot have the frame that
 * the options ask for, or d does not fit. */
clump_status clump_big_frame_choose(const clump_reader_info *info, const clump_joint_settings *settings,
                                    const clump_big_options *options, clump_big_frame *out, clump_message *message);

/* Places the frame: base, voxels, and what is stored. The box may be that of the headers. With thinning the origin is set. */
clump_status clump_big_frame_place(clump_big_frame *frame, const clump_big_box *box, clump_message *message);

/* Sets the origin from the box of all points; for the frame whole, and for a crop. */
void clump_big_frame_set_origin(clump_big_frame *frame, const clump_reader *reader, const clump_big_box *box);

/* Whether the true box of all points is one that the frame was placed for: numbers fit, and voxels are large enough. */
bool clump_big_frame_fits(const clump_big_frame *frame, const clump_big_box *box);

/* Bytes of the coordinates of a stored point; of all of it. */
size_t clump_big_frame_coordinates(const clump_big_frame *frame);
size_t clump_big_frame_bytes(const clump_big_frame *frame);

/* Returns the voxel of x along an axis, with thinning. Neighbours are at most one voxel apart: docs/scale.md, T1. */
static inline int64_t clump_big_voxel_of_thin(const clump_big_frame *f, float x)
{
    const int32_t bits = clump_voxel_along(x, f->thin);
    float number;
    memcpy(&number, &bits, sizeof number);
    return clump_tile_voxel((int64_t)fminf(fmaxf(number, -f->outer), f->outer), f->edge);
}

/* Writes the voxel of a point that is stored as floats. */
static inline void clump_big_voxel_of_floats(const clump_big_frame *f, const float p[3], int64_t voxel[3])
{
    if (f->thin > 0) {
        for (int a = 0; a < 3; a++) voxel[a] = a == 2 && f->flat ? 0 : clump_big_voxel_of_thin(f, p[a]);
        return;
    }
    voxel[0] = clump_cell(p[0], f->rule);
    voxel[1] = clump_cell(p[1], f->rule);
    voxel[2] = f->flat ? 0 : clump_cell(p[2], f->rule);
}

/* Writes the voxel of a point that is stored as integers. Proof that neighbours are at most one voxel apart:
 * 1. Integers of neighbours differ by at most edge - 1 (clump_tile_step() rounds down and adds 1).
 * 2. |v| is below 2^34 + edge for stored integers of 32 bits and below 2^53 else; the product has a relative error below
 *    2^-52. For 32 bits the error of a product is below 2^-18 / edge; step 1 leaves 1 / edge. For 64 bits the placement
 *    checks that |v| < 2^50.
 * 3. So two products differ by less than 1, and their floors by at most 1. */
static inline void clump_big_voxel_of_steps(const clump_big_frame *f, const int64_t v[3], int64_t voxel[3])
{
    voxel[0] = (int64_t)floor((double)v[0] * f->inverse);
    voxel[1] = (int64_t)floor((double)v[1] * f->inverse);
    voxel[2] = f->flat ? 0 : (int64_t)floor((double)v[2] * f->inverse);
}

/* Writes the voxel of a stored point, which is finite. */
static inline void clump_big_voxel(const clump_big_frame *f, const void *stored, int64_t voxel[3])
{
    if (f->stored == CLUMP_BIG_F32) {
        float p[3];
        memcpy(p, stored, sizeof p);
        clump_big_voxel_of_floats(f, p, voxel);
    } else if (f->stored == CLUMP_BIG_I32) {
        int32_t p[3];
        memcpy(p, stored, sizeof p);
        clump_big_voxel_of_steps(f, (const int64_t[3]){p[0], p[1], p[2]}, voxel);
    } else {
        int64_t p[3];
        memcpy(p, stored, sizeof p);
        clump_big_voxel_of_steps(f, p, voxel);
    }
}

/* Converts the stored points of one tile to floats. Stored points of 12 bytes may be in the memory of the floats. Integers of
 * the frame `steps` become offsets from the centre of these points. They are exact: |offset| <= 2^24. False: the box of
 * the points is longer than that allows. */
bool clump_big_frame_floats(const clump_big_frame *frame, const clump_reader *reader, const void *stored, size_t count,
                            float *xyz);

/* Empties a box; unites a box with another. */
void clump_big_box_clear(clump_big_box *box);
void clump_big_box_unite(clump_big_box *box, const clump_big_box *other);

/* --- pick.c: from a block of the reader to the stored form of the points that take part ------------- */

#define CLUMP_BIG_NO_GROUP 255 /* the class is not clustered */

/* The groups of options.classes, made by groups.c. Each is clustered alone. */
typedef struct clump_big_groups {
    uint8_t of[65536];                                 /* of each class: its group, or CLUMP_BIG_NO_GROUP */
    clump_joint_settings settings[CLUMP_CLASS_GROUPS]; /* d is that of the frame */
    bool keeps[CLUMP_CLASS_GROUPS];                    /* clusters that are too large stay */
    size_t count;
} clump_big_groups;

typedef struct clump_big_ground clump_big_ground; /* ground/ground.h */
typedef struct clump_big_marks clump_big_marks;

/* Which points take part, besides finite ones. */
typedef struct clump_big_filter {
    const uint8_t *drop_classes;    /* null, or 256 bytes */
    const double *crop;             /* null, or six numbers as in clump_big_options; needs the origin of the frame */
    const clump_big_groups *groups; /* null: without classes */
    const clump_big_ground *ground; /* null: without. Its points take no part, whatever their class is */
} clump_big_filter;

/* Memory of one thread. Set to zero before the first use. */
typedef struct clump_big_picked {
    size_t count;
    size_t moved;           /* coordinates of the block that were rounded to others */
    size_t ground;          /* points that are ground, */
    clump_big_marks *marks; /* and which; with filter.ground */
    unsigned char *stored;  /* clump_big_frame_bytes() per point: coordinates, and the class where the frame has ids */
    uint16_t *places;       /* in the block, ascending */
    uint8_t *takes;         /* scratch: one per point of the block */
    float *offsets;         /* scratch: for the crop, and for float64 */
} clump_big_picked;

/* Sets picked->takes for the points of a block that take part before the ground and groups are looked at. *xyz becomes the float32
 * offsets of all its points; null: integers of files, and neither a crop nor a ground in the frame whole. */
clump_status clump_big_choose(const clump_big_frame *frame, const clump_big_filter *filter, const clump_reader *reader,
                              const clump_block *block, clump_big_picked *picked, const float **xyz,
                              clump_message *message);

/* Picks the points of a block that take part, and unites `box` with the box of all its points, as clump_cloud_load() counts
 * them. Integers that the frame cannot store are stored wrong: clump_big_frame_fits() tells by the box. */
clump_status clump_big_pick(const clump_big_frame *frame, const clump_big_filter *filter, const clump_reader *reader,
                            const clump_block *block, clump_big_picked *picked, clump_big_box *box,
                            clump_message *message);
void clump_big_pick_release(clump_big_picked *picked);

/* Unites `box` with the box of all points of a block. */
void clump_big_box_add(clump_big_box *box, const clump_block *block);

#endif
