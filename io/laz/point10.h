/* SPDX-License-Identifier: BSD-3-Clause
 *
 * point10.h: the first 20 bytes of point formats 0 to 3.
 *
 *     x y z          int32
 *     intensity      uint16
 *     flags          return number, number of returns, scan direction, edge of flight line
 *     class, angle, user data, source
 *
 * A symbol tells which of the last six differ from the point before. x and y are coded as steps from the point before,
 * predicted by the median of steps of points with the same return; z is predicted by the last point of the same level.
 */
#ifndef CLUMP_IO_LAZ_POINT10_H
#define CLUMP_IO_LAZ_POINT10_H

#include "laz/integer.h"
#include "laz/median.h"

#define CLUMP_IO_LAZ_POINT10 20u /* bytes */

enum { /* what differs from the point before */
       CLUMP_IO_LAZ_NEW_SOURCE = 1,
       CLUMP_IO_LAZ_NEW_USER = 2,
       CLUMP_IO_LAZ_NEW_ANGLE = 4,
       CLUMP_IO_LAZ_NEW_CLASS = 8,
       CLUMP_IO_LAZ_NEW_INTENSITY = 16,
       CLUMP_IO_LAZ_NEW_FLAGS = 32
};

/* Models of a byte, by its value in the point before. */
typedef struct clump_io_laz_byte_models {
    uint64_t ready[4]; /* a bit per model */
    clump_io_laz_model256 models[256];
} clump_io_laz_byte_models;

typedef struct clump_io_laz_point10 {
    clump_io_laz_integer x, y, z, intensity, source;
    CLUMP_IO_LAZ_MODEL(64) changed;
    clump_io_laz_model256 angle[2]; /* by scan direction */
    clump_io_laz_median x_steps[16], y_steps[16];
    int32_t heights[8];
    uint16_t intensities[16];
    clump_io_laz_byte_models flags, classes, users;
} clump_io_laz_point10;

/* A point; loops keep the last one in a local variable. */
typedef struct clump_io_laz_point {
    int32_t x, y, z;
    uint16_t intensity, source;
    uint8_t flags, class_id, angle, user;
} clump_io_laz_point;

void clump_io_laz_point10_begin(clump_io_laz_point10 *state);

/* Sets up the model of a value, and returns. */
void clump_io_laz_byte_model_begin(clump_io_laz_byte_models *models, uint8_t value);

/* Which returns share predictions, by number of returns and return number. */
extern const uint8_t clump_io_laz_return_map[8][8];

CLUMP_IO_LAZ_INLINE clump_io_laz_model256 *clump_io_laz_byte_model(clump_io_laz_byte_models *models, uint8_t value)
{
    if (!(models->ready[value >> 6] >> (value & 63) & 1)) clump_io_laz_byte_model_begin(models, value);
    return &models->models[value];
}

CLUMP_IO_LAZ_INLINE uint8_t clump_io_laz_decode_byte(clump_io_laz_decoder *d, clump_io_laz_byte_models *models,
                                                     uint8_t before)
{
    return (uint8_t)clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(clump_io_laz_byte_model(models, before)));
}

CLUMP_IO_LAZ_INLINE void clump_io_laz_encode_byte(clump_io_laz_encoder *e, clump_io_laz_byte_models *models,
                                                  uint8_t before, uint8_t value)
{
    clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(clump_io_laz_byte_model(models, before)), value);
}

/* The bytes of a point in a record. */
CLUMP_IO_LAZ_INLINE clump_io_laz_point clump_io_laz_point_get(const unsigned char *record)
{
    clump_io_laz_point p;
    memcpy(&p.x, record, 4);
    memcpy(&p.y, record + 4, 4);
    memcpy(&p.z, record + 8, 4);
    memcpy(&p.intensity, record + 12, 2);
    p.flags = record[14], p.class_id = record[15], p.angle = record[16], p.user = record[17];
    memcpy(&p.source, record + 18, 2);
    return p;
}

CLUMP_IO_LAZ_INLINE void clump_io_laz_point_put(const clump_io_laz_point *p, unsigned char *record)
{
    memcpy(record, &p->x, 4);
    memcpy(record + 4, &p->y, 4);
    memcpy(record + 8, &p->z, 4);
    memcpy(record + 12, &p->intensity, 2);
    record[14] = p->flags, record[15] = p->class_id, record[16] = p->angle, record[17] = p->user;
    memcpy(record + 18, &p->source, 2);
}

