/* SPDX-License-Identifier: BSD-3-Clause
 *
 * container.h: a container is a file of messages: bag, db3, mcap, pcap, a list of files. One container per file NAME.c.
 *
 *     blob.c  bytes of a file  ->  NAME.c  messages of topics  ->  recording.c  which topic?  ->  io/messages, io/sensors
 *
 * A container reads through its blob, never a file by itself. It trusts no count, size or offset: it compares each with
 * the size of the blob before it uses it. Memory for a decompressed part is limited (CLUMP_IO_MAX_CHUNK), and is only
 * allocated as far as the data reaches.
 *
 * Damage: a container goes on behind a damaged part if it can find the next one, and counts the loss with clump_io_lose().
 * It fails only where nothing can be read at all, and where memory or the disk fails.
 *
 * Threads: one thread at a time calls a container. It may be another thread than the one that opened it.
 *
 *     blob.c, window.c               bytes of a file at any place, memory that grows; reading ahead; pipes
 *     live.c                         messages that come by themselves, from a thread that receives: live.h
 *     decompress.c                   chunks: bz2, lz4, zstd
 *     packed.c                       whole files and messages that rosbag2 has compressed
 *     bag_*.c, mcap_*.c, sqlite_*.c  what bag.c, mcap.c and sqlite.c need: bag.h, mcap.h, sqlite.h
 *     containers.c                   the list of containers
 *
 * Words of the room: a `container` is a file of messages, a `topic` a named stream of messages in it, a `message` one
 * of them: a cloud, a scan, a packet, the path of a cloud file. A `chunk` is what a bag or MCAP file compresses on its
 * own. A `part` of an MCAP file is a chunk, or messages beside each other outside of chunks. A `slot` is
 * memory for an open part, used again. A `run` is entries that are sorted already.
 */
#ifndef CLUMP_IO_RECORDINGS_CONTAINER_H
#define CLUMP_IO_RECORDINGS_CONTAINER_H

#include "endian.h"
#include "format.h"

/* Bytes of a decompressed part that are the most to be accepted. rosbag makes chunks of 0.75 MB, rosbag2 of some MB. */
#define CLUMP_IO_MAX_CHUNK ((size_t)1 << 30)

/* --- memory and files (blob.c) ------------------------------------------------------------------- */

/* Memory that grows and is used again. A zeroed one is empty. */
typedef struct clump_io_bytes {
    unsigned char *data;
    size_t size, capacity;
} clump_io_bytes;
clump_status clump_io_bytes_reserve(const clump_io_where *where, clump_io_bytes *bytes,
                                    size_t capacity); /* keeps data */
void clump_io_bytes_release(clump_io_bytes *bytes);

/* What the caller of a live recording wants. Strings may be null. */
typedef struct clump_io_wire {
    const char *interface, *from_host, *capture; /* as in clump_recording_options, and so the next two */
    clump_recording_watch *watch;
    void *watch_user;
    char **
        metadata; /* null, or where open() puts the JSON text of the sensor, if there is none yet; the caller frees it */
    size_t *metadata_size;
} clump_io_wire;

