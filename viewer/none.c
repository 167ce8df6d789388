/* SPDX-License-Identifier: BSD-3-Clause
 *
 * none.c: pages, packets and PNG files in a build without libpng and zlib: refused with a sentence.
 */
#include "page.h"
#include "picture.h"

#include <stdio.h>

static clump_status refuse(const char *what, clump_message *message)
{
    if (message)
        snprintf(message->text, sizeof message->text,
                 "this build of clump cannot write %s: libpng was missing (Debian: libpng-dev)", what);
    return CLUMP_ERR_UNSUPPORTED;
}

clump_status view_put_packet(view_bytes *to, const view_frame *frame, const view_packet_options *options,
                             clump_message *message)
{
    (void)to, (void)frame, (void)options;
    return refuse("pages", message);
}

clump_status view_page_begin(view_page *page, FILE *to, const view_page_options *options, clump_message *message)
{
    *page = (view_page){.to = to, .options = options};
    return refuse("pages", message);
}

clump_status view_page_frame(view_page *page, const view_frame *frame, clump_message *message)
{
    (void)page, (void)frame;
    return refuse("pages", message);
}

clump_status view_page_end(view_page *page, clump_message *message)
{
    (void)page;
    return refuse("pages", message);
}

void view_page_release(view_page *page)
{
    (void)page;
}

clump_status view_put_png(view_bytes *to, const view_image *image, size_t colours, clump_message *message)
{
    (void)to, (void)image, (void)colours;
    return refuse("PNG files", message);
}

clump_status view_put_map_png(view_bytes *to, const view_map *map, clump_message *message)
{
    (void)to, (void)map;
    return refuse("PNG files", message);
}
