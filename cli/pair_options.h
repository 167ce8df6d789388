/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair_options.h: the options that commands on two clouds have in common, as rows for their tables. Settings of such a
 * command begin with a cli_pair_settings (pair.h).
 */
#ifndef CLUMP_CLI_PAIR_OPTIONS_H
#define CLUMP_CLI_PAIR_OPTIONS_H

#include "device.h"
#include "input_options.h"
#include "output.h"
#include "pair.h"

#include <limits.h>

#define CLI_PAIR_AT(member) offsetof(cli_pair_settings, member)

/* Each without a comma at its end. */
#define CLI_PAIR_DEVICE_OPTIONS                                                                                        \
    {.kind = CLI_TEXT,                                                                                                 \
     .name = "device",                                                                                                 \
     .argument = "NAME",                                                                                               \
     .target = CLI_PAIR_AT(device),                                                                                    \
     .choices = cli_device_choice,                                                                                     \
     .help = "auto, cpu, cuda or cuda:N (default auto); 'clump devices' lists what is here"},                          \
        {.kind = CLI_COUNT,                                                                                            \
         .name = "threads",                                                                                            \
         .argument = "N",                                                                                              \
         .target = CLI_PAIR_AT(threads),                                                                               \
         .most = INT_MAX,                                                                                              \
         .help = "CPU threads to use (default 0, all cores)"},                                                         \
        {.kind = CLI_CHOICE,                                                                                           \
         .name = "format",                                                                                             \
         .argument = "NAME",                                                                                           \
         .target = CLI_PAIR_AT(format),                                                                                \
         .choices = cli_readable_format,                                                                               \
         .help = "format of A and B if it cannot be guessed"},                                                         \
        CLI_INPUT_OPTIONS("A and B", CLI_PAIR_AT(columns), CLI_PAIR_AT(partial))

/* `what` is written, and the command `does` it N times. */
#define CLI_PAIR_OUTPUT_OPTIONS(what, does)                                                                            \
    {.kind = CLI_FILE,                                                                                                 \
     .letter = 'o',                                                                                                    \
     .name = "output",                                                                                                 \
     .argument = "OUT",                                                                                                \
     .target = CLI_PAIR_AT(output),                                                                                    \
     .help = "write " what "; - is standard output"},                                                                  \
        {.kind = CLI_CHOICE,                                                                                           \
         .name = "to",                                                                                                 \
         .argument = "NAME",                                                                                           \
         .target = CLI_PAIR_AT(to),                                                                                    \
         .choices = cli_writable_format,                                                                               \
         .help = "format of OUT, if not by its ending"},                                                               \
        {.kind = CLI_COUNT,                                                                                            \
         .name = "repeat",                                                                                             \
         .argument = "N",                                                                                              \
         .target = CLI_PAIR_AT(repeat),                                                                                \
         .least = 1,                                                                                                   \
         .most = 100000000,                                                                                            \
         .help = does " N times, report median, fastest and 99th percentile (default 1)"},                             \
        {.kind = CLI_COUNT,                                                                                            \
         .name = "warmup",                                                                                             \
         .argument = "N",                                                                                              \
         .target = CLI_PAIR_AT(warmup),                                                                                \
         .help = "runs before the timed ones (default 1 when N of --repeat is over 1, else 0)"},                       \
        {.kind = CLI_SWITCH,                                                                                           \
         .name = "json",                                                                                               \
         .target = CLI_PAIR_AT(json),                                                                                  \
         .help = "print one JSON object instead of text"},                                                             \
    {                                                                                                                  \
        .kind = CLI_SWITCH, .letter = 'q', .name = "quiet", .target = CLI_PAIR_AT(quiet), .help = "print no summary"   \
    }

#endif
