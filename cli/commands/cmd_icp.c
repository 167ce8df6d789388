/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_icp.c: `clump icp`: lays cloud B onto cloud A.
 */
#include "base/json.h"
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
    clump_icp_options how;
    const char *method, *initial;
} settings;

enum { METHODS = CLUMP_ICP_GICP + 1 };

static const char *method_choice(int i)
{
    return i >= 0 && i < METHODS ? (const char *const[]){"point", "plane", "gicp"}[i] : NULL;
}

#define AT(member) offsetof(settings, member)

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_CHOICE, 0, "method", "NAME", AT(method), .choices = method_choice, .matters = true,
               .help = "bring pairs of points together, points to the surface of A, or the surfaces of both (default "
                       "point)"),
    CLI_ROWS("icp", AT(how), .only = "max_distance thin", .matters = true),
    CLI_ROWS("icp", AT(how), .without = "max_distance thin"),
    CLI_OPTION(CLI_FILE, 0, "initial", "FILE", AT(initial), .matters = true,
               .help = "begin with the motion in FILE: 16 numbers, or 12, row after row (default: B as it lies)"),
    CLI_HEADING("How"),
    CLI_PAIR_INPUT_OPTIONS,
    CLI_PAIR_OUTPUT_OPTIONS("B where it fits onto A", "align"),
    {0}};

typedef struct alignment {
    const settings *s;
    const char *const *paths;
    clump_context_options options;
    clump_icp_options how;
    clump_format output_format;
    cli_view_kind view; /* the output is a page or a picture */
    const char *typed;  /* the command line, for a page */
    cli_pair pair;
    clump_context *context;
    clump_icp_result result;
    double transform[16]; /* in the coordinates of the files */
    double initial[16];
    clump_stats stats;
    cli_times times;
} alignment;

static int check_settings(const cli_command *self, alignment *w)
{
    const settings *const s = w->s;
    if (!(s->how.max_distance > 0)) return cli_usage(self, "--max-distance must be above 0");
    if (!(s->how.keep > 0) || s->how.keep > 1)
        return cli_usage(self, "--keep %g is no share, it must be above 0 and at most 1", s->how.keep);
    CLI_TRY(cli_pair_check(self, w->paths, &s->common, &w->options));
    if (!s->common.output) return CLI_DONE;
    w->view = cli_view_kind_of(s->common.output, s->common.to);
    if (w->view) return cli_view_check_output(self, "-o", s->common.output, s->common.json);
    CLI_TRY(cli_check_cloud_output(self, "-o", s->common.output, s->common.to, &w->output_format));
    clump_format_info info;
    if (clump_format_describe(w->output_format, &info) && !info.holds_points)
        return cli_usage(self, "-o %s: a .%s file has no place for points", s->common.output, info.extensions[0]);
    if (cli_is_dash(s->common.output) && s->common.json)
        return cli_usage(self, "-o - and --json both want standard output");
    return CLI_DONE;
}

static clump_status align_once(void *given, clump_stats *stats)
{
    alignment *const w = given;
    const clump_status status = clump_icp(w->context, w->pair.reference, w->pair.other, &w->how, &w->result);
    w->stats = *stats = clump_context_stats(w->context);
    stats->cluster_ms = stats->query_ms;
    return status;
}

static int align(alignment *w)
{
    CLI_TRY(cli_pair_repeat(&w->s->common, w->context, "aligning", align_once, w, &w->times));
    memcpy(w->transform, w->result.transform, sizeof w->transform);
    cli_motion_out_of(clump_cloud_origin(w->pair.a), w->transform);
    return CLI_DONE;
}

/* Whether the last iteration still moved. A result that is neither converged nor this has too few pairs. */
static bool stopped_early(const alignment *w)
{
    return !w->result.converged && w->result.iterations == w->how.max_iterations;
}

/* Moves B onto A. Its coordinates are then relative to the origin of A. */
static void move(alignment *w)
{
    const double *const m = w->result.transform;
    const clump_points from = w->pair.other;
    float *const to = clump_cloud_xyz(w->pair.b);
    for (size_t i = 0; i < from.count; i++) {
        const float *const p = cli_point(from, i);
        const double x = (double)p[0], y = (double)p[1], z = (double)p[2];
        for (size_t k = 0; k < 3; k++)
            to[3 * i + k] = (float)(m[4 * k] * x + m[4 * k + 1] * y + m[4 * k + 2] * z + m[4 * k + 3]);
    }
    clump_cloud_set_origin(w->pair.b, clump_cloud_origin(w->pair.a));
}

