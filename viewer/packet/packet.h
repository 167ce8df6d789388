/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet.h: a frame as bytes: what a page holds per frame and what `clump play --serve` sends. viewer/README.md defines
 * the bytes.
 */
#ifndef CLUMP_VIEWER_PACKET_H
#define CLUMP_VIEWER_PACKET_H

#include "viewer/bytes/bytes.h"
#include "viewer/scene/scene.h"

typedef struct view_packet_options {
    int level;                /* of deflate, 1 ... 9 */
    size_t most_points;       /* more points than this are thinned; 0: no limit */
    bool fields;              /* with all fields of the cloud */
    const view_options *look; /* for the views; null: the defaults */
} view_packet_options;

/* Returns level 6, no limit, all fields. Level 9 takes five times as long for a page that is 2 % smaller: 12 frames of a
 * simulated HDL-64E, Neoverse-V1. */
static inline view_packet_options view_packet_defaults(void)
{
    return (view_packet_options){.level = 6, .fields = true};
}

/* Appends the packet of the frame. */
clump_status view_put_packet(view_bytes *to, const view_frame *frame, const view_packet_options *options,
                             clump_message *message);

#endif
