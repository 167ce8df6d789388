/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_clusters.c: see big.h.
 */
#include "big/big.h"

#include <stdlib.h>
#include <string.h>

enum { CLUSTERS_AT_ONCE = 4096 }; /* clusters that are copied at a time */

static bool open_file(cli_big_clusters *c)
{
    if (c->is_open) return true;
    const cli_clusters_layout layout = {.axes = c->settings->axes, .by_class = c->by_class};
    c->is_open = cli_clusters_open(&c->file, c->settings->clusters, &layout) == CLI_DONE;
    c->has_failed = !c->is_open;
    return c->is_open;
}

/* Copies the corners of `count` clusters. Returns how many there are, or -1 without memory. */
static ptrdiff_t copy_hulls(cli_boxes *boxes, const clump_cluster *clusters, const float *hulls, size_t count)
{
    ptrdiff_t corners = 0;
    for (size_t k = 0; k < count; k++) {
        boxes->hull_offsets[k] = (int32_t)corners;
        corners += clusters[k].hull_corners;
    }
    boxes->hull_offsets[count] = (int32_t)corners;
    if ((size_t)corners > boxes->hull_capacity) {
        free(boxes->hull);
        boxes->hull_capacity = (size_t)corners;
        boxes->hull = cli_allocate(boxes->hull_capacity, 2 * sizeof *boxes->hull);
        if (!boxes->hull) return -1;
    }
    memcpy(boxes->hull, hulls, (size_t)corners * 2 * sizeof *boxes->hull);
    return corners;
}

/* Makes room for the copies of CLUSTERS_AT_ONCE clusters. */
static bool reserve(cli_big_clusters *c)
{
    if (c->boxes.clusters) return true;
    if (c->settings->hull) c->boxes.hull = cli_allocate(c->boxes.hull_capacity = CLUSTERS_AT_ONCE, 2 * sizeof(float));
    if (c->by_class) c->by_class->found = cli_allocate(CLUSTERS_AT_ONCE, sizeof *c->by_class->found);
    return (!c->settings->hull || c->boxes.hull) && (!c->by_class || c->by_class->found) &&
           cli_boxes_reserve(&c->boxes, CLUSTERS_AT_ONCE);
}

/* A clump_big_clusters. */
static clump_status take_clusters(void *user, const clump_cluster *clusters, const uint16_t *classes,
                                  const float *hulls, int64_t first, size_t count, const double origin[3])
{
    cli_big_clusters *const c = user;
    const cli_clusters_layout layout = {
        .origin = origin, .up = CLUMP_UP_Z, .axes = c->settings->axes, .by_class = c->by_class};
    (void)first;
    if (!open_file(c)) return CLUMP_ERR_IO_WRITE;
    if (!reserve(c)) return CLUMP_ERR_OUT_OF_MEMORY;
    for (size_t at = 0, now; at < count; at += now) {
        now = count - at < CLUSTERS_AT_ONCE ? count - at : CLUSTERS_AT_ONCE;
        memcpy(c->boxes.clusters, clusters + at, now * sizeof *clusters);
        if (c->by_class) memcpy(c->by_class->found, classes + at, now * sizeof *classes);
        if (hulls) {
            const ptrdiff_t corners = copy_hulls(&c->boxes, clusters + at, hulls, now);
            if (corners < 0) return CLUMP_ERR_OUT_OF_MEMORY;
            hulls += 2 * corners;
        }
        cli_boxes_turn(&c->boxes, (int32_t)now);
        cli_clusters_add(&c->file, &c->boxes, (int32_t)now, &layout);
    }
    return ferror(c->file.out.file) ? CLUMP_ERR_IO_WRITE : CLUMP_OK;
}

void cli_big_clusters_begin(cli_big_clusters *c, const cli_cluster *s, cli_by_class *by_class, clump_big_options *o)
{
    *c = (cli_big_clusters){.settings = s, .writes = !o->peers || o->peers->rank == 0, .by_class = by_class};
    if (!s->clusters) return;
    o->clusters = take_clusters;
    o->clusters_user = c;
    o->axes = s->axes;
    o->hull = s->hull;
    for (size_t k = 0; k < 3; k++) o->sensor[k] = s->region.sensor[k];
}

void cli_big_clusters_end(cli_big_clusters *c, bool success)
{
    if (c->settings->clusters && c->writes && success) (void)open_file(c); /* there may be no clusters */
    if (c->is_open && (success || ferror(c->file.out.file)))               /* closing says what has failed */
        c->has_failed = cli_clusters_close(&c->file) != CLI_DONE;
    else if (c->is_open)
        cli_output_abandon(&c->file.out);
    cli_boxes_release(&c->boxes);
}
