/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_scenes.h: streets for tests of clump_objects: ground, cars, trucks, people beside walls, hedges, poles and stray
 * points. Surfaces are lattices of points that are shaken.
 */
#ifndef CLUMP_TESTS_OBJECTS_SCENES_H
#define CLUMP_TESTS_OBJECTS_SCENES_H

#include "support/check.h"

#include <math.h>

enum { STREET_FLOOR = 40 }; /* half the side of the ground, in metres */

typedef struct street {
    float *xyz;
    size_t count, most;
    uint64_t *random;
} street;

static inline float street_between(street *s, float low, float high)
{
    return low + (high - low) * check_random_float(s->random);
}

/* The ground: a gentle slope. */
static inline float street_floor(float x, float y)
{
    return -1.7f + 0.02f * x - 0.01f * y;
}

static inline void street_add(street *s, float x, float y, float z)
{
    if (s->count == s->most) return;
    float *const p = s->xyz + 3 * s->count++;
    p[0] = x, p[1] = y, p[2] = z;
}

/* An upright rectangle from (x, y), `along` metres in a direction, from `bottom` to `top` above the ground. */
static inline void street_wall(street *s, float x, float y, float angle, float along, float bottom, float top,
                               float spacing)
{
    const float dx = cosf(angle), dy = sinf(angle);
    for (float a = 0; a <= along; a += spacing) {
        for (float h = bottom; h <= top; h += spacing) {
            const float px = x + a * dx + street_between(s, -0.2f, 0.2f) * spacing;
            const float py = y + a * dy + street_between(s, -0.2f, 0.2f) * spacing;
            street_add(s, px, py, street_floor(x, y) + h + street_between(s, -0.2f, 0.2f) * spacing);
        }
    }
}

/* Four walls and no lid: what a sensor sees of a car, a truck or a person. */
static inline void street_body(street *s, float x, float y, float angle, float length, float width, float bottom,
                               float top, float spacing)
{
    const float quarter = 1.5707963f;
    street_wall(s, x, y, angle, length, bottom, top, spacing);
    street_wall(s, x, y, angle + quarter, width, bottom, top, spacing);
    street_wall(s, x - width * sinf(angle), y + width * cosf(angle), angle, length, bottom, top, spacing);
    street_wall(s, x + length * cosf(angle), y + length * sinf(angle), angle + quarter, width, bottom, top, spacing);
}

static inline void street_hedge(street *s, float x, float y, float length)
{
    const size_t leaves = (size_t)(60 * length);
    for (size_t i = 0; i < leaves; i++) {
        const float px = x + street_between(s, 0, length), py = y + street_between(s, 0, 0.8f);
        street_add(s, px, py, street_floor(px, py) + street_between(s, 0, 1.6f));
    }
}

/* One thing at random, with a random gap to the thing beside it. */
static inline void street_thing(street *s)
{
    const float x = street_between(s, -18, 18), y = street_between(s, -18, 18),
                angle = street_between(s, 0, 6.2831853f);
    const float gap = street_between(s, 0.05f, 0.9f), spacing = street_between(s, 0.07f, 0.18f);
    switch (check_random(s->random) % 7) {
    case 0: /* a car, sometimes beside a hedge */
        street_body(s, x, y, 0, street_between(s, 3.5f, 6.2f), 1.8f, 0.2f, street_between(s, 1.2f, 2.8f), 0.2f);
        if (check_random(s->random) % 2) street_hedge(s, x, y + 1.8f + gap, street_between(s, 3, 9));
        return;
    case 1: /* a truck */
        street_body(s, x, y, angle, street_between(s, 7, 14), street_between(s, 2.2f, 3.6f),
                    street_between(s, 0.2f, 1.2f), street_between(s, 2.1f, 4.7f), 0.35f);
        return;
    case 2: /* people beside a wall */
        street_wall(s, x, y, 0, street_between(s, 2, 12), 0, street_between(s, 1.5f, 3.5f), 0.25f);
        for (int k = 0; k < 3; k++)
            street_body(s, x + 1.7f * (float)k, y + gap, angle, street_between(s, 0.3f, 0.8f),
                        street_between(s, 0.2f, 0.5f), street_between(s, 0.1f, 1), street_between(s, 1.1f, 2.3f),
                        spacing);
        return;
    case 3: /* two people side by side */
        street_body(s, x, y, 0.3f, 0.5f, 0.3f, 0.2f, street_between(s, 1.4f, 2), 0.09f);
        street_body(s, x + 0.5f + gap, y, 0.3f, 0.5f, 0.3f, 0.2f, street_between(s, 1.4f, 2), 0.09f);
        return;
    case 4:
        street_hedge(s, x, y, street_between(s, 1, 8));
        return;
    case 5: /* a pole, or a thing in the air */
        street_wall(s, x, y, angle, 0.1f, street_between(s, 0, 3), street_between(s, 3, 5), 0.12f);
        return;
    default:
        for (int k = 0; k < 12; k++)
            street_add(s, x + street_between(s, -1, 1), y + street_between(s, -1, 1), street_between(s, -1.4f, 2));
    }
}

/* Makes a street of at most `most` points, one in four of them ground. Returns the number of points. */
static inline size_t street_make(float *xyz, size_t most, uint64_t *random)
{
    street s = {xyz, 0, most, random};
    for (size_t i = 0; i < most / 4; i++) {
        const float x = street_between(&s, -STREET_FLOOR, STREET_FLOOR) / 2;
        const float y = street_between(&s, -STREET_FLOOR, STREET_FLOOR) / 2;
        street_add(&s, x, y, street_floor(x, y) + street_between(&s, 0, 0.03f));
    }
    while (s.count < most) street_thing(&s);
    return s.count;
}

/* Exchanges points at random, so that the points of a thing are not side by side. */
static inline void street_shuffle(float *xyz, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = check_random(random) % i;
        float kept[3];
        memcpy(kept, xyz + 3 * j, sizeof kept);
        memmove(xyz + 3 * j, xyz + 3 * (i - 1), sizeof kept);
        memcpy(xyz + 3 * (i - 1), kept, sizeof kept);
    }
}

#endif
