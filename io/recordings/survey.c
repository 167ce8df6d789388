/* SPDX-License-Identifier: BSD-3-Clause
 *
 * survey.c: describes the topics of a recording: counts, times, gaps.
 *
 *     1. times of all messages, from the index where there is one
 *     2. frames of the topics of packets: only the decoder of the sensor knows where they end. One pass for all topics
 *
 * The number of passes does not depend on the number of topics: a small recording may have thousands.
 */
#include "format.h"
#include "common/assert.h"
#include "recordings/recording.h"

#include <stdlib.h>
#include <string.h>

/* Topics whose packets are decoded at the same time. A decoder has tables of up to 0.4 MB. */
enum { SURVEY_DECODERS = 256 };

/* Times of the messages of one topic. */
typedef struct survey_times {
    int64_t *list;
    size_t count, capacity;
} survey_times;

/* Frames of a topic of packets. */
typedef struct survey_packets {
    uint32_t topic;
    clump_io_reader reader;
    bool reading; /* false: it has failed, or is not open */
    survey_times times;
    uint64_t partial; /* of the frames */
} survey_packets;

typedef struct survey {
    clump_recording *recording;
    clump_io_parts *parts;
    survey_times *topics;
    size_t count; /* topics that have times */
    survey_packets *packets;
    clump_io_metadata *metadata; /* per topic of packets */
    size_t packets_count;
    uint16_t *packets_of; /* per topic: index of `packets` + 1; 0: none */
} survey;

static clump_status add_time(const clump_io_where *where, survey_times *times, int64_t time)
{
    CLUMP_IO_TRY(clump_io_list_reserve(where, &times->list, &times->capacity, times->count + 1, sizeof *times->list));
    CLUMP_ASSERT(times->count < times->capacity);
    times->list[times->count++] = time;
    return CLUMP_OK;
}

/* Makes the list of times as long as `count` topics. */
static clump_status reserve_topics(survey *s, size_t count)
{
    const clump_io_where where = {s->recording->name, &s->recording->why};
    if (count <= s->count) return CLUMP_OK;
    survey_times *const topics = realloc(s->topics, count * sizeof *topics);
    if (!topics) return clump_io_no_memory(&where, count * sizeof *topics);
    memset(topics + s->count, 0, (count - s->count) * sizeof *topics);
    s->topics = topics;
    s->count = count;
    return CLUMP_OK;
}

static clump_status see(void *user, uint32_t topic, int64_t received)
{
    survey *const s = user;
    const clump_io_where where = {s->recording->name, &s->recording->why};
    CLUMP_IO_TRY(reserve_topics(s, (size_t)topic + 1));
    return add_time(&where, &s->topics[topic], received);
}

/* --- statistics -------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Differences of hostile times may not fit. */
static int64_t difference(int64_t later, int64_t earlier)
{
    int64_t d;
    return __builtin_sub_overflow(later, earlier, &d) ? INT64_MAX : d;
}

static void describe_span(survey_times *times, clump_topic *topic)
{
    if (times->count == 0) return;
    qsort(times->list, times->count, sizeof *times->list, by_value);
    topic->first = times->list[0];
    topic->last = times->list[times->count - 1];
}

/* Overwrites the times by intervals. */
static void describe_intervals(survey_times *times, clump_topic *topic)
{
    if (times->count < 2) return;
    qsort(times->list, times->count, sizeof *times->list, by_value); /* those of frames are in no order */
    const size_t count = times->count - 1;
    for (size_t i = 0; i < count; i++) times->list[i] = difference(times->list[i + 1], times->list[i]);
    qsort(times->list, count, sizeof *times->list, by_value);
    topic->period = count % 2 ? times->list[count / 2]
                              : times->list[count / 2 - 1] + (times->list[count / 2] - times->list[count / 2 - 1]) / 2;
    for (size_t i = count; i > 0 && topic->period > 0; i--) {
        /* interval > 1.5 x period, without overflow */
        if (times->list[i - 1] - topic->period <= topic->period / 2) break;
        topic->gaps++;
    }
    if (topic->gaps) topic->longest_gap = times->list[count - 1];
}

/* --- frames of packets --------------------------------------------------------------------------------------- */

