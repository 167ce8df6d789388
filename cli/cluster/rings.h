/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.h: the rings of a cloud for clump_objects: of its field `ring`, else the rows of an organised cloud.
 */
#ifndef CLUMP_CLI_RINGS_H
#define CLUMP_CLI_RINGS_H

#include "base/cli.h"

typedef struct cli_rings {
    const uint16_t *rings; /* one per point; null: the cloud has no such field, or exact neighbours need none */
    size_t columns;        /* points per row; 0: not organised */
    uint16_t *memory;      /* is used again by the next cloud, */
    size_t room;           /* for so many points */
} cli_rings;

/* Reads the rings of the cloud. On failure the message says why. */
clump_status cli_rings_read(cli_rings *rings, const clump_cloud *cloud, clump_neighbour_kind neighbours,
                            clump_message *message);

void cli_rings_release(cli_rings *rings); /* a zeroed one is fine */

#endif
