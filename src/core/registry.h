/* SPDX-License-Identifier: BSD-3-Clause
 *
 * registry.h: the backends of this build, and the decision which of them runs a call.
 */
#ifndef CLUMP_CORE_REGISTRY_H
#define CLUMP_CORE_REGISTRY_H

#include "core/backend.h"

/* Returns the table of a backend; null where the build does not have it. */
const clump_backend_table *clump_registry_find(clump_backend id);

/* The message for a missing backend. CUDA is the only backend that a build can leave out. */
#define CLUMP_NO_CUDA_BUILT "this build of clump has no CUDA backend"

/* Number of points from which a GPU is faster, with points and labels in pageable host memory. Measured:
 * docs/benchmarks.md. Below it the copies take longer than the clustering. */
#define CLUMP_CROSSOVER 4096

/* Input of the decision. */
typedef struct clump_decide_input {
    clump_backend asked;
    bool cuda_built;
    bool cuda_has_method;
    int cuda_devices;        /* 0: none */
    const char *cuda_absent; /* the reason where cuda_devices is 0: "no CUDA device" */
    clump_place place;
    size_t points;
    bool cuda_only; /* the CPU does not have the method */
} clump_decide_input;

/* Its outcome. */
typedef struct clump_decision {
    clump_backend backend; /* CPU or CUDA; AUTO: the call cannot run, and reason says why */
    const char *reason;    /* a constant string */
} clump_decision;

/* Returns the decision; depends on its input only. */
clump_decision clump_decide(clump_decide_input input);

/* Returns whether the decision depends on cuda_devices. The first query of the devices takes about 0.1 s. */
bool clump_decide_needs_devices(clump_decide_input input);

#endif
