/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_hdbscan.c: `clump hdbscan`: its options and its call; cluster.c does the rest. --cuts goes a way of its own: one tree,
 * and the clusters of several distances from it; --dendrogram goes the same way, and draws the tree.
 */
#include "commands/options.h"
#include "base/number.h"
#include "cluster/plan.h"
#include "files/source.h"

#include <clump/info.h>
#include <clump/tree.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_cluster common; /* first: cluster.c knows only this */
    clump_hdbscan_options hdbscan;
    const char *cuts, *dendrogram; /* --cuts, --dendrogram; null: not given */
    bool probability;
} settings;

enum { HDBSCAN_CUTS = 64 }; /* the most distances of --cuts */

static const cli_option option_rows[] = {
    CLI_ROWS("hdbscan", offsetof(settings, hdbscan), .only = "min_cluster_size min_samples epsilon", .matters = true),
    CLI_ROWS("hdbscan", offsetof(settings, hdbscan), .without = "min_cluster_size min_samples epsilon"),
    CLI_OPTION(CLI_TEXT, 0, "cuts", "R,R,...", offsetof(settings, cuts), .not_with = CLI_WAY_EACH | CLI_WAY_FRAMES,
               .matters = true,
               .help = "count the clusters of 'clump ec' at each of these distances instead, all from one tree; with "
                       "--min-samples N those of 'clump dbscan --no-border --min-points N'"),
    CLI_OPTION(CLI_FILE, 0, "dendrogram", "FILE.svg", offsetof(settings, dendrogram),
               .not_with = CLI_WAY_EACH | CLI_WAY_FRAMES,
               .help = "draw the tree of distances and the clusters that were chosen instead"),
    CLI_OPTION(CLI_SWITCH, 0, "probability", NULL, offsetof(settings, probability), .not_with = CLI_WAY_FRAMES,
               .help = "give OUT a field 'probability' too, how firmly a point is in its cluster, 0 to 1"),
    CLI_REGION_OPTIONS("; with --2d measured horizontally"),
    CLI_CLASS_OPTION,
    CLI_HEADING("How"),
    CLI_EACH_OPTIONS,
    CLI_RUN_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    CLI_CLUSTERS_OPTIONS("cluster"),
    CLI_TIMING_OPTIONS,
    {0}};

static clump_status call(clump_context *context, const void *given, const cli_memory *in, int32_t *clusters)
{
    clump_hdbscan_options options = ((const settings *)given)->hdbscan;
    options.mask = in->mask;
    options.probabilities = in->probability;
    return clump_hdbscan(context, in->points, &options, in->labels, clusters);
}

static void put_parameters(cli_json *j, const void *given)
{
    cli_put_rows(j, "hdbscan", NULL, NULL, &((const settings *)given)->hdbscan);
}

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    const settings defaults = {.common = cli_cluster_defaults(), .hdbscan = clump_hdbscan_defaults()};
    settings *const s = cli_plan_settings(plan, &defaults, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_plan_parse(self, argc, argv, plan));
    const clump_hdbscan_options *const o = &s->hdbscan;
    if (o->max_cluster_size > 0 && o->max_cluster_size < o->min_cluster_size)
        return cli_usage(self, "--min-cluster-size %d is greater than --max-cluster-size %d", o->min_cluster_size,
                         o->max_cluster_size);
    if (o->max_cluster_size > 0 && o->selection == CLUMP_HDBSCAN_LEAF)
        return cli_usage(self, "--max-cluster-size is for --selection eom");
    s->common.clustering.two_d = o->two_d;
    const int samples = o->min_samples > 0 ? o->min_samples : o->min_cluster_size;
    snprintf(plan->summary, sizeof plan->summary, "min-cluster-size %d, min-samples %d", o->min_cluster_size,
             samples < CLUMP_TREE_MOST_SAMPLES ? samples : CLUMP_TREE_MOST_SAMPLES);
    plan->job = (cli_cluster_job){.summary = plan->summary,
                                  .scale = 0.1f,
                                  .has_classes = true,
                                  .writes_probability = s->probability,
                                  .call = call,
                                  .put_parameters = put_parameters};
    return CLI_DONE;
}

