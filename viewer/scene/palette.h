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
/* The same for those whose entry is VIEW_NO_COLOUR; the others keep theirs. */
enum { VIEW_NO_COLOUR = 255 };
bool view_choose_free_colours(const view_labels *labels, uint8_t *colours);

/* Chooses the colours of labelings[which]. Clusters of the second labelling that correspond to one of the first
 * (scene.h) get its colour. Writes labelings[which].count entries. False: no memory. */
bool view_choose_frame_colours(const view_frame *frame, size_t which, uint8_t *colours);

/* --- rgb.c: the colours that the points of a cloud have in the file. Names of fields are compared without case:
 *
 *     rgb, rgba              0xAARRGGBB in 32 bits, as an integer or as the bits of a float32 (PCD, PointCloud2);
 *                            or three and more elements: red, green, blue
 *     red green blue         (PLY, LAS), also diffuse_red .. and r g b
 *
 * Numbers of separate fields are 0 to 255 where none is greater, else 16 bits, of which the upper 8 are taken. Real numbers
 * of which none is greater than 1 are shares of 255. */

/* Where the colours of a cloud are. */
typedef struct view_colours {
    clump_field fields[3]; /* of red, green and blue; all the same where one field holds the colour */
    uint32_t elements[3];
    bool packed;        /* 0xAARRGGBB in fields[0] */
    double scale, half; /* where not packed: a byte is floor(number * scale + half) */
} view_colours;

/* Finds the colours of a cloud. False: it has none. */
bool view_find_colours(const clump_cloud *cloud, view_colours *colours);

/* Returns the colour of point i. */
view_rgb view_point_colour(const view_colours *colours, size_t i);

/* Returns whether the finite points of the cloud have two different colours. */
bool view_has_colours(const clump_cloud *cloud);

#endif
