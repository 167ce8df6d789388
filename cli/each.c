/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each.c: see each.h.
 */
#include "each.h"

#include "clustering.h"
#include "output.h"
#include "pace.h"
#include "peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A group ends with the file that reaches one of these: 100 MB of points and labels. */
enum { EACH_POINTS = 4000000, EACH_CLOUDS = 4096 };

/* The clouds of one group, one after the other. */
typedef struct each_group {
    cli_each_file *files[EACH_CLOUDS];
    clump_cloud *clouds[EACH_CLOUDS]; /* for the output; null without -o */
    int64_t offsets[EACH_CLOUDS + 1];
    float radii[EACH_CLOUDS];
    int32_t counts[EACH_CLOUDS];
    size_t count;        /* clouds */
    size_t points, room; /* that the arrays below have, and that they have memory for */
    float *xyz;
    uint8_t *mask, *core;
    int32_t *labels;
    bool masks; /* some point does not take part */
} each_group;

/* ----- read ---------------------------------------------------------------------------------------------------- */

/* Makes room for n more points. */
static bool grow(each_group *g, size_t n)
{
    if (n <= g->room - g->points) return true;
    const size_t room = g->points + n;
    float *const xyz = realloc(g->xyz, 3 * room * sizeof *xyz);
    if (xyz) g->xyz = xyz;
    uint8_t *const mask = realloc(g->mask, room), *const core = realloc(g->core, room);
    if (mask) g->mask = mask;
    if (core) g->core = core;
    int32_t *const labels = realloc(g->labels, room * sizeof *labels);
    if (labels) g->labels = labels;
    if (!xyz || !mask || !core || !labels) return false;
    g->room = room;
    return true;
}

/* Fills the mask of a cloud, which is at the end of the group. */
static int fill_mask(const cli_each *each, each_group *g, const clump_cloud *cloud, const char *input)
{
    const cli_cluster *const s = each->s;
    uint8_t *const mask = g->mask + g->points;
    const bool all = cli_region_is_all(&s->region);
    if (all)
        memset(mask, 1, clump_cloud_points(cloud).count);
    else
        cli_region_mask(&s->region, cloud, s->two_d, mask);
    g->masks = g->masks || !all || s->drop_class;
    return s->drop_class ? cli_classes_mask(s->drop_class, cloud, input, mask) : CLI_DONE;
}

/* Adds the points of a cloud to the group, in the frame that they are clustered in. */
static int add_cloud(const cli_each *each, each_group *g, const clump_cloud *cloud, cli_each_file *file)
{
    const clump_points points = clump_cloud_points(cloud);
    if (!grow(g, points.count)) return cli_fail("%s: not enough memory for %zu points", file->input, points.count);
    CLI_TRY(fill_mask(each, g, cloud, file->input));
    cli_frame frame = {0};
    const int status = cli_frame_begin(&frame, &each->plan->job, each->s, cloud, g->mask + g->points, file->input);
    if (status == CLI_DONE) {
        const cli_memory in = {.step = frame.steps ? frame.grid.step : 0};
        const clump_points used = frame.steps ? (clump_points){.xyz = frame.xyz, .count = points.count} : points;
        for (size_t i = 0; i < points.count; i++)
            memcpy(g->xyz + 3 * (g->points + i), cli_point(used, i), 3 * sizeof(float));
        g->radii[g->count] = cli_call_radius(each->s, &in);
        file->step = in.step;
        file->points = points.count;
    }
    cli_frame_release(&frame);
    return status;
}

/* Reads a file into the group; false: it is left out, which has been said. */
static bool read_file(const cli_each *each, each_group *g, cli_each_file *file)
{
    const cli_cluster *const s = each->s;
    clump_cloud *const cloud = cli_load(CLI_INPUT(s, .path = file->input, .quiet = s->quiet));
    file->failed = !cloud || add_cloud(each, g, cloud, file) != CLI_DONE;
    if (file->failed) return clump_cloud_destroy(cloud), false;
    g->clouds[g->count] = cloud;
    if (!file->output) clump_cloud_destroy(cloud), g->clouds[g->count] = NULL;
    g->files[g->count++] = file;
    return true;
}

/* ----- cluster ------------------------------------------------------------------------------------------------- */

/* Fills the figures of a file from its labels. */
static bool count_file(const cli_each *each, const each_group *g, size_t k)
{
    cli_each_file *const file = g->files[k];
    const size_t first = (size_t)g->offsets[k], n = (size_t)g->offsets[k + 1] - first;
    size_t *const sizes = calloc((size_t)g->counts[k] + 1, sizeof *sizes);
    if (!sizes) return false;
    file->clusters = g->counts[k];
    file->labels_hash = clump_labels_hash(g->labels + first, n);
    for (size_t i = first; i < first + n; i++) {
        const float *const p = g->xyz + 3 * i;
        file->finite += isfinite(p[0]) && isfinite(p[1]) && (each->s->two_d || isfinite(p[2]));
        file->masked += g->masks && !g->mask[i];
        file->noise += g->labels[i] < 0;
        file->core += each->plan->job.has_core && g->core[i];
        if (g->labels[i] >= 0) sizes[g->labels[i]]++;
    }
    for (int32_t c = 0; c < g->counts[k]; c++)
        if (sizes[c] > file->largest) file->largest = sizes[c];
    free(sizes);
    return true;
}

