/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pictures of ER-CCL: the steps on one frame, its clusters and label maps, and the clusters that are wrong by the true
 * instances. The histogram of heights that the ground is found in. Points outside the map are left out: the rest would
 * be small.
 */
#include "papers/papers_erccl.h"
#include "papers/papers.h"

#include <clump/info.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is drawn: all points by height; cells with an obstacle; such cells by label; the points of clusters, without and
 * with boxes, and from above; wrong clusters in red. */
typedef enum draw_kind { DRAW_RAW, DRAW_FLAGS, DRAW_MAP, DRAW_POINTS, DRAW_BOXES, DRAW_ABOVE, DRAW_ERRORS } draw_kind;

typedef struct picture {
    const char *file, *series;
    double x;
    const char *scene;
    clump_erccl_method method;
    int reach;
    draw_kind kind;
} picture;

#define STEP(letter, number, kind)                                                                                     \
    {                                                                                                                  \
        "erccl-step-" letter ".png", "step", number, "crossroad", CLUMP_ERCCL_FAST, 5, kind                            \
    }
#define REACH(r)                                                                                                       \
    {                                                                                                                  \
        "erccl-reach-" #r ".png", "reach", r, "trees", CLUMP_ERCCL_FAST, r, DRAW_BOXES                                 \
    }
#define SCENE(name, number)                                                                                            \
    {"erccl-map-" name ".png", "map", number, name, CLUMP_ERCCL_FAST, 5, DRAW_MAP},                                    \
    {                                                                                                                  \
        "erccl-" name ".png", "scene", number, name, CLUMP_ERCCL_FAST, 5, DRAW_BOXES                                   \
    }
#define METHOD(name, number, method)                                                                                   \
    {"erccl-method-" name ".png", "method", number, "trees", method, 5, DRAW_ABOVE},                                   \
    {                                                                                                                  \
        "erccl-errors-" name ".png", "errors", number, "trees", method, 5, DRAW_ERRORS                                 \
    }
static const picture pictures[] = {
    STEP("a", 0, DRAW_RAW),
    STEP("b", 1, DRAW_FLAGS),
    STEP("c", 2, DRAW_MAP),
    STEP("d", 3, DRAW_POINTS), /* Fig. 6 */
    STEP("e", 4, DRAW_BOXES),
    REACH(2),
    REACH(4),
    REACH(5), /* Fig. 8 */
    SCENE("t-junction", 0),
    SCENE("road", 1),
    SCENE("square", 2),
    SCENE("trees", 3),
    SCENE("people", 4), /* Fig. 9 */
    SCENE("crossroad", 5),
    METHOD("erccl", 0, CLUMP_ERCCL_FAST),
    METHOD("ccl", 1, CLUMP_ERCCL_CCL), /* Fig. 10 */
    METHOD("hash", 2, CLUMP_ERCCL_HASH),
};
enum { PICTURES = sizeof pictures / sizeof *pictures, PICTURE_LEAST = 50 /* points that are judged */ };

/* --- clouds -------------------------------------------------------------------------------------- */

/* Makes the scan of the scene, the points of the map alone. */
static bool make_scan(const char *scene, erccl_scan *scan, clump_message *why)
{
    clump_lidar_scene kind;
    const float half = erccl_setting(CLUMP_ERCCL_FAST, 1).extent / 2;
    if (!clump_lidar_scene_from_name(scene, &kind) || !erccl_simulate(kind, 0, scan, why)) return false;
    size_t kept = 0;
    for (size_t i = 0; i < scan->cloud.count; i++) {
        const float *const p = scan->cloud.xyz + 3 * i;
        if (!(fabsf(p[0]) < half && fabsf(p[1]) < half)) continue;
        memmove(scan->cloud.xyz + 3 * kept, p, 12);
        scan->truth[kept++] = scan->truth[i];
    }
    scan->cloud.count = kept;
    return true;
}

static bool find_clusters(const picture *item, const erccl_scan *scan, int32_t *labels, int32_t *clusters,
                          clump_message *why)
{
    const clump_points points = {.xyz = scan->cloud.xyz, .count = scan->cloud.count};
    const clump_erccl_options options = erccl_setting(item->method, item->reach);
    clump_context_options how = clump_context_defaults();
    clump_context *context = NULL;
    how.backend = CLUMP_BACKEND_CPU;
    const bool made = clump_context_create(&how, &context) == CLUMP_OK;
    const bool done = made && clump_erccl(context, points, &options, labels, clusters) == CLUMP_OK;
    if (!done) snprintf(why->text, sizeof why->text, "%s", made ? clump_context_error(context) : "no context");
    clump_context_destroy(context);
    return done;
}

