/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_page.c: the HTML of a page: its parts, hostile titles, several frames, a live page, no frame.
 */
#include "support/check.h"

#include "viewer/page.h"

#include <math.h>

/* Writes a page of `frames` frames and returns its text, for free(). */
static char *page_of(view_page_options *options, size_t frames, const char *name)
{
    clump_cloud *cloud = NULL;
    CHECK_INT(clump_cloud_create(50, &cloud, NULL), CLUMP_OK);
    for (int i = 0; i < 150; i++) clump_cloud_xyz(cloud)[i] = (float)(i * i % 31);
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    view_page page;
    clump_message message = {0};
    CHECK_INT(view_page_begin(&page, file, options, &message), CLUMP_OK);
    for (size_t k = 0; k < frames; k++) {
        const view_frame frame = {.name = name,
                                  .number = k,
                                  .stamp = k ? (int64_t)k * 100000000 : INT64_MIN,
                                  .clouds = {cloud},
                                  .cloud_names = {name},
                                  .cloud_count = 1};
        CHECK_INT(view_page_frame(&page, &frame, &message), CLUMP_OK);
    }
    CHECK_INT(view_page_end(&page, &message), CLUMP_OK);
    fclose(file);
    CHECK_INT(page.bytes, size);
    clump_cloud_destroy(cloud);
    return text;
}

static view_page_options options_of(const char *title)
{
    return (view_page_options){.title = title, .look = view_defaults(), .packet = view_packet_defaults()};
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static void a_page_has_its_parts(void)
{
    view_page_options options = options_of("two frames");
    options.command = "clump view a b";
    char *const page = page_of(&options, 2, "a");
    CHECK(strncmp(page, "<!doctype html>\n", 16) == 0);
    CHECK(strstr(page, "<meta charset=\"utf-8\">"));
    CHECK(strstr(page, "default-src 'none'"));
    CHECK(strstr(page, "connect-src data:;")); /* no network */
    CHECK(strstr(page, "<title>two frames</title>"));
    CHECK_INT(count_of(page, "class=\"clump-frame\""), 2);
    CHECK_INT(count_of(page, "id=\"clump-scene\""), 1);
    CHECK_INT(count_of(page, "id=\"clump-picture\""), 1);
    CHECK_INT(count_of(page, "id=\"clump-sentence\""), 1);
    CHECK(strstr(page, "\"command\":\"clump view a b\",\"live\":null"));
    CHECK(strstr(page, "\"colour\":\"height\""));
    CHECK(strstr(page, "\"dark\":{\"background\":\"#1"));
    CHECK(strstr(page, "\"light\":{\"background\":\"#f"));
    CHECK(strstr(
        page,
        "\"frames\":[{\"name\":\"a\",\"stamp\":null,\"points\":50,\"clusters\":0},{\"name\":\"a\",\"stamp\":0.1,"));
    CHECK_INT(count_of(page, "http://") + count_of(page, "https://"), 0);
    free(page);
}

/* No part of a name may become markup: the page has its own elements and no other. */
static void hostile_titles_stay_text(void)
{
    static const char *const hostile[] = {"</title><script>alert(1)</script>",
                                          "\"><img src=x onerror=alert(1)>",
                                          "</script><script>alert(1)</script>",
                                          "<!--<script>",
                                          "\xff\xc0\xbc<script>",
                                          "]]>&lt;script&gt;"};
    view_page_options plain = options_of("plain");
    char *const reference = page_of(&plain, 1, "plain");
    for (size_t k = 0; k < sizeof hostile / sizeof *hostile; k++) {
        view_page_options options = options_of(hostile[k]);
        options.command = hostile[k];
        options.look.field = hostile[k];
        char *const page = page_of(&options, 1, hostile[k]);
        CHECK_INT(count_of(page, "<"), count_of(reference, "<"));
        CHECK_INT(count_of(page, "<script"), count_of(reference, "<script"));
        CHECK_INT(count_of(page, "<img"), 1);
        CHECK(!strstr(page, "\" onerror") && !strstr(page, "<!--"));
        free(page);
    }
    free(reference);
}

static void a_live_page_has_no_frames(void)
{
    view_page_options options = options_of("live");
    options.live = true;
    char *const page = page_of(&options, 0, "");
    CHECK_INT(count_of(page, "class=\"clump-frame\""), 0);
    CHECK_INT(count_of(page, "<img"), 0);
    CHECK(strstr(page, "connect-src data: 'self'"));
    CHECK(strstr(page, "\"live\":{\"events\":\"/events\",\"frame\":\"/frame\"}"));
    CHECK(strstr(page, "\"colour\":null"));
    CHECK(strstr(page, "\"frames\":[]}"));
    free(page);
}

static void same_scene_gives_same_page(void)
{
    view_page_options options = options_of("same");
    char *const first = page_of(&options, 1, "a"), *const second = page_of(&options, 1, "a");
    CHECK(strcmp(first, second) == 0);
    free(first);
    free(second);
}

static void a_page_can_be_given_up(void)
{
    const view_page_options options = options_of("given up");
    view_page page = {0};
    view_page_release(&page);
    FILE *const file = tmpfile();
    CHECK_INT(view_page_begin(&page, file, &options, NULL), CLUMP_OK);
    const view_frame frame = {.name = "none", .stamp = INT64_MIN};
    CHECK_INT(view_page_frame(&page, &frame, NULL), CLUMP_OK); /* not even a cloud */
    view_page_release(&page);
    fclose(file);
}

CHECK_PROGRAM(test_view_page)
{
    RUN(a_page_has_its_parts);
    RUN(hostile_titles_stay_text);
    RUN(a_live_page_has_no_frames);
    RUN(same_scene_gives_same_page);
    RUN(a_page_can_be_given_up);
}
