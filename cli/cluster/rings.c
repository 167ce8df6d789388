/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.c: see cluster.h.
 */
#include "cluster/cluster.h"

#include <stdlib.h>

/* Makes room for the rings of `count` points. */
static bool reserve(cli_rings *r, size_t count)
{
    if (r->memory && count <= r->room) return true;
    free(r->memory);
    r->memory = cli_allocate(count, sizeof *r->memory);
    r->room = r->memory ? count : 0;
    return r->memory != NULL;
}

clump_status cli_rings_read(cli_rings *r, const clump_cloud *cloud, clump_neighbour_kind neighbours,
                            clump_message *message)
{
    const size_t count = clump_cloud_points(cloud).count;
    bool found = false;
    r->rings = NULL;
    r->field = NULL;
    r->columns = 0;
    if (neighbours == CLUMP_NEIGHBOURS_EXACT) return CLUMP_OK;
    r->field = clump_cloud_ring_field(cloud);
    if (r->field) {
        if (!reserve(r, count)) {
            snprintf(message->text, sizeof message->text, "not enough memory for the rings of %zu points", count);
            return CLUMP_ERR_OUT_OF_MEMORY;
        }
        const clump_status status = clump_cloud_rings(cloud, r->memory, &found, message);
        if (status != CLUMP_OK) return status;
    }
    if (found)
        r->rings = r->memory;
    else
        r->columns = clump_cloud_columns(cloud);
    return CLUMP_OK;
}

void cli_rings_release(cli_rings *r)
{
    free(r->memory);
    *r = (cli_rings){0};
}
