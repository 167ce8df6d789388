/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info.h: what `clump info` computes from the points.
 *
 * The room, in the order of the command:
 *
 *     survey.c           what is computed from the points
 *     turn.c             whether the cloud is one turn of a spinning sensor
 *     advice.c           which job, method and device: a pure function
 *     info_advice.c      the advice as sentences and command lines
 *     info_labels.c      a file of labels
 *     info_recording.c   a recording
 */
#ifndef CLUMP_CLI_INFO_H
#define CLUMP_CLI_INFO_H

#include "base/cli.h"
#include "base/json.h"
#include "files/source.h"
#include "info/advice.h"

#include <clump/clump.h>
#include <clump/io.h>

#include <stdbool.h>

enum { CLI_SURVEY_CLASSES = 16 }; /* room for "2,7,9,18" */

typedef struct cli_survey {
    size_t finite;            /* points with three finite coordinates */
    size_t zeros;             /* points at exactly 0, 0, 0 */
    float lower[3], upper[3]; /* of the finite points; undefined without any */
    size_t sampled;           /* points whose nearest neighbour was searched */
    size_t duplicates;        /* sampled points that coincide with another point */
    double spacing;           /* median distance to the nearest point elsewhere; NaN: there is none */
    double suggestion;        /* a distance to try for clustering what is left; NaN: none */
    size_t ground;            /* points that clump_ground finds with its defaults: metres, z up, sensor at 0, 0, 0 */
    bool ground_known;        /* the ground was searched for; not in very large clouds */
    bool ground_likely;       /* the ground is neither a few points nor all, and it is wide */
    bool turn;                /* the cloud looks like one turn of a spinning sensor (turn.c) */
    char drop[CLI_SURVEY_CLASSES]; /* classes to leave out, for --drop-class; "": none */
    size_t dropped;                /* points of these classes */
    bool classes;                  /* points have classes */
    size_t classified;             /* points of class 2, ground */
} cli_survey;

cli_survey cli_survey_cloud(const clump_cloud *cloud);

/* Whether the coordinates are the file's own, so that 0, 0, 0 is the sensor. */
bool cli_survey_at_origin(const clump_cloud *cloud);

/* Returns the number with two significant digits, as distances are suggested. */
double cli_survey_rounded(double value);

/* --- info_advice.c: the advice of `clump info` for a cloud: which job, method and device, and command lines that work
 * --- */

typedef struct cli_info_advice {
    cli_advice advice;
    char text[CLI_ADVICE_SIZE]; /* empty: there is nothing to cluster */
    char *cluster;              /* the command that clusters the file; null: there is none */
    char *view;                 /* the command that shows the labels of the file; null: it has none */
} cli_info_advice;

/* Asks this machine for its devices, where the advice depends on them. `input` is how the cloud was read. */
cli_info_advice cli_info_advise(const cli_survey *survey, const cli_input *input, const clump_cloud *cloud);
void cli_info_advice_release(cli_info_advice *advice);

void cli_info_print_advice(const cli_info_advice *advice); /* the lines "try" and "advice" */
void cli_info_put_advice(cli_json *j, const cli_info_advice *advice, const char *drop); /* the key "advice" */

/* --- info_labels.c: `clump info` on a file of labels ------------------------------------------------ */

int cli_info_labels(const char *path, const char *format, bool json); /* exit status */

/* --- info_recording.c: `clump info` of a recording -------------------------------------------------- */

/* Prints what the recording holds and closes it. Returns the exit status. */
int cli_info_recording(const char *const *paths, size_t count, const cli_source_settings *settings, bool json);

/* --- turn.c: whether a cloud looks like one turn of a spinning sensor at 0, 0, 0 -------------------- */

bool cli_is_turn(clump_points points);

#endif
