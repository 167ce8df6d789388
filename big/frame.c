/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frame.c: see frame.h.
 */
#include "frame.h"

#include "common/assert.h"
#include "store/store.h"

#include <string.h>

#define FRAME_NARROW                                                                                                   \
    ((int64_t)1 << 31) /* boxes up to this long, in steps, are stored in 32 bits; there is room for twice */
#define FRAME_LONGEST    ((int64_t)1 << 49) /* steps from the base: voxels are exact */
#define FRAME_SPAN       ((int64_t)1 << 25) /* steps: offsets from the centre are exact floats */
#define FRAME_THIN_SHORT 0x1p21f            /* voxels of thinning to each side of the origin, where the box is short */
#define FRAME_THIN_LONG  0x1p40f            /* of any other box */

enum { FRAME_AT_ONCE = 1024 }; /* points that are converted at a time */

/* ----- choice --------------------------------------------------------------------------------------------------------- */

static clump_status choose_steps(const clump_reader_info *info, float d, clump_big_frame *out, clump_message *message)
{
    if (info->coordinates != CLUMP_COORDINATES_STEPS || !(info->step > 0))
        return clump_big_fail(message, CLUMP_ERR_IO_UNSUPPORTED,
                              "the frame steps needs integer coordinates with a common step, or a step to round to");
    out->kind = CLUMP_FILE_FRAME_STEPS;
    out->d = clump_steps_distance(d, info->step);
    if (out->d > CLUMP_STEPS_MOST_DISTANCE)
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT,
                              "the distance %g has more than 2^23 of the files' steps of %.15g", (double)d, info->step);
    return CLUMP_OK;
}

clump_status clump_big_frame_choose(const clump_reader_info *info, const clump_joint_settings *settings,
                                    const clump_big_options *o, clump_big_frame *out, clump_message *message)
{
    const bool steps = o->frame == CLUMP_FILE_FRAME_AUTO && o->step > 0;
    const clump_file_frame wanted = o->thin > 0 ? CLUMP_FILE_FRAME_WHOLE : steps ? CLUMP_FILE_FRAME_STEPS : o->frame;
    *out = (clump_big_frame){.kind = CLUMP_FILE_FRAME_WHOLE,
                             .coordinates = info->coordinates,
                             .own = info->own,
                             .two_d = settings->two_d,
                             .flat = settings->two_d,
                             .reach = settings->min_points > 1 ? 2 : 1,
                             .d = settings->d,
                             .step = info->step,
                             .thin = o->thin};
    if (info->count == 0) { /* there may be no step; nothing is converted */
        out->coordinates = out->own = CLUMP_COORDINATES_FLOAT;
        if (wanted == CLUMP_FILE_FRAME_STEPS) out->kind = CLUMP_FILE_FRAME_STEPS;
        return CLUMP_OK;
    }
    const bool usual = info->coordinates == CLUMP_COORDINATES_STEPS && info->step > 0 &&
                       clump_steps_distance(settings->d, info->step) <= CLUMP_STEPS_USUAL_DISTANCE;
    if (wanted == CLUMP_FILE_FRAME_STEPS || (wanted == CLUMP_FILE_FRAME_AUTO && usual))
        return choose_steps(info, settings->d, out, message);
    if (o->thin > 0 && out->coordinates == CLUMP_COORDINATES_STEPS) out->coordinates = CLUMP_COORDINATES_DOUBLE;
    return CLUMP_OK;
}

/* ----- place ---------------------------------------------------------------------------------------------------------- */

static bool is_empty(const clump_big_box *box)
{
    return box->lower_step[0] > box->upper_step[0];
}

/* Returns the largest offset from the origin that the points of a box can have, in steps; frame whole. */
static double largest_offset(const clump_big_frame *f, const clump_big_box *box)
{
    double largest = 0;
    for (int a = 0; a < 3; a++) {
        const double lower = (double)box->lower_step[a], upper = (double)box->upper_step[a];
        if ((upper - lower) * f->step <= 0x1p24 * (1 + 0x1p-30)) largest = fmax(largest, upper - lower + 1 / f->step);
        if ((upper - lower) * f->step >= 0x1p24 * (1 - 0x1p-30))
            largest = fmax(largest, fmax(fabs(lower), fabs(upper)));
    }
    return largest + 2;
}

/* Returns how many axes have steps. In the plane, rounded z takes no part: it may be too far away, or not finite. */
static int axes_of(const clump_big_frame *frame)
{
    return frame->two_d && frame->coordinates != frame->own ? 2 : 3;
}

/* Chooses how many voxels of thinning a voxel is wide (docs/scale.md, T1). Where the box is long, it is three times as wide,
 * because of the rounding of large floats. */
