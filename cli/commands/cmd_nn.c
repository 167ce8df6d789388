/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_nn.c: `clump nn`: the nearest points of one cloud for every point of another.
 */
#include "pair/pair.h"
#include "commands/options.h"
#include "view/view.h"

#include <clump/info.h>
#include <clump/index.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_pair_settings common;
    size_t k;
    clump_index_options index;
    double max_distance;
    const char *method;
} settings;

static const char *method_choice(int i)
{
    return clump_nn_method_name((clump_nn_method)i);
}

#define AT(member) offsetof(settings, member)

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_COUNT, 'k', "k", "K", AT(k), .least = 1, .most = CLUMP_NN_MAX_K, .matters = true,
               .help = "neighbours of each point, nearest first (default 1, at most 128)"),
    CLI_OPTION(CLI_NUMBER, 0, "max-distance", "R", AT(max_distance), .matters = true,
               .help = "only points at most R away (default inf); 0 finds points that coincide"),
    CLI_HEADING("How"),
    CLI_OPTION(CLI_CHOICE, 0, "method", "NAME", AT(method), .choices = method_choice,
               .help = "algorithm; all but azimuth find the same (default fast)"),
    CLI_ROWS("index", AT(index), .only = NULL),
    CLI_PAIR_INPUT_OPTIONS,
    CLI_PAIR_OUTPUT_OPTIONS("B with the fields 'neighbour' and 'distance' added (" CLI_MORE_FIELDS
                            "), or the numbers of the neighbours alone (.labels .npy)",
                            "build and search"),
    {0}};

typedef struct search {
    const settings *s;
    const char *const *paths;
    clump_context_options options;
    clump_index_options index_options;
    clump_format output_format;
    cli_view_kind view; /* the output is a page or a picture */
    const char *typed;  /* the command line, for a page */
    bool alone;         /* the output holds the indices of neighbours only */
    cli_pair pair;
    clump_context *context;
    clump_index *index;
    int32_t *indices;
    float *squared;
    cli_nn_report report;
} search;

/* ----- checks --------------------------------------------------------------------------------------- */

static int check_output(const cli_command *self, search *w)
{
    const settings *const s = w->s;
    clump_format_info info;
    w->view = cli_view_kind_of(s->common.output, s->common.to);
    if (w->view) return cli_view_check_output(self, "-o", s->common.output, s->common.json);
    CLI_TRY(cli_check_cloud_output(self, "-o", s->common.output, s->common.to, &w->output_format));
    if (!clump_format_describe(w->output_format, &info)) return CLI_DONE;
    w->alone = w->output_format == CLUMP_FORMAT_LABELS || w->output_format == CLUMP_FORMAT_NPY;
    if (!w->alone && !info.holds_fields)
        return cli_usage(self, "-o %s: a .%s file has no place for neighbours, use .pcd, .las, .csv, .npy or .labels",
                         s->common.output, info.extensions[0]);
    if (w->alone && s->k > 1)
        return cli_usage(self, "-o %s: a .%s file holds one number a point, with --k %zu use .pcd, .ply, .las or .csv",
                         s->common.output, info.extensions[0], s->k);
    if (cli_is_dash(s->common.output) && s->common.json)
        return cli_usage(self, "-o - and --json both want standard output");
    return CLI_DONE;
}

static int check_settings(const cli_command *self, search *w)
{
    const settings *const s = w->s;
    CLI_TRY(cli_pair_check(self, w->paths, &s->common, &w->options));
    clump_nn_method_from_name(s->method, &w->index_options.method);
    return s->common.output ? check_output(self, w) : CLI_DONE;
}

/* ----- the search ------------------------------------------------------------------------------------- */

static clump_status build_and_ask(void *given, clump_stats *stats)
{
    search *const w = given;
    clump_status status = w->index ? clump_index_rebuild(w->context, w->index, w->pair.reference)
                                   : clump_index_create(w->context, w->pair.reference, &w->index_options, &w->index);
    if (status != CLUMP_OK) return status;
    const clump_stats built = clump_context_stats(w->context);
    status = clump_index_knn(w->context, w->index, w->pair.other, (int)w->s->k, (float)w->s->max_distance, w->indices,
                             w->squared);
    *stats = clump_context_stats(w->context);
    stats->build_ms = built.build_ms;
    stats->upload_ms += built.upload_ms;
    memcpy(stats->reason, built.reason, sizeof stats->reason);
    w->report.stats = *stats;
    stats->cluster_ms = stats->query_ms;
    return status;
}

/* Repeats the search with an exact method and compares the results. */
static int compare(search *w)
{
    const size_t n = w->pair.other.count * w->s->k;
    int32_t *const indices = cli_allocate(n, sizeof *indices);
    float *const squared = cli_allocate(n, sizeof *squared);
    clump_index *exact = NULL;
    int result = CLI_DONE;
    if (!indices || !squared) {
        result = cli_fail("not enough memory to compare %zu neighbours", n);
    } else {
        clump_status status = clump_index_create(w->context, w->pair.reference, NULL, &exact);
        if (status == CLUMP_OK)
            status = clump_index_knn(w->context, exact, w->pair.other, (int)w->s->k, (float)w->s->max_distance, indices,
                                     squared);
        if (status == CLUMP_OK)
            cli_nn_compare(&w->report, w->squared, squared, n);
        else
            result = cli_fail_context(w->context, status);
    }
    clump_index_destroy(exact);
    free(indices);
    free(squared);
    return result;
}

/* ----- output ----------------------------------------------------------------------------------------- */

/* Returns what --json prints. The caller frees it. Null: no memory. */
static char *facts_of(const search *w)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    if (!to) return NULL;
    cli_nn_json(to, &w->report);
    return cli_text_end(to, &text);
}

