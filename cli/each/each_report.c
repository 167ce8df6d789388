/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each_report.c: what --each prints: sums over all files, then a line or an object per file.
 */
#include "cluster/clustering.h"
#include "base/cli.h"
#include "common/assert.h"
#include "files/device.h"
#include "each/each.h"
#include "base/number.h"

#include <clump/info.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Sums over the files that did not fail. */
typedef struct each_sum {
    cli_each_file file;
    int64_t clusters;
    size_t done, failed; /* files */
    cli_ring_doubts ring_doubts;
} each_sum;

static each_sum sum_of(const cli_each *each)
{
    each_sum sum = {0};
    for (size_t k = 0; k < each->count; k++) {
        const cli_each_file *const f = &each->files[k];
        sum.failed += f->failed;
        sum.done += !f->failed;
        if (f->failed) continue;
        cli_each_file *const s = &sum.file;
        s->points += f->points, s->finite += f->finite, s->masked += f->masked, s->thinned += f->thinned;
        s->core += f->core, s->ground += f->ground, s->noise += f->noise;
        s->time_ms += f->time_ms;
        sum.clusters += f->clusters;
        cli_add_objects(&s->found, &f->found);
        cli_ring_doubts_add(&sum.ring_doubts, &f->rings);
        s->oversize.dropped += f->oversize.dropped, s->oversize.points += f->oversize.points;
        s->oversize.kept += f->oversize.kept, s->oversize.split += f->oversize.split;
        if (f->largest > s->largest) s->largest = f->largest;
    }
    return sum;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static bool has_ground(const cli_each *each)
{
    return cli_cluster_finds_ground(&each->plan->job, each->s);
}

/* Core points are not known of voxels. */
static bool knows_core(const cli_each *each)
{
    return each->plan->job.has_core && each->s->thin == 0;
}

static double percent(size_t part, size_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

/* Prints "3 clusters", or "3 objects and 5 background clusters". */
static void print_clusters(FILE *to, const cli_each *each, int64_t clusters, const cli_object_counts *found)
{
    const cli_cluster_job *const job = &each->plan->job;
    char text[CLI_OBJECTS_TEXT];
    cli_objects_text(text, found);
    if (job->cuts_tree)
        fputs(text, to);
    else
        fprintf(to, "%" PRId64 " %s%s", clusters, job->detects ? "object" : "cluster", plural(clusters));
}

/* Prints the sums. */
static void print_sum(FILE *to, const cli_each *each, const each_sum *sum)
{
    const cli_each_file *const f = &sum->file;
    const bool ground_alone = each->plan->job.ground_alone;
    fprintf(to, "%zu file%s: ", sum->done, plural((int64_t)sum->done));
    if (ground_alone) {
        fprintf(to, "%.1f%% ground\n", percent(f->ground, f->points));
    } else {
        print_clusters(to, each, sum->clusters, &f->found);
        fprintf(to, " at %s\n", each->s->classes ? "the distances of the classes" : each->plan->summary);
    }
    fprintf(to, "points   %zu", f->points);
    if (f->finite != f->points) fprintf(to, ", %zu of them not finite", f->points - f->finite);
    if (f->masked) fprintf(to, ", %zu left out", f->masked);
    if (knows_core(each)) fprintf(to, "\ncore     %zu", f->core);
    if (has_ground(each)) fprintf(to, "\nground   %zu", f->ground);
    if (!ground_alone)
        fprintf(to, "\nnoise    %zu\nlargest  %zu point%s", f->noise, f->largest, plural((int64_t)f->largest));
    if (each->s->thin > 0) fprintf(to, "\nthinned  %zu: the result is approximate", f->thinned);
    if (sum->failed) fprintf(to, "\nfailed   %zu file%s", sum->failed, plural((int64_t)sum->failed));
    char whole[CLI_TIME_SIZE], per_file[CLI_TIME_SIZE];
    cli_time_text(whole, each->elapsed_ms);
    cli_time_text(per_file, each->elapsed_ms / (double)(each->count ? each->count : 1));
    fprintf(to, "\ntime     %s, %s per file\n", whole, per_file);
    cli_print_oversize(to, "oversize ", &f->oversize);
    cli_print_ring_doubts(to, "rings    ", &sum->ring_doubts, sum->done, "file");
}

static void print_file(FILE *to, const cli_each *each, const cli_each_file *f)
{
    fprintf(to, "%s: ", cli_shown(f->input));
    if (each->plan->job.ground_alone) {
        fprintf(to, "%.1f%% ground, %zu points\n", percent(f->ground, f->points), f->points);
    } else {
        print_clusters(to, each, f->clusters, &f->found);
        fprintf(to, ", %zu points, %zu noise\n", f->points, f->noise);
    }
}

/* Prints what was written for `done` files. */
static void print_outputs(FILE *to, const cli_each *each, size_t done)
{
    CLUMP_ASSERT(done <= each->count);
    static const char *const what[CLI_EACH_KINDS][2] = {
        {"files", "file"}, {"files", "file"}, {"folders of maps", "folder of maps"}};
    const char *const given[CLI_EACH_KINDS] = {each->s->output, each->s->clusters, each->s->maps};
    for (size_t kind = 0; kind < CLI_EACH_KINDS; kind++) {
        if (given[kind] && each->files[0].names[kind])
            fprintf(to, "wrote %zu %s to %s\n", done, what[kind][done == 1], cli_shown(given[kind]));
        else if (given[kind])
            fprintf(to, "wrote %s\n", cli_shown(given[kind]));
    }
}

void cli_each_print(FILE *to, const cli_each *each)
{
    const cli_cluster *const s = each->s;
    const each_sum sum = sum_of(each);
    size_t shown = 0;
    print_sum(to, each, &sum);
    for (size_t k = 0; k < each->count && shown < s->top; k++) {
        if (each->files[k].failed) continue;
        if (shown++ == 0) fputs("\n", to);
        print_file(to, each, &each->files[k]);
    }
    if (shown > 0 && shown < sum.done)
        fprintf(to, "%sand %zu more; %s--json%s%s\n", cli_colour(to, CLI_STYLE_DIM), sum.done - shown,
                each->plan->job.ground_alone ? "" : "--top N lists more of them, ",
                each->plan->job.ground_alone ? " lists them" : " all", cli_colour(to, CLI_STYLE_PLAIN));
    print_outputs(to, each, sum.done);
}

/* ----- JSON ---------------------------------------------------------------------------------------------------- */

static void put_counts(cli_json *j, const cli_each *each, const cli_each_file *f, int64_t clusters)
{
    cli_json_count(j, "points", f->points);
    cli_json_count(j, "finite", f->finite);
    cli_json_int(j, "clusters", clusters);
    if (each->plan->job.has_tree) cli_put_object_counts(j, each->plan->job.cuts_tree ? &f->found : NULL);
    if (each->s->classes) cli_put_oversize(j, &f->oversize);
    if (knows_core(each))
        cli_json_count(j, "core", f->core);
    else if (each->plan->job.has_core)
        cli_json_null(j, "core");
    cli_json_count(j, "noise", f->noise);
    cli_json_count(j, "largest", f->largest);
    cli_json_count(j, "ground", f->ground);
    cli_json_count(j, "masked", f->masked);
    if (each->plan->job.thins) cli_json_count(j, "thinned", f->thinned);
}

/* Puts null for what is not known of a file that could not be read or written. */
static void put_nothing(cli_json *j, const cli_each *each)
{
    const cli_cluster_job *const job = &each->plan->job;
    const struct {
        const char *key;
        bool is_there;
    } keys[] = {{"points", true},
                {"finite", true},
                {"clusters", true},
                {"objects", job->has_tree},
                {"background", job->has_tree},
                {"fits", job->has_tree},
                {"oversize", each->s->classes != NULL},
                {"core", job->has_core},
                {"noise", true},
                {"largest", true},
                {"ground", true},
                {"masked", true},
                {"thinned", job->thins},
                {"ground_level", true},
                {"frame", job->has_frames},
                {"step", job->has_frames},
                {"neighbours", job->has_tree},
                {"ring_source", job->has_tree},
                {"rings", job->has_tree},
                {"ring_doubt", job->has_tree},
                {"labels_hash", true},
                {"time_ms", true}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (keys[k].is_there) cli_json_null(j, keys[k].key);
}

static void put_file(cli_json *j, const cli_each *each, const cli_each_file *f)
{
    char hash[17];
    cli_json_open(j, NULL, '{');
    cli_json_text(j, "input", f->input);
    cli_json_text(j, "output", f->failed ? NULL : f->names[CLI_EACH_OUTPUT]);
    cli_json_text(j, "boxes", f->failed ? NULL : f->names[CLI_EACH_BOXES]);
    cli_json_bool(j, "failed", f->failed);
    if (f->failed) {
        put_nothing(j, each);
    } else {
        snprintf(hash, sizeof hash, "%016" PRIx64, f->labels_hash);
        put_counts(j, each, f, f->clusters);
        cli_json_float(j, "ground_level", f->ground_level);
        if (each->plan->job.has_frames) cli_json_text(j, "frame", f->step > 0 ? "steps" : "whole");
        if (each->plan->job.has_frames) cli_json_number(j, "step", f->step > 0 ? f->step : (double)NAN);
        if (each->plan->job.has_tree) cli_put_rings(j, each->plan->job.cuts_tree ? &f->rings : NULL);
        cli_json_text(j, "labels_hash", hash);
        cli_json_ms(j, "time_ms", f->time_ms);
    }
    cli_json_close(j, '}');
}

/* Puts the parameters as a single run does. */
static void put_parameters(cli_json *j, const cli_each *each)
{
    cli_clustering w = {.job = &each->plan->job, .settings = each->plan->settings, .s = each->s};
    cli_clustering_begin(&w, each->self, NULL);
    cli_json_open(j, "parameters", '{');
    w.report.put_parameters(j, w.report.settings);
    cli_json_close(j, '}');
}

void cli_each_print_json(FILE *to, const cli_each *each)
{
    char device[CLI_DEVICE_SIZE];
    const each_sum sum = sum_of(each);
    const clump_stats *const s = &each->stats;
    cli_device_text(device, s->backend, each->options.device);
    cli_json j = cli_json_begin(to, each->self->name);
    put_parameters(&j, each);
    cli_json_count(&j, "inputs", each->count);
    cli_json_count(&j, "failed", sum.failed);
    put_counts(&j, each, &sum.file, sum.clusters);
    cli_json_text(&j, "method", s->method ? s->method : "");
    cli_json_text(&j, "device", sum.done > 0 ? device : NULL);
    cli_json_text(&j, "reason", s->reason);
    cli_json_int(&j, "threads", s->threads);
    cli_json_count(&j, "jobs", each->jobs);
    cli_json_ms(&j, "total_ms", sum.file.time_ms);
    cli_json_ms(&j, "elapsed_ms", each->elapsed_ms);
    cli_json_open(&j, "files", '[');
    for (size_t k = 0; k < each->count; k++) put_file(&j, each, &each->files[k]);
    cli_json_close(&j, ']');
    cli_json_end(&j);
}
