/* SPDX-License-Identifier: BSD-3-Clause
 *
 * source.h: the frames that a command takes from a recording: which topic, from when, how many. Frames that cannot be
 * read are counted and left out. So are partial turns, with which captures begin and end, unless there is no whole turn.
 */
#ifndef CLUMP_CLI_SOURCE_H
#define CLUMP_CLI_SOURCE_H

#include "base/cli.h"
#include "base/json.h"

#include <math.h>
#include <stdatomic.h>

typedef struct cli_source_settings {
    const char *topic, *metadata, *calibration, *columns; /* null: not given */
    const char *interface, *from_host, *capture;          /* of udp:// */
    bool organised;
    bool partial_turns;  /* they are wanted, too */
    double from, length; /* seconds; length is that of --for, infinite: to the end */
    size_t frames;       /* at most; 0: all */
    size_t every;        /* 1: every frame */
    size_t loop;         /* times */
} cli_source_settings;

#define CLI_SOURCE_DEFAULTS                                                                                            \
    {                                                                                                                  \
        .length = INFINITY, .every = 1, .loop = 1                                                                      \
    }

/* Rows of an option table; `member` is the member of the settings that is a cli_source_settings. */
#define CLI_SENSOR_OPTIONS(settings, member)                                                                           \
    CLI_OPTION(CLI_TEXT, 0, "topic", "NAME", offsetof(settings, member.topic), .matters = true,                        \
               .help = "the topic with the clouds (default: the only one that has any)"),                              \
        CLI_OPTION(CLI_FILE, 0, "metadata", "FILE", offsetof(settings, member.metadata),                               \
                   .help = "JSON of an Ouster sensor (default: from REC, or beside it)"),                              \
        CLI_OPTION(CLI_FILE, 0, "calibration", "FILE", offsetof(settings, member.calibration),                         \
                   .help = "angles of the sensor, .yaml for Velodyne, .csv for Hesai (default: those of the model)"),  \
        CLI_OPTION(CLI_TEXT, 0, "columns", "COLUMNS", offsetof(settings, member.columns),                              \
                   .help = "cloud files without a header: what the points are, as for 'clump convert'")
#define CLI_SOURCE_OPTIONS(settings, member)                                                                           \
    CLI_SENSOR_OPTIONS(settings, member),                                                                              \
        CLI_OPTION(CLI_SWITCH, 0, "organised", NULL, offsetof(settings, member.organised),                             \
                   .help = "keep beams without a return, one row per ring; Ouster"),                                   \
        CLI_OPTION(CLI_SWITCH, 0, "partial-turns", NULL, offsetof(settings, member.partial_turns),                     \
                   .help = "packets: keep the parts of turns that the recording begins and ends with"),                \
        CLI_OPTION(CLI_NUMBER, 0, "from", "S", offsetof(settings, member.from),                                        \
                   .help = "begin S seconds after the first frame (default 0)"),                                       \
        CLI_OPTION(CLI_NUMBER, 0, "for", "S", offsetof(settings, member.length),                                       \
                   .help = "end S seconds after that (default inf)"),                                                  \
        CLI_OPTION(CLI_COUNT, 0, "frames", "N", offsetof(settings, member.frames), .matters = true,                    \
                   .help = "at most N frames (default 0, all)"),                                                       \
        CLI_OPTION(CLI_TEXT, 0, "interface", "NAME", offsetof(settings, member.interface),                             \
                   .help = "udp://: the network interface of the sensor, for multicast"),                              \
        CLI_OPTION(CLI_TEXT, 0, "from-host", "HOST", offsetof(settings, member.from_host),                             \
                   .help = "udp://: packets of this machine alone (default: of all)")

typedef struct cli_source cli_source;

/* Opens recordings: one path, or the parts of one. `live` may be null: a live recording asks it whether to go on. Returns CLI_DONE, or
 * prints why not and returns CLI_FAILED. */
int cli_recording_open(const char *const *paths, size_t count, const cli_source_settings *settings, size_t read_ahead,
                       cli_source *live, clump_recording **out);

bool cli_is_url(const char *path); /* udp://, ouster:// ...: no file */

/* Whether the path is read as the frames are made, and cannot be read again: a URL, standard input, a pipe. */
bool cli_is_live(const char *path);

/* Refuses an output that exists, where what it has cannot be made again: the input is live. output may be null. Returns
 * CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_check_live_output(const char *input, const char *output, bool overwrite);

/* Whether the path, a file or a folder, can be opened as a recording. */
bool cli_is_recording(const char *path);

struct cli_source {
    clump_recording *recording;
    const cli_source_settings *settings;
    const char *name;       /* for messages */
    int64_t first;          /* when the first frame was received; nanoseconds */
    int64_t end;            /* frames that were received at this time or later are not wanted */
    size_t taken;           /* frames of this turn */
    size_t skipped;         /* frames since the last one that was wanted */
    size_t turn;            /* of --loop, from 0 */
    bool rewound;           /* the last frame is the first of a new turn */
    bool any;               /* a frame was wanted */
    uint64_t partial;       /* partial turns that were left out */
    uint64_t partial_taken; /* partial turns that were read, because there is no whole turn before them */
    uint64_t passed;        /* partial turns that were left out since the begin: frames are numbered without them */
    clump_frame waiting;    /* a partial turn, until it is known whether a whole one follows */
    bool waits;
    bool whole;                   /* there was a whole turn */
    uint64_t bad;                 /* frames that could not be read */
    clump_message why;            /* of the first of them */
    bool live;                    /* it comes as it is made: it cannot go back */
    clump_frame *held;            /* of a live recording: the first frame, which was read; null: it was taken */
    int64_t begin;                /* of a live recording: frames that were received earlier are not wanted */
    const atomic_bool *cancelled; /* null, or what ends a live recording from another thread */
};

