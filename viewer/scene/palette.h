/* SPDX-License-Identifier: BSD-3-Clause
 *
 * palette.h: the colours of page and picture, and which cluster gets which. The colours of the palette are told apart by
 * readers with the common colour vision deficiencies, on a light and on a dark background.
 */
#ifndef CLUMP_VIEWER_PALETTE_H
#define CLUMP_VIEWER_PALETTE_H

#include "viewer/scene/scene.h"

enum { VIEW_PALETTE = 16, VIEW_RAMP = 256 };

typedef struct view_rgb {
    uint8_t r, g, b;
} view_rgb;

/* Colours with a meaning of their own, for a dark or a light background. */
typedef struct view_special {
    view_rgb background, ground, noise, differs, core, border, highlight, text;
    view_rgb clouds[VIEW_CLOUDS];
} view_special;

extern const view_rgb view_palette[VIEW_PALETTE];
extern const view_rgb view_ramp[VIEW_RAMP]; /* for numbers, least to greatest; of growing lightness */
/* Distances between the colours of the palette, in thousandths of OKLab's unit: the least over normal vision, protanopia,
 * deuteranopia and tritanopia. */
extern const uint16_t view_apart[VIEW_PALETTE][VIEW_PALETTE];
const view_special *view_special_colours(bool dark);

/* Chooses a colour of the palette per cluster, so that clusters near each other differ. Deterministic. With tracks the
 * colour follows the identity where possible. Writes count entries. False: no memory. */
bool view_choose_colours(const view_labels *labels, uint8_t *colours);

/* Chooses the colours of labelings[which]. Clusters of the second labelling that correspond to one of the first
 * (difference.h) get its colour. Writes labelings[which].count entries. False: no memory. */
bool view_choose_frame_colours(const view_frame *frame, size_t which, uint8_t *colours);

#endif
