/* SPDX-License-Identifier: BSD-3-Clause
 *
 * survey_plot.h: the landscape of a synthetic survey, plot by plot. A plot is a square with a side of 2^15 mm. What is on it
 * depends on the seed and the place of the plot alone, so plots can be made in any order. All numbers are integers, in mm.
 */
#ifndef CLUMP_SIM_SURVEY_PLOT_H
#define CLUMP_SIM_SURVEY_PLOT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SURVEY_PLOT_BITS = 15, /* 2^15 mm: the side of a plot */
    SURVEY_PART_BITS = 12, /* 2^12 mm: the side of a part of a plot; 8 x 8 parts */
    SURVEY_PARTS = 64,
    SURVEY_THINGS = 64, /* limit of the things on one plot */
};

typedef enum survey_kind { SURVEY_TREE, SURVEY_SHRUB, SURVEY_BUILDING, SURVEY_POLE, SURVEY_HEDGE } survey_kind;

/* A thing that stands on the plot, or reaches into it from a plot nearby. */
typedef struct survey_thing {
    survey_kind kind;
    int32_t at[2];   /* centre, from the corner of the plot */
    int32_t half[2]; /* half of its length and width; trees and shrubs: the radius of the crown */
    int32_t foot;    /* height of the ground at its centre */
    int32_t top;     /* height of its highest point */
} survey_thing;

typedef struct survey_plot {
    int64_t place[2];                 /* in plots, from the corner of the survey */
    int32_t ground[4];                /* heights of the corners: y 0 x 0, y 0 x 1, y 1 x 0, y 1 x 1 */
    uint64_t things_of[SURVEY_PARTS]; /* bit t: thing t reaches into this part; row by row */
    survey_thing things[SURVEY_THINGS];
    unsigned count;
} survey_plot;

void survey_plot_make(uint64_t seed, const int64_t place[2], survey_plot *plot);

/* Returns the height of the ground at a point of the plot. */
static inline int32_t survey_ground(const int32_t corners[4], int32_t x, int32_t y)
{
    const int64_t side = (int64_t)1 << SURVEY_PLOT_BITS;
    const int64_t near = corners[0] * (side - x) + corners[1] * (int64_t)x;
    const int64_t far = corners[2] * (side - x) + corners[3] * (int64_t)x;
    return (int32_t)((near * (side - y) + far * y) >> (2 * SURVEY_PLOT_BITS));
}

/* Returns the height of the upper side of a thing at dx, dy from its centre. False: it does not cover this point. */
static inline bool survey_surface(const survey_thing *t, int32_t dx, int32_t dy, int32_t *z)
{
    if (t->kind == SURVEY_TREE || t->kind == SURVEY_SHRUB) { /* a paraboloid, 0.6 times as high as its radius */
        const int32_t r2 = dx * dx + dy * dy, full = t->half[0] * t->half[0];
        if (r2 >= full) return false;
        *z = t->top - (int32_t)((int64_t)t->half[0] * 3 * r2 / (5 * (int64_t)full));
        return true;
    }
    const int32_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
    if (ax >= t->half[0] || ay >= t->half[1]) return false;
    *z = t->top;
    if (t->kind == SURVEY_BUILDING) *z -= ay * 2 / 5; /* the ridge of the roof is along x */
    if (t->kind == SURVEY_HEDGE) *z = INT32_MAX;      /* nothing hangs over a hedge, so the net of hedges has no gaps */
    return true;
}

#endif
