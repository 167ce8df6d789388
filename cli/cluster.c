/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster.c: see cluster.h.
 */
#include "cluster.h"
#include "boxes.h"
#include "clusters_file.h"
#include "device.h"
#include "keep.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "timing.h"

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

void cli_warn_of_thin(const cli_cluster *s, float d)
{
    char thin[CLI_NUMBER_SIZE], distance[CLI_NUMBER_SIZE];
    cli_float_text(thin, s->thin);
    cli_float_text(distance, d);
    if (s->thin > d / 2 && !s->quiet)
        cli_warn("--thin %s is more than half of the distance %s: clusters may fall apart", thin, distance);
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
    bool detects;    /* through clump_detect */
    uint8_t *region; /* which points take part; null: all */
    uint8_t *core;   /* null: the job has none */
    int32_t *labels;
    cli_memory_kind memory_kind;
    bool has_run;      /* the job has run at least once */
    cli_memory memory; /* where points, mask, labels and core flags are while the job runs */
    cli_boxes boxes;
    int32_t count; /* of clusters */
    float *load;   /* of the report */
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
    if (s->two_d && s->ground.up && strcmp(s->ground.up, "y") == 0)
        return cli_usage(self, "--2d and --up y contradict each other: without z nothing is seen from above");
    if (s->thin > 0 && w->job->writes_core)
        return cli_usage(self, "--core and --thin: with --thin not every point is known to be a core point or not");
    w->options.threads = (int)s->threads;
    CLI_TRY(cli_check_device(self, s->device, s->memory, &w->options, &w->memory_kind));
    if (s->output && s->clusters && cli_same_output(s->output, s->clusters))
        return cli_usage(self, "-o and --clusters both name %s", s->output);
    if (w->job->writes_core && !s->output) return cli_usage(self, "--core needs -o OUT, the file that gets the field");
    if (s->keep && !s->output) return cli_usage(self, "--keep needs -o OUT, the file that gets the points");
    if (s->keep) CLI_TRY(cli_keep_check(self, s->keep));
    if (s->output) CLI_TRY(check_output(self, w));
    CLI_TRY(s->clusters ? cli_check_clusters_output(self, s->clusters) : CLI_DONE);
    return cli_boxes_check(self, s, w->job->detects);
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

static clump_detect_options detect_options(const clustering *w, const cli_memory *in)
{
    const cli_cluster *s = w->s;
    clump_detect_options options = clump_detect_defaults();
    w->job->set_detect(&options, w->settings);
    cli_sensor(options.sensor, s, in);
    options.mask = in->mask;
    options.thin = s->thin;
    options.ground = cli_ground_options(&s->ground, &s->region, in->origin);
    if (!w->report.ground) options.ground.method = CLUMP_GROUND_NONE;
    if (!w->job->detects) return options;
    options.region = cli_region_for_detect(&s->region, in->origin);
    options.describe = cli_boxes_options(&w->boxes, s, in->origin);
    options.describe.values = in->values;
    return options;
}

/* Calls clump_detect. Makes more room and calls again if there are more boxes than expected. */
static clump_status detect(clustering *w, const cli_memory *in)
{
    const int32_t capacity = w->boxes.capacity; /* 0: boxes are not timed */
    const clump_detect_options options = detect_options(w, in);
    const clump_status status =
        clump_detect(w->context, in->points, &options, in->labels, w->boxes.clusters, capacity, &w->count);
    if (status != CLUMP_OK || !w->job->detects || w->count <= capacity) return status;
    return cli_boxes_reserve(&w->boxes, w->count) ? detect(w, in) : CLUMP_ERR_OUT_OF_MEMORY;
}

/* Lets the library check the options on an empty cloud, before the input is read. */
static int check_options(const cli_command *self, const clustering *w)
{
    if (!w->job->set_detect) return CLI_DONE;
    clump_context_options cpu = clump_context_defaults();
    cpu.backend = CLUMP_BACKEND_CPU;
    clump_context *context;
    CLI_TRY(cli_context_create(&cpu, &context));
    const clump_detect_options options = detect_options(w, &(cli_memory){.origin = (const double[3]){0}});
    int32_t clusters;
    const clump_status status = clump_detect(context, (clump_points){0}, &options, NULL, NULL, 0, &clusters);
    const char *const said = clump_context_error(context), *const colon = strstr(said, ": ");
    int result = CLI_DONE;
    if (status == CLUMP_ERR_ARGUMENT) result = cli_usage(self, "%s", colon ? colon + 2 : said);
    clump_context_destroy(context);
    return result;
}

/* Runs the job once. A cli_job. */
static clump_status run_once(void *given, clump_stats *stats)
{
    clustering *const w = given;
    cli_memory in = w->memory;
    if (w->has_run) in.core = NULL; /* core flags are equal in every run; only the first run computes them */
    w->has_run = true;
    const clump_status status = w->detects ? detect(w, &in) : w->job->call(w->context, w->settings, &in, &w->count);
    *stats = clump_context_stats(w->context);
    w->report.stats = *stats;
    return status;
}

/* Finds the core points where the ground was removed: clump_detect does not return them. */
static clump_status find_core(clustering *w)
{
    const size_t count = clump_cloud_points(w->cloud).count;
    uint8_t *const mask = cli_allocate(count, 1);
    int32_t *const labels = cli_allocate(count, sizeof *labels), clusters;
    const cli_memory in = {.points = clump_cloud_points(w->cloud),
                           .mask = mask,
                           .labels = labels,
                           .core = w->core,
                           .origin = clump_cloud_origin(w->cloud)};
    clump_status status = CLUMP_ERR_OUT_OF_MEMORY;
    if (mask && labels) {
        for (size_t i = 0; i < count; i++) mask[i] = w->labels[i] != CLUMP_GROUND && (!w->region || w->region[i]);
        status = w->job->call(w->context, w->settings, &in, &clusters);
    }
    free(mask);
    free(labels);
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
    if (status == CLUMP_OK && w->core && w->detects) status = find_core(w);
    if (status != CLUMP_OK) return cli_fail_context(w->context, status);
    w->report.labels_hash = clump_labels_hash(w->labels, w->memory.points.count);
    for (size_t i = 0; w->core && i < w->memory.points.count; i++) w->report.core += w->core[i];
    return CLI_DONE;
}

/* Finds the heights of all points above the ground. */
static clump_status find_heights(clustering *w, float *heights)
{
    const clump_points points = clump_cloud_points(w->cloud);
    clump_ground_options options = cli_ground_options(&w->s->ground, &w->s->region, clump_cloud_origin(w->cloud));
    options.mask = w->region;
    options.heights = heights;
    int32_t *const labels = cli_allocate(points.count, sizeof *labels);
    const clump_status status =
        labels ? clump_ground(w->context, points, &options, labels, NULL) : CLUMP_ERR_OUT_OF_MEMORY;
    free(labels);
    return status;
}

/* Describes the clusters. Heights are for --clusters only. */
static int describe(clustering *w)
{
    const bool wants_heights = w->s->clusters && w->report.ground;
    const clump_points points = clump_cloud_points(w->cloud);
    float *const heights = wants_heights ? cli_allocate(points.count, sizeof *heights) : NULL;
    if (!cli_boxes_reserve(&w->boxes, w->count) || (wants_heights && !heights))
        return free(heights), cli_fail("not enough memory to describe %d clusters", (int)w->count);
    clump_describe_options options = cli_boxes_options(&w->boxes, w->s, clump_cloud_origin(w->cloud));
    options.heights = heights;
    clump_status status = wants_heights ? find_heights(w, heights) : CLUMP_OK;
    if (status == CLUMP_OK)
        status = clump_describe(w->context, points, w->labels, w->count, &options, w->boxes.clusters);
    free(heights);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(w->context, status);
}

static void find_largest(clustering *w)
{
    for (int32_t i = 0; i < w->count; i++) {
        const size_t count = (size_t)w->boxes.clusters[i].count;
        if (count > w->report.largest) w->report.largest = count;
    }
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
    const cli_clusters_layout layout = {.origin = clump_cloud_origin(w->cloud), .up = w->report.up, .axes = s->axes};
    const int status = cli_write_clusters(s->clusters, &w->boxes, w->count, &layout);
    if (status != CLI_DONE && s->output) cli_warn("%s: was written before that", s->output);
    return status;
}

static void put_parameters(cli_json *j, const void *given)
{
    const clustering *const w = given;
    w->job->put_parameters(j, w->settings);
    cli_put_region(j, &w->s->region);
    if (!w->job->ground_alone) cli_json_text(j, "intensity", w->s->intensity);
    cli_json_text(j, "keep", w->s->keep);
}

/* Tells what may be wrong where the ground of a scan was not found. */
static void warn_without_ground(const clustering *w)
{
    const clump_stats *const stats = &w->report.stats;
    if (w->job->detects && w->report.ground && stats->ground == 0 && stats->finite > stats->masked)
        cli_warn("%s: no ground was found; --sensor says where the sensor is, --up which axis points up, and --ground "
                 "none does without",
                 w->report.input);
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
    warn_without_ground(w);
    if (!cli_report_table(to, &w->report, w->boxes.clusters, w->count, s->top, w->job->scale))
        return cli_fail("not enough memory for the table of clusters");
    if (s->output && to == stdout && s->keep)
        printf("wrote %s, %zu of %zu points\n", s->output, w->report.written, w->report.stats.points);
    else if (s->output && to == stdout)
        printf("wrote %s\n", s->output);
    if (s->clusters) fprintf(to, "wrote %s\n", s->clusters);
    return CLI_DONE;
}

/* Boxes that there is room for at first. Real scans have some hundreds of objects. */
enum { CLUSTER_FIRST_BOXES = 65536 };

/* Allocates the memory that the runs need. */
static int allocate(clustering *w)
{
    const cli_cluster *s = w->s;
    const size_t count = clump_cloud_points(w->cloud).count;
    const bool has_core = w->job->has_core && s->thin == 0, has_mask = !cli_region_is_all(&s->region);
    w->labels = cli_allocate(count, sizeof *w->labels);
    if (has_mask && !w->job->detects) w->region = cli_allocate(count, 1);
    if (has_core) w->core = cli_allocate(count, 1);
    if (!w->labels || (has_mask && !w->job->detects && !w->region) || (has_core && !w->core))
        return cli_fail("not enough memory for the labels of %zu points", count);
    if (w->region) cli_region_mask(&s->region, w->cloud, s->two_d, w->region);
    w->report.core_known = has_core;
    CLI_TRY(cli_boxes_begin(&w->boxes, s, w->cloud, w->report.input));
    if (!w->job->detects) return CLI_DONE;
    const size_t most = count / s->min_size;
    if (cli_boxes_reserve(&w->boxes, most < CLUSTER_FIRST_BOXES ? (int32_t)most : CLUSTER_FIRST_BOXES)) return CLI_DONE;
    return cli_fail("not enough memory for the boxes");
}

static int run(clustering *w)
{
    const cli_cluster *s = w->s;
    w->cloud = cli_load(CLI_INPUT(s, .path = w->report.input, .quiet = s->quiet));
    if (!w->cloud) return CLI_FAILED;
    CLI_TRY(allocate(w));
    CLI_TRY(cli_context_create(&w->options, &w->context));
    w->memory = (cli_memory){.points = clump_cloud_points(w->cloud),
                             .mask = w->region,
                             .values = w->job->detects ? w->boxes.values : NULL,
                             .labels = w->labels,
                             .core = w->detects ? NULL : w->core,
                             .origin = clump_cloud_origin(w->cloud)};
    w->report.origin = w->memory.origin;
    const clump_status status = cli_memory_place(&w->memory, w->memory_kind, w->context);
    if (status != CLUMP_OK) return cli_fail_context(w->context, status);
    CLI_TRY(cluster(w));
    CLI_TRY(w->job->detects ? CLI_DONE : describe(w));
    find_largest(w);
    cli_boxes_turn(&w->boxes, w->count);
    CLI_TRY(write_outputs(w));
    return print(w);
}

/* Whether the ground is searched for. */
static bool looks_for_ground(const cli_cluster_job *job, const cli_cluster *s)
{
    const bool none = s->ground.method && strcmp(s->ground.method, "none") == 0;
    return job->ground_alone || s->ground.remove || (job->finds_ground && !none);
}

int cli_cluster_run(const cli_command *self, const cli_cluster_job *job, const void *settings, const char *input)
{
    clustering w = {.job = job, .settings = settings, .s = settings, .options = clump_context_defaults()};
    CLI_TRY(check_settings(self, &w));
    w.detects = job->detects || w.s->ground.remove || w.s->thin > 0;
    w.report = (cli_report){.command = self->name,
                            .input = input,
                            .summary = job->summary,
                            .put_parameters = put_parameters,
                            .settings = &w,
                            .device = w.options.device,
                            .memory = w.s->memory,
                            .has_core = job->has_core,
                            .ground_alone = job->ground_alone,
                            .ground = looks_for_ground(job, w.s),
                            .objects = job->detects,
                            .thins = job->thins,
                            .thin = w.s->thin,
                            .up = w.s->ground.up && strcmp(w.s->ground.up, "y") == 0 ? CLUMP_UP_Y : CLUMP_UP_Z,
                            .intensity = w.s->intensity};
    int status = check_options(self, &w);
    if (status == CLI_DONE) status = run(&w);
    cli_memory_release(&w.memory);
    cli_boxes_release(&w.boxes);
    free(w.load);
    free(w.labels);
    free(w.core);
    free(w.region);
    clump_context_destroy(w.context);
    clump_cloud_destroy(w.cloud);
    return status;
}
