/* SPDX-License-Identifier: BSD-3-Clause
 *
 * survey.c: describes the topics of a recording: counts, times, gaps. Topics of packets are decoded once, since only the
 * decoder knows where frames end.
 */
#include "list.h"
#include "recordings/recording.h"

#include <stdlib.h>
#include <string.h>

/* Times of the messages of one topic. */
typedef struct survey_times {
    int64_t *list;
    size_t count, capacity;
} survey_times;

typedef struct survey {
    clump_recording *recording;
    survey_times *topics;
    size_t count; /* topics that have times */
} survey;

static clump_status add_time(const clump_io_where *where, survey_times *times, int64_t time)
{
    CLUMP_IO_TRY(clump_io_list_reserve(where, &times->list, &times->capacity, times->count + 1, sizeof *times->list));
    times->list[times->count++] = time;
    return CLUMP_OK;
}

static clump_status see(void *user, uint32_t topic, int64_t received)
{
    survey *const s = user;
    const clump_io_where where = {s->recording->name, &s->recording->why};
    if (topic >= s->count) {
        const size_t count = (size_t)topic + 1;
        survey_times *const topics = realloc(s->topics, count * sizeof *topics);
        if (!topics) return clump_io_no_memory(&where, count * sizeof *topics);
        memset(topics + s->count, 0, (count - s->count) * sizeof *topics);
        s->topics = topics;
        s->count = count;
    }
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

static clump_status pull_part(void *user, clump_io_message *message, bool *more)
{
    return clump_io_parts_next(user, message, more);
}

/* Reads all frames; their times replace those of the messages. */
static clump_status read_frames(clump_recording *recording, clump_io_reader *reader, survey_times *times)
{
    const clump_io_where where = {recording->name, &recording->why};
    clump_frame frame = {0};
    clump_status status = CLUMP_OK;
    times->count = 0;
    for (bool more = true; more && status == CLUMP_OK;) {
        status = clump_io_reader_next(reader, &frame, &more);
        if (status == CLUMP_OK && more) status = add_time(&where, times, frame.received);
    }
    clump_frame_release(&frame);
    return status;
}

/* The model is the type of a topic of a capture. */
static clump_status take_model(clump_recording *recording, const clump_io_reader *reader, uint32_t *text)
{
    const clump_io_where where = {recording->name, &recording->why};
    const char *const model = reader->frames ? clump_io_frames_model(reader->frames) : NULL;
    if (reader->topic.coding != CLUMP_IO_CODING_UDP || !model) return CLUMP_OK;
    return clump_io_topics_add(&where, &recording->topic_texts, reader->topic.name, strlen(reader->topic.name), model,
                               strlen(model), CLUMP_IO_CODING_UDP, text);
}

/* Says why a topic has no frames, after what has been lost. */
static void note_failure(clump_recording *recording, const clump_io_topic *topic)
{
    clump_io_lose(&recording->survey_losses, NULL, 0, "topic %.60s: %.120s", topic->name, recording->why.text);
}

/* Decodes the packets of a topic. Where that fails, for example without the JSON file of the sensor, there are no frames. */
static clump_status survey_packets(clump_recording *recording, clump_io_parts *parts, uint32_t index,
                                   survey_times *times, uint32_t *text)
{
    const clump_io_topic topic = parts->topics.list[index];
    const clump_io_where where = {recording->name, &recording->why};
    clump_io_sensor_setup setup = recording->setup;
    char *metadata = NULL;
    setup.where.name = NULL; /* the note has no room for the path */
    clump_io_reader reader = {.where = where, .pull = {pull_part, parts}, .topic = topic};
    clump_status status = clump_io_parts_want(parts, index);
    if (status == CLUMP_OK && !recording->metadata_given)
        status = clump_io_find_metadata(recording, &topic, &metadata, &setup.metadata_size);
    if (!recording->metadata_given) setup.metadata = metadata;
    if (status == CLUMP_OK) status = clump_io_reader_open(&reader, &setup);
    if (status == CLUMP_OK) {
        status = read_frames(recording, &reader, times);
        clump_io_add_losses(&recording->survey_losses, &reader.losses);
        if (status != CLUMP_OK && status != CLUMP_ERR_OUT_OF_MEMORY) note_failure(recording, &topic);
        if (status != CLUMP_ERR_OUT_OF_MEMORY) status = take_model(recording, &reader, text);
    }
    clump_io_reader_close(&reader);
    free(metadata);
    return status == CLUMP_ERR_OUT_OF_MEMORY ? status : CLUMP_OK;
}

/* --- topics ---------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const clump_topic *const x = a, *const y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->type, y->type);
}

static clump_status describe_topic(clump_recording *recording, clump_io_parts *parts, uint32_t index,
                                   survey_times *times)
{
    const clump_io_topic topic = parts->topics.list[index];
    const clump_io_where where = {recording->name, &recording->why};
    clump_topic *const out = &recording->topics[recording->topic_count];
    *out = (clump_topic){.has_clouds = clump_io_topic_has_clouds(&topic), .messages = times->count};
    describe_span(times, out);
    uint32_t text = 0;
    CLUMP_IO_TRY(clump_io_topics_add(&where, &recording->topic_texts, topic.name, strlen(topic.name), topic.type,
                                     strlen(topic.type), topic.coding, &text));
    if (clump_io_topic_has_packets(&topic) && times->count > 0)
        CLUMP_IO_TRY(survey_packets(recording, parts, index, times, &text));
    if (out->has_clouds) out->frames = times->count;
    describe_intervals(times, out);
    out->name = recording->topic_texts.list[text].name; /* the strings stay where they are when the list grows */
    out->type = recording->topic_texts.list[text].type;
    recording->topic_count++;
    return CLUMP_OK;
}

static clump_status describe_all(clump_recording *recording, clump_io_parts *parts, survey *s)
{
    const clump_io_where where = {recording->name, &recording->why};
    const size_t count = parts->topics.count;
    recording->topics = calloc(count ? count : 1, sizeof *recording->topics);
    if (!recording->topics) return clump_io_no_memory(&where, count * sizeof *recording->topics);
    for (size_t i = 0; i < count; i++) {
        survey_times none = {0};
        CLUMP_IO_TRY(describe_topic(recording, parts, (uint32_t)i, i < s->count ? &s->topics[i] : &none));
    }
    qsort(recording->topics, recording->topic_count, sizeof *recording->topics, by_name);
    return CLUMP_OK;
}

clump_status clump_io_survey(clump_recording *recording)
{
    survey s = {.recording = recording};
    clump_io_parts parts;
    CLUMP_IO_TRY(clump_io_parts_open(&recording->sources, &recording->why, &parts));
    clump_status status = clump_io_parts_survey(&parts, see, &s);
    recording->survey_losses = clump_io_parts_losses(&parts);
    if (status == CLUMP_OK) status = describe_all(recording, &parts, &s);
    clump_io_parts_close(&parts);
    for (size_t i = 0; i < s.count; i++) free(s.topics[i].list);
    free(s.topics);
    recording->surveyed = status == CLUMP_OK;
    if (status == CLUMP_OK) return CLUMP_OK;
    free(recording->topics);
    recording->topics = NULL;
    recording->topic_count = 0;
    clump_io_topics_release(&recording->topic_texts);
    return status;
}
