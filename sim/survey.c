/* SPDX-License-Identifier: BSD-3-Clause
 *
 * survey.c: a synthetic airborne survey of any size. Point i is a function of the parameters and i, so the points can be made
 * in blocks, in any order, on any number of threads.
 *
 *     y  ^  strip 2   >>>>>>>>>>>>>>>      a strip is one flight line: scans across it, one behind the other,
 *        |  strip 1   <<<<<<<<<<<<<<<      forth and back like a zigzag; every other strip is flown backwards
 *        |  strip 0   >>>>>>>>>>>>>>>
 *        +------------------------> x
 *
 * A pulse falls at a random place of its own field, about 224 x 223 mm: 20 pulses per square metre. It returns from the
 * highest thing there, or from the ground.
 */
#include <clump/sim.h>
#include "exact.h"
#include "common/assert.h"
#include "refuse.h"
#include "survey_plot.h"

#include <math.h>

#define SURVEY_COOKIE 0x5ac70126u

enum {
    PULSE_AREA = 50000, /* mm2 per pulse: 20 per m2 */
    PULSE_FIELD = 224,  /* mm across the strip */
    WIDEST = 18,        /* strips are 2^18 mm wide, and less in small surveys */
    NARROWEST = 13,
    PLOTS_HELD = 32, /* plots across a strip are held, by their place along y; a power of 2, at least 8 */
};

/* How the pulses lie. */
typedef struct survey_lines {
    int width_bits;
    uint64_t across, scans; /* pulses per scan, scans per strip */
    uint64_t advance;       /* mm from scan to scan */
} survey_lines;

clump_survey clump_survey_defaults(void)
{
    return (clump_survey){.cookie = SURVEY_COOKIE, .points = 1000000, .seed = 1};
}

static clump_status check_survey(const clump_survey *s, uint64_t first, size_t count, const clump_survey_point *out,
                                 clump_message *message)
{
    const clump_status bad = CLUMP_ERR_ARGUMENT;
    if (!s) return sim_refuse(message, bad, "the survey is null");
    if (s->cookie != SURVEY_COOKIE)
        return sim_refuse(message, CLUMP_ERR_OPTIONS, "the survey was not made by clump_survey_defaults()");
    if (s->points > CLUMP_SURVEY_MOST_POINTS)
        return sim_refuse(message, CLUMP_ERR_TOO_MANY, "%llu points are more than %llu", (unsigned long long)s->points,
                          (unsigned long long)CLUMP_SURVEY_MOST_POINTS);
    if (first > s->points || count > s->points - first)
        return sim_refuse(message, bad, "the survey has %llu points, not %llu and %zu from there on",
                          (unsigned long long)s->points, (unsigned long long)first, count);
    if (!out && count) return sim_refuse(message, bad, "the array for the points is null");
    return CLUMP_OK;
}

static survey_lines lines_of(uint64_t points)
{
    const uint64_t side = (uint64_t)sqrt((double)points * PULSE_AREA);
    survey_lines l = {.width_bits = WIDEST};
    while (l.width_bits > NARROWEST && (uint64_t)4 << l.width_bits > side) l.width_bits--;
    const uint64_t width = (uint64_t)1 << l.width_bits, strips = (side + width / 2) >> l.width_bits;
    l.across = width / PULSE_FIELD;
    l.advance = PULSE_AREA * l.across / width;
    const uint64_t per_strip = points / (strips ? strips : 1) + 1;
    l.scans = (per_strip + l.across - 1) / l.across;
    return l;
}

/* --- pulses ------------------------------------------------------------------------------------- */

/* Returns a number from 0 up to, but not including, `range`, from 16 bits at `shift`. */
static int32_t number_of(uint64_t bits, int shift, uint64_t range)
{
    CLUMP_ASSERT(shift >= 0 && shift <= 48 && range <= INT32_MAX);
    return (int32_t)(((bits >> shift & 0xffff) * range) >> 16);
}

/* What a pulse meets. */
typedef struct survey_hit {
    const survey_thing *thing; /* null: the ground */
    int32_t z;
} survey_hit;

/* Returns the highest thing at a place of the plot. */
static survey_hit highest_at(const survey_plot *plot, int32_t x, int32_t y)
{
    CLUMP_ASSERT(x >= 0 && x < 1 << SURVEY_PLOT_BITS && y >= 0 && y < 1 << SURVEY_PLOT_BITS);
    survey_hit hit = {NULL, INT32_MIN};
    uint64_t left = plot->things_of[8 * (y >> SURVEY_PART_BITS) + (x >> SURVEY_PART_BITS)];
    for (; left; left &= left - 1) {
        const survey_thing *t = &plot->things[__builtin_ctzll(left)];
        int32_t z;
        if (survey_surface(t, x - t->at[0], y - t->at[1], &z) && z > hit.z) hit = (survey_hit){t, z};
    }
    return hit;
}

