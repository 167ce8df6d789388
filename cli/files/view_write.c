/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_write.c: see view_write.h.
 */
#include "files/view_write.h"
#include "common/assert.h"
#include "base/number.h"

#include "viewer/picture/picture.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int cli_view_check_output(const cli_command *self, const char *option, const char *path, bool json)
{
    if (!cli_is_dash(path)) return cli_check_output(path);
    return json ? cli_usage(self, "%s - and --json both want standard output", option) : CLI_DONE;
}

char *cli_text_end(FILE *stream, char **text)
{
    const bool fine = !ferror(stream);
    if (fclose(stream) == 0 && fine) return *text;
    free(*text);
    return *text = NULL;
}

char *cli_typed_text(const cli_command *self, int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    if (!to) return NULL;
    fprintf(to, "clump %s", self->name);
    for (int i = 0; i < argc; i++) cli_put_word(to, argv[i]);
    return cli_text_end(to, &text);
}

char *cli_text(const char *format, ...)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    if (!to) return NULL;
    va_list args;
    va_start(args, format);
    vfprintf(to, format, args);
    va_end(args);
    return cli_text_end(to, &text);
}

const char *cli_view_name(const char *path)
{
    if (cli_is_dash(path)) return "standard input";
    const char *const slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

cli_view_writing cli_view_writing_of(cli_view_kind kind, const char *path, bool quiet)
{
    cli_view_writing w = {.page = kind == CLI_VIEW_PAGE ? path : NULL,
                          .picture = kind == CLI_VIEW_PICTURE ? path : NULL,
                          .width = CLI_VIEW_WIDTH,
                          .height = CLI_VIEW_HEIGHT,
                          .most_points = CLI_VIEW_POINTS,
                          .frames = 1,
                          .quiet = quiet};
    w.options.look = view_defaults();
    w.options.packet = view_packet_defaults();
    return w;
}

/* Returns the status of a step of the page. errno was 0 before the step. */
static int check_step(const cli_view_writing *w, clump_status status, const clump_message *message)
{
    CLUMP_ASSERT(w->page && w->out.file);
    const int why = errno;
    if (status != CLUMP_OK) return cli_fail_message(w->page, status, message);
    if (!ferror(w->out.file)) return CLI_DONE;
    return cli_fail("%s: cannot be written: %s", w->page, strerror(why ? why : EIO));
}

int cli_view_begin(cli_view_writing *w)
{
    if (!w->page) return CLI_DONE;
    if (w->most_points > 0) {
        const size_t share = w->most_points / (w->frames ? w->frames : 1);
        w->options.packet.most_points = share ? share : 1;
    }
    w->options.packet.look = &w->options.look;
    CLI_TRY(cli_output_open(&w->out, w->page));
    w->open = true;
    clump_message message = {0};
    errno = 0;
    const clump_status status = view_page_begin(&w->state, w->out.file, &w->options, &message);
    return check_step(w, status, &message);
}

static void choose_size(cli_view_writing *w, const view_frame *frame)
{
    if (!w->sized) w->options.look.point_size = view_point_size(frame);
    w->sized = true;
}

int cli_view_frame(cli_view_writing *w, const view_frame *frame)
{
    choose_size(w, frame);
    if (!w->page) return CLI_DONE;
    clump_message message = {0};
    errno = 0;
    const clump_status status = view_page_frame(&w->state, frame, &message);
    CLI_TRY(check_step(w, status, &message));
    const uint64_t points = view_points(frame), most = w->options.packet.most_points;
    w->written++;
    w->points += points;
    w->thinned += most > 0 && points > most;
    return CLI_DONE;
}

int cli_view_draw(cli_view_writing *w, const view_frame *frame)
{
    choose_size(w, frame);
    if (!w->picture) return CLI_DONE;
    view_image image = {0};
    clump_message message = {0};
    view_bytes_release(&w->png);
    w->png = (view_bytes){0};
    clump_status status = view_draw(frame, &w->options.look, w->width, w->height, &image, &message);
    if (status == CLUMP_OK) status = view_put_png(&w->png, &image, 0, &message);
    if (status == CLUMP_OK && w->png.failed) status = CLUMP_ERR_OUT_OF_MEMORY;
    view_image_release(&image);
    w->drawn = status == CLUMP_OK;
    if (!w->page) w->points = view_points(frame);
    return w->drawn ? CLI_DONE : cli_fail_message(w->picture, status, &message);
}

/* Completes the page. */
static int end_page(cli_view_writing *w)
{
    CLUMP_ASSERT(w->open);
    clump_message message = {0};
    errno = 0;
    const clump_status status = view_page_end(&w->state, &message);
    w->page_bytes = w->state.bytes;
    CLI_TRY(check_step(w, status, &message));
    w->open = false;
    return cli_output_close(&w->out);
}

static int write_picture(cli_view_writing *w)
{
    CLUMP_ASSERT(w->picture && w->drawn);
    cli_output out;
    CLI_TRY(cli_output_open(&out, w->picture));
    w->picture_bytes = w->png.size;
    errno = 0;
    if (fwrite(w->png.data, 1, w->png.size, out.file) == w->png.size) return cli_output_close(&out);
    const int why = errno ? errno : EIO;
    cli_output_abandon(&out);
    return cli_fail("%s: cannot be written: %s", w->picture, strerror(why));
}

int cli_view_end(cli_view_writing *w)
{
    if (w->open) CLI_TRY(end_page(w));
    if (!w->drawn) return CLI_DONE;
    const int status = write_picture(w);
    if (status != CLI_DONE && w->page) cli_warn("%s: was written before that", w->page);
    return status;
}

void cli_view_abandon(cli_view_writing *w)
{
    if (w->open) {
        view_page_release(&w->state);
        cli_output_abandon(&w->out);
    }
    w->open = false;
    view_bytes_release(&w->png);
    w->png = (view_bytes){0};
}

int cli_view_write_one(cli_view_writing *w, const view_frame *frame)
{
    int status = cli_view_begin(w);
    if (status == CLI_DONE) status = cli_view_frame(w, frame);
    if (status == CLI_DONE) status = cli_view_draw(w, frame);
    if (status == CLI_DONE) status = cli_view_end(w);
    cli_view_abandon(w);
    if (status == CLI_DONE) cli_view_warn(w);
    return status;
}

void cli_view_warn(const cli_view_writing *w)
{
    if (w->thinned == 0 || w->quiet) return;
    cli_warn("%s: has a part of the points: %llu are more than %zu (--max-points of 'clump %s')", w->page,
             (unsigned long long)w->points, w->most_points, w->owner ? w->owner : "view");
}

void cli_view_put_written(FILE *to, const cli_view_writing *w)
{
    char size[CLI_BYTES_SIZE];
    if (w->page && !cli_is_dash(w->page)) {
        cli_bytes_text(size, w->page_bytes);
        fprintf(to, "wrote %s, %zu frame%s, %llu point%s, %s\n", cli_shown(w->page), w->written,
                w->written == 1 ? "" : "s", (unsigned long long)w->points, w->points == 1 ? "" : "s", size);
    }
    if (w->picture && !cli_is_dash(w->picture)) {
        cli_bytes_text(size, w->picture_bytes);
        fprintf(to, "wrote %s, %zu x %zu pixels, %s\n", cli_shown(w->picture), w->width, w->height, size);
    }
}
