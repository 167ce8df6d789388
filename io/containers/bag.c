/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bag.c: ROS 1 bags, version 2.0, as a container. bag.h has the overview.
 *
 * Messages come by ascending time, though chunks may overlap in time and be in any order. Chunks are sorted by the time
 * of their first message. A chunk is opened when that time comes, and closed behind its last message. Open chunks
 * form a heap by the time of their next message. In most bags, one or two chunks are open.
 */
#include "format.h"
#include "common/assert.h"
#include "containers/bag.h"

#include <stdlib.h>
#include <string.h>

#define BAG_MAGIC      "#ROSBAG V"
#define BAG_MAGIC_2    "#ROSBAG V2.0\n"
#define BAG_MAGIC_SIZE (sizeof BAG_MAGIC_2 - 1)

/* Memory of chunks that are open at the same time. A chunk beyond it is opened late, and its messages are out of
 * order. */
#define BAG_OPEN_BYTES  ((size_t)256 << 20)
#define BAG_OPEN_CHUNKS ((size_t)4096)
#define BAG_LOOK_AHEAD  16

/* --- opening --------------------------------------------------------------------------------------------- */

static bool sniff_bag(const unsigned char *bytes, size_t size)
{
    return size >= BAG_MAGIC_SIZE && memcmp(bytes, BAG_MAGIC, sizeof BAG_MAGIC - 1) == 0;
}

static void close_bag(void *state)
{
    clump_io_bag *const bag = state;
    CLUMP_ASSERT(bag->open_count <= bag->opened_made);
    for (size_t i = 0; i < bag->opened_made; i++)
        clump_io_bag_release_opened(bag->opened_list[i]), free(bag->opened_list[i]);
    free(bag->opened_list);
    free(bag->connections);
    free(bag->chunks);
    free(bag->topic_pool);
    free(bag->topic_marks);
    clump_io_bytes_release(&bag->window);
    clump_io_bytes_release(&bag->packed);
    clump_io_unpacker_release(&bag->unpacker);
    free(bag);
}

static clump_status check_magic(clump_io_bag *bag)
{
    const unsigned char *bytes;
    size_t have;
    clump_status status;
    if (!clump_io_bag_look(bag, 0, BAG_MAGIC_SIZE, 4096, &bytes, &have, &status)) {
        CLUMP_IO_TRY(status);
        return clump_io_fail(&bag->blob->where, CLUMP_ERR_IO_TRUNCATED, "the bag ends in its first line");
    }
    if (memcmp(bytes, BAG_MAGIC_2, BAG_MAGIC_SIZE) == 0) return CLUMP_OK;
    if (memcmp(bytes, BAG_MAGIC, sizeof BAG_MAGIC - 1) != 0)
        return clump_io_fail(&bag->blob->where, CLUMP_ERR_IO_FORMAT, "it is not a bag");
    return clump_io_fail(&bag->blob->where, CLUMP_ERR_IO_UNSUPPORTED, "bags of version %.3s are not read, only 2.0",
                         clump_io_quote(bytes + sizeof BAG_MAGIC - 1, 3).text);
}

