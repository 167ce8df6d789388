/* SPDX-License-Identifier: BSD-3-Clause
 *
 * quantise.h: an image with few colours, for a small file.
 */
#ifndef CLUMP_VIEWER_QUANTISE_H
#define CLUMP_VIEWER_QUANTISE_H

#include "viewer/scene/palette.h"
#include "viewer/picture/picture.h"

/* Chooses at most `most` colours (1 ... 256) by median cut and writes the index of one per pixel. Returns how many colours
 * were chosen; 0: no memory. */
size_t view_quantise(const view_image *image, size_t most, view_rgb colours[256], uint8_t *pixels);

#endif