/* Lists the topics of packets, as many as can be decoded at the same time. */
static clump_status list_packets(survey *s)
{
    const clump_io_where where = {s->recording->name, &s->recording->why};
    const clump_io_topics *const topics = &s->parts->topics;
    s->packets = calloc(SURVEY_DECODERS, sizeof *s->packets);
    s->metadata = calloc(SURVEY_DECODERS, sizeof *s->metadata);
    s->packets_of = calloc(s->count ? s->count : 1, sizeof *s->packets_of);
    if (!s->packets || !s->metadata || !s->packets_of)
        return clump_io_no_memory(&where, SURVEY_DECODERS * (sizeof *s->packets + sizeof *s->metadata));
    for (size_t i = 0; i < s->count; i++) {
        if (!clump_io_topic_has_packets(&topics->list[i]) || s->topics[i].count == 0) continue;
        if (s->packets_count == SURVEY_DECODERS) {
            clump_io_lose(&s->recording->survey_losses, NULL, 0,
                          "topic %.60s: frames are counted for the first %d topics of packets", topics->list[i].name,
                          SURVEY_DECODERS);
            break;
        }
        CLUMP_ASSERT(s->packets_count < SURVEY_DECODERS);
        s->metadata[s->packets_count].topic = &topics->list[i];
        s->packets[s->packets_count++].topic = (uint32_t)i;
        s->packets_of[i] = (uint16_t)s->packets_count;
    }
    return CLUMP_OK;
}

/* Says why a topic has no more frames, after what has been lost. */
static void note_failure(survey *s, survey_packets *packets)
{
    packets->reading = false;
    clump_io_lose(&s->recording->survey_losses, NULL, 0, "topic %.60s: %.120s", packets->reader.topic.name,
                  s->recording->why.text);
}

static clump_status open_readers(survey *s)
{
    clump_recording *const recording = s->recording;
    const clump_io_where where = {recording->name, &recording->why};
    if (!recording->metadata_given) {
        const clump_status status = clump_io_find_metadata(recording, s->metadata, s->packets_count);
        if (status == CLUMP_ERR_OUT_OF_MEMORY) return status;
    }
    for (size_t i = 0; i < s->packets_count; i++) {
        survey_packets *const packets = &s->packets[i];
        clump_io_sensor_setup setup = recording->setup;
        setup.where.name = NULL; /* the note has no room for the path */
        setup.count_only = true;
        if (!recording->metadata_given) {
            setup.metadata = s->metadata[i].text;
            setup.metadata_size = s->metadata[i].size;
        }
        packets->reader = (clump_io_reader){.where = where, .topic = s->parts->topics.list[packets->topic]};
        CLUMP_IO_TRY(clump_io_reader_open(&packets->reader, &setup));
        packets->reading = true;
    }
    return CLUMP_OK;
}

/* Takes the frames that a message has completed, or the last frame. */
static clump_status take_frames(survey *s, survey_packets *packets, const clump_io_message *message, clump_frame *frame)
{
    const clump_io_where where = {s->recording->name, &s->recording->why};
    clump_io_reader *const reader = &packets->reader;
    bool ready = false;
    clump_status status =
        message ? clump_io_reader_give(reader, message) : clump_io_reader_finish(reader, frame, &ready);
    for (bool more = true; status == CLUMP_OK && more; more = message && ready) {
        if (message) status = clump_io_reader_take(reader, frame, &ready);
        if (status == CLUMP_OK && ready) status = add_time(&where, &packets->times, frame->received);
        packets->partial += status == CLUMP_OK && ready && frame->partial;
    }
    if (status == CLUMP_OK || status == CLUMP_ERR_OUT_OF_MEMORY) return status;
    note_failure(s, packets);
    return CLUMP_OK;
}

/* Reads the messages of all topics of packets. */
static clump_status read_packets(survey *s)
{
    clump_io_parts *const parts = s->parts;
    const clump_io_where where = {s->recording->name, &s->recording->why};
    clump_frame frame = {0};
    bool *const wanted = calloc(s->count ? s->count : 1, 1);
    if (!wanted) return clump_io_no_memory(&where, s->count);
    for (size_t i = 0; i < s->packets_count; i++) wanted[s->packets[i].topic] = true;
    clump_status status = clump_io_parts_want(parts, wanted, s->count);
    free(wanted);
    for (bool more = true; status == CLUMP_OK && more;) {
        clump_io_message message;
        status = clump_io_parts_next(parts, &message, &more);
        if (status != CLUMP_OK || !more || message.topic >= s->count || !s->packets_of[message.topic]) continue;
        survey_packets *const packets = &s->packets[s->packets_of[message.topic] - 1];
        if (packets->reading) status = take_frames(s, packets, &message, &frame);
    }
    if (status != CLUMP_OK && status != CLUMP_ERR_OUT_OF_MEMORY) {
        for (size_t i = 0; i < s->packets_count; i++) note_failure(s, &s->packets[i]);
        status = CLUMP_OK;
    }
    for (size_t i = 0; i < s->packets_count && status == CLUMP_OK; i++) {
        if (s->packets[i].reading) status = take_frames(s, &s->packets[i], NULL, &frame);
        clump_io_add_losses(&s->recording->survey_losses, &s->packets[i].reader.losses);
    }
    clump_frame_release(&frame);
    return status;
}