static void put_parameters(cli_json *j, const settings *s)
{
    cli_json_open(j, "parameters", '{');
    cli_put_rows(j, "icp", NULL, NULL, &s->how);
    cli_json_text(j, "initial", s->initial);
    cli_json_close(j, '}');
}

static void print_json(FILE *to, const alignment *w)
{
    const clump_stats *const st = &w->stats;
    cli_json j = cli_json_begin(to, "icp");
    cli_json_text(&j, "reference", w->paths[0]);
    cli_json_text(&j, "input", w->paths[1]);
    put_parameters(&j, w->s);
    cli_json_count(&j, "points", st->points);
    cli_json_count(&j, "finite", st->finite);
    cli_json_count(&j, "queries", st->queries);
    cli_json_numbers(&j, "transform", w->transform, 16);
    cli_json_numbers(&j, "information", w->result.information, 36);
    cli_json_number(&j, "fitness", w->result.fitness);
    cli_json_number(&j, "rmse", w->result.rmse);
    cli_json_int(&j, "iterations", w->result.iterations);
    cli_json_bool(&j, "converged", w->result.converged);
    cli_json_bool(&j, "contested", w->result.contested);
    cli_pair_put_run(&j, st, w->options.device, &w->times);
    cli_json_end(&j);
}

static void print_text(FILE *to, const alignment *w)
{
    const clump_icp_result *const r = &w->result;
    const char *const how = r->converged ? "aligned" : stopped_early(w) ? "NOT YET aligned" : "NOT aligned";
    fprintf(to, "%s: %s to %s after %d iteration%s\n", cli_shown(w->paths[1]), how, cli_shown(w->paths[0]),
            r->iterations, r->iterations == 1 ? "" : "s");
    for (size_t i = 0; i < 4; i++)
        fprintf(to, "%s%12.8f %12.8f %12.8f %14.6f\n", i ? "         " : "motion   ", w->transform[4 * i],
                w->transform[4 * i + 1], w->transform[4 * i + 2], w->transform[4 * i + 3]);
    fprintf(to, "fitness  %.2f %% of the points have a pair\nrmse     %.4g\n", 100 * r->fitness, r->rmse);
    cli_put_run(to, &w->times, &w->stats, w->options.device, NULL);
}

/* Returns what --json prints. The caller frees it. Null: no memory. */
static char *facts_of(const alignment *w)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    if (!to) return NULL;
    print_json(to, w);
    return cli_text_end(to, &text);
}

/* Adds B as it lies now, with its pairs. */
static int show_frame(alignment *w, cli_pair_view *view, const clump_index *index, clump_points points, bool last)
{
    int32_t *const nearest = cli_allocate(points.count, sizeof *nearest);
    if (!nearest) return cli_fail("not enough memory to show %zu pairs", points.count);
    const clump_status status = clump_index_nearest(w->context, index, points, w->how.max_distance, nearest, NULL);
    const int result = status == CLUMP_OK ? cli_pair_view_frame(view, last ? "after" : "before", nearest, last)
                                          : cli_fail_context(w->context, status);
    free(nearest);
    return result;
}

static int show_frames(alignment *w, cli_pair_view *view, const clump_index *index)
{
    CLI_TRY(cli_pair_view_begin(view, 2));
    CLI_TRY(show_frame(w, view, index, w->pair.other, false));
    move(w);
    CLI_TRY(show_frame(w, view, index, clump_cloud_points(w->pair.b), true));
    return cli_pair_view_end(view);
}

/* Writes the page or picture: B before and after, and the pairs that are near enough. */
static int show(alignment *w)
{
    cli_pair_view view = {.paths = w->paths,
                          .pair = &w->pair,
                          .command = "icp",
                          .typed = w->typed,
                          .facts = facts_of(w),
                          .out = cli_view_writing_of(w->view, w->s->common.output, w->s->common.quiet)};
    clump_index *index = NULL;
    const clump_status status = clump_index_create(w->context, w->pair.reference, NULL, &index);
    const int result = status == CLUMP_OK ? show_frames(w, &view, index) : cli_fail_context(w->context, status);
    clump_index_destroy(index);
    cli_pair_view_release(&view);
    return result;
}

