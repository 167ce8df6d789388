/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_check.c: which options go together with --ram, several files and folders.
 */
#include "big/big.h"

#include "files/source.h"
#include "cluster/clusters_file.h"
#include "cluster/cluster.h"
#include "base/peers.h"
#include "files/view_write.h"

#include <math.h>
#include <string.h>

const char *cli_big_reason(const cli_plan *plan)
{
    const cli_cluster *const s = plan->settings;
    return !plan->job.set_joint         ? NULL
           : cli_the_peers()            ? cli_the_peers()->program
           : s->ram > 0                 ? "--ram"
           : s->work                    ? "--work"
           : s->keep_work               ? "--keep-work"
           : plan->input_count > 1      ? "several files"
           : cli_is_folder(plan->input) ? "a folder"
                                        : NULL;
}

static bool moves_sensor(const cli_cluster *s)
{
    return s->region.sensor[0] != 0 || s->region.sensor[1] != 0 || s->region.sensor[2] != 0;
}

/* Returns the option that needs the whole cloud in memory, or is not supported yet, as it is spelled; null: none. */
static const char *find_option(const cli_command *self, const cli_plan *plan, char spelling[CLI_SPELLING])
{
    const cli_cluster *const s = plan->settings;
    if (!s->clusters && moves_sensor(s)) return "--sensor";
    return cli_given_not_with(self, &s->given, CLI_WAY_BIG, s, plan->defaults, spelling);
}

static int check_output(const cli_command *self, const cli_cluster *s, const char *reason)
{
    const size_t length = strlen(s->output);
    if (cli_view_kind_of(s->output, s->to))
        return cli_usage(self, "-o %s: pages and pictures cannot be made with %s", s->output, reason);
    if (cli_is_dash(s->output)) return cli_usage(self, "-o -: %s needs a file or a folder as output", reason);
    if (cli_is_folder(s->output) || s->output[length - 1] == '/') return CLI_DONE;
    if (length > 9 && strcmp(s->output + length - 9, ".labels64") == 0) return cli_check_output(s->output);
    if (s->to || cli_is_special(s->output) || clump_format_of_path(s->output) != CLUMP_FORMAT_GUESS) {
        clump_format format;
        CLI_TRY(cli_check_cloud_output(self, "-o", s->output, s->to, &format));
        if (format == CLUMP_FORMAT_LAS || format == CLUMP_FORMAT_LAZ || format == CLUMP_FORMAT_PCD ||
            format == CLUMP_FORMAT_PLY || format == CLUMP_FORMAT_NPY || format == CLUMP_FORMAT_LABELS)
            return CLI_DONE;
    }
    return cli_usage(self, "-o %s: with %s, use .las .laz .pcd .ply .npy .labels .labels64, or a folder, NAME/",
                     s->output, reason);
}

/* Refuses less memory than the least that is kept to: the program, one thread, and the smallest tile. */
static int check_ram(const cli_command *self, size_t ram)
{
    enum { LEAST_RAM = 16 << 20 };
    if (ram == 0 || ram >= LEAST_RAM) return CLI_DONE;
    if (ram < 1024)
        return cli_usage(self, "--ram %zu is %zu byte%s, and at least 16M is needed; K, M, G and T are units", ram, ram,
                         ram == 1 ? "" : "s");
    return cli_usage(self, "--ram must be at least 16M");
}

static int check_clusters(const cli_command *self, const cli_cluster *s, const char *reason)
{
    CLI_TRY(cli_boxes_check(self, s, false));
    if (!s->clusters) return CLI_DONE;
    if (s->output && cli_same_output(s->output, s->clusters))
        return cli_usage(self, "-o and --clusters both name %s", s->output);
    if (s->step > 0) return cli_usage(self, "--clusters and --step cannot be used together with %s", reason);
    return cli_check_clusters_output(self, s->clusters, false);
}

/* Refuses options of the ground around a sensor. */
static int check_ground(const cli_command *self, const cli_cluster *s, const char *reason)
{
    const cli_ground *const g = &s->ground;
    const char *given = g->method ? "ground" : NULL;
    if (!given) given = cli_given_within(self, &s->given, s, &g->options, sizeof g->options, "sigma slope");
    if (given && g->remove)
        return cli_usage(self, "--%s cannot be used with %s: the ground of a survey has --slope and --sigma", given,
                         reason);
    return cli_ground_check(self, s, g->remove);
}

int cli_big_check(const cli_command *self, const cli_plan *plan, const char *reason)
{
    const cli_cluster *const s = plan->settings;
    char spelling[CLI_SPELLING];
    const char *const given = find_option(self, plan, spelling);
    if (given) return cli_usage(self, "%s cannot be used with %s", given, reason);
    if (strcmp(s->method, "fast") != 0)
        return cli_usage(self, "--method %s cannot be used with %s, only fast", s->method, reason);
    CLI_TRY(check_ram(self, s->ram));
    if (s->clustering.max_size > 0 && s->clustering.min_size > s->clustering.max_size)
        return cli_usage(self, "--min-size %zu is greater than --max-size %zu", s->clustering.min_size,
                         s->clustering.max_size);
    CLI_TRY(check_ground(self, s, reason));
    CLI_TRY(cli_frame_check(self, &plan->job, s, false));
    if (s->drop_class) CLI_TRY(cli_classes_check(self, s->drop_class));
    CLI_TRY(cli_by_class_check(self, s));
    if (s->class_of && cli_is_label_file(s->class_of))
        return cli_usage(self, "--class-of %s: with %s classes are a field of IN, not a file of labels", s->class_of,
                         reason);
    if (s->gpu_ram > 0 && strncmp(s->device, "cuda", 4) != 0)
        return cli_usage(self, "--gpu-ram needs --device cuda with %s", reason);
    if (cli_the_peers() && s->keep_work && !s->work) return cli_usage(self, "--keep-work needs --work DIR");
    for (size_t i = 0; i < plan->input_count; i++)
        if (cli_is_dash(plan->inputs[i])) return cli_usage(self, "standard input cannot be used with %s", reason);
    CLI_TRY(s->output ? check_output(self, s, reason) : CLI_DONE);
    return check_clusters(self, s, reason);
}