/* --- --cuts --------------------------------------------------------------------------------------- */

/* The clusters of one distance. */
typedef struct cut_row {
    float distance;
    int32_t clusters;
    size_t noise, largest;
    uint64_t hash;
} cut_row;

typedef struct cut_work {
    const settings *s;
    const char *input;
    clump_cloud *cloud;
    clump_context *context;
    clump_format format;
    clump_tree_options options;
    size_t min_size;
    uint8_t *mask;
    int32_t *parents, *labels;
    float *heights, *cores;
    cut_row rows[HDBSCAN_CUTS];
    size_t count;
    clump_stats stats;
} cut_work;

/* Reads the distances. */
static int read_cuts(const cli_command *self, cut_work *w)
{
    const char *at = w->s->cuts;
    for (;; at++) {
        char *end;
        const float distance = strtof(at, &end);
        const float square = distance * distance;
        if (end == at || (*end != ',' && *end) || !(distance > 0) || !(square >= 1.2e-38f && square <= 3.4e38f))
            return cli_usage(self, "--cuts %s: '%.*s' is no distance above 0", w->s->cuts, (int)strcspn(at, ","), at);
        if (w->count == HDBSCAN_CUTS) return cli_usage(self, "--cuts takes up to %d distances", HDBSCAN_CUTS);
        w->rows[w->count++].distance = distance;
        at = end;
        if (!*at) return CLI_DONE;
    }
}

#define GIVEN(member) cli_was_given(self, &c->given, w->s, &w->s->member)

/* Refuses options that have no effect beside --cuts or --dendrogram. */
static int check_cuts(const cli_command *self, cut_work *w, clump_context_options *options)
{
    const cli_cluster *const c = &w->s->common;
    const bool drawn = w->s->dendrogram != NULL;
    clump_format_info info;
    const char *const other = c->clusters                                     ? "--clusters"
                              : c->keep                                       ? "--keep"
                              : c->repeat > 1                                 ? "--repeat"
                              : c->intensity                                  ? "--intensity"
                              : c->axes                                       ? "--axes"
                              : c->hull                                       ? "--hull"
                              : w->s->probability                             ? "--probability"
                              : GIVEN(common.warmup)                          ? "--warmup"
                              : drawn && w->s->cuts                           ? "--cuts"
                              : drawn && c->output                            ? "-o"
                              : drawn && c->json                              ? "--json"
                              : drawn && c->to                                ? "--to"
                              : drawn && GIVEN(common.top)                    ? "--top"
                              : !drawn && w->s->hdbscan.epsilon > 0           ? "--epsilon"
                              : !drawn && GIVEN(hdbscan.selection)            ? "--selection"
                              : !drawn && GIVEN(hdbscan.max_cluster_size)     ? "--max-cluster-size"
                              : !drawn && GIVEN(hdbscan.allow_single_cluster) ? "--allow-single-cluster"
                                                                              : NULL;
    if (other) return cli_usage(self, "%s has no effect with %s", other, drawn ? "--dendrogram" : "--cuts");
    if (c->region.min_range > c->region.max_range)
        return cli_usage(self, "--min-range %g is greater than --max-range %g", c->region.min_range,
                         c->region.max_range);
    if (c->drop_class) CLI_TRY(cli_classes_check(self, c->drop_class));
    cli_memory_kind kind;
    CLI_TRY(cli_check_device(self, c->device, c->memory, options, &kind));
    options->threads = (int)c->threads;
    if (!c->output) return CLI_DONE;
    CLI_TRY(cli_check_cloud_output(self, "-o", c->output, c->to, &w->format));
    if (clump_format_describe(w->format, &info) && !info.holds_fields)
        return cli_usage(self, "-o %s: a .%s file has no place for fields, use .pcd, .ply, .las or .csv", c->output,
                         info.extensions[0]);
    if (cli_is_dash(c->output) && c->json) return cli_usage(self, "-o - and --json both want standard output");
    return CLI_DONE;
}

