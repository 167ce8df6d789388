/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recorder.c: the public calls of an open recorder: topics, messages into chunks, closing.
 *
 * The first failure of writing or of memory is kept: the file can no longer be complete, so every later call repeats
 * it, and clump_recorder_close() leaves nothing. A wrong argument is no such failure.
 */
#include "format.h"
#include "common/assert.h"
#include "messages/write.h"
#include "recorder/recorder.h"

#include <stdlib.h>

/* --- failures --------------------------------------------------------------------------------------------- */

/* Returns the first failure of an encoder or of the sink, and keeps it. */
static clump_status check_failures(clump_recorder *recorder)
{
    if (recorder->status != CLUMP_OK) return recorder->status;
    const clump_io_where where = {recorder->name, &recorder->failure};
    size_t memory = recorder->chunk.failed | recorder->record.failed | recorder->chunks.failed;
    for (uint32_t i = 0; i < recorder->channel_count; i++) memory |= recorder->channels[i].index.failed;
    if (memory)
        recorder->status = clump_io_no_memory(&where, memory);
    else if (recorder->sink.error)
        recorder->status = clump_io_fail_errno(&where, CLUMP_ERR_IO_WRITE, "cannot write", recorder->sink.error);
    return recorder->status;
}

static clump_status repeat_failure(const clump_recorder *recorder, clump_message *message)
{
    if (message) *message = recorder->failure;
    return recorder->status;
}

/* --- chunks and channels ---------------------------------------------------------------------------------- */

/* Writes the chunk, if it has messages, and begins a new one. */
static clump_status flush_chunk(clump_recorder *recorder)
{
    CLUMP_ASSERT(recorder->chunk_messages <= recorder->messages);
    if (recorder->chunk_messages == 0 || check_failures(recorder) != CLUMP_OK) return recorder->status;
    const clump_io_where where = {recorder->name, &recorder->failure};
    recorder->status = recorder->format->write_chunk(recorder, &where);
    recorder->chunk_count++;
    recorder->chunk_messages = 0;
    recorder->chunk.size = 0;
    for (uint32_t i = 0; i < recorder->channel_count; i++)
        recorder->channels[i].in_chunk = 0, recorder->channels[i].index.size = 0;
    return check_failures(recorder);
}

/* Finds the channel of a topic; *channel is null if it is new. */
static clump_status find_channel(const clump_io_where *where, clump_recorder *recorder, const char *topic,
                                 const clump_io_definition *definition, clump_io_channel **channel)
{
    *channel = NULL;
    for (uint32_t i = 0; i < recorder->channel_count; i++)
        if (strcmp(recorder->channels[i].topic, topic) == 0) *channel = &recorder->channels[i];
    if (*channel && (*channel)->definition != definition)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "topic %s already holds %s",
                             clump_io_quote(topic, strlen(topic)).text, (*channel)->definition->type);
    if (!*channel && recorder->channel_count == recorder->format->most_channels)
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "more than %u topics", recorder->channel_count);
    return CLUMP_OK;
}

static clump_status add_channel(clump_recorder *recorder, const char *topic, const clump_io_definition *definition,
                                clump_io_channel **channel)
{
    const clump_io_where where = {recorder->name, &recorder->failure};
    recorder->status = clump_io_list_reserve(&where, &recorder->channels, &recorder->channel_capacity,
                                             recorder->channel_count + 1, sizeof *recorder->channels);
    if (recorder->status != CLUMP_OK) return recorder->status;
    CLUMP_ASSERT(recorder->channel_count < recorder->channel_capacity);
    char *const own = strdup(topic);
    if (!own) return recorder->status = clump_io_no_memory(&where, strlen(topic) + 1);
    *channel = &recorder->channels[recorder->channel_count];
    **channel = (clump_io_channel){
        .topic = own, .definition = definition, .id = recorder->format->first_id + recorder->channel_count};
    recorder->channel_count++;
    recorder->format->announce(recorder, *channel);
    return CLUMP_OK;
}

/* --- messages --------------------------------------------------------------------------------------------- */

/* What a message is made of. */
typedef struct recorder_message {
    clump_io_written type;
    const clump_frame *frame;
    clump_io_points points;            /* of a cloud */
    const clump_recorder_boxes *boxes; /* of markers and detections */
    clump_io_transform transform;
} recorder_message;