/* Makes a point per cell with an obstacle, in its middle, and its label. `cells` has room for one per point. */
static void make_map(const erccl_scan *scan, const int32_t *labels, bench_cloud *cells, int32_t *cell_labels)
{
    const float cell = erccl_setting(CLUMP_ERCCL_FAST, 1).cell;
    cells->count = 0;
    for (size_t i = 0; i < scan->cloud.count; i++) {
        if (labels[i] < 0) continue;
        const float *const p = scan->cloud.xyz + 3 * i;
        float *const to = cells->xyz + 3 * cells->count;
        to[0] = (floorf(p[0] / cell) + 0.5f) * cell, to[1] = (floorf(p[1] / cell) + 0.5f) * cell, to[2] = 0;
        cell_labels[cells->count++] = labels[i];
    }
}

/* --- wrong clusters ------------------------------------------------------------------------------ */

/* The points that a cluster shares with a true instance. */
typedef struct overlap {
    int32_t cluster;
    uint32_t instance;
    size_t points;
} overlap;

static int by_cluster(const void *a, const void *b)
{
    const overlap *const x = a, *const y = b;
    if (x->cluster != y->cluster) return x->cluster < y->cluster ? -1 : 1;
    return (x->instance > y->instance) - (x->instance < y->instance);
}

/* Sets *shares to what clusters and instances share, and returns the number of entries; 0 without memory. */
static size_t list_shares(const erccl_scan *scan, const int32_t *labels, overlap **shares)
{
    const size_t n = scan->cloud.count;
    overlap *const list = malloc((n + 1) * sizeof *list);
    size_t count = 0;
    *shares = list;
    for (size_t i = 0; i < n && list; i++)
        if (labels[i] >= 0 && scan->truth[i] >> 16) list[count++] = (overlap){labels[i], scan->truth[i], 1};
    if (list) qsort(list, count, sizeof *list, by_cluster);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept && by_cluster(&list[kept - 1], &list[i]) == 0)
            list[kept - 1].points++;
        else
            list[kept++] = list[i];
    return kept;
}

static size_t size_of_instance(const erccl_scan *scan, uint32_t instance)
{
    size_t points = 0;
    for (size_t i = 0; i < scan->cloud.count; i++) points += scan->truth[i] == instance;
    return points;
}

/* Sets wrong[c] by the rule of docs/accuracy.md, and returns how many are. sizes: of the clusters. */
static size_t find_wrong(const erccl_scan *scan, const overlap *shares, size_t count, const size_t *sizes,
                         int32_t clusters, uint8_t *wrong)
{
    size_t found = 0, i = 0;
    for (int32_t c = 0; c < clusters; c++) {
        size_t holds = 0;
        bool matches = false, piece = false;
        for (; i < count && shares[i].cluster == c; i++) {
            const size_t whole = size_of_instance(scan, shares[i].instance), both = shares[i].points;
            if (whole < PICTURE_LEAST) continue;
            holds += 2 * both >= whole;
            matches = matches || 2 * both >= whole + sizes[c] - both;
            piece = piece || 2 * both >= sizes[c];
        }
        wrong[c] = sizes[c] >= PICTURE_LEAST && (holds > 1 || (!matches && (holds > 0 || piece)));
        found += wrong[c];
    }
    return found;
}

/* Colours the points: red in wrong clusters, light on the ground, dark else. Returns how many clusters are wrong. */
static size_t paint_errors(const erccl_scan *scan, const int32_t *labels, int32_t clusters, uint8_t *rgb)
{
    static const uint8_t colours[3][3] = {{205, 205, 205}, {110, 110, 110}, {214, 39, 40}};
    const size_t n = scan->cloud.count;
    size_t *const sizes = calloc((size_t)clusters + 1, sizeof *sizes), found = 0;
    uint8_t *const wrong = calloc((size_t)clusters + 1, 1);
    overlap *shares = NULL;
    const size_t count = list_shares(scan, labels, &shares);
    if (sizes && wrong && shares) {
        for (size_t i = 0; i < n; i++)
            if (labels[i] >= 0) sizes[labels[i]]++;
        found = find_wrong(scan, shares, count, sizes, clusters, wrong);
        for (size_t i = 0; i < n; i++) memcpy(rgb + 3 * i, colours[labels[i] < 0 ? 0 : 1 + wrong[labels[i]]], 3);
    }
    free(sizes), free(wrong), free(shares);
    return found;
}

