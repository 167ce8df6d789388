/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster.h: what all clustering commands do: load, cluster, write, report. A command has a table of options
 * (options.h), settings that begin with a cli_cluster, and a function that calls the library.
 *
 * The room, in the order of a command:
 *
 *     region.c ground.c objects.c frame.c   settings that several commands have
 *     cluster_check.c                       the command line, before the input is read
 *     cluster.c                             load, run, describe (clustering.h has the state)
 *     rings.c                               rings of a cloud
 *     by_class.c                            --classes: clusters per class
 *     boxes.c                               clusters as the library describes them
 *     keep.c                                --keep: which points go into the output
 *     cluster_write.c                       files and report
 *     cluster_view.c                        pages and pictures
 *     clusters_file.c                       --clusters
 *     erccl_maps.c                          --maps
 *     dendrogram.c                          --dendrogram
 *     report.c                              summary, table, JSON; parameters.c: its object "parameters"
 *
 * A `plan` is a command that has been read but does not run yet (plan.h). A `frame` in frame.h is what a coordinate is:
 * `whole` or `steps`.
 */
#ifndef CLUMP_CLI_CLUSTER_H
#define CLUMP_CLI_CLUSTER_H

#include "base/cli.h"
#include "base/json.h"
#include "files/device.h"

#include <clump/info.h>
#include <clump/io.h>
#include <clump/joint.h>

typedef struct cli_cluster cli_cluster;

/* --- region.c: --crop, --min-range, --max-range and --sensor: which points take part ---------------- */

typedef struct cli_region {
    double crop[6]; /* x0 x1 y0 y1 z0 z1 in file coordinates, bounds included */
    double min_range, max_range;
    double sensor[3]; /* file coordinates */
} cli_region;

#define CLI_REGION_ALL                                                                                                 \
    {                                                                                                                  \
        .crop = {-INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY}, .max_range = INFINITY                 \
    }

/* Whether the region keeps every point. */
bool cli_region_is_all(const cli_region *region);

/* Sets mask[i] to 1 for points to keep, else to 0. Coordinates that are not finite are not tested; such points are
 * noise anyway. With two_d the range is horizontal. */
void cli_region_mask(const cli_region *region, const clump_cloud *cloud, bool two_d, uint8_t *mask);

/* Returns the region for clump_detect, which makes the same mask on its device. */
clump_region cli_region_for_detect(const cli_region *region, const double *origin);

/* --- ground.c: options of the ground search, for `clump ground` and for --remove-ground of the clustering commands */

typedef struct cli_ground {
    bool remove;
    const char *method; /* null: not given */
    clump_ground_options options;
} cli_ground;

const char *cli_ground_choice(int index);
const char *cli_ground_or_none_choice(int index);
const char *cli_up_choice(int index);

/* Refuses options that have no effect. searched: the command looks for the ground; where it does not, only
 * --remove-ground makes it do so. Returns CLI_DONE or CLI_USAGE. */
int cli_ground_check(const cli_command *self, const cli_cluster *settings, bool searched);

/* Whether --ground names this method. */
bool cli_ground_is(const cli_ground *ground, clump_ground_method method);

/* Returns the options of the library. The sensor of the region is in file coordinates; origin is subtracted from it. */
clump_ground_options cli_ground_options(const cli_ground *ground, const cli_region *region, const double *origin);

/* --- cluster.c -------------------------------------------------------------------------------------- */

struct cli_cluster {
    cli_given given;             /* which options were given */
    float radius;                /* -d, --eps; 0: not given */
    clump_clustering clustering; /* of the library; its sensor is that of the region, in file coordinates */
    const char *method, *device, *memory, *format;
    size_t threads, repeat, warmup, top;
    const char *sort;       /* --sort; null: not given */
    float thin;             /* --thin; 0: all points are clustered */
    const char *frame;      /* --frame; null: by the input */
    double step;            /* --step; below 0: not given */
    const char *drop_class; /* --drop-class; null: all classes take part */
    const char *classes;    /* --classes; null: points have no classes */
    const char *class_of;   /* --class-of; null: not given */
    bool json, quiet;
    bool each;   /* --each: every file is a cloud of its own */
    size_t jobs; /* --jobs; 0: not given */
    cli_region region;
    cli_ground ground;
    const char *output, *keep, *to, *clusters;
    const char *maps;      /* erccl: the folder for its maps, or null */
    const char *intensity; /* of the clusters: the field whose mean is wanted, or null */
    bool axes, hull;
    const char *columns; /* of a file IN without a header */
    bool partial;
    size_t ram, gpu_ram; /* --ram, --gpu-ram in bytes; 0: not given */
    const char *work;    /* --work; null: not given */
    bool keep_work;
};