/* Returns a bound of the bytes of the message. */
static size_t message_bound(const recorder_message *message)
{
    if (message->type == CLUMP_IO_WRITTEN_POINTS) return clump_io_points_bound(&message->points);
    if (message->type == CLUMP_IO_WRITTEN_TRANSFORM)
        return CLUMP_IO_TRANSFORM_BOUND + strlen(message->transform.parent);
    CLUMP_ASSERT(message->boxes->count >= 0);
    const size_t per_box =
        message->type == CLUMP_IO_WRITTEN_MARKERS ? CLUMP_IO_MARKERS_PER_BOX : CLUMP_IO_DETECTIONS_PER_BOX;
    return CLUMP_IO_BOXES_HEAD + (size_t)message->boxes->count * per_box;
}

static void encode_message(clump_recorder *recorder, const recorder_message *message, uint32_t sequence)
{
    const clump_frame *const frame = message->frame;
    const clump_io_message_head head = {sequence, frame->stamp, frame->frame_id};
    clump_io_encoder *const to = &recorder->chunk;
    clump_io_encoder_begin(to, recorder->format->ros2);
    if (message->type == CLUMP_IO_WRITTEN_POINTS)
        clump_io_points_encode(to, &head, &message->points);
    else if (message->type == CLUMP_IO_WRITTEN_MARKERS)
        clump_io_markers_encode(to, &head, message->boxes, frame->cloud);
    else if (message->type == CLUMP_IO_WRITTEN_TRANSFORM)
        clump_io_transform_encode(to, &head, &message->transform);
    else
        clump_io_detections_encode(to, &head, message->boxes, frame->cloud);
    clump_io_encoder_end(to);
}

static void count_message(clump_recorder *recorder, clump_io_channel *channel, uint64_t time)
{
    if (recorder->chunk_messages == 0) recorder->chunk_first = recorder->chunk_last = time;
    if (recorder->messages == 0) recorder->first = recorder->last = time;
    if (time < recorder->chunk_first) recorder->chunk_first = time;
    if (time > recorder->chunk_last) recorder->chunk_last = time;
    if (time < recorder->first) recorder->first = time;
    if (time > recorder->last) recorder->last = time;
    channel->messages++;
    channel->in_chunk++;
    recorder->chunk_messages++;
    recorder->messages++;
    CLUMP_ASSERT(channel->in_chunk <= channel->messages && channel->in_chunk <= recorder->chunk_messages);
}

/* Appends a message to the chunk. The recorder has not failed before. */
static clump_status append_message(clump_recorder *recorder, const char *topic, const recorder_message *message,
                                   const clump_io_where *where)
{
    enum { RECORD = 16384 }; /* more than the records besides the message take: definitions, heads */
    clump_io_channel *channel;
    const clump_io_definition *const definition = clump_io_definition_of(message->type, recorder->format->ros2);
    CLUMP_IO_TRY(find_channel(where, recorder, topic, definition, &channel));
    const size_t most = CLUMP_IO_RECORDER_MAX_CHUNK - RECORD - strlen(topic);
    const size_t bound = message_bound(message);
    if (bound > most)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "a message of topic %s is larger than %zu bytes",
                             clump_io_quote(topic, strlen(topic)).text, most);
    if (recorder->chunk.size > most - bound && flush_chunk(recorder) != CLUMP_OK) return recorder->status;
    clump_io_encoder_reserve(&recorder->chunk, bound);
    if (!channel && add_channel(recorder, topic, definition, &channel) != CLUMP_OK) return recorder->status;

    const clump_frame *const frame = message->frame;
    const int64_t received = frame->received ? frame->received : frame->stamp;
    const clump_io_recorded recorded = {.sequence = (uint32_t)channel->messages,
                                        .received = received > 0 ? (uint64_t)received : 0,
                                        .stamp = frame->stamp > 0 ? (uint64_t)frame->stamp : 0};
    const size_t begun = recorder->format->begin_message(recorder, channel, &recorded);
    encode_message(recorder, message, recorded.sequence);
    CLUMP_ASSERT(recorder->chunk.failed || begun <= recorder->chunk.size);
    recorder->format->end_message(recorder, begun);
    count_message(recorder, channel, recorded.received);
    if (recorder->chunk.size >= recorder->chunk_size) return flush_chunk(recorder);
    return check_failures(recorder);
}