/* The contexts of x, y and z, from whether the pulse has a single return and from how wide earlier differences are. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_width_context(uint32_t width, uint32_t most, uint32_t single)
{
    return single + (width < most ? width & ~1u : most);
}

/* Replaces the point before by the next. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_point10_decode(clump_io_laz_decoder *d, clump_io_laz_point10 *state,
                                                     clump_io_laz_point *p)
{
    const uint32_t changed = clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->changed));
    if (changed & CLUMP_IO_LAZ_NEW_FLAGS) p->flags = clump_io_laz_decode_byte(d, &state->flags, p->flags);
    const uint32_t number = p->flags & 7, returns = p->flags >> 3 & 7, single = returns == 1;
    const uint32_t m = clump_io_laz_return_map[returns][number], gap = returns - number;
    const uint32_t level = gap >> 31 ? 0 - gap : gap;
    if (changed & CLUMP_IO_LAZ_NEW_INTENSITY)
        state->intensities[m] =
            (uint16_t)clump_io_laz_decode_integer(d, &state->intensity, state->intensities[m], m < 3 ? m : 3);
    p->intensity = state->intensities[m];
    if (changed & CLUMP_IO_LAZ_NEW_CLASS) p->class_id = clump_io_laz_decode_byte(d, &state->classes, p->class_id);
    if (changed & CLUMP_IO_LAZ_NEW_ANGLE)
        p->angle = (uint8_t)(p->angle + clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->angle[p->flags >> 6 & 1])));
    if (changed & CLUMP_IO_LAZ_NEW_USER) p->user = clump_io_laz_decode_byte(d, &state->users, p->user);
    if (changed & CLUMP_IO_LAZ_NEW_SOURCE)
        p->source = (uint16_t)clump_io_laz_decode_integer(d, &state->source, p->source, 0);

    clump_io_laz_median *xs = &state->x_steps[m], *ys = &state->y_steps[m];
    const int32_t dx = clump_io_laz_decode_integer(d, &state->x, xs->values[2], single);
    clump_io_laz_median_add(xs, dx);
    p->x = (int32_t)((uint32_t)p->x + (uint32_t)dx);
    const uint32_t y_context = clump_io_laz_width_context(state->x.width, 20, single);
    const int32_t dy = clump_io_laz_decode_integer(d, &state->y, ys->values[2], y_context);
    clump_io_laz_median_add(ys, dy);
    p->y = (int32_t)((uint32_t)p->y + (uint32_t)dy);
    const uint32_t z_context = clump_io_laz_width_context((state->x.width + state->y.width) / 2, 18, single);
    p->z = state->heights[level] = clump_io_laz_decode_integer(d, &state->z, state->heights[level], z_context);
}

/* Codes the point `next` after the point before, and replaces that. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_point10_encode(clump_io_laz_encoder *e, clump_io_laz_point10 *state,
                                                     clump_io_laz_point *before, const clump_io_laz_point *next)
{
    const uint32_t number = next->flags & 7, returns = next->flags >> 3 & 7, single = returns == 1;
    const uint32_t m = clump_io_laz_return_map[returns][number], gap = returns - number;
    const uint32_t level = gap >> 31 ? 0 - gap : gap;
    const uint32_t changed = (before->flags != next->flags ? CLUMP_IO_LAZ_NEW_FLAGS : 0u) |
                             (state->intensities[m] != next->intensity ? CLUMP_IO_LAZ_NEW_INTENSITY : 0u) |
                             (before->class_id != next->class_id ? CLUMP_IO_LAZ_NEW_CLASS : 0u) |
                             (before->angle != next->angle ? CLUMP_IO_LAZ_NEW_ANGLE : 0u) |
                             (before->user != next->user ? CLUMP_IO_LAZ_NEW_USER : 0u) |
                             (before->source != next->source ? CLUMP_IO_LAZ_NEW_SOURCE : 0u);
    clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&state->changed), changed);
    if (changed & CLUMP_IO_LAZ_NEW_FLAGS) clump_io_laz_encode_byte(e, &state->flags, before->flags, next->flags);
    if (changed & CLUMP_IO_LAZ_NEW_INTENSITY)
        clump_io_laz_encode_integer(e, &state->intensity, state->intensities[m], next->intensity, m < 3 ? m : 3);
    state->intensities[m] = next->intensity;
    if (changed & CLUMP_IO_LAZ_NEW_CLASS)
        clump_io_laz_encode_byte(e, &state->classes, before->class_id, next->class_id);
    if (changed & CLUMP_IO_LAZ_NEW_ANGLE)
        clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&state->angle[next->flags >> 6 & 1]),
                            (uint8_t)(next->angle - before->angle));
    if (changed & CLUMP_IO_LAZ_NEW_USER) clump_io_laz_encode_byte(e, &state->users, before->user, next->user);
    if (changed & CLUMP_IO_LAZ_NEW_SOURCE)
        clump_io_laz_encode_integer(e, &state->source, before->source, next->source, 0);

    clump_io_laz_median *xs = &state->x_steps[m], *ys = &state->y_steps[m];
    const int32_t dx = (int32_t)((uint32_t)next->x - (uint32_t)before->x);
    clump_io_laz_encode_integer(e, &state->x, xs->values[2], dx, single);
    clump_io_laz_median_add(xs, dx);
    const uint32_t y_context = clump_io_laz_width_context(state->x.width, 20, single);
    const int32_t dy = (int32_t)((uint32_t)next->y - (uint32_t)before->y);
    clump_io_laz_encode_integer(e, &state->y, ys->values[2], dy, y_context);
    clump_io_laz_median_add(ys, dy);
    const uint32_t z_context = clump_io_laz_width_context((state->x.width + state->y.width) / 2, 18, single);
    clump_io_laz_encode_integer(e, &state->z, state->heights[level], next->z, z_context);
    state->heights[level] = next->z;
    *before = *next;
}

#endif
