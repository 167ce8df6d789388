/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster_view.c: see clustering.h.
 */
#include "cluster/clustering.h"

#include <stdlib.h>
#include <string.h>

/* Keeps only clusters that have points, with the labels they have. */
static bool leave_out_clusters(cli_cluster_view *view, const cli_clustering *w)
{
    const size_t points = clump_cloud_points(w->cloud).count, all = (size_t)w->count;
    view_labels *const to = &view->frame.labelings[0];
    int32_t *const places = cli_allocate(all, sizeof *places);
    view->indices = cli_allocate(points, sizeof *view->indices);
    view->clusters = cli_allocate(all, sizeof *view->clusters);
    view->objects = cli_allocate(w->boxes.found ? all : 0, sizeof *view->objects);
    if (!places || !view->indices || !view->clusters || !view->objects) return free(places), false;
    for (size_t c = 0; c < all; c++) places[c] = -1;
    for (size_t i = 0; i < points; i++)
        if (w->labels[i] >= 0) places[w->labels[i]] = 0;
    to->count = 0;
    for (size_t c = 0; c < all; c++) {
        if (places[c] < 0) continue;
        places[c] = to->count++;
        view->clusters[places[c]] = w->boxes.clusters[c];
        if (w->boxes.found) view->objects[places[c]] = w->boxes.found[c];
    }
    for (size_t i = 0; i < points; i++) view->indices[i] = w->labels[i] < 0 ? w->labels[i] : places[w->labels[i]];
    to->labels = view->indices;
    to->clusters = view->clusters;
    if (w->boxes.found) to->objects = view->objects;
    free(places);
    return true;
}

/* Returns what --json prints, without its newline. Null: no memory. */
static char *facts_of(const cli_clustering *w)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    if (!to) return NULL;
    cli_report_json(to, &w->report);
    text = cli_text_end(to, &text);
    if (text) text[strcspn(text, "\n")] = '\0';
    return text;
}

int cli_cluster_view_fill(cli_cluster_view *view, const cli_clustering *w)
{
    const cli_cluster *const s = w->s;
    const char *const file = cli_view_name(w->report.input), *const summary = w->job->summary;
    *view = (cli_cluster_view){.name = cli_text("%s%s%s", w->report.command, summary[0] ? ", " : "", summary),
                               .facts = facts_of(w)};
    view->frame = (view_frame){.name = file,
                               .stamp = INT64_MIN,
                               .clouds = {w->cloud},
                               .cloud_names = {file},
                               .cloud_count = 1,
                               .labelings = {{.name = view->name,
                                              .labels = w->labels,
                                              .clusters = w->boxes.clusters,
                                              .count = w->count,
                                              .core = w->report.core_known ? w->core : NULL,
                                              .objects = w->boxes.found}},
                               .labeling_count = 1,
                               .facts = view->facts,
                               .up = w->report.up,
                               .flip = s->ground.options.flip};
    const view_map *const map = &w->maps.list[0];
    const bool fits = w->maps.count > 0 && map->rows <= CLI_VIEW_MAP_SIDE && map->columns <= CLI_VIEW_MAP_SIDE;
    view->frame.map_count = fits ? w->maps.count : 0;
    memcpy(view->frame.maps, w->maps.list, sizeof view->frame.maps);
    memcpy(view->frame.sensor, s->region.sensor, sizeof view->frame.sensor);
    if (view->name && view->facts && (!s->keep || leave_out_clusters(view, w))) return CLI_DONE;
    return cli_fail("not enough memory to show %d clusters", (int)w->count);
}

void cli_cluster_view_release(cli_cluster_view *view)
{
    free(view->name);
    free(view->facts);
    free(view->indices);
    free(view->clusters);
    free(view->objects);
    *view = (cli_cluster_view){0};
}

int cli_cluster_view_write(const cli_clustering *w)
{
    cli_view_writing out = cli_view_writing_of(w->view, w->s->output, w->s->quiet);
    cli_cluster_view view;
    int status = cli_cluster_view_fill(&view, w);
    char *const title = cli_text("%s: %s", view.frame.name, view.name ? view.name : "");
    out.options.title = title;
    out.options.command = w->job->typed;
    if (status == CLI_DONE && !title) status = cli_fail("not enough memory to show %d clusters", (int)w->count);
    if (status == CLI_DONE) status = cli_view_write_one(&out, &view.frame);
    free(title);
    cli_cluster_view_release(&view);
    return status;
}