static void place_thin(clump_big_frame *frame, const clump_big_box *box)
{
    const double side = (double)frame->thin, distance = (double)frame->d * (1 + 0x1p-20) / side;
    double longest = 0;
    for (int a = 0; a < (frame->flat ? 2 : 3); a++)
        longest = fmax(longest, fmax(fabs(box->lower[a] - frame->origin[a]), fabs(box->upper[a] - frame->origin[a])));
    const bool is_short = longest <= (double)FRAME_THIN_SHORT * side; /* false also for an empty box */
    frame->outer = is_short ? FRAME_THIN_SHORT : FRAME_THIN_LONG;
    const double edge = ceil(is_short ? distance + 0.5 : 3 * distance);
    frame->edge = edge < (double)FRAME_THIN_LONG ? (int64_t)edge : (int64_t)FRAME_THIN_LONG + 1;
}

clump_status clump_big_frame_place(clump_big_frame *frame, const clump_big_box *box, clump_message *message)
{
    if (frame->coordinates != CLUMP_COORDINATES_STEPS) {
        frame->stored = CLUMP_BIG_F32;
        frame->rule = clump_voxel_rule_make(frame->d);
        if (frame->thin > 0) place_thin(frame, box);
        return CLUMP_OK;
    }
    frame->stored = CLUMP_BIG_I32;
    frame->extent = 0;
    for (int a = 0; a < axes_of(frame) && !is_empty(box); a++) {
        const int64_t span = box->upper_step[a] - box->lower_step[a];
        if (span > FRAME_LONGEST)
            return clump_big_fail(message, CLUMP_ERR_IO_UNSUPPORTED,
                                  "the box is longer than 2^49 steps of %.15g along %c", frame->step, "xyz"[a]);
        frame->base[a] = box->lower_step[a] + span / 2;
        if (span > FRAME_NARROW) frame->stored = CLUMP_BIG_I64;
        if (a == 2 && frame->flat && !frame->two_d && frame->kind == CLUMP_FILE_FRAME_STEPS && span >= FRAME_SPAN)
            return clump_big_fail(message, CLUMP_ERR_IO_UNSUPPORTED,
                                  "the box is longer than 2^25 steps of %.15g along z, and there are classes in the "
                                  "plane: use the frame whole",
                                  frame->step);
    }
    double d = (double)frame->d;
    if (frame->kind == CLUMP_FILE_FRAME_WHOLE && frame->step > 0) { /* files without points have no step */
        d /= frame->step;
        frame->extent = is_empty(box) ? 0 : 1.25 * largest_offset(frame, box);
    }
    if (!(d < 0x1p48))
        return clump_big_fail(message, CLUMP_ERR_ARGUMENT,
                              "the distance has more than 2^48 of the files' steps of %.15g", frame->step);
    frame->edge = clump_tile_step(d, frame->extent);
    frame->inverse = 1 / (double)frame->edge;
    return CLUMP_OK;
}

bool clump_big_frame_fits(const clump_big_frame *frame, const clump_big_box *box)
{
    if (frame->coordinates != CLUMP_COORDINATES_STEPS || is_empty(box)) return true;
    const int64_t most = frame->stored == CLUMP_BIG_I32 ? INT32_MAX : FRAME_LONGEST;
    for (int a = 0; a < axes_of(frame); a++)
        if (box->lower_step[a] - frame->base[a] < -most || box->upper_step[a] - frame->base[a] > most) return false;
    return frame->kind == CLUMP_FILE_FRAME_STEPS || largest_offset(frame, box) <= frame->extent;
}

/* Returns the coordinate of an integer, to the bit as the reader computes it. The reader gives float32 offsets only. An
 * offset from a value that is near is exact, so a few corrections lead to the value itself. */
static double coordinate_of(const clump_reader *reader, const clump_big_frame *frame, int axis, int64_t step)
{
    int64_t steps[3] = {0, 0, 0};
    double origin[3] = {0, 0, 0};
    float xyz[3];
    CLUMP_ASSERT(axis >= 0 && axis < 3);
    steps[axis] = step;
    origin[axis] = (double)step * frame->step;
    const clump_block block = {.count = 1, .steps = steps};
    for (int k = 0; k < 64; k++) {
        clump_block_offsets(reader, &block, origin, xyz);
        if (xyz[axis] == 0 || !isfinite(xyz[axis])) break;
        origin[axis] += (double)xyz[axis];
    }
    return origin[axis];
}

void clump_big_frame_set_origin(clump_big_frame *frame, const clump_reader *reader, const clump_big_box *box)
{
    for (int a = 0; a < 3; a++) {
        double lower = box->lower[a], upper = box->upper[a];
        frame->origin[a] = 0;
        if (frame->own == CLUMP_COORDINATES_FLOAT) continue;
        if (frame->own == CLUMP_COORDINATES_STEPS) {
            if (is_empty(box)) continue;
            lower = coordinate_of(reader, frame, a, box->lower_step[a]);
            upper = coordinate_of(reader, frame, a, box->upper_step[a]);
        }
        /* as clump_cloud_load() does; + 0.0 makes 0 of -0 */
        if (upper - lower >= 0 && upper - lower <= 0x1p24) frame->origin[a] = floor(lower) + 0.0;
    }
}

