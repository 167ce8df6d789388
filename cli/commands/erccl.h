/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.h: options of the clustering on the elevation map, for `clump erccl` and for `clump detect --by erccl`.
 */
#ifndef CLUMP_CLI_ERCCL_H
#define CLUMP_CLI_ERCCL_H

#include "cluster/cluster.h"

typedef struct cli_erccl {
    float cell, extent[2];   /* 0: not given */
    size_t reach;            /* 0: not given */
    double alpha, tau, beta; /* negative: not given */
    bool all_heights;        /* of `clump erccl` alone */
} cli_erccl;

#define CLI_ERCCL_DEFAULTS                                                                                             \
    {                                                                                                                  \
        .alpha = -1, .tau = -1, .beta = -1                                                                             \
    }

/* Rows of an option table; `map` is the member of the settings that is a cli_erccl. matter: -h has the first three. */
#define CLI_ERCCL_OPTIONS(settings, map, matter)                                                                       \
    CLI_OPTION(CLI_RADIUS, 0, "cell", "S", offsetof(settings, map.cell), .matters = (matter),                          \
               .help = "side of a cell of the map (default 0.05)"),                                                    \
        CLI_OPTION(CLI_LENGTHS, 0, "extent", "X[,Y]", offsetof(settings, map.extent), .matters = (matter),             \
                   .help = "length of the map along both axes, or along each (default 40); the sensor is in its "      \
                           "middle, beyond it all is noise"),                                                          \
        CLI_OPTION(CLI_COUNT, 0, "reach", "N", offsetof(settings, map.reach), .least = 1, .most = CLUMP_ERCCL_REACH,   \
                   .matters = (matter),                                                                                \
                   .help = "cells up to N rows and columns apart can belong together (default 5)"),                    \
        CLI_OPTION(CLI_NUMBER, 0, "alpha", "A", offsetof(settings, map.alpha),                                         \
                   .help = "weight of the distance of two cells against their heights, 0 to 1 (default 0.7)"),         \
        CLI_OPTION(CLI_NUMBER, 0, "tau", "T", offsetof(settings, map.tau),                                             \
                   .help = "how alike two cells must be, 0 to 1 (default 0.75)"),                                      \
        CLI_OPTION(CLI_NUMBER, 0, "beta", "B", offsetof(settings, map.beta),                                           \
                   .help = "the same as B * exp(-N), as the paper has it")

/* Returns the name of an option that was given, null: none. */
const char *cli_erccl_given(const cli_erccl *map);

/* Refuses options that contradict each other. Returns CLI_DONE or CLI_USAGE. */
int cli_erccl_check(const cli_command *self, const cli_erccl *map);

/* Returns the options of the library: the map, size limits and order. */
clump_erccl_options cli_erccl_options(const cli_erccl *map, const cli_cluster *settings);

/* Writes "cells of 0.05, reach 5". */
#define CLI_ERCCL_SUMMARY (CLI_NUMBER_SIZE + 48)
void cli_erccl_summary(char text[CLI_ERCCL_SUMMARY], const clump_erccl_options *options);

/* cell extent extent_columns reach alpha tau beta; with null options all are null. beta: it was given */
void cli_put_erccl(cli_json *j, const clump_erccl_options *options, bool beta);

#endif