enum { CLI_CLUSTER_TOP = 10 }; /* rows of the table */
enum { CLI_MOST_JOBS = 256 };  /* limit of --jobs */

cli_cluster cli_cluster_defaults(void);

/* How a command differs from the other clustering commands. */
typedef struct cli_cluster_job {
    const char *summary;     /* of the parameters: "distance 0.5" */
    const char *typed;       /* null, or the command line, for a page */
    float scale;             /* of the parameters, a length: for the digits of the table */
    float reach;             /* the distance that joins points: for a warning about --thin */
    bool has_core;           /* the call returns core flags */
    bool writes_core;        /* the output gets a field of core flags */
    bool writes_probability; /* the output gets a field of probabilities, which the call returns */
    bool ground_alone;       /* the call finds ground only, no clusters */
    bool finds_ground;       /* the call labels the ground besides the clusters */
    bool thins;              /* the command has --thin */
    bool has_frames;         /* the command has --frame */
    bool has_classes;        /* the command has --drop-class */
    bool by_class;           /* the command has --classes */
    bool detects;            /* the command is clump_detect: ground, clusters and boxes, all timed */
    bool has_tree;           /* the command can cluster by clump_objects, */
    bool cuts_tree;          /* and does so: each cluster is an object or background */

    /* Calls the library. settings is the argument of cli_cluster_run(). in->core is null when core flags are not
     * needed. Null where the job detects. */
    clump_status (*call)(clump_context *context, const void *settings, const cli_memory *in, int32_t *clusters);

    /* Sets method, d, min_points and the options of the clustering. cluster.c sets the others. Null without --thin and
     * --remove-ground: these go through clump_detect. */
    void (*set_detect)(clump_detect_options *options, const void *settings);
    const char *not_detected; /* null, or an option that was given and that clump_detect does not have */

    /* Sets d, min_points and no_border_points; big.c sets the others. Null: the command has no --ram. */
    void (*set_joint)(clump_joint_settings *joint, const void *settings);

    /* Returns the options of clump_erccl. Null: the command has no maps. */
    clump_erccl_options (*erccl)(const void *settings, const cli_memory *in);

    /* Writes the command's own parameters for --json. cluster.c adds the parameters of the region and of the boxes. */
    void (*put_parameters)(cli_json *j, const void *settings);
} cli_cluster_job;

/* Writes a radius of the summary: "0.5", or "0.5 or 0.01 per metre" if it grows with the range. */
#define CLI_RADIUS_SIZE (2 * CLI_NUMBER_SIZE + 24)
void cli_radius_text(char text[CLI_RADIUS_SIZE], float radius, float per_metre);

/* Returns a job that clusters by the distance of points: what ec and dbscan share. */
cli_cluster_job cli_radius_job(const char *summary, const cli_cluster *settings);

/* Computes the place of the sensor in the coordinates of the points, whose origin is given. */
void cli_sensor(float sensor[3], const cli_cluster *settings, const double *origin);

/* What all clusterings have, for the points of a call, and the distance -d or --eps: in their unit, which may be a step. */
clump_clustering cli_call_clustering(const cli_cluster *settings, const cli_memory *in);
float cli_call_radius(const cli_cluster *settings, const cli_memory *in);

/* --- parameters.c: parts of the JSON object "parameters" ------------------------------------------- */

/* Writes the rows of a table of the library that the program has: the key of a row is its word with _ for -. only,
 * without: null, or names of rows with blanks between. Without options the values are null. */
void cli_put_rows(cli_json *j, const char *table, const char *only, const char *without, const void *options);

/* min_size max_size order */
void cli_put_limits(cli_json *j, const cli_cluster *settings);

/* eps_per_metre 2d, the limits, thin, and remove_ground: null, or the options of the ground */
void cli_put_clustering(cli_json *j, const cli_cluster *settings);

/* crop min_range max_range sensor */
void cli_put_region(cli_json *j, const cli_region *region);

/* key: {method, and the rows of the ground} */
void cli_put_ground(cli_json *j, const char *key, const cli_cluster *settings);

/* Returns the field that the output gets besides the labels, "core" or "probability"; null: none. */
static inline const char *cli_clustering_field(const cli_cluster_job *job)
{
    return job->writes_core ? "core" : job->writes_probability ? "probability" : NULL;
}

/* Whether the command looks for the ground. */
bool cli_cluster_finds_ground(const cli_cluster_job *job, const cli_cluster *settings);

