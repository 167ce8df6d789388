/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cutter.h: places several arrays in one buffer. With base null it only computes the size.
 */
#ifndef CLUMP_CUDA_GPU_CUTTER_H
#define CLUMP_CUDA_GPU_CUTTER_H

#include <stddef.h>

typedef struct clump_cutter {
    char *base;
    size_t used;
} clump_cutter;

/* Places `count` entries at a multiple of 256 bytes, the alignment of cudaMalloc. */
template <class T> static inline void clump_cut(clump_cutter *c, T **out, size_t count)
{
    *out = (T *)(c->base ? c->base + c->used : NULL);
    c->used += (count * sizeof(T) + 255) / 256 * 256;
}

#endif
