/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parts.c: the messages of a recording of one or several files. The files are read one after the other, in the order of
 * the list. Topics of equal name and type are one topic.
 *
 * A part that cannot be read counts as a damaged chunk, and the others are read.
 */
#include "format.h"
#include "common/assert.h"
#include "recordings/recording.h"

#include <stdlib.h>
#include <string.h>

void clump_io_add_losses(clump_io_losses *to, const clump_io_losses *more)
{
    to->damaged_chunks += more->damaged_chunks;
    to->damaged_messages += more->damaged_messages;
    to->damaged_packets += more->damaged_packets;
    to->lost_packets += more->lost_packets;
    to->reordered += more->reordered;
    to->lost_bytes += more->lost_bytes;
    to->truncated |= more->truncated;
    if (!to->first[0]) memcpy(to->first, more->first, sizeof to->first);
}

clump_io_losses clump_io_parts_losses(const clump_io_parts *parts)
{
    clump_io_losses losses = parts->past;
    if (parts->at < parts->count) clump_io_add_losses(&losses, &parts->list[parts->at].losses);
    return losses;
}

static clump_status fail(const clump_io_parts *parts, const clump_io_part *part, clump_status status)
{
    if (parts->why) *parts->why = part->why;
    return status;
}

/* --- opening and closing ------------------------------------------------------------------------ */

/* Gives the topics that the part has found since the last call their place among those of all parts. */
static clump_status take_topics(clump_io_parts *parts, clump_io_part *part)
{
    CLUMP_ASSERT(part->global_count <= part->topics.count);
    if (part->global_count == part->topics.count) return CLUMP_OK;
    CLUMP_IO_TRY(clump_io_list_reserve(&part->blob.where, &part->global, &part->global_capacity, part->topics.count,
                                       sizeof *part->global));
    for (; part->global_count < part->topics.count; part->global_count++) {
        const clump_io_topic *const topic = &part->topics.list[part->global_count];
        CLUMP_IO_TRY(clump_io_topics_add(&part->blob.where, &parts->topics, topic->name, strlen(topic->name),
                                         topic->type, strlen(topic->type), topic->coding,
                                         &part->global[part->global_count]));
    }
    return CLUMP_OK;
}

static void close_part(clump_io_part *part)
{
    if (part->state) part->container->close(part->state);
    part->state = NULL;
}

/* Counts a part that cannot be read, for the reason in its message. */
static void give_up(clump_io_part *part)
{
    close_part(part);
    part->losses.lost_bytes += part->blob.size;
    clump_io_lose(&part->losses, &part->losses.damaged_chunks, 1, "%.180s", part->why.text);
}

static clump_status open_part(clump_io_parts *parts, clump_io_part *part, const clump_io_source_file *source)
{
    part->why = source->why;
    part->blob = source->blob;
    part->blob.where.message = &part->why;
    part->container = source->container;
    if (!part->container) return source->status;
    clump_status status = part->container->open(&part->blob, &part->topics, &part->losses, &part->state);
    if (status == CLUMP_OK) status = take_topics(parts, part);
    return status;
}

clump_status clump_io_parts_open(const clump_io_sources *sources, clump_message *why, clump_io_parts *parts)
{
    *parts = (clump_io_parts){.from = INT64_MIN, .why = why};
    const clump_io_where where = {NULL, why};
    parts->list = calloc(sources->count ? sources->count : 1, sizeof *parts->list);
    if (!parts->list) return clump_io_no_memory(&where, sources->count * sizeof *parts->list);
    clump_status first = CLUMP_OK;
    size_t readable = 0;
    for (parts->count = 0; parts->count < sources->count; parts->count++) {
        clump_io_part *const part = &parts->list[parts->count];
        const clump_status status = open_part(parts, part, &sources->list[parts->count]);
        readable += status == CLUMP_OK;
        if (status == CLUMP_OK) continue;
        if (first == CLUMP_OK || status == CLUMP_ERR_OUT_OF_MEMORY) first = fail(parts, part, status);
        give_up(part);
        if (status == CLUMP_ERR_OUT_OF_MEMORY) readable = 0;
        if (status == CLUMP_ERR_OUT_OF_MEMORY) break;
    }
    if (readable == 0 && first != CLUMP_OK) {
        parts->count += parts->count < sources->count;
        clump_io_parts_close(parts);
        return first;
    }
    for (size_t i = 1; i < parts->count; i++) clump_io_add_losses(&parts->past, &parts->list[i].losses);
    return CLUMP_OK;
}

