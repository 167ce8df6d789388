/* SPDX-License-Identifier: BSD-3-Clause
 *
 * registry.h: which backends this build has, and which of them a call runs on.
 */
#ifndef CLUMP_CORE_REGISTRY_H
#define CLUMP_CORE_REGISTRY_H

#include "core/backend.h"

/* Null where the build does not have it. */
const clump_backend_table *clump_registry_find(clump_backend id);

/* Said of a backend that the build does not have; there is one that can be left out. */
#define CLUMP_NO_CUDA_BUILT "this build of clump has no CUDA backend"

/* From so many points on a GPU is faster, points and labels in ordinary host memory: docs/benchmarks.md has
 * the measurement. Below it the way to the GPU and back takes longer than the work. */
#define CLUMP_CROSSOVER 4096

/* What the AUTO decision looks at, and what it says. */
typedef struct clump_decide_input {
    clump_backend asked;
    bool cuda_built;
    bool cuda_has_method;
    int cuda_devices;        /* 0: none */
    const char *cuda_absent; /* why, then: "no CUDA device" */
    clump_place place;
    size_t points;
    bool cuda_only; /* the CPU does not have the method */
} clump_decide_input;

typedef struct clump_decision {
    clump_backend backend; /* never AUTO; AUTO means: it cannot run, and reason says why */
    const char *reason;    /* a constant string */
} clump_decision;

/* Pure: the same input, the same answer. */
clump_decision clump_decide(clump_decide_input input);

/* Whether the answer hangs on the devices: looking for them takes a tenth of a second the first time. */
bool clump_decide_needs_devices(clump_decide_input input);

#endif
