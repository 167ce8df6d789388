/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster.c: see cluster.h.
 */
#include "cluster/clustering.h"
#include "common/assert.h"
#include "files/timing.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <stdlib.h>
#include <string.h>

cli_cluster cli_cluster_defaults(void)
{
    return (cli_cluster){.clustering = clump_ec_defaults().common,
                         .method = "fast",
                         .device = "auto",
                         .memory = "pageable",
                         .repeat = 1,
                         .warmup = CLI_UNSET,
                         .top = CLI_CLUSTER_TOP,
                         .step = -1,
                         .region = CLI_REGION_ALL,
                         .ground = {.options = clump_ground_defaults()}};
}

void cli_sensor(float sensor[3], const cli_cluster *settings, const double *origin)
{
    for (size_t k = 0; k < 3; k++) sensor[k] = (float)(settings->region.sensor[k] - origin[k]);
}

clump_clustering cli_call_clustering(const cli_cluster *settings, const cli_memory *in)
{
    clump_clustering common = settings->clustering;
    const double unit = in->step > 0 ? in->step : 1;
    for (size_t k = 0; k < 3; k++) common.sensor[k] = (float)((settings->region.sensor[k] - in->origin[k]) / unit);
    common.mask = in->mask;
    common.classes = in->classes.rows ? &in->classes : NULL;
    return common;
}

float cli_call_radius(const cli_cluster *settings, const cli_memory *in)
{
    return in->step == 0 ? settings->radius : clump_steps_distance(settings->radius, in->step);
}

/* Copies `count` shares to memory that is kept in *memory; false without memory. */
static bool copy_load(const float *shares, int count, float **memory, cli_shares *load)
{
    CLUMP_ASSERT(count >= 0);
    if (count == 0) return true;
    *memory = malloc((size_t)count * sizeof *shares);
    if (!*memory) return false;
    memcpy(*memory, shares, (size_t)count * sizeof *shares);
    *load = (cli_shares){*memory, (size_t)count};
    return true;
}

/* Copies the load of the last run. The next call on the context overwrites the original. */
static bool keep_load(cli_clustering *w)
{
    int count, merge_count;
    const float *const load = clump_context_load(w->context, &count);
    const float *const merge_load = clump_context_merge_load(w->context, &merge_count);
    return copy_load(load, count, &w->load, &w->report.load) &&
           copy_load(merge_load, merge_count, &w->merge_load, &w->report.merge_load);
}

bool cli_cluster_finds_ground(const cli_cluster_job *job, const cli_cluster *s)
{
    return job->ground_alone || s->ground.remove ||
           (job->finds_ground && !cli_ground_is(&s->ground, CLUMP_GROUND_NONE));
}

clump_detect_options cli_cluster_options(const cli_cluster_job *job, const void *settings, const double *origin)
{
    const cli_cluster *const s = settings;
    clump_detect_options options = clump_detect_defaults();
    options.common = s->clustering;
    job->set_detect(&options, settings);
    cli_sensor(options.common.sensor, s, origin);
    options.thin = s->thin;
    options.ground = cli_ground_options(&s->ground, &s->region, origin);
    if (!cli_cluster_finds_ground(job, s)) options.ground.method = CLUMP_GROUND_NONE;
    return options;
}

/* Returns the options of clump_detect. `in` has the memory of the run. */
static clump_detect_options detect_options(const cli_clustering *w, const cli_memory *in)
{
    const cli_cluster *s = w->s;
    clump_detect_options options = cli_cluster_options(w->job, w->settings, in->origin);
    options.common.mask = in->mask;
    options.common.classes = in->classes.rows ? &in->classes : NULL;
    if (!w->job->detects) return options;
    options.region = cli_region_for_detect(&s->region, in->origin);
    options.describe = cli_boxes_options(&w->boxes, s, in->origin);
    options.describe.values = in->values;
    options.objects.rings = in->rings;
    options.objects.columns = w->rings.columns;
    options.objects.found = w->boxes.found;
    options.objects.found_capacity = w->boxes.found ? w->boxes.capacity : 0;
    return options;
}

int cli_clustering_try(const cli_command *self, const cli_clustering *w)
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
/* Calls clump_detect. Makes more room and calls again if there are more boxes than expected. */
static clump_status detect(cli_clustering *w, const cli_memory *in)
{
    const int32_t capacity = w->boxes.capacity; /* 0: boxes are not timed */
    const clump_detect_options options = detect_options(w, in);
    const clump_status status =
        clump_detect(w->context, in->points, &options, in->labels, w->boxes.clusters, capacity, &w->count);
    if (status != CLUMP_OK || !w->job->detects || w->count <= capacity) return status;
    return cli_boxes_reserve(&w->boxes, w->count) ? detect(w, in) : CLUMP_ERR_OUT_OF_MEMORY;
}

