/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reader.c: makes frames of the messages of one topic.
 *
 *     PointCloud2       one message, one frame
 *     scans of packets  a message has many packets, and its borders are not those of frames: frames.c cuts
 *     UDP, NCLT         a message is a packet
 *     cloud file        a message is a path
 */
#include "recordings/recording.h"
#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

/* Returns where losses are counted: a second pass meets those of the first again. */
static clump_io_losses *losses_of(clump_io_reader *reader)
{
    return reader->again ? &reader->repeated : &reader->losses;
}

/* Counts a message that is left out. */
static void leave_out(clump_io_reader *reader, const char *what)
{
    clump_io_losses *const losses = losses_of(reader);
    clump_io_lose(losses, &losses->damaged_messages, 1, "%.180s", what);
}

/* --- clouds ------------------------------------------------------------------------------------------ */

/* Gives the spare frame to the caller, and keeps the memory of the caller's. */
static void hand_over(clump_io_reader *reader, clump_frame *frame)
{
    clump_cloud *const old = frame->cloud;
    *frame = reader->spare;
    reader->spare.cloud = old;
}

static clump_status read_points(clump_io_reader *reader, const clump_io_message *message, clump_frame *frame,
                                bool *ready)
{
    const clump_io_where where = {NULL, &reader->damage};
    const clump_io_encoded encoded = {message->bytes, message->size, reader->topic.coding == CLUMP_IO_CODING_CDR};
    clump_frame *const spare = &reader->spare;
    *spare = (clump_frame){.cloud = spare->cloud, .received = message->received};
    const clump_status status = clump_io_points_decode(&where, &encoded, spare);
    if (status == CLUMP_ERR_OUT_OF_MEMORY) {
        if (reader->where.message) *reader->where.message = reader->damage;
        return status;
    }
    if (status != CLUMP_OK) leave_out(reader, reader->damage.text);
    *ready = status == CLUMP_OK;
    if (*ready) hand_over(reader, frame);
    return CLUMP_OK;
}

static clump_status load_file(clump_io_reader *reader, const char *path, clump_cloud **cloud)
{
    const clump_io_where where = {path, &reader->damage};
    if (strcmp(reader->topic.type, CLUMP_IO_FILES_NCLT) == 0) return clump_io_nclt_sync_load(&where, path, cloud);
    clump_load_options options = clump_load_defaults();
    options.columns = reader->columns;
    return clump_cloud_load(path, &options, cloud, &reader->damage);
}

/* The bytes of the message stay as long as the recording: see files.c. */
static clump_status read_file(clump_io_reader *reader, const clump_io_message *message, clump_frame *frame, bool *ready)
{
    const char *const path = (const char *)message->bytes;
    clump_cloud *cloud = NULL;
    const clump_status status = load_file(reader, path, &cloud);
    if (status == CLUMP_ERR_OUT_OF_MEMORY) {
        if (reader->where.message) *reader->where.message = reader->damage;
        return status;
    }
    if (status != CLUMP_OK) leave_out(reader, reader->damage.text);
    *ready = status == CLUMP_OK;
    if (!*ready) return CLUMP_OK;
    clump_cloud_destroy(frame->cloud);
    *frame = (clump_frame){.cloud = cloud, .stamp = message->received, .received = message->received, .path = path};
    return CLUMP_OK;
}

/* --- packets ------------------------------------------------------------------------------------------- */

static clump_status give_packet(clump_io_reader *reader, const clump_io_packet *packet)
{
    const clump_status status = clump_io_frames_give(reader->frames, packet, losses_of(reader));
    reader->in_packet = status == CLUMP_OK;
    if (status != CLUMP_OK && status != CLUMP_ERR_OUT_OF_MEMORY) {
        reader->failed = status;
        if (reader->where.message) reader->failed_why = *reader->where.message;
    }
    return status;
}

/* Goes on with the packet or the message that has been begun, as far as the next frame. */
static clump_status go_on(clump_io_reader *reader, clump_frame *frame, bool *ready)
{
    for (;;) {
        if (reader->in_packet) {
            CLUMP_IO_TRY(clump_io_frames_take(reader->frames, frame, ready));
            if (*ready) return CLUMP_OK;
            reader->in_packet = false;
        }
        if (!reader->in_message) return CLUMP_OK;
        clump_io_packet packet;
        bool damaged = false;
        reader->in_message = clump_io_packets_next(&reader->list, &packet, &damaged);
        if (damaged) leave_out(reader, "a message ends before the packets that it announces");
        if (reader->in_message) CLUMP_IO_TRY(give_packet(reader, &packet));
    }
}

static clump_status begin_packets(clump_io_reader *reader, const clump_io_message *message)
{
    if (reader->topic.coding == CLUMP_IO_CODING_UDP || reader->topic.coding == CLUMP_IO_CODING_NCLT) {
        const clump_io_packet packet = {message->bytes, message->size, message->received};
        return give_packet(reader, &packet);
    }
    const clump_io_encoded encoded = {message->bytes, message->size, reader->topic.coding == CLUMP_IO_CODING_CDR};
    reader->in_message = clump_io_packets_begin(&reader->list, reader->kind, &encoded, message->received);
    if (!reader->in_message) leave_out(reader, "a message of packets is damaged");
    return CLUMP_OK;
}

