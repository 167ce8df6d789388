/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens the modules of rivals.
 */
#ifndef CLUMP_BENCH_LOAD_H
#define CLUMP_BENCH_LOAD_H

#include "rivals/rival.h"

typedef struct loaded_rival {
    const clump_rival *rival;
    void *library;
} loaded_rival;

/* Calls the module's function `entry`, and returns the table that it returns. Tables begin with an int, their version.
 * library: null, or receives the handle; the module is never closed without it. Returns null, with a sentence in why,
 * where there is no such module or it has another version. */
const void *module_load(const char *path, const char *entry, int version, void **library, char *why, size_t why_size);

/* As module_load(), for a rival of Euclidean clustering. */
bool rival_load(const char *path, loaded_rival *out, char *why, size_t why_size);
void rival_unload(loaded_rival *loaded);

/* As module_load(), for a reader of files; null where there is none. */
const clump_reader *reader_load(const char *path);

#endif
