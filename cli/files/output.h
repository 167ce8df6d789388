/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.h: files that the program writes. Failures that can be foreseen are found before any work is done.
 *
 * The room, in the order of a command:
 *
 *     load.c          reads a cloud
 *     source.c        frames of a recording; source_lost.c: what it has lost
 *     classes.c       --drop-class
 *     device.c        --device and --memory
 *     memory.c        points and results in the memory of --memory
 *     timing.c        times of repeated runs
 *     output.c        checks and writes files
 *     folder.c        one cloud file per frame
 *     view_write.c    pages and pictures
 *     losses.c        what a file does not hold of a cloud
 */
#ifndef CLUMP_CLI_OUTPUT_H
#define CLUMP_CLI_OUTPUT_H

#include "base/cli.h"

#include <clump/io.h>

/* "-" is standard input or output. With output to "-", a command prints its summary to stderr. */
bool cli_is_dash(const char *path); /* null is not */

const char *cli_base_name(const char *path); /* without its folders */

const char *cli_writable_format(int index); /* choices of --to */
const char *cli_output_choice(int index);   /* choices of --to: formats of clouds, html and png */

typedef enum cli_view_kind { CLI_VIEW_NONE, CLI_VIEW_PAGE, CLI_VIEW_PICTURE } cli_view_kind;

/* Returns what the name is of: .html and .htm are pages, .png is a picture. `to`, the word of --to, counts more; it may
 * be null. */
cli_view_kind cli_view_kind_of(const char *path, const char *to);

/* Checks the ending and the folder of a cloud file to be written. Returns CLI_DONE and the format, or prints what is
 * wrong and returns the exit status. option is "-o", or null for an operand. `to` is the name of a format, or null:
 * the ending decides, and devices and pipes get PCD. */
int cli_check_cloud_output(const cli_command *command, const char *option, const char *path, const char *to,
                           clump_format *format);

/* Writes a cloud, with a progress bar if it takes long. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_save(const char *path, const clump_cloud *cloud, const int32_t *labels, clump_format format,
             clump_encoding encoding, bool quiet);

/* Checks the folder of any other file to be written. Returns CLI_DONE, or prints what is wrong and returns CLI_FAILED.
 * */
int cli_check_output(const char *path);

/* Whether path is a device or a pipe, which is written to and not replaced. */
bool cli_is_special(const char *path);

bool cli_is_folder(const char *path);

/* Whether two names are of one file, which need not exist. */
bool cli_same_output(const char *a, const char *b);

/* Registers the temporary file of an output, if it has a name; stop.h removes it. Outputs that are written at the same time
 * need different keys. A clump_temporary. */
void cli_note_temporary(void *key, const char *name);

/* A file that is written completely or not at all (clump_output in clump/io.h). */
typedef struct cli_output {
    FILE *file;
    const char *path;
    clump_output *whole;
} cli_output;

int cli_output_open(cli_output *out, const char *path); /* CLI_DONE, or prints why not and returns CLI_FAILED */
int cli_output_close(cli_output *out);                  /* likewise; the target is then complete, or unchanged */
void cli_output_abandon(cli_output *out);               /* the target stays unchanged */

/* --- losses.c: what a file does not hold of the cloud that was written to it. Only the library knows what a format can
 * hold. So the file is read again and compared, which finds every loss. */

/* What was lost, separated by commas; "" if nothing was. */
typedef struct cli_losses {
    char text[512];
    size_t used;
} cli_losses;

void cli_find_losses(const clump_cloud *cloud, const clump_cloud *back, cli_losses *losses);

#endif