void clump_io_parts_close(clump_io_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        clump_io_part *const part = &parts->list[i];
        close_part(part);
        clump_io_topics_release(&part->topics);
        free(part->global);
        free(part->wanted);
    }
    free(parts->list);
    free(parts->wanted);
    clump_io_topics_release(&parts->topics);
    *parts = (clump_io_parts){0};
}

/* --- reading ---------------------------------------------------------------------------------------- */

static bool is_wanted(const clump_io_parts *parts, uint32_t topic)
{
    return !parts->wanted || (topic < parts->wanted_count && parts->wanted[topic]);
}

/* Sets the part's array of wanted topics. A part that may not know one of them yet gives the messages of all. */
static clump_status choose_in_part(const clump_io_parts *parts, clump_io_part *part)
{
    size_t missing = 0;
    for (size_t i = 0; i < parts->wanted_count; i++) missing += parts->wanted[i];
    part->wanted_count = part->global_count;
    CLUMP_IO_TRY(clump_io_list_reserve(&part->blob.where, &part->wanted, &part->wanted_capacity, part->wanted_count,
                                       sizeof *part->wanted));
    for (size_t i = 0; i < part->wanted_count; i++) {
        part->wanted[i] = is_wanted(parts, part->global[i]);
        CLUMP_ASSERT(missing >= part->wanted[i]);
        missing -= part->wanted[i];
    }
    part->everything = missing > 0 && !part->surveyed;
    return CLUMP_OK;
}

clump_status clump_io_parts_want(clump_io_parts *parts, const bool *wanted, size_t count)
{
    const clump_io_where where = {NULL, parts->why};
    bool *const copy = malloc(count ? count : 1);
    if (!copy) return clump_io_no_memory(&where, count);
    memcpy(copy, wanted, count);
    free(parts->wanted);
    parts->wanted = copy;
    parts->wanted_count = count;
    clump_io_parts_seek(parts, INT64_MIN);
    for (size_t i = 0; i < parts->count; i++) {
        const clump_status status = choose_in_part(parts, &parts->list[i]);
        if (status != CLUMP_OK) return fail(parts, &parts->list[i], status);
    }
    return CLUMP_OK;
}

clump_status clump_io_parts_want_one(clump_io_parts *parts, uint32_t topic)
{
    const clump_io_where where = {NULL, parts->why};
    bool *const wanted = calloc((size_t)topic + 1, 1);
    if (!wanted) return clump_io_no_memory(&where, (size_t)topic + 1);
    wanted[topic] = true;
    const clump_status status = clump_io_parts_want(parts, wanted, (size_t)topic + 1);
    free(wanted);
    return status;
}

/* Takes counts away that were added before. The sentence and `truncated` stay: they are those of the whole. */
static void take_losses_away(clump_io_losses *from, const clump_io_losses *less)
{
    CLUMP_ASSERT(from->damaged_chunks >= less->damaged_chunks && from->lost_bytes >= less->lost_bytes);
    from->damaged_chunks -= less->damaged_chunks;
    from->damaged_messages -= less->damaged_messages;
    from->damaged_packets -= less->damaged_packets;
    from->lost_packets -= less->lost_packets;
    from->reordered -= less->reordered;
    from->lost_bytes -= less->lost_bytes;
}

static void go_to_first_part(clump_io_parts *parts)
{
    parts->at = 0;
    parts->past = (clump_io_losses){0};
    for (size_t i = 1; i < parts->count; i++) clump_io_add_losses(&parts->past, &parts->list[i].losses);
}

/* Does not sum over all parts: a folder may have thousands. */
static void go_to_next_part(clump_io_parts *parts)
{
    CLUMP_ASSERT(parts->at < parts->count);
    clump_io_add_losses(&parts->past, &parts->list[parts->at].losses);
    if (++parts->at < parts->count) take_losses_away(&parts->past, &parts->list[parts->at].losses);
}

