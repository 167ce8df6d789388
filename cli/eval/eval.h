/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval.h: how good a labelling is, measured against true labels. docs/accuracy.md defines the measures.
 *
 *     eval_files.c       pairs of files, and their scenes
 *     eval_read.c        labels of a file
 *     eval_objects.c     objects of the truth, for the entropies
 *     eval_measure.c     instances and clusters
 *     eval_breakdown.c   points, and the tables by range, size and class
 *     eval_entropy.c     over- and under-segmentation entropy
 *     eval_values.c      quotients of the counts
 *     eval_gather.c      sums and means over files
 *     eval_report.c      what is printed; eval_json.c: as JSON
 *     eval_poses.h       poses instead of labels
 *
 * A `scene` is the files whose names have one folder, or one beginning: values are means over scenes.
 */
#ifndef CLUMP_CLI_EVAL_H
#define CLUMP_CLI_EVAL_H

#include "base/cli.h"

#include <clump/clump.h>

#include <math.h>
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
    const uint16_t *classes;       /* null, or the SemanticKITTI class of each point; a label of an instance is then
                                    * instance * 32768 + class */
    const int32_t *objects; /* null, or the object of each point for the entropies (eval_objects.c); below 0: none */
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

/* A judged cluster that matches no instance, and is a piece of a judged instance or a mixture. */
typedef struct cli_eval_false {
    int32_t cluster;
    size_t points;
    float range;   /* of its nearest point; 0 where ranges are not known */
    int32_t truth; /* the judged instance with the most of its points: the class of the cluster */
} cli_eval_false;

/* Points by true and by found ground. */
typedef struct cli_eval_ground {
    size_t truly, found, both;
} cli_eval_ground;

/* Counts over all points, or over the points, instances and clusters of one row of a table. */
typedef struct cli_eval_tally {
    size_t points, instances; /* judged */
    size_t verdicts[CLI_EVAL_VERDICTS];
    size_t false_positives;
    double matched_iou, best_iou; /* sums of IoU: over matched instances, and over all with their best clusters */
    cli_eval_ground ground, bare; /* over all points, and over those that are not vegetation (needs classes) */
} cli_eval_tally;

enum {
    CLI_EVAL_BANDS = 6,   /* of range; the last has no upper bound */
    CLI_EVAL_SIZES = 6,   /* of points of an instance, or of a false positive; the last has no upper bound */
    CLI_EVAL_CLASSES = 11 /* of SemanticKITTI's things, moving or not; the last is any other class */
};
extern const size_t cli_eval_size_bounds[CLI_EVAL_SIZES]; /* the least number of points of each */
extern const char *const cli_eval_class_names[CLI_EVAL_CLASSES];

/* Sums of entropies in nats. NaN: not known. */
typedef struct cli_eval_entropy {
    size_t objects;  /* that the sums are over */
    double over;     /* OSE: of the clusters in each object */
    double under;    /* USE: of the objects in each cluster */
    double by_class; /* of the classes in each cluster */
} cli_eval_entropy;

typedef struct cli_eval_result {
    cli_eval_tally all, bands[CLI_EVAL_BANDS], sizes[CLI_EVAL_SIZES], classes[CLI_EVAL_CLASSES];
    bool has_ranges, has_classes, has_objects; /* the input had them */
    cli_eval_instance *instances;              /* all.instances of them, ascending by truth */
    cli_eval_false *falses;                    /* all.false_positives of them, ascending by cluster */
    size_t clusters, wrong;                    /* clusters judged, and how many of them are wrong */
    double mean_iou;                           /* of the instances with their best clusters; NaN: no instances */
    double rand_index;                         /* adjusted; NaN: no instances */
    cli_eval_entropy of_instances, of_objects; /* over judged instances, and over the objects of the input */
} cli_eval_result;

/* False: not enough memory. cli_eval_free() also frees what is there then. */
bool cli_eval_measure(const cli_eval_input *in, cli_eval_result *out);
void cli_eval_free(cli_eval_result *result);

/* --- parts of cli_eval_measure() ------------------------------------------------------------------- */

/* Whether point i is judged: its truth is known, and it is inside. */
static inline bool cli_eval_counts(const cli_eval_input *in, size_t i)
{
    return in->truth[i] >= CLUMP_GROUND && (!in->inside || in->inside[i]) && (!in->range || isfinite(in->range[i]));
}

/* Counts the points, finds the ranges of instances and false positives, and fills the tables. */
void cli_eval_break_down(const cli_eval_input *in, cli_eval_result *out);

/* Fills the entropies. False: not enough memory. */
bool cli_eval_find_entropies(const cli_eval_input *in, cli_eval_result *out);

/* --- quotients, sums and means (eval_values.c) ----------------------------------------------------- */

/* Returns part / of; NaN where `of` is 0. */
double cli_eval_share(size_t part, size_t of);

/* Precision, recall and their harmonic mean; NaN where there is nothing to divide by. */
typedef struct cli_eval_rates {
    double precision, recall, f1;
} cli_eval_rates;
cli_eval_rates cli_eval_rates_of(const cli_eval_ground *ground);

/* Panoptic quality of all classes together, or of one: pq = sq * rq. NaN where there is nothing to divide by. */
typedef struct cli_eval_quality {
    double sq, rq, pq;
} cli_eval_quality;
cli_eval_quality cli_eval_quality_of(const cli_eval_tally *tally);

/* Returns the mean of the PQ of classes that have instances; NaN: there are none. */
double cli_eval_class_quality(const cli_eval_result *result);