/* --- frames ---------------------------------------------------------------------------------------------- */

clump_status clump_io_reader_open(clump_io_reader *reader, const clump_io_sensor_setup *setup)
{
    reader->kind = clump_io_message_kind_of(reader->topic.type);
    reader->latest = reader->reached = reader->counted = INT64_MIN;
    if (!clump_io_topic_has_packets(&reader->topic)) return CLUMP_OK;
    return clump_io_frames_create(&reader->where, clump_io_topic_maker(&reader->topic), setup, &reader->frames);
}

void clump_io_reader_restart(clump_io_reader *reader)
{
    if (reader->frames) clump_io_frames_restart(reader->frames);
    reader->in_message = reader->in_packet = reader->ended = false;
    reader->failed = CLUMP_OK;
    reader->index = 0;
    reader->latest = INT64_MIN;
    reader->counted = reader->reached;
}

void clump_io_reader_close(clump_io_reader *reader)
{
    clump_io_frames_destroy(reader->frames);
    clump_cloud_destroy(reader->spare.cloud);
    *reader = (clump_io_reader){0};
}

static void watch_time(clump_io_reader *reader, int64_t received)
{
    reader->again = received <= reader->counted;
    if (received > reader->reached) reader->reached = received;
    clump_io_losses *const losses = losses_of(reader);
    if (received < reader->latest)
        clump_io_lose(losses, &losses->reordered, 1, "the time of a message goes back by %.6f s",
                      ((double)reader->latest - (double)received) * 1e-9);
    else
        reader->latest = received;
}

clump_status clump_io_reader_give(clump_io_reader *reader, const clump_io_message *message)
{
    CLUMP_ASSERT(reader->frames);
    watch_time(reader, message->received);
    return begin_packets(reader, message);
}

static clump_status read_message(clump_io_reader *reader, const clump_io_message *message, clump_frame *frame,
                                 bool *ready)
{
    if (reader->frames) return clump_io_reader_give(reader, message);
    watch_time(reader, message->received);
    if (reader->topic.coding == CLUMP_IO_CODING_FILE) return read_file(reader, message, frame, ready);
    return read_points(reader, message, frame, ready);
}

/* The frame of packets comes without the name of its coordinate frame. */
static void complete(clump_io_reader *reader, clump_frame *frame)
{
    frame->index = reader->index++;
    if (!reader->frames) return;
    frame->path = NULL;
    memcpy(frame->frame_id, reader->list.frame_id, sizeof frame->frame_id);
}

clump_status clump_io_reader_take(clump_io_reader *reader, clump_frame *frame, bool *ready)
{
    *ready = false;
    CLUMP_IO_TRY(go_on(reader, frame, ready));
    if (*ready) complete(reader, frame);
    return CLUMP_OK;
}

clump_status clump_io_reader_finish(clump_io_reader *reader, clump_frame *frame, bool *ready)
{
    CLUMP_IO_TRY(clump_io_frames_finish(reader->frames, frame, ready));
    if (*ready) complete(reader, frame);
    return CLUMP_OK;
}

/* A sensor is silent: gives what there is of the frame. The next packet begins another one, anywhere in the turn. */
static clump_status end_frame(clump_io_reader *reader, clump_frame *frame, bool *ready)
{
    if (!reader->frames) return CLUMP_OK;
    CLUMP_IO_TRY(clump_io_reader_finish(reader, frame, ready));
    clump_io_frames_restart(reader->frames);
    return CLUMP_OK;
}

clump_status clump_io_reader_next(clump_io_reader *reader, clump_frame *frame, bool *more)
{
    *more = false;
    if (reader->failed != CLUMP_OK) {
        if (reader->where.message) *reader->where.message = reader->failed_why;
        return reader->failed;
    }
    for (;;) {
        if (reader->frames && !*more) CLUMP_IO_TRY(clump_io_reader_take(reader, frame, more));
        if (*more || reader->ended) return CLUMP_OK;
        clump_io_message message;
        bool another, ready = false;
        CLUMP_IO_TRY(reader->pull.next(reader->pull.user, &message, &another));
        if (!another) {
            reader->ended = true;
            return reader->frames ? clump_io_reader_finish(reader, frame, more) : CLUMP_OK;
        }
        if (message.silence) {
            CLUMP_IO_TRY(end_frame(reader, frame, more));
            continue;
        }
        CLUMP_IO_TRY(read_message(reader, &message, frame, &ready));
        if (!ready) {
            reader->index += !reader->frames; /* the number of a damaged cloud belongs to no other */
            continue;
        }
        complete(reader, frame);
        *more = true;
        return CLUMP_OK;
    }
}

void clump_frame_release(clump_frame *frame)
{
    if (!frame) return;
    clump_cloud_destroy(frame->cloud);
    *frame = (clump_frame){0};
}
