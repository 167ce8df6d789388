/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_ec.c: `clump ec`: load, cluster, write, report. Everything that can be wrong with the command
 * line or the names of the outputs is found before the input is read.
 */
#include "cli.h"
#include "clusters_file.h"
#include "device.h"
#include "memory.h"
#include "output.h"
#include "progress.h"
#include "region.h"
#include "report.h"
#include "timing.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    float distance; /* 0: not given */
    const char *method, *order, *device, *memory, *format;
    size_t threads, min_size, max_size, repeat, warmup, top;
    bool two_d, json, quiet;
    cli_region region;
    const char *output, *to, *clusters;
} settings;

static const char *method_choice(int i)
{
    return clump_ec_method_name((clump_ec_method)i);
}

static const char *order_choice(int i)
{
    return i == CLUMP_ORDER_INDEX ? "index" : i == CLUMP_ORDER_SIZE ? "size" : NULL;
}

#define AT(member) offsetof(settings, member)
const cli_option cli_ec_options[] = {
    {.kind = CLI_RADIUS,
     .letter = 'd',
     .name = "distance",
     .argument = "R",
     .target = AT(distance),
     .help = "points closer than R are neighbours; required, > 0, in the unit of the file"},
    {.kind = CLI_SWITCH, .name = "2d", .target = AT(two_d), .help = "ignore z"},
    {.kind = CLI_COUNT,
     .name = "min-size",
     .argument = "N",
     .target = AT(min_size),
     .least = 1,
     .help = "clusters of fewer points become noise (default 1)"},
    {.kind = CLI_COUNT,
     .name = "max-size",
     .argument = "N",
     .target = AT(max_size),
     .help = "clusters of more points become noise (default 0, no limit)"},
    {.kind = CLI_CHOICE,
     .name = "order",
     .argument = "ORDER",
     .target = AT(order),
     .choices = order_choice,
     .help = "number clusters by their first point or by size, largest first (default index)"},

    {.help = "Which points take part; the others become noise"},
    {.kind = CLI_INTERVALS,
     .name = "crop",
     .argument = "X0,X1,Y0,Y1,Z0,Z1",
     .target = AT(region.crop),
     .help = "only points in this box, bounds included; -inf and inf leave a side open"},
    {.kind = CLI_NUMBER,
     .name = "min-range",
     .argument = "R",
     .target = AT(region.min_range),
     .help = "only points at least R from the sensor (default 0); with --2d measured horizontally"},
    {.kind = CLI_NUMBER,
     .name = "max-range",
     .argument = "R",
     .target = AT(region.max_range),
     .help = "only points at most R from the sensor (default inf)"},
    {.kind = CLI_TRIPLE,
     .name = "sensor",
     .argument = "X,Y,Z",
     .target = AT(region.sensor),
     .help = "where the sensor is, in coordinates of the file (default 0,0,0)"},

    {.help = "How"},
    {.kind = CLI_CHOICE,
     .name = "method",
     .argument = "NAME",
     .target = AT(method),
     .choices = method_choice,
     .help = "algorithm; all give the same labels (default fast)"},
    {.kind = CLI_TEXT,
     .name = "device",
     .argument = "NAME",
     .target = AT(device),
     .choices = cli_device_choice,
     .help = "auto, cpu, cuda or cuda:N (default auto); 'clump devices' lists what is here"},
    {.kind = CLI_COUNT,
     .name = "threads",
     .argument = "N",
     .target = AT(threads),
     .most = INT_MAX,
     .help = "CPU threads to use (default 0, all cores)"},
    {.kind = CLI_CHOICE,
     .name = "format",
     .argument = "NAME",
     .target = AT(format),
     .choices = cli_readable_format,
     .help = "format of IN if it cannot be guessed"},

    {.help = "Output"},
    {.kind = CLI_FILE,
     .letter = 'o',
     .name = "output",
     .argument = "OUT",
     .target = AT(output),
     .help = "write IN with the field 'label' added (.pcd .ply .las .csv .txt .xyz .pts .asc), or the labels "
             "alone (.labels .npy .label); - is standard output"},
    {.kind = CLI_CHOICE,
     .name = "to",
     .argument = "NAME",
     .target = AT(to),
     .choices = cli_writable_format,
     .help = "format of OUT, if not by its ending"},
    {.kind = CLI_FILE,
     .name = "clusters",
     .argument = "FILE",
     .target = AT(clusters),
     .help = "write count, centroid and boxes of each cluster, as .json or .csv"},
    {.kind = CLI_COUNT,
     .name = "top",
     .argument = "N",
     .target = AT(top),
     .help = "rows of the printed table (default 10)"},
    {.kind = CLI_COUNT,
     .name = "repeat",
     .argument = "N",
     .target = AT(repeat),
     .least = 1,
     .most = 100000000,
     .help = "cluster N times, report median, fastest and 99th percentile (default 1)"},
    {.kind = CLI_COUNT,
     .name = "warmup",
     .argument = "N",
     .target = AT(warmup),
     .help = "runs before the timed ones (default 1 when N of --repeat is over 1, else 0)"},
    {.kind = CLI_CHOICE,
     .name = "memory",
     .argument = "KIND",
     .target = AT(memory),
     .choices = cli_memory_choice,
     .help = "where points and labels lie while timed (default pageable); the others are for CUDA"},
    {.kind = CLI_SWITCH, .name = "json", .target = AT(json), .help = "print one JSON object instead of text"},
    {.kind = CLI_SWITCH, .letter = 'q', .name = "quiet", .target = AT(quiet), .help = "print no summary"},
    {0}};
