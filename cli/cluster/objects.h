/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.h: options and results of the tree of clusters, for `clump objects` and for `clump detect --by objects`.
 */
#ifndef CLUMP_CLI_OBJECTS_H
#define CLUMP_CLI_OBJECTS_H

#include "cluster/cluster.h"

#include <clump/info.h>

#include <assert.h>

static_assert((int)CLI_FACTORS_MOST == (int)CLUMP_OBJECTS_LEVELS && (int)CLI_SIZES_MOST == (int)CLUMP_OBJECTS_BOXES,
              "the option parser takes as many levels and boxes as the library");

typedef struct cli_objects {
    clump_objects_options options; /* the rows of the library */
    cli_factors levels;
    cli_sizes boxes;
} cli_objects;

cli_objects cli_objects_defaults(void);

/* Rows of an option table; `tree` is the member of the settings that is a cli_objects. */
#define CLI_OBJECTS_OPTIONS(settings, tree)                                                                            \
    CLI_OPTION(CLI_FACTORS, 0, "levels", "F,F,...", offsetof(settings, tree.levels), .of = "objects",                  \
               .help = "factors of the radius, one per level of the tree, ascending, 4 at most (default 0.5,1,2)"),    \
        CLI_OPTION(CLI_SIZES, 0, "box", "L,W,H", offsetof(settings, tree.boxes), .of = "objects",                      \
                   .help = "a cluster up to L long and W wide whose top is up to H above the ground is an object; "    \
                           "can be given 8 times and replaces the sizes of a car and of a truck"),                     \
        CLI_ROWS("objects", offsetof(settings, tree.options), .of = "objects")

/* The order of the printed table. */
#define CLI_SORT_OPTION                                                                                                \
    CLI_OPTION(CLI_CHOICE, 0, "sort", "KEY", CLI_CLUSTER_AT(sort), .choices = cli_sort_choice, .noun = "order",        \
               .not_with = CLI_WAY_FRAMES,                                                                             \
               .help = "order of the printed table: distance, nearest first, or score of the objects, highest first "  \
                       "(default distance)")

const char *cli_sort_choice(int index);
bool cli_sorts_by_score(const cli_cluster *settings);

/* Completes the options once the command line is read. Refuses levels that do not ascend, boxes that are wider than long and
 * scores above 1. Returns CLI_DONE or CLI_USAGE. */
int cli_objects_take(const cli_command *self, const cli_cluster *settings, cli_objects *tree);

/* Sets the ground of objects: that of the step rule, unless --sigma is given. */
void cli_objects_ground(const cli_command *self, cli_cluster *s);

/* Writes "distance 0.25 or 0.0175 per metre, levels 0.5,1,2". */
#define CLI_OBJECTS_SUMMARY (CLI_NUMBER_SIZE * (CLUMP_OBJECTS_LEVELS + 2) + 32)
void cli_objects_summary(char text[CLI_OBJECTS_SUMMARY], const clump_objects_options *options, float per_metre);

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

/* Prints the lines "sizes" and "tree" of a summary, and between them "score" where objects are below the least score. The
 * line "rings" says where rings of the file, of `field` or rows, are not plausible. */
void cli_print_objects(FILE *to, const cli_object_counts *counts, const clump_stats *stats, const char *field);

/* Clouds whose rings are not plausible. */
typedef struct cli_ring_doubts {
    uint64_t count;
    bool used;              /* their rings were used, */
    clump_ring_doubt first; /* and why those of the first are not plausible */
} cli_ring_doubts;

void cli_ring_doubts_add(cli_ring_doubts *sum, const clump_stats *stats);

/* Prints "rings    not plausible in 2 of 6 files, and not used; ..." after a heading; nothing where all are plausible. */
void cli_print_ring_doubts(FILE *to, const char *heading, const cli_ring_doubts *sum, uint64_t clouds,
                           const char *noun);

/* objects background below_min_score fits {car truck person other}; with null counts all are null */
void cli_put_object_counts(cli_json *j, const cli_object_counts *counts);

/* neighbours ring_source rings ring_doubt; with null stats all are null */
void cli_put_rings(cli_json *j, const clump_stats *stats);

#endif
