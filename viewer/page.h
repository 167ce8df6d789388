/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.h: a scene as one HTML file that needs nothing else: no network, no other file. A page is written frame by frame;
 * only one frame is in memory.
 *
 *     page_scene.c   the scene of a page: JSON text of what all frames share
 *     page.c         the file: frames first, then scene, picture and script
 *     embed.c        a program of the build: script and style as C
 *
 * A page is `live` where a server sends its frames (viewer/server/server.h).
 */
#ifndef CLUMP_VIEWER_PAGE_H
#define CLUMP_VIEWER_PAGE_H

#include "viewer/packet/packet.h"

#include <stdio.h>

typedef struct view_page_options {
    const char *title;
    const char *command; /* the command line that made the page; null: not shown */
    view_options look;
    view_packet_options packet;
    bool plays; /* several frames: the page plays them when it opens */
    bool live;  /* frames come from the server (server.h); the page has none */
} view_page_options;

typedef struct view_page {
    FILE *to;
    const view_page_options *options;
    size_t frames;
    uint64_t bytes;     /* written so far */
    view_bytes list;    /* JSON of the frames so far */
    view_bytes picture; /* of the first frame, in base64 */
    view_colour colour; /* that the page opens with; VIEW_BY_AUTO: not known before the first frame */
} view_page;

/* Writes the page to a file. A failure of the file is found by the caller (ferror). */
clump_status view_page_begin(view_page *page, FILE *to, const view_page_options *options, clump_message *message);
clump_status view_page_frame(view_page *page, const view_frame *frame, clump_message *message);
clump_status view_page_end(view_page *page, clump_message *message); /* and releases the page */
void view_page_release(view_page *page); /* for a page that is given up; a zeroed or ended one is fine */

/* --- what the build embeds (embed.c), and the scene of a page --------------------------------------- */

extern const unsigned char view_page_script[]; /* style, 0, script; deflated */
extern const unsigned char view_page_loader[];
extern const size_t view_page_script_size, view_page_loader_size;
extern const char view_page_script_hash[]; /* "sha256-..." of the script alone */
extern const char view_page_loader_hash[];

/* Appends the scene: JSON, safe inside <script>. */
void view_put_scene(view_bytes *to, const view_page *page);

#endif
