/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster.c: see cluster.h.
 */
#include "cluster.h"
#include "clusters_file.h"
#include "device.h"
#include "keep.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "timing.h"

#include <clump/cuda.h>

#include <stdlib.h>
#include <string.h>

const char *cli_order_choice(int index)
{
    return index == CLUMP_ORDER_INDEX ? "index" : index == CLUMP_ORDER_SIZE ? "size" : NULL;
}

void cli_growth_text(char text[CLI_GROWTH_SIZE], const cli_cluster *settings)
{
    char number[CLI_NUMBER_SIZE];
    cli_float_text(number, settings->per_metre);
    text[0] = '\0';
    if (settings->per_metre > 0) snprintf(text, CLI_GROWTH_SIZE, " or %s a metre", number);
}

void cli_sensor(float sensor[3], const cli_cluster *settings, const cli_memory *in)
{
    for (size_t k = 0; k < 3; k++) sensor[k] = (float)(settings->region.sensor[k] - in->origin[k]);
}

clump_order cli_order(const cli_cluster *settings)
{
    return strcmp(settings->order, "size") == 0 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
}

/* The state of a command between its input and its report. */
typedef struct clustering {
    const cli_cluster_job *job;
    const void *settings; /* of the command; they begin with a cli_cluster, *s */
    const cli_cluster *s;
    clump_context_options options;
    clump_cloud *cloud;
    clump_context *context;
    uint8_t *region; /* which points take part; null: all */
    uint8_t *mask;   /* the points of the region without the ground; null: all points */
    int32_t *ground; /* labels of clump_ground; null: the ground is not removed */
    clump_context *ground_context;
    uint8_t *core; /* null: the job has none */
    int32_t *labels;
    cli_memory_kind memory_kind;
    bool has_run;            /* the job has run at least once */
    cli_memory memory;       /* where points, mask, labels and core flags are while the job runs */
    clump_cluster *clusters; /* null: not asked for */
    cli_obstacle *obstacles; /* null: not asked for */
    int32_t count;           /* of clusters */
    float *load;             /* of the report */
    clump_format output_format;
    cli_report report;
} clustering;

static int check_output(const cli_command *self, clustering *w)
{
    const cli_cluster *s = w->s;
    clump_format_info info;
    CLI_TRY(cli_check_cloud_output(self, "-o", s->output, s->to, &w->output_format));
    const bool known = clump_format_describe(w->output_format, &info);
    if (known && !info.holds_labels &&
        !(s->keep && info.holds_points)) /* with --keep, the selected points may be all that is wanted */
        return cli_usage(self, "-o %s: a .%s file has no place for labels, use .pcd, .las, .csv, .npy or .labels",
                         s->output, info.extensions[0]);
    if (known && w->job->writes_core && !info.holds_fields)
        return cli_usage(self, "-o %s: a .%s file holds the labels alone, with --core use .pcd, .ply, .las or .csv",
                         s->output, info.extensions[0]);
    if (cli_is_dash(s->output) && s->json) return cli_usage(self, "-o - and --json both want standard output");
    return CLI_DONE;
}

static int check_settings(const cli_command *self, clustering *w)
{
    const cli_cluster *s = w->s;
    if (s->max_size > 0 && s->min_size > s->max_size)
        return cli_usage(self, "--min-size %zu is greater than --max-size %zu", s->min_size, s->max_size);
    if (s->region.min_range > s->region.max_range)
        return cli_usage(self, "--min-range %g is greater than --max-range %g", s->region.min_range,
                         s->region.max_range);
    if (!w->job->ground_alone && !w->job->finds_ground) CLI_TRY(cli_ground_check(self, &s->ground));
    if (s->per_metre > 0 && strcmp(s->method, "fast") != 0)
        return cli_usage(self, "--eps-per-metre is for the method fast, %s does not have it", s->method);
    w->options.threads = (int)s->threads;
    CLI_TRY(cli_check_device(self, s->device, s->memory, &w->options, &w->memory_kind));
    if (s->output && s->clusters && cli_same_output(s->output, s->clusters))
        return cli_usage(self, "-o and --clusters both name %s", s->output);
    if (w->job->writes_core && !s->output) return cli_usage(self, "--core needs -o OUT, the file that gets the field");
    if (s->keep && !s->output) return cli_usage(self, "--keep needs -o OUT, the file that gets the points");
    if (s->keep) CLI_TRY(cli_keep_check(self, s->keep));
    if (s->output) CLI_TRY(check_output(self, w));
    return s->clusters ? cli_check_clusters_output(self, s->clusters) : CLI_DONE;
}

