/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packed.c: what rosbag2 compresses with zstd: a whole file, .db3.zstd or .mcap.zstd, or each message. A compressed message
 * begins with zstd's magic number, which a message of ROS 2 never does: it begins with 0.
 */
#include "containers/decompress.h"

#include <string.h>

enum { PACKED_LEAST = 16 };

/* A block of zstd has 128 KiB at most: this many bytes of a file have the whole first block. */
#define PACKED_HEAD ((size_t)160 << 10)

static const unsigned char packed_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};

bool clump_io_is_packed(const unsigned char *bytes, size_t size)
{
    return size >= PACKED_LEAST && memcmp(bytes, packed_magic, sizeof packed_magic) == 0;
}

clump_status clump_io_packed_begin(const clump_io_blob *blob, unsigned char *begin, size_t room, size_t *size)
{
    clump_io_unpacker unpacker = {0};
    clump_io_bytes packed = {0}, plain = {0};
    const unsigned char *bytes;
    const size_t head = blob->size < PACKED_HEAD ? (size_t)blob->size : PACKED_HEAD;
    *size = 0;
    clump_status status = clump_io_blob_at(blob, 0, head, &packed, &bytes);
    if (status == CLUMP_OK &&
        clump_io_unpack(&unpacker, CLUMP_IO_PACKING_ZSTD, bytes, head, room, &plain) == CLUMP_IO_UNPACKED_NO_MEMORY)
        status = clump_io_no_memory(&blob->where, room);
    if (status == CLUMP_OK && plain.size) {
        *size = plain.size < room ? plain.size : room;
        memcpy(begin, plain.data, *size);
    }
    clump_io_bytes_release(&packed);
    clump_io_bytes_release(&plain);
    clump_io_unpacker_release(&unpacker);
    return status;
}

clump_status clump_io_unpack_file(const clump_io_blob *blob, clump_io_unpacker *unpacker, clump_io_losses *losses,
                                  clump_io_bytes *image)
{
    clump_io_bytes packed = {0};
    const unsigned char *bytes;
    if (blob->size > CLUMP_IO_MAX_CHUNK)
        return clump_io_fail(&blob->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "more than 1 GiB is compressed; decompress it with zstd -d");
    CLUMP_IO_TRY(clump_io_blob_at(blob, 0, (size_t)blob->size, &packed, &bytes));
    size_t announced = CLUMP_IO_MAX_CHUNK;
    if (clump_io_unpacked_size(CLUMP_IO_PACKING_ZSTD, bytes, (size_t)blob->size, &announced) &&
        announced > CLUMP_IO_MAX_CHUNK) {
        clump_io_bytes_release(&packed);
        return clump_io_fail(&blob->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "it has more than 1 GiB; decompress it with zstd -d");
    }
    const clump_io_unpacked result =
        clump_io_unpack(unpacker, CLUMP_IO_PACKING_ZSTD, bytes, (size_t)blob->size, announced, image);
    clump_io_bytes_release(&packed);
    switch (result) {
    case CLUMP_IO_UNPACKED:
    case CLUMP_IO_UNPACKED_TOO_MUCH: /* the unpacker has no bound yet */
        break;
    case CLUMP_IO_UNPACKED_PART:
        if (announced == CLUMP_IO_MAX_CHUNK) break; /* its size is not known */
        losses->truncated = true;
        clump_io_lose(losses, &losses->lost_bytes, announced - image->size,
                      "the compressed file is damaged behind %zu bytes", image->size);
        break;
    case CLUMP_IO_UNPACKED_NOT_BUILT:
        return clump_io_fail(&blob->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "this build has no decoder for zstd; decompress it with zstd -d");
    case CLUMP_IO_UNPACKED_NO_MEMORY:
        return clump_io_no_memory(&blob->where, announced);
    }
    return CLUMP_OK;
}

clump_status clump_io_unpack_message(const clump_io_blob *blob, clump_io_unpacker *unpacker, clump_io_coding coding,
                                     clump_io_bytes *plain, clump_io_message *message, bool *good)
{
    size_t announced;
    *good = true;
    if (coding != CLUMP_IO_CODING_CDR || message->size < sizeof packed_magic ||
        memcmp(message->bytes, packed_magic, sizeof packed_magic) != 0)
        return CLUMP_OK;
    *good = clump_io_unpacked_size(CLUMP_IO_PACKING_ZSTD, message->bytes, message->size, &announced) &&
            announced <= CLUMP_IO_MAX_CHUNK;
    if (!*good) return CLUMP_OK;
    const clump_io_unpacked result =
        clump_io_unpack(unpacker, CLUMP_IO_PACKING_ZSTD, message->bytes, message->size, announced, plain);
    if (result == CLUMP_IO_UNPACKED_NO_MEMORY) return clump_io_no_memory(&blob->where, announced);
    *good = result == CLUMP_IO_UNPACKED;
    message->bytes = plain->data;
    message->size = plain->size;
    message->memory = plain;
    return CLUMP_OK;
}
