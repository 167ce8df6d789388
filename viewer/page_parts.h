/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page_parts.h: what the build embeds (embed.c), and the scene of a page.
 */
#ifndef CLUMP_VIEWER_PAGE_PARTS_H
#define CLUMP_VIEWER_PAGE_PARTS_H

#include "page.h"

extern const unsigned char view_page_script[]; /* style, 0, script; deflated */
extern const unsigned char view_page_loader[];
extern const size_t view_page_script_size, view_page_loader_size;
extern const char view_page_script_hash[]; /* "sha256-..." of the script alone */
extern const char view_page_loader_hash[];

/* Appends the scene: JSON, safe inside <script>. */
void view_put_scene(view_bytes *to, const view_page *page);

#endif
