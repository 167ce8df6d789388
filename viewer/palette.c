/* SPDX-License-Identifier: BSD-3-Clause
 *
 * palette.c: the colours with a meaning of their own. Ground is close to the background, noise is grey: clusters stand
 * out. Differing points are further from all of these than anything else is. palette_tables.c has the other colours,
 * colouring.c says which cluster gets which.
 */
#include "palette.h"

static const view_special special_dark = {
    .background = {0x10, 0x14, 0x18},
    .ground = {0x34, 0x39, 0x36},
    .noise = {0x5d, 0x63, 0x6b},
    .differs = {0xff, 0xe6, 0x00},
    .core = {0x4a, 0xa8, 0xff},
    .border = {0xff, 0xa0, 0x2e},
    .highlight = {0xff, 0xff, 0xff},
    .text = {0xe8, 0xea, 0xed},
    .clouds = {{0x4a, 0xa8, 0xff}, {0xff, 0xa0, 0x2e}},
};

static const view_special special_light = {
    .background = {0xf7, 0xf7, 0xf5},
    .ground = {0xdc, 0xd8, 0xce},
    .noise = {0xa8, 0xab, 0xae},
    .differs = {0xb8, 0x00, 0x6e},
    .core = {0x1f, 0x6f, 0xd1},
    .border = {0xd9, 0x66, 0x0a},
    .highlight = {0x00, 0x00, 0x00},
    .text = {0x1b, 0x1f, 0x24},
    .clouds = {{0x1f, 0x6f, 0xd1}, {0xd9, 0x66, 0x0a}},
};

const view_special *view_special_colours(bool dark)
{
    return dark ? &special_dark : &special_light;
}
