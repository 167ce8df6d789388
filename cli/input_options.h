/* SPDX-License-Identifier: BSD-3-Clause
 *
 * input_options.h: options of every command that reads clouds, as rows for its table.
 */
#ifndef CLUMP_CLI_INPUT_OPTIONS_H
#define CLUMP_CLI_INPUT_OPTIONS_H

#include "args.h"

/* For the operand `of`. The values go to a const char * and a bool, which cli_load() takes. No comma at the end. */
#define CLI_INPUT_OPTIONS(of, columns_at, partial_at)                                                                  \
    {.kind = CLI_TEXT,                                                                                                 \
     .name = "columns",                                                                                                \
     .argument = "COLUMNS",                                                                                            \
     .target = (columns_at),                                                                                           \
     .help =                                                                                                           \
         "a file without a header: what the points of " of " are: xyz, xyzi, xyzirt (float32 each, _ is skipped), "    \
         "or names and types: x,y,z,ring:u16,time:f64"},                                                               \
    {                                                                                                                  \
        .kind = CLI_SWITCH, .name = "partial", .target = (partial_at),                                                 \
        .help = "read a file that ends too early as far as it goes"                                                    \
    }

#endif
