/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster_options.h: the options that all clustering commands have, as rows for their tables. methods lists the
 * words of --method. Settings of such a command begin with a cli_cluster (cluster.h).
 */
#ifndef CLUMP_CLI_CLUSTER_OPTIONS_H
#define CLUMP_CLI_CLUSTER_OPTIONS_H

#include "cluster.h"
#include "input_options.h"
#include "output.h"

#include <limits.h>
#include <math.h>

#define CLI_CLUSTER_AT(member) offsetof(cli_cluster, member)

/* Each without a comma at its end. */
#define CLI_REGION_OPTIONS                                                                                             \
    {.help = "Which points take part; the others become noise"},                                                       \
        {.kind = CLI_INTERVALS,                                                                                        \
         .name = "crop",                                                                                               \
         .argument = "X0,X1,Y0,Y1,Z0,Z1",                                                                              \
         .target = CLI_CLUSTER_AT(region.crop),                                                                        \
         .help = "only points in this box, bounds included; -inf and inf leave a side open"},                          \
        {.kind = CLI_NUMBER,                                                                                           \
         .name = "min-range",                                                                                          \
         .argument = "R",                                                                                              \
         .target = CLI_CLUSTER_AT(region.min_range),                                                                   \
         .help = "only points at least R from the sensor (default 0); with --2d measured horizontally"},               \
        {.kind = CLI_NUMBER,                                                                                           \
         .name = "max-range",                                                                                          \
         .argument = "R",                                                                                              \
         .target = CLI_CLUSTER_AT(region.max_range),                                                                   \
         .help = "only points at most R from the sensor (default inf)"},                                               \
    {                                                                                                                  \
        .kind = CLI_TRIPLE, .name = "sensor", .argument = "X,Y,Z", .target = CLI_CLUSTER_AT(region.sensor),            \
        .help = "where the sensor is, in coordinates of the file (default 0,0,0)"                                      \
    }

#define CLI_DEVICE_OPTIONS                                                                                             \
    {.kind = CLI_TEXT,                                                                                                 \
     .name = "device",                                                                                                 \
     .argument = "NAME",                                                                                               \
     .target = CLI_CLUSTER_AT(device),                                                                                 \
     .choices = cli_device_choice,                                                                                     \
     .help = "auto, cpu, cuda or cuda:N (default auto); 'clump devices' lists what is here"},                          \
        {.kind = CLI_COUNT,                                                                                            \
         .name = "threads",                                                                                            \
         .argument = "N",                                                                                              \
         .target = CLI_CLUSTER_AT(threads),                                                                            \
         .most = INT_MAX,                                                                                              \
         .help = "CPU threads to use (default 0, all cores)"},                                                         \
        {.kind = CLI_CHOICE,                                                                                           \
         .name = "format",                                                                                             \
         .argument = "NAME",                                                                                           \
         .target = CLI_CLUSTER_AT(format),                                                                             \
         .choices = cli_readable_format,                                                                               \
         .help = "format of IN if it cannot be guessed"},                                                              \
        CLI_INPUT_OPTIONS("IN", CLI_CLUSTER_AT(columns), CLI_CLUSTER_AT(partial))

#define CLI_OUTPUT_OPTIONS                                                                                             \
    {.kind = CLI_FILE,                                                                                                 \
     .letter = 'o',                                                                                                    \
     .name = "output",                                                                                                 \
     .argument = "OUT",                                                                                                \
     .target = CLI_CLUSTER_AT(output),                                                                                 \
     .help = "write IN with the field 'label' added (.pcd .ply .las .csv .txt .xyz .pts .asc), or the labels "         \
             "alone (.labels .npy .label); - is standard output"},                                                     \
    {                                                                                                                  \
        .kind = CLI_CHOICE, .name = "to", .argument = "NAME", .target = CLI_CLUSTER_AT(to),                            \
        .choices = cli_writable_format, .help = "format of OUT, if not by its ending"                                  \
    }

