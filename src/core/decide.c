/* SPDX-License-Identifier: BSD-3-Clause
 *
 * decide.c: chooses CPU or GPU. A pure function, so that tests can cover every case.
 */
#include "core/registry.h"

/* Whether AUTO prefers the CPU because the cloud in host memory is small. */
static bool too_small(clump_decide_input in)
{
    return in.asked == CLUMP_BACKEND_AUTO && in.place == CLUMP_PLACE_HOST && in.points < CLUMP_CROSSOVER &&
           !in.cuda_only;
}

bool clump_decide_needs_devices(clump_decide_input in)
{
    if (!in.cuda_built) return false;
    if (in.asked == CLUMP_BACKEND_CUDA || in.place == CLUMP_PLACE_DEVICE) return in.asked != CLUMP_BACKEND_CPU;
    return in.asked == CLUMP_BACKEND_AUTO && in.cuda_has_method && !too_small(in);
}

clump_decision clump_decide(clump_decide_input in)
{
    const bool cuda = in.cuda_built && in.cuda_devices > 0;
    const char *const why_not = !in.cuda_built ? CLUMP_NO_CUDA_BUILT : in.cuda_absent;

    if (in.asked == CLUMP_BACKEND_CPU) {
        if (in.place == CLUMP_PLACE_DEVICE)
            return (clump_decision){CLUMP_BACKEND_AUTO, "the points lie in device memory and the CPU was asked for"};
        if (in.cuda_only) return (clump_decision){CLUMP_BACKEND_AUTO, "the CPU does not have this method"};
        return (clump_decision){CLUMP_BACKEND_CPU, "asked for"};
    }
    if (in.asked == CLUMP_BACKEND_CUDA || in.place == CLUMP_PLACE_DEVICE) {
        if (!cuda) return (clump_decision){CLUMP_BACKEND_AUTO, why_not};
        return (clump_decision){CLUMP_BACKEND_CUDA,
                                in.asked == CLUMP_BACKEND_CUDA ? "asked for" : "the points lie in device memory"};
    }
    if (in.cuda_only)
        return cuda ? (clump_decision){CLUMP_BACKEND_CUDA, "only CUDA has this method"}
                    : (clump_decision){CLUMP_BACKEND_AUTO, why_not};
    if (!in.cuda_built) return (clump_decision){CLUMP_BACKEND_CPU, why_not};
    if (!in.cuda_has_method) return (clump_decision){CLUMP_BACKEND_CPU, "only the CPU has this method"};
    if (too_small(in)) return (clump_decision){CLUMP_BACKEND_CPU, "so few points are faster on the CPU"};
    if (!cuda) return (clump_decision){CLUMP_BACKEND_CPU, why_not};
    return (clump_decision){CLUMP_BACKEND_CUDA, "a CUDA device is there"};
}
