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

/* The tables of the modules of a folder. */
enum { RIVALS_MOST = 16 };
typedef struct rival_list {
    const void *tables[RIVALS_MOST];
    size_t count;
} rival_list;

/* Appends the tables of all modules *.so of the folder that export `entry`, by the modules' names; they stay loaded.
 * version, size: of a table. Says on standard error, after `program`, what is left out. folder: null for none. */
void rivals_load(const char *program, const char *folder, const char *entry, int version, size_t size, rival_list *out);

/* As module_load(), for a reader of files; null where there is none. */
const clump_reader *reader_load(const char *path);

#endif