/* Opens the recordings and moves to the first frame that is wanted. Uses *frame: of a live recording it stays the first frame until
 * cli_source_next(). Returns CLI_DONE, or prints why not and returns CLI_FAILED. cli_source_close() follows in any case. */
int cli_source_open(cli_source *source, const char *const *paths, size_t count, const cli_source_settings *settings,
                    size_t read_ahead, clump_frame *frame);

/* Reads the next frame that is wanted. False: there is none, or status says why the recording cannot be read on. */
bool cli_source_next(cli_source *source, clump_frame *frame, clump_status *status);

/* Writes what became of partial turns, one sentence; "" where there was none. */
enum { CLI_PARTIAL_SIZE = 160 };
void cli_partial_text(char text[CLI_PARTIAL_SIZE], const cli_source *source);
void cli_warn_partial(const cli_source *source); /* prints the sentence */

/* Fails if no frame was wanted: --from and --for name a part without frames. */
int cli_source_check_any(const cli_source *source);

void cli_source_close(cli_source *source); /* a zeroed one is fine */

/* Returns how many frames are wanted at most, in all turns; an estimate where the recording does not say. */
size_t cli_source_expect(const cli_source *source);

/* --- point_times.c: when the points of a frame were measured ------------------------------------- */

typedef struct cli_point_times {
    float *list;
    size_t room;
} cli_point_times;

/* Reads the field with the times of points: seconds after the stamp of the frame. name null: 'time', 't' or 'timestamp'. *out
 * is null where there is no such field, which fails with CLUMP_ERR_ARGUMENT only if it was named. */
clump_status cli_point_times_read(cli_point_times *times, const clump_cloud *cloud, int64_t stamp, const char *name,
                                  const float **out);
void cli_point_times_release(cli_point_times *times); /* a zeroed one is fine */

/* The same for --times, whose name "none" gives none. Prints what is wrong and returns CLI_FAILED. */
int cli_point_times_take(cli_point_times *times, const clump_frame *frame, const char *name, const char *input,
                         const float **out);

/* Its row of an option table; `member` is a text. */
#define CLI_TIMES_OPTION(settings, member)                                                                             \
    CLI_OPTION(CLI_TEXT, 0, "times", "FIELD", offsetof(settings, member),                                              \
               .help =                                                                                                 \
                   "the field with the times of points; none: points of a frame are of one time (default: 'time', "    \
                   "'t' or 'timestamp', where there is one)")

/* --- losses ----------------------------------------------------------------------------------------- */

/* Writes what was lost, one clause per kind: "3 damaged chunks, 120 packets lost"; "" if nothing was. */
enum { CLI_LOST_SIZE = 512 };
void cli_lost_text(char text[CLI_LOST_SIZE], const clump_recording_losses *lost);

void cli_put_lost(cli_json *j, const clump_recording_losses *lost, uint64_t bad); /* key "lost" */

/* --- classes.c: --drop-class LIST: points of these classes take no part. Classes are those of the field
 * "classification", which LAS and LAZ files have: 2 ground, 7 and 18 noise, 9 water. */

enum { CLI_CLASSES = 256 };

/* Reads a list of numbers with commas between, "2,7,9": sets drop[c] to 1 for these classes, else to 0. False: it is no
 * such list; the first `length` characters at *item are wrong. */
bool cli_classes_read(const char *text, uint8_t drop[CLI_CLASSES], const char **item, size_t *length);

/* Checks a list. Returns CLI_DONE, or prints what is wrong and returns CLI_USAGE. */
int cli_classes_check(const cli_command *self, const char *text);

/* Sets mask[i] to 0 for points of the classes, and leaves the others as they are. The text has passed the check. Returns
 * CLI_DONE, or prints that the cloud has no classes and returns CLI_FAILED. */
int cli_classes_mask(const char *text, const clump_cloud *cloud, const char *input, uint8_t *mask);

/* "drop_class": [2, 7], or null where text is. The text has passed the check. */
void cli_put_classes(cli_json *j, const char *text);

/* --- folder.c: a folder that gets one cloud file per frame: 000000.pcd, 000001.pcd ... ---------------- */

typedef struct cli_folder {
    const char *path;
    clump_format format;
    clump_format_info info; /* of the format */
    size_t first;           /* number of the first file; cli_folder_begin() sets 0 */
    size_t written;         /* files */
} cli_folder;

/* Whether a file of this name would be a recording to write: .mcap, .bag. */
bool cli_names_recording(const char *path);

/* Refuses a name for -o that cannot be meant: standard output, a single file, one of the inputs. `what` says what -o can
 * be. Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_folder_check_name(const cli_command *command, const char *path, const char *what, const char *const *inputs,
                          size_t count);

/* Checks the folder and creates it if it does not exist. `to` is the name of a format, null: PCD. A folder with
 * something in it needs `overwrite`. labels: the files must hold labels. Returns CLI_DONE, or prints what is wrong
 * and returns the exit status. */
int cli_folder_begin(cli_folder *folder, const cli_command *command, const char *path, const char *to, bool overwrite,
                     bool labels);

/* Writes the next file. labels may be null. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_folder_save(cli_folder *folder, const clump_cloud *cloud, const int32_t *labels);

#endif
