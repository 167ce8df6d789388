/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How good the clusters of ER-CCL and of the methods beside it are, on labelled scenes: accuracy as in docs/accuracy.md,
 * measured by `clump eval`. All points outside the map count nowhere. Three experiments judge variants of one call:
 *
 *     erccl-accuracy      three methods, two ways to find the ground         Table 2
 *     erccl-quality       reach 1 ... 8                                      Fig. 8, section 4.3
 *     erccl-all-heights   heights of all points of a cell, or of those that are not ground
 */
#include "papers/papers_erccl.h"
#include "papers/papers.h"

#include <clump/papers.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JUDGE_VARIANTS = 8, JUDGE_APART = 10, JUDGE_FRAMES = 3 };

/* What the variants are judged on. Simulated trees, poles and bushes have true instances, those of SemanticKITTI have
 * none: without them (TRAFFIC) both are judged alike. */
typedef enum judge_set { JUDGE_SIMULATED, JUDGE_TRAFFIC, JUDGE_KITTI, JUDGE_SETS } judge_set;
static const char *const judge_names[JUDGE_SETS] = {"simulated", "simulated traffic", "kitti"};

/* One way to cluster the frames, and what came out, summed over the frames. */
typedef struct judged {
    char series[40]; /* "peak " */
    double x;
    clump_erccl_options options;
    double clusters, wrong, instances, matched; /* judged: of 50 points or more */
    size_t found, points, frames;               /* clusters in all */
} judged;

/* --- one frame ----------------------------------------------------------------------------------- */

static bool write_words(const char *path, const void *words, size_t count, clump_message *why)
{
    FILE *const to = fopen(path, "wb");
    bool written = to && fwrite(words, 4, count, to) == count;
    if (to) written = fclose(to) == 0 && written;
    if (!written) snprintf(why->text, sizeof why->text, "%.400s cannot be written", path);
    return written;
}

/* Returns whether SemanticKITTI has instances of the class: of vehicles and people. */
static bool is_traffic(uint32_t class)
{
    return class >= 10 && class <= 32;
}

/* Marks what is outside the map as not known; and leaves vehicles and people as the only instances where that is asked
 * for. */
static void limit_truth(erccl_scan *scan, judge_set set)
{
    const float half = erccl_setting(CLUMP_ERCCL_FAST, 1).extent / 2;
    for (size_t i = 0; i < scan->cloud.count; i++) {
        const float *const p = scan->cloud.xyz + 3 * i;
        if (!(fabsf(p[0]) < half && fabsf(p[1]) < half)) scan->truth[i] = 0;
        if (set == JUDGE_TRAFFIC && !is_traffic(scan->truth[i] & 0xffff)) scan->truth[i] &= 0xffff;
    }
}

static void file_of(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", papers.folder, name);
}

/* Clusters the frame and adds what `clump eval` says of it. The truth is in the file truth.label. */
static bool judge_variant(clump_context *context, const erccl_scan *scan, int32_t *labels, judged *variant,
                          clump_message *why)
{
    const clump_points points = {.xyz = scan->cloud.xyz, .count = scan->cloud.count};
    char found[1024], truth[1024], json[16384];
    int32_t clusters = 0;
    file_of("found.labels", found, sizeof found), file_of("truth.label", truth, sizeof truth);
    if (clump_erccl(context, points, &variant->options, labels, &clusters) != CLUMP_OK)
        return snprintf(why->text, sizeof why->text, "%s", clump_context_error(context)), false;
    const char *const words[] = {"eval", found, truth, "--min-size", "50", "--json", NULL};
    if (!write_words(found, labels, points.count, why) || !program_run(words, json, sizeof json, why)) return false;
    variant->clusters += program_number(json, "clusters"), variant->wrong += program_number(json, "wrong");
    variant->instances += program_number(json, "instances"), variant->matched += program_number(json, "matched");
    variant->found += (size_t)clusters, variant->points += points.count, variant->frames++;
    return true;
}

static bool judge_scan(clump_context *context, const erccl_scan *scan, judged *variants, size_t count,
                       clump_message *why)
{
    char truth[1024];
    file_of("truth.label", truth, sizeof truth);
    int32_t *const labels = malloc(scan->cloud.count * sizeof *labels + 1);
    bool done = labels != NULL;
    if (!done) snprintf(why->text, sizeof why->text, "no memory for %zu labels", scan->cloud.count);
    done = done && write_words(truth, scan->truth, scan->cloud.count, why);
    for (size_t k = 0; k < count && done; k++) done = judge_variant(context, scan, labels, &variants[k], why);
    free(labels);
    return done;
}

/* --- all frames ---------------------------------------------------------------------------------- */

/* Makes or reads a frame; *more is false behind the last. Frames of one scene are 10 turns apart: 11 m. */
static bool next_scan(judge_set set, size_t number, erccl_scan *scan, bool *more, clump_message *why)
{
    const size_t per_scene = papers.quick ? 1 : JUDGE_FRAMES;
    const bool kitti = set == JUDGE_KITTI;
    *more = kitti ? erccl_kitti_names[number] != NULL && (!papers.quick || number < ERCCL_KITTI_QUICK)
                  : number < per_scene * ERCCL_SCENES;
    if (!*more) return true;
    return kitti ? erccl_read_kitti(erccl_kitti_names[number], scan, why)
                 : erccl_simulate(erccl_scenes[number / per_scene], JUDGE_APART * (number % per_scene), scan, why);
}

