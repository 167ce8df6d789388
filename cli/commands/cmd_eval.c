/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_eval.c: `clump eval`: how good a labelling is, or the labellings of a folder, or poses. Reads the files of each pair and
 * computes the range of each point; eval.h lists where the measures are computed.
 */
#include "base/cli.h"
#include "common/assert.h"
#include "eval/eval.h"
#include "eval/eval_poses.h"
#include "eval/eval_report.h"
#include "commands/options.h"

#include <math.h>
#include <stdlib.h>

typedef struct settings {
    const char *cloud, *scene;
    cli_region region; /* sensor and max_range alone */
    double extent, band;
    size_t min_size;
    bool instances, json, quiet;
} settings;

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_OPTION(CLI_FILE, 0, "cloud", "FILE", AT(cloud), .matters = true,
               .help = "the points, for ranges, if neither LABELED nor TRUTH has them; a folder if these are folders"),
    CLI_OPTION(CLI_NUMBER, 0, "max-range", "R", AT(region.max_range), .matters = true,
               .help = "only points at most R from the sensor count (default inf)"),
    CLI_OPTION(CLI_NUMBER, 0, "extent", "L", AT(extent),
               .help = "only points in the square of side L around the sensor count (default inf)"),
    CLI_OPTION(CLI_TRIPLE, 0, "sensor", "X,Y,Z", AT(region.sensor),
               .help = "where the sensor is, in coordinates of the file (default 0,0,0)"),
    CLI_OPTION(CLI_COUNT, 0, "min-size", "N", AT(min_size), .least = 1, .matters = true,
               .help = "instances and clusters of fewer points are not judged (default 1)"),
    CLI_OPTION(CLI_NUMBER, 0, "band", "W", AT(band),
               .help = "width of the bands of range (default 10); there are 6, the last without end"),
    CLI_OPTION(CLI_TEXT, 0, "scene", "REGEX", AT(scene),
               .help = "folders: the scene is what the first group, else all of this extended regular expression, "
                       "matches in a name (default: the folder in the name, else what is before its last '_')"),
    CLI_OPTION(CLI_SWITCH, 0, "instances", NULL, AT(instances), .matters = true, .help = "list every instance"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "say nothing odd of the files"),
    {0}};
#undef AT

/* One pair of files. */
typedef struct evaluation {
    const settings *s;
    const char *labeled_path, *truth_path, *cloud_path; /* cloud_path: null, or of --cloud */
    cli_eval_source labeled, truth;
    clump_cloud *cloud; /* of cloud_path */
    float *range;
    uint8_t *inside;
    uint16_t *classes;
    int32_t *objects;
} evaluation;

static int compare_counts(const char *a, size_t in_a, const char *b, size_t in_b)
{
    if (in_a == in_b) return CLI_DONE;
    return cli_fail("%s has %zu points and %s %zu: they are not of one cloud", a, in_a, b, in_b);
}

/* Returns the cloud with the points; null: there is none. */
static const clump_cloud *cloud_of(const evaluation *w)
{
    return w->cloud ? w->cloud : w->labeled.cloud ? w->labeled.cloud : w->truth.cloud;
}

