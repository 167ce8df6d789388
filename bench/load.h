/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens a rival's module.
 */
#ifndef CLUMP_BENCH_LOAD_H
#define CLUMP_BENCH_LOAD_H

#include "rivals/reader.h"
#include "rivals/rival.h"

typedef struct loaded_rival {
    const clump_rival *rival;
    void *library;
} loaded_rival;

/* False, with a sentence in why, where the module is not there or does not fit. */
bool rival_load(const char *path, loaded_rival *out, char *why, size_t why_size);
void rival_unload(loaded_rival *loaded);

/* The module of a reader, which stays loaded; null where it is not there or does not fit. */
const clump_reader *reader_load(const char *path);

#endif
