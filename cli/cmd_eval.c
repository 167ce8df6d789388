/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_eval.c: `clump eval`: how good a labelling is. Reads both files and computes the range of each point;
 * eval_measure.c computes the measures.
 */
#include "cli.h"
#include "eval.h"
#include "eval_read.h"
#include "eval_report.h"
#include "options.h"

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
static const cli_option option_rows[] = {
    CLI_OPTION(CLI_FILE, 0, "cloud", "FILE", AT(cloud),
               .help = "the points, for ranges, if neither LABELED nor TRUTH has them"),
    CLI_OPTION(CLI_NUMBER, 0, "max-range", "R", AT(region.max_range),
               .help = "only points at most R from the sensor count (default inf)"),
    CLI_OPTION(CLI_NUMBER, 0, "extent", "L", AT(extent),
               .help = "only points in the square of side L around the sensor count (default inf)"),
    CLI_OPTION(CLI_TRIPLE, 0, "sensor", "X,Y,Z", AT(region.sensor),
               .help = "where the sensor is, in coordinates of the file (default 0,0,0)"),
    CLI_OPTION(CLI_COUNT, 0, "min-size", "N", AT(min_size), .least = 1,
               .help = "instances and clusters of fewer points are not judged (default 1)"),
    CLI_OPTION(CLI_NUMBER, 0, "band", "W", AT(band),
               .help = "width of the bands of range (default 10); there are 6, the last without end"),
    CLI_OPTION(CLI_SWITCH, 0, "instances", NULL, AT(instances), .help = "list every instance"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "say nothing odd of the files"),
    {0}};
#undef AT

typedef struct evaluation {
    const settings *s;
    const char *labeled_path, *truth_path;
    cli_eval_source labeled, truth;
    clump_cloud *cloud; /* of --cloud */
    float *range;
    uint8_t *inside;
    cli_eval_result result;
} evaluation;

static int compare_counts(const char *a, size_t in_a, const char *b, size_t in_b)
{
    if (in_a == in_b) return CLI_DONE;
    return cli_fail("%s has %zu points and %s %zu: they are not of one cloud", a, in_a, b, in_b);
}

/* Computes the range of every point, and which points lie in the region that counts. */
static int find_ranges(const cli_command *self, evaluation *w)
{
    const settings *s = w->s;
    const size_t count = w->labeled.count;
    if (s->cloud) {
        w->cloud = cli_load(&(cli_input){.path = s->cloud, .quiet = s->quiet});
        if (!w->cloud) return CLI_FAILED;
        CLI_TRY(compare_counts(s->cloud, clump_cloud_points(w->cloud).count, w->labeled_path, count));
    }
    const clump_cloud *cloud = w->cloud ? w->cloud : w->labeled.cloud ? w->labeled.cloud : w->truth.cloud;
    if (!cloud) {
        if (!isinf(s->region.max_range) || !isinf(s->extent))
            return cli_usage(self, "--%s needs the points: --cloud FILE",
                             isinf(s->region.max_range) ? "extent" : "max-range");
        return CLI_DONE;
    }
    w->range = cli_allocate(count, sizeof *w->range);
    w->inside = cli_allocate(count, 1);
    if (!w->range || !w->inside) return cli_fail("not enough memory for the ranges of %zu points", count);
    const clump_points points = clump_cloud_points(cloud);
    const double *origin = clump_cloud_origin(cloud);
    for (size_t i = 0; i < count; i++) {
        double d[3];
        for (size_t axis = 0; axis < 3; axis++)
            d[axis] = (double)cli_point(points, i)[axis] + (origin[axis] - s->region.sensor[axis]);
        w->range[i] = (float)sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        w->inside[i] =
            w->range[i] <= (float)s->region.max_range && fabs(d[0]) <= s->extent / 2 && fabs(d[1]) <= s->extent / 2;
    }
    return CLI_DONE;
}

static int run(const cli_command *self, evaluation *w)
{
    const settings *s = w->s;
    CLI_TRY(cli_eval_read(w->labeled_path, false, s->quiet, &w->labeled));
    CLI_TRY(cli_eval_read(w->truth_path, true, s->quiet, &w->truth));
    CLI_TRY(compare_counts(w->labeled_path, w->labeled.count, w->truth_path, w->truth.count));
    CLI_TRY(find_ranges(self, w));
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

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.region = CLI_REGION_ALL, .extent = INFINITY, .band = 10, .min_size = 1};
    const char *operands[2] = {NULL, NULL};
    CLI_TRY(cli_parse(self, argc, argv, &s, operands));
    if (!(s.band > 0) || !isfinite(s.band)) return cli_usage(self, "--band must be a width greater than 0");

    evaluation w = {.s = &s, .labeled_path = operands[0], .truth_path = operands[1]};
    const int status = run(self, &w);
    cli_eval_free(&w.result);
    free(w.range);
    free(w.inside);
    clump_cloud_destroy(w.cloud);
    cli_eval_release(&w.labeled);
    cli_eval_release(&w.truth);
    return status;
}

const cli_command cli_cmd_eval = {
    .name = "eval",
    .operands = "LABELED TRUTH",
    .usage = "LABELED TRUTH [options]",
    .brief = "how good a labelling is, against true labels",
    .about = "For every true instance: matched (a cluster has an IoU of at least 0.5 with it),\n"
             "over-segmented, under-segmented or missed; precision, recall and F1 of the\n"
             "ground; the share of clusters that are not wrong; the adjusted Rand index; all\n"
             "by range. LABELED is a cloud with a field 'label', or labels alone (.labels\n"
             ".npy). TRUTH is a SemanticKITTI .label file, labels alone, or a cloud with the\n"
             "fields 'semantic' and 'instance', or 'truth', or 'label'.\n",
    .examples = "clump eval found.pcd 000000.label --max-range 20 --min-size 50\n"
                "clump eval found.labels 000000.label --cloud 000000.bin --json\n"
                "clump eval found.pcd toy.pcd --instances\n"
                "    against the clusters that 'clump gen factors' made\n",
    .options = option_rows,
    .run = run_command,
};
