/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory.cu: the memory part of device.h. Memory of the GPU comes from a pool of the context, in the order of the
 * stream: a buffer that grows does not make other work on the GPU wait.
 */
#include "cuda/gpu/device.h"

#include "common/assert.h"

extern "C" {
#include "common/bytes_text.h"
}

size_t clump_device_free(const clump_cuda *cuda)
{
    size_t unused = 0, total = 0;
    if (cudaMemGetInfo(&unused, &total) != cudaSuccess) return 0;
    uint64_t reserved = 0, used = 0;
    if (cuda->pool &&
        cudaMemPoolGetAttribute(cuda->pool, cudaMemPoolAttrReservedMemCurrent, &reserved) == cudaSuccess &&
        cudaMemPoolGetAttribute(cuda->pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess && used < reserved)
        unused += reserved - used;
    return unused;
}

/* Lets a buffer hold other memory, or none. `total` counts the bytes of all buffers of its kind. */
template <class B> static void hold(B *buffer, void *data, size_t bytes, size_t *total)
{
    CLUMP_ASSERT(*total >= buffer->bytes && (data != NULL) == (bytes > 0));
    *total = *total - buffer->bytes + bytes;
    buffer->data = data;
    buffer->bytes = bytes;
}

void clump_device_release(clump_work *work, clump_cuda *cuda, clump_device_buffer *buffer)
{
    if (!buffer->data) return;
    if (cuda->pool)
        (void)cudaFreeAsync(buffer->data, cuda->stream);
    else
        (void)cudaFree(buffer->data);
    hold(buffer, NULL, 0, &work->device_bytes);
}

/* Checks that the context stays within its limit when a buffer grows. */
static clump_status check_limit(clump_work *work, const clump_cuda *cuda, const clump_device_buffer *buffer,
                                size_t bytes)
{
    const size_t limit = cuda->limit, others = work->device_bytes - buffer->bytes;
    if (limit == 0 || (bytes <= limit && others <= limit - bytes)) return CLUMP_OK;
    char asked[32], held[32], allowed[32];
    clump_bytes_text(asked, sizeof asked, (double)bytes);
    clump_bytes_text(held, sizeof held, (double)others);
    clump_bytes_text(allowed, sizeof allowed, (double)limit);
    return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%s of GPU memory are needed besides %s, the limit is %s", asked,
                      held, allowed);
}

clump_status clump_device_reserve(clump_work *work, clump_cuda *cuda, clump_device_buffer *buffer, size_t bytes)
{
    if (bytes <= buffer->bytes) return CLUMP_OK;
    if (clump_cuda_capturing(cuda))
        return clump_fail(work, CLUMP_ERR_DEVICE,
                          "this call needs more GPU memory, which cannot be had while a stream is captured; make one "
                          "like it, or clump_context_reserve, before the capture");
    CLUMP_TRY(check_limit(work, cuda, buffer, bytes));
    clump_device_release(work, cuda, buffer); /* first: the old and the new memory never exist together */
    cudaError_t error = clump_cuda_injected(cuda);
    void *data = NULL;
    if (error == cudaSuccess)
        error = cuda->pool ? cudaMallocFromPoolAsync(&data, bytes, cuda->pool, cuda->stream) : cudaMalloc(&data, bytes);
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        char asked[32], unused[32];
        clump_bytes_text(asked, sizeof asked, (double)bytes);
        clump_bytes_text(unused, sizeof unused, (double)clump_device_free(cuda));
        return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%s of GPU memory could not be allocated, %s are free", asked,
                          unused);
    }
    if (error != cudaSuccess) return clump_cuda_fail(work, cuda, error, "allocating GPU memory");
    hold(buffer, data, bytes, &work->device_bytes);
    return CLUMP_OK;
}

clump_status clump_device_need(clump_work *work, clump_cuda *cuda, const char *method, clump_device_buffer *buffer,
                               uint64_t count, uint64_t each, const char *things)
{
    const bool fits = each == 0 || count <= SIZE_MAX / each;
    if (fits && count * each <= buffer->bytes) return CLUMP_OK;
    const size_t unused = clump_device_free(cuda) + buffer->bytes;
    if (fits && count * each <= unused) {
        const clump_status status = clump_device_reserve(work, cuda, buffer, (size_t)(count * each));
        if (status != CLUMP_ERR_OUT_OF_MEMORY || cuda->limit > 0) return status;
    }
    char asked[32], text[32];
    clump_bytes_text(asked, sizeof asked, (double)count * (double)each);
    clump_bytes_text(text, sizeof text, (double)unused);
    return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%s needs %s of GPU memory for %llu %s, %s are free", method,
                      asked, (unsigned long long)count, things, text);
}

void clump_pinned_release(clump_work *work, clump_pinned_buffer *buffer)
{
    if (!buffer->data) return;
    (void)cudaFreeHost(buffer->data);
    hold(buffer, NULL, 0, &work->host_bytes);
}

clump_status clump_pinned_reserve(clump_work *work, clump_cuda *cuda, clump_pinned_buffer *buffer, size_t bytes)
{
    if (bytes <= buffer->bytes) return CLUMP_OK;
    clump_pinned_release(work, buffer);
    void *data = NULL;
    CLUMP_CUDA(work, cuda, "allocating pinned memory of the host", cudaHostAlloc(&data, bytes, cudaHostAllocDefault));
    hold(buffer, data, bytes, &work->host_bytes);
    return CLUMP_OK;
}