#undef AT

static int check_settings(const cli_command *self, const settings *s, clump_context_options *context,
                          cli_memory_kind *memory, clump_format *output_format)
{
    if (s->distance == 0) return cli_usage(self, "ec needs -d R, the distance below which two points are neighbours");
    if (s->max_size > 0 && s->min_size > s->max_size)
        return cli_usage(self, "--min-size %zu is greater than --max-size %zu", s->min_size, s->max_size);
    if (s->region.min_range > s->region.max_range)
        return cli_usage(self, "--min-range %g is greater than --max-range %g", s->region.min_range,
                         s->region.max_range);
    context->threads = (int)s->threads;
    const int status = cli_check_device(self, s->device, s->memory, context, memory);
    if (status != CLI_DONE) return status;
    if (s->output && s->clusters && cli_same_output(s->output, s->clusters))
        return cli_usage(self, "-o and --clusters both name %s", s->output);
    if (s->output) {
        clump_format_info info;
        const int checked = cli_check_cloud_output(self, "-o", s->output, s->to, output_format);
        if (checked != CLI_DONE) return checked;
        if (clump_format_describe(*output_format, &info) && !info.holds_labels)
            return cli_usage(self, "-o %s: a .%s file has no place for labels, use .pcd, .las, .csv, .npy or .labels",
                             s->output, info.extensions[0]);
        if (cli_is_dash(s->output) && s->json) return cli_usage(self, "-o - and --json both want standard output");
    }
    return s->clusters ? cli_check_clusters_output(self, s->clusters) : CLI_DONE;
}

/* Everything between the input and the report. */
typedef struct work {
    clump_cloud *cloud;
    clump_context *context;
    uint8_t *mask; /* null: all points */
    int32_t *labels;
    cli_memory_kind memory_kind;
    cli_memory memory;       /* where points, mask and labels are while it runs */
    clump_cluster *clusters; /* null: not asked for */
    int32_t count;           /* of clusters */
    clump_format output_format;
    cli_report report;
} work;

static int fail_with(const work *w, clump_status status)
{
    const char *why = clump_context_error(w->context);
    return cli_fail("%s", why[0] ? why : clump_status_text(status));
}

static int cluster(const settings *s, work *w)
{
    clump_ec_options options = clump_ec_defaults();
    clump_ec_method_from_name(s->method, &options.method);
    options.order = strcmp(s->order, "size") == 0 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    options.two_d = s->two_d;
    options.min_size = s->min_size;
    options.max_size = s->max_size;
    options.mask = w->memory.mask;

    const size_t warmup = s->warmup != CLI_UNSET ? s->warmup : s->repeat > 1 ? 1 : 0;
    cli_timing timing;
    if (!cli_timing_create(&timing, s->repeat)) return cli_fail("not enough memory to time %zu runs", s->repeat);
    cli_progress progress;
    cli_progress_begin(&progress, "clustering", warmup + s->repeat, s->quiet);
    clump_status status = CLUMP_OK;
    for (size_t run = 0; run < warmup + s->repeat && status == CLUMP_OK; run++) {
        const double before = cli_seconds();
        status = clump_ec(w->context, w->memory.points, s->distance, &options, w->memory.labels, &w->count);
        const double ms = 1e3 * (cli_seconds() - before);
        w->report.stats = clump_context_stats(w->context);
        if (status == CLUMP_OK && run >= warmup) cli_timing_record(&timing, run - warmup, ms, &w->report.stats);
        cli_progress_step(&progress, run + 1);
    }
    cli_progress_end(&progress);
    if (status == CLUMP_OK) status = cli_memory_fetch(&w->memory, w->labels);
    if (status != CLUMP_OK) return cli_timing_discard(&timing), fail_with(w, status);
    w->report.times = cli_timing_finish(&timing);
    w->report.labels_hash = clump_labels_hash(w->labels, w->memory.points.count);
    return CLI_DONE;
}

