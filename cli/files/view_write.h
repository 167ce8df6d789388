/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_write.h: pages and pictures as outputs of a command: `clump view`, and -o page.html or -o picture.png of others.
 */
#ifndef CLUMP_CLI_VIEW_WRITE_H
#define CLUMP_CLI_VIEW_WRITE_H

#include "base/cli.h"
#include "files/output.h"

#include "viewer/page.h"

/* Checks the name of a page or picture after `option`. Returns CLI_DONE, or prints what is wrong and returns the exit
 * status. json: the report wants standard output. */
int cli_view_check_output(const cli_command *self, const char *option, const char *path, bool json);

/* Returns the command line as it can be typed. The caller frees it. Null: no memory. */
char *cli_typed_text(const cli_command *self, int argc, char **argv);

/* Closes a stream of open_memstream() and returns its text, or frees it and returns null: no memory. */
char *cli_text_end(FILE *stream, char **text);
char *cli_text(const char *format, ...) CLI_PRINTF(1, 2); /* as sprintf; the caller frees it. Null: no memory */
const char *cli_view_name(const char *path);              /* the name of a file without its folders */

enum {
    CLI_VIEW_WIDTH = 1600,
    CLI_VIEW_HEIGHT = 900,
    CLI_VIEW_MAP_SIDE = 2048, /* most cells along a side of a map: textures of this size work everywhere */
    CLI_VIEW_POINTS =
        3000000 /* of a page: about 12 MB. More take seconds to open, and a phone has no memory for them */
};

/* What is written, and how. cli_view_writing_of() has the defaults. */
typedef struct cli_view_writing {
    const char *page, *picture; /* paths; null: not wanted */
    view_page_options options;
    size_t width, height; /* of the picture */
    size_t most_points;   /* of all frames of the page; 0: no limit */
    size_t frames;        /* expected, to share these points */
    const char *owner;    /* the command whose --max-points it is; null: view */
    bool sized;           /* the size of points is given; else the first frame decides */
    bool quiet;
    /* results */
    uint64_t page_bytes, picture_bytes;
    size_t written;  /* frames of the page */
    uint64_t points; /* of these frames, or of the picture's */
    size_t thinned;  /* frames of the page that had too many points */
    /* private */
    cli_output out;
    view_page state;
    view_bytes png;
    bool open, drawn;
} cli_view_writing;

/* Returns the writing of one output. */
cli_view_writing cli_view_writing_of(cli_view_kind kind, const char *path, bool quiet);

/* Opens the page. All of these return CLI_DONE, or print what is wrong and return CLI_FAILED. cli_view_abandon() follows
 * a failure. */
int cli_view_begin(cli_view_writing *w);
int cli_view_frame(cli_view_writing *w, const view_frame *frame); /* adds a frame to the page */
int cli_view_draw(cli_view_writing *w, const view_frame *frame);  /* makes the picture */
int cli_view_end(cli_view_writing *w);                            /* the files are then complete */
void cli_view_abandon(cli_view_writing *w); /* leaves no file that is not complete; after cli_view_end() fine */

/* Writes outputs of one frame, from begin to end. */
int cli_view_write_one(cli_view_writing *w, const view_frame *frame);

void cli_view_warn(const cli_view_writing *w); /* that points were left out of the page */

/* Prints "wrote page.html, 120 frames, 3.1 MB", one line per output. */
void cli_view_put_written(FILE *to, const cli_view_writing *w);

#endif
