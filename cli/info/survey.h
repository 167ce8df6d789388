/* SPDX-License-Identifier: BSD-3-Clause
 *
 * survey.h: what `clump info` computes from the points.
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
#ifndef CLUMP_CLI_SURVEY_H
#define CLUMP_CLI_SURVEY_H

#include <clump/clump.h>
#include <clump/io.h>

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
    bool turn;                /* the cloud looks like one turn of a spinning sensor (turn.h) */
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

#endif
