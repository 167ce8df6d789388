/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcap.c: the container MCAP. Messages come by ascending time, also where chunks overlap.
 *
 * Parts are taken in the order of their start. A heap holds the parts that are open, by the time of their next message. A
 * part is opened before the heap passes its start. So the order is right if the starts of the parts are. Memory is limited:
 * beyond MCAP_OPEN_BYTES no further part is opened, and the order may suffer.
 */
#include "format.h"
#include "common/assert.h"
#include "containers/mcap.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t MCAP_OPEN_BYTES = (uint64_t)256 << 20;
enum { MCAP_OPEN_MOST = 1024 };
enum { MCAP_LOOK_AHEAD = 16, MCAP_PACKED = 16 /* bytes that show whether the file is compressed */ };

static bool mcap_sniff(const unsigned char *bytes, size_t size)
{
    return size >= MCAP_MAGIC && memcmp(bytes, clump_io_mcap_magic, MCAP_MAGIC) == 0;
}

/* --- open parts ------------------------------------------------------------------------------------------- */

static const clump_io_mcap_entry *first_entry(const clump_io_mcap_slot *slot)
{
    return &slot->entries[slot->next];
}

/* Parts are sorted by offset, so the smaller index is the earlier in the file. */
static bool slot_before(const clump_io_mcap_slot *a, const clump_io_mcap_slot *b)
{
    const int64_t s = first_entry(a)->time, t = first_entry(b)->time;
    return s != t ? s < t : a->part < b->part;
}

static void sift_down(clump_io_mcap *mcap)
{
    clump_io_mcap_slot **const heap = mcap->open, *const moved = heap[0];
    size_t root = 0;
    for (size_t child; (child = 2 * root + 1) < mcap->open_count; root = child) {
        if (child + 1 < mcap->open_count && slot_before(heap[child + 1], heap[child])) child++;
        if (!slot_before(heap[child], moved)) break;
        heap[root] = heap[child];
    }
    heap[root] = moved;
}

