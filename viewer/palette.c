/* SPDX-License-Identifier: BSD-3-Clause
 *
 * palette.c: see palette.h.
 */
#include "palette.h"

const view_rgb view_palette[VIEW_PALETTE] = {{255, 255, 255}};
const view_rgb view_ramp[VIEW_RAMP] = {{255, 255, 255}};
const view_special *view_special_colours(bool dark)
{
    static const view_special colours[2];
    return &colours[dark];
}
bool view_choose_colours(const view_labels *labels, uint8_t *colours)
{
    for (int32_t i = 0; i < labels->count; i++) colours[i] = (uint8_t)(i % VIEW_PALETTE);
    return true;
}
