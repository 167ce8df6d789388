/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h: rows of option tables that several commands share. `settings` is the type of a struct with the members
 * that the rows name: cli_cluster, cli_pair_settings, or the command's own. No macro ends with a comma.
 *
 * The other files of the room are one command each, cmd_NAME.c. erccl.c has the options that `erccl` shares with
 * `detect`.
 */
#ifndef CLUMP_CLI_OPTIONS_H
#define CLUMP_CLI_OPTIONS_H

#include "cluster/cluster.h"
#include "files/device.h"
#include "files/output.h"
#include "pair/pair.h"
#include "files/timing.h"
#include "files/view_write.h"

#include <limits.h>
#include <math.h>

/* The format of the operand `of`, for cli_load(). */
#define CLI_INPUT_OPTIONS(settings, of)                                                                                \
    CLI_OPTION(CLI_CHOICE, 0, "format", "NAME", offsetof(settings, format), .not_with = CLI_WAY_FRAMES,                \
               .choices = cli_readable_format, .help = "format of " of " if it cannot be guessed"),                    \
        CLI_OPTION(CLI_TEXT, 0, "columns", "COLUMNS", offsetof(settings, columns), .not_with = CLI_WAY_INNER,          \
                   .help = "a file without a header: what the points of " of                                           \
                           " are: xyz, xyzi, xyzirt (float32 each, _ is skipped), "                                    \
                           "or names and types: x,y,z,ring:u16,time:f64"),                                             \
        CLI_OPTION(CLI_SWITCH, 0, "partial", NULL, offsetof(settings, partial),                                        \
                   .not_with = CLI_WAY_FRAMES | CLI_WAY_BIG,                                                           \
                   .help = "read a file that ends too early as far as it goes")

#define CLI_DEVICE_OPTIONS(settings)                                                                                   \
    CLI_OPTION(CLI_TEXT, 0, "device", "NAME", offsetof(settings, device), .choices = cli_device_choice,                \
               .help = "auto, cpu, cuda or cuda:N (default auto); 'clump devices' lists what is here"),                \
        CLI_OPTION(CLI_COUNT, 0, "threads", "N", offsetof(settings, threads), .most = INT_MAX,                         \
                   .help = "CPU threads to use (default 0, all cores)")

/* The format of the output `of`. */
#define CLI_TO_OPTION(settings, of)                                                                                    \
    CLI_OPTION(CLI_CHOICE, 0, "to", "NAME", offsetof(settings, to), .choices = cli_writable_format, .noun = "format",  \
               .matters = true, .help = "format of " of ", if not by its ending")

/* The format of OUT, which can be a page or a picture. */
#define CLI_TO_OR_VIEW_OPTION(settings)                                                                                \
    CLI_OPTION(CLI_CHOICE, 0, "to", "NAME", offsetof(settings, to), .choices = cli_output_choice, .noun = "format",    \
               .not_with = CLI_WAY_INNER, .help = "format of OUT, if not by its ending")

/* The points of a page of several frames. */
#define CLI_MAX_POINTS_OPTION(settings)                                                                                \
    CLI_OPTION(CLI_COUNT, 0, "max-points", "N", offsetof(settings, max_points),                                        \
               .help = "points of the page in all; of more, every n-th is taken (default 3000000; 0, no limit)")

/* The command `does` its work N times. */
#define CLI_REPEAT_OPTIONS(settings, does)                                                                             \
    CLI_OPTION(CLI_COUNT, 0, "repeat", "N", offsetof(settings, repeat),                                                \
               .not_with = CLI_WAY_EACH | CLI_WAY_BIG | CLI_WAY_FRAMES, .least = 1, .most = CLI_MOST_RUNS,             \
               .help = does " N times, report median, fastest and 99th percentile (default 1)"),                       \
        CLI_OPTION(CLI_COUNT, 0, "warmup", "N", offsetof(settings, warmup),                                            \
                   .not_with = CLI_WAY_EACH | CLI_WAY_BIG | CLI_WAY_FRAMES, .most = CLI_MOST_RUNS,                     \
                   .help = "runs before the timed ones (default 1 when N of --repeat is over 1, else 0)")

#define CLI_JSON_OPTION(settings)                                                                                      \
    CLI_OPTION(CLI_SWITCH, 0, "json", NULL, offsetof(settings, json), .not_with = CLI_WAY_INNER, .matters = true,      \
               .help = "print one JSON object instead of text")

#define CLI_QUIET_OPTION(settings, text)                                                                               \
    CLI_OPTION(CLI_SWITCH, 'q', "quiet", NULL, offsetof(settings, quiet), .not_with = CLI_WAY_INNER, .help = (text))

