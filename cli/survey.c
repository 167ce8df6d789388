/* SPDX-License-Identifier: BSD-3-Clause
 *
 * survey.c: see survey.h. The spacing is found by brute force: at most 256 samples, spread evenly over
 * the file, are compared with all points. Very large clouds have fewer samples. The points that samples
 * are compared with are never thinned out, since the cloud would seem sparser than it is.
 *
 * The suggested distance is twice the median distance to the 16th nearest point (in a small cloud, the
 * n/8-th). The nearest point alone says little: along a scan line it is many times closer than across.
 */
#include "survey.h"

#include "cli.h"
#include "timing.h"
#include "turn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SURVEY_MOST_SAMPLES = 256, SURVEY_LEAST_SAMPLES = 8, SURVEY_NEIGHBOURS = 16 };
static const size_t pair_budget = (size_t)512 << 20;    /* about half a second */
static const size_t most_for_ground = (size_t)16 << 20; /* about a second */

static bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static bool is_zero(const float *p)
{
    return p[0] == 0 && p[1] == 0 && p[2] == 0;
}

static void measure_bounds(cli_survey *survey, clump_points points)
{
    for (size_t i = 0; i < points.count; i++) {
        const float *p = cli_point(points, i);
        if (!is_finite(p)) continue;
        for (size_t axis = 0; axis < 3; axis++) {
            if (survey->finite == 0 || p[axis] < survey->lower[axis]) survey->lower[axis] = p[axis];
            if (survey->finite == 0 || p[axis] > survey->upper[axis]) survey->upper[axis] = p[axis];
        }
        survey->finite++;
        survey->zeros += is_zero(p);
    }
}

/* Finds the distances to the SURVEY_NEIGHBOURS nearest points elsewhere, nearest first; infinity where there are
 * fewer. Computes in double, since squares of float32 differences may overflow or underflow. Points that are not
 * finite are never nearer. */
static void find_neighbours(clump_points points, size_t query, double nearest[SURVEY_NEIGHBOURS], bool *duplicate)
{
    const float *q = cli_point(points, query);
    for (size_t k = 0; k < SURVEY_NEIGHBOURS; k++) nearest[k] = INFINITY;
    *duplicate = false;
    for (size_t i = 0; i < points.count; i++) {
        const float *p = cli_point(points, i);
        const double dx = (double)p[0] - (double)q[0], dy = (double)p[1] - (double)q[1],
                     dz = (double)p[2] - (double)q[2];
        const double d2 = dx * dx + dy * dy + dz * dz;
        if (!(d2 < nearest[SURVEY_NEIGHBOURS - 1])) continue;
        if (d2 == 0) {
            *duplicate |= i != query;
            continue;
        }
        size_t k = SURVEY_NEIGHBOURS - 1;
        for (; k > 0 && nearest[k - 1] > d2; k--) nearest[k] = nearest[k - 1];
        nearest[k] = d2;
    }
    for (size_t k = 0; k < SURVEY_NEIGHBOURS; k++) nearest[k] = sqrt(nearest[k]);
}

double cli_survey_rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.1e", value);
    return strtod(text, NULL);
}

/* A scan has ground if 15 to 95 % of its points are ground, and these span at least 10 m along x and along y. The
 * limits are judgement, not measured. */
enum { SURVEY_LEAST_GROUND = 15, SURVEY_MOST_GROUND = 95, SURVEY_LEAST_WIDTH = 10, SURVEY_LEAST_POINTS = 100 };

static bool is_scan_with_ground(const cli_survey *survey, clump_points points, const int32_t *labels)
{
    if (survey->finite < SURVEY_LEAST_POINTS || survey->ground * 100 < survey->finite * SURVEY_LEAST_GROUND ||
        survey->ground * 100 > survey->finite * SURVEY_MOST_GROUND)
        return false;
    float lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < points.count; i++) {
        if (labels[i] != CLUMP_GROUND) continue;
        for (size_t axis = 0; axis < 2; axis++) {
            lower[axis] = fminf(lower[axis], cli_point(points, i)[axis]);
            upper[axis] = fmaxf(upper[axis], cli_point(points, i)[axis]);
        }
    }
    return upper[0] - lower[0] >= SURVEY_LEAST_WIDTH && upper[1] - lower[1] >= SURVEY_LEAST_WIDTH;
}

/* Without memory for the search, the ground stays unknown. */
static void find_ground(cli_survey *survey, clump_points points)
{
    if (points.count > most_for_ground) return;
    clump_context_options cpu = clump_context_defaults();
    cpu.backend = CLUMP_BACKEND_CPU;
    clump_context *context = NULL;
    int32_t *const labels = cli_allocate(points.count, sizeof *labels);
    if (labels && clump_context_create(&cpu, &context) == CLUMP_OK &&
        clump_ground(context, points, NULL, labels, &survey->ground) == CLUMP_OK) {
        survey->ground_known = true;
        survey->ground_likely = is_scan_with_ground(survey, points, labels);
    }
    clump_context_destroy(context);
    free(labels);
}

cli_survey cli_survey_points(clump_points points, bool origin_is_zero)
{
    cli_survey survey = {.spacing = NAN, .suggestion = NAN};
    measure_bounds(&survey, points);
    if (origin_is_zero) find_ground(&survey, points);
    survey.turn = origin_is_zero && cli_is_turn(points);
    if (survey.finite < 2) return survey;

    /* Several points at 0, 0, 0 stand for "no echo" and are not sampled. */
    const bool skip_zeros = origin_is_zero && survey.zeros > 1;
    size_t samples = pair_budget / points.count;
    samples = samples > SURVEY_MOST_SAMPLES    ? SURVEY_MOST_SAMPLES
              : samples < SURVEY_LEAST_SAMPLES ? SURVEY_LEAST_SAMPLES
                                               : samples;
    if (samples > points.count) samples = points.count;
    static double first[SURVEY_MOST_SAMPLES],
        last[SURVEY_MOST_SAMPLES]; /* large for a stack; the program has one thread */
    const size_t neighbours = survey.finite < 8                       ? 1
                              : survey.finite < 8 * SURVEY_NEIGHBOURS ? survey.finite / 8
                                                                      : SURVEY_NEIGHBOURS;
    size_t found = 0;
    for (size_t sample = 0; sample < samples; sample++) {
        const size_t i = (size_t)((double)points.count / (double)samples * (double)sample);
        const float *q = cli_point(points, i);
        if (!is_finite(q) || (skip_zeros && is_zero(q))) continue;
        double nearest[SURVEY_NEIGHBOURS];
        bool duplicate;
        find_neighbours(points, i, nearest, &duplicate);
        survey.sampled++;
        survey.duplicates += duplicate;
        if (isinf(nearest[0])) continue;
        size_t k = neighbours - 1;
        while (isinf(nearest[k])) k--;
        first[found] = nearest[0];
        last[found++] = nearest[k];
    }
    if (found == 0) return survey;
    survey.spacing = cli_median(first, found);
    survey.suggestion = cli_survey_rounded(2 * cli_median(last, found));
    return survey;
}
