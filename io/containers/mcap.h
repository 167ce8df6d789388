/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap.h: the inside of the reader of MCAP.
 *
 *     mcap_summary.c  footer and chunk index  \
 *     mcap_walk.c     from record to record   -> parts  ->  mcap_part.c  messages of a part  ->  mcap.c  by time
 *     mcap_names.c    schemas and channels    -> topics
 *
 * A part is a chunk, or messages outside of chunks that follow each other. The parts of a file are known after open();
 * their messages are read when their time has come.
 *
 *     a record    opcode u8, length u64, bytes of this length; a string is a u32 size and its bytes; all little-endian
 *     a chunk     start u64, end u64, unpacked size u64, CRC u32 (0: none), compression string, packed size u64, records
 */
#ifndef CLUMP_IO_RECORDINGS_MCAP_H
#define CLUMP_IO_RECORDINGS_MCAP_H

#include "opcodes.h"
#include "containers/decompress.h"
#include "containers/container.h"

enum {
    MCAP_MAGIC = 8,         /* bytes at the beginning and at the end */
    MCAP_MESSAGE_HEAD = 22, /* bytes before the data of a message */
    MCAP_CHUNK_HEAD = 40,   /* bytes of a chunk before its records, without the name of the compression */
};

/* A chunk, or messages outside of chunks. */
typedef struct clump_io_mcap_part {
    uint64_t offset, size;         /* of the whole records in the file */
    uint64_t index_at, index_size; /* MessageIndex records of a chunk; size 0: none */
    int64_t start, end;            /* times, as the file claims */
    size_t channels_from;          /* ids in clump_io_mcap.ids: the channels that the index names */
    uint32_t channels;             /* 0: not known */
    bool listed;                   /* by a chunk index whose checksum is right */
    bool loose;                    /* messages outside of chunks */
    bool cut;                      /* the file ends inside */
    bool counted;                  /* its losses have been counted */
} clump_io_mcap_part;

/* A message of a part. */
typedef struct clump_io_mcap_entry {
    int64_t time;
    uint32_t offset; /* of the record in the records of the part */
    uint32_t topic;
} clump_io_mcap_entry;

/* A part whose messages are in memory, sorted by time. */
typedef struct clump_io_mcap_slot {
    size_t part;
    clump_io_bytes memory;
    const unsigned char *records; /* in `memory` or in the blob */
    size_t size;
    clump_io_mcap_entry *entries;
    size_t count, capacity, next;
    clump_io_mcap_entry *spare; /* for sorting */
    size_t spare_capacity;
} clump_io_mcap_slot;

/* A name of a schema: `text` of clump_io_mcap. size_1 is its size + 1; 0: not defined. */
typedef struct clump_io_mcap_schema {
    uint32_t at, size_1;
} clump_io_mcap_schema;

typedef struct clump_io_mcap {
    const clump_io_blob *blob; /* of the caller, or `unpacked` */
    clump_io_blob unpacked;    /* the image, where the whole file is compressed */
    clump_io_bytes image;
    uint64_t file_size;
    clump_io_topics *topics;
    clump_io_losses *losses;
    clump_io_window window;
    clump_io_unpacker unpacker;
    clump_io_bytes packed; /* compressed records, the summary, or message indexes */

    clump_io_mcap_part *parts; /* by offset */
    size_t part_count, part_capacity;
    uint16_t *ids;
    size_t id_count, id_capacity;
    bool trusted; /* there are listed parts */

    clump_io_mcap_schema *schemas; /* by id; as many as the largest id needs */
    size_t schema_count;
    uint32_t *channels; /* by id: index of the topic + 1, 0: not defined, or CLUMP_IO_MCAP_REFUSED */
    size_t channel_count;
    bool all_defined; /* every chunk has been read for its channels */
    clump_io_bytes text;

    size_t *order; /* parts by start */
    size_t order_next;
    int64_t from;              /* messages before this time are left out */
    clump_io_mcap_slot **open; /* a heap: the slot with the earliest message is first */
    size_t open_count, open_capacity;
    uint64_t open_bytes;
    clump_io_mcap_slot **idle; /* as many as open_capacity */
    size_t idle_count;
    bool passed; /* the first message of open[0] has been returned */

    clump_io_bytes plain; /* of a message that rosbag2 has compressed */
    int64_t counted_time; /* the last damaged one that was counted: its time, part, */
    size_t counted_part;
    uint64_t counted_1; /* and offset + 1; 0: none yet */
} clump_io_mcap;

/* Of a channel whose topic is one too many. */
#define CLUMP_IO_MCAP_REFUSED UINT32_MAX

/* --- mcap_names.c -------------------------------------------------------------------------------------- */

/* Take the definition from the body of a Schema or Channel record. The first definition of an id holds. False: the
 * record is damaged. */
clump_status clump_io_mcap_schema_add(clump_io_mcap *mcap, const unsigned char *body, size_t size, bool *good);
clump_status clump_io_mcap_channel_add(clump_io_mcap *mcap, const unsigned char *body, size_t size, bool *good);

/* Reads a string at *at of a record, and moves *at behind it. False: it does not fit in. */
bool clump_io_mcap_string(const unsigned char *body, size_t size, size_t *at, const unsigned char **text,
                          size_t *text_size);

/* Returns the index of the channel's topic + 1; 0: not defined, or CLUMP_IO_MCAP_REFUSED. */
static inline uint32_t clump_io_mcap_channel(const clump_io_mcap *mcap, unsigned id)
{
    return id < mcap->channel_count ? mcap->channels[id] : 0;
}
static inline bool clump_io_mcap_has_schema(const clump_io_mcap *mcap, unsigned id)
{
    return id < mcap->schema_count && mcap->schemas[id].size_1;
}

/* Returns a time of the file: INT64_MAX for those beyond. */
static inline int64_t clump_io_mcap_time(const unsigned char *at)
{
    const uint64_t time = clump_io_u64(at);
    return time > INT64_MAX ? INT64_MAX : (int64_t)time;
}

/* --- mcap_summary.c, mcap_walk.c ------------------------------------------------------------------------- */

extern const unsigned char clump_io_mcap_magic[MCAP_MAGIC];

/* Appends a part. *part is valid until the next one. */
clump_status clump_io_mcap_part_add(clump_io_mcap *mcap, clump_io_mcap_part **part);
void clump_io_mcap_sort_parts(clump_io_mcap *mcap); /* by offset */
clump_status clump_io_mcap_id_add(clump_io_mcap *mcap, clump_io_mcap_part *part, unsigned id);

/* Reads schemas, channels and chunk index of the summary. *end is where the data ends at the latest. Lists
 * the parts of the chunk index if the checksum is right. */
clump_status clump_io_mcap_summary(clump_io_mcap *mcap, uint64_t *end);

/* Finds the parts between the parts that are known, or all. */
clump_status clump_io_mcap_walk(clump_io_mcap *mcap, uint64_t end);

/* --- mcap_part.c ----------------------------------------------------------------------------------------- */

/* Reads the messages of a part, sorted by time. Of a damaged part there are fewer, or none, and the loss is counted. */
clump_status clump_io_mcap_load(clump_io_mcap *mcap, size_t part, clump_io_mcap_slot *slot);

/* The same from the MessageIndex records alone, without bytes. *good false: the index is damaged. */
clump_status clump_io_mcap_load_index(clump_io_mcap *mcap, size_t part, clump_io_mcap_slot *slot, bool *good);

/* Sorts the entries by time or by place; of equal time, by place. */
clump_status clump_io_mcap_sort(const clump_io_mcap *mcap, clump_io_mcap_slot *slot, bool by_time);

#endif
