/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_eval.c: `clump eval`: how good a labelling is. Reads both, finds out how far each point is, and leaves the
 * measuring to eval_measure.c.
 */
#include "cli.h"
#include "eval.h"
#include "eval_read.h"
#include "eval_report.h"
#include "region.h"

#include <math.h>
#include <stdlib.h>

typedef struct settings {
    const char *cloud;
    cli_region region; /* sensor and max_range alone */
    double extent, band;
    size_t min_size;
    bool instances, json, quiet;
} settings;

#define AT(member) offsetof(settings, member)
const cli_option cli_eval_options[] = {
    {.kind = CLI_FILE,
     .name = "cloud",
     .argument = "FILE",
     .target = AT(cloud),
     .help = "the points, for ranges, if neither LABELED nor TRUTH has them"},
    {.kind = CLI_NUMBER,
     .name = "max-range",
     .argument = "R",
     .target = AT(region.max_range),
     .help = "only points at most R from the sensor count (default inf)"},
    {.kind = CLI_NUMBER,
     .name = "extent",
     .argument = "L",
     .target = AT(extent),
     .help = "only points in the square of side L around the sensor count (default inf)"},
    {.kind = CLI_TRIPLE,
     .name = "sensor",
     .argument = "X,Y,Z",
     .target = AT(region.sensor),
     .help = "where the sensor is, in coordinates of the file (default 0,0,0)"},
    {.kind = CLI_COUNT,
     .name = "min-size",
     .argument = "N",
     .target = AT(min_size),
     .least = 1,
     .help = "instances and clusters of fewer points are not judged (default 1)"},
    {.kind = CLI_NUMBER,
     .name = "band",
     .argument = "W",
     .target = AT(band),
     .help = "width of the bands of range (default 10); there are 6, the last without end"},
    {.kind = CLI_SWITCH, .name = "instances", .target = AT(instances), .help = "list every instance"},
    {.kind = CLI_SWITCH, .name = "json", .target = AT(json), .help = "print one JSON object instead of text"},
    {.kind = CLI_SWITCH, .letter = 'q', .name = "quiet", .target = AT(quiet), .help = "say nothing odd of the files"},
    {0}};
#undef AT

typedef struct work {
    const settings *s;
    const char *labeled_path, *truth_path;
    cli_eval_source labeled, truth;
    clump_cloud *cloud; /* of --cloud */
    float *range;
    uint8_t *inside;
    cli_eval_result result;
} work;

static int compare_counts(const char *a, size_t in_a, const char *b, size_t in_b)
{
    if (in_a == in_b) return CLI_DONE;
    return cli_fail("%s has %zu points and %s %zu: they are not of one cloud", a, in_a, b, in_b);
}

/* Range of every point, and which lie in the region that counts. */
static int find_ranges(const cli_command *self, work *w)
{
    const settings *s = w->s;
    const size_t count = w->labeled.count;
    if (s->cloud) {
        w->cloud = cli_load(&(cli_input){.path = s->cloud, .quiet = s->quiet});
        if (!w->cloud) return CLI_FAILED;
        const int same = compare_counts(s->cloud, clump_cloud_points(w->cloud).count, w->labeled_path, count);
        if (same != CLI_DONE) return same;
    }
    const clump_cloud *cloud = w->cloud ? w->cloud : w->labeled.cloud ? w->labeled.cloud : w->truth.cloud;
    if (!cloud) {
        if (!isinf(s->region.max_range) || !isinf(s->extent))
            return cli_usage(self, "--%s needs the points: --cloud FILE",
                             isinf(s->region.max_range) ? "extent" : "max-range");
        return CLI_DONE;
    }
    w->range = malloc((count ? count : 1) * sizeof *w->range);
    w->inside = malloc(count ? count : 1);
    if (!w->range || !w->inside) return cli_fail("not enough memory for the ranges of %zu points", count);
    const clump_points points = clump_cloud_points(cloud);
    const double *origin = clump_cloud_origin(cloud);
    const size_t stride = points.stride ? points.stride / sizeof(float) : 3;
    for (size_t i = 0; i < count; i++) {
        double d[3];
        for (size_t axis = 0; axis < 3; axis++)
            d[axis] = (double)points.xyz[i * stride + axis] + (origin[axis] - s->region.sensor[axis]);
        w->range[i] = (float)sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        w->inside[i] =
            w->range[i] <= (float)s->region.max_range && fabs(d[0]) <= s->extent / 2 && fabs(d[1]) <= s->extent / 2;
    }
    return CLI_DONE;
}

static int run(const cli_command *self, work *w)
{
    const settings *s = w->s;
    int status = cli_eval_read(w->labeled_path, false, s->quiet, &w->labeled);
    if (status == CLI_DONE) status = cli_eval_read(w->truth_path, true, s->quiet, &w->truth);
    if (status == CLI_DONE) status = compare_counts(w->labeled_path, w->labeled.count, w->truth_path, w->truth.count);
    if (status == CLI_DONE) status = find_ranges(self, w);
    if (status != CLI_DONE) return status;

    const cli_eval_input in = {.count = w->labeled.count,
                               .labels = w->labeled.labels,
                               .truth = w->truth.labels,
                               .range = w->range,
                               .inside = w->inside,
                               .min_size = s->min_size,
                               .band = s->band};
    if (!cli_eval_measure(&in, &w->result)) return cli_fail("not enough memory to judge %zu points", in.count);
    const cli_eval_report report = {.labeled = w->labeled_path,
                                    .truth = w->truth_path,
                                    .in = &in,
                                    .result = &w->result,
                                    .max_range = s->region.max_range,
                                    .extent = s->extent,
                                    .sensor = s->region.sensor,
                                    .pairs = w->truth.pairs,
                                    .instances = s->instances};
    if (s->json)
        cli_eval_json(stdout, &report);
    else
        cli_eval_text(stdout, &report);
    return CLI_DONE;
}

int cli_eval(const cli_command *self, int argc, char **argv)
{
    settings s = {.region = CLI_REGION_ALL, .extent = INFINITY, .band = 10, .min_size = 1};
    const char *operands[2] = {NULL, NULL};
    const cli_parsed parsed = cli_parse(self, argc, argv, &s, operands);
    if (parsed != CLI_PARSED_RUN) return CLI_EXIT_STATUS(parsed);
    if (!(s.band > 0) || !isfinite(s.band)) return cli_usage(self, "--band must be a width greater than 0");

    work w = {.s = &s, .labeled_path = operands[0], .truth_path = operands[1]};
    const int status = run(self, &w);
    cli_eval_free(&w.result);
    free(w.range);
    free(w.inside);
    clump_cloud_destroy(w.cloud);
    cli_eval_release(&w.labeled);
    cli_eval_release(&w.truth);
    return status;
}
