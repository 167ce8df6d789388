/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag.h: the inside of the reader of ROS 1 bags, version 2.0.
 *
 *     "#ROSBAG V2.0\n"  bag header, padded to 4 KiB
 *     chunk             compressed or not; its data are records: connections and messages
 *     index data        one per connection of the chunk before: time and place of each message
 *     chunk ...
 *     connections       all of them again; the bag header says where they begin
 *     chunk infos       one per chunk: place, first and last time, messages per connection
 *
 *     bag_record.c   bytes             ->  a record and its fields
 *     bag_tables.c   window of the file, connections, list of chunks
 *     bag_index.c    the end of a bag  ->  list of chunks
 *     bag_walk.c     a bag without a usable end, record by record  ->  list of chunks
 *     bag_chunk.c    a chunk           ->  its messages, sorted by time
 *     bag.c          chunks that overlap in time  ->  messages by ascending time
 */
#ifndef CLUMP_IO_RECORDINGS_BAG_H
#define CLUMP_IO_RECORDINGS_BAG_H

#include "endian.h"
#include "opcodes.h"
#include "containers/container.h"
#include "containers/decompress.h"

/* --- records (bag_record.c) ------------------------------------------------------------------------- */

/* Which fields a header has. */
enum {
    BAG_HAS_OP = 1,
    BAG_HAS_CONN = 2,
    BAG_HAS_TIME = 4,
    BAG_HAS_SIZE = 8,
    BAG_HAS_COUNT = 16,
    BAG_HAS_CHUNK_POS = 32,
    BAG_HAS_START = 64,
    BAG_HAS_END = 128,
    BAG_HAS_INDEX_POS = 256,
    BAG_HAS_TOPIC = 512,
    BAG_HAS_COMPRESSION = 1024,
    BAG_HAS_TYPE = 2048,
    BAG_HAS_CHUNK_COUNT = 4096
};

typedef struct clump_io_bag_text {
    const char *text;
    size_t size;
} clump_io_bag_text;

/* The fields that are read. Texts point into the header. */
typedef struct clump_io_bag_fields {
    unsigned has;
    unsigned op;
    uint32_t conn, size, count, chunk_count;
    int64_t time, start, end; /* nanoseconds */
    uint64_t chunk_pos, index_pos;
    clump_io_bag_text topic, type, compression;
} clump_io_bag_fields;

/* Reads the fields of a header, or the data of a connection. False: a field is damaged. */
bool clump_io_bag_read_fields(const unsigned char *bytes, size_t size, clump_io_bag_fields *fields);

/* Whether a header has what its op demands. */
bool clump_io_bag_is_complete(const clump_io_bag_fields *fields);

typedef struct clump_io_bag_record {
    clump_io_bag_fields fields;
    uint64_t at;        /* of the record */
    uint64_t data_at;   /* of its data */
    uint32_t data_size; /* as the record claims */
} clump_io_bag_record;

/* Reads the record at `at` of these bytes, header and size of the data. False: damaged, or not complete there. The data
 * may end behind the bytes. */
bool clump_io_bag_read_record(const unsigned char *bytes, size_t size, size_t at, clump_io_bag_record *record);

/* Finds the first record of these ops at or after `from`, behind a damaged part. ops has one bit per op. False:
 * none. */
#define BAG_BIT(op) (1u << (op))
bool clump_io_bag_find_record(const unsigned char *bytes, size_t size, size_t from, unsigned ops, size_t *at);

/* Bytes of a record header that are the most to be accepted. Topics are the longest part. */
#define BAG_MAX_HEADER ((size_t)65536)

static inline int64_t clump_io_bag_time(const unsigned char *at)
{
    return (int64_t)clump_io_u32(at) * 1000000000 + clump_io_u32(at + 4);
}

/* --- the bag ------------------------------------------------------------------------------------------ */

/* A chunk, or messages side by side outside of chunks. */
typedef struct clump_io_bag_chunk {
    uint64_t at;      /* of its record */
    uint64_t data_at; /* of its data */
    uint32_t data_size, plain_size;
    clump_io_packing packing;
    bool loose;     /* messages outside of chunks: no index data follow */
    bool cut;       /* its data end too early */
    bool damaged;   /* it is counted as damaged */
    bool counted;   /* all its losses are counted */
    bool delivered; /* all its messages have been delivered once: late ones are counted */
    bool any_topic; /* a connection of it is not known: any topic may be in it */
    int64_t first, last;
    uint64_t messages; /* UINT64_MAX: unknown */
    size_t topics;     /* its topics in clump_io_bag.topic_pool: from here on, topic_count of them */
    uint32_t topic_count;
} clump_io_bag_chunk;

typedef struct clump_io_bag_entry {
    int64_t time;
    uint32_t at, size; /* data of the message in the chunk's bytes; size 0 where the entry is from the index */
    uint32_t topic;
} clump_io_bag_entry;