/* Called at least every CLUMP_IO_WAIT nanoseconds while a call waits. False: the recording is to end. In live.c. */
#define CLUMP_IO_WAIT 20000000
bool clump_io_wire_goes_on(const clump_io_wire *wire);
void clump_io_wire_say(const clump_io_wire *wire, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A pipe, which is read once, from its beginning to its end. */
typedef struct clump_io_pipe {
    int file;
    const clump_io_wire *wire;
    clump_io_bytes head; /* bytes that were read already, */
    size_t head_taken;   /* and how many of them were taken */
    bool ended;
    bool cancelled; /* the caller has ended it */
} clump_io_pipe;

/* A file that is read at any place, or memory, or a pipe. */
typedef struct clump_io_blob {
    const unsigned char *memory; /* null: `file` is read */
    int file;
    uint64_t size;
    clump_io_pipe *pipe;       /* null: no pipe. Else size is 0, and only a window reads it */
    const clump_io_wire *wire; /* of live containers; else null */
    const char *path;          /* null for memory */
    clump_io_where where;      /* for messages of open() */
} clump_io_blob;

/* Points *at to bytes [from, from + size) of the blob: in the memory, or in *scratch after a read. Fails with
 * CLUMP_ERR_IO_TRUNCATED beyond the end, also if the file has become shorter. */
clump_status clump_io_blob_at(const clump_io_blob *blob, uint64_t from, size_t size, clump_io_bytes *scratch,
                              const unsigned char **at);

/* --- losses ----------------------------------------------------------------------------------------- */

/* Counted with clump_io_lose(). Losses are counted by the thread that reads. */
typedef clump_recording_losses clump_io_losses;

/* --- a container --------------------------------------------------------------------------------------- */

typedef enum clump_io_coding {
    CLUMP_IO_CODING_OTHER = 0, /* messages that cannot be decoded, "json" */
    CLUMP_IO_CODING_ROS1,
    CLUMP_IO_CODING_CDR,  /* ROS 2; the first four bytes say which byte order */
    CLUMP_IO_CODING_UDP,  /* a message is the payload of one UDP datagram */
    CLUMP_IO_CODING_FILE, /* a message is the path of a cloud file, without a final 0 */
    CLUMP_IO_CODING_NCLT  /* a message is a packet of velodyne_hits.bin */
} clump_io_coding;

/* A topic as the container knows it. Two connections or channels of equal name and type are one topic. */
typedef struct clump_io_topic {
    char *name, *type; /* of the container */
    clump_io_coding coding;
} clump_io_topic;

/* A place of the hash table of topics. */
typedef struct clump_io_topic_slot {
    uint32_t hash, index_1; /* index of the list + 1; 0: free */
} clump_io_topic_slot;

typedef struct clump_io_topics {
    clump_io_topic *list;
    size_t count, capacity;
    clump_io_topic_slot *slots; /* a power of two, at least half of them free */
    size_t slot_count;
} clump_io_topics;

/* Finds or appends a topic; copies the strings, which need no final 0. Bytes that are not printable become '?'. */
clump_status clump_io_topics_add(const clump_io_where *where, clump_io_topics *topics, const char *name,
                                 size_t name_size, const char *type, size_t type_size, clump_io_coding coding,
                                 uint32_t *index);
void clump_io_topics_release(clump_io_topics *topics);

typedef struct clump_io_message {
    uint32_t topic;             /* index of clump_io_topics */
    int64_t received;           /* nanoseconds since 1970 */
    const unsigned char *bytes; /* valid until the next call on the container */
    size_t size;
    clump_io_bytes
        *memory;  /* null, or the memory that the bytes are in and that the container needs no more: the caller
                             * may exchange it for other memory, and keeps the bytes without a copy */
    bool silence; /* of a live container: no message, but a second without any. The frame so far is complete */
} clump_io_message;

/* Called for each message in the order of the file, without its bytes. */
typedef clump_status clump_io_seen(void *user, uint32_t topic, int64_t received);

typedef struct clump_io_container {
    clump_recording_format format;
    const char *name;   /* "bag" */
    const char *scheme; /* "udp://" begins the names that it opens; null: it reads files */
    bool live; /* messages come by themselves: opened once, cannot go back, next() may wait. topics may be found late */
    bool (*sniff)(const unsigned char *bytes, size_t size); /* the first bytes of a file, at most 4096; null: cannot */

    /* Opens. Fills topics as far as they are known from an index; next() may add more. *state is released by close(),
     * also after a failure of open() if it is not null. */
    clump_status (*open)(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state);

    /* Returns the next message of the topics wanted, by ascending time as far as the file allows. wanted has one entry
     * per topic known at the time; topics added later are wanted if `wanted` is null. Messages of equal time come in the
     * order of the file. */
    clump_status (*next)(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message, bool *more);

    /* Moves to the first message at or after the time; INT64_MIN: to the beginning. */
    clump_status (*seek)(void *state, int64_t time);

    /* Calls `seen` for every message, from the index where there is one. The position of next() is undefined after it.
     * Null: parts.c calls seek() and next(). */
    clump_status (*survey)(void *state, clump_io_seen *seen, void *user);
    void (*close)(void *state);
    void (*describe)(void *state, clump_wire *out); /* what came over the wire; any thread may call it. Null: nothing */
} clump_io_container;

/* Returns the container whose scheme begins the name; null: none. In containers.c. */
const clump_io_container *clump_io_container_of_url(const char *name);

/* Returns the container that recognises the first bytes of a file, at most 4096; null: none. In containers.c, which lists
 * all. */
const clump_io_container *clump_io_container_of(const unsigned char *bytes, size_t size);

extern const clump_io_container clump_io_container_bag, clump_io_container_sqlite, clump_io_container_mcap,
    clump_io_container_pcap, clump_io_container_files, clump_io_container_nclt, clump_io_container_pcap_live,
    clump_io_container_udp, clump_io_container_ouster, clump_io_container_ros2;

/* --- window.c: walks through a blob from record to record, with few reads of the file --------------- */

/* The part of a blob that is in memory. Set `blob`, the rest to zero. */
typedef struct clump_io_window {
    const clump_io_blob *blob;
    clump_io_bytes bytes;
    uint64_t from; /* place of bytes.data in the blob */
    size_t step;   /* bytes that the last read asked for */
} clump_io_window;

/* Points *at to bytes [from, from + size) of the blob, valid until the next call. Fails as clump_io_blob_at(). */
clump_status clump_io_window_at(clump_io_window *window, uint64_t from, size_t size, const unsigned char **at);
void clump_io_window_release(clump_io_window *window);

/* Says how many bytes there are from here on. Of a pipe it reads as many as `size`, and says how many of these there are. */
clump_status clump_io_window_room(clump_io_window *window, uint64_t from, size_t size, uint64_t *room);

#endif