/* Returns options of clump_detect: clustering, sensor, thinning and ground. Region, mask and boxes are the defaults. */
clump_detect_options cli_cluster_options(const cli_cluster_job *job, const void *settings, const double *origin);

/* Runs a clustering command and returns the exit status. The settings begin with a cli_cluster. Checks the command
 * line and the names of the outputs before it reads the input. */
int cli_cluster_run(const cli_command *self, const cli_cluster_job *job, const void *settings, const char *input);

/* --- rings.c: the rings of a cloud for clump_objects: of a field, else the rows of an organised cloud */

typedef struct cli_rings {
    const uint16_t *rings; /* one per point; null: the cloud has no such field, or exact neighbours need none */
    const char *field;     /* its name; null without */
    size_t columns;        /* points per row; 0: not organised */
    uint16_t *memory;      /* is used again by the next cloud, */
    size_t room;           /* points that there is room for */
} cli_rings;

/* Reads the rings of the cloud. On failure the message says why. */
clump_status cli_rings_read(cli_rings *rings, const clump_cloud *cloud, clump_neighbour_kind neighbours,
                            clump_message *message);

void cli_rings_release(cli_rings *rings); /* a zeroed one is fine */

/* --- by_class.c: --classes TABLE and --class-of WHERE: clusters per class (clump/classes.h). The classes of points are a field of the
 * cloud, or a file of labels, which is attached to it. */

typedef struct cli_by_class {
    clump_class_table table;
    bool shared;          /* table, row_of and first are those of another one */
    uint16_t *of;         /* one per point; null: there are no classes */
    size_t room;          /* points that there is room for */
    uint16_t *found;      /* one per cluster */
    int32_t clusters;     /* of them */
    uint32_t *row_of;     /* of 65,536 ids: the row, or the number of rows */
    uint32_t *first;      /* per row: the first one with its name */
    const char *named[2]; /* of cli_by_class_fields */
} cli_by_class;

#define CLI_CLASS_RADIUS 0.5f /* of classes whose row has none, where -d is not given */

const char *cli_by_class_choice(int index); /* the built-in tables */

/* Checks the options. Returns CLI_DONE or CLI_USAGE. */
int cli_by_class_check(const cli_command *self, const cli_cluster *settings);

/* Returns the names of the fields that may have the classes, the last is null. */
const char *const *cli_by_class_fields(cli_by_class *classes, const cli_cluster *settings);

/* Whether the name is one of a file of labels, by its ending. */
bool cli_is_label_file(const char *name);

/* Reads the table, if it is asked for. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_by_class_begin(cli_by_class *classes, const cli_cluster *settings);

/* Reads the classes of a cloud, if they are asked for. file: of the cloud; null: it comes from no file of its own. On failure the
 * message says why. */
clump_status cli_by_class_read(cli_by_class *classes, const cli_cluster *settings, clump_cloud *cloud, const char *file,
                               clump_message *message);

/* Returns the classes for the library, with distances in steps if step is above 0. Is called once. */
clump_classes cli_by_class_scaled(cli_by_class *classes, double step);

/* Finds the class of each cluster, if there are classes. */
clump_status cli_by_class_find(cli_by_class *classes, clump_context *context, const int32_t *labels, size_t count,
                               int32_t clusters);

/* Returns the name of a class; "" for one without a row. */
const char *cli_class_name(const cli_by_class *classes, uint16_t id);

/* "classes" and "class_of" of the command line */
void cli_put_by_class_settings(cli_json *j, const cli_cluster *settings);

/* Clusters above the largest size of their class, of one run or of several. */
typedef struct cli_oversize {
    uint64_t dropped, points, kept, split; /* points: of those that were dropped */
} cli_oversize;

void cli_oversize_add(cli_oversize *sum, const clump_stats *stats);
void cli_put_oversize(cli_json *j, const cli_oversize *oversize);                   /* "oversize" */
void cli_print_oversize(FILE *to, const char *label, const cli_oversize *oversize); /* nothing where there are none */

/* "classes": clusters per name, and "oversize"; the same as text. */
void cli_put_by_class(cli_json *j, const cli_by_class *classes, const clump_stats *stats);
void cli_print_by_class(FILE *to, const cli_by_class *classes, const clump_stats *stats);

/* Gives the table of one to another, which must be released before it. */
void cli_by_class_share(cli_by_class *to, const cli_by_class *from);

void cli_by_class_release(cli_by_class *classes); /* a zeroed one is fine */

