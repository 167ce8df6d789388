/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_scenes.h: scenes with known ground for tests of clump_ground: terrain, and things that stand on it.
 */
#ifndef CLUMP_TESTS_GROUND_SCENES_H
#define CLUMP_TESTS_GROUND_SCENES_H

#include "support/calls.h"

#include <math.h>

enum { MOST = 40000, TALL = 3000 };

typedef float terrain(float x, float y);

static inline float flat(float x, float y)
{
    (void)x, (void)y;
    return -1.7f;
}
static inline float slope(float x, float y)
{
    (void)y;
    return -1.7f + 0.12f * x;
}
static inline float oblique(float x, float y)
{
    return -1.7f - 0.07f * x + 0.07f * y;
}
static inline float kerb(float x, float y)
{
    (void)x;
    return y > 4 || y < -6 ? -1.55f : -1.7f;
}
static inline float steps(float x, float y)
{
    (void)y;
    return x > 12 ? -1.0f : x > 6 ? -1.35f : -1.7f; /* 35 cm each: more than 0.2 apart from any one level */
}
static inline float hills(float x, float y)
{
    return -1.7f + 0.8f * sinf(x / 9) * cosf(y / 11);
}

typedef struct scene {
    float xyz[3 * MOST];
    uint8_t ground[MOST];
    size_t count;
    uint64_t seed;
} scene;
static scene made;

static inline void add(scene *s, float x, float y, float z, bool ground)
{
    float *const p = s->xyz + 3 * s->count;
    p[0] = x, p[1] = y, p[2] = z;
    s->ground[s->count++] = ground;
}

static inline float shake(scene *s)
{
    return 0.03f * (check_random_float(&s->seed) - 0.5f);
}

/* Rings on the ground as a turning sensor draws them, and things that stand on it: cars with open space below them,
 * walls, poles. What is less than 0.3 above the ground is made of ground alone. */
static inline void make(scene *s, terrain *land, bool things, int strays, uint64_t seed)
{
    s->count = 0;
    s->seed = seed;
    for (float r = 3; r < 36; r *= 1.035f) {
        for (int k = 0; k < 240; k++) {
            const float angle = (float)k * 6.2831853f / 240, x = r * cosf(angle), y = r * sinf(angle);
            add(s, x, y, land(x, y) + shake(s), true);
        }
    }
    for (int i = 0; things && i < TALL; i++) {
        const int which = i % 12;
        const float x = 5 + 2.5f * (float)which, y = which % 2 ? 6.5f : -7.0f, a = check_random_float(&s->seed);
        const bool wall = which > 8, side = i / 12 % 2;
        const float tall = 0.3f + (wall ? 2.5f : 1.1f) * check_random_float(&s->seed);
        const float px = x + (wall ? 4 * a : side ? 3.8f * a : 0), py = y + (wall || side ? 0.0f : 1.7f * a);
        add(s, px, py, land(px, py) + tall, false);
    }
    for (int i = 0; i < strays; i++) { /* reflections: below the ground, where it cannot be */
        const float r = 4 + 25 * check_random_float(&s->seed), angle = 6.28f * check_random_float(&s->seed);
        const float x = r * cosf(angle), y = r * sinf(angle);
        add(s, x, y, land(x, y) - 0.8f - 6 * check_random_float(&s->seed), false);
    }
}

/* Labels the ground of a scene by one thread; returns the number of points. */
static inline size_t mark(const scene *s, const clump_ground_options *o, int32_t *to)
{
    clump_context *ctx = cpu_context(1);
    size_t found = 0;
    const clump_points points = {.xyz = s->xyz, .count = s->count};
    CHECK_INT(clump_ground(ctx, points, o, to, &found), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
    return found;
}

#endif
