/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval.h: how good a labelling is, measured against true labels. The measures are defined in docs/accuracy.md;
 * eval_read.c reads the files, eval_measure.c computes the measures, eval_report.c prints them.
 */
#ifndef CLUMP_CLI_EVAL_H
#define CLUMP_CLI_EVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The true label of a point whose truth is unknown, besides labels >= 0, CLUMP_NOISE and CLUMP_GROUND. The point is
 * not counted. */
#define CLI_EVAL_UNKNOWN (-3)

typedef enum cli_eval_verdict {
    CLI_EVAL_MATCHED, /* a cluster has IoU >= 0.5 with the instance */
    CLI_EVAL_OVER,    /* divided among several clusters */
    CLI_EVAL_UNDER,   /* its best cluster has more points of others than the instance has points outside */
    CLI_EVAL_MISSED,  /* less than half of its points are in clusters */
    CLI_EVAL_VERDICTS
} cli_eval_verdict;

typedef struct cli_eval_input {
    size_t count;
    const int32_t *labels, *truth; /* what was found, and what is true: count entries each */
    const float *range;            /* null, or the range of each point; a point whose range is not finite is left out */
    const uint8_t *inside;         /* null, or 0 for points that are left out */
    size_t min_size;               /* instances and clusters of fewer points are not judged */
    double band;                   /* width of the bands of the breakdown by range; needs range */
} cli_eval_input;

typedef struct cli_eval_instance {
    int32_t truth;
    size_t points;
    size_t clusters; /* number of clusters that have points of the instance */
    int32_t best;    /* the cluster with the most of its points; CLUMP_NOISE: none */
    size_t shared;   /* points in both */
    size_t size;     /* points of that cluster */
    double iou;      /* of the instance and its best cluster */
    float range;     /* of its nearest point; 0 where ranges are not known */
    cli_eval_verdict verdict;
} cli_eval_instance;

/* Counts over all points, or over the points of one band. */
typedef struct cli_eval_tally {
    size_t points, instances; /* judged */
    size_t verdicts[CLI_EVAL_VERDICTS];
    size_t ground_true, ground_found, ground_both;
} cli_eval_tally;

enum { CLI_EVAL_BANDS = 6 }; /* the last has no upper bound */

typedef struct cli_eval_result {
    cli_eval_tally all, bands[CLI_EVAL_BANDS];
    cli_eval_instance *instances; /* all.instances of them, ascending by truth */
    size_t clusters, wrong;       /* clusters judged, and how many of them are wrong */
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