/* --- keep.c: --keep WHAT: which points go into the output. WHAT is a list with commas between: objects (the points of
 * all clusters; of clump_objects without background), background, ground, noise, and labels. */

const char *cli_keep_choice(int index); /* the words */

/* Checks the text of --keep. has_background: the clusters are those of clump_objects. Returns CLI_DONE, or prints what is
 * wrong and returns CLI_USAGE. */
int cli_keep_check(const cli_command *self, const char *text, bool has_background);

/* Points with labels. */
typedef struct cli_labelled {
    const int32_t *labels;
    size_t count;
    int32_t clusters;
    const clump_object *found; /* null, or which clusters are objects, and which background */
    bool ground_alone;         /* the labels mark ground only, and all other points are objects */
} cli_labelled;

/* Sets keep[i] to 1 for points to keep, else to 0. The text must have passed cli_keep_check(). Prints a label that no
 * cluster has, and returns CLI_FAILED. */
int cli_keep_mask(const char *text, const cli_labelled *in, uint8_t *keep);

/* --- frame.c: --frame and --step: what a coordinate is when points are clustered (docs/results.md).
 *
 *     whole   float32 offsets from the origin of the cloud
 *     steps   whole numbers of steps, for LAS and LAZ files; the default there */

const char *cli_frame_choice(int index);

/* Checks the options. in_metres: the ground is found in metres, and thinning works on them. Returns CLI_DONE, or prints what is wrong
 * and returns CLI_USAGE. */
int cli_frame_check(const cli_command *self, const cli_cluster_job *job, const cli_cluster *settings, bool in_metres);

/* The frame of a run. */
typedef struct cli_frame {
    bool steps;       /* else whole: clusters the coordinates of the cloud */
    clump_steps grid; /* of steps */
    float *xyz;       /* the points in steps; null: whole */
} cli_frame;

/* Chooses the frame for a cloud and converts its points. mask: which points take part; null: all. `input` is the name of
 * the file. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_frame_begin(cli_frame *frame, const cli_cluster_job *job, const cli_cluster *settings, const clump_cloud *cloud,
                    const uint8_t *mask, const char *input);
/* "frame" and "step" as they were given, or null. */
void cli_frame_put(cli_json *j, const cli_cluster *settings);

void cli_frame_release(cli_frame *frame); /* a zeroed one is fine */

/* --- boxes.c: the clusters of a command as the library describes them, and the memory for what --intensity, --axes and
 * --hull ask for. */

typedef struct cli_boxes {
    clump_cluster *clusters;
    int32_t capacity;      /* of clusters and found */
    bool has_found;        /* of clump_objects: found has memory, too; set before the first cli_boxes_reserve */
    clump_object *found;   /* object or background, one per cluster; null without */
    float *values;         /* --intensity: one per point; null: not asked for */
    float *hull;           /* --hull: corners; null: not asked for */
    size_t hull_capacity;  /* in corners */
    int32_t *hull_offsets; /* capacity + 1; null without hull */
} cli_boxes;

/* Checks the options for boxes. Returns CLI_DONE or CLI_USAGE. in_table: the table has the intensity. */
int cli_boxes_check(const cli_command *self, const cli_cluster *settings, bool in_table);

/* Reads the field of --intensity and allocates memory for the corners of --hull. The input is the name of the cloud.
 * Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_boxes_begin(cli_boxes *boxes, const cli_cluster *settings, const clump_cloud *cloud, const char *input);

/* Makes room for the clusters. False: no memory. */
bool cli_boxes_reserve(cli_boxes *boxes, int32_t capacity);

/* Returns the options of the library: position of the sensor, up axis, values, axes and hull. */
clump_describe_options cli_boxes_options(const cli_boxes *boxes, const cli_cluster *settings, const double *origin);

/* Turns boxes that are wider than long by 90 degrees. Then length >= width, and yaw is in [0, 180). */
void cli_boxes_turn(cli_boxes *boxes, int32_t count);

void cli_boxes_release(cli_boxes *boxes); /* a zeroed one is fine */

/* --- dendrogram.c: a picture of the tree of all distances, and of the clusters that HDBSCAN chose ------------------------ */

typedef struct cli_dendrogram {
    const char *title;
    const int32_t *parents; /* of clump_tree */
    const float *heights;
    const int32_t *labels; /* of clump_hdbscan_label */
    size_t count;
    int32_t clusters;
    size_t min_size; /* min_cluster_size */
} cli_dendrogram;

/* Writes the picture, SVG. CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_dendrogram_write(const char *path, const cli_dendrogram *given);

#endif