/* Computes the range of every point, and which points lie in the region that counts. */
static int find_ranges(const cli_command *self, evaluation *w)
{
    const settings *s = w->s;
    const size_t count = w->labeled.count;
    if (w->cloud_path) {
        w->cloud = cli_load(&(cli_input){.path = w->cloud_path, .quiet = s->quiet});
        if (!w->cloud) return CLI_FAILED;
        CLI_TRY(compare_counts(w->cloud_path, clump_cloud_points(w->cloud).count, w->labeled_path, count));
    }
    const clump_cloud *const cloud = cloud_of(w);
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

/* Fails where no point has a true label: there is nothing to compare with. */
static int check_truth(const evaluation *w)
{
    if (w->truth.count == 0) return cli_fail("%s: has no points, so there is nothing to compare", w->truth_path);
    for (size_t i = 0; i < w->truth.count; i++)
        if (w->truth.labels[i] != CLI_EVAL_UNKNOWN) return CLI_DONE;
    return cli_fail("%s: no point has a true label", w->truth_path);
}

/* Finds the class of every point and, where there are points, the objects of TRAVEL. */
static int find_objects(evaluation *w, cli_eval_input *in)
{
    if (!w->truth.words) return CLI_DONE;
    w->classes = cli_allocate(in->count, sizeof *w->classes);
    w->objects = cli_allocate(in->count, sizeof *w->objects);
    if (!w->classes || !w->objects) return cli_fail("not enough memory for the classes of %zu points", in->count);
    for (size_t i = 0; i < in->count; i++) w->classes[i] = w->truth.words[i] & 0xffff;
    in->classes = w->classes;
    if (!cloud_of(w)) return CLI_DONE;
    CLI_TRY(cli_eval_find_objects(in, cloud_of(w), w->truth.words, w->objects));
    in->objects = w->objects;
    return CLI_DONE;
}

static int judge(const cli_command *self, evaluation *w, cli_eval_file *file)
{
    const settings *s = w->s;
    CLI_TRY(cli_eval_read(w->labeled_path, false, s->quiet, &w->labeled));
    CLI_TRY(cli_eval_read(w->truth_path, true, s->quiet, &w->truth));
    CLI_TRY(compare_counts(w->labeled_path, w->labeled.count, w->truth_path, w->truth.count));
    CLI_TRY(check_truth(w));
    CLI_TRY(find_ranges(self, w));
    cli_eval_input in = {.count = w->labeled.count,
                         .labels = w->labeled.labels,
                         .truth = w->truth.labels,
                         .range = w->range,
                         .inside = w->inside,
                         .min_size = s->min_size,
                         .band = s->band};
    CLI_TRY(find_objects(w, &in));
    file->points = in.count;
    file->pairs = w->truth.pairs;
    if (!cli_eval_measure(&in, &file->result)) return cli_fail("not enough memory to judge %zu points", in.count);
    return CLI_DONE;
}

/* Judges one pair of files. The names of *file are set. */
static int judge_file(const cli_command *self, const settings *s, const char *cloud, cli_eval_file *file)
{
    evaluation w = {.s = s, .labeled_path = file->labeled, .truth_path = file->truth, .cloud_path = cloud};
    const int status = judge(self, &w, file);
    free(w.range);
    free(w.inside);
    free(w.classes);
    free(w.objects);
    clump_cloud_destroy(w.cloud);
    cli_eval_release(&w.labeled);
    cli_eval_release(&w.truth);
    if (!s->instances) cli_eval_free(&file->result);
    return status;
}

static int print_report(const settings *s, cli_eval_report *report)
{
    if (!cli_eval_gather(report)) return cli_fail("not enough memory for the sums of %zu files", report->file_count);
    if (s->json)
        cli_eval_json(stdout, report);
    else
        cli_eval_text(stdout, report);
    return CLI_DONE;
}

static int run_pairs(const cli_command *self, const settings *s, const cli_eval_pairs *pairs, cli_eval_report *report)
{
    report->files = calloc(pairs->count, sizeof *report->files);
    if (!report->files) return cli_fail("not enough memory for the results of %zu files", pairs->count);
    for (size_t i = 0; i < pairs->count; i++) {
        const cli_eval_pair *const pair = &pairs->list[i];
        CLUMP_ASSERT(report->file_count < pairs->count);
        cli_eval_file *const file = &report->files[report->file_count++];
        *file = (cli_eval_file){.labeled = pair->labeled, .truth = pair->truth, .scene = pair->scene};
        CLI_TRY(judge_file(self, s, pair->cloud, file));
    }
    return print_report(s, report);
}

static int run_folders(const cli_command *self, const settings *s, const char *const operands[2],
                       cli_eval_report *report)
{
    cli_eval_pairs pairs = {0};
    int status = cli_eval_pair_files(self, operands, s->cloud, s->scene, &pairs);
    if (status == CLI_DONE) status = run_pairs(self, s, &pairs, report);
    cli_eval_pairs_free(&pairs);
    return status;
}

static int run_one(const cli_command *self, const settings *s, const char *const operands[2], cli_eval_report *report)
{
    if (s->scene) return cli_usage(self, "--scene is for folders, and %s is a file", operands[0]);
    report->files = calloc(1, sizeof *report->files);
    if (!report->files) return cli_fail("not enough memory for the results");
    report->file_count = 1;
    report->files[0] = (cli_eval_file){.labeled = operands[0], .truth = operands[1]};
    CLI_TRY(judge_file(self, s, s->cloud, &report->files[0]));
    return print_report(s, report);
}

/* Fails where a folder and a file are to be compared. */
static int check_kinds(const cli_command *self, const settings *s, const char *const operands[2], bool many)
{
    const char *const names[] = {operands[0], operands[1], s->cloud};
    for (size_t k = 1; k < 3; k++)
        if (names[k] && cli_is_folder(names[k]) != many)
            return cli_usage(self, "%s is a %s and %s a %s: give files, or folders", names[0], many ? "folder" : "file",
                             names[k], many ? "file" : "folder");
    return CLI_DONE;
}

/* Judges poses. Options that are for labels are refused. */
static int run_poses(const cli_command *self, const settings *s, const char *const operands[2])
{
    const char *const labels_only = s->cloud                      ? "--cloud"
                                    : s->scene                    ? "--scene"
                                    : !isinf(s->region.max_range) ? "--max-range"
                                    : !isinf(s->extent)           ? "--extent"
                                    : s->min_size != 1            ? "--min-size"
                                    : s->instances                ? "--instances"
                                                                  : NULL;
    if (labels_only) return cli_usage(self, "%s is for labels, and %s has poses", labels_only, operands[0]);
    cli_eval_poses result = {0};
    CLI_TRY(cli_eval_judge_poses(operands[0], operands[1], &result));
    if (s->json)
        cli_eval_poses_json(stdout, operands[0], operands[1], &result);
    else
        cli_eval_poses_text(stdout, &result);
    return CLI_DONE;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.region = CLI_REGION_ALL, .extent = INFINITY, .band = 10, .min_size = 1};
    const char *operands[2] = {NULL, NULL};
    CLI_TRY(cli_parse(self, argc, argv, &s, operands));
    if (cli_eval_is_poses(operands[0])) return run_poses(self, &s, operands);
    if (!(s.band > 0) || !isfinite(s.band)) return cli_usage(self, "--band must be a width greater than 0");
    const bool many = cli_is_folder(operands[0]);
    CLI_TRY(check_kinds(self, &s, operands, many));

    const double *const at = s.region.sensor;
    cli_eval_report report = {.labeled = operands[0],
                              .truth = operands[1],
                              .parameters = {.max_range = s.region.max_range,
                                             .extent = s.extent,
                                             .sensor = {at[0], at[1], at[2]},
                                             .min_size = s.min_size,
                                             .band = s.band,
                                             .scene = s.scene},
                              .many = many,
                              .instances = s.instances};
    const int status = many ? run_folders(self, &s, operands, &report) : run_one(self, &s, operands, &report);
    cli_eval_report_free(&report);
    return status;
}

