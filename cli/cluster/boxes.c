/* SPDX-License-Identifier: BSD-3-Clause
 *
 * boxes.c: see cluster.h.
 */
#include "cluster/cluster.h"
#include "cluster/clusters_file.h"
#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

int cli_boxes_check(const cli_command *self, const cli_cluster *s, bool in_table)
{
    if (s->axes && !s->clusters) return cli_usage(self, "--axes needs --clusters FILE, the file that gets them");
    if (s->hull && !s->clusters) return cli_usage(self, "--hull needs --clusters FILE.json, the file that gets it");
    if (s->intensity && !s->clusters && !in_table)
        return cli_usage(self, "--intensity needs --clusters FILE, the file that gets it");
    if (s->hull && !cli_clusters_are_json(s->clusters) && !(s->each && cli_clusters_are_folder(s->clusters)))
        return cli_usage(self, "--hull: %s has no place for polygons, use --clusters FILE.json", s->clusters);
    return CLI_DONE;
}

static int read_values(cli_boxes *boxes, const char *name, const clump_cloud *cloud, const char *input)
{
    clump_field field;
    if (!clump_cloud_find(cloud, name, &field)) {
        if (name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0')
            return cli_fail("%s: --intensity %s: a coordinate, not a field; its mean is in the centroid", input, name);
        char list[512];
        cli_list_fields(cloud, true, list, sizeof list);
        return cli_fail("%s: --intensity %s: the file has no such field, only %s", input, name,
                        list[0] ? list : "x, y and z");
    }
    if (field.count != 1)
        return cli_fail("%s: --intensity %s: the field has %u numbers per point, not one", input, name,
                        (unsigned)field.count);
    const size_t count = clump_cloud_points(cloud).count;
    boxes->values = cli_allocate(count, sizeof *boxes->values);
    if (!boxes->values) return cli_fail("not enough memory for the field %s of %zu points", name, count);
    for (size_t i = 0; i < count; i++) boxes->values[i] = (float)clump_field_value(&field, i, 0);
    return CLI_DONE;
}

int cli_boxes_begin(cli_boxes *boxes, const cli_cluster *s, const clump_cloud *cloud, const char *input)
{
    if (s->intensity) CLI_TRY(read_values(boxes, s->intensity, cloud, input));
    if (!s->hull) return CLI_DONE;
    boxes->hull_capacity = clump_cloud_points(cloud).count; /* a hull has at most as many corners as points */
    boxes->hull = cli_allocate(boxes->hull_capacity, 2 * sizeof *boxes->hull);
    return boxes->hull ? CLI_DONE : cli_fail("not enough memory for the hulls of %zu points", boxes->hull_capacity);
}

bool cli_boxes_reserve(cli_boxes *boxes, int32_t capacity)
{
    CLUMP_ASSERT(capacity >= 0);
    free(boxes->clusters);
    free(boxes->found);
    free(boxes->hull_offsets);
    boxes->capacity = capacity;
    boxes->found = boxes->has_found ? cli_allocate((size_t)capacity, sizeof *boxes->found) : NULL;
    boxes->clusters = cli_allocate((size_t)capacity, sizeof *boxes->clusters);
    boxes->hull_offsets = boxes->hull ? cli_allocate((size_t)capacity + 1, sizeof *boxes->hull_offsets) : NULL;
    return boxes->clusters && (!boxes->has_found || boxes->found) && (!boxes->hull || boxes->hull_offsets);
}

clump_describe_options cli_boxes_options(const cli_boxes *boxes, const cli_cluster *s, const double *origin)
{
    const clump_ground_options ground = cli_ground_options(&s->ground, &s->region, origin);
    clump_describe_options options = clump_describe_defaults();
    options.up = ground.up;
    memcpy(options.sensor, ground.sensor, sizeof options.sensor);
    options.axes = s->axes;
    options.values = boxes->values;
    options.hull = boxes->hull;
    options.hull_capacity = boxes->hull_capacity;
    options.hull_offsets = boxes->hull_offsets;
    return options;
}

void cli_boxes_turn(cli_boxes *boxes, int32_t count)
{
    CLUMP_ASSERT(count >= 0 && count <= boxes->capacity);
    for (int32_t i = 0; i < count; i++) {
        clump_cluster *const c = &boxes->clusters[i];
        if (!(c->box_size[1] > c->box_size[0])) continue;
        const float length = c->box_size[1];
        c->box_size[1] = c->box_size[0];
        c->box_size[0] = length;
        c->yaw += 90;
        if (c->yaw >= 180) c->yaw = 0; /* 89.99999 + 90, rounded */
    }
}

void cli_boxes_release(cli_boxes *boxes)
{
    free(boxes->clusters);
    free(boxes->found);
    free(boxes->values);
    free(boxes->hull);
    free(boxes->hull_offsets);
    *boxes = (cli_boxes){0};
}
