/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pictures of ER-CCL's clusters, drawn by the program, and the histogram of heights that the ground is found in.
 */
#include "papers/papers_erccl.h"
#include "papers/papers.h"

#include <clump/info.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A picture: a scene with its parameters. Numbers are words of the program. */
static const struct picture {
    const char *file, *series;
    double x;
    const char *scene, *method, *reach;
} pictures[] = {
    /* Fig. 8 */
    {"erccl-reach-2.png", "reach", 2, "trees", "fast", "2"},
    {"erccl-reach-4.png", "reach", 4, "trees", "fast", "4"},
    {"erccl-reach-5.png", "reach", 5, "trees", "fast", "5"},
    /* Fig. 9 */
    {"erccl-t-junction.png", "scene", 0, "t-junction", "fast", "5"},
    {"erccl-road.png", "scene", 1, "road", "fast", "5"},
    {"erccl-square.png", "scene", 2, "square", "fast", "5"},
    {"erccl-trees.png", "scene", 3, "trees", "fast", "5"},
    {"erccl-people.png", "scene", 4, "people", "fast", "5"},
    {"erccl-crossroad.png", "scene", 5, "crossroad", "fast", "5"},
    /* Fig. 10 */
    {"erccl-method-erccl.png", "method", 0, "trees", "fast", "5"},
    {"erccl-method-ccl.png", "method", 1, "trees", "ccl", "5"},
    {"erccl-method-hash.png", "method", 2, "trees", "hash", "5"},
};
enum { PICTURES = sizeof pictures / sizeof *pictures };

/* Writes the points in the map as a file of KITTI's form: the rest would make the picture small. */
static bool write_cloud(const char *scene, const char *path, size_t *points, clump_message *why)
{
    clump_lidar_scene kind;
    erccl_scan scan;
    const float half = erccl_setting(CLUMP_ERCCL_FAST, 1).extent / 2;
    if (!clump_lidar_scene_from_name(scene, &kind) || !erccl_simulate(kind, 0, &scan, why)) return false;
    FILE *const to = fopen(path, "wb");
    bool written = to != NULL;
    *points = 0;
    for (size_t i = 0; written && i < scan.cloud.count; i++) {
        const float *const p = scan.cloud.xyz + 3 * i, values[4] = {p[0], p[1], p[2], 0};
        if (!(fabsf(p[0]) < half && fabsf(p[1]) < half)) continue;
        written = fwrite(values, sizeof values, 1, to) == 1;
        ++*points;
    }
    if (to) written = fclose(to) == 0 && written;
    erccl_scan_free(&scan);
    if (!written) snprintf(why->text, sizeof why->text, "%.400s cannot be written", path);
    return written;
}

/* Draws the picture, and finds the number of clusters in it. */
static bool draw(const struct picture *item, const char *cloud, long *clusters, clump_message *why)
{
    char to[1024], labels[1024], json[8192];
    snprintf(to, sizeof to, "%s/%s", papers.folder, item->file);
    snprintf(labels, sizeof labels, "%s/found.labels", papers.folder);
    const bool above = strcmp(item->series, "method") == 0;
    const char *const job[] = {"erccl",     cloud,      "--ground", "peak",   "--method", item->method, "--reach",
                               item->reach, "--device", "cpu",      "--json", "-o",       labels,       NULL};
    const char *const view[] = {"view",
                                cloud,
                                "--png",
                                to,
                                "--labels",
                                labels,
                                "-q",
                                "--size",
                                "480x360",
                                "--theme",
                                "light",
                                "--point-size",
                                "3",
                                "--zoom",
                                above ? "1.4" : "0.9",
                                "--view",
                                above ? "top" : "205,38",
                                above ? "--no-boxes" : NULL,
                                NULL};
    if (!program_run(job, json, sizeof json, why) || !program_run(view, NULL, 0, why)) return false;
    *clusters = (long)program_number(json, "clusters");
    remove(labels);
    return true;
}

