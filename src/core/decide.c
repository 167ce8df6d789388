/* SPDX-License-Identifier: BSD-3-Clause
 *
 * decide.c: CPU or GPU? A function of its own, so that it can be read, tested and argued about.
 */
#include "core/registry.h"

clump_decision clump_decide(clump_decide_input in)
{
    const bool cuda = in.cuda_built && in.cuda_devices > 0;
    const char *const why_not = !in.cuda_built ? "this build of clump has no CUDA backend" : "no CUDA device";

    if (in.asked == CLUMP_BACKEND_CPU) {
        if (in.place == CLUMP_PLACE_DEVICE)
            return (clump_decision){CLUMP_BACKEND_AUTO, "the points lie in device memory and the CPU was asked for"};
        return (clump_decision){CLUMP_BACKEND_CPU, "asked for"};
    }
    if (in.asked == CLUMP_BACKEND_CUDA || in.place == CLUMP_PLACE_DEVICE) {
        if (!cuda) return (clump_decision){CLUMP_BACKEND_AUTO, why_not};
        return (clump_decision){CLUMP_BACKEND_CUDA,
                                in.asked == CLUMP_BACKEND_CUDA ? "asked for" : "the points lie in device memory"};
    }
    if (!cuda) return (clump_decision){CLUMP_BACKEND_CPU, why_not};
    return (clump_decision){CLUMP_BACKEND_CUDA, "a CUDA device is there"};
}
