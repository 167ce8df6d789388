/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_maps.c: the maps of a packet.
 */
#include "viewer/packet/packet_parts.h"

#include <math.h>
#include <stdlib.h>

/* Heights are coordinates along the axis that points up. */
static void put_heights(packet *p, const view_map *map, size_t cells)
{
    const int up = p->frame->up == CLUMP_UP_Y ? 1 : 2;
    const double shift = clump_cloud_origin(p->frame->clouds[0])[up] - p->origin[up];
    const float *const data = map->data;
    double *const numbers = malloc((cells + 1) * sizeof *numbers);
    if (!numbers) {
        p->body.failed = true;
        return;
    }
    for (size_t i = 0; i < cells; i++) numbers[i] = (double)data[i];
    packet_put_numbers(p, map->name, numbers, cells, p->unit, p->frame->flip ? -shift : shift);
    free(numbers);
}

static void put_numbers(packet *p, const view_map *map, size_t cells)
{
    int64_t *const values = packet_values(p, cells);
    if (!values) return;
    const uint8_t *const flags = map->data;
    const int32_t *const labels = map->data;
    for (size_t i = 0; i < cells; i++) values[i] = map->kind == VIEW_MAP_U8 ? flags[i] : labels[i];
    packet_put_column(p, &(packet_column){.name = map->name, .scale = 1, .exact = true}, values, cells);
}

void packet_put_maps(packet *p)
{
    static const char *const kinds[] = {[VIEW_MAP_F32] = "f32", [VIEW_MAP_U8] = "u8", [VIEW_MAP_I32] = "i32"};
    view_put_text(&p->json, ",\"maps\":[");
    for (size_t k = 0; k < p->frame->map_count; k++) {
        const view_map *const map = &p->frame->maps[k];
        const double *const origin = clump_cloud_origin(p->frame->clouds[0]);
        const int second = p->frame->up == CLUMP_UP_Y ? 2 : 1;
        view_put_text(&p->json, k ? ",{\"name\":" : "{\"name\":");
        view_put_json_text(&p->json, map->name);
        view_put_format(&p->json, ",\"kind\":\"%s\",\"rows\":%zu,\"columns\":%zu,\"corner\":[", kinds[map->kind],
                        map->rows, map->columns);
        view_put_json_number(&p->json, (double)map->corner[0] + origin[0] - p->origin[0]);
        view_put_text(&p->json, ",");
        view_put_json_number(&p->json, (double)map->corner[1] + origin[second] - p->origin[second]);
        view_put_text(&p->json, "],\"cell\":");
        view_put_json_number(&p->json, (double)map->cell);
        view_put_text(&p->json, ",\"column\":");
        const size_t cells = map->rows * map->columns;
        if (map->kind == VIEW_MAP_F32)
            put_heights(p, map, cells);
        else
            put_numbers(p, map, cells);
        view_put_text(&p->json, "}");
    }
    view_put_text(&p->json, "]");
}