static int cluster_group(cli_each *each, each_group *g, clump_context *context)
{
    const cli_batch in = {.points = {.xyz = g->xyz, .count = g->points},
                          .offsets = g->offsets,
                          .clouds = g->count,
                          .radii = g->radii,
                          .mask = g->masks ? g->mask : NULL,
                          .labels = g->labels,
                          .counts = g->counts,
                          .core = each->plan->job.has_core ? g->core : NULL};
    const int64_t start = cli_pace_now();
    const clump_status status = each->plan->job.batch(context, each->plan->settings, &in);
    if (status != CLUMP_OK) return cli_fail_context(context, status);
    each->stats = clump_context_stats(context);
    each->time_ms += 1e-6 * (double)(cli_pace_now() - start);
    each->calls++;
    for (size_t k = 0; k < g->count; k++)
        if (!count_file(each, g, k)) return cli_fail("not enough memory to count the clusters");
    return CLI_DONE;
}

/* ----- groups -------------------------------------------------------------------------------------------------- */

static void write_group(const cli_each *each, const each_group *g)
{
    for (size_t k = 0; each->s->output && k < g->count; k++) {
        cli_each_file *const file = g->files[k];
        file->failed = cli_save(file->output, g->clouds[k], g->labels + g->offsets[k], file->output_format,
                                CLUMP_ENCODING_DEFAULT, each->s->quiet) != CLI_DONE;
    }
}

static void empty_group(each_group *g)
{
    for (size_t k = 0; k < g->count; k++) clump_cloud_destroy(g->clouds[k]);
    g->count = g->points = 0;
    g->masks = false;
}

/* Reads, clusters and writes all files. */
static int run_groups(cli_each *each, each_group *g, clump_context *context)
{
    for (size_t next = 0; next < each->count;) {
        for (; next < each->count && g->count < EACH_CLOUDS && g->points < EACH_POINTS; next++) {
            g->offsets[g->count] = (int64_t)g->points;
            const size_t before = g->count;
            if (!read_file(each, g, &each->files[next])) continue;
            g->points += each->files[next].points;
            g->offsets[before + 1] = (int64_t)g->points;
        }
        if (g->count == 0) break;
        CLI_TRY(cluster_group(each, g, context));
        write_group(each, g);
        empty_group(g);
    }
    return CLI_DONE;
}

static int run(cli_each *each, const clump_context_options *options)
{
    clump_context *context = NULL;
    each_group *const g = calloc(1, sizeof *g);
    if (!g) return cli_fail("not enough memory for the files");
    int status = cli_context_create(options, &context);
    if (status == CLI_DONE) status = run_groups(each, g, context);
    empty_group(g);
    free(g->xyz);
    free(g->mask);
    free(g->core);
    free(g->labels);
    free(g);
    clump_context_destroy(context);
    return status;
}

/* ----- the command line ---------------------------------------------------------------------------------------- */

/* Returns the option that --each does not have, as it was spelled; null: none. */
static const char *other_option(const cli_plan *plan)
{
    const cli_cluster *const s = plan->settings;
    return s->ram                               ? "--ram"
           : s->work                            ? "--work"
           : s->keep_work                       ? "--keep-work"
           : s->per_metre > 0                   ? "--eps-per-metre"
           : s->thin > 0                        ? "--thin"
           : s->ground.remove                   ? "--remove-ground"
           : s->keep                            ? "--keep"
           : s->clusters                        ? "--clusters"
           : s->intensity                       ? "--intensity"
           : s->axes                            ? "--axes"
           : s->hull                            ? "--hull"
           : s->repeat != 1                     ? "--repeat"
           : s->warmup != CLI_UNSET             ? "--warmup"
           : plan->job.writes_core              ? "--core"
           : strcmp(s->memory, "pageable") != 0 ? "--memory"
                                                : NULL;
}

static int check(const cli_command *self, const cli_plan *plan, clump_context_options *options)
{
    if (cli_the_peers()) return cli_usage(self, "--each cannot be used with %s", cli_the_peers()->program);
    const char *const other = other_option(plan);
    if (other) return cli_usage(self, "%s cannot be used together with --each", other);
    const char *const method = ((const cli_cluster *)plan->settings)->method;
    if (strcmp(method, "fast") != 0) return cli_usage(self, "--each has the method fast only, not %s", method);
    for (size_t k = 0; k < plan->input_count; k++) {
        if (cli_is_dash(plan->inputs[k])) return cli_usage(self, "--each needs names of files, not standard input");
        if (cli_is_folder(plan->inputs[k]))
            return cli_usage(self, "%s: is a folder; --each needs the names of its files", plan->inputs[k]);
    }
    cli_cluster s = *(const cli_cluster *)plan->settings;
    s.output = s.to = NULL; /* a folder: each_files.c */
    cli_clustering w = {.job = &plan->job, .settings = plan->settings, .s = &s, .options = clump_context_defaults()};
    CLI_TRY(cli_clustering_check(self, &w));
    CLI_TRY(cli_clustering_try(self, &w));
    *options = w.options;
    return CLI_DONE;
}

int cli_each_run(const cli_command *self, const cli_plan *plan)
{
    clump_context_options options;
    CLI_TRY(check(self, plan, &options));
    cli_each each = {
        .command = self->name, .plan = plan, .s = plan->settings, .count = plan->input_count, .device = options.device};
    each.files = calloc(each.count, sizeof *each.files);
    if (!each.files) return cli_fail("not enough memory for the files");
    for (size_t k = 0; k < each.count; k++) each.files[k].input = plan->inputs[k];
    int status = cli_each_name_outputs(self, &each);
    if (status == CLI_DONE) status = run(&each, &options);
    if (status == CLI_DONE) {
        if (each.s->json)
            cli_each_print_json(stdout, &each);
        else if (!each.s->quiet)
            cli_each_print(stdout, &each);
    }
    for (size_t k = 0; k < each.count; k++) {
        if (status == CLI_DONE && each.files[k].failed) status = CLI_FAILED;
        free(each.files[k].output);
    }
    free(each.files);
    return status;
}
