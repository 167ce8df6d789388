/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_gen.c: `clump gen factors`: synthetic clouds to files.
 */
#include "base/cli.h"
#include "base/json.h"
#include "commands/options.h"

#include <clump/sim.h>

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *layout, *output, *to;
    size_t points, clusters, distance, seed;
    double degree;
    bool json, quiet;
} settings;

static const char *layout_choice(int i)
{
    return clump_layout_name((clump_layout)i);
}

#define AT(member) offsetof(settings, member)
static const cli_option option_rows[] = {
    CLI_OPTION(CLI_FILE, 'o', "output", "OUT", AT(output), .matters = true,
               .help =
                   "file to write, required; format by ending, see 'clump convert --help'; .bin and .pcd.bin have no "
                   "place for 'truth'"),
    CLI_TO_OPTION(settings, "OUT"),
    CLI_OPTION(CLI_CHOICE, 0, "layout", "NAME", AT(layout), .choices = layout_choice, .matters = true,
               .help = "chains of unit segments, thin lines, cubes or two close plates (default joints)"),
    CLI_OPTION(CLI_COUNT, 'n', "points", "N", AT(points), .most = INT32_MAX, .matters = true,
               .help = "number of points (default 262144)"),
    CLI_OPTION(CLI_COUNT, 'c', "clusters", "C", AT(clusters), .least = 1, .matters = true,
               .help = "number of clusters, a divisor of N (default 128, slabs 2)"),
    CLI_OPTION(CLI_NUMBER, 'k', "degree", "K", AT(degree),
               .help = "mean number of neighbours of a point, at least 1 and at most N/C (default 32)"),
    CLI_OPTION(
        CLI_COUNT, 'D', "index-distance", "D", AT(distance), .least = 1,
        .help =
            "how far apart in the file neighbours are, a divisor of C (default the largest of 4, 2, 1 that is one)"),
    CLI_OPTION(CLI_COUNT, 0, "seed", "S", AT(seed), .matters = true, .help = "another seed, another cloud (default 1)"),
    CLI_JSON_OPTION(settings),
    CLI_QUIET_OPTION(settings, "print nothing"),
    {0}};
#undef AT

static clump_factors factors_of(const settings *s)
{
    clump_factors f = clump_factors_defaults();
    clump_layout_from_name(s->layout, &f.layout);
    f.points = s->points;
    f.degree = s->degree;
    f.seed = s->seed;
    if (s->clusters != CLI_UNSET)
        f.clusters = s->clusters;
    else if (f.layout == CLUMP_LAYOUT_SLABS)
        f.clusters = 2;
    if (s->distance != CLI_UNSET)
        f.distance = s->distance;
    else
        f.distance = f.clusters % 4 == 0 ? 4 : f.clusters % 2 == 0 ? 2 : 1;
    return f;
}

static void print(const settings *s, const clump_factors *f)
{
    const char *layout = clump_layout_name(f->layout);
    if (s->json) {
        cli_json j = cli_json_begin(stdout, "gen factors");
        cli_json_text(&j, "output", s->output);
        cli_json_text(&j, "layout", layout);
        cli_json_count(&j, "points", f->points);
        cli_json_count(&j, "clusters", f->clusters);
        cli_json_number(&j, "degree", f->degree);
        cli_json_count(&j, "index_distance", f->distance);
        cli_json_count(&j, "seed", f->seed);
        cli_json_end(&j);
    } else if (!s->quiet) {
        fprintf(cli_is_dash(s->output) ? stderr : stdout,
                "%s: %zu points in %zu clusters (%s), degree %g, index distance %zu, seed %llu; cluster with -d 1\n",
                cli_shown(s->output), f->points, f->clusters, layout, f->degree, f->distance,
                (unsigned long long)f->seed);
    }
}

/* Makes the cloud and writes it; truth has room for all points. */
static int make_cloud(const cli_command *self, const settings *s, const clump_factors *f, clump_format format,
                      clump_cloud *cloud, int32_t *truth)
{
    clump_message message = {0};
    clump_status status = clump_sim_factors(f, clump_cloud_xyz(cloud), truth, &message);
    if (status == CLUMP_ERR_ARGUMENT) return cli_usage(self, "%s", message.text);
    if (status != CLUMP_OK) return cli_fail("%s", message.text[0] ? message.text : clump_status_text(status));
    clump_format_info info;
    if (clump_format_describe(format, &info) && (info.holds_fields || format == CLUMP_FORMAT_NPY)) {
        const clump_field field = {.name = "truth", .type = CLUMP_TYPE_I32, .count = 1, .data = truth};
        status = clump_cloud_set_field(cloud, &field, &message);
        if (status != CLUMP_OK) return cli_fail_message(s->output, status, &message);
    }
    const int saved = cli_save(s->output, cloud, NULL, format, CLUMP_ENCODING_DEFAULT, s->quiet);
    if (saved == CLI_DONE) print(s, f);
    return saved;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    const clump_factors defaults = clump_factors_defaults();
    settings s = {.layout = clump_layout_name(defaults.layout),
                  .points = defaults.points,
                  .clusters = CLI_UNSET,
                  .distance = CLI_UNSET,
                  .degree = defaults.degree,
                  .seed = (size_t)defaults.seed};
    CLI_TRY(cli_parse(self, argc, argv, &s, NULL));
    if (!s.output) return cli_usage(self, "gen factors needs -o OUT, the file to write");
    clump_format format;
    clump_format_info info;
    CLI_TRY(cli_check_cloud_output(self, "-o", s.output, s.to, &format));
    if (clump_format_describe(format, &info) && !info.holds_points)
        return cli_usage(self, "-o %s: a .%s file holds labels and no points", s.output, info.extensions[0]);
    if (cli_is_dash(s.output) && s.json) return cli_usage(self, "-o - and --json both want standard output");

    const clump_factors f = factors_of(&s);
    clump_cloud *cloud = NULL;
    clump_message message = {0};
    const clump_status created = clump_cloud_create(f.points, &cloud, &message);
    if (created != CLUMP_OK) return cli_fail_message(s.output, created, &message);
    int32_t *truth = cli_allocate(f.points, sizeof *truth);
    const int status =
        truth ? make_cloud(self, &s, &f, format, cloud, truth) : cli_fail("not enough memory for %zu points", f.points);
    free(truth);
    clump_cloud_destroy(cloud);
    return status;
}

const cli_command cli_cmd_gen_factors = {
    .name = "gen factors",
    .operands = "",
    .usage = "-o OUT [options]",
    .brief = "make a synthetic cloud with known clusters",
    .about = "Makes N points in C clusters, each point with about K neighbours closer than 1,\n"
             "so that 'clump ec OUT -d 1' finds the C clusters. Clusters lie about 10 apart.\n"
             "The cluster each point was made for is the field 'truth' of OUT. The same\n"
             "options give the same file.\n",
    .examples = "clump gen factors -o toy.pcd\n"
                "    262144 points in 128 chains\n"
                "clump gen factors --layout line -n 65536 -c 4 -k 2 -o worst.npy\n"
                "    long thin clusters, hard for methods that hand labels from point to point\n"
                "clump gen factors --layout slabs -n 100000 -o slabs.pcd\n"
                "    two crowded plates just out of reach of each other\n",
    .options = option_rows,
    .run = run_command,
};