static int fail_with(const clustering *w, clump_status status)
{
    const char *why = clump_context_error(w->context);
    if (!why[0] && w->ground_context) why = clump_context_error(w->ground_context);
    return cli_fail("%s", why[0] ? why : clump_status_text(status));
}

/* Copies the load of the last run. The next call on the context overwrites the original. */
static bool keep_load(clustering *w)
{
    int count;
    const float *load = clump_context_load(w->context, &count);
    if (count == 0) return true;
    w->load = malloc((size_t)count * sizeof *load);
    if (!w->load) return false;
    memcpy(w->load, load, (size_t)count * sizeof *load);
    w->report.load = w->load;
    w->report.loads = (size_t)count;
    return true;
}

/* Removes the ground from the mask. The CPU finds the ground, from the points in host memory. */
static clump_status remove_ground(clustering *w)
{
    const size_t count = clump_cloud_points(w->cloud).count;
    clump_ground_options options = cli_ground_options(&w->s->ground, &w->s->region, clump_cloud_origin(w->cloud));
    options.mask = w->region;
    clump_status status = clump_ground(w->ground_context, clump_cloud_points(w->cloud), &options, w->ground, NULL);
    if (status != CLUMP_OK) return status;
    for (size_t i = 0; i < count; i++) w->mask[i] = w->ground[i] != CLUMP_GROUND && (!w->region || w->region[i]);
    if (w->memory.kind == CLI_MEMORY_PAGEABLE) return CLUMP_OK;
    return clump_cuda_copy(w->context, w->memory.taken[2], w->mask, count);
}

static void mark_ground(const clustering *w, int32_t *labels)
{
    const size_t count = w->memory.points.count;
    for (size_t i = 0; w->ground && i < count; i++)
        if (w->ground[i] == CLUMP_GROUND) labels[i] = CLUMP_GROUND;
}

/* Runs the job once: removes the ground if asked for, then clusters. A cli_job. */
static clump_status run_once(void *given, clump_stats *stats)
{
    clustering *const w = given;
    clump_stats ground = {0};
    double ground_ms = 0;
    if (w->ground) {
        const double before = cli_seconds();
        const clump_status status = remove_ground(w);
        if (status != CLUMP_OK) return status;
        ground = clump_context_stats(w->ground_context);
        ground_ms = 1e3 * (cli_seconds() - before);
    }
    cli_memory in = w->memory;
    if (w->has_run) in.core = NULL; /* core flags are equal in every run; only the first run computes them */
    w->has_run = true;
    const clump_status status = w->job->call(w->context, w->settings, &in, &w->count);
    if (status == CLUMP_OK && in.kind == CLI_MEMORY_PAGEABLE) mark_ground(w, in.labels);
    *stats = clump_context_stats(w->context);
    stats->build_ms += ground_ms;
    stats->ground += ground.ground;
    if (w->ground) stats->ground_level = ground.ground_level;
    stats->masked -= ground.ground;
    stats->noise -= ground.ground;
    stats->host_bytes += ground.host_bytes;
    w->report.stats = *stats;
    return status;
}

static int cluster(clustering *w)
{
    const cli_repetition how = {w->s->repeat, w->s->warmup, "clustering", w->s->quiet};
    clump_status status;
    const int result = cli_repeat(&how, run_once, w, &w->report.times, &status);
    if (result != CLI_DONE && status == CLUMP_OK) return result;
    if (status == CLUMP_OK && !keep_load(w)) status = CLUMP_ERR_OUT_OF_MEMORY;
    if (status == CLUMP_OK) status = cli_memory_fetch(&w->memory, w->labels, w->core);
    if (status != CLUMP_OK) return fail_with(w, status);
    if (w->memory.kind != CLI_MEMORY_PAGEABLE) mark_ground(w, w->labels);
    w->report.labels_hash = clump_labels_hash(w->labels, w->memory.points.count);
    for (size_t i = 0; w->core && i < w->memory.points.count; i++) w->report.core += w->core[i];
    return CLI_DONE;
}