void clump_io_parts_seek(clump_io_parts *parts, int64_t time)
{
    parts->from = time;
    for (size_t i = 0; i < parts->count; i++) {
        const clump_io_container *const container = parts->list[i].container;
        parts->list[i].must_seek = container && !container->live;
    }
    go_to_first_part(parts);
}

/* Reads the next message of a part that is wanted. */
static clump_status next_in_part(clump_io_parts *parts, clump_io_part *part, clump_io_message *message, bool *more)
{
    CLUMP_ASSERT(part >= parts->list && part < parts->list + parts->count);
    *more = false;
    if (!part->state) return CLUMP_OK;
    if (part->must_seek) CLUMP_IO_TRY(part->container->seek(part->state, parts->from));
    part->must_seek = false;
    for (;;) {
        const bool *const wanted = !parts->wanted || part->everything ? NULL : part->wanted;
        message->memory = NULL; /* most containers leave these so */
        message->silence = false;
        CLUMP_IO_TRY(part->container->next(part->state, wanted, part->wanted_count, message, more));
        CLUMP_IO_TRY(take_topics(parts, part));
        if (!*more || message->silence || message->topic >= part->global_count) return CLUMP_OK;
        message->topic = part->global[message->topic];
        if (is_wanted(parts, message->topic)) return CLUMP_OK;
    }
}

clump_status clump_io_parts_next(clump_io_parts *parts, clump_io_message *message, bool *more)
{
    for (*more = false; parts->at < parts->count; go_to_next_part(parts)) {
        clump_io_part *const part = &parts->list[parts->at];
        const clump_status status = next_in_part(parts, part, message, more);
        if (status == CLUMP_OK && *more) return CLUMP_OK;
        if (status == CLUMP_OK) continue;
        if (status == CLUMP_ERR_OUT_OF_MEMORY || parts->count == 1) return fail(parts, part, status);
        give_up(part);
    }
    return CLUMP_OK;
}

/* --- surveying ---------------------------------------------------------------------------------------- */

typedef struct parts_survey {
    clump_io_parts *parts;
    clump_io_part *part;
    clump_io_seen *seen;
    void *user;
    bool seen_failed; /* and has written its message */
} parts_survey;

static clump_status pass_on(void *user, uint32_t topic, int64_t received)
{
    parts_survey *const s = user;
    CLUMP_IO_TRY(take_topics(s->parts, s->part));
    if (topic >= s->part->global_count) return CLUMP_OK;
    const clump_status status = s->seen(s->user, s->part->global[topic], received);
    s->seen_failed = status != CLUMP_OK;
    return status;
}

static clump_status survey_by_reading(parts_survey *s)
{
    clump_io_part *const part = s->part;
    CLUMP_IO_TRY(part->container->seek(part->state, INT64_MIN));
    for (;;) {
        clump_io_message message;
        bool more = false;
        CLUMP_IO_TRY(part->container->next(part->state, NULL, 0, &message, &more));
        if (!more) return CLUMP_OK;
        CLUMP_IO_TRY(pass_on(s, message.topic, message.received));
    }
}

clump_status clump_io_parts_survey(clump_io_parts *parts, clump_io_seen *seen, void *user)
{
    go_to_first_part(parts);
    for (; parts->at < parts->count; go_to_next_part(parts)) {
        clump_io_part *const part = &parts->list[parts->at];
        if (!part->state) continue;
        parts_survey s = {parts, part, seen, user, false};
        const clump_status status =
            part->container->survey ? part->container->survey(part->state, pass_on, &s) : survey_by_reading(&s);
        if (s.seen_failed) return status;
        if (status == CLUMP_ERR_OUT_OF_MEMORY) return fail(parts, part, status);
        if (status != CLUMP_OK) give_up(part);
        part->surveyed = true;
        const clump_status taken = take_topics(parts, part);
        if (taken != CLUMP_OK) return fail(parts, part, taken);
    }
    return CLUMP_OK;
}