/* Checks what all calls have in common, and appends. */
static clump_status record(clump_recorder *recorder, const char *topic, const recorder_message *message,
                           clump_message *why)
{
    const clump_io_where where = {recorder ? recorder->name : NULL, why};
    if (why) why->text[0] = 0;
    if (!recorder || !topic || !message->frame)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "recorder, topic or frame is null");
    if (!*topic || strlen(topic) > UINT16_MAX)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "a topic needs a name of 1 to %d bytes", UINT16_MAX);
    const bool of_boxes = message->type == CLUMP_IO_WRITTEN_MARKERS || message->type == CLUMP_IO_WRITTEN_DETECTIONS;
    if (message->type == CLUMP_IO_WRITTEN_POINTS && !message->points.cloud)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "the frame has no cloud");
    if (message->type == CLUMP_IO_WRITTEN_TRANSFORM && (!message->transform.parent || !message->transform.pose))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "the parent or the pose is null");
    if (of_boxes &&
        (!message->boxes || message->boxes->count < 0 || (message->boxes->count > 0 && !message->boxes->clusters)))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "the boxes have no clusters");
    if (recorder->status != CLUMP_OK) return repeat_failure(recorder, why);
    const clump_status status = append_message(recorder, topic, message, &where);
    return recorder->status != CLUMP_OK ? repeat_failure(recorder, why) : status;
}

clump_status clump_recorder_cloud(clump_recorder *recorder, const char *topic, const clump_frame *frame,
                                  const int32_t *labels, clump_message *message)
{
    const recorder_message cloud = {
        .type = CLUMP_IO_WRITTEN_POINTS, .frame = frame, .points = {frame ? frame->cloud : NULL, labels}};
    return record(recorder, topic, &cloud, message);
}

clump_status clump_recorder_markers(clump_recorder *recorder, const char *topic, const clump_frame *frame,
                                    const clump_recorder_boxes *boxes, clump_message *message)
{
    const recorder_message markers = {.type = CLUMP_IO_WRITTEN_MARKERS, .frame = frame, .boxes = boxes};
    return record(recorder, topic, &markers, message);
}

clump_status clump_recorder_detections(clump_recorder *recorder, const char *topic, const clump_frame *frame,
                                       const clump_recorder_boxes *boxes, clump_message *message)
{
    const recorder_message detections = {.type = CLUMP_IO_WRITTEN_DETECTIONS, .frame = frame, .boxes = boxes};
    return record(recorder, topic, &detections, message);
}

clump_status clump_recorder_transform(clump_recorder *recorder, const char *topic, const clump_frame *frame,
                                      const char *parent, const double pose[12], clump_message *message)
{
    const recorder_message transform = {
        .type = CLUMP_IO_WRITTEN_TRANSFORM, .frame = frame, .transform = {parent, pose}};
    return record(recorder, topic, &transform, message);
}

/* --- closing --------------------------------------------------------------------------------------------- */

static void release(clump_recorder *recorder)
{
    for (uint32_t i = 0; i < recorder->channel_count; i++) {
        free(recorder->channels[i].topic);
        clump_io_encoder_release(&recorder->channels[i].index);
    }
    free(recorder->channels);
    clump_io_encoder_release(&recorder->chunk);
    clump_io_encoder_release(&recorder->record);
    clump_io_encoder_release(&recorder->chunks);
    clump_io_packer_release(&recorder->packer);
    clump_io_bus_leave(recorder->bus);
    free(recorder->name);
    free(recorder);
}

uint64_t clump_recorder_unsent(const clump_recorder *recorder)
{
    return recorder ? recorder->unsent : 0;
}

clump_status clump_recorder_close(clump_recorder *recorder, bool keep, clump_message *message)
{
    if (message) message->text[0] = 0;
    if (!recorder) return CLUMP_OK;
    if (recorder->take) { /* no file to finish */
        const clump_status status = keep ? repeat_failure(recorder, message) : CLUMP_OK;
        release(recorder);
        return status;
    }
    if (keep && flush_chunk(recorder) == CLUMP_OK) recorder->format->finish(recorder);
    /* What will not be kept is not written. */
    if (!keep || check_failures(recorder) != CLUMP_OK) recorder->sink.used = 0;
    clump_io_sink_close(&recorder->sink);
    if (keep && check_failures(recorder) == CLUMP_OK && recorder->format->rewrite) {
        recorder->sink.error = recorder->format->rewrite(recorder);
        check_failures(recorder);
    }
    const bool complete = keep && recorder->status == CLUMP_OK;
    const clump_io_where where = {recorder->name, &recorder->failure};
    const clump_status committed = clump_io_target_commit(&where, &recorder->target, complete ? 0 : -1);
    if (complete) recorder->status = committed;
    const clump_status status = keep ? repeat_failure(recorder, message) : CLUMP_OK;
    release(recorder);
    return status;
}
