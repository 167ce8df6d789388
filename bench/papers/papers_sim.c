/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Simulated scans beside real ones: histograms of range, elevation and density, and how far apart they are; how fast
 * scans are made. Not a paper: the scans that take the place of the papers' own must be worth it.
 */
#include "harness/scan_shape.h"
#include "papers/papers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIM_SEEDS = 3, SIM_FRAMES = 9 };

static void add_row(csv *rows, const char *name, const char *experiment, const char *series, double x, size_t points,
                    double value, const char *note)
{
    const papers_row row = {.name = name,
                            .experiment = experiment,
                            .series = series,
                            .x = x,
                            .backend = "cpu",
                            .points = points,
                            .value = value,
                            .agree = "",
                            .version = clump_version(),
                            .note = note};
    papers_add(rows, &row);
}

/* --- distances ----------------------------------------------------------------------------------- */

/* Adds the mean distances over some seeds. Returns false where the scan is not there. */
static bool add_distances(csv *rows, const likeness *item, double x)
{
    scan_shape real, made;
    double mean[SCAN_MEASURES] = {0}, points = 0;
    char note[160];
    if (!likeness_measure_real(item, settings.data, &real)) return false;
    for (uint64_t seed = 1; seed <= SIM_SEEDS; seed++) {
        if (!likeness_measure_simulated(item, seed, &made)) return false;
        points += (double)made.points / SIM_SEEDS;
        for (int m = 0; m < SCAN_MEASURES; m++) mean[m] += scan_distance(&real, &made, (scan_measure)m) / SIM_SEEDS;
    }
    snprintf(note, sizeof note, "%s and %s %s; points: %zu and %.0f", item->name, clump_lidar_model_name(item->model),
             clump_lidar_scene_name(item->scene), real.points, points);
    printf("  %s:", note);
    for (int m = 0; m < SCAN_MEASURES; m++) {
        const char *const series = scan_measure_name((scan_measure)m);
        add_row(rows, "sim-shape", "sim-shape", series, x, real.points, mean[m], note);
        printf(" %s %.2f", series, mean[m]);
    }
    puts("");
    return true;
}

static bool compute_shape(csv *rows, contest_totals *totals, clump_message *why)
{
    size_t compared = 0;
    (void)totals;
    for (size_t i = 0; i < LIKENESS_COUNT; i++) compared += add_distances(rows, &likenesses[i], (double)i);
    if (compared == 0) snprintf(why->text, sizeof why->text, "no real scans in %.400s", settings.data);
    return compared > 0;
}

/* --- histograms ---------------------------------------------------------------------------------- */

/* How the bins of scan_shape.h are drawn: some together, the middle of the bar at start + width * (bar + 0.5). */
static const struct bars {
    const char *experiment;
    int together;
    double start, width;
} bars[SCAN_MEASURES] = {
    {"sim-range", 4, 0, 4}, {"sim-elevation", 2, -32, 1}, {"sim-density", 4, -0.5, 1} /* octaves: 2^0, 2^1 ... */
};

/* Adds the bars from the first that is not empty to the last. */
static void add_histogram(csv *rows, const char *series, const scan_shape *shape, scan_measure measure)
{
    const struct bars *const b = &bars[measure];
    double shares[SCAN_BINS] = {0};
    int first = SCAN_BINS, last = -1;
    for (int i = 0; i < SCAN_BINS; i++) {
        const int bar = i / b->together;
        shares[bar] += 100 * shape->share[measure][i];
        if (!(shape->share[measure][i] > 0)) continue;
        first = bar < first ? bar : first, last = bar;
    }
    for (int bar = first; bar <= last; bar++) {
        const double middle = b->start + b->width * (bar + 0.5);
        add_row(rows, b->experiment, b->experiment, series, measure == SCAN_DENSITY ? exp2(middle) : middle,
                shape->points, shares[bar], "");
    }
}

static bool add_pair(csv *rows, const likeness *item, scan_measure measure)
{
    scan_shape real, made;
    char series[64];
    if (!likeness_measure_real(item, settings.data, &real) || !likeness_measure_simulated(item, 1, &made)) return false;
    snprintf(series, sizeof series, "%s simulated", item->name);
    add_histogram(rows, item->name, &real, measure);
    add_histogram(rows, series, &made, measure);
    printf("  %s: %s\n", scan_measure_name(measure), item->name);
    return true;
}