static int describe(clustering *w)
{
    w->clusters = malloc(((size_t)w->count + 1) * sizeof *w->clusters);
    if (!w->clusters) return cli_fail("not enough memory to describe %d clusters", (int)w->count);
    const clump_status status =
        clump_describe(w->context, clump_cloud_points(w->cloud), w->labels, w->count, NULL, w->clusters);
    if (status != CLUMP_OK) return fail_with(w, status);
    for (int32_t i = 0; i < w->count; i++) {
        const size_t count = (size_t)w->clusters[i].count;
        if (count > w->report.largest) w->report.largest = count;
    }
    return CLI_DONE;
}

/* Turns boxes that are wider than long by 90 degrees. Then length >= width, and yaw is in [0, 180). */
static void turn_boxes(clump_cluster *clusters, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        clump_cluster *const c = &clusters[i];
        if (!(c->box_size[1] > c->box_size[0])) continue;
        const float length = c->box_size[1];
        c->box_size[1] = c->box_size[0];
        c->box_size[0] = length;
        c->yaw += 90;
        if (c->yaw >= 180) c->yaw = 0; /* 89.99999 + 90, rounded */
    }
}

/* Measures the clusters beyond their boxes, if the command can and --clusters names a file. */
static int measure(clustering *w)
{
    if (!w->job->measure || !w->s->clusters) return CLI_DONE;
    w->obstacles = malloc(((size_t)w->count + 1) * sizeof *w->obstacles);
    if (!w->obstacles) return cli_fail("not enough memory to measure %d clusters", (int)w->count);
    const cli_measured m = {.points = clump_cloud_points(w->cloud),
                            .origin = clump_cloud_origin(w->cloud),
                            .mask = w->region,
                            .labels = w->labels,
                            .count = w->count,
                            .clusters = w->clusters,
                            .obstacles = w->obstacles};
    const clump_status status = w->job->measure(w->context, w->settings, &m);
    return status == CLUMP_OK ? CLI_DONE : fail_with(w, status);
}

/* Removes all points but those of --keep from the cloud, and their labels. */
static int select_points(clustering *w)
{
    const size_t count = clump_cloud_points(w->cloud).count;
    uint8_t *const keep = cli_allocate(count, 1);
    if (!keep) return cli_fail("not enough memory to choose from %zu points", count);
    const int status = cli_keep_mask(w->s->keep, w->labels, count, w->count, w->job->ground_alone, keep);
    if (status == CLI_DONE) {
        for (size_t i = 0, to = 0; i < count; i++)
            if (keep[i]) w->labels[to++] = w->labels[i];
        clump_cloud_select(w->cloud, keep);
    }
    free(keep);
    return status;
}

static int save(clustering *w)
{
    const cli_cluster *s = w->s;
    if (w->job->writes_core) {
        const clump_field field = {.name = "core", .type = CLUMP_TYPE_U8, .count = 1, .data = w->core};
        clump_message message = {0};
        const clump_status status = clump_cloud_set_field(w->cloud, &field, &message);
        if (status != CLUMP_OK) return cli_fail_message(s->output, status, &message);
    }
    CLI_TRY(s->keep ? select_points(w) : CLI_DONE);
    w->report.written = clump_cloud_points(w->cloud).count;
    clump_format_info info;
    const bool labels = !clump_format_describe(w->output_format, &info) || info.holds_labels;
    return cli_save(s->output, w->cloud, labels ? w->labels : NULL, w->output_format, CLUMP_ENCODING_DEFAULT, s->quiet);
}

static int write_outputs(clustering *w)
{
    const cli_cluster *s = w->s;
    if (s->output) CLI_TRY(save(w));
    if (!s->clusters) return CLI_DONE;
    const int status =
        cli_write_clusters(s->clusters, w->clusters, w->obstacles, w->count, clump_cloud_origin(w->cloud));
    if (status != CLI_DONE && s->output) cli_warn("%s: was written before that", s->output);
    return status;
}

