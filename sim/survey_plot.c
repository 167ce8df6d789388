/* SPDX-License-Identifier: BSD-3-Clause
 *
 * survey_plot.c: see survey_plot.h. Two slow fields, wood and town, decide what a plot has:
 *
 *     wood high    12 to 20 trees: crowns touch, and clusters of many trees cross the sides of plots
 *     town high    1 or 2 buildings, up to 3 poles, some trees
 *     else         a tree or two, shrubs
 *
 * Hedges in every 16th row and column of plots form one net: a cluster that crosses the whole survey.
 */
#include "survey_plot.h"
#include "common/assert.h"
#include "exact.h"

enum { HEDGE_ROWS = 16, HEDGE_ROW = 5, HEDGE_COLUMN = 9 };

/* The random fields of the landscape. */
enum { FIELD_GROUND = 1, FIELD_WOOD = 6, FIELD_TOWN = 7, FIELD_THINGS = 8 };

/* Returns 64 random bits of a place in a field. */
static uint64_t bits_at(uint64_t seed, unsigned field, int64_t x, int64_t y)
{
    const uint64_t row = exact_mix(seed + field * 0x9e3779b97f4a7c15u + (uint64_t)y);
    return exact_mix(row + (uint64_t)x * 0xd1342543de82ef95u);
}

/* Returns a field that changes slowly, from 0 to 65535: interpolated between places that are 2^octave plots apart. */
static int64_t slow_field(uint64_t seed, unsigned field, int octave, int64_t x, int64_t y)
{
    CLUMP_ASSERT(octave >= 0 && octave < 16);
    const int64_t step = (int64_t)1 << octave, cx = x >> octave, cy = y >> octave;
    const int64_t fx = x - cx * step, fy = y - cy * step;
    int64_t corner[4];
    for (int k = 0; k < 4; k++) corner[k] = (int64_t)(bits_at(seed, field, cx + (k & 1), cy + (k >> 1)) >> 48);
    const int64_t near = corner[0] * (step - fx) + corner[1] * fx, far = corner[2] * (step - fx) + corner[3] * fx;
    return (near * (step - fy) + far * fy) >> (2 * octave);
}

/* Returns the height of the ground at a corner of plots: hills of 40 m down to waves of 0.6 m. */
static int32_t corner_height(uint64_t seed, int64_t x, int64_t y)
{
    static const struct {
        int octave, height;
    } waves[] = {{5, 40000}, {3, 12000}, {1, 2400}, {0, 600}};
    int64_t sum = 100000;
    for (unsigned w = 0; w < sizeof waves / sizeof waves[0]; w++)
        sum += slow_field(seed, FIELD_GROUND + w, waves[w].octave, x, y) * waves[w].height >> 16;
    return (int32_t)sum;
}

/* --- things ------------------------------------------------------------------------------------- */

/* Returns a number from `least` up to, but not including, `least + range`, from 10 bits at `shift`. */
static int32_t number_of(uint64_t bits, int shift, int32_t least, int32_t range)
{
    CLUMP_ASSERT(shift >= 0 && shift + 10 <= 64 && range >= 1);
    return least + (int32_t)(((bits >> shift & 1023) * (uint64_t)range) >> 10);
}

/* Returns a thing at the place, and of the size, that the bits decide; heights from its foot. */
static survey_thing make_thing(survey_kind kind, uint64_t bits)
{
    survey_thing t = {.kind = kind};
    for (int a = 0; a < 2; a++) t.at[a] = (int32_t)(bits >> (49 - 15 * a) & ((1u << SURVEY_PLOT_BITS) - 1));
    switch (kind) {
    case SURVEY_TREE:
        t.half[0] = t.half[1] = number_of(bits, 0, 1800, 3200);
        t.top = number_of(bits, 10, 8000, 2000) + t.half[0]; /* crowns side by side touch */
        break;
    case SURVEY_SHRUB:
        t.half[0] = t.half[1] = number_of(bits, 0, 500, 1000);
        t.top = number_of(bits, 10, 600, 1200);
        break;
    case SURVEY_BUILDING:
        t.half[0] = number_of(bits, 0, 4000, 4900);
        t.half[1] = number_of(bits, 10, 3000, 4000);
        t.top = number_of(bits, 20, 5000, 8000) + t.half[1] * 2 / 5;
        break;
    case SURVEY_POLE:
        t.half[0] = t.half[1] = 600; /* all pulses as near as this hit the pole, else it would have no points */
        t.top = number_of(bits, 0, 5000, 4000);
        break;
    case SURVEY_HEDGE: /* through the middle of the plot; the caller sets the length */
        t.at[0] = t.at[1] = 1 << (SURVEY_PLOT_BITS - 1);
        t.half[0] = t.half[1] = 800;
        t.top = 1600;
        break;
    }
    return t;
}

