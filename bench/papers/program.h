/* SPDX-License-Identifier: BSD-3-Clause
 *
 * program.h: runs the program `clump`, for pictures and for measures that it computes.
 */
#ifndef CLUMP_BENCH_PAPERS_PROGRAM_H
#define CLUMP_BENCH_PAPERS_PROGRAM_H

#include <clump/clump.h>

/* Runs the program that was built with the bench. words: its arguments, ended by null. Puts what it prints into out, at
 * most size - 1 bytes, and a 0 behind it; out may be null. Returns false with a sentence in why. */
bool program_run(const char *const words[], char *out, size_t size, clump_message *why);

/* Returns the number behind the first "key": in JSON text; NaN where there is none. */
double program_number(const char *json, const char *key);

/* Makes the folder of the pictures and of other files, papers.folder. Returns false with a sentence in why. */
bool program_make_folder(clump_message *why);

#endif
