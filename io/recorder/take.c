/* SPDX-License-Identifier: BSD-3-Clause
 *
 * take.c: a recorder without a file: each message of ROS 2 is handed to a function of the caller. A chunk is one message.
 */
#include "recorder/recorder.h"
#include "common/assert.h"

static void take_nothing(clump_recorder *recorder)
{
    (void)recorder;
}

static void take_announce(clump_recorder *recorder, const clump_io_channel *channel)
{
    (void)recorder;
    (void)channel;
}

static size_t take_begin_message(clump_recorder *recorder, clump_io_channel *channel, const clump_io_recorded *message)
{
    CLUMP_ASSERT(recorder->chunk.size == 0);
    recorder->record.size = 0;
    clump_io_definition_encode(&recorder->record, channel->definition);
    clump_io_encode_u8(&recorder->record, 0);
    recorder->taken = (clump_recorder_message){.topic = channel->topic,
                                               .type = channel->definition->type,
                                               .received = (int64_t)message->received,
                                               .stamp = (int64_t)message->stamp};
    return 0;
}

static void take_end_message(clump_recorder *recorder, size_t begun)
{
    (void)begun;
    recorder->taken.size = recorder->chunk.size;
}

static clump_status take_write_chunk(clump_recorder *recorder, const clump_io_where *where)
{
    (void)where;
    CLUMP_ASSERT(recorder->chunk_messages == 1 && recorder->take);
    recorder->taken.definition = (const char *)recorder->record.data;
    recorder->taken.data = recorder->chunk.data;
    recorder->take(recorder->take_user, &recorder->taken);
    return CLUMP_OK;
}

const clump_io_recorder_format clump_io_recorder_taken = {.name = "messages",
                                                          .ros2 = true,
                                                          .compressions = 1u << CLUMP_COMPRESSION_NONE,
                                                          .first_id = 1,
                                                          .most_channels = UINT16_MAX,
                                                          .begin = take_nothing,
                                                          .announce = take_announce,
                                                          .begin_message = take_begin_message,
                                                          .end_message = take_end_message,
                                                          .write_chunk = take_write_chunk,
                                                          .finish = take_nothing};