#define CLI_TIMING_OPTIONS                                                                                             \
    {.kind = CLI_COUNT,                                                                                                \
     .name = "repeat",                                                                                                 \
     .argument = "N",                                                                                                  \
     .target = CLI_CLUSTER_AT(repeat),                                                                                 \
     .least = 1,                                                                                                       \
     .most = 100000000,                                                                                                \
     .help = "cluster N times, report median, fastest and 99th percentile (default 1)"},                               \
        {.kind = CLI_COUNT,                                                                                            \
         .name = "warmup",                                                                                             \
         .argument = "N",                                                                                              \
         .target = CLI_CLUSTER_AT(warmup),                                                                             \
         .help = "runs before the timed ones (default 1 when N of --repeat is over 1, else 0)"},                       \
        {.kind = CLI_CHOICE,                                                                                           \
         .name = "memory",                                                                                             \
         .argument = "KIND",                                                                                           \
         .target = CLI_CLUSTER_AT(memory),                                                                             \
         .choices = cli_memory_choice,                                                                                 \
         .help = "where points and labels lie while timed (default pageable); the others are for CUDA"},               \
        {.kind = CLI_SWITCH,                                                                                           \
         .name = "json",                                                                                               \
         .target = CLI_CLUSTER_AT(json),                                                                               \
         .help = "print one JSON object instead of text"},                                                             \
    {                                                                                                                  \
        .kind = CLI_SWITCH, .letter = 'q', .name = "quiet", .target = CLI_CLUSTER_AT(quiet),                           \
        .help = "print no summary"                                                                                     \
    }

#define CLI_CLUSTER_OPTIONS(methods)                                                                                   \
    {.kind = CLI_FACTOR,                                                                                               \
     .name = "eps-per-metre",                                                                                          \
     .argument = "S",                                                                                                  \
     .target = CLI_CLUSTER_AT(per_metre),                                                                              \
     .help = "R is at least S x range from the sensor (default 0)"},                                                   \
        {.kind = CLI_SWITCH, .name = "2d", .target = CLI_CLUSTER_AT(two_d), .help = "ignore z"},                       \
        {.kind = CLI_COUNT,                                                                                            \
         .name = "min-size",                                                                                           \
         .argument = "N",                                                                                              \
         .target = CLI_CLUSTER_AT(min_size),                                                                           \
         .least = 1,                                                                                                   \
         .help = "clusters of fewer points become noise (default 1)"},                                                 \
        {.kind = CLI_COUNT,                                                                                            \
         .name = "max-size",                                                                                           \
         .argument = "N",                                                                                              \
         .target = CLI_CLUSTER_AT(max_size),                                                                           \
         .help = "clusters of more points become noise (default 0, no limit)"},                                        \
        {.kind = CLI_CHOICE,                                                                                           \
         .name = "order",                                                                                              \
         .argument = "ORDER",                                                                                          \
         .target = CLI_CLUSTER_AT(order),                                                                              \
         .choices = cli_order_choice,                                                                                  \
         .help = "number clusters by their first point or by size, largest first (default index)"},                    \
        CLI_REGION_OPTIONS, {.help = "Ground"},                                                                        \
        {.kind = CLI_SWITCH,                                                                                           \
         .name = "remove-ground",                                                                                      \
         .target = CLI_CLUSTER_AT(ground.remove),                                                                      \
         .help = "leave the ground out, its label is -2; as 'clump ground' finds it"},                                 \
        CLI_GROUND_OPTIONS(CLI_CLUSTER_AT(ground)), {.help = "How"},                                                   \
        {.kind = CLI_CHOICE,                                                                                           \
         .name = "method",                                                                                             \
         .argument = "NAME",                                                                                           \
         .target = CLI_CLUSTER_AT(method),                                                                             \
         .choices = (methods),                                                                                         \
         .help = "algorithm; all give the same labels (default fast)"},                                                \
        CLI_DEVICE_OPTIONS, {.help = "Output"}, CLI_OUTPUT_OPTIONS,                                                    \
        {.kind = CLI_FILE,                                                                                             \
         .name = "clusters",                                                                                           \
         .argument = "FILE",                                                                                           \
         .target = CLI_CLUSTER_AT(clusters),                                                                           \
         .help = "write count, centroid and boxes of each cluster, as .json or .csv"},                                 \
        {.kind = CLI_COUNT,                                                                                            \
         .name = "top",                                                                                                \
         .argument = "N",                                                                                              \
         .target = CLI_CLUSTER_AT(top),                                                                                \
         .help = "rows of the printed table (default 10)"},                                                            \
        CLI_TIMING_OPTIONS

#endif
