/* SPDX-License-Identifier: BSD-3-Clause
 *
 * program.h: what the benches with rivals have in common as programs: options, words that choose cases, and the way from
 * main() to what they do. Exit status 2 is wrong usage; the rest is the bench's.
 */
#ifndef CLUMP_BENCH_PROGRAM_H
#define CLUMP_BENCH_PROGRAM_H

#include "machine.h"

#include <stdbool.h>
#include <stddef.h>

/* First member of a bench's own settings, if it has more. */
typedef struct bench_settings {
    const char *csv, *data; /* data: CLUMP_DATA, else the folder beside the project's */
    const char **filters;
    size_t filter_count;
    long repeat, threads;
    bool no_rivals, list, machine, help;
} bench_settings;

/* An option of a bench's own; one of the three is not null. Numbers are 1 to 99999. */
typedef struct bench_option {
    const char *name; /* "--quick" */
    const char **text;
    long *number;
    bool *flag;
} bench_option;

typedef struct bench_program {
    const char *name, *help;
    const bench_option *options; /* own */
    size_t option_count;
    void (*list)(const bench_settings *s);
    int (*run)(const bench_settings *s, const machine *m);
} bench_program;

/* All of main(). Settings that are set already are defaults. */
int bench_main(const bench_program *program, bench_settings *s, int argc, char **argv);

/* Whether a case was chosen: by a part of its name, or because all were. */
bool bench_selected(const bench_settings *s, const char *name);

#endif
