/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.h: options and results of the tree of clusters, for `clump objects` and for `clump detect --by objects`.
 */
#ifndef CLUMP_CLI_OBJECTS_H
#define CLUMP_CLI_OBJECTS_H

#include "cluster/cluster.h"

#include <assert.h>

static_assert((int)CLI_FACTORS_MOST == (int)CLUMP_OBJECTS_LEVELS && (int)CLI_SIZES_MOST == (int)CLUMP_OBJECTS_BOXES,
              "the option parser takes as many levels and boxes as the library");

typedef struct cli_objects {
    const char *neighbours; /* null: not given */
    cli_factors levels;
    cli_sizes boxes;
    bool no_people;
    double min_score; /* 0: not given */
} cli_objects;

/* Rows of an option table; `tree` is the member of the settings that is a cli_objects. */
#define CLI_OBJECTS_OPTIONS(settings, tree)                                                                            \
    CLI_OPTION(CLI_FACTORS, 0, "levels", "F,F,...", offsetof(settings, tree.levels),                                   \
               .help = "factors of the radius, one per level of the tree, ascending, 4 at most (default 0.5,1,2)"),    \
        CLI_OPTION(CLI_SIZES, 0, "box", "L,W,H", offsetof(settings, tree.boxes),                                       \
                   .help = "a cluster up to L long and W wide whose top is up to H above the ground is an object; "    \
                           "can be given 8 times and replaces the sizes of a car and of a truck"),                     \
        CLI_OPTION(CLI_SWITCH, 0, "no-people", NULL, offsetof(settings, tree.no_people),                               \
                   .help = "do not take what has the size of a person out of the cluster that it is part of"),         \
        CLI_OPTION(CLI_CHOICE, 0, "neighbours", "KIND", offsetof(settings, tree.neighbours),                           \
                   .choices = cli_neighbours_choice,                                                                   \
                   .help = "which points are compared: all (exact), or those beside each other in the scan of a "      \
                           "rotating sensor (scan); auto is scan where the rings are known (default auto)"),           \
        CLI_OPTION(CLI_NUMBER, 0, "min-score", "S", offsetof(settings, tree.min_score),                                \
                   .help = "objects with a score below S, 0 to 1, become background; their labels stay (default 0)")

/* The order of the printed table. */
#define CLI_SORT_OPTION                                                                                                \
    CLI_OPTION(CLI_CHOICE, 0, "sort", "KEY", CLI_CLUSTER_AT(sort), .choices = cli_sort_choice, .noun = "order",        \
               .help = "order of the printed table: distance, nearest first, or score of the objects, highest first "  \
                       "(default distance)")

const char *cli_neighbours_choice(int index);
const char *cli_sort_choice(int index);
bool cli_sorts_by_score(const cli_cluster *settings);

/* Returns the name of an option that was given, null: none. */
const char *cli_objects_given(const cli_objects *tree);

/* Refuses levels that do not ascend, boxes that are wider than long and scores above 1. Returns CLI_DONE or CLI_USAGE. */
int cli_objects_check(const cli_command *self, const cli_objects *tree);

/* Returns the options of the library: radii, tree, boxes, size limits and order. radius 0: not given. */
clump_objects_options cli_objects_options(const cli_objects *tree, const cli_cluster *settings);

/* Writes "distance 0.25 or 0.0175 per metre, levels 0.5,1,2". */
#define CLI_OBJECTS_SUMMARY (CLI_NUMBER_SIZE * (CLUMP_OBJECTS_LEVELS + 2) + 32)
void cli_objects_summary(char text[CLI_OBJECTS_SUMMARY], const clump_objects_options *options);

/* levels boxes people neighbours min_score; with null options all are null */
void cli_put_objects(cli_json *j, const clump_objects_options *options);

/* --- what was found ------------------------------------------------------------------------------- */

enum { CLI_FITS = CLUMP_FIT_PERSON + 1 };

/* Numbers of objects and of background clusters of one cloud, or of several. */
typedef struct cli_object_counts {
    int64_t objects, background;
    int64_t below;          /* of the background: by the least score alone */
    int64_t fits[CLI_FITS]; /* of the objects, by clump_fit */
} cli_object_counts;

cli_object_counts cli_count_objects(const clump_object *found, int32_t count);
void cli_add_objects(cli_object_counts *sum, const cli_object_counts *counts);

/* Writes "a car", "a truck", "a person" or "other": what an object has the size of. */
void cli_fit_text(char text[CLI_NUMBER_SIZE], clump_fit fit);

/* Writes "3 objects and 5 background clusters". */
#define CLI_OBJECTS_TEXT 64
void cli_objects_text(char text[CLI_OBJECTS_TEXT], const cli_object_counts *counts);

/* Prints the lines "sizes" and "tree" of a summary, and between them "score" where objects are below the least score. */
void cli_print_objects(FILE *to, const cli_object_counts *counts, const clump_stats *stats);

/* objects background below_min_score fits {car truck person other}; with null counts all are null */
void cli_put_object_counts(cli_json *j, const cli_object_counts *counts);

/* neighbours ring_source rings; with null stats all are null */
void cli_put_rings(cli_json *j, const clump_stats *stats);

#endif
