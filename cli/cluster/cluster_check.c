/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster_check.c: checks the command line of a clustering command before its input is read.
 */
#include "cluster/clustering.h"
#include "cluster/clusters_file.h"
#include "cluster/cluster.h"
#include "files/output.h"

#include <string.h>

static int check_output(const cli_command *self, cli_clustering *w)
{
    const cli_cluster *s = w->s;
    clump_format_info info;
    w->view = cli_view_kind_of(s->output, s->to);
    if (w->view) return cli_view_check_output(self, "-o", s->output, s->json);
    CLI_TRY(cli_check_cloud_output(self, "-o", s->output, s->to, &w->output_format));
    const bool known = clump_format_describe(w->output_format, &info);
    if (known && !info.holds_labels &&
        !(s->keep && info.holds_points)) /* with --keep, the selected points may be all that is wanted */
        return cli_usage(self, "-o %s: a .%s file has no place for labels, use .pcd, .las, .csv, .npy or .labels",
                         s->output, info.extensions[0]);
    if (known && cli_clustering_field(w->job) && !info.holds_fields)
        return cli_usage(self, "-o %s: a .%s file holds the labels alone, with --%s use .pcd, .ply, .las or .csv",
                         s->output, info.extensions[0], cli_clustering_field(w->job));
    if (cli_is_dash(s->output) && s->json) return cli_usage(self, "-o - and --json both want standard output");
    return CLI_DONE;
}

int cli_clustering_check(const cli_command *self, cli_clustering *w)
{
    const cli_cluster *s = w->s;
    if (s->clustering.max_size > 0 && s->clustering.min_size > s->clustering.max_size)
        return cli_usage(self, "--min-size %zu is greater than --max-size %zu", s->clustering.min_size,
                         s->clustering.max_size);
    if (s->region.min_range > s->region.max_range)
        return cli_usage(self, "--min-range %g is greater than --max-range %g", s->region.min_range,
                         s->region.max_range);
    CLI_TRY(cli_ground_check(self, s, w->job->ground_alone || w->job->finds_ground || s->ground.remove));
    if (s->clustering.eps_per_metre > 0 && strcmp(s->method, "fast") != 0)
        return cli_usage(self, "--eps-per-metre is for the method fast, %s does not have it", s->method);
    if (s->clustering.two_d && s->ground.options.up == CLUMP_UP_Y)
        return cli_usage(self, "--2d and --up y contradict each other: without z nothing is seen from above");
    CLI_TRY(cli_frame_check(self, w->job, s, true));
    if (s->drop_class) CLI_TRY(cli_classes_check(self, s->drop_class));
    CLI_TRY(cli_by_class_check(self, s));
    if (s->thin > 0 && w->job->writes_core)
        return cli_usage(self, "--core and --thin: with --thin not every point is known to be a core point or not");
    w->options.threads = (int)s->threads;
    w->options.device_limit = s->gpu_ram;
    if (s->gpu_ram > 0 && strcmp(s->device, "cpu") == 0)
        return cli_usage(self, "--gpu-ram is for CUDA, and --device cpu does without");
    CLI_TRY(cli_check_device(self, s->device, s->memory, &w->options, &w->memory_kind));
    if (s->output && s->clusters && !s->each && cli_same_output(s->output, s->clusters))
        return cli_usage(self, "-o and --clusters both name %s", s->output);
    const char *const field = cli_clustering_field(w->job);
    if (field && !s->output) return cli_usage(self, "--%s needs -o OUT, the file that gets the field", field);
    if (s->keep && !s->output) return cli_usage(self, "--keep needs -o OUT, the file that gets the points");
    if (s->keep) CLI_TRY(cli_keep_check(self, s->keep, w->job->cuts_tree));
    if (s->output && !s->each) CLI_TRY(check_output(self, w));
    if (s->clusters && !s->each) CLI_TRY(cli_check_clusters_output(self, s->clusters, false));
    if (s->maps && !s->each) CLI_TRY(cli_maps_check(self, s->maps, (const char *const[]){s->output, s->clusters}, 2));
    return cli_boxes_check(self, s, w->job->detects);
}
