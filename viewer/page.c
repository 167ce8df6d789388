/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.c: see page.h.
 */
#include "page.h"

clump_status view_page_begin(view_page *page, FILE *to, const view_page_options *options, clump_message *message)
{
    (void)message;
    *page = (view_page){.to = to, .options = options};
    return CLUMP_OK;
}
clump_status view_page_frame(view_page *page, const view_frame *frame, clump_message *message)
{
    (void)page, (void)frame, (void)message;
    return CLUMP_OK;
}
clump_status view_page_end(view_page *page, clump_message *message)
{
    (void)page, (void)message;
    return CLUMP_OK;
}
