/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cuda.h: points and labels that lie in a GPU's memory, and the caller's stream. Needs no CUDA toolkit;
 * in a build of clump without CUDA, or on a machine without a GPU, every call fails with a sentence.
 *
 *     clump_context_options options = clump_context_defaults();
 *     options.backend = CLUMP_BACKEND_CUDA;
 *     clump_context_create(&options, &ctx);
 *     clump_cuda_set_stream(ctx, my_stream);
 *
 *     clump_points points = {.xyz = device_floats, .count = n, .place = CLUMP_PLACE_DEVICE};
 *     clump_ec_options ec = clump_ec_defaults();
 *     ec.clusters_on_device = device_count;                        // an int32_t there, or null
 *     clump_ec(ctx, points, 0.5f, &ec, device_labels, NULL);       // returns at once
 *     my_kernel<<<..., my_stream>>>(device_labels, device_count);  // and sees the labels
 *
 * `fast` on device memory neither copies nor waits for the GPU when the count is not asked for on the
 * host; the other methods read sizes back and wait. Whoever reads the labels on another stream orders
 * that with an event, as always. In a call that did not wait, the counts and times of
 * clump_context_stats are not known: clusters is -1 and they are 0. What goes wrong on the GPU after
 * the return is reported by clump_cuda_wait.
 *
 * An index (clump_index) made from points on the device is built on the stream of the context, and queries on the device
 * are asked there: indices, distances and offsets lie on the device too. Nothing is copied and nobody waits, except by
 * clump_index_radius_fill, which has to find out whether the offsets are those of its queries, and says so where not:
 * on the device nobody has looked at them before. It writes nothing outside the rows they describe. Contexts of one
 * device may share an index, each on its own stream: a query comes after the build, and a new build, or the end of the
 * index, after all queries, without any waiting by the caller. Of an index that was built without waiting the number of
 * finite points is not known, and 0 in clump_context_stats.
 *
 * Such a call may be made while the caller captures the stream into a CUDA graph, after one like it or
 * clump_context_reserve, because memory cannot be had during a capture. The graph then uses the context's
 * memory: it may be replayed until the context is trimmed or destroyed, or used with a larger cloud, other options or
 * for another job, any of which may need more of it; and not at the same time as other calls on the context. With queries
 * in it, also only until the index is built anew or destroyed. An index cannot be built, and rows cannot be filled, during
 * a capture.
 *
 * The first call with a count of so many bits makes the launches for all counts of as many; clump_context_reserve
 * makes them for all counts up to its own.
 */
#ifndef CLUMP_CUDA_H
#define CLUMP_CUDA_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Work of later calls goes to this cudaStream_t of the context's device; null: back to a stream of the
 * context's own. (The default stream of the CUDA runtime is cudaStreamLegacy here, not null.) The stream
 * must live until the context has a new one or is destroyed. */
CLUMP_API clump_status clump_cuda_set_stream(clump_context *ctx, void *stream);

/* Returns when everything this context has begun is done, with the failure of any of it. */
CLUMP_API clump_status clump_cuda_wait(clump_context *ctx);

typedef enum clump_cuda_memory {
    CLUMP_CUDA_PINNED = 0, /* of the host, and a GPU copies from it and to it at full speed */
    CLUMP_CUDA_DEVICE = 1  /* of the context's device */
} clump_cuda_memory;

/* Memory for programs that do not use the CUDA runtime themselves. *out is null on failure. What is left
 * when the context is destroyed stays allocated; it is released through any context of that device. */
CLUMP_API clump_status clump_cuda_allocate(clump_context *ctx, clump_cuda_memory kind, size_t bytes, void **out);
CLUMP_API void clump_cuda_release(clump_context *ctx, clump_cuda_memory kind, void *memory);

/* From and to any memory, in the order of the stream; done when it returns. */
CLUMP_API clump_status clump_cuda_copy(clump_context *ctx, void *to, const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
