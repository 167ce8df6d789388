/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recorder.h: the inside of a recorder. A format of recordings is one file that defines one clump_io_recorder_format.
 *
 *     recorder.c  messages of channels  ->  a chunk in memory  ->  NAME_write.c  records  ->  sink  ->  the file
 *
 * A message is encoded where it stays: in the chunk, behind the head of its record. A chunk is written when it has
 * chunk_size bytes. Memory is that of the largest chunk, the same again where chunks are compressed, and the index.
 *
 * Functions of a format do not report failures. The sink and the encoders keep theirs, and recorder.c looks after each
 * step.
 *
 *     recorder_open.c            format, compression, the file
 *     recorder.c                 topics, and messages into chunks
 *     mcap_write.c, bag_write.c  the formats
 *     take.c                     no file: messages are handed over one by one
 *     compress.c                 compresses a chunk: lz4, zstd, bz2
 *     checksum.c                 joins checksums of parts
 */
#ifndef CLUMP_IO_RECORDER_RECORDER_H
#define CLUMP_IO_RECORDER_RECORDER_H

#include "bus/bus.h"
#include "crc32.h"
#include "messages/encode.h"

/* --- compress.c: compresses the chunks of a recording: lz4 (frame format), zstd, bz2 ---------------- */

/* State of the compressors and memory for a chunk, used again. libbz2 allocates per chunk: it has no other way. A
 * zeroed packer is empty. */
typedef struct clump_io_packer {
    void *lz4, *zstd;
    clump_io_encoder packed;
} clump_io_packer;

/* Whether this build has the library. */
bool clump_io_packer_has(clump_compression compression);
const char *clump_io_compression_name(clump_compression compression); /* "none"; null: there is no such compression */

/* Compresses. *to is valid until the next call; without compression it is `from`. */
clump_status clump_io_pack(const clump_io_where *where, clump_io_packer *packer, clump_compression compression,
                           const unsigned char *from, size_t size, const unsigned char **to, size_t *to_size);
void clump_io_packer_release(clump_io_packer *packer);

/* --- recorder.c ------------------------------------------------------------------------------------- */

/* The largest chunk. Readers refuse larger ones, clump's too; bags have 32-bit sizes. */
#define CLUMP_IO_RECORDER_MAX_CHUNK ((size_t)1 << 30)

/* A topic. */
typedef struct clump_io_channel {
    char *topic;
    const clump_io_definition *definition;
    uint32_t id;
    uint64_t messages;      /* in the file */
    uint32_t in_chunk;      /* messages in the chunk that is being filled */
    clump_io_encoder index; /* their entries in the index, as the format has them */
} clump_io_channel;

/* What a message carries in its record. Times are nanoseconds since 1970, at least 0. */
typedef struct clump_io_recorded {
    uint32_t sequence;
    uint64_t received, stamp;
} clump_io_recorded;

typedef struct clump_io_recorder_format {
    clump_recording_format format;
    const char *name;      /* "mcap", also the ending of the file name */
    bool ros2;             /* messages are those of ROS 2, in CDR */
    unsigned compressions; /* 1 << clump_compression each */
    uint32_t first_id;     /* of channels */
    uint32_t most_channels;

    void (*begin)(clump_recorder *recorder);
    void (*announce)(clump_recorder *recorder, const clump_io_channel *channel); /* describes it in the chunk */
    /* Appends the head of a record to the chunk, and an entry to the index. Returns what end_message() needs. */
    size_t (*begin_message)(clump_recorder *recorder, clump_io_channel *channel, const clump_io_recorded *message);
    void (*end_message)(clump_recorder *recorder, size_t begun);
    clump_status (*write_chunk)(clump_recorder *recorder, const clump_io_where *where);
    void (*finish)(clump_recorder *recorder);
    /* Writes the beginning of the file again, after all else is written. Returns an errno, or 0. Null: not needed. */
    int (*rewrite)(clump_recorder *recorder);
} clump_io_recorder_format;

extern const clump_io_recorder_format clump_io_recorder_bag, clump_io_recorder_mcap, clump_io_recorder_taken;

struct clump_recorder {
    const clump_io_recorder_format *format;
    clump_compression compression;
    size_t chunk_size;
    clump_io_packer packer;
    char *name; /* for messages */
    clump_io_target target;
    clump_io_sink sink;
    uint64_t position; /* bytes of the file so far */
    uint32_t checksum; /* of them; only where the format needs it */

    clump_io_channel *channels;
    uint32_t channel_count;
    size_t channel_capacity;
    clump_io_encoder chunk;  /* records of the chunk that is being filled */
    clump_io_encoder record; /* a record that is being made */
    clump_io_encoder chunks; /* records that describe the chunks written, for the end of the file */
    uint32_t chunk_count;
    uint64_t chunk_messages, messages;
    uint64_t chunk_first, chunk_last, first, last; /* times */

    clump_recorder_take take; /* null: there is a file */
    void *take_user;
    clump_io_bus *bus;            /* of ros2://; else null */
    uint64_t unsent;              /* messages that could not be published */
    clump_recorder_message taken; /* the message of the chunk; take.c only */

    clump_status status;   /* of the first failure, which all later calls repeat */
    clump_message failure; /* its sentence */
};

/* --- checksum.c: the CRC-32 of bytes whose parts have been summed already --------------------------- */

/* Returns the checksum of two parts, one behind the other. `first` and `second` are the checksums of each alone. */
uint32_t clump_io_crc32_join(uint32_t first, uint32_t second, uint64_t second_size);

#endif