/* Adds a thing of a plot dx, dy plots away, where it reaches into this one. */
static void add_thing(survey_plot *plot, survey_thing t, int64_t dx, int64_t dy, const int32_t corners[4])
{
    const int32_t side = 1 << SURVEY_PLOT_BITS;
    t.foot = survey_ground(corners, t.at[0], t.at[1]);
    t.top += t.foot;
    t.at[0] += (int32_t)dx * side;
    t.at[1] += (int32_t)dy * side;
    int32_t first[2], last[2];
    for (int a = 0; a < 2; a++) {
        if (t.at[a] + t.half[a] < 0 || t.at[a] - t.half[a] >= side) return;
        first[a] = t.at[a] - t.half[a] < 0 ? 0 : (t.at[a] - t.half[a]) >> SURVEY_PART_BITS;
        last[a] = t.at[a] + t.half[a] >= side ? 7 : (t.at[a] + t.half[a]) >> SURVEY_PART_BITS;
    }
    CLUMP_ASSERT(first[0] <= last[0] && last[0] < 8 && first[1] <= last[1] && last[1] < 8);
    if (plot->count == SURVEY_THINGS) return;
    for (int32_t y = first[1]; y <= last[1]; y++)
        for (int32_t x = first[0]; x <= last[0]; x++) plot->things_of[8 * y + x] |= (uint64_t)1 << plot->count;
    plot->things[plot->count++] = t;
}

/* Adds the things that stand on the plot dx, dy plots away. */
static void add_things_of(survey_plot *plot, uint64_t seed, int64_t dx, int64_t dy, const int32_t corners[4])
{
    const int64_t x = plot->place[0] + dx, y = plot->place[1] + dy;
    const int64_t wood = slow_field(seed, FIELD_WOOD, 2, x, y), town = slow_field(seed, FIELD_TOWN, 3, x, y);
    const uint64_t bits = bits_at(seed, FIELD_THINGS, x, y);
    const bool forest = wood > 40000, streets = !forest && town > 30000;
    const int counts[] = {[SURVEY_TREE] = forest ? number_of(bits, 0, 12, 9) : number_of(bits, 0, 1, streets ? 4 : 2),
                          [SURVEY_SHRUB] = number_of(bits, 10, 1, 6),
                          [SURVEY_BUILDING] = streets ? number_of(bits, 20, 1, 2) : 0,
                          [SURVEY_POLE] = streets ? number_of(bits, 30, 0, 4) : 0};
    uint64_t number = 0;
    for (int kind = SURVEY_TREE; kind <= SURVEY_POLE; kind++)
        for (int k = 0; k < counts[kind]; k++)
            add_thing(plot, make_thing((survey_kind)kind, exact_mix(bits + ++number * 0x9e3779b97f4a7c15u)), dx, dy,
                      corners);
    for (int a = 0; a < 2; a++) {
        if ((a ? x : y) % HEDGE_ROWS != (a ? HEDGE_COLUMN : HEDGE_ROW)) continue;
        survey_thing hedge = make_thing(SURVEY_HEDGE, 0);
        hedge.half[a] = 1 << (SURVEY_PLOT_BITS - 1);
        add_thing(plot, hedge, dx, dy, corners);
    }
}

void survey_plot_make(uint64_t seed, const int64_t place[2], survey_plot *plot)
{
    *plot = (survey_plot){.place = {place[0], place[1]}};
    int32_t heights[4][4]; /* of the corners of the plots around */
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) heights[y][x] = corner_height(seed, place[0] + x - 1, place[1] + y - 1);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) {
            const int32_t corners[4] = {heights[y][x], heights[y][x + 1], heights[y + 1][x], heights[y + 1][x + 1]};
            if (x == 1 && y == 1)
                for (int k = 0; k < 4; k++) plot->ground[k] = corners[k];
            add_things_of(plot, seed, x - 1, y - 1, corners);
        }
}
