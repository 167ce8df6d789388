/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pick.c: see frame.h.
 */
#include "frame.h"

#include "common/assert.h"
#include "ground/ground.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* ----- boxes ---------------------------------------------------------------------------------------------------------- */

static void add_steps(clump_big_box *box, const int64_t *steps, size_t count)
{
    int64_t lower[3], upper[3];
    memcpy(lower, box->lower_step, sizeof lower);
    memcpy(upper, box->upper_step, sizeof upper);
    for (size_t i = 0; i < count; i++) {
        if (steps[3 * i] == CLUMP_STEP_NONE || steps[3 * i + 1] == CLUMP_STEP_NONE) continue;
        for (size_t a = 0; a < 3; a++) {
            const int64_t v = steps[3 * i + a];
            if (v == CLUMP_STEP_NONE) continue;
            lower[a] = v < lower[a] ? v : lower[a];
            upper[a] = v > upper[a] ? v : upper[a];
        }
    }
    memcpy(box->lower_step, lower, sizeof lower);
    memcpy(box->upper_step, upper, sizeof upper);
}

/* Points with a coordinate that is not finite do not count. */
static void add_point(clump_big_box *box, const double p[3])
{
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) return;
    for (int a = 0; a < 3; a++) {
        box->lower[a] = p[a] < box->lower[a] ? p[a] : box->lower[a];
        box->upper[a] = p[a] > box->upper[a] ? p[a] : box->upper[a];
    }
}

void clump_big_box_add(clump_big_box *box, const clump_block *block)
{
    if (block->steps) add_steps(box, block->steps, block->count);
    for (size_t i = 0; i < block->count && block->doubles; i++) add_point(box, block->doubles + 3 * i);
    for (size_t i = 0; i < block->count && block->floats; i++) {
        const float *const p = block->floats + 3 * i;
        add_point(box, (const double[3]){(double)p[0], (double)p[1], (double)p[2]});
    }
}

/* ----- which points take part ----------------------------------------------------------------------------------------- */

/* Leaves out points outside of the crop: bounds are rounded to float32 offsets as the coordinates are, so that a point at
 * the x = 0.1 of its file is inside a crop that begins at 0.1. */
static void crop_points(const clump_big_frame *f, const double *crop, const float *xyz, size_t count, uint8_t *takes)
{
    float lower[3], upper[3];
    for (int a = 0; a < 3; a++) {
        lower[a] = (float)(crop[a] - f->origin[a]);
        upper[a] = (float)(crop[a + 3] - f->origin[a]);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t a = 0; a < 3; a++) {
            const float x = xyz[3 * i + a];
            if (isfinite(x) && (x < lower[a] || x > upper[a])) takes[i] = 0;
        }
}

/* Leaves out points of classes that are not clustered, and those whose z is not finite and counts: coordinates are rounded
 * before they are clustered, so there it counts for all groups. */
static void choose_groups(const clump_big_frame *f, const clump_big_groups *groups, const clump_block *block,
                          const float *xyz, uint8_t *takes)
{
    const bool rounded = f->coordinates != f->own;
    for (size_t i = 0; i < block->count; i++) {
        const uint8_t g = groups->of[block->ids[i]];
        const bool taken = g != CLUMP_BIG_NO_GROUP &&
                           (!xyz || isfinite(xyz[3 * i + 2]) || (rounded ? f->two_d : groups->settings[g].two_d));
        if (!taken) takes[i] = 0;
    }
}

/* Marks the points that are ground, which take no part. */
static void mark_ground(const clump_big_ground *g, const clump_block *block, const float *xyz, clump_big_picked *out)
{
    clump_big_square_cursor at = {.heights = NULL};
    memset(out->marks, 0, sizeof *out->marks);
    for (size_t i = 0; i < block->count; i++) {
        clump_big_place place;
        if (!out->takes[i] || !clump_big_ground_place(g, block->steps, xyz, i, &place)) continue;
        if (!clump_big_ground_takes(g, &place, &at)) continue;
        out->marks->bits[i / 64] |= (uint64_t)1 << i % 64;
        out->takes[i] = 0;
        out->ground++;
    }
}

/* Sets takes[] for all points of the block, before ground and groups. `xyz` are float32 offsets, or null: integers of files. */
static void choose_points(const clump_big_frame *f, const clump_big_filter *filter, const clump_block *block,
                          const float *xyz, uint8_t *takes)
{
    memset(takes, 1, block->count);
    for (size_t i = 0; i < block->count && xyz; i++)
        takes[i] = isfinite(xyz[3 * i]) && isfinite(xyz[3 * i + 1]) && (f->flat || isfinite(xyz[3 * i + 2]));
    for (size_t i = 0; i < block->count && filter->drop_classes && block->classes; i++)
        if (filter->drop_classes[block->classes[i]]) takes[i] = 0;
    if (filter->crop) crop_points(f, filter->crop, xyz, block->count, takes);
}

/* Refuses a coordinate that steps cannot hold, of point i of a block. */
static clump_status refuse_step(const clump_big_frame *f, const clump_reader *reader, const clump_block *block,
                                size_t i, size_t axis, clump_message *message)
{
    CLUMP_ASSERT(i < block->count && axis < 3);
    const char *path = "", *next;
    uint64_t first = 0, begin;
    for (size_t k = 0; clump_reader_file(reader, k, &next, NULL, &begin) && begin <= block->first + i; k++)
        path = next, first = begin;
    return clump_big_fail(
        message, CLUMP_ERR_IO_UNSUPPORTED, "%.300s: point %llu: %c is %g, more than 2^53 steps of %.15g", path,
        (unsigned long long)(block->first + i - first), "xyz"[axis], block -> doubles[3 * i + axis], f -> step);
}