static bool judge_all(judge_set set, judged *variants, size_t count, clump_message *why)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    clump_context *context = NULL;
    char path[1024];
    bool done = program_make_folder(why), more = true;
    if (done && clump_context_create(&options, &context) != CLUMP_OK)
        done = (snprintf(why->text, sizeof why->text, "no context on the CPU"), false);
    for (size_t i = 0; done && more; i++) {
        erccl_scan scan = {.truth = NULL};
        done = next_scan(set, i, &scan, &more, why);
        if (done && more) limit_truth(&scan, set), done = judge_scan(context, &scan, variants, count, why);
        erccl_scan_free(&scan);
    }
    clump_context_destroy(context);
    file_of("found.labels", path, sizeof path), remove(path);
    file_of("truth.label", path, sizeof path), remove(path);
    return done;
}

/* --- rows ---------------------------------------------------------------------------------------- */

static void add_row(csv *rows, const char *experiment, const judged *v, const char *what, judge_set set, double value)
{
    char name[96], series[96], note[160];
    snprintf(name, sizeof name, "%s-%s", experiment, judge_names[set]);
    snprintf(series, sizeof series, "%s%s%s", v->series, what, judge_names[set]);
    snprintf(note, sizeof note, "%.0f of %.0f clusters wrong; %.0f of %.0f instances matched; frames: %zu", v->wrong,
             v->clusters, v->matched, v->instances, v->frames);
    const papers_row row = {.name = name,
                            .experiment = experiment,
                            .series = series,
                            .x = v->x,
                            .backend = "cpu",
                            .points = v->frames ? v->points / v->frames : 0,
                            .runs = v->frames,
                            .clusters = v->frames ? (long)(v->found / v->frames) : 0,
                            .value = value,
                            .agree = "",
                            .version = clump_version(),
                            .note = note};
    papers_add(rows, &row);
    if (!*what) printf("  %-32s x = %-4g %6.2f %%  %s\n", series, v->x, value, note);
}

static double accuracy_of(const judged *v)
{
    return v->clusters > 0 ? 100 * (1 - v->wrong / v->clusters) : (double)NAN;
}

static double matched_of(const judged *v)
{
    return v->instances > 0 ? 100 * v->matched / v->instances : (double)NAN;
}

/* Judges the variants on simulated scenes, then on real frames. The first must work; without the second a sentence is
 * printed. */
static bool judge_sets(const char *experiment, const judged *variants, size_t count, csv *rows, clump_message *why)
{
    judged results[JUDGE_VARIANTS];
    for (judge_set set = 0; set < JUDGE_SETS; set++) {
        memcpy(results, variants, count * sizeof *results);
        if (!judge_all(set, results, count, why)) {
            if (set != JUDGE_KITTI) return false;
            fprintf(stderr, "clump_bench papers: %s: without KITTI: %s\n", experiment, why->text);
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            add_row(rows, experiment, &results[k], "", set, accuracy_of(&results[k]));
            add_row(rows, experiment, &results[k], "matched ", set, matched_of(&results[k]));
        }
    }
    return true;
}

bool erccl_compute_accuracy(csv *rows, contest_totals *totals, clump_message *why)
{
    static const clump_erccl_method methods[] = {CLUMP_ERCCL_FAST, CLUMP_ERCCL_CCL, CLUMP_ERCCL_HASH};
    judged variants[6] = {0};
    (void)totals;
    for (size_t k = 0; k < 6; k++) {
        judged *const v = &variants[k];
        const bool grid = k >= 3;
        snprintf(v->series, sizeof v->series, "%s", grid ? "grid " : "peak ");
        v->x = (double)(k % 3);
        v->options = erccl_setting(methods[k % 3], 5);
        if (grid) v->options.ground.method = CLUMP_GROUND_GRID;
    }
    return judge_sets("erccl-accuracy", variants, 6, rows, why);
}

bool erccl_compute_quality(csv *rows, contest_totals *totals, clump_message *why)
{
    judged variants[8] = {0};
    (void)totals;
    for (int reach = 1; reach <= 8; reach++) {
        judged *const v = &variants[reach - 1];
        v->x = reach;
        v->options = erccl_setting(CLUMP_ERCCL_FAST, reach);
    }
    return judge_sets("erccl-quality", variants, 8, rows, why);
}

bool erccl_compute_all_heights(csv *rows, contest_totals *totals, clump_message *why)
{
    judged variants[4] = {0};
    clump_papers heights[4];
    (void)totals;
    for (size_t k = 0; k < 4; k++) {
        judged *const v = &variants[k];
        v->options = erccl_setting(CLUMP_ERCCL_FAST, 5);
        heights[k] = clump_papers_defaults();
        heights[k].all_heights = k % 2;
        v->options.common.papers = &heights[k];
        if (k >= 2) v->options.ground.method = CLUMP_GROUND_GRID;
        snprintf(v->series, sizeof v->series, "%s", k % 2 ? "all heights " : "default ");
        v->x = (double)(k / 2);
    }
    return judge_sets("erccl-all-heights", variants, 4, rows, why);
}