const cli_command cli_cmd_eval = {
    .name = "eval",
    .operands = "LABELED TRUTH",
    .usage = "LABELED TRUTH [options]",
    .brief = "how good labels or poses are, against true ones",
    .about = "For every true instance: matched (a cluster has an IoU of at least 0.5 with it),\n"
             "over-segmented, under-segmented or missed; the panoptic quality PQ, where a\n"
             "piece of an instance and a mixture are false positives; precision, recall and\n"
             "F1 of the ground, with and without vegetation; OSE and USE, the entropies of\n"
             "over- and under-segmentation; the share of clusters that are not wrong; the\n"
             "adjusted Rand index; tables by range, size and class. LABELED is a cloud with a\n"
             "field 'label', or labels alone (.labels .npy). TRUTH is a SemanticKITTI .label\n"
             "file, labels alone, or a cloud with the fields 'semantic' and 'instance', or\n"
             "'truth', or 'label'. Both can be folders, whose files are paired by name: counts\n"
             "are summed, and means are taken over files and over scenes. Files of poses\n"
             "(KITTI, TUM) are recognised: relative errors as KITTI defines them, per frame,\n"
             "and the absolute error after alignment, as TUM does.\n",
    .examples = "clump eval found.pcd 000000.label --max-range 20 --min-size 50\n"
                "clump eval found.labels 000000.label --cloud 000000.bin --json\n"
                "clump eval found.pcd toy.pcd --instances\n"
                "    against the clusters that 'clump gen factors' made\n"
                "clump eval found/ sequences/ --cloud sequences/ --min-size 50 --json\n"
                "    all frames of SemanticKITTI, a scene per sequence\n"
                "clump eval poses.txt truth.txt\n"
                "    how far odometry is from the true poses\n",
    .options = option_rows,
    .run = run_command,
};