/* --- commands on two clouds: settings begin with a cli_pair_settings ------------------------------ */

/* The command writes `what`, and `does` it N times. */
#define CLI_PAIR_OUTPUT_OPTIONS(what, does)                                                                            \
    CLI_HEADING("Output"),                                                                                             \
        CLI_OPTION(CLI_FILE, 'o', "output", "OUT", offsetof(cli_pair_settings, output), .matters = true,               \
                   .help = "write " what ", or a page or picture of both clouds (.html .png); - is standard "          \
                           "output"),                                                                                  \
        CLI_TO_OR_VIEW_OPTION(cli_pair_settings), CLI_REPEAT_OPTIONS(cli_pair_settings, does),                         \
        CLI_JSON_OPTION(cli_pair_settings), CLI_QUIET_OPTION(cli_pair_settings, "print no summary")

#define CLI_PAIR_INPUT_OPTIONS CLI_DEVICE_OPTIONS(cli_pair_settings), CLI_INPUT_OPTIONS(cli_pair_settings, "A and B")

/* --- commands that label points: settings begin with a cli_cluster -------------------------------- */

#define CLI_CLUSTER_AT(member) offsetof(cli_cluster, member)

/* How clusters, called `what_`, are limited and numbered; `least_size` is the default of --min-size. */
#define CLI_LIMIT_OPTIONS(what_, least_size)                                                                           \
    CLI_ROWS("clustering", CLI_CLUSTER_AT(clustering), .only = "min_size", .usual = least_size, .what = what_,         \
             .matters = true),                                                                                         \
        CLI_ROWS("clustering", CLI_CLUSTER_AT(clustering), .only = "max_size order", .what = what_)

/* range_note is added to the help of --min-range. */
#define CLI_REGION_OPTIONS(range_note)                                                                                 \
    CLI_HEADING("Which points take part; the others become noise"),                                                    \
        CLI_OPTION(CLI_INTERVALS, 0, "crop", "X0,X1,Y0,Y1,Z0,Z1", CLI_CLUSTER_AT(region.crop),                         \
                   .help = "only points in this box, bounds included; -inf and inf leave a side open"),                \
        CLI_OPTION(CLI_NUMBER, 0, "min-range", "R", CLI_CLUSTER_AT(region.min_range), .not_with = CLI_WAY_BIG,         \
                   .help = "only points at least R from the sensor (default 0)" range_note),                           \
        CLI_OPTION(CLI_NUMBER, 0, "max-range", "R", CLI_CLUSTER_AT(region.max_range), .not_with = CLI_WAY_BIG,         \
                   .help = "only points at most R from the sensor (default inf)"),                                     \
        CLI_OPTION(CLI_TRIPLE, 0, "sensor", "X,Y,Z", CLI_CLUSTER_AT(region.sensor),                                    \
                   .help = "where the sensor is, in coordinates of the file (default 0,0,0)")

/* The words of --ground and its help differ between commands. without_: rows that the command does not have, or has under
 * other words: --step of `ec` and `dbscan` is another option. */
#define CLI_GROUND_OPTIONS(methods, text, without_)                                                                    \
    CLI_OPTION(CLI_CHOICE, 0, "ground", "NAME", CLI_CLUSTER_AT(ground.method), .choices = (methods), .help = (text)),  \
        CLI_ROWS("ground", CLI_CLUSTER_AT(ground.options), .without = without_)
#define CLI_GROUND_HELP "how the ground is found: peak, one level, or grid, a surface (default grid)"

#define CLI_GROUND_OR_NONE_HELP "how the ground is found: one level, a surface, or not at all (default grid)"

/* What `ec`, `dbscan`, `objects` and `detect` have in common. */
#define CLI_GROWTH_OPTION(value)                                                                                       \
    CLI_ROWS("clustering", CLI_CLUSTER_AT(clustering), .only = "eps_per_metre", .usual = value,                        \
             .not_with = CLI_WAY_BIG, .of = "ec dbscan objects")
#define CLI_2D_OPTION CLI_ROWS("clustering", CLI_CLUSTER_AT(clustering), .only = "two_d", .of = "ec dbscan")
#define CLI_THIN_OPTION                                                                                                \
    CLI_OPTION(CLI_RADIUS, 0, "thin", "S", CLI_CLUSTER_AT(thin), .of = "ec dbscan erccl",                              \
               .help = "cluster one point per voxel of side S, the others get its label; approximate "                 \
                       "(default: all points)")

/* Follows CLI_REGION_OPTIONS. */
#define CLI_CLASS_OPTION                                                                                               \
    CLI_OPTION(CLI_TEXT, 0, "drop-class", "LIST", CLI_CLUSTER_AT(drop_class), .matters = true,                         \
               .help = "no points of these classes: 2,7,9 are ground, noise and water of a LAS file (the field "       \
                       "'classification')")