size_t clump_big_frame_coordinates(const clump_big_frame *frame)
{
    return frame->stored == CLUMP_BIG_I64 ? 3 * sizeof(int64_t) : 3 * sizeof(int32_t);
}

size_t clump_big_frame_bytes(const clump_big_frame *frame)
{
    return clump_big_frame_coordinates(frame) + (frame->ids ? sizeof(uint16_t) : 0);
}

/* ----- floats --------------------------------------------------------------------------------------------------------- */

/* Copies some stored integers, without the base. */
static void take_steps(const clump_big_frame *frame, const void *stored, size_t first, size_t count, int64_t *steps)
{
    const unsigned char *const bytes = stored;
    if (frame->stored == CLUMP_BIG_I64) {
        memcpy(steps, bytes + 24 * first, 24 * count);
        return;
    }
    int32_t narrow[3 * FRAME_AT_ONCE];
    memcpy(narrow, bytes + 12 * first, 12 * count);
    for (size_t i = 0; i < 3 * count; i++) steps[i] = narrow[i];
}

/* Finds the centre of the points of a tile. False: they are too far apart. */
static bool find_centre(const clump_big_frame *frame, const void *stored, size_t count, int64_t centre[3])
{
    int64_t steps[3 * FRAME_AT_ONCE];
    const size_t axes = (size_t)axes_of(frame);
    int64_t lower[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, upper[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (size_t first = 0, now; first < count; first += now) {
        now = count - first < FRAME_AT_ONCE ? count - first : FRAME_AT_ONCE;
        take_steps(frame, stored, first, now, steps);
        for (size_t i = 0; i < now; i++)
            for (size_t a = 0; a < axes; a++) {
                lower[a] = steps[3 * i + a] < lower[a] ? steps[3 * i + a] : lower[a];
                upper[a] = steps[3 * i + a] > upper[a] ? steps[3 * i + a] : upper[a];
            }
    }
    bool near = true;
    for (size_t a = 0; a < axes; a++) {
        centre[a] = count > 0 ? lower[a] + (upper[a] - lower[a]) / 2 : 0;
        near &= count == 0 || (a == 2 && frame->two_d) || upper[a] - lower[a] < FRAME_SPAN;
    }
    return near;
}

bool clump_big_frame_floats(const clump_big_frame *frame, const clump_reader *reader, const void *stored, size_t count,
                            float *xyz)
{
    if (frame->stored == CLUMP_BIG_F32) {
        if (stored != xyz && count > 0) memcpy(xyz, stored, 3 * count * sizeof *xyz);
        return true;
    }
    int64_t steps[3 * FRAME_AT_ONCE], centre[3] = {0, 0, 0};
    const bool whole = frame->kind == CLUMP_FILE_FRAME_WHOLE;
    if (!whole && !find_centre(frame, stored, count, centre)) return false;
    for (size_t first = 0, now; first < count; first += now) {
        now = count - first < FRAME_AT_ONCE ? count - first : FRAME_AT_ONCE;
        take_steps(frame, stored, first, now, steps);
        float *const to = xyz + 3 * first;
        if (whole) {
            for (size_t i = 0; i < 3 * now; i++) steps[i] += frame->base[i % 3];
            clump_block_offsets(reader, &(clump_block){.count = now, .steps = steps}, frame->origin, to);
            continue;
        }
        for (size_t i = 0; i < now; i++)
            for (size_t a = 0; a < 3; a++)
                to[3 * i + a] = a == 2 && frame->two_d ? 0 : (float)(steps[3 * i + a] - centre[a]);
    }
    return true;
}

/* ----- boxes ---------------------------------------------------------------------------------------------------------- */

void clump_big_box_clear(clump_big_box *box)
{
    for (int a = 0; a < 3; a++) {
        box->lower_step[a] = INT64_MAX, box->upper_step[a] = INT64_MIN;
        box->lower[a] = INFINITY, box->upper[a] = -INFINITY;
    }
}

void clump_big_box_unite(clump_big_box *box, const clump_big_box *other)
{
    for (int a = 0; a < 3; a++) {
        if (other->lower_step[a] < box->lower_step[a]) box->lower_step[a] = other->lower_step[a];
        if (other->upper_step[a] > box->upper_step[a]) box->upper_step[a] = other->upper_step[a];
        box->lower[a] = fmin(box->lower[a], other->lower[a]);
        box->upper[a] = fmax(box->upper[a], other->upper[a]);
    }
}