static clump_status survey_frames(survey *s)
{
    CLUMP_IO_TRY(list_packets(s));
    if (s->packets_count == 0) return CLUMP_OK;
    CLUMP_IO_TRY(open_readers(s));
    return read_packets(s);
}

/* --- topics ---------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const clump_topic *const x = a, *const y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->type, y->type);
}

/* Adds the strings of a topic. The type of a topic of a capture is the model of its sensor. */
static clump_status add_texts(survey *s, const clump_io_topic *topic, const survey_packets *packets, clump_topic *out)
{
    clump_recording *const recording = s->recording;
    const clump_io_where where = {recording->name, &recording->why};
    const clump_io_frames *const frames = packets ? packets->reader.frames : NULL;
    const char *const model = frames ? clump_io_frames_model(frames) : NULL;
    const char *const type = topic->coding == CLUMP_IO_CODING_UDP && model ? model : topic->type;
    uint32_t text;
    CLUMP_IO_TRY(clump_io_topics_add(&where, &recording->topic_texts, topic->name, strlen(topic->name), type,
                                     strlen(type), topic->coding, &text));
    out->name = recording->topic_texts.list[text].name; /* the strings stay where they are when the list grows */
    out->type = recording->topic_texts.list[text].type;
    return CLUMP_OK;
}

static clump_status describe_topic(survey *s, size_t index)
{
    CLUMP_ASSERT(index < s->count);
    const clump_io_topic topic = s->parts->topics.list[index];
    clump_recording *const recording = s->recording;
    survey_times *const times = &s->topics[index];
    survey_packets *const packets = s->packets_of[index] ? &s->packets[s->packets_of[index] - 1] : NULL;
    clump_topic *const out = &recording->topics[recording->topic_count];
    *out = (clump_topic){.has_clouds = clump_io_topic_has_clouds(&topic), .messages = times->count};
    describe_span(times, out);
    CLUMP_IO_TRY(add_texts(s, &topic, packets, out));
    if (packets || !clump_io_topic_has_packets(&topic)) { /* else the frames are not known */
        survey_times *const of_frames = packets ? &packets->times : times;
        if (out->has_clouds) out->frames = of_frames->count;
        if (out->has_clouds && packets) out->partial = packets->partial;
        describe_intervals(of_frames, out);
    }
    recording->topic_count++;
    return CLUMP_OK;
}

static clump_status describe_all(survey *s)
{
    clump_recording *const recording = s->recording;
    const clump_io_where where = {recording->name, &recording->why};
    recording->topics = calloc(s->count ? s->count : 1, sizeof *recording->topics);
    if (!recording->topics) return clump_io_no_memory(&where, s->count * sizeof *recording->topics);
    for (size_t i = 0; i < s->count; i++) CLUMP_IO_TRY(describe_topic(s, i));
    qsort(recording->topics, recording->topic_count, sizeof *recording->topics, by_name);
    return CLUMP_OK;
}

static void release(survey *s)
{
    for (size_t i = 0; i < s->count; i++) free(s->topics[i].list);
    for (size_t i = 0; i < s->packets_count; i++) {
        clump_io_reader_close(&s->packets[i].reader);
        free(s->packets[i].times.list);
    }
    clump_io_metadata_release(s->metadata, s->packets_count);
    free(s->topics);
    free(s->packets);
    free(s->metadata);
    free(s->packets_of);
}

clump_status clump_io_survey(clump_recording *recording)
{
    clump_io_parts parts;
    survey s = {.recording = recording, .parts = &parts};
    CLUMP_IO_TRY(clump_io_parts_open(&recording->sources, &recording->why, &parts));
    recording->survey_losses = (clump_io_losses){0};
    clump_status status = clump_io_parts_survey(&parts, see, &s);
    if (status == CLUMP_OK) status = reserve_topics(&s, parts.topics.count);
    if (status == CLUMP_OK) status = survey_frames(&s);
    if (status == CLUMP_OK) status = describe_all(&s);
    clump_io_losses losses = clump_io_parts_losses(&parts); /* its sentence comes first */
    clump_io_add_losses(&losses, &recording->survey_losses);
    recording->survey_losses = losses;
    release(&s);
    clump_io_parts_close(&parts);
    recording->surveyed = status == CLUMP_OK;
    if (status == CLUMP_OK) return CLUMP_OK;
    free(recording->topics);
    recording->topics = NULL;
    recording->topic_count = 0;
    clump_io_topics_release(&recording->topic_texts);
    return status;
}