/* Of `ec`, `dbscan`, `objects` and `detect`: clusters per class. */
#define CLI_BY_CLASS_OPTIONS                                                                                           \
    CLI_OPTION(CLI_TEXT, 0, "classes", "TABLE", CLI_CLUSTER_AT(classes), .choices = cli_by_class_choice,               \
               .matters = true, .of = "ec dbscan objects",                                                             \
               .help = "clusters per class, with the distances of TABLE: semantickitti, nuscenes, or a file "          \
                       "(docs/classes.md); classes that it does not cluster are noise"),                               \
        CLI_OPTION(CLI_TEXT, 0, "class-of", "WHERE", CLI_CLUSTER_AT(class_of), .of = "ec dbscan objects",              \
                   .help = "the field of IN with the class of each point, or a file of labels (default: the field "    \
                           "semantic, class or classification, or a .label file beside IN)")

#define CLI_FRAME_OPTIONS                                                                                              \
    CLI_OPTION(CLI_CHOICE, 0, "frame", "NAME", CLI_CLUSTER_AT(frame), .choices = cli_frame_choice,                     \
               .help =                                                                                                 \
                   "coordinates are whole steps of the file, or float32 offsets from an origin (default steps for "    \
                   "LAS and LAZ, else whole)"),                                                                        \
        CLI_OPTION(CLI_NUMBER, 0, "step", "S", CLI_CLUSTER_AT(step),                                                   \
                   .help = "round coordinates of other formats to steps of S, and use --frame steps")

/* Of `ec` and `dbscan`: clouds that are larger than memory. */
#define CLI_BIG_OPTIONS                                                                                                \
    CLI_HEADING("Surveys larger than memory; several files, or a folder, are one cloud"),                              \
        CLI_OPTION(CLI_SIZE, 0, "ram", "SIZE", CLI_CLUSTER_AT(ram), .not_with = CLI_WAY_EACH | CLI_WAY_FRAMES,         \
                   .matters = true,                                                                                    \
                   .help = "cluster in tiles with this much memory: 8G, 512M, at least 16M; a number alone is bytes "  \
                           "(default for several files: half of what is free); OUT can also be a folder, for a file "  \
                           "per input, or .labels64"),                                                                 \
        CLI_OPTION(CLI_FILE, 0, "work", "DIR", CLI_CLUSTER_AT(work), .not_with = CLI_WAY_EACH | CLI_WAY_FRAMES,        \
                   .help = "folder for temporary files, 14.5 bytes per point (default OUT.clump, or clump.work "       \
                           "without -o); the same command goes on where it was stopped"),                              \
        CLI_OPTION(CLI_SWITCH, 0, "keep-work", NULL, CLI_CLUSTER_AT(keep_work),                                        \
                   .not_with = CLI_WAY_EACH | CLI_WAY_FRAMES, .help = "keep that folder after a success")

#define CLI_GPU_RAM_OPTION                                                                                             \
    CLI_OPTION(CLI_SIZE, 0, "gpu-ram", "SIZE", CLI_CLUSTER_AT(gpu_ram),                                                \
               .help = "memory of the GPU to use: 16G, 512M (default what is free); a larger cloud is clustered in "   \
                       "pieces")

#define CLI_METHOD_OPTION(methods, text)                                                                               \
    CLI_OPTION(CLI_CHOICE, 0, "method", "NAME", CLI_CLUSTER_AT(method), .choices = (methods), .help = (text))

/* Many files: each.h. */
#define CLI_EACH_OPTIONS                                                                                               \
    CLI_OPTION(CLI_SWITCH, 0, "each", NULL, CLI_CLUSTER_AT(each), .matters = true,                                     \
               .help = "every file IN is a cloud of its own; a folder IN stands for its cloud files, and OUT is a "    \
                       "folder that gets a file per input: the same name, or the labels alone where the format has "   \
                       "no place for them"),                                                                           \
        CLI_OPTION(CLI_COUNT, 0, "jobs", "N", CLI_CLUSTER_AT(jobs), .least = 1, .most = CLI_MOST_JOBS,                 \
                   .help = "files of --each that are processed at a time; they share the threads (default: as many "   \
                           "as threads, on a GPU 4)")

#define CLI_RUN_OPTIONS CLI_DEVICE_OPTIONS(cli_cluster), CLI_INPUT_OPTIONS(cli_cluster, "IN")