/* Returns whether the program counts as many wrong clusters. */
static bool check_wrong(const erccl_scan *scan, const int32_t *labels, size_t wrong, clump_message *why)
{
    char found[1200], truth[1200], json[16384];
    snprintf(found, sizeof found, "%s/found.labels", papers.folder);
    snprintf(truth, sizeof truth, "%s/truth.label", papers.folder);
    const char *const words[] = {"eval", found, truth, "--min-size", "50", "--json", NULL};
    const size_t bytes = 4 * scan->cloud.count;
    const bool run = picture_write("found.labels", labels, bytes, why) &&
                     picture_write("truth.label", scan->truth, bytes, why) &&
                     program_run(words, json, sizeof json, why);
    const double theirs = run ? program_number(json, "wrong") : 0;
    remove(found), remove(truth);
    if (run && theirs != (double)wrong)
        snprintf(why->text, sizeof why->text, "%zu clusters are wrong, but %g by clump eval", wrong, theirs);
    return run && theirs == (double)wrong;
}

/* --- drawing ------------------------------------------------------------------------------------- */

static const char *const looks[][10] = {
    [DRAW_RAW] = {"--view", "205,38", "--zoom", "0.9", "--colour", "height"},
    [DRAW_FLAGS] = {"--view", "top", "--zoom", "1.2", "--colour", "rgb", "--no-shading", "--no-legend"},
    [DRAW_MAP] = {"--view", "top", "--zoom", "1.2", "--no-boxes", "--no-shading"},
    [DRAW_POINTS] = {"--view", "205,38", "--zoom", "0.9", "--no-boxes"},
    [DRAW_BOXES] = {"--view", "205,38", "--zoom", "0.9"},
    [DRAW_ABOVE] = {"--view", "top", "--zoom", "1.4", "--no-boxes"},
    [DRAW_ERRORS] = {"--view", "top", "--zoom", "1.4", "--colour", "rgb", "--no-legend"},
};

/* Draws the picture of the scan. The buffers have room for one entry per point; rgb is 0. */
static bool draw(const picture *item, const erccl_scan *scan, bench_cloud *cells, int32_t *const labels[2],
                 uint8_t *rgb, csv *rows, clump_message *why)
{
    int32_t clusters = 0;
    long shown;
    const bool map = item->kind == DRAW_FLAGS || item->kind == DRAW_MAP;
    const bool coloured = item->kind == DRAW_FLAGS || item->kind == DRAW_ERRORS;
    if (!find_clusters(item, scan, labels[0], &clusters, why)) return false;
    make_map(scan, labels[0], cells, labels[1]);
    shown = item->kind == DRAW_ERRORS ? (long)paint_errors(scan, labels[0], clusters, rgb) : clusters;
    const int32_t *const with = coloured || item->kind == DRAW_RAW ? NULL : labels[map];
    if (!picture_draw(item->file, map ? cells : &scan->cloud, with, coloured ? rgb : NULL, looks[item->kind], why))
        return false;
    if (item->kind == DRAW_ERRORS && !check_wrong(scan, labels[0], (size_t)shown, why)) return false;
    picture_row(rows, "erccl-pictures", item->series, item->x, item->file, scan->cloud.count, shown);
    return true;
}

static bool draw_one(const picture *item, csv *rows, clump_message *why)
{
    erccl_scan scan;
    if (!make_scan(item->scene, &scan, why)) return false;
    const size_t n = scan.cloud.count;
    bench_cloud cells = {NULL, 0};
    int32_t *const labels[2] = {malloc(4 * n + 1), malloc(4 * n + 1)};
    uint8_t *const rgb = calloc(n + 1, 3);
    bool done = labels[0] && labels[1] && rgb && bench_cloud_allocate(n, &cells, why);
    if (!done) snprintf(why->text, sizeof why->text, "no memory for a picture");
    done = done && draw(item, &scan, &cells, labels, rgb, rows, why);
    free(labels[0]), free(labels[1]), free(rgb);
    bench_cloud_free(&cells);
    erccl_scan_free(&scan);
    return done;
}

bool erccl_compute_pictures(csv *rows, contest_totals *totals, clump_message *why)
{
    bool done = true;
    (void)totals;
    for (size_t i = 0; i < PICTURES && done; i++) done = draw_one(&pictures[i], rows, why);
    return done;
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
