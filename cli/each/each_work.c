/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each_work.c: one file of --each: what a command does alone, without its report. Several threads work at a time, each on a
 * file of its own.
 */
#include "cluster/clustering.h"
#include "common/assert.h"
#include "each/each.h"

#include <clump/info.h>

#include <stdlib.h>

/* Makes the rows of the list of all files. */
static int make_rows(const cli_clustering *w, cli_each_found *found)
{
    const cli_clusters_layout layout = {.origin = clump_cloud_origin(w->cloud),
                                        .up = w->report.up,
                                        .axes = w->s->axes,
                                        .by_class = w->report.by_class,
                                        .input = w->report.input};
    found->rows =
        cli_clusters_rows(cli_clusters_are_json(w->s->clusters), &w->boxes, w->count, &layout, &found->rows_size);
    return found->rows ? CLI_DONE : cli_fail("not enough memory for the list of %d clusters", (int)w->count);
}

/* Fills the figures of a file. */
static void fill(cli_each_file *file, const cli_report *report)
{
    const clump_stats *const stats = &report->stats;
    CLUMP_ASSERT(stats->finite <= stats->points && stats->clusters >= 0);
    file->points = stats->points;
    file->finite = stats->finite;
    file->masked = stats->masked;
    file->thinned = stats->thinned;
    file->core = report->core;
    file->ground = stats->ground;
    file->ground_level = stats->ground_level;
    file->noise = stats->noise;
    file->largest = report->largest;
    file->clusters = stats->clusters;
    file->found = report->counts;
    file->rings.neighbours = stats->neighbours;
    file->rings.ring_source = stats->ring_source;
    file->rings.rings = stats->rings;
    file->rings.ring_doubt = stats->ring_doubt;
    cli_oversize_add(&file->oversize, stats);
    file->step = report->step;
    file->time_ms = report->times.median;
    file->labels_hash = report->labels_hash;
}

/* Runs the command on the file. s: its settings, with the names of this file. */
static int run(cli_clustering *w, cli_cluster *s, bool in_table, cli_each_found *found)
{
    w->cloud = cli_load(CLI_INPUT(s, .path = w->report.input, .quiet = s->quiet));
    if (!w->cloud) return CLI_FAILED;
    CLI_TRY(cli_clustering_run(w));
    if (s->maps) CLI_TRY(cli_clustering_maps(w, CLI_MAPS_SIDE));
    if (in_table) {
        CLI_TRY(make_rows(w, found));
        s->clusters = NULL; /* the main thread writes it */
    }
    CLI_TRY(cli_clustering_write(w));
    if (!s->quiet) cli_clustering_warn(w);
    return CLI_DONE;
}

void cli_each_work(const cli_each *each, cli_each_file *file, clump_context *context, cli_each_found *found)
{
    cli_cluster s = *each->s;
    const bool in_table = s.clusters && !file->names[CLI_EACH_BOXES];
    s.output = file->names[CLI_EACH_OUTPUT];
    s.maps = file->names[CLI_EACH_MAPS];
    if (!in_table) s.clusters = file->names[CLI_EACH_BOXES];
    *found = (cli_each_found){.said.about = {file->input, s.output}};
    cli_hold_messages(&found->said);
    cli_clustering w = {.job = &each->plan->job,
                        .settings = each->plan->settings,
                        .s = &s,
                        .options = each->options,
                        .context = context,
                        .output_format = file->output_format,
                        .without_boxes = !s.clusters};
    cli_clustering_begin(&w, each->self, file->input);
    file->failed = run(&w, &s, in_table, found) != CLI_DONE;
    if (file->failed) free(found->rows), found->rows = NULL;
    fill(file, &w.report);
    found->stats = w.report.stats;
    cli_clustering_release(&w);
    clump_cloud_destroy(w.cloud);
    cli_hold_messages(NULL);
}