#define CLI_OUTPUT_OPTIONS                                                                                             \
    CLI_HEADING("Output"),                                                                                             \
        CLI_OPTION(CLI_FILE, 'o', "output", "OUT", CLI_CLUSTER_AT(output), .matters = true, .not_with = CLI_WAY_INNER, \
                   .help = "write IN with the field 'label' added (" CLI_MORE_FIELDS                                   \
                           "), or the labels alone (" CLI_MORE_LABELS                                                  \
                           "), or a page or picture of the result (.html .png); - is standard output"),                \
        CLI_OPTION(CLI_TEXT, 0, "keep", "WHAT", CLI_CLUSTER_AT(keep), .not_with = CLI_WAY_BIG | CLI_WAY_FRAMES,        \
                   .choices = cli_keep_choice,                                                                         \
                   .help = "write only some points: objects, background (of 'clump objects'), ground, noise or "       \
                           "labels, with commas between (objects,noise: without ground); labels stay what they are "   \
                           "(default all points)"),                                                                    \
        CLI_TO_OR_VIEW_OPTION(cli_cluster)

/* A file and a table of the clusters, each called `what`. */
#define CLI_CLUSTERS_OPTIONS(what)                                                                                     \
    CLI_OPTION(CLI_FILE, 0, "clusters", "FILE", CLI_CLUSTER_AT(clusters), .not_with = CLI_WAY_FRAMES, .matters = true, \
               .help = "write boxes, distance, height above ground and more of each " what                             \
                       ", as .json or .csv; with --each one list of all files, or a folder for a list per file"),      \
        CLI_OPTION(CLI_TEXT, 0, "intensity", "FIELD", CLI_CLUSTER_AT(intensity),                                       \
                   .not_with = CLI_WAY_BIG | CLI_WAY_FRAMES, .help = "the mean of this field of IN, too"),             \
        CLI_OPTION(CLI_SWITCH, 0, "axes", NULL, CLI_CLUSTER_AT(axes), .not_with = CLI_WAY_FRAMES,                      \
                   .help = "give FILE covariance and principal axes, too"),                                            \
        CLI_OPTION(CLI_SWITCH, 0, "hull", NULL, CLI_CLUSTER_AT(hull), .not_with = CLI_WAY_FRAMES,                      \
                   .help = "give FILE the outline seen from above, too; .json"),                                       \
        CLI_OPTION(CLI_COUNT, 0, "top", "N", CLI_CLUSTER_AT(top), .not_with = CLI_WAY_BIG | CLI_WAY_FRAMES,            \
                   .help = "rows of the printed table (default 10)")

#define CLI_TIMING_OPTIONS                                                                                             \
    CLI_REPEAT_OPTIONS(cli_cluster, "cluster"),                                                                        \
        CLI_OPTION(CLI_CHOICE, 0, "memory", "KIND", CLI_CLUSTER_AT(memory),                                            \
                   .not_with = CLI_WAY_EACH | CLI_WAY_BIG | CLI_WAY_FRAMES, .choices = cli_memory_choice,              \
                   .help = "where points and labels lie while timed (default pageable); the others are for CUDA"),     \
        CLI_JSON_OPTION(cli_cluster), CLI_QUIET_OPTION(cli_cluster, "print no summary")

/* What `ec` and `dbscan` have in common. */
#define CLI_CLUSTER_OPTIONS(methods)                                                                                   \
    CLI_GROWTH_OPTION("0"), CLI_2D_OPTION, CLI_THIN_OPTION, CLI_LIMIT_OPTIONS("clusters", "1"),                        \
        CLI_REGION_OPTIONS("; with --2d measured horizontally"), CLI_CLASS_OPTION, CLI_BY_CLASS_OPTIONS,               \
        CLI_HEADING("Ground"),                                                                                         \
        CLI_OPTION(                                                                                                    \
            CLI_SWITCH, 0, "remove-ground", NULL, CLI_CLUSTER_AT(ground.remove), .matters = true,                      \
            .help = "leave the ground out, its label is -2; as 'clump ground' finds it around a sensor, with --ram "   \
                    "that of a whole survey (docs/ground.md)"),                                                        \
        CLI_GROUND_OPTIONS(cli_ground_choice, CLI_GROUND_HELP, "step extent tile"), CLI_HEADING("How"),                \
        CLI_METHOD_OPTION(methods, "algorithm; all give the same labels (default fast)"), CLI_EACH_OPTIONS,            \
        CLI_FRAME_OPTIONS, CLI_RUN_OPTIONS, CLI_GPU_RAM_OPTION, CLI_BIG_OPTIONS, CLI_OUTPUT_OPTIONS,                   \
        CLI_CLUSTERS_OPTIONS("cluster"), CLI_TIMING_OPTIONS

#endif
