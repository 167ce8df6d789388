/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each_report.c: what --each prints: sums over all files, then a line or an object per file.
 */
#include "classes.h"
#include "device.h"
#include "each.h"
#include "frame.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Returns the sums over the files that did not fail. */
static cli_each_file sum_of(const cli_each *each, size_t *failed, int64_t *clusters)
{
    cli_each_file sum = {0};
    *failed = 0;
    *clusters = 0;
    for (size_t k = 0; k < each->count; k++) {
        const cli_each_file *const f = &each->files[k];
        *failed += f->failed;
        if (f->failed) continue;
        sum.points += f->points, sum.finite += f->finite, sum.masked += f->masked;
        sum.core += f->core, sum.noise += f->noise;
        *clusters += f->clusters;
        if (f->largest > sum.largest) sum.largest = f->largest;
    }
    return sum;
}

void cli_each_print(FILE *to, const cli_each *each)
{
    size_t failed, shown = 0;
    int64_t clusters;
    const cli_each_file sum = sum_of(each, &failed, &clusters);
    fprintf(to, "%zu file%s: %" PRId64 " cluster%s at %s\n", each->count - failed, each->count - failed == 1 ? "" : "s",
            clusters, clusters == 1 ? "" : "s", each->plan->summary);
    fprintf(to, "points   %zu", sum.points);
    if (sum.finite != sum.points) fprintf(to, ", %zu of them not finite", sum.points - sum.finite);
    if (sum.masked) fprintf(to, ", %zu left out", sum.masked);
    if (each->plan->job.has_core) fprintf(to, "\ncore     %zu", sum.core);
    fprintf(to, "\nnoise    %zu\nlargest  %zu point%s\n", sum.noise, sum.largest, sum.largest == 1 ? "" : "s");
    if (failed) fprintf(to, "failed   %zu file%s\n", failed, failed == 1 ? "" : "s");
    for (size_t k = 0; k < each->count && shown < each->s->top; k++) {
        const cli_each_file *const f = &each->files[k];
        if (f->failed) continue;
        if (shown++ == 0) fputs("\n", to);
        fprintf(to, "%s: %" PRId32 " cluster%s, %zu points, %zu noise\n", f->input, f->clusters,
                f->clusters == 1 ? "" : "s", f->points, f->noise);
    }
    if (shown > 0 && shown < each->count - failed)
        fprintf(to, "and %zu more; --top N lists more of them, --json all\n", each->count - failed - shown);
    if (each->s->output)
        fprintf(to, "wrote %zu file%s to %s\n", each->count - failed, each->count - failed == 1 ? "" : "s",
                each->s->output);
}

static void put_counts(cli_json *j, const cli_each *each, const cli_each_file *f, int64_t clusters)
{
    cli_json_count(j, "points", f->points);
    cli_json_count(j, "finite", f->finite);
    cli_json_int(j, "clusters", clusters);
    if (each->plan->job.has_core) cli_json_count(j, "core", f->core);
    cli_json_count(j, "noise", f->noise);
    cli_json_count(j, "largest", f->largest);
    cli_json_count(j, "masked", f->masked);
}

/* Puts null for what is not known of a file that could not be read or written. */
static void put_nothing(cli_json *j, const cli_each *each)
{
    static const char *const keys[] = {"points",  "finite", "clusters", "core", "noise",
                                       "largest", "masked", "frame",    "step", "labels_hash"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (each->plan->job.has_core || strcmp(keys[k], "core") != 0) cli_json_null(j, keys[k]);
}

static void put_file(cli_json *j, const cli_each *each, const cli_each_file *f)
{
    char hash[17];
    cli_json_open(j, NULL, '{');
    cli_json_text(j, "input", f->input);
    cli_json_text(j, "output", f->failed ? NULL : f->output);
    cli_json_bool(j, "failed", f->failed);
    if (f->failed) {
        put_nothing(j, each);
    } else {
        snprintf(hash, sizeof hash, "%016" PRIx64, f->labels_hash);
        put_counts(j, each, f, f->clusters);
        cli_json_text(j, "frame", f->step > 0 ? "steps" : "whole");
        cli_json_number(j, "step", f->step > 0 ? f->step : (double)NAN);
        cli_json_text(j, "labels_hash", hash);
    }
    cli_json_close(j, '}');
}

void cli_each_print_json(FILE *to, const cli_each *each)
{
    size_t failed;
    int64_t clusters;
    char device[CLI_DEVICE_SIZE];
    const cli_each_file sum = sum_of(each, &failed, &clusters);
    const clump_stats *const s = &each->stats;
    cli_device_text(device, s->backend, each->device);
    cli_json j = cli_json_begin(to, each->command);
    cli_json_open(&j, "parameters", '{');
    each->plan->job.put_parameters(&j, each->plan->settings);
    cli_put_region(&j, &each->s->region);
    cli_put_classes(&j, each->s->drop_class);
    cli_frame_put(&j, each->s);
    cli_json_close(&j, '}');
    cli_json_count(&j, "inputs", each->count);
    cli_json_count(&j, "failed", failed);
    put_counts(&j, each, &sum, clusters);
    cli_json_text(&j, "method", s->method ? s->method : "");
    cli_json_text(&j, "device", each->calls > 0 ? device : NULL);
    cli_json_text(&j, "reason", s->reason);
    cli_json_int(&j, "threads", s->threads);
    cli_json_count(&j, "calls", each->calls);
    cli_json_ms(&j, "total_ms", each->time_ms);
    cli_json_open(&j, "files", '[');
    for (size_t k = 0; k < each->count; k++) put_file(&j, each, &each->files[k]);
    cli_json_close(&j, ']');
    cli_json_end(&j);
}