/* Sets height and class of a point, and moves it to the pole that it hits. x, y: its place in the plot. */
static void return_pulse(const survey_plot *plot, int32_t x, int32_t y, uint64_t bits, clump_survey_point *p)
{
    const int32_t ground = survey_ground(plot->ground, x, y);
    const survey_hit hit = highest_at(plot, x, y);
    const survey_thing *const t = hit.thing;
    const unsigned choice = bits >> 48 & 15;
    const int32_t share = number_of(bits, 32, 4096); /* how far down, in 4096ths */
    p->xyz[2] = ground + (share >> 7) - 16;
    p->classification = CLUMP_SURVEY_GROUND;
    if (!t) return;
    switch (t->kind) {
    case SURVEY_TREE: /* 5 of 16 pulses reach the ground, 1 ends within the crown */
    case SURVEY_SHRUB:
        if (choice < 5) return;
        p->classification = t->kind == SURVEY_TREE ? CLUMP_SURVEY_TREES : CLUMP_SURVEY_SHRUBS;
        p->xyz[2] = hit.z - (choice < 6 ? ((hit.z - ground) * 3 / 4 * share) >> 12 : share >> 5);
        return;
    case SURVEY_BUILDING: {
        const int32_t dx = x - t->at[0], dy = y - t->at[1];
        const int32_t edge_x = t->half[0] - (dx < 0 ? -dx : dx), edge_y = t->half[1] - (dy < 0 ? -dy : dy);
        const bool wall = choice < 3 && (edge_x < 250 || edge_y < 250);
        p->classification = CLUMP_SURVEY_BUILDINGS;
        p->xyz[2] = wall ? ground + ((hit.z - ground) * share >> 12) : hit.z + (share >> 7) - 16;
        return;
    }
    case SURVEY_HEDGE: /* as high everywhere */
        if (choice == 0) return;
        p->classification = CLUMP_SURVEY_SHRUBS;
        p->xyz[2] = ground + 1600 - (share >> 5);
        return;
    case SURVEY_POLE:
        if (choice < 2) return;
        p->classification = CLUMP_SURVEY_OTHER;
        p->xyz[0] += t->at[0] - x + (share >> 6 & 63) - 32;
        p->xyz[1] += t->at[1] - y + (share & 63) - 32;
        p->xyz[2] = ground + ((t->top - ground) * share >> 12);
        return;
    }
}

clump_status clump_sim_survey(const clump_survey *survey, uint64_t first, size_t count, clump_survey_point *out,
                              clump_message *message)
{
    if (message) message->text[0] = '\0';
    const clump_status status = check_survey(survey, first, count, out, message);
    if (status != CLUMP_OK || count == 0) return status;
    const survey_lines lines = lines_of(survey->points);
    CLUMP_ASSERT(lines.across >= 1 && lines.scans >= 1 && lines.advance >= 1);
    const uint64_t per_strip = lines.across * lines.scans, seed = exact_mix(survey->seed);
    static const int64_t nowhere = INT64_MIN;
    survey_plot plots[PLOTS_HELD];
    for (int k = 0; k < PLOTS_HELD; k++) plots[k].place[0] = nowhere;
    for (size_t i = 0; i < count; i++) {
        const uint64_t index = first + i, strip = index / per_strip, in_strip = index % per_strip;
        const uint64_t scan = in_strip / lines.across, in_scan = in_strip % lines.across;
        const uint64_t along = strip & 1 ? lines.scans - 1 - scan : scan;
        const uint64_t side = scan & 1 ? lines.across - 1 - in_scan : in_scan;
        const uint64_t bits = exact_mix(seed + (index + 1) * 0x9e3779b97f4a7c15u);
        const int64_t x = (int64_t)(along * lines.advance) + number_of(bits, 0, lines.advance);
        const int64_t y =
            (int64_t)((strip << lines.width_bits) + side * PULSE_FIELD) + number_of(bits, 16, PULSE_FIELD);
        const int64_t place[2] = {x >> SURVEY_PLOT_BITS, y >> SURVEY_PLOT_BITS};
        survey_plot *const plot = &plots[place[1] & (PLOTS_HELD - 1)];
        if (plot->place[0] != place[0] || plot->place[1] != place[1]) survey_plot_make(seed, place, plot);
        clump_survey_point *const p = &out[i];
        *p = (clump_survey_point){.xyz = {(int32_t)x, (int32_t)y, 0},
                                  .intensity = (uint16_t)(bits >> 52),
                                  .returns = 1 | 1 << 3,
                                  .angle = (int8_t)((int64_t)(40 * side / lines.across) - 20),
                                  .strip = (uint16_t)(strip % 65535 + 1)};
        const int32_t in_plot = (1 << SURVEY_PLOT_BITS) - 1;
        return_pulse(plot, (int32_t)x & in_plot, (int32_t)y & in_plot, bits, p);
    }
    return CLUMP_OK;
}
