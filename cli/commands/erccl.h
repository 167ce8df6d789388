/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.h: options of the clustering on the elevation map, for `clump erccl` and for `clump detect --by erccl`.
 */
#ifndef CLUMP_CLI_ERCCL_H
#define CLUMP_CLI_ERCCL_H

#include "cluster/cluster.h"

#include <clump/papers.h>

typedef struct cli_erccl {
    clump_erccl_options options; /* the rows of the library */
    clump_papers papers;
    float extent[2]; /* 0: not given */
    bool has_beta;   /* --beta was given */
} cli_erccl;

cli_erccl cli_erccl_defaults(void);

/* Rows of an option table; `map` is the member of the settings that is a cli_erccl. matter: -h has the first three. */
#define CLI_ERCCL_OPTIONS(settings, map, matter)                                                                       \
    CLI_ROWS("erccl", offsetof(settings, map.options), .only = "cell", .matters = (matter), .of = "erccl"),            \
        CLI_OPTION(CLI_LENGTHS, 0, "extent", "X[,Y]", offsetof(settings, map.extent), .matters = (matter),             \
                   .of = "erccl",                                                                                      \
                   .help = "length of the map along both axes, or along each (default 40); the sensor is in its "      \
                           "middle, beyond it all is noise"),                                                          \
        CLI_ROWS("erccl", offsetof(settings, map.options), .only = "reach", .matters = (matter), .of = "erccl"),       \
        CLI_ROWS("erccl", offsetof(settings, map.options), .without = "cell reach", .of = "erccl"),                    \
        CLI_ROWS("papers", offsetof(settings, map.papers), .only = "beta", .of = "erccl")

/* Completes the options once the command line is read, and refuses those that contradict each other. The map is part of the
 * settings. Returns CLI_DONE or CLI_USAGE. */
int cli_erccl_take(const cli_command *self, cli_cluster *settings, cli_erccl *map);

/* Writes "cells of 0.05, reach 5". */
#define CLI_ERCCL_SUMMARY (CLI_NUMBER_SIZE + 48)
void cli_erccl_summary(char text[CLI_ERCCL_SUMMARY], const clump_erccl_options *options);

/* The rows of the library, extent, extent_columns and beta; null: all are null. */
void cli_put_erccl(cli_json *j, const cli_erccl *map);

#endif
