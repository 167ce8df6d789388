/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl-drive: 300 frames of 96,000 directions, as the paper's section 4.1 has them: 50 consecutive frames in each of the
 * six scenes. `racing` on the GPU, or else on the CPU, beside `fast` on one thread of the CPU, whose labels must be equal.
 * A frame is labelled several times on a GPU, once on the CPU; the first frame also before, to warm up.
 */
#include "papers/papers_erccl.h"

#include <clump/info.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRIVE_FRAMES = 50, DRIVE_QUICK = 2, DRIVE_RUNS = 5 };

/* A method on a device, and the labels of the last frame. */
typedef struct driver {
    const char *series;
    clump_erccl_method method;
    bool gpu;
    clump_context *context;
    int32_t *labels;
} driver;

static void add_row(csv *rows, const driver *d, size_t frame, size_t points, samples *times, const char *agree)
{
    const clump_stats stats = clump_context_stats(d->context);
    const samples_summary time = samples_sum_up(times);
    const papers_row row = {.name = "erccl-drive",
                            .experiment = "erccl-drive",
                            .series = d->series,
                            .x = (double)frame,
                            .backend = d->gpu ? "cuda" : "cpu",
                            .threads = 1,
                            .points = points,
                            .runs = time.runs,
                            .median_ms = time.median_ms,
                            .min_ms = time.min_ms,
                            .passes = (long long)stats.passes,
                            .clusters = stats.clusters,
                            .value = (double)NAN,
                            .agree = agree,
                            .version = clump_version(),
                            .note = ""};
    papers_add(rows, &row);
}

/* Labels the frame `runs` times. */
static bool label_frame(driver *d, const erccl_scan *scan, size_t runs, samples *times, clump_message *why)
{
    const clump_points points = {.xyz = scan->cloud.xyz, .count = scan->cloud.count};
    const clump_erccl_options options = erccl_setting(d->method, 5);
    int32_t *const labels = realloc(d->labels, points.count * sizeof *labels + 1);
    if (!labels) return snprintf(why->text, sizeof why->text, "no memory for %zu labels", points.count), false;
    d->labels = labels;
    for (size_t i = 0; i < runs; i++) {
        const double start = machine_seconds();
        if (clump_erccl(d->context, points, &options, labels, NULL) != CLUMP_OK)
            return snprintf(why->text, sizeof why->text, "%s", clump_context_error(d->context)), false;
        if (!samples_add(times, machine_seconds() - start))
            return snprintf(why->text, sizeof why->text, "no memory for the samples"), false;
    }
    return true;
}

/* Labels a frame by both, compares, and adds their rows. */
static bool drive_frame(driver both[2], size_t frame, const erccl_scan *scan, csv *rows, contest_totals *totals,
                        clump_message *why)
{
    samples times[2] = {0};
    bool done = true;
    for (int k = 0; k < 2 && done; k++) {
        done = frame > 0 || label_frame(&both[k], scan, 1, &times[k], why);
        times[k].count = 0;
        done = done && label_frame(&both[k], scan, both[k].gpu ? DRIVE_RUNS : 1, &times[k], why);
    }
    if (done) {
        const bool equal = memcmp(both[0].labels, both[1].labels, 4 * scan->cloud.count) == 0;
        totals->wrong += !equal;
        for (int k = 0; k < 2; k++)
            add_row(rows, &both[k], frame, scan->cloud.count, &times[k], k == 0 || equal ? "yes" : "no");
    }
    samples_free(&times[0]), samples_free(&times[1]);
    return done;
}

static bool open_driver(driver *d, clump_message *why)
{
    clump_context_options options = clump_context_defaults();
    options.backend = d->gpu ? CLUMP_BACKEND_CUDA : CLUMP_BACKEND_CPU;
    options.threads = 1;
    options.message = why;
    return clump_context_create(&options, &d->context) == CLUMP_OK;
}

bool erccl_compute_drive(csv *rows, contest_totals *totals, clump_message *why)
{
    driver both[2] = {{.series = "fast", .method = CLUMP_ERCCL_FAST},
                      {.series = "racing", .method = CLUMP_ERCCL_RACING, .gpu = !papers.no_gpu}};
    const size_t each = papers.quick ? DRIVE_QUICK : DRIVE_FRAMES, all = each * ERCCL_SCENES;
    bool done = open_driver(&both[0], why) && open_driver(&both[1], why);
    for (size_t i = 0; i < all && done; i++) {
        erccl_scan scan;
        done = erccl_simulate(erccl_scenes[i / each], i % each, &scan, why);
        if (!done) break;
        done = drive_frame(both, i, &scan, rows, totals, why);
        erccl_scan_free(&scan);
    }
    if (done) printf("  %zu frames in six scenes\n", all);
    for (int k = 0; k < 2; k++) {
        clump_context_destroy(both[k].context);
        free(both[k].labels);
    }
    return done;
}