/* One scan per sensor. */
static bool add_pairs(csv *rows, scan_measure measure, clump_message *why)
{
    static const size_t chosen[] = {0, 4, 6};
    size_t added = 0;
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        added += add_pair(rows, &likenesses[chosen[i]], measure);
    if (measure == SCAN_ELEVATION) added += add_pair(rows, &likeness_of_room, measure);
    if (added == 0) snprintf(why->text, sizeof why->text, "no real scans in %.400s", settings.data);
    return added > 0;
}

static bool compute_range(csv *rows, contest_totals *totals, clump_message *why)
{
    (void)totals;
    return add_pairs(rows, SCAN_RANGE, why);
}

static bool compute_elevation(csv *rows, contest_totals *totals, clump_message *why)
{
    (void)totals;
    return add_pairs(rows, SCAN_ELEVATION, why);
}

static bool compute_density(csv *rows, contest_totals *totals, clump_message *why)
{
    (void)totals;
    return add_pairs(rows, SCAN_DENSITY, why);
}

/* --- speed --------------------------------------------------------------------------------------- */

#define SIM_SPEED_TARGET 1.0 /* million points per second */

/* Scans several frames of a street by one thread. Returns false where memory is missing. */
static bool measure_speed(clump_lidar_model model, samples_summary *time, size_t *points)
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = model;
    const size_t rays = clump_lidar_rays(&lidar);
    float *const xyz = malloc((rays ? rays : 1) * 3 * sizeof *xyz);
    clump_lidar_world *world = NULL;
    samples taken = {0};
    bool made = xyz && clump_sim_lidar_create(&lidar, &world, NULL) == CLUMP_OK;
    *points = 0;
    for (size_t i = 0; i < SIM_FRAMES && made; i++) {
        size_t count = 0;
        const double start = machine_seconds();
        made = clump_sim_lidar_scan(world, i, &(clump_lidar_scan){.xyz = xyz}, &count, NULL, NULL) == CLUMP_OK &&
               samples_add(&taken, machine_seconds() - start);
        *points += count / SIM_FRAMES;
    }
    *time = samples_sum_up(&taken);
    samples_free(&taken);
    clump_sim_lidar_destroy(world);
    free(xyz);
    return made;
}

static bool compute_speed(csv *rows, contest_totals *totals, clump_message *why)
{
    for (int model = CLUMP_LIDAR_VLP16; model <= CLUMP_LIDAR_128; model++) {
        const char *const name = clump_lidar_model_name((clump_lidar_model)model);
        samples_summary time;
        size_t points;
        if (!measure_speed((clump_lidar_model)model, &time, &points))
            return snprintf(why->text, sizeof why->text, "no memory for a scan of %s", name), false;
        const double speed = (double)points / (1e3 * time.median_ms);
        const papers_row row = {.name = "sim-speed",
                                .experiment = "sim-speed",
                                .series = name,
                                .x = model,
                                .backend = "cpu",
                                .threads = 1,
                                .points = points,
                                .runs = time.runs,
                                .median_ms = time.median_ms,
                                .min_ms = time.min_ms,
                                .value = speed,
                                .agree = "",
                                .version = clump_version(),
                                .note = ""};
        papers_add(rows, &row);
        contest_figure(totals, speed >= SIM_SPEED_TARGET, "%s: %.2f million points per second, one thread [%g]", name,
                       speed, SIM_SPEED_TARGET);
    }
    return true;
}

/* --- the description ----------------------------------------------------------------------------- */

static const papers_experiment experiments[] = {
    {.name = "sim-speed",
     .figures = "ours",
     .title = "Points per second of simulated sensors",
     .compute = compute_speed},
    {.name = "sim-shape",
     .figures = "ours",
     .title = "Distances of simulated and real scans",
     .compute = compute_shape},
    {.name = "sim-range", .figures = "ours", .title = "Histograms of the range", .compute = compute_range},
    {.name = "sim-elevation", .figures = "ours", .title = "Histograms of the elevation", .compute = compute_elevation},
    {.name = "sim-density", .figures = "ours", .title = "Histograms of the density", .compute = compute_density},
};

const papers_paper papers_sim = {"sim", experiments, sizeof experiments / sizeof *experiments};