static int by_first_time(const void *a, const void *b)
{
    const clump_io_bag_chunk *const x = a, *const y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Fills the list of chunks, by the index or without. */
static clump_status list_chunks(clump_io_bag *bag)
{
    clump_io_bag_record header, first;
    clump_status status;
    uint64_t from = BAG_MAGIC_SIZE;
    bool indexed = false;
    const bool has_header = clump_io_bag_look_record(bag, from, 4096, &header, &status) &&
                            header.fields.op == BAG_OP_BAG_HEADER &&
                            header.data_at + header.data_size <= bag->blob->size;
    CLUMP_IO_TRY(status);
    if (has_header) {
        from = header.data_at + header.data_size;
        CLUMP_IO_TRY(clump_io_bag_read_index(bag, &header, &indexed));
        if (!indexed && header.fields.index_pos == 0) {
            bag->losses->truncated = true;
            clump_io_lose(bag->losses, NULL, 0, "the bag has no index: its recording was not finished");
        } else if (!indexed && header.fields.index_pos >= bag->blob->size) {
            bag->losses->truncated = true;
            clump_io_lose(bag->losses, NULL, 0, "the bag is cut: its index should be at byte %llu",
                          (unsigned long long)header.fields.index_pos);
        } else if (!indexed && (header.fields.chunk_count || header.fields.index_pos <= from)) {
            const uint64_t at = header.fields.index_pos > from ? header.fields.index_pos : bag->blob->size;
            clump_io_lose(bag->losses, &bag->losses->lost_bytes, bag->blob->size - at,
                          "the index of the bag is damaged");
        }
    }
    if (!indexed) {
        /* A false size of the header must not hide the first chunk. */
        const bool follows = clump_io_bag_look_record(bag, from, 4096, &first, &status);
        CLUMP_IO_TRY(status);
        CLUMP_IO_TRY(clump_io_bag_walk(bag, follows || !has_header ? from : header.data_at));
    }
    if (bag->chunk_count) qsort(bag->chunks, bag->chunk_count, sizeof *bag->chunks, by_first_time);
    return CLUMP_OK;
}

static clump_status open_bag(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state)
{
    clump_io_bag *const bag = calloc(1, sizeof *bag);
    *state = bag;
    if (!bag) return clump_io_no_memory(&blob->where, sizeof *bag);
    bag->blob = blob;
    bag->topics = topics;
    bag->losses = losses;
    bag->from = bag->last = INT64_MIN;
    clump_io_unpacker_bound(&bag->unpacker, blob->size);
    CLUMP_IO_TRY(check_magic(bag));
    CLUMP_IO_TRY(list_chunks(bag));
    bag->pass = 1;
    return CLUMP_OK;
}

/* --- the heap of open chunks ----------------------------------------------------------------------------- */

static bool is_due_before(const clump_io_bag_opened *a, const clump_io_bag_opened *b)
{
    CLUMP_ASSERT(a->next < a->count && b->next < b->count);
    const int64_t x = a->entries[a->next].time, y = b->entries[b->next].time;
    return x != y ? x < y : a->chunk->at < b->chunk->at;
}

static void sink_opened(clump_io_bag *bag, size_t root)
{
    CLUMP_ASSERT(root < bag->open_count);
    clump_io_bag_opened **const opened_list = bag->opened_list, *const moved = opened_list[root];
    for (size_t child; (child = 2 * root + 1) < bag->open_count; root = child) {
        if (child + 1 < bag->open_count && is_due_before(opened_list[child + 1], opened_list[child])) child++;
        if (!is_due_before(opened_list[child], moved)) break;
        opened_list[root] = opened_list[child];
    }
    opened_list[root] = moved;
}

/* Moves the opened chunk behind the heap into the heap. */
static void raise_opened(clump_io_bag *bag)
{
    CLUMP_ASSERT(bag->open_count < bag->opened_made);
    clump_io_bag_opened **const opened_list = bag->opened_list;
    size_t at = bag->open_count++;
    clump_io_bag_opened *const moved = opened_list[at];
    while (at && is_due_before(moved, opened_list[(at - 1) / 2]))
        opened_list[at] = opened_list[(at - 1) / 2], at = (at - 1) / 2;
    opened_list[at] = moved;
}

static void close_top(clump_io_bag *bag)
{
    clump_io_bag_opened *const top = bag->opened_list[0];
    CLUMP_ASSERT(bag->open_count >= 1 && bag->open_bytes >= top->size);
    if (!bag->from_index) top->chunk->delivered = true;
    bag->open_bytes -= top->size;
    bag->opened_list[0] = bag->opened_list[--bag->open_count];
    bag->opened_list[bag->open_count] = top;
    if (bag->open_count) sink_opened(bag, 0);
}

/* Provides memory for a chunk, behind the heap. Memory of closed chunks is used again, and kept up to a limit. */
static clump_status provide_opened(clump_io_bag *bag, clump_io_bag_opened **opened)
{
    CLUMP_IO_TRY(clump_io_list_reserve(&bag->blob->where, &bag->opened_list, &bag->opened_capacity, bag->open_count + 1,
                                       sizeof *bag->opened_list));
    if (bag->open_count == bag->opened_made) {
        bag->opened_list[bag->opened_made] = calloc(1, sizeof **opened);
        if (!bag->opened_list[bag->opened_made]) return clump_io_no_memory(&bag->blob->where, sizeof **opened);
        bag->opened_made++;
    }
    size_t kept = 0;
    for (size_t i = bag->open_count; i < bag->opened_made; i++) {
        kept += bag->opened_list[i]->plain.capacity;
        if (kept > BAG_OPEN_BYTES && i > bag->open_count) clump_io_bag_release_opened(bag->opened_list[i]);
    }
    *opened = bag->opened_list[bag->open_count];
    return CLUMP_OK;
}

/* --- messages -------------------------------------------------------------------------------------------- */

static bool is_wanted(const bool *wanted, size_t wanted_count, uint32_t topic)
{
    return !wanted || (topic < wanted_count && wanted[topic]);
}

static bool chunk_is_wanted(const clump_io_bag *bag, const clump_io_bag_chunk *chunk, const bool *wanted,
                            size_t wanted_count)
{
    if (chunk->messages == 0 || chunk->last < bag->from) return false;
    if (chunk->any_topic || !wanted) return true;
    for (uint32_t i = 0; i < chunk->topic_count; i++)
        if (is_wanted(wanted, wanted_count, bag->topic_pool[chunk->topics + i])) return true;
    return false;
}

/* Moves to the next entry that is wanted. False: there is none. */
static bool settle_opened(const clump_io_bag *bag, clump_io_bag_opened *opened, const bool *wanted, size_t wanted_count)
{
    while (opened->next < opened->count) {
        const clump_io_bag_entry *const entry = &opened->entries[opened->next];
        if (entry->time >= bag->from && is_wanted(wanted, wanted_count, entry->topic)) return true;
        opened->next++;
    }
    return false;
}

/* Whether the next chunk has to be opened before the top of the heap is delivered. */
static bool must_open(const clump_io_bag *bag)
{
    if (bag->cursor == bag->chunk_count) return false;
    if (!bag->open_count) return true;
    const clump_io_bag_opened *const top = bag->opened_list[0];
    const clump_io_bag_chunk *const chunk = &bag->chunks[bag->cursor];
    if (chunk->first > top->entries[top->next].time) return false;
    const size_t size = bag->from_index ? 0 : chunk->plain_size;
    return bag->open_count < BAG_OPEN_CHUNKS && bag->open_bytes + size <= BAG_OPEN_BYTES;
}

static clump_status open_next(clump_io_bag *bag, const bool *wanted, size_t wanted_count)
{
    CLUMP_ASSERT(bag->cursor < bag->chunk_count);
    clump_io_bag_chunk *const chunk = &bag->chunks[bag->cursor++];
    clump_io_bag_opened *opened = NULL;
    clump_status status = CLUMP_OK;
    if (!chunk_is_wanted(bag, chunk, wanted, wanted_count)) return CLUMP_OK;
    CLUMP_IO_TRY(provide_opened(bag, &opened));
    const bool indexed = bag->from_index && clump_io_bag_index_chunk(bag, chunk, opened, &status);
    CLUMP_IO_TRY(status);
    if (!indexed) CLUMP_IO_TRY(clump_io_bag_open_chunk(bag, chunk, opened));
    if (!settle_opened(bag, opened, wanted, wanted_count)) return CLUMP_OK;
    bag->open_bytes += opened->size;
    raise_opened(bag);
    return CLUMP_OK;
}

/* Brings the next message to the top of the heap. The heap is empty at the end. */
static clump_status advance(clump_io_bag *bag, const bool *wanted, size_t wanted_count)
{
    if (bag->delivered) {
        bag->delivered = false;
        bag->opened_list[0]->next++;
        if (settle_opened(bag, bag->opened_list[0], wanted, wanted_count))
            sink_opened(bag, 0);
        else
            close_top(bag);
    }
    while (must_open(bag)) CLUMP_IO_TRY(open_next(bag, wanted, wanted_count));
    return CLUMP_OK;
}

/* Whether the chunk is in memory of its own, and has no message that is wanted behind the next one. Only some messages are
 * looked at: chunks of many small messages need not save a copy. */
static bool is_last_wanted(const clump_io_bag_opened *opened, const bool *wanted, size_t wanted_count)
{
    if (opened->count - opened->next > BAG_LOOK_AHEAD || opened->bytes != opened->plain.data || !opened->bytes)
        return false;
    for (size_t i = opened->next + 1; i < opened->count; i++)
        if (is_wanted(wanted, wanted_count, opened->entries[i].topic)) return false;
    return true;
}

static clump_status next_message(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message,
                                 bool *more)
{
    clump_io_bag *const bag = state;
    *more = false;
    CLUMP_IO_TRY(advance(bag, wanted, wanted_count));
    if (!bag->open_count) return CLUMP_OK;
    clump_io_bag_opened *const top = bag->opened_list[0];
    const clump_io_bag_entry *const entry = &top->entries[top->next];
    if (entry->time < bag->last && !top->chunk->delivered)
        clump_io_lose(bag->losses, &bag->losses->reordered, 1,
                      "chunk at byte %llu: a message is older than the one before", (unsigned long long)top->chunk->at);
    bag->last = entry->time;
    bag->delivered = *more = true;
    *message = (clump_io_message){.topic = entry->topic,
                                  .received = entry->time,
                                  .bytes = top->bytes + entry->at,
                                  .size = entry->size,
                                  .memory = is_last_wanted(top, wanted, wanted_count) ? &top->plain : NULL};
    return CLUMP_OK;
}

static clump_status seek_time(void *state, int64_t time)
{
    clump_io_bag *const bag = state;
    bag->open_count = bag->open_bytes = bag->cursor = 0;
    bag->delivered = bag->from_index = false;
    bag->from = time;
    bag->last = INT64_MIN;
    bag->pass++;
    clump_io_unpacker_bound(&bag->unpacker, bag->blob->size);
    return CLUMP_OK;
}

static clump_status survey_messages(void *state, clump_io_seen *seen, void *user)
{
    clump_io_bag *const bag = state;
    CLUMP_IO_TRY(seek_time(bag, INT64_MIN));
    bag->from_index = true;
    for (;;) {
        CLUMP_IO_TRY(advance(bag, NULL, 0));
        if (!bag->open_count) break;
        const clump_io_bag_entry *const entry = &bag->opened_list[0]->entries[bag->opened_list[0]->next];
        CLUMP_IO_TRY(seen(user, entry->topic, entry->time));
        bag->delivered = true;
    }
    return seek_time(bag, INT64_MIN);
}

const clump_io_container clump_io_container_bag = {.format = CLUMP_RECORDING_BAG,
                                                   .name = "bag",
                                                   .sniff = sniff_bag,
                                                   .open = open_bag,
                                                   .next = next_message,
                                                   .seek = seek_time,
                                                   .survey = survey_messages,
                                                   .close = close_bag};
