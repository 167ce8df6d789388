/* SPDX-License-Identifier: BSD-3-Clause
 *
 * look.c: a live recording has no list of topics. Its first messages are read, and kept, until a topic can be chosen.
 */
#include "recordings/recording.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_TIME INT64_C(100000000) /* nanoseconds of messages behind the first with clouds: a turn of most sensors */
#define LOOK_MOST ((size_t)32 << 20) /* bytes that are kept at most */

/* Packets that a sender has to have before it is a sensor. The slowest sensor sends them in 13 ms. Fewer may be a mistake or a
 * forgery, and do not stop a robot that starts by itself. */
enum { LOOK_PACKETS = 8 };

static bool is_known(const clump_io_topics *topics, const char *name)
{
    for (size_t i = 0; i < topics->count; i++)
        if (clump_io_topic_has_clouds(&topics->list[i]) && (!name || strcmp(name, topics->list[i].name) == 0))
            return true;
    return false;
}

/* Whether the kept messages of a topic are those of a source, not some packets that went astray. */
static bool is_source(const clump_io_look *look, const clump_io_topics *topics, size_t topic)
{
    const size_t least = topics->list[topic].coding == CLUMP_IO_CODING_UDP ? LOOK_PACKETS : 1;
    return topic < look->topic_capacity && look->of_topic[topic] >= least;
}

bool clump_io_look_sensor(const clump_io_look *look, const clump_io_topics *topics, uint32_t *index)
{
    size_t found = 0;
    for (size_t i = 0; i < topics->count; i++) {
        if (!clump_io_topic_has_clouds(&topics->list[i]) || !is_source(look, topics, i)) continue;
        *index = (uint32_t)i;
        found++;
    }
    return found == 1;
}

/* Counts a message of the topic. */
static clump_status count(const clump_io_where *where, clump_io_look *look, uint32_t topic)
{
    const size_t before = look->topic_capacity;
    CLUMP_IO_TRY(clump_io_list_reserve(where, &look->of_topic, &look->topic_capacity, (size_t)topic + 1,
                                       sizeof *look->of_topic));
    for (size_t i = before; i < look->topic_capacity; i++) look->of_topic[i] = 0;
    look->of_topic[topic]++;
    return CLUMP_OK;
}

static clump_status keep(const clump_io_where *where, clump_io_look *look, const clump_io_message *message)
{
    CLUMP_IO_TRY(count(where, look, message->topic));
    CLUMP_IO_TRY(clump_io_list_reserve(where, &look->list, &look->capacity, look->count + 1, sizeof *look->list));
    CLUMP_IO_TRY(clump_io_bytes_reserve(where, &look->bytes, look->bytes.size + message->size + 1));
    look->list[look->count++] = (clump_io_kept){message->topic, message->received, look->bytes.size, message->size};
    if (message->size) memcpy(look->bytes.data + look->bytes.size, message->bytes, message->size);
    look->bytes.size += message->size;
    return CLUMP_OK;
}

clump_status clump_io_look_ahead(const clump_io_where *where, clump_io_parts *parts, const char *name,
                                 clump_io_look *look)
{
    if (is_known(&parts->topics, name)) return CLUMP_OK; /* open() knew its topics */
    int64_t until = INT64_MAX;
    for (bool known = false;;) {
        clump_io_message message = {0};
        bool more;
        CLUMP_IO_TRY(clump_io_parts_next(parts, &message, &more));
        if (!more || (message.silence && known)) return CLUMP_OK;
        if (message.silence) continue;
        CLUMP_ASSERT(message.topic < parts->topics.count);
        /* Messages of other topics are never asked for. Packets before the first that is recognised make no frames. */
        if (clump_io_topic_has_clouds(&parts->topics.list[message.topic])) CLUMP_IO_TRY(keep(where, look, &message));
        known = known || (name ? is_known(&parts->topics, name) : is_source(look, &parts->topics, message.topic));
        if (known && until == INT64_MAX && message.received < INT64_MAX - LOOK_TIME)
            until = message.received + LOOK_TIME;
        if (known && (message.received >= until || look->bytes.size >= LOOK_MOST)) return CLUMP_OK;
        if (!known && look->bytes.size >= LOOK_MOST) look->count = look->bytes.size = 0; /* of other senders */
    }
}

void clump_io_look_take(clump_io_look *look, uint32_t topic, clump_io_message *message, bool *more)
{
    *more = false;
    for (; look->taken < look->count && !*more; look->taken++) {
        const clump_io_kept *const kept = &look->list[look->taken];
        *more = kept->topic == topic;
        if (*more)
            *message = (clump_io_message){
                .topic = topic, .received = kept->received, .bytes = look->bytes.data + kept->at, .size = kept->size};
    }
    if (!*more && look->list) clump_io_look_release(look);
}

void clump_io_look_release(clump_io_look *look)
{
    free(look->list);
    free(look->of_topic);
    clump_io_bytes_release(&look->bytes);
    *look = (clump_io_look){0};
}