static int describe(work *w)
{
    w->clusters = malloc(((size_t)w->count + 1) * sizeof *w->clusters);
    if (!w->clusters) return cli_fail("not enough memory to describe %d clusters", (int)w->count);
    const clump_status status =
        clump_describe(w->context, clump_cloud_points(w->cloud), w->labels, w->count, w->clusters);
    if (status != CLUMP_OK) return fail_with(w, status);
    for (int32_t i = 0; i < w->count; i++) {
        const size_t count = (size_t)w->clusters[i].count;
        if (count > w->report.largest) w->report.largest = count;
    }
    return CLI_DONE;
}

static int write_outputs(const settings *s, const work *w)
{
    if (s->output) {
        const int status = cli_save(s->output, w->cloud, w->labels, w->output_format, CLUMP_ENCODING_DEFAULT, s->quiet);
        if (status != CLI_DONE) return status;
    }
    if (!s->clusters) return CLI_DONE;
    const int status = cli_write_clusters(s->clusters, w->clusters, w->count, clump_cloud_origin(w->cloud));
    if (status != CLI_DONE && s->output) cli_warn("%s: was written before that", s->output);
    return status;
}

static int print(const settings *s, const work *w)
{
    if (s->json) {
        cli_report_json(stdout, &w->report);
        return CLI_DONE;
    }
    if (s->quiet) return CLI_DONE;
    FILE *to = cli_is_dash(s->output) ? stderr : stdout;
    cli_report_text(to, &w->report);
    if (!cli_report_table(to, w->clusters, w->count, s->top, s->distance, clump_cloud_origin(w->cloud)))
        return cli_fail("not enough memory for the table of clusters");
    if (s->output && to == stdout) printf("wrote %s\n", s->output);
    if (s->clusters) fprintf(to, "wrote %s\n", s->clusters);
    return CLI_DONE;
}

static int run(const settings *s, const clump_context_options *context, work *w)
{
    w->cloud = cli_load(&(cli_input){.path = w->report.input, .format = s->format, .quiet = s->quiet});
    if (!w->cloud) return CLI_FAILED;
    const size_t count = clump_cloud_points(w->cloud).count;
    const bool all = cli_region_is_all(&s->region);
    w->labels = malloc((count ? count : 1) * sizeof *w->labels);
    if (!all) w->mask = malloc(count ? count : 1);
    if (!w->labels || (!all && !w->mask)) return cli_fail("not enough memory for the labels of %zu points", count);
    if (!all) cli_region_mask(&s->region, w->cloud, s->two_d, w->mask);

    clump_status status = clump_context_create(context, &w->context);
    if (status != CLUMP_OK) return cli_fail("--device %s: %s", s->device, clump_status_text(status));
    status = cli_memory_place(&w->memory, w->memory_kind, w->context, clump_cloud_points(w->cloud), w->mask, w->labels);
    if (status != CLUMP_OK) return fail_with(w, status);
    int result = cluster(s, w);
    if (result == CLI_DONE) result = describe(w);
    if (result == CLI_DONE) result = write_outputs(s, w);
    return result == CLI_DONE ? print(s, w) : result;
}

int cli_ec(const cli_command *self, int argc, char **argv)
{
    settings s = {.method = "fast",
                  .order = "index",
                  .device = "auto",
                  .memory = "pageable",
                  .min_size = 1,
                  .repeat = 1,
                  .warmup = CLI_UNSET,
                  .top = 10,
                  .region = CLI_REGION_ALL};
    const char *input = NULL;
    const cli_parsed parsed = cli_parse(self, argc, argv, &s, &input);
    if (parsed != CLI_PARSED_RUN) return CLI_EXIT_STATUS(parsed);
    clump_context_options context = clump_context_defaults();
    clump_format output_format = CLUMP_FORMAT_GUESS;
    cli_memory_kind memory = CLI_MEMORY_PAGEABLE;
    int status = check_settings(self, &s, &context, &memory, &output_format);
    if (status != CLI_DONE) return status;

    work w = {.output_format = output_format,
              .memory_kind = memory,
              .report = {.command = self->name,
                         .input = input,
                         .distance = s.distance,
                         .device = context.device,
                         .memory = s.memory}};
    status = run(&s, &context, &w);
    cli_memory_release(&w.memory);
    free(w.clusters);
    free(w.labels);
    free(w.mask);
    clump_context_destroy(w.context);
    clump_cloud_destroy(w.cloud);
    return status;
}