/* Makes the tree. */
static int make_tree(cut_work *w)
{
    const cli_cluster *const c = &w->s->common;
    const clump_points points = clump_cloud_points(w->cloud);
    const bool has_region = !cli_region_is_all(&c->region), has_mask = has_region || c->drop_class;
    w->mask = has_mask ? cli_allocate(points.count, 1) : NULL;
    w->parents = cli_allocate(points.count, sizeof *w->parents);
    w->heights = cli_allocate(points.count, sizeof *w->heights);
    w->labels = cli_allocate(points.count, sizeof *w->labels);
    w->cores = w->options.min_samples > 1 ? cli_allocate(points.count, sizeof *w->cores) : NULL;
    if (!w->parents || !w->heights || !w->labels || (has_mask && !w->mask) || (w->options.min_samples > 1 && !w->cores))
        return cli_fail("not enough memory for the tree of %zu points", points.count);
    if (has_mask) memset(w->mask, 1, points.count);
    if (has_region) cli_region_mask(&c->region, w->cloud, w->options.two_d, w->mask);
    if (c->drop_class) CLI_TRY(cli_classes_mask(c->drop_class, w->cloud, w->input, w->mask));
    w->options.mask = w->mask, w->options.cores = w->cores;
    const clump_status status = clump_tree(w->context, points, &w->options, w->parents, w->heights);
    w->stats = clump_context_stats(w->context);
    return status == CLUMP_OK ? CLI_DONE : cli_fail_context(w->context, status);
}

/* Counts noise and the largest cluster of a cut. */
static int count_points(cut_work *w, cut_row *row, size_t count)
{
    size_t *const sizes = calloc((size_t)row->clusters + 1, sizeof *sizes);
    if (!sizes) return cli_fail("not enough memory to count %d clusters", (int)row->clusters);
    for (size_t i = 0; i < count; i++) {
        if (w->labels[i] < 0) {
            row->noise++;
            continue;
        }
        const size_t size = ++sizes[w->labels[i]];
        row->largest = size > row->largest ? size : row->largest;
    }
    free(sizes);
    return CLI_DONE;
}

/* Labels the points at one distance; with -o the cloud gets a field. */
static int make_cut(cut_work *w, size_t k)
{
    cut_row *const row = &w->rows[k];
    const size_t count = clump_cloud_points(w->cloud).count;
    const clump_status status = clump_tree_cut(w->context, w->parents, w->heights, w->cores, count, row->distance,
                                               w->min_size, w->labels, &row->clusters);
    if (status != CLUMP_OK) return cli_fail_context(w->context, status);
    row->hash = clump_labels_hash(w->labels, count);
    CLI_TRY(count_points(w, row, count));
    if (!w->s->common.output) return CLI_DONE;
    char name[24];
    snprintf(name, sizeof name, "cut%zu", k + 1);
    const clump_field field = {.name = name, .type = CLUMP_TYPE_I32, .count = 1, .data = w->labels};
    clump_message message = {0};
    const clump_status set = clump_cloud_set_field(w->cloud, &field, &message);
    return set == CLUMP_OK ? CLI_DONE : cli_fail_message(w->s->common.output, set, &message);
}

