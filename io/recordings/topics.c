/* SPDX-License-Identifier: BSD-3-Clause
 *
 * topics.c: the list of topics that a container fills while it reads.
 */
#include "list.h"
#include "recordings/container.h"

#include <stdlib.h>
#include <string.h>

/* Topics of one recording. The list is searched from its beginning, so a hostile file must not make it long. Real
 * recordings have some hundred topics. */
#define TOPICS_MOST 4096

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

clump_status clump_io_topics_add(const clump_io_where *where, clump_io_topics *topics, const char *name,
                                 size_t name_size, const char *type, size_t type_size, clump_io_coding coding,
                                 uint32_t *index)
{
    if (name_size > TOPICS_LONGEST) name_size = TOPICS_LONGEST;
    if (type_size > TOPICS_LONGEST) type_size = TOPICS_LONGEST;
    for (size_t i = 0; i < topics->count; i++) {
        const clump_io_topic *const topic = &topics->list[i];
        if (topic->coding != coding || !is_text(topic->name, name, name_size)) continue;
        if (!is_text(topic->type, type, type_size)) continue;
        *index = (uint32_t)i;
        return CLUMP_OK;
    }
    if (topics->count == TOPICS_MOST)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "the recording has more than %d topics", TOPICS_MOST);
    CLUMP_IO_TRY(
        clump_io_list_reserve(where, &topics->list, &topics->capacity, topics->count + 1, sizeof *topics->list));
    clump_io_topic topic = {copy_text(name, name_size), copy_text(type, type_size), coding};
    if (!topic.name || !topic.type) {
        free(topic.name), free(topic.type);
        return clump_io_no_memory(where, name_size + type_size + 2);
    }
    *index = (uint32_t)topics->count;
    topics->list[topics->count++] = topic;
    return CLUMP_OK;
}

void clump_io_topics_release(clump_io_topics *topics)
{
    for (size_t i = 0; i < topics->count; i++) free(topics->list[i].name), free(topics->list[i].type);
    free(topics->list);
    *topics = (clump_io_topics){0};
}