/* The measures of one file, of which means over files are taken. */
typedef enum cli_eval_value {
    CLI_EVAL_MATCHED_SHARE,
    CLI_EVAL_SQ,
    CLI_EVAL_RQ,
    CLI_EVAL_PQ,
    CLI_EVAL_GROUND_PRECISION,
    CLI_EVAL_GROUND_RECALL,
    CLI_EVAL_GROUND_F1,
    CLI_EVAL_BARE_PRECISION,
    CLI_EVAL_BARE_RECALL,
    CLI_EVAL_BARE_F1,
    CLI_EVAL_MEAN_IOU,
    CLI_EVAL_ACCURACY,
    CLI_EVAL_RAND_INDEX,
    CLI_EVAL_OSE,
    CLI_EVAL_USE,
    CLI_EVAL_TRAVEL_OBJECTS,
    CLI_EVAL_TRAVEL_OSE,
    CLI_EVAL_TRAVEL_USE,
    CLI_EVAL_TRAVEL_USE_OF_CLASSES,
    CLI_EVAL_VALUES
} cli_eval_value;
extern const char *const cli_eval_value_names[CLI_EVAL_VALUES];                         /* keys of JSON */
void cli_eval_values_of(const cli_eval_result *result, double values[CLI_EVAL_VALUES]); /* NaN: not known */

/* A mean of values: each over the files, or scenes, that have it. Begins zeroed. */
typedef struct cli_eval_mean {
    double sum[CLI_EVAL_VALUES];
    size_t count[CLI_EVAL_VALUES];
} cli_eval_mean;
void cli_eval_mean_add(cli_eval_mean *mean, const double values[CLI_EVAL_VALUES]);
void cli_eval_mean_take(const cli_eval_mean *mean, double values[CLI_EVAL_VALUES]); /* NaN: no file has it */

/* Adds the counts of a file to those of others; `sum` begins zeroed. Its lists, its adjusted Rand index and its entropies
 * stay unknown. */
void cli_eval_add(cli_eval_result *sum, const cli_eval_result *file);

extern const char *const cli_eval_verdict_names[CLI_EVAL_VERDICTS]; /* "matched", "over_segmented" ... */

/* --- eval_files.c: pairs of files of two folders, for `clump eval LABELED/ TRUTH/`.
 *
 * Folders are searched with the folders in them. Two files are a pair when their names are the same: the path below the folder,
 * without the ending, and without folders called labels, predictions or velodyne, by which SemanticKITTI divides a sequence.
 *
 *     found/00/predictions/000012.labels   and   sequences/00/labels/000012.label   are   00/000012
 *
 * In a folder with labels alone (.label .labels .npy) only these count; else its clouds that can have fields do. */

typedef struct cli_eval_pair {
    char *name, *scene;
    char *labeled, *truth;
    char *cloud; /* null: without --cloud */
} cli_eval_pair;

typedef struct cli_eval_pairs {
    cli_eval_pair *list; /* bytewise by name */
    size_t count;
} cli_eval_pairs;

/* Lists the pairs. cloud: null, or the folder of --cloud. scene: null, or a regular expression whose first group, else its
 * match, is the scene of a name; null: the folder in the name, else what comes before its last '_'. Returns CLI_DONE, or prints
 * what is wrong and returns the exit status. cli_eval_pairs_free() frees the list in both cases. */
int cli_eval_pair_files(const cli_command *self, const char *const folders[2], const char *cloud, const char *scene,
                        cli_eval_pairs *out);
void cli_eval_pairs_free(cli_eval_pairs *pairs);

/* --- eval_objects.c: the objects that TRAVEL (Oh et al. 2022) computes entropies over. SemanticKITTI has instances of
 * cars and people only. So an object is a Euclidean cluster of points of one class and one instance that are not
 * ground. */

/* The distance in metres, and the least and largest number of points, of the published evaluation. */
#define CLI_EVAL_OBJECT_DISTANCE 1.0f
enum { CLI_EVAL_OBJECT_LEAST = 10, CLI_EVAL_OBJECT_MOST = 300000 };

/* Sets objects[i] to the object of each point, numbered from 0, or to -1. words[i] is instance << 16 | class. Points that
 * are not judged are in no object. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_eval_find_objects(const cli_eval_input *in, const clump_cloud *cloud, const uint32_t *words, int32_t *objects);

/* --- eval_read.c: labels and true labels, from any file that has them.
 *
 *     .labels .npy   one number per point: -2 ground, -1 in no cluster, 0 and up clusters
 *     .label         SemanticKITTI: one class and one instance per point
 *     a cloud        its field 'label'; as truth also 'semantic' and 'instance', or 'truth' */

typedef struct cli_eval_source {
    int32_t *labels; /* as in eval.h */
    size_t count;
    bool pairs;         /* a label >= 0 is instance * 32768 + class */
    uint32_t *words;    /* instance << 16 | class of each point; null: no pairs */
    clump_cloud *cloud; /* null: the file has no points */
} cli_eval_source;

/* Reads a file and returns CLI_DONE, or prints what is wrong and returns CLI_FAILED. cli_eval_release() frees the
 * source in both cases. */
int cli_eval_read(const char *path, bool truth, bool quiet, cli_eval_source *out);

/* Reads the labels from the fields of a cloud, which the source does not keep. `path` is its name in messages. */
int cli_eval_read_cloud(const char *path, const clump_cloud *cloud, bool truth, cli_eval_source *out);
void cli_eval_release(cli_eval_source *source);

#endif
