/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.h: one GPU as a context sees it: a stream, memory that grows and stays, and errors as
 * sentences. Every file of this folder talks to the CUDA runtime through what is here.
 *
 *     clump_status step(clump_context *ctx, clump_cuda *cuda)
 *     {
 *         CLUMP_TRY(clump_device_reserve(ctx, cuda, &buffer, bytes));
 *         CLUMP_CUDA(ctx, cuda, "counting", (count<<<grid, block, 0, cuda->stream>>>(...), cudaGetLastError()));
 *         ...
 *     }
 *
 * Functions return CLUMP_OK or leave a sentence in the context. The folder's C++ is C with kernels and
 * templates: no exceptions, nothing of its standard library at run time, so that libclump links as C.
 */
#ifndef CLUMP_CUDA_GPU_DEVICE_H
#define CLUMP_CUDA_GPU_DEVICE_H

extern "C" {
#include "core/context.h"
}

#include <cuda_runtime.h>

/* Memory of the GPU, as clump_buffer is memory of the host. Zeroed is valid. */
typedef struct clump_device_buffer {
    void *data;
    size_t bytes;
} clump_device_buffer;

/* Memory of the host that the GPU can read and write itself, at `data` in both. */
typedef struct clump_pinned_buffer {
    void *data;
    size_t bytes;
} clump_pinned_buffer;

typedef struct clump_cuda {
    int device, units; /* ordinal, multiprocessors */
    int major, minor;  /* compute capability */
    bool overlaps;     /* a kernel can be made ready while the one before runs, also in a graph */
    cudaStream_t stream, own;
    cudaMemPool_t pool;    /* null: this GPU has none, memory comes from cudaMalloc */
    cudaEvent_t done;      /* after the work of a call that did not wait for it */
    cudaStream_t done_on;  /* where that was recorded; */
    bool unfinished;       /* and whether it has not been waited for since */
    int64_t fail_after;    /* tests: so many calls of the runtime succeed, */
    cudaError_t fail_with; /* and the next one fails so; cudaSuccess: none does */
} clump_cuda;

/* ----- errors -------------------------------------------------------------------------------------- */

/* The status for an error of the runtime, and a sentence that says what the user can do. `what` was
 * being done: "joining". */
clump_status clump_cuda_fail(clump_context *ctx, const clump_cuda *cuda, cudaError_t error, const char *what);

/* The error that a test wants here, most often none. */
cudaError_t clump_cuda_injected(clump_cuda *cuda);

/* For calls of the runtime, and for kernels: (kernel<<<...>>>(...), cudaGetLastError()). */
#define CLUMP_CUDA(ctx, cuda, what, ...)                                                                               \
    do {                                                                                                               \
        cudaError_t clump_cuda_error = clump_cuda_injected(cuda);                                                      \
        if (clump_cuda_error == cudaSuccess) clump_cuda_error = (__VA_ARGS__);                                         \
        if (clump_cuda_error != cudaSuccess) return clump_cuda_fail(ctx, cuda, clump_cuda_error, what);                \
    } while (0)

/* ----- life ---------------------------------------------------------------------------------------- */

clump_status clump_cuda_open(clump_context *ctx, clump_cuda *cuda);
clump_status clump_cuda_open_like(clump_context *ctx, clump_cuda *cuda, const clump_cuda *other); /* on its GPU */
void clump_cuda_close(clump_cuda *cuda); /* also what open left half done */

/* The CUDA runtime has one current device a thread, which may be the caller's choice: it is put back. */
typedef struct clump_cuda_guard {
    int before;
} clump_cuda_guard;
clump_status clump_cuda_enter(clump_context *ctx, clump_cuda *cuda, clump_cuda_guard *guard);
void clump_cuda_leave(const clump_cuda *cuda, const clump_cuda_guard *guard);

/* Waits for the stream; errors of the work on it come out here. */
clump_status clump_cuda_synchronize(clump_context *ctx, clump_cuda *cuda, const char *what);

/* clump_poll() between launches. Where the call has been cancelled, waits for what is queued: it may use memory that the
 * next call takes. */
clump_status clump_cuda_poll(clump_context *ctx, clump_cuda *cuda);

/* A call that returns before its work is done says so, and the next makes its stream wait for it. */
clump_status clump_cuda_begin(clump_context *ctx, clump_cuda *cuda);
clump_status clump_cuda_leave_running(clump_context *ctx, clump_cuda *cuda);

/* Whether the caller records what is put on the stream into a graph of its own. */
bool clump_cuda_capturing(const clump_cuda *cuda);

/* ----- memory -------------------------------------------------------------------------------------- */

/* At least `bytes`; what was there is lost when it had to grow. */
clump_status clump_device_reserve(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *buffer, size_t bytes);
void clump_device_release(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *buffer);
clump_status clump_pinned_reserve(clump_context *ctx, clump_cuda *cuda, clump_pinned_buffer *buffer, size_t bytes);
void clump_pinned_release(clump_context *ctx, clump_pinned_buffer *buffer);

/* Bytes that could be had now. */
size_t clump_device_free(const clump_cuda *cuda);

/* For the methods whose need is not linear in the points: room for `count` things of `each` bytes. Fails
 * with OUT_OF_MEMORY before anything is asked for where it cannot be had:
 * "edge-es needs 34.4 GB of GPU memory for 4294967296 edges, 11.2 GB are free". The product may overflow. */
clump_status clump_device_need(clump_context *ctx, clump_cuda *cuda, const char *method, clump_device_buffer *buffer,
                               uint64_t count, uint64_t each, const char *things);

#endif
