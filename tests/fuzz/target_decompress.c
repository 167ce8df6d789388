/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_decompress.c: the fuzz target for compressed chunks. The first byte chooses the compression, 20 bits of the
 * next three are the size that is announced.
 */
#include "target.h"

#include "containers/decompress.h"

#include <string.h>

FUZZ_TARGET(decompress)
{
    if (size < 4) return 0;
    const clump_io_packing packing = (clump_io_packing)(data[0] % (CLUMP_IO_PACKING_UNKNOWN + 1));
    const size_t announced = (size_t)data[1] | (size_t)data[2] << 8 | (size_t)(data[3] & 0x0f) << 16;
    clump_io_unpacker unpacker = {0};
    clump_io_bytes cold = {0}, warm = {0};
    const clump_io_unpacked first = clump_io_unpack(&unpacker, packing, data + 4, size - 4, announced, &cold);
    if (cold.size > announced) abort();
    if (packing != CLUMP_IO_PACKING_NONE && cold.capacity > 2 * cold.size + 65536 + 2 * 131072) abort();
    /* With memory from the beginning, the result is the same. Of damaged data, more or less may come out. */
    if (clump_io_bytes_reserve(&(clump_io_where){0}, &warm, announced + 1) != CLUMP_OK) abort();
    const clump_io_unpacked second = clump_io_unpack(&unpacker, packing, data + 4, size - 4, announced, &warm);
    if (first != second || warm.size > announced) abort();
    if (first == CLUMP_IO_UNPACKED && cold.size != warm.size) abort();
    if (first == CLUMP_IO_UNPACKED && cold.size && memcmp(cold.data, warm.data, cold.size) != 0) abort();
    size_t claimed;
    clump_io_unpacked_size(packing, data + 4, size - 4, &claimed);
    clump_io_unpacker_release(&unpacker);
    clump_io_bytes_release(&cold);
    clump_io_bytes_release(&warm);
    return 0;
}