static void sift_up(clump_io_mcap *mcap)
{
    size_t at = mcap->open_count - 1;
    clump_io_mcap_slot **const heap = mcap->open, *const moved = heap[at];
    for (; at > 0 && slot_before(moved, heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = moved;
}

/* Puts a slot away. Its memory is used again, unless all slots together have too much. */
static void put_away(clump_io_mcap *mcap, clump_io_mcap_slot *slot)
{
    uint64_t others = 0;
    for (size_t i = 0; i < mcap->open_count; i++) others += mcap->open[i] == slot ? 0 : mcap->open[i]->memory.capacity;
    for (size_t i = 0; i < mcap->idle_count; i++) others += mcap->idle[i]->memory.capacity;
    if (others && others + slot->memory.capacity > MCAP_OPEN_BYTES) clump_io_bytes_release(&slot->memory);
    CLUMP_ASSERT(mcap->open_count + mcap->idle_count <= mcap->open_capacity);
    mcap->idle[mcap->idle_count++] = slot;
}

/* Moves the first slot behind its message, and puts it away after its last one. */
static void pass_message(clump_io_mcap *mcap)
{
    clump_io_mcap_slot *const slot = mcap->open[0];
    if (++slot->next == slot->count) {
        mcap->open_bytes -= slot->size;
        put_away(mcap, slot);
        mcap->open[0] = mcap->open[--mcap->open_count];
    }
    if (mcap->open_count) sift_down(mcap);
}

/* Makes sure that there is an idle slot, and room for it in the heap. */
static clump_status need_slot(clump_io_mcap *mcap)
{
    if (mcap->idle_count) return CLUMP_OK;
    size_t capacity = mcap->open_capacity, idle_capacity = capacity;
    CLUMP_IO_TRY(
        clump_io_list_reserve(&mcap->blob->where, &mcap->open, &capacity, mcap->open_count + 1, sizeof *mcap->open));
    CLUMP_IO_TRY(clump_io_list_reserve(&mcap->blob->where, &mcap->idle, &idle_capacity, capacity, sizeof *mcap->idle));
    mcap->open_capacity = capacity;
    clump_io_mcap_slot *const slot = calloc(1, sizeof *slot);
    if (!slot) return clump_io_no_memory(&mcap->blob->where, sizeof *slot);
    CLUMP_ASSERT(mcap->open_count + mcap->idle_count <= mcap->open_capacity);
    mcap->idle[mcap->idle_count++] = slot;
    return CLUMP_OK;
}

/* Whether a part can hold a message that is wanted. */
static bool is_wanted(const clump_io_mcap *mcap, const clump_io_mcap_part *part, const bool *wanted, size_t count)
{
    if (part->end != 0 && part->start <= part->end && part->end < mcap->from) return false;
    if (!wanted || !part->listed || !part->channels) return true;
    for (size_t i = 0; i < part->channels; i++) {
        const uint32_t channel = clump_io_mcap_channel(mcap, mcap->ids[part->channels_from + i]);
        if (!channel || (channel <= count && wanted[channel - 1])) return true;
    }
    return false;
}

static clump_status open_part(clump_io_mcap *mcap, size_t part)
{
    CLUMP_ASSERT(part < mcap->part_count);
    CLUMP_IO_TRY(need_slot(mcap));
    clump_io_mcap_slot *const slot = mcap->idle[mcap->idle_count - 1];
    CLUMP_IO_TRY(clump_io_mcap_load(mcap, part, slot));
    while (slot->next < slot->count && first_entry(slot)->time < mcap->from) slot->next++;
    if (slot->next == slot->count) return CLUMP_OK;
    mcap->idle_count--;
    CLUMP_ASSERT(mcap->open_count < mcap->open_capacity);
    mcap->open[mcap->open_count++] = slot;
    mcap->open_bytes += slot->size;
    sift_up(mcap);
    return CLUMP_OK;
}

/* Opens the parts that may hold the next message. */
static clump_status open_parts(clump_io_mcap *mcap, const bool *wanted, size_t wanted_count)
{
    while (mcap->order_next < mcap->part_count) {
        const size_t part = mcap->order[mcap->order_next];
        if (mcap->open_count) {
            if (mcap->parts[part].start > first_entry(mcap->open[0])->time) return CLUMP_OK;
            if (mcap->open_count >= MCAP_OPEN_MOST || mcap->open_bytes >= MCAP_OPEN_BYTES) return CLUMP_OK;
        }
        mcap->order_next++; /* first: a part that fails is not tried again */
        if (is_wanted(mcap, &mcap->parts[part], wanted, wanted_count)) CLUMP_IO_TRY(open_part(mcap, part));
    }
    return CLUMP_OK;
}

/* Whether the slot has its records in its own memory, and none that is wanted behind the next one. Only some records are
 * looked at: parts of many small messages need not save a copy. */
static bool is_last_wanted(const clump_io_mcap_slot *slot, const bool *wanted, size_t wanted_count)
{
    if (slot->count - slot->next > MCAP_LOOK_AHEAD || !wanted || !slot->memory.data) return false;
    if (slot->records < slot->memory.data || slot->records >= slot->memory.data + slot->memory.capacity) return false;
    for (size_t i = slot->next + 1; i < slot->count; i++)
        if (slot->entries[i].topic < wanted_count && wanted[slot->entries[i].topic]) return false;
    return true;
}

/* Counts a compressed message that is damaged, once. */
static void lose_message(clump_io_mcap *mcap, const clump_io_mcap_slot *slot, const clump_io_mcap_entry *entry)
{
    const bool full = mcap->unpacker.spent > mcap->unpacker.most;
    bool known = mcap->counted_1 && entry->time <= mcap->counted_time;
    if (known && entry->time == mcap->counted_time)
        known =
            slot->part < mcap->counted_part || (slot->part == mcap->counted_part && entry->offset < mcap->counted_1);
    if (known) return;
    mcap->counted_time = entry->time;
    mcap->counted_part = slot->part;
    mcap->counted_1 = (uint64_t)entry->offset + 1;
    if (full) clump_io_forget_first(mcap->losses);
    clump_io_lose(mcap->losses, &mcap->losses->damaged_messages, 1, "chunk at byte %llu: a compressed message: %s",
                  (unsigned long long)mcap->parts[slot->part].offset,
                  full ? CLUMP_IO_TOO_MUCH : "its data are damaged");
}

static clump_status mcap_next(void *state, const bool *wanted, size_t wanted_count, clump_io_message *message,
                              bool *more)
{
    clump_io_mcap *const mcap = state;
    *more = false;
    for (;;) {
        if (mcap->passed) pass_message(mcap);
        mcap->passed = false;
        CLUMP_IO_TRY(open_parts(mcap, wanted, wanted_count));
        if (!mcap->open_count) return CLUMP_OK;
        mcap->passed = true;
        clump_io_mcap_slot *const slot = mcap->open[0];
        const clump_io_mcap_entry *const entry = first_entry(slot);
        if (wanted && (entry->topic >= wanted_count || !wanted[entry->topic])) continue;
        const unsigned char *const record = slot->records + entry->offset;
        message->topic = entry->topic;
        message->received = entry->time;
        message->bytes = record + MCAP_HEAD + MCAP_MESSAGE_HEAD;
        message->size = (size_t)clump_io_u64(record + 1) - MCAP_MESSAGE_HEAD;
        message->memory = is_last_wanted(slot, wanted, wanted_count) ? &slot->memory : NULL;
        bool good;
        CLUMP_IO_TRY(clump_io_unpack_message(mcap->blob, &mcap->unpacker, mcap->topics->list[entry->topic].coding,
                                             &mcap->plain, message, &good));
        if (!good) lose_message(mcap, slot, entry);
        if (!good) continue;
        *more = true;
        return CLUMP_OK;
    }
}

static clump_status mcap_seek(void *state, int64_t time)
{
    clump_io_mcap *const mcap = state;
    while (mcap->open_count) put_away(mcap, mcap->open[--mcap->open_count]);
    mcap->open_bytes = 0;
    mcap->order_next = 0;
    mcap->from = time;
    mcap->passed = false;
    clump_io_unpacker_bound(&mcap->unpacker, mcap->file_size);
    return CLUMP_OK;
}

static clump_status mcap_survey(void *state, clump_io_seen *seen, void *user)
{
    clump_io_mcap *const mcap = state;
    CLUMP_IO_TRY(mcap_seek(mcap, INT64_MIN));
    CLUMP_IO_TRY(need_slot(mcap));
    clump_io_mcap_slot *const slot = mcap->idle[mcap->idle_count - 1];
    for (size_t part = 0; part < mcap->part_count; part++) {
        bool good;
        CLUMP_IO_TRY(clump_io_mcap_load_index(mcap, part, slot, &good));
        if (!good) CLUMP_IO_TRY(clump_io_mcap_load(mcap, part, slot));
        CLUMP_IO_TRY(clump_io_mcap_sort(mcap, slot, false));
        for (size_t i = 0; i < slot->count; i++)
            CLUMP_IO_TRY(seen(user, slot->entries[i].topic, slot->entries[i].time));
    }
    return CLUMP_OK;
}

/* --- opening ------------------------------------------------------------------------------------------------ */

/* Whether a chunk has to be read to know its topics. */
static bool has_new_channel(const clump_io_mcap *mcap, const clump_io_mcap_part *part)
{
    for (size_t i = 0; i < part->channels; i++)
        if (!clump_io_mcap_channel(mcap, mcap->ids[part->channels_from + i])) return true;
    return !part->loose && part->channels == 0;
}

/* Defines the channels that no summary defines. */
static clump_status find_channels(clump_io_mcap *mcap)
{
    CLUMP_IO_TRY(need_slot(mcap));
    clump_io_mcap_slot *const slot = mcap->idle[mcap->idle_count - 1];
    for (size_t part = 0; part < mcap->part_count; part++)
        if (has_new_channel(mcap, &mcap->parts[part])) CLUMP_IO_TRY(clump_io_mcap_load(mcap, part, slot));
    /* A recording that is surveyed is open twice, and only one of the two needs the memory at a time. */
    if (slot->memory.capacity > MCAP_OPEN_BYTES) clump_io_bytes_release(&slot->memory);
    return CLUMP_OK;
}

typedef struct mcap_start {
    int64_t start;
    size_t part;
} mcap_start;

static int by_start(const void *a, const void *b)
{
    const mcap_start *const p = a, *const q = b;
    if (p->start != q->start) return p->start < q->start ? -1 : 1;
    return (p->part > q->part) - (p->part < q->part);
}

static clump_status sort_by_start(clump_io_mcap *mcap)
{
    if (mcap->part_count == 0) return CLUMP_OK;
    mcap->order = malloc(mcap->part_count * sizeof *mcap->order);
    mcap_start *const starts = malloc(mcap->part_count * sizeof *starts);
    if (!mcap->order || !starts) {
        free(starts);
        return clump_io_no_memory(&mcap->blob->where, mcap->part_count * sizeof *starts);
    }
    for (size_t i = 0; i < mcap->part_count; i++) starts[i] = (mcap_start){mcap->parts[i].start, i};
    qsort(starts, mcap->part_count, sizeof *starts, by_start);
    for (size_t i = 0; i < mcap->part_count; i++) mcap->order[i] = starts[i].part;
    free(starts);
    return CLUMP_OK;
}

/* A whole file that rosbag2 has compressed, .mcap.zstd: it is decompressed into memory. */
static clump_status open_packed(clump_io_mcap *mcap)
{
    CLUMP_IO_TRY(clump_io_unpack_file(mcap->blob, &mcap->unpacker, mcap->losses, &mcap->image));
    mcap->unpacked = *mcap->blob;
    mcap->unpacked.memory = mcap->image.data;
    mcap->unpacked.size = mcap->image.size;
    mcap->blob = mcap->window.blob = &mcap->unpacked;
    return CLUMP_OK;
}

static clump_status mcap_open(const clump_io_blob *blob, clump_io_topics *topics, clump_io_losses *losses, void **state)
{
    *state = NULL;
    clump_io_mcap *const mcap = calloc(1, sizeof *mcap);
    if (!mcap) return clump_io_no_memory(&blob->where, sizeof *mcap);
    *state = mcap;
    mcap->blob = mcap->window.blob = blob;
    mcap->topics = topics;
    mcap->losses = losses;
    mcap->from = INT64_MIN;
    mcap->file_size = blob->size;
    const unsigned char *at;
    if (blob->size < MCAP_MAGIC) return CLUMP_IO_TRUNCATED(blob, "the file is too short for MCAP");
    if (blob->size >= MCAP_PACKED) {
        CLUMP_IO_TRY(clump_io_blob_at(blob, 0, MCAP_PACKED, &mcap->packed, &at));
        if (clump_io_is_packed(at, MCAP_PACKED)) CLUMP_IO_TRY(open_packed(mcap));
    }
    if (mcap->blob->size < MCAP_MAGIC) return CLUMP_IO_TRUNCATED(blob, "the file is too short for MCAP");
    clump_io_unpacker_bound(&mcap->unpacker, mcap->file_size);
    CLUMP_IO_TRY(clump_io_blob_at(mcap->blob, 0, MCAP_MAGIC, &mcap->packed, &at));
    if (!mcap_sniff(at, MCAP_MAGIC)) return CLUMP_IO_DAMAGED(blob, "the file does not begin as MCAP does");
    uint64_t end;
    CLUMP_IO_TRY(clump_io_mcap_summary(mcap, &end));
    CLUMP_IO_TRY(clump_io_mcap_walk(mcap, end));
    CLUMP_IO_TRY(find_channels(mcap));
    return sort_by_start(mcap);
}

static void release_slots(clump_io_mcap_slot **slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        clump_io_bytes_release(&slots[i]->memory);
        free(slots[i]->entries);
        free(slots[i]->spare);
        free(slots[i]);
    }
    free(slots);
}

static void mcap_close(void *state)
{
    clump_io_mcap *const mcap = state;
    release_slots(mcap->open, mcap->open_count);
    release_slots(mcap->idle, mcap->idle_count);
    clump_io_window_release(&mcap->window);
    clump_io_unpacker_release(&mcap->unpacker);
    clump_io_bytes_release(&mcap->packed);
    clump_io_bytes_release(&mcap->text);
    clump_io_bytes_release(&mcap->image);
    clump_io_bytes_release(&mcap->plain);
    free(mcap->parts);
    free(mcap->ids);
    free(mcap->schemas);
    free(mcap->channels);
    free(mcap->order);
    free(mcap);
}

const clump_io_container clump_io_container_mcap = {
    .format = CLUMP_RECORDING_MCAP,
    .name = "mcap",
    .sniff = mcap_sniff,
    .open = mcap_open,
    .next = mcap_next,
    .seek = mcap_seek,
    .survey = mcap_survey,
    .close = mcap_close,
};
