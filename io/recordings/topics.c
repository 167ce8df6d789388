/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topics.c: the list of topics that a container fills while it reads.
 */
#include "format.h"
#include "common/assert.h"
#include "containers/container.h"

#include <stdlib.h>
#include <string.h>

/* Topics of one recording. A hostile file must not make the list long. Real recordings have some hundred topics. */
#define TOPICS_MOST  4096
#define TOPICS_SLOTS 64 /* of the smallest table */

/* Characters of a name or a type. ROS limits neither; the longest in use have about 100. */
#define TOPICS_LONGEST 1024

static char printable(char c)
{
    return c >= 0x20 && c < 0x7f ? c : '?';
}

static bool is_text(const char *text, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] != printable(bytes[i])) return false; /* a final 0 is not printable, so text[i] exists */
    return text[size] == 0;
}

static char *copy_text(const char *bytes, size_t size)
{
    char *const text = malloc(size + 1);
    if (!text) return NULL;
    for (size_t i = 0; i < size; i++) text[i] = printable(bytes[i]);
    text[size] = 0;
    return text;
}

/* FNV-1a of what is_text() compares. */
static uint32_t hash_text(uint32_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)printable(bytes[i])) * UINT32_C(16777619);
    return (hash ^ 0xff) * UINT32_C(16777619); /* the end: no printable byte */
}

/* Makes room in the table for one topic more. */
static clump_status reserve_slot(const clump_io_where *where, clump_io_topics *topics)
{
    if (2 * (topics->count + 1) <= topics->slot_count) return CLUMP_OK;
    const size_t count = topics->slot_count ? 2 * topics->slot_count : TOPICS_SLOTS;
    clump_io_topic_slot *const slots = calloc(count, sizeof *slots);
    if (!slots) return clump_io_no_memory(where, count * sizeof *slots);
    for (size_t i = 0; i < topics->slot_count; i++) {
        if (!topics->slots[i].index_1) continue;
        size_t to = topics->slots[i].hash & (count - 1);
        while (slots[to].index_1) to = (to + 1) & (count - 1);
        slots[to] = topics->slots[i];
    }
    free(topics->slots);
    topics->slots = slots;
    topics->slot_count = count;
    return CLUMP_OK;
}

static clump_status append_topic(const clump_io_where *where, clump_io_topics *topics, const char *name,
                                 size_t name_size, const char *type, size_t type_size, clump_io_coding coding)
{
    if (topics->count == TOPICS_MOST)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "the recording has more than %d topics", TOPICS_MOST);
    CLUMP_IO_TRY(
        clump_io_list_reserve(where, &topics->list, &topics->capacity, topics->count + 1, sizeof *topics->list));
    clump_io_topic topic = {copy_text(name, name_size), copy_text(type, type_size), coding};
    if (!topic.name || !topic.type) {
        free(topic.name), free(topic.type);
        return clump_io_no_memory(where, name_size + type_size + 2);
    }
    CLUMP_ASSERT(topics->count < topics->capacity && topics->count < TOPICS_MOST);
    topics->list[topics->count++] = topic;
    return CLUMP_OK;
}

clump_status clump_io_topics_add(const clump_io_where *where, clump_io_topics *topics, const char *name,
                                 size_t name_size, const char *type, size_t type_size, clump_io_coding coding,
                                 uint32_t *index)
{
    if (name_size > TOPICS_LONGEST) name_size = TOPICS_LONGEST;
    if (type_size > TOPICS_LONGEST) type_size = TOPICS_LONGEST;
    CLUMP_IO_TRY(reserve_slot(where, topics));
    const uint32_t hash =
        hash_text(hash_text(UINT32_C(2166136261) + (uint32_t)coding, name, name_size), type, type_size);
    size_t at = hash & (topics->slot_count - 1);
    for (; topics->slots[at].index_1; at = (at + 1) & (topics->slot_count - 1)) {
        if (topics->slots[at].hash != hash) continue;
        const clump_io_topic *const topic = &topics->list[topics->slots[at].index_1 - 1];
        if (topic->coding != coding || !is_text(topic->name, name, name_size)) continue;
        if (!is_text(topic->type, type, type_size)) continue;
        *index = topics->slots[at].index_1 - 1;
        return CLUMP_OK;
    }
    CLUMP_IO_TRY(append_topic(where, topics, name, name_size, type, type_size, coding));
    *index = (uint32_t)topics->count - 1;
    topics->slots[at] = (clump_io_topic_slot){hash, (uint32_t)topics->count};
    return CLUMP_OK;
}

void clump_io_topics_release(clump_io_topics *topics)
{
    for (size_t i = 0; i < topics->count; i++) free(topics->list[i].name), free(topics->list[i].type);
    free(topics->list);
    free(topics->slots);
    *topics = (clump_io_topics){0};
}
