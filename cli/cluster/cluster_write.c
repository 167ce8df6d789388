/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster_write.c: writes what a clustering command found, and prints its report.
 */
#include "cluster/clustering.h"
#include "cluster/clusters_file.h"
#include "cluster/cluster.h"
#include "files/output.h"

#include <clump/info.h>

#include <stdlib.h>

/* Removes all points but those of --keep from the cloud, and their labels and core flags. */
static int select_points(cli_clustering *w)
{
    const size_t count = clump_cloud_points(w->cloud).count;
    uint8_t *const keep = cli_allocate(count, 1);
    if (!keep) return cli_fail("not enough memory to choose from %zu points", count);
    const cli_labelled in = {w->labels, count, w->count, w->boxes.found, w->job->ground_alone};
    const int status = cli_keep_mask(w->s->keep, &in, keep);
    if (status == CLI_DONE) {
        for (size_t i = 0, to = 0; i < count; i++) {
            if (!keep[i]) continue;
            if (w->core) w->core[to] = w->core[i];
            w->labels[to++] = w->labels[i];
        }
        clump_cloud_select(w->cloud, keep);
    }
    free(keep);
    return status;
}

static int save(cli_clustering *w)
{
    const cli_cluster *s = w->s;
    if (cli_clustering_field(w->job) && !w->view) { /* a page has core flags in any case */
        const clump_field core = {.name = "core", .type = CLUMP_TYPE_U8, .count = 1, .data = w->core};
        const clump_field chance = {.name = "probability", .type = CLUMP_TYPE_F32, .count = 1, .data = w->probability};
        const clump_field field = w->job->writes_core ? core : chance;
        clump_message message = {0};
        const clump_status status = clump_cloud_set_field(w->cloud, &field, &message);
        if (status != CLUMP_OK) return cli_fail_message(s->output, status, &message);
    }
    CLI_TRY(s->keep ? select_points(w) : CLI_DONE);
    w->report.written = clump_cloud_points(w->cloud).count;
    if (w->view) return cli_cluster_view_write(w);
    clump_format_info info;
    const bool labels = !clump_format_describe(w->output_format, &info) || info.holds_labels;
    return cli_save(s->output, w->cloud, labels ? w->labels : NULL, w->output_format, CLUMP_ENCODING_DEFAULT, s->quiet);
}

static int write_clusters(const cli_clustering *w)
{
    const cli_clusters_layout layout = {.origin = clump_cloud_origin(w->cloud),
                                        .up = w->report.up,
                                        .axes = w->s->axes,
                                        .objects = w->job->cuts_tree,
                                        .by_class = w->report.by_class};
    return cli_write_clusters(w->s->clusters, &w->boxes, w->count, &layout);
}

static int write_maps(const cli_clustering *w)
{
    const cli_maps_facts facts = {.input = w->report.input,
                                  .origin = clump_cloud_origin(w->cloud),
                                  .up = w->report.up,
                                  .flip = w->s->ground.options.flip,
                                  .quiet = w->s->quiet};
    return cli_maps_write(&w->maps, w->s->maps, &facts);
}

int cli_clustering_maps(cli_clustering *w, size_t most_side)
{
    if (!w->job->erccl || w->maps.count > 0) return CLI_DONE;
    const cli_memory in = {
        .points = clump_cloud_points(w->cloud), .mask = w->mask, .origin = clump_cloud_origin(w->cloud)};
    const clump_erccl_options options = w->job->erccl(w->settings, &in);
    const size_t rows = clump_erccl_rows(&options), columns = clump_erccl_columns(&options);
    if (rows > most_side || columns > most_side) {
        if (!w->s->quiet)
            cli_warn("the maps of %zu x %zu cells are left out: up to %zu x %zu are shown; a larger --cell makes them "
                     "smaller",
                     rows, columns, most_side, most_side);
        return CLI_DONE;
    }
    const cli_maps_run run = {.context = w->context, .points = in.points, .options = &options};
    return cli_maps_make(&w->maps, &run);
}

int cli_clustering_write(cli_clustering *w)
{
    const cli_cluster *s = w->s;
    if (s->output) CLI_TRY(save(w));
    int status = s->clusters ? write_clusters(w) : CLI_DONE;
    if (status != CLI_DONE && s->output) cli_warn("%s: was written before that", s->output);
    if (status != CLI_DONE || !s->maps) return status;
    status = write_maps(w);
    if (status != CLI_DONE && s->output) cli_warn("%s: was written before that", s->output);
    if (status != CLI_DONE && s->clusters) cli_warn("%s: was written before that", s->clusters);
    return status;
}

void cli_clustering_warn(const cli_clustering *w)
{
    const clump_stats *const stats = &w->report.stats;
    if (w->report.ground && !w->job->ground_alone && stats->ground == 0 && stats->finite > stats->masked)
        cli_warn("%s: no ground was found; --sensor says where the sensor is, --up which axis points up%s",
                 w->report.input, w->job->finds_ground ? ", and --ground none does without" : "");
}

int cli_clustering_print(const cli_clustering *w)
{
    const cli_cluster *s = w->s;
    if (!s->quiet) cli_clustering_warn(w);
    if (s->json) {
        cli_report_json(stdout, &w->report);
        return CLI_DONE;
    }
    if (s->quiet) return CLI_DONE;
    FILE *to = cli_is_dash(s->output) ? stderr : stdout;
    cli_report_text(to, &w->report);
    if (!cli_report_table(to, &w->report, w->boxes.clusters, w->count, s->top, w->job->scale))
        return cli_fail("not enough memory for the table of clusters");
    if (s->output && to == stdout && s->keep)
        printf("wrote %s, %zu of %zu points\n", cli_shown(s->output), w->report.written, w->report.stats.points);
    else if (s->output && to == stdout)
        printf("wrote %s\n", cli_shown(s->output));
    if (s->clusters) fprintf(to, "wrote %s\n", cli_shown(s->clusters));
    if (s->maps)
        fprintf(to, "wrote %s: highest, lowest, ground, flag and label of %zu x %zu cells\n", cli_shown(s->maps),
                w->maps.list[0].rows, w->maps.list[0].columns);
    return CLI_DONE;
}
