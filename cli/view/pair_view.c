/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair_view.c: see view.h.
 */
#include "view/view.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

int cli_pair_view_begin(cli_pair_view *view, size_t frames)
{
    CLUMP_ASSERT(frames >= 1);
    if (!view->facts) return cli_fail("not enough memory for the facts of the page");
    view->facts[strcspn(view->facts, "\n")] = '\0';
    view->title =
        cli_text("%s and %s: %s", cli_view_name(view->paths[0]), cli_view_name(view->paths[1]), view->command);
    if (!view->title) return cli_fail("not enough memory for the title of the page");
    view->out.options.title = view->title;
    view->out.options.command = view->typed;
    view->out.frames = frames;
    return cli_view_begin(&view->out);
}

int cli_pair_view_frame(cli_pair_view *view, const char *name, const int32_t *nearest, bool last)
{
    const view_frame frame = {.name = name,
                              .number = view->out.written,
                              .stamp = INT64_MIN,
                              .clouds = {view->pair->a, view->pair->b},
                              .cloud_names = {cli_view_name(view->paths[0]), cli_view_name(view->paths[1])},
                              .cloud_count = 2,
                              .nearest = nearest,
                              .facts = view->facts};
    CLI_TRY(cli_view_frame(&view->out, &frame));
    return last ? cli_view_draw(&view->out, &frame) : CLI_DONE;
}

int cli_pair_view_end(cli_pair_view *view)
{
    CLI_TRY(cli_view_end(&view->out));
    cli_view_warn(&view->out);
    return CLI_DONE;
}

void cli_pair_view_release(cli_pair_view *view)
{
    cli_view_abandon(&view->out);
    free(view->facts);
    free(view->title);
    *view = (cli_pair_view){0};
}