/* Checks that steps hold the coordinates of all points that take part. */
static clump_status check_steps(const clump_big_frame *f, const clump_reader *reader, const clump_block *block,
                                const uint8_t *takes, clump_message *message)
{
    for (size_t i = 0; i < block->count; i++)
        for (size_t a = 0; a < (f->two_d ? 2 : 3) && takes[i]; a++)
            if (block->steps[3 * i + a] == CLUMP_STEP_NONE) return refuse_step(f, reader, block, i, a, message);
    return CLUMP_OK;
}

/* ----- the stored form ------------------------------------------------------------------------------------------------ */

static void store_narrow(const clump_big_frame *f, const int64_t *steps, size_t count, clump_big_picked *out)
{
    int32_t *to = (int32_t *)(void *)out->stored;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t a = 0; a < 3; a++)
            to[3 * n + a] = (int32_t)(uint32_t)((uint64_t)steps[3 * i + a] - (uint64_t)f->base[a]);
        out->places[n] = (uint16_t)i;
        n += out->takes[i];
    }
    out->count = n;
}

static void store_wide(const clump_big_frame *f, const int64_t *steps, size_t count, clump_big_picked *out)
{
    int64_t *to = (int64_t *)(void *)out->stored;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t a = 0; a < 3; a++) to[3 * n + a] = (int64_t)((uint64_t)steps[3 * i + a] - (uint64_t)f->base[a]);
        out->places[n] = (uint16_t)i;
        n += out->takes[i];
    }
    out->count = n;
}

static void store_floats(const float *xyz, size_t count, clump_big_picked *out)
{
    float *to = (float *)(void *)out->stored;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(to + 3 * n, xyz + 3 * i, 3 * sizeof *to);
        out->places[n] = (uint16_t)i;
        n += out->takes[i];
    }
    out->count = n;
}

/* Puts the class behind the coordinates of each point, from the last to the first. */
static void add_ids(const clump_big_frame *f, const uint16_t *ids, clump_big_picked *out)
{
    const size_t coordinates = clump_big_frame_coordinates(f), record = clump_big_frame_bytes(f);
    for (size_t n = out->count; n-- > 0;) {
        unsigned char *const to = out->stored + n * record;
        memmove(to, out->stored + n * coordinates, coordinates);
        memcpy(to + coordinates, &ids[out->places[n]], sizeof *ids);
    }
}

static clump_status make_memory(const clump_big_frame *f, clump_big_picked *p, clump_message *message)
{
    const size_t points = CLUMP_BLOCK_POINTS + 1; /* a point that is left out is written and then overwritten */
    if (p->stored) return CLUMP_OK;
    p->stored = malloc(points * clump_big_frame_bytes(f));
    p->places = malloc(points * sizeof *p->places);
    p->takes = malloc(points);
    p->offsets = malloc(3 * points * sizeof *p->offsets);
    p->marks = malloc(sizeof *p->marks);
    const bool made = p->stored && p->places && p->takes && p->offsets && p->marks;
    return made ? CLUMP_OK : clump_big_no_memory(message, points * 39);
}

void clump_big_pick_release(clump_big_picked *picked)
{
    free(picked->stored);
    free(picked->places);
    free(picked->takes);
    free(picked->offsets);
    free(picked->marks);
    *picked = (clump_big_picked){0};
}

clump_status clump_big_choose(const clump_big_frame *frame, const clump_big_filter *filter, const clump_reader *reader,
                              const clump_block *block, clump_big_picked *picked, const float **xyz,
                              clump_message *message)
{
    CLUMP_BIG_TRY(make_memory(frame, picked, message));
    const bool whole = filter->ground && frame->kind == CLUMP_FILE_FRAME_WHOLE;
    *xyz = block->floats;
    if (!*xyz && (filter->crop || block->doubles || whole || frame->stored == CLUMP_BIG_F32)) {
        clump_block_offsets(reader, block, frame->origin, picked->offsets);
        *xyz = picked->offsets;
    }
    choose_points(frame, filter, block, *xyz, picked->takes);
    return CLUMP_OK;
}

clump_status clump_big_pick(const clump_big_frame *frame, const clump_big_filter *filter, const clump_reader *reader,
                            const clump_block *block, clump_big_picked *picked, clump_big_box *box,
                            clump_message *message)
{
    const float *xyz;
    clump_big_box_add(box, block);
    CLUMP_BIG_TRY(clump_big_choose(frame, filter, reader, block, picked, &xyz, message));
    picked->ground = 0;
    if (filter->ground) mark_ground(filter->ground, block, xyz, picked);
    if (filter->groups) choose_groups(frame, filter->groups, block, xyz, picked->takes);
    picked->moved = block->moved[0] + block->moved[1] + (frame->two_d ? 0 : block->moved[2]);
    if (block->steps && block->doubles) CLUMP_BIG_TRY(check_steps(frame, reader, block, picked->takes, message));
    if (frame->stored == CLUMP_BIG_F32)
        store_floats(xyz, block->count, picked);
    else if (frame->stored == CLUMP_BIG_I32)
        store_narrow(frame, block->steps, block->count, picked);
    else
        store_wide(frame, block->steps, block->count, picked);
    if (frame->ids) add_ids(frame, block->ids, picked);
    return CLUMP_OK;
}
