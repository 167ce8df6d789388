/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_write.h: the outputs of `clump gen lidar`: a cloud file, a folder of them, a sequence as SemanticKITTI lays it
 * out, or a recording; beside it files of the truth, of the things and of the poses.
 *
 *     lidar_make.c    threads that make the frames, in order
 *     lidar_write.c   the outputs
 */
#ifndef CLUMP_CLI_LIDAR_WRITE_H
#define CLUMP_CLI_LIDAR_WRITE_H

#include "base/cli.h"
#include "files/output.h"
#include "files/source.h"

#include <clump/sim.h>

typedef enum cli_lidar_kind {
    CLI_LIDAR_FILE,     /* one frame */
    CLI_LIDAR_FOLDER,   /* 000000.pcd ... */
    CLI_LIDAR_SEQUENCE, /* velodyne/000000.bin ... labels/000000.label ... poses.txt times.txt calib.txt */
    CLI_LIDAR_RECORDING /* .mcap, .bag */
} cli_lidar_kind;

enum { CLI_LIDAR_PATH = 4096 };

typedef struct cli_lidar_writing {
    /* set by the caller */
    const char *output, *to;     /* -o; --to or null */
    const char *truth, *poses;   /* files or null; truth is a folder where output is one */
    const char *things;          /* a file or null */
    size_t first, frames;        /* numbers of frames */
    double period;               /* seconds per frame */
    bool overwrite, json, quiet; /* json: the report wants standard output */
    /* private */
    cli_lidar_kind kind;
    clump_format format; /* of a file */
    cli_folder clouds, truths;
    clump_recorder *recorder;
    double (*drive)[12]; /* the poses; written at the end */
    int64_t *stamps;     /* of the poses */
    cli_output thing_file;
    bool thing_file_open;
    size_t driven; /* frames */
    char clouds_path[CLI_LIDAR_PATH], truths_path[CLI_LIDAR_PATH], poses_path[CLI_LIDAR_PATH];
} cli_lidar_writing;

/* Finds out what is to be written and refuses what cannot be. Nothing is created yet. Returns CLI_DONE, or prints what
 * is wrong and returns the exit status, as all of these. */
int cli_lidar_write_check(const cli_command *self, cli_lidar_writing *w);

int cli_lidar_write_begin(const cli_command *self, cli_lidar_writing *w); /* creates folders, opens files */

/* Writes the next frame. The frame's cloud has the fields "semantic" and "instance"; pose is 3 x 4, row after row. */
int cli_lidar_write_frame(cli_lidar_writing *w, const clump_frame *frame, const double pose[12]);

/* Writes the things of the frame: lines of --things. */
void cli_lidar_write_things(cli_lidar_writing *w, size_t frame, const clump_lidar_thing *things, size_t count);

int cli_lidar_write_end(cli_lidar_writing *w);      /* files get their names */
void cli_lidar_write_abandon(cli_lidar_writing *w); /* frees memory; files that are not complete get no name */

/* --- lidar_make.c: makes the frames of `clump gen lidar` and hands them to the writer --------------- */

typedef struct cli_lidar_tally {
    uint64_t points; /* of all frames */
    size_t things;   /* different instances of the truth that have points */
    double seconds;  /* until the last frame was written */
} cli_lidar_tally;

/* Makes the frames that w names, several at a time (threads 0: one per core), and writes them in their order; the files
 * do not depend on the threads. Returns CLI_DONE, or prints what is wrong and returns CLI_FAILED. */
int cli_lidar_make(const clump_lidar_world *world, size_t rays, size_t threads, cli_lidar_writing *w,
                   cli_lidar_tally *tally);

#endif
