/* SPDX-License-Identifier: BSD-3-Clause
 *
 * offsets.c: coordinates of a block as float32 offsets from an origin, to the bit as clump_cloud_load() has them.
 */
#include "blocks/blocks.h"

#include <math.h>

static void from_steps(const clump_reader *reader, const int64_t *steps, size_t count, const double origin[3],
                       float *xyz)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t a = 0; a < 3; a++) {
            const clump_io_block_axis *axis = &reader->axes[a];
            const int64_t v = steps[3 * i + a];
            const int64_t step = axis->multiple == 1 ? v - axis->base : (v - axis->base) / axis->multiple;
            xyz[3 * i + a] =
                v == CLUMP_STEP_NONE ? NAN : clump_io_las_offset((double)step, axis->scale, axis->offset, origin[a]);
        }
    }
}

void clump_block_offsets(const clump_reader *reader, const clump_block *block, const double origin[3], float *xyz)
{
    static const double zero[3];
    if (!reader || !block || !xyz || !block->count) return;
    if (!origin) origin = zero;
    if (block->steps) from_steps(reader, block->steps, block->count, origin, xyz);
    for (size_t i = 0; i < 3 * block->count && block->doubles; i++) xyz[i] = (float)(block->doubles[i] - origin[i % 3]);
    if (!block->floats) return;
    if (origin[0] == 0 && origin[1] == 0 && origin[2] == 0) {
        memcpy(xyz, block->floats, 3 * block->count * sizeof *xyz); /* also the bits of a NaN */
        return;
    }
    for (size_t i = 0; i < 3 * block->count; i++) xyz[i] = (float)((double)block->floats[i] - origin[i % 3]);
}
