/* SPDX-License-Identifier: BSD-3-Clause
 *
 * level.h: the levels of the CPU backend. A level is the whole backend, compiled for one kind of processor. A packaged
 * build on x86-64 has several, and every context uses the best that the processor can run. All levels give the same
 * bits. cmake/ClumpLevels.cmake says which levels a build has.
 */
#ifndef CLUMP_CORE_LEVEL_H
#define CLUMP_CORE_LEVEL_H

#include "core/backend.h"

/* The environment variable that names the level of new contexts, for tests and bug reports. */
#define CLUMP_LEVEL_VARIABLE "CLUMP_CPU_LEVEL"

typedef struct clump_level {
    const char *name; /* as CLUMP_LEVEL_VARIABLE and clump_device_info have it: "v3" */
    const clump_backend_table *(*table)(void);
    bool (*runs_here)(void); /* whether processor and operating system can run it */
} clump_level;

/* Returns level i of this build, best first; null after the last. The last one runs everywhere. */
const clump_level *clump_level_at(int i);

/* Finds the level of a new context: the one that CLUMP_LEVEL_VARIABLE names, or the best that runs here where it is
 * unset or empty. On failure *out is null, and `why` has the sentence. */
clump_status clump_level_choose(const clump_level **out, clump_message *why);

#endif
