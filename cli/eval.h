/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval.h: how good a labelling is, measured against true labels. The measures are defined in docs/accuracy.md;
 * eval_measure.c computes them and knows nothing of files, eval_read.c knows files, eval_report.c prints.
 */
#ifndef CLUMP_CLI_EVAL_H
#define CLUMP_CLI_EVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Besides labels >= 0, CLUMP_NOISE and CLUMP_GROUND: a point whose truth is not known. It counts nowhere. */
#define CLI_EVAL_UNKNOWN (-3)

typedef enum cli_eval_verdict {
    CLI_EVAL_MATCHED, /* a cluster has IoU >= 0.5 with it */
    CLI_EVAL_OVER,    /* cut to pieces */
    CLI_EVAL_UNDER,   /* in a cluster with more that is not of it than of it elsewhere */
    CLI_EVAL_MISSED,  /* less than half of it is in clusters */
    CLI_EVAL_VERDICTS
} cli_eval_verdict;

typedef struct cli_eval_input {
    size_t count;
    const int32_t *labels, *truth; /* what was found, and what is true: count entries each */
    const float *range;            /* null, or how far each point is; one that is not finite leaves the point out */
    const uint8_t *inside;         /* null, or 0 for points that are left out */
    size_t min_size;               /* instances and clusters of fewer points are not judged */
    double band;                   /* width of the bands of the breakdown by range; needs range */
} cli_eval_input;

typedef struct cli_eval_instance {
    int32_t truth;
    size_t points;
    size_t clusters; /* different ones that have points of it */
    int32_t best;    /* the one with the most of them; CLUMP_NOISE: none has */
    size_t shared;   /* points in both */
    size_t size;     /* points of that cluster */
    double iou;      /* of the two */
    float range;     /* of its nearest point; 0 where ranges are not known */
    cli_eval_verdict verdict;
} cli_eval_instance;

/* What is counted over all points, or over those of one band. */
typedef struct cli_eval_tally {
    size_t points, instances; /* judged */
    size_t verdicts[CLI_EVAL_VERDICTS];
    size_t ground_true, ground_found, ground_both;
} cli_eval_tally;

enum { CLI_EVAL_BANDS = 6 }; /* the last goes on to infinity */

typedef struct cli_eval_result {
    cli_eval_tally all, bands[CLI_EVAL_BANDS];
    cli_eval_instance *instances; /* all.instances of them, ascending by truth */
    size_t clusters, wrong;       /* clusters judged, and those that are wrong */
    double mean_iou;              /* of the instances with their best clusters; NaN: no instances */
    double rand_index;            /* adjusted; NaN: no instances */
} cli_eval_result;

/* False: not enough memory. cli_eval_free() also frees what is there then. */
bool cli_eval_measure(const cli_eval_input *in, cli_eval_result *out);
void cli_eval_free(cli_eval_result *result);

/* Precision, recall and their harmonic mean; NaN where there is nothing to divide by. */
typedef struct cli_eval_ground {
    double precision, recall, f1;
} cli_eval_ground;
cli_eval_ground cli_eval_ground_of(const cli_eval_tally *tally);

extern const char *const cli_eval_verdict_names[CLI_EVAL_VERDICTS]; /* "matched", "over_segmented" ... */

#endif