static void print_json(const cut_work *w)
{
    char hash[17];
    cli_json j = cli_json_begin(stdout, "hdbscan");
    cli_json_text(&j, "input", w->input);
    cli_json_open(&j, "parameters", '{');
    cli_json_int(&j, "min_samples", w->options.min_samples);
    cli_json_count(&j, "min_cluster_size", w->min_size);
    cli_json_bool(&j, "2d", w->options.two_d);
    cli_put_region(&j, &w->s->common.region);
    cli_put_classes(&j, w->s->common.drop_class);
    cli_json_close(&j, '}');
    cli_json_count(&j, "points", w->stats.points);
    cli_json_count(&j, "finite", w->stats.finite);
    cli_json_count(&j, "masked", w->stats.masked);
    cli_json_open(&j, "cuts", '[');
    for (size_t k = 0; k < w->count; k++) {
        const cut_row *const row = &w->rows[k];
        snprintf(hash, sizeof hash, "%016" PRIx64, row->hash);
        cli_json_open(&j, NULL, '{');
        cli_json_float(&j, "distance", row->distance);
        cli_json_int(&j, "clusters", row->clusters);
        cli_json_count(&j, "noise", row->noise);
        cli_json_count(&j, "largest", row->largest);
        cli_json_text(&j, "labels_hash", hash);
        cli_json_close(&j, '}');
    }
    cli_json_close(&j, ']');
    cli_json_int(&j, "threads", w->stats.threads);
    cli_json_ms(&j, "tree_ms", w->stats.build_ms + w->stats.cluster_ms + w->stats.label_ms);
    cli_json_end(&j);
}

static void print_text(const cut_work *w, FILE *to)
{
    cli_table_row *const rows = calloc(w->count + 1, sizeof *rows);
    if (!rows) return;
    static const char *const headings[] = {"distance", "number", "noise", "largest"};
    for (size_t i = 0; i < 4; i++) strcpy(rows[0].cell[i], headings[i]);
    for (size_t k = 0; k < w->count; k++) {
        const cut_row *const row = &w->rows[k];
        cli_float_text(rows[k + 1].cell[0], row->distance);
        snprintf(rows[k + 1].cell[1], CLI_NUMBER_SIZE, "%" PRId32, row->clusters);
        snprintf(rows[k + 1].cell[2], CLI_NUMBER_SIZE, "%zu", row->noise);
        snprintf(rows[k + 1].cell[3], CLI_NUMBER_SIZE, "%zu", row->largest);
    }
    fprintf(to, "%s: %zu point%s, clusters of %zu distance%s\n", cli_shown(w->input), w->stats.points,
            w->stats.points == 1 ? "" : "s", w->count, w->count == 1 ? "" : "s");
    cli_table_print(to, (const cli_table_group[]){{1, ""}, {3, "clusters"}, {0, NULL}}, rows, w->count + 1);
    free(rows);
}

/* Reads the cloud and makes its tree. */
static int load_tree(cut_work *w, const clump_context_options *options)
{
    w->cloud = cli_load(CLI_INPUT(&w->s->common, .path = w->input, .quiet = w->s->common.quiet));
    if (!w->cloud) return CLI_FAILED;
    CLI_TRY(cli_context_create(options, &w->context));
    return make_tree(w);
}

/* --dendrogram. */
static int run_picture(const cli_command *self, cut_work *w)
{
    const char *const path = w->s->dendrogram, *const dot = strrchr(path, '.');
    const clump_hdbscan_options *const o = &w->s->hdbscan;
    clump_context_options options = clump_context_defaults();
    if (!dot || strcmp(dot, ".svg") != 0) return cli_usage(self, "--dendrogram %s: the name must end in .svg", path);
    const int samples = o->min_samples > 0 ? o->min_samples : o->min_cluster_size;
    w->options.min_samples = samples < CLUMP_TREE_MOST_SAMPLES ? samples : CLUMP_TREE_MOST_SAMPLES;
    CLI_TRY(check_cuts(self, w, &options));
    CLI_TRY(cli_check_output(path));
    CLI_TRY(load_tree(w, &options));
    const size_t count = clump_cloud_points(w->cloud).count;
    int32_t clusters = 0;
    const clump_status status = clump_hdbscan_label(w->context, w->parents, w->heights, count, o, w->labels, &clusters);
    if (status != CLUMP_OK) return cli_fail_context(w->context, status);
    const cli_dendrogram drawn = {
        w->input, w->parents, w->heights, w->labels, count, clusters, (size_t)o->min_cluster_size};
    CLI_TRY(cli_dendrogram_write(path, &drawn));
    if (!w->s->common.quiet)
        printf("%s: %zu point%s, %" PRId32 " cluster%s\nwrote %s\n", cli_shown(w->input), count, count == 1 ? "" : "s",
               clusters, clusters == 1 ? "" : "s", cli_shown(path));
    return CLI_DONE;
}