bool erccl_compute_pictures(csv *rows, contest_totals *totals, clump_message *why)
{
    char cloud[1024];
    const char *scene = "";
    size_t points = 0;
    (void)totals;
    if (!program_make_folder(why)) return false;
    snprintf(cloud, sizeof cloud, "%s/scene.bin", papers.folder);
    for (size_t i = 0; i < PICTURES; i++) {
        const struct picture *const item = &pictures[i];
        long clusters = 0;
        if (strcmp(scene, item->scene) != 0 && !write_cloud(item->scene, cloud, &points, why)) return false;
        scene = item->scene;
        if (!draw(item, cloud, &clusters, why)) return false;
        const papers_row row = {.name = "erccl-pictures",
                                .experiment = "erccl-pictures",
                                .series = item->series,
                                .x = item->x,
                                .backend = "cpu",
                                .points = points,
                                .runs = 1,
                                .clusters = clusters,
                                .value = (double)NAN,
                                .agree = "",
                                .version = clump_version(),
                                .note = item->file};
        papers_add(rows, &row);
        printf("  %-24s %s; %s; reach %s: %ld clusters\n", item->file, item->scene, item->method, item->reach,
               clusters);
    }
    remove(cloud);
    return true;
}

/* --- heights ------------------------------------------------------------------------------------- */

enum { HEIGHT_BINS = 80 };
#define HEIGHT_LOWEST (-3.0)
#define HEIGHT_BIN    0.1

static void add_height(csv *rows, const char *name, const char *series, double height, double share, size_t points)
{
    const papers_row row = {.name = name,
                            .experiment = "erccl-histogram",
                            .series = series,
                            .x = height,
                            .backend = "cpu",
                            .points = points,
                            .value = share,
                            .agree = "",
                            .version = clump_version(),
                            .note = ""};
    papers_add(rows, &row);
}

/* Returns the level of the ground that `peak` finds; NaN: none. */
static double find_level(const erccl_scan *scan)
{
    clump_context *context;
    const clump_points points = {.xyz = scan->cloud.xyz, .count = scan->cloud.count};
    clump_ground_options options = clump_ground_defaults();
    options.method = CLUMP_GROUND_PEAK;
    double level = (double)NAN;
    int32_t *const labels = malloc(points.count * sizeof *labels + 1);
    if (labels && clump_context_create(NULL, &context) == CLUMP_OK) {
        if (clump_ground(context, points, &options, labels, NULL) == CLUMP_OK)
            level = (double)clump_context_stats(context).ground_level;
        clump_context_destroy(context);
    }
    free(labels);
    return level;
}

static void add_histogram(csv *rows, const erccl_scan *scan, const char *what)
{
    size_t counts[HEIGHT_BINS] = {0}, most = 0;
    const size_t n = scan->cloud.count;
    char name[64], series[64];
    snprintf(name, sizeof name, "erccl-histogram-%s", what);
    for (size_t i = 0; i < n; i++) {
        const double bin = floor(((double)scan->cloud.xyz[3 * i + 2] - HEIGHT_LOWEST) / HEIGHT_BIN);
        if (bin >= 0 && bin < HEIGHT_BINS) counts[(size_t)bin]++;
    }
    for (size_t i = 0; i < HEIGHT_BINS; i++) {
        most = counts[i] > most ? counts[i] : most;
        add_height(rows, name, what, HEIGHT_LOWEST + HEIGHT_BIN * ((double)i + 0.5),
                   100.0 * (double)counts[i] / (double)n, n);
    }
    const double level = find_level(scan);
    snprintf(series, sizeof series, "ground of %s", what);
    if (!isnan(level)) add_height(rows, name, series, level, 100.0 * (double)most / (double)n, n);
    printf("  %s: the ground is at %.2f m; the highest bin has %.1f %% of the points\n", what, level,
           100.0 * (double)most / (double)n);
}

bool erccl_compute_histogram(csv *rows, contest_totals *totals, clump_message *why)
{
    erccl_scan scan;
    (void)totals;
    if (!erccl_simulate(CLUMP_SCENE_STREET, 0, &scan, why)) return false;
    add_histogram(rows, &scan, "simulated");
    erccl_scan_free(&scan);
    if (!erccl_read_kitti(erccl_kitti_names[0], &scan, why)) {
        fprintf(stderr, "clump_bench papers: erccl-histogram: without KITTI: %s\n", why->text);
        return true;
    }
    add_histogram(rows, &scan, "kitti");
    erccl_scan_free(&scan);
    return true;
}