/* Runs the job once. A cli_job. */
static clump_status run_once(void *given, clump_stats *stats)
{
    cli_clustering *const w = given;
    cli_memory in = w->memory;
    if (w->has_run) in.core = NULL; /* core flags are equal in every run; only the first run computes them */
    w->has_run = true;
    const clump_status status = w->detects ? detect(w, &in) : w->job->call(w->context, w->settings, &in, &w->count);
    *stats = clump_context_stats(w->context);
    w->report.stats = *stats;
    return status;
}

/* Finds the core points where the ground was removed: clump_detect does not return them. */
static clump_status find_core(cli_clustering *w)
{
    const size_t count = clump_cloud_points(w->cloud).count;
    uint8_t *const mask = cli_allocate(count, 1);
    int32_t *const labels = cli_allocate(count, sizeof *labels), clusters;
    const cli_memory in = {.points = clump_cloud_points(w->cloud),
                           .mask = mask,
                           .labels = labels,
                           .classes = w->classes,
                           .core = w->core,
                           .origin = clump_cloud_origin(w->cloud)};
    clump_status status = CLUMP_ERR_OUT_OF_MEMORY;
    if (mask && labels) {
        for (size_t i = 0; i < count; i++) mask[i] = w->labels[i] != CLUMP_GROUND && (!w->mask || w->mask[i]);
        status = w->job->call(w->context, w->settings, &in, &clusters);
    }
    free(mask);
    free(labels);
    return status;
}

/* Prints why the runs failed. The options of clump_objects have been checked on an empty cloud: then a wrong argument is
 * the cloud, whose rings are not known. It is named. */
static int fail(const cli_clustering *w, clump_status status)
{
    const char *const said = clump_context_error(w->context), *const colon = strstr(said, ": ");
    if (status != CLUMP_ERR_ARGUMENT || !w->job->cuts_tree || !colon) return cli_fail_context(w->context, status);
    return cli_fail("%s: %s", w->report.input, colon + 2);
}

static int cluster(cli_clustering *w)
{
    const cli_repetition how = {w->s->repeat, w->s->warmup, "clustering", w->s->quiet};
    clump_status status;
    const int result = cli_repeat(&how, run_once, w, &w->report.times, &status);
    if (result != CLI_DONE && status == CLUMP_OK) return result;
    if (status == CLUMP_OK && !keep_load(w)) status = CLUMP_ERR_OUT_OF_MEMORY;
    if (status == CLUMP_OK) status = cli_memory_fetch(&w->memory, w->labels, w->core);
    if (status == CLUMP_OK && w->core && w->detects) status = find_core(w);
    if (status != CLUMP_OK) return fail(w, status);
    w->report.labels_hash = clump_labels_hash(w->labels, w->memory.points.count);
    for (size_t i = 0; w->core && i < w->memory.points.count; i++) w->report.core += w->core[i];
    return CLI_DONE;
}

/* Finds the heights of all points above the ground. */
static clump_status find_heights(cli_clustering *w, float *heights)
{
    const clump_points points = clump_cloud_points(w->cloud);
    clump_ground_options options = cli_ground_options(&w->s->ground, &w->s->region, clump_cloud_origin(w->cloud));
    options.mask = w->mask;
    options.heights = heights;
    int32_t *const labels = cli_allocate(points.count, sizeof *labels);
    const clump_status status =
        labels ? clump_ground(w->context, points, &options, labels, NULL) : CLUMP_ERR_OUT_OF_MEMORY;
    free(labels);
    return status;
}