/* Writes the page or picture: both clouds, and a line from each point of B to its nearest point. */
static int show(const search *w)
{
    const size_t count = w->pair.other.count, k = w->s->k;
    int32_t *const nearest = cli_allocate(count, sizeof *nearest);
    if (!nearest) return cli_fail("not enough memory to show %zu pairs", count);
    for (size_t i = 0; i < count; i++) nearest[i] = w->indices[i * k];
    cli_pair_view view = {.paths = w->paths,
                          .pair = &w->pair,
                          .command = "nn",
                          .typed = w->typed,
                          .facts = facts_of(w),
                          .out = cli_view_writing_of(w->view, w->s->common.output, w->s->common.quiet)};
    int status = cli_pair_view_begin(&view, 1);
    if (status == CLI_DONE) status = cli_pair_view_frame(&view, cli_view_name(w->paths[1]), nearest, true);
    if (status == CLI_DONE) status = cli_pair_view_end(&view);
    cli_pair_view_release(&view);
    free(nearest);
    return status;
}

static int save(search *w)
{
    const settings *const s = w->s;
    if (w->view) return show(w);
    if (w->alone)
        return cli_save(s->common.output, w->pair.b, w->indices, w->output_format, CLUMP_ENCODING_DEFAULT,
                        s->common.quiet);
    const size_t n = w->pair.other.count * s->k;
    for (size_t i = 0; i < n; i++) w->squared[i] = sqrtf(w->squared[i]); /* from squared to plain distances */
    const clump_field fields[2] = {
        {.name = "neighbour", .type = CLUMP_TYPE_I32, .count = (uint32_t)s->k, .data = w->indices},
        {.name = "distance", .type = CLUMP_TYPE_F32, .count = (uint32_t)s->k, .data = w->squared}};
    for (int f = 0; f < 2; f++) {
        clump_message message = {0};
        const clump_status status = clump_cloud_set_field(w->pair.b, &fields[f], &message);
        if (status != CLUMP_OK) return cli_fail_message(s->common.output, status, &message);
    }
    return cli_save(s->common.output, w->pair.b, NULL, w->output_format, CLUMP_ENCODING_DEFAULT, s->common.quiet);
}

static int run(search *w)
{
    const settings *const s = w->s;
    CLI_TRY(cli_pair_load(&w->pair, w->paths, &s->common));
    const size_t n = w->pair.other.count * s->k;
    w->indices = cli_allocate(n, sizeof *w->indices);
    w->squared = cli_allocate(n, sizeof *w->squared);
    if (!w->indices || !w->squared) return cli_fail("not enough memory for %zu neighbours", n);
    CLI_TRY(cli_context_create(&w->options, &w->context));
    CLI_TRY(cli_pair_repeat(&s->common, w->context, "searching", build_and_ask, w, &w->report.times));
    w->report.stats.host_bytes += clump_index_bytes(w->index);
    cli_nn_summarise(&w->report, w->indices, w->squared, n);
    if (w->report.approximate) CLI_TRY(compare(w));
    if (s->common.output) CLI_TRY(save(w));
    FILE *const to = cli_is_dash(s->common.output) ? stderr : stdout;
    if (s->common.json) {
        cli_nn_json(to, &w->report);
    } else if (!s->common.quiet) {
        cli_nn_text(to, &w->report);
        if (s->common.output && to == stdout) printf("wrote %s\n", cli_shown(s->common.output));
    }
    return CLI_DONE;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.common = CLI_PAIR_DEFAULTS,
                  .k = 1,
                  .index = clump_index_defaults(),
                  .max_distance = INFINITY,
                  .method = "fast"};
    const char *paths[2] = {NULL, NULL};
    CLI_TRY(cli_parse(self, argc, argv, &s, paths));
    search w = {.s = &s,
                .paths = paths,
                .options = clump_context_defaults(),
                .index_options = s.index,
                .report = {.reference = paths[0], .input = paths[1], .k = s.k, .max_distance = (float)s.max_distance}};
    CLI_TRY(check_settings(self, &w));
    w.report.device = w.options.device;
    w.report.partitions = w.index_options.partitions;
    w.report.window = w.index_options.window;
    w.report.approximate = w.index_options.method == CLUMP_NN_AZIMUTH;
    char *const typed = cli_typed_text(self, argc, argv);
    w.typed = typed;
    const int status = run(&w);
    free(typed);
    clump_index_destroy(w.index);
    clump_context_destroy(w.context);
    free(w.indices);
    free(w.squared);
    cli_pair_release(&w.pair);
    return status;
}

const cli_command cli_cmd_nn = {
    .name = "nn",
    .operands = "A B",
    .usage = "A B [options]",
    .brief = "the nearest point of A for each point of B",
    .about = "Finds, for every point of cloud B, the nearest point of cloud A, or the K\n"
             "nearest. Of points as near as each other the first one counts. Exact, except\n"
             "for the method azimuth, which looks only into the direction of a point, as seen\n"
             "from 0,0,0, and says how often it was right.\n",
    .examples = "clump nn 000000.bin 000001.bin\n"
                "    how far apart are two scans?\n"
                "clump nn map.pcd scan.pcd --max-distance 0.5 -o matched.csv\n"
                "    keep number and distance of each neighbour; -1 and inf where there is none\n"
                "clump nn scan.pcd scan.pcd --k 9 -o neighbours.pcd\n"
                "    each point itself, and 8 around it\n"
                "clump nn 000000.bin 000001.bin --method azimuth --window 2 --json\n"
                "    an approximate method, its recall and its time\n",
    .options = option_rows,
    .run = run_command,
};