/* Writes B, moved onto A. */
static int save(alignment *w)
{
    if (w->view) return show(w);
    move(w);
    return cli_save(w->s->common.output, w->pair.b, NULL, w->output_format, CLUMP_ENCODING_DEFAULT, w->s->common.quiet);
}

static int run(alignment *w)
{
    const settings *const s = w->s;
    if (s->initial) CLI_TRY(cli_motion_read("--initial", s->initial, w->initial));
    CLI_TRY(cli_pair_load(&w->pair, w->paths, &s->common));
    if (s->initial) {
        cli_motion_into(clump_cloud_origin(w->pair.a), w->initial);
        w->how.initial = w->initial;
    }
    CLI_TRY(cli_context_create(&w->options, &w->context));
    CLI_TRY(align(w));
    const bool lost = !w->result.converged && !stopped_early(w);
    if (s->common.output && !lost) CLI_TRY(save(w));
    FILE *const to = cli_is_dash(s->common.output) ? stderr : stdout;
    if (s->common.json) {
        print_json(to, w);
    } else if (!s->common.quiet) {
        print_text(to, w);
        if (s->common.output && to == stdout && !lost) printf("wrote %s\n", cli_shown(s->common.output));
    }
    if (stopped_early(w) && !s->common.quiet)
        cli_warn("%s: still moving after %d iteration%s (--iterations, --tolerance)", w->paths[1],
                 w->how.max_iterations, w->how.max_iterations == 1 ? "" : "s");
    if (w->result.contested && !s->common.quiet)
        cli_warn("%s: the nearest %g %% of the pairs fit two motions about as well; a larger --keep tells them apart",
                 w->paths[1], 100 * s->how.keep);
    if (!lost) return CLI_DONE;
    if (isinf(s->how.max_distance))
        return cli_fail("%s: fewer than three points have a pair in %s", w->paths[1], w->paths[0]);
    return cli_fail("%s: fewer than three pairs of points are within %g (--max-distance)", w->paths[1],
                    (double)s->how.max_distance);
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {.common = CLI_PAIR_DEFAULTS, .how = clump_icp_defaults(), .method = "point"};
    const char *paths[2] = {NULL, NULL};
    CLI_TRY(cli_parse(self, argc, argv, &s, paths));
    alignment w = {.s = &s, .paths = paths, .options = clump_context_defaults(), .how = s.how};
    CLI_TRY(check_settings(self, &w));
    for (int i = 0; i < METHODS; i++)
        if (strcmp(s.method, method_choice(i)) == 0) w.how.method = (clump_icp_method)i;
    char *const typed = cli_typed_text(self, argc, argv);
    w.typed = typed;
    const int status = run(&w);
    free(typed);
    clump_context_destroy(w.context);
    cli_pair_release(&w.pair);
    return status;
}

const cli_command cli_cmd_icp = {
    .name = "icp",
    .operands = "A B",
    .usage = "A B [options]",
    .brief = "align cloud B to cloud A",
    .about = "Finds the rigid motion that lays cloud B onto cloud A: pairs each point of B\n"
             "with the nearest of A, moves B so that the pairs come together, and begins\n"
             "again, until nothing moves. B must be about in place. Prints the motion as 4\n"
             "rows of a matrix that takes coordinates of B to those of A.\n",
    .examples = "clump icp 000000.bin 000001.bin --max-distance 1 -o aligned.pcd\n"
                "    where was the sensor, seen from the scan before?\n"
                "clump icp map.pcd scan.pcd --method plane --max-distance 1 --keep 0.9\n"
                "    onto surfaces, and without the tenth of the pairs that is farthest apart\n"
                "clump icp map.pcd scan.pcd --method gicp --thin 0.25 --max-distance 1\n"
                "    one point per voxel of 0.25 m: a fraction of the time\n"
                "clump icp map.pcd scan.pcd --json\n"
                "    motion, fitness, error and time for another program\n",
    .options = option_rows,
    .run = run_command,
};