static void put_parameters(cli_json *j, const void *given)
{
    const clustering *const w = given;
    w->job->put_parameters(j, w->settings);
    cli_put_region(j, &w->s->region);
    cli_json_text(j, "keep", w->s->keep);
}

static int print(const clustering *w)
{
    const cli_cluster *s = w->s;
    if (s->json) {
        cli_report_json(stdout, &w->report);
        return CLI_DONE;
    }
    if (s->quiet) return CLI_DONE;
    FILE *to = cli_is_dash(s->output) ? stderr : stdout;
    cli_report_text(to, &w->report);
    if (!cli_report_table(to, w->clusters, w->count, s->top, s->radius, clump_cloud_origin(w->cloud)))
        return cli_fail("not enough memory for the table of clusters");
    if (s->output && to == stdout && s->keep)
        printf("wrote %s, %zu of %zu points\n", s->output, w->report.written, w->report.stats.points);
    else if (s->output && to == stdout)
        printf("wrote %s\n", s->output);
    if (s->clusters) fprintf(to, "wrote %s\n", s->clusters);
    return CLI_DONE;
}

static int run(clustering *w)
{
    const cli_cluster *s = w->s;
    w->cloud = cli_load(CLI_INPUT(s, .path = w->report.input, .quiet = s->quiet));
    if (!w->cloud) return CLI_FAILED;
    const size_t count = clump_cloud_points(w->cloud).count;
    const bool all = cli_region_is_all(&s->region);
    w->labels = cli_allocate(count, sizeof *w->labels);
    if (!all) w->region = cli_allocate(count, 1);
    const bool remove = s->ground.remove;
    if (remove) w->mask = cli_allocate(count, 1);
    if (remove) w->ground = cli_allocate(count, sizeof *w->ground);
    if (w->job->has_core) w->core = cli_allocate(count, 1);
    if (!w->labels || (!all && !w->region) || (remove && (!w->mask || !w->ground)) || (w->job->has_core && !w->core))
        return cli_fail("not enough memory for the labels of %zu points", count);
    if (!all) cli_region_mask(&s->region, w->cloud, s->two_d, w->region);
    if (remove) memset(w->mask, 1, count);

    CLI_TRY(cli_context_create(&w->options, &w->context));
    if (remove) {
        clump_context_options options = w->options;
        options.backend = CLUMP_BACKEND_CPU;
        options.device = 0;
        CLI_TRY(cli_context_create(&options, &w->ground_context));
    }
    w->memory = (cli_memory){.points = clump_cloud_points(w->cloud),
                             .mask = remove ? w->mask : w->region,
                             .labels = w->labels,
                             .core = w->core,
                             .origin = clump_cloud_origin(w->cloud)};
    const clump_status status = cli_memory_place(&w->memory, w->memory_kind, w->context);
    if (status != CLUMP_OK) return fail_with(w, status);
    CLI_TRY(cluster(w));
    CLI_TRY(describe(w));
    CLI_TRY(measure(w));
    turn_boxes(w->clusters, w->count);
    CLI_TRY(write_outputs(w));
    return print(w);
}

int cli_cluster_run(const cli_command *self, const cli_cluster_job *job, const void *settings, const char *input)
{
    clustering w = {.job = job, .settings = settings, .s = settings, .options = clump_context_defaults()};
    CLI_TRY(check_settings(self, &w));
    w.report = (cli_report){.command = self->name,
                            .input = input,
                            .summary = job->summary,
                            .put_parameters = put_parameters,
                            .settings = &w,
                            .device = w.options.device,
                            .memory = w.s->memory,
                            .has_core = job->has_core,
                            .ground_alone = job->ground_alone,
                            .ground = job->ground_alone || job->finds_ground || w.s->ground.remove};
    const int status = run(&w);
    cli_memory_release(&w.memory);
    free(w.load);
    free(w.clusters);
    free(w.obstacles);
    free(w.labels);
    free(w.core);
    free(w.mask);
    free(w.region);
    free(w.ground);
    clump_context_destroy(w.ground_context);
    clump_context_destroy(w.context);
    clump_cloud_destroy(w.cloud);
    return status;
}