/* The messages of an open chunk. */
typedef struct clump_io_bag_opened {
    clump_io_bag_chunk *chunk;
    clump_io_bytes plain;       /* its bytes, if not those of the blob's memory */
    const unsigned char *bytes; /* decompressed */
    size_t size;
    clump_io_bag_entry *entries; /* by time */
    size_t count, capacity, next;
} clump_io_bag_opened;

/* Connection numbers, by hash. */
typedef struct clump_io_bag_connection {
    uint32_t conn, topic;
    bool used;
    uint64_t pass; /* of clump_io_bag, when it was met */
} clump_io_bag_connection;

typedef struct clump_io_bag {
    const clump_io_blob *blob;
    clump_io_topics *topics;
    clump_io_losses *losses;
    clump_io_bag_connection *connections; /* hash table, a power of two */
    size_t connection_count, connection_room;
    uint64_t
        pass; /* 0 while the bag is opened, else one more with every seek: a connection that a damaged bag defines behind its
                      messages is forgotten, so that reading again gives the same */
    clump_io_bag_chunk *chunks; /* by first time, then by place */
    size_t chunk_count, chunk_capacity;
    uint32_t *topic_pool;
    size_t topic_pool_count, topic_pool_capacity;
    uint64_t *topic_marks; /* per topic: serial of the last chunk that it was added to */
    size_t topic_mark_count, topic_mark_capacity;
    uint64_t chunk_serial; /* of the last chunk that was added */
    clump_io_bytes window; /* bytes of the file around the place that is read */
    uint64_t window_at;
    uint64_t searched_from, searched_to; /* a walk has found no chunk between them; searched_to is one, or the end */
    clump_io_bytes packed;               /* compressed bytes of a chunk */
    clump_io_unpacker unpacker;

    clump_io_bag_opened **opened_list; /* a heap of open_count chunks, then memory of closed ones */
    size_t open_count, opened_made, opened_capacity;
    size_t open_bytes; /* memory of the open chunks */
    size_t cursor;     /* the chunk to open next */
    bool from_index;   /* messages are listed from index data, without decompression */
    bool delivered;    /* the top of the heap has been delivered */
    int64_t from;      /* messages before this time are left out */
    int64_t last;      /* time of the message before */
} clump_io_bag;

/* Points *bytes to [at, at + size) of the file, and *have to how much there is from `at` on, at least size: a window of
 * `ahead` bytes is read. False: beyond the end, or not readable; *status tells of memory and disk. */
bool clump_io_bag_look(clump_io_bag *bag, uint64_t at, size_t size, size_t ahead, const unsigned char **bytes,
                       size_t *have, clump_status *status);

/* Reads the record at `at` of the file. Texts of its fields are valid until the next look. */
bool clump_io_bag_look_record(clump_io_bag *bag, uint64_t at, size_t ahead, clump_io_bag_record *record,
                              clump_status *status);

/* Reads a record with its data, which may be 64 MiB long. */
bool clump_io_bag_look_whole(clump_io_bag *bag, uint64_t at, size_t ahead, clump_io_bag_record *record,
                             const unsigned char **data, clump_status *status);

/* Keeps a connection; `data` are the fields of its connection header. A connection without a type is left out. */
clump_status clump_io_bag_connect(clump_io_bag *bag, const clump_io_bag_fields *fields, const unsigned char *data,
                                  size_t size);
/* False: unknown. */
bool clump_io_bag_topic_of(const clump_io_bag *bag, uint32_t conn, uint32_t *topic);

/* Appends a chunk, all zero but for its place. *chunk is valid until the next is added. */
clump_status clump_io_bag_add_chunk(clump_io_bag *bag, uint64_t at, clump_io_bag_chunk **chunk);
/* Takes sizes and compression from the record of the chunk. */
void clump_io_bag_set_chunk(const clump_io_bag *bag, const clump_io_bag_record *record, clump_io_bag_chunk *chunk);
/* Adds a topic to the last chunk. */
clump_status clump_io_bag_add_topic(clump_io_bag *bag, clump_io_bag_chunk *chunk, uint32_t topic);

/* Fills the list of chunks from the end of the bag. *good is false where the index is missing or damaged: then the list
 * is empty. */
clump_status clump_io_bag_read_index(clump_io_bag *bag, const clump_io_bag_record *header, bool *good);

/* Fills the list of chunks record by record. */
clump_status clump_io_bag_walk(clump_io_bag *bag, uint64_t from);

/* Opens a chunk: its messages become entries, by time. Connections in it are kept. Losses are counted the first
 * time. */
clump_status clump_io_bag_open_chunk(clump_io_bag *bag, clump_io_bag_chunk *chunk, clump_io_bag_opened *opened);

/* Reads the index data behind a chunk into entries. False: missing, damaged, or of unknown connections. */
bool clump_io_bag_index_chunk(clump_io_bag *bag, clump_io_bag_chunk *chunk, clump_io_bag_opened *opened,
                              clump_status *status);

void clump_io_bag_sort_entries(clump_io_bag_opened *opened); /* by time, then by place */
void clump_io_bag_release_opened(clump_io_bag_opened *opened);

#endif
