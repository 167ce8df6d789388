/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.c: see page.h. The frames come first, as they are made, then what is known only at the end: the scene, the picture
 * and the script.
 */
#include "page.h"

#include "common/assert.h"

#include "viewer/picture/picture.h"

#include <math.h>
#include <stdio.h>

enum { PAGE_PICTURE_WIDTH = 640, PAGE_PICTURE_HEIGHT = 360, PAGE_PICTURE_COLOURS = 32 };

static clump_status no_memory(clump_message *message)
{
    if (message) snprintf(message->text, sizeof message->text, "There is not enough memory to write the page");
    return CLUMP_ERR_OUT_OF_MEMORY;
}

/* Writes the text and releases it. */
static clump_status write_text(view_page *page, view_bytes *text, clump_message *message)
{
    const bool failed = text->failed;
    if (!failed && text->size > 0) {
        fwrite(text->data, 1, text->size, page->to);
        page->bytes += text->size;
    }
    view_bytes_release(text);
    return failed ? no_memory(message) : CLUMP_OK;
}

clump_status view_page_begin(view_page *page, FILE *to, const view_page_options *options, clump_message *message)
{
    *page = (view_page){.to = to, .options = options, .colour = options->look.colour};
    view_bytes text = {0};
    view_put_format(&text,
                    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '%s' '%s'; "
                    "style-src 'unsafe-inline'; img-src data: blob:; connect-src data:%s; base-uri 'none'; "
                    "form-action 'none'\">\n<title>",
                    view_page_loader_hash, view_page_script_hash, options->live ? " 'self'" : "");
    view_put_html_text(&text, options->title ? options->title : "clump");
    view_put_text(&text, "</title>\n<style>body{font-family:sans-serif}img{max-width:100%}</style>\n</head>\n<body>\n");
    return write_text(page, &text, message);
}

/* Keeps what the page says of a frame at its end. */
static void list_frame(view_page *page, const view_frame *frame)
{
    view_bytes *const list = &page->list;
    view_put_text(list, page->frames ? ",{\"name\":" : "{\"name\":");
    view_put_json_text(list, frame->name ? frame->name : "");
    view_put_text(list, ",\"stamp\":");
    view_put_json_number(list, frame->stamp == INT64_MIN ? (double)NAN : (double)frame->stamp * 1e-9);
    view_put_format(list, ",\"points\":%zu,\"clusters\":%d}", view_points(frame),
                    frame->labeling_count ? (int)frame->labelings[0].count : 0);
}

/* Draws the picture that stands for the page in a browser without WebGL2. Its size is a compromise: 50 kB of the page of a
 * KITTI frame; 800 x 450 pixels take 65 kB. */
static clump_status draw_picture(view_page *page, const view_frame *frame, clump_message *message)
{
    CLUMP_ASSERT(page->frames == 0 && page->picture.size == 0);
    view_image image = {0};
    view_bytes png = {0};
    clump_status status =
        view_draw(frame, &page->options->look, PAGE_PICTURE_WIDTH, PAGE_PICTURE_HEIGHT, &image, message);
    if (status == CLUMP_OK) status = view_put_png(&png, &image, PAGE_PICTURE_COLOURS, message);
    view_put_base64(&page->picture, png.data, png.size);
    if (png.failed) page->picture.failed = true;
    view_bytes_release(&png);
    view_image_release(&image);
    return status;
}

clump_status view_page_frame(view_page *page, const view_frame *frame, clump_message *message)
{
    view_bytes packet = {0}, text = {0};
    clump_status status = view_put_packet(&packet, frame, &page->options->packet, message);
    if (status == CLUMP_OK) {
        view_put_text(&text, "<script type=\"text/plain\" class=\"clump-frame\">");
        view_put_base64(&text, packet.data, packet.size);
        view_put_text(&text, "</script>\n");
    }
    view_bytes_release(&packet);
    if (status == CLUMP_OK) status = write_text(page, &text, message);
    if (status == CLUMP_OK && page->frames == 0) {
        if (!view_resolve_colour(frame, &page->options->look, &page->colour)) page->colour = VIEW_BY_AUTO;
        status = draw_picture(page, frame, message);
    }
    list_frame(page, frame);
    page->frames++;
    return status;
}

static void put_fallback(view_bytes *text, const view_page *page)
{
    view_put_text(text, "<div id=\"clump-fallback\">\n<p id=\"clump-sentence\">");
    view_put_text(text, "This page shows a point cloud. It needs JavaScript and WebGL2.");
    if (page->picture.size > 0) {
        view_put_text(text, " The picture shows the first frame.</p>\n<img id=\"clump-picture\" alt=\"");
        view_put_html_text(text, page->options->title ? page->options->title : "point cloud");
        view_put_text(text, "\" src=\"data:image/png;base64,");
        view_put(text, page->picture.data, page->picture.size);
        view_put_text(text, "\">\n</div>\n");
    } else {
        view_put_text(text, "</p>\n</div>\n");
    }
}

clump_status view_page_end(view_page *page, clump_message *message)
{
    view_bytes text = {0};
    view_put_text(&text, "<script type=\"application/json\" id=\"clump-scene\">");
    view_put_scene(&text, page);
    view_put_text(&text, "</script>\n");
    put_fallback(&text, page);
    view_put_text(&text, "<script type=\"text/plain\" id=\"clump-script\">");
    view_put_base64(&text, view_page_script, view_page_script_size);
    view_put_text(&text, "</script>\n<script>");
    view_put(&text, view_page_loader, view_page_loader_size);
    view_put_text(&text, "</script>\n</body>\n</html>\n");
    if (page->list.failed || page->picture.failed) text.failed = true;
    view_page_release(page);
    return write_text(page, &text, message);
}

void view_page_release(view_page *page)
{
    view_bytes_release(&page->list);
    view_bytes_release(&page->picture);
}