/* Describes the clusters with w->context. Heights are for --clusters and for pages only. */
static int describe_here(cli_clustering *w)
{
    const bool wants_heights = (w->s->clusters || w->view) && w->report.ground;
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

/* Describes the clusters. A cloud that the GPU had in pieces is described by the CPU: boxes need all of it at once. */
static int describe(cli_clustering *w)
{
    clump_context *const context = w->context;
    if (clump_context_stats(context).pieces <= 1) return describe_here(w);
    clump_context_options options = w->options;
    options.backend = CLUMP_BACKEND_CPU;
    CLI_TRY(cli_context_create(&options, &w->context));
    const int status = describe_here(w);
    clump_context_destroy(w->context);
    w->context = context;
    return status;
}

static void find_largest(cli_clustering *w)
{
    for (int32_t i = 0; i < w->count; i++) {
        const size_t count = (size_t)w->boxes.clusters[i].count;
        if (count > w->report.largest) w->report.largest = count;
    }
}

/* Finds the largest cluster without boxes. */
static int count_largest(cli_clustering *w)
{
    size_t *const sizes = calloc((size_t)w->count + 1, sizeof *sizes);
    if (!sizes) return cli_fail("not enough memory to count %d clusters", (int)w->count);
    for (size_t i = 0; i < clump_cloud_points(w->cloud).count; i++) {
        if (w->labels[i] < 0) continue;
        const size_t size = ++sizes[w->labels[i]];
        if (size > w->report.largest) w->report.largest = size;
    }
    free(sizes);
    return CLI_DONE;
}

static void put_parameters(cli_json *j, const void *given)
{
    const cli_clustering *const w = given;
    w->job->put_parameters(j, w->settings);
    cli_put_region(j, &w->s->region);
    if (w->job->has_classes) cli_put_classes(j, w->s->drop_class);
    if (w->job->by_class) cli_put_by_class_settings(j, w->s);
    if (w->job->has_frames) cli_frame_put(j, w->s);
    if (!w->job->ground_alone) cli_json_text(j, "intensity", w->s->intensity);
    cli_json_text(j, "keep", w->s->keep);
}

static int read_rings(cli_clustering *w)
{
    const clump_detect_options options =
        cli_cluster_options(w->job, w->settings, clump_cloud_origin(w->cloud)); /* which neighbours are asked for */
    clump_message message = {0};
    const clump_status status = cli_rings_read(&w->rings, w->cloud, options.objects.neighbours, &message);
    w->report.ring_field = w->rings.field;
    return status == CLUMP_OK ? CLI_DONE : cli_fail("%s: %s", w->report.input, message.text);
}

/* Boxes that there is room for at first. Real scans have some hundreds of objects. */
enum { CLUSTER_FIRST_BOXES = 65536 };

/* Allocates the memory that the runs need. */
static int allocate(cli_clustering *w)
{
    const cli_cluster *s = w->s;
    const size_t count = clump_cloud_points(w->cloud).count;
    const bool has_core = w->job->has_core && s->thin == 0;
    const bool has_region = !cli_region_is_all(&s->region) && !w->job->detects, has_mask = has_region || s->drop_class;
    w->labels = cli_allocate(count, sizeof *w->labels);
    if (has_mask) w->mask = cli_allocate(count, 1);
    if (has_core) w->core = cli_allocate(count, 1);
    if (w->job->writes_probability) w->probability = cli_allocate(count, sizeof *w->probability);
    if (!w->labels || (has_mask && !w->mask) || (has_core && !w->core) ||
        (w->job->writes_probability && !w->probability))
        return cli_fail("not enough memory for the labels of %zu points", count);
    if (has_region)
        cli_region_mask(&s->region, w->cloud, s->clustering.two_d, w->mask);
    else if (has_mask)
        memset(w->mask, 1, count);
    if (s->drop_class) CLI_TRY(cli_classes_mask(s->drop_class, w->cloud, w->report.input, w->mask));
    w->report.core_known = has_core;
    CLI_TRY(cli_boxes_begin(&w->boxes, s, w->cloud, w->report.input));
    if (!w->job->detects) return CLI_DONE;
    if (w->job->cuts_tree) CLI_TRY(read_rings(w));
    w->boxes.has_found = w->job->cuts_tree;
    const size_t most = count / s->clustering.min_size;
    if (cli_boxes_reserve(&w->boxes, most < CLUSTER_FIRST_BOXES ? (int32_t)most : CLUSTER_FIRST_BOXES)) return CLI_DONE;
    return cli_fail("not enough memory for the boxes");
}

int cli_clustering_run(cli_clustering *w)
{
    CLI_TRY(allocate(w));
    clump_message message = {0};
    CLI_TRY(cli_by_class_begin(&w->by_class, w->s));
    clump_status status = cli_by_class_read(&w->by_class, w->s, w->cloud, w->report.input, &message);
    if (status != CLUMP_OK) return cli_fail_message(w->report.input, status, &message);
    CLI_TRY(cli_frame_begin(&w->frame, w->job, w->s, w->cloud, w->mask, w->report.input));
    w->memory = (cli_memory){.points = clump_cloud_points(w->cloud),
                             .mask = w->mask,
                             .values = w->job->detects ? w->boxes.values : NULL,
                             .rings = w->rings.rings,
                             .labels = w->labels,
                             .core = w->detects ? NULL : w->core,
                             .probability = w->probability,
                             .origin = clump_cloud_origin(w->cloud)};
    w->report.origin = w->memory.origin;
    w->report.step = w->frame.grid.step;
    if (w->frame.steps) {
        w->memory.points.xyz = w->frame.xyz;
        w->memory.origin = w->frame.grid.origin;
        w->memory.step = w->frame.grid.step;
    }
    if (w->s->classes) w->classes = w->memory.classes = cli_by_class_scaled(&w->by_class, w->memory.step);
    status = cli_memory_place(&w->memory, w->memory_kind, w->context);
    if (status != CLUMP_OK) return cli_fail_context(w->context, status);
    CLI_TRY(cluster(w));
    status = cli_by_class_find(&w->by_class, w->context, w->labels, w->memory.points.count, w->count);
    if (status != CLUMP_OK) return cli_fail_context(w->context, status);
    if (w->without_boxes && !w->job->detects) return count_largest(w);
    CLI_TRY(w->job->detects ? CLI_DONE : describe(w));
    find_largest(w);
    w->report.found = w->boxes.found;
    if (w->boxes.found) w->report.counts = cli_count_objects(w->boxes.found, w->count);
    cli_boxes_turn(&w->boxes, w->count);
    return CLI_DONE;
}

/* Loads, clusters, writes and reports. */
static int run(cli_clustering *w)
{
    const cli_cluster *s = w->s;
    w->cloud = cli_load(CLI_INPUT(s, .path = w->report.input, .quiet = s->quiet));
    if (!w->cloud) return CLI_FAILED;
    CLI_TRY(cli_context_create(&w->options, &w->context));
    CLI_TRY(cli_clustering_run(w));
    if (s->maps) CLI_TRY(cli_clustering_maps(w, CLI_MAPS_SIDE));
    if (w->view == CLI_VIEW_PAGE) CLI_TRY(cli_clustering_maps(w, CLI_VIEW_MAP_SIDE));
    CLI_TRY(cli_clustering_write(w));
    return cli_clustering_print(w);
}

void cli_warn_of_thin(const cli_cluster_job *job, const cli_cluster *s)
{
    char thin[CLI_NUMBER_SIZE], reach[CLI_NUMBER_SIZE];
    cli_float_text(thin, s->thin);
    cli_float_text(reach, job->reach);
    if (s->thin > job->reach / 2 && !s->quiet)
        cli_warn("--thin %s is more than half of %s, the distance that joins points: clusters may fall apart", thin,
                 reach);
}

void cli_clustering_begin(cli_clustering *w, const cli_command *command, const char *input)
{
    const cli_cluster_job *const job = w->job;
    w->detects = job->detects || w->s->ground.remove || w->s->thin > 0;
    w->report = (cli_report){.command = command->name,
                             .input = input,
                             .summary = job->summary,
                             .by_class = w->s->classes ? &w->by_class : NULL,
                             .put_parameters = put_parameters,
                             .settings = w,
                             .device = w->options.device,
                             .memory = w->s->memory,
                             .has_core = job->has_core,
                             .ground_alone = job->ground_alone,
                             .ground = cli_cluster_finds_ground(job, w->s),
                             .objects = job->detects,
                             .has_tree = job->has_tree,
                             .cuts_tree = job->cuts_tree,
                             .by_score = cli_sorts_by_score(w->s),
                             .thins = job->thins,
                             .thin = w->s->thin,
                             .has_frames = job->has_frames,
                             .up = w->s->ground.options.up,
                             .intensity = w->s->intensity};
}

void cli_clustering_release(cli_clustering *w)
{
    cli_memory_release(&w->memory);
    cli_boxes_release(&w->boxes);
    cli_rings_release(&w->rings);
    cli_by_class_release(&w->by_class);
    cli_maps_release(&w->maps);
    free(w->load);
    free(w->merge_load);
    free(w->labels);
    free(w->core);
    free(w->probability);
    free(w->mask);
    cli_frame_release(&w->frame);
}

int cli_cluster_run(const cli_command *self, const cli_cluster_job *job, const void *settings, const char *input)
{
    cli_clustering w = {.job = job, .settings = settings, .s = settings, .options = clump_context_defaults()};
    CLI_TRY(cli_clustering_check(self, &w));
    cli_clustering_begin(&w, self, input);
    int status = cli_clustering_try(self, &w);
    if (status == CLI_DONE) {
        cli_warn_of_thin(job, w.s);
        status = run(&w);
    }
    cli_clustering_release(&w);
    clump_context_destroy(w.context);
    clump_cloud_destroy(w.cloud);
    return status;
}
