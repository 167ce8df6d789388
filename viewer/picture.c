/* SPDX-License-Identifier: BSD-3-Clause
 *
 * picture.c: see picture.h.
 */
#include "picture.h"

#include <stdlib.h>

clump_status view_draw(const view_frame *frame, const view_options *options, size_t width, size_t height,
                       view_image *image, clump_message *message)
{
    (void)frame, (void)options, (void)message;
    *image = (view_image){.rgb = calloc(width * height, 3), .width = width, .height = height};
    return image->rgb ? CLUMP_OK : CLUMP_ERR_OUT_OF_MEMORY;
}
void view_image_release(view_image *image)
{
    free(image->rgb);
}
clump_status view_put_png(view_bytes *to, const view_image *image, size_t colours, clump_message *message)
{
    (void)to, (void)image, (void)colours, (void)message;
    return CLUMP_OK;
}
clump_status view_put_map_png(view_bytes *to, const view_map *map, clump_message *message)
{
    (void)to, (void)map, (void)message;
    return CLUMP_OK;
}