static int run_cuts(const cli_command *self, const settings *s, const char *input, cut_work *w)
{
    *w = (cut_work){.s = s, .input = input, .options = clump_tree_defaults(), .min_size = 1};
    clump_context_options options = clump_context_defaults();
    w->options.two_d = s->hdbscan.two_d;
    if (s->dendrogram) return run_picture(self, w);
    if (s->hdbscan.min_samples > 0) w->options.min_samples = s->hdbscan.min_samples;
    if (cli_was_given(self, &s->common.given, s, &s->hdbscan.min_cluster_size))
        w->min_size = (size_t)s->hdbscan.min_cluster_size;
    CLI_TRY(read_cuts(self, w));
    CLI_TRY(check_cuts(self, w, &options));
    CLI_TRY(load_tree(w, &options));
    for (size_t k = 0; k < w->count; k++) CLI_TRY(make_cut(w, k));
    const char *const output = s->common.output;
    if (output) CLI_TRY(cli_save(output, w->cloud, NULL, w->format, CLUMP_ENCODING_DEFAULT, s->common.quiet));
    if (s->common.json) print_json(w);
    FILE *const to = cli_is_dash(output) ? stderr : stdout;
    if (!s->common.json && !s->common.quiet) print_text(w, to);
    if (!s->common.json && !s->common.quiet && output && to == stdout) printf("wrote %s\n", cli_shown(output));
    return CLI_DONE;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    cli_plan plan = {0};
    int status = plan_command(self, argc, argv, &plan);
    const settings *const s = plan.settings;
    const bool own_way = status == CLI_DONE && (s->cuts || s->dendrogram);
    if (own_way && plan.input_count > 1) {
        status = cli_usage(self, "unexpected argument '%s'; %s is for one file", plan.inputs[1],
                           s->dendrogram ? "--dendrogram" : "--cuts");
    } else if (own_way) {
        cut_work w;
        status = run_cuts(self, s, plan.input, &w);
        free(w.mask), free(w.parents), free(w.heights), free(w.cores), free(w.labels);
        clump_context_destroy(w.context);
        clump_cloud_destroy(w.cloud);
    } else if (status == CLI_DONE) {
        cli_plan_release(&plan);
        return cli_plan_run(self, argc, argv);
    }
    cli_plan_release(&plan);
    return status;
}

const cli_command cli_cmd_hdbscan = {
    .name = "hdbscan",
    .operands = "IN...",
    .usage = "IN... [options]",
    .brief = "clusters of any density, without a distance",
    .about = "Follows the clusters of all distances and keeps those that last longest\n"
             "(HDBSCAN). A place is dense where the N points of --min-samples are near. Points\n"
             "that belong to no cluster for long are noise, -1. Pairs of points that are\n"
             "equally far apart count at once: the result depends neither on the order of the\n"
             "points nor on threads. Remove the ground first; it joins all that stands on it.\n"
             "On a GPU the tree of distances is made there, and the choice on the CPU.\n",
    .examples = "clump hdbscan objects.pcd --min-cluster-size 20 --min-samples 10\n"
                "    clusters of 20 points or more\n"
                "clump ground scan.pcd --keep objects -o objects.pcd\n"
                "    what HDBSCAN needs: the scan without its ground\n"
                "clump hdbscan objects.pcd --min-cluster-size 20 --epsilon 0.5 -o labelled.pcd\n"
                "    what is nearer than 0.5 stays together\n"
                "clump hdbscan objects.pcd --cuts 0.2,0.5,1\n"
                "    how many clusters 'clump ec' has at three distances\n"
                "clump hdbscan objects.pcd --min-cluster-size 20 --dendrogram tree.svg\n"
                "    a picture of the tree, its clusters in colour\n",
    .options = option_rows,
    .run = run_command,
    .plan = plan_command,
};
