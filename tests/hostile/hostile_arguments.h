/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile_arguments.h: the command line of the two hostile tests, after check.h. A number is a seed, the name of a file
 * one of the known cases, any other word part of the name of a test.
 */
#ifndef CLUMP_TESTS_HOSTILE_ARGUMENTS_H
#define CLUMP_TESTS_HOSTILE_ARGUMENTS_H

#include <ctype.h>

typedef struct hostile_arguments {
    uint64_t first_seed, seeds; /* seeds 0: the usual number */
    const char *only_file;      /* null: all known cases */
} hostile_arguments;

static inline hostile_arguments hostile_read_arguments(int argc, char **argv)
{
    hostile_arguments a = {.first_seed = 1};
    if (argc > 1 && isdigit((unsigned char)argv[1][0])) {
        a.first_seed = strtoull(argv[1], NULL, 10);
        a.seeds = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
        check_filter = "cases_of_seeds";
    } else if (argc > 1 && strncmp(argv[1], "hang-", 5) == 0) {
        a.only_file = argv[1];
        check_filter = "known_cases";
    }
    return a;
}

#endif
