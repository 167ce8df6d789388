/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster_turn.c: to which frame a packet belongs, and which packets are missing.
 *
 * The sensor numbers its frames and the columns in a frame. A packet of the open frame is taken in any order. A packet of
 * a frame that is closed is refused. Missing packets are counted when the frame ends, so that a late packet is not lost.
 */
#include "sensors/ouster.h"

#include "common/assert.h"

enum {
    OUSTER_TURN_LATE = 2,   /* frames: a packet that is older by at most this is late; else the sensor has begun anew */
    OUSTER_TURN_LOST = 600, /* frames: a gap of at most a minute is loss; a larger one is a pause of the recording */
    OUSTER_TURN_PATIENCE = 8 /* packets refused one after the other: the recording was put together from parts */
};

static bool in_window(const clump_io_ouster_info *info, uint32_t column)
{
    CLUMP_ASSERT(column < info->columns);
    if (info->window_first <= info->window_last) return column >= info->window_first && column <= info->window_last;
    return column >= info->window_first || column <= info->window_last;
}

/* Whether a column of the packet is in the window. The sensor sends no other packets. */
static bool is_sent(const clump_io_ouster_info *info, uint32_t packet)
{
    const uint32_t begin = packet * info->packet_columns;
    for (uint32_t i = 0; i < info->packet_columns && begin + i < info->columns; i++)
        if (in_window(info, begin + i)) return true;
    return false;
}

/* Counts the packets from `first` on that are sent and not in `seen`. seen null: none has come. */
static uint64_t count_missing(const clump_io_ouster_info *info, uint32_t first, const uint64_t *seen)
{
    const uint32_t packets = (info->columns + info->packet_columns - 1) / info->packet_columns;
    uint64_t missing = 0;
    for (uint32_t i = first; i < packets; i++) {
        const bool came = seen && (seen[i / 64] >> i % 64 & 1);
        missing += !came && is_sent(info, i);
    }
    return missing;
}

static void open_frame(clump_io_ouster_turn *turn, uint32_t frame, uint32_t start, uint32_t packet, bool joined)
{
    *turn = (clump_io_ouster_turn){
        .open = true, .frame = frame, .start = start, .first = joined ? packet : 0, .last = packet};
    turn->seen[packet / 64] |= (uint64_t)1 << packet % 64;
}

/* Refuses a packet, unless too many were refused in a row. */
static bool refuse(clump_io_ouster_turn *turn, uint64_t *reordered)
{
    if (turn->refused >= OUSTER_TURN_PATIENCE) return false;
    turn->refused++;
    ++*reordered;
    return true;
}

/* Takes a packet of the open frame. */
static clump_io_ouster_verdict take_more(clump_io_ouster_turn *turn, uint32_t packet, uint64_t *reordered)
{
    const uint64_t bit = (uint64_t)1 << packet % 64;
    if (turn->seen[packet / 64] & bit) {
        if (refuse(turn, reordered)) return CLUMP_IO_OUSTER_REFUSE;
        open_frame(turn, turn->frame, turn->start, packet, true);
        return CLUMP_IO_OUSTER_CUT;
    }
    turn->seen[packet / 64] |= bit;
    turn->refused = 0;
    if (packet < turn->last)
        ++*reordered;
    else
        turn->last = packet;
    return CLUMP_IO_OUSTER_TAKE;
}

/* Frames from the open one to this one; negative: this one is older. */
static int64_t frames_ahead(const clump_io_ouster_info *info, uint32_t from, uint32_t to)
{
    return info->fusa ? (int32_t)(to - from) : (int16_t)(uint16_t)(to - from);
}

clump_io_ouster_verdict clump_io_ouster_turn_take(clump_io_ouster_turn *turn, const clump_io_ouster_info *info,
                                                  const unsigned char *bytes, uint32_t measurement, uint64_t *lost,
                                                  uint64_t *reordered)
{
    const uint32_t frame = clump_io_ouster_frame(info, bytes), start = clump_io_ouster_start(info, bytes);
    const uint32_t packet = measurement / info->packet_columns;
    if (!turn->open) {
        open_frame(turn, frame, start, packet, true);
        return CLUMP_IO_OUSTER_TAKE;
    }
    if (start != turn->start) {
        open_frame(turn, frame, start, packet, true);
        return CLUMP_IO_OUSTER_CUT;
    }
    const int64_t ahead = frames_ahead(info, turn->frame, frame);
    if (ahead == 0) return take_more(turn, packet, reordered);
    if (ahead < 0 && ahead >= -OUSTER_TURN_LATE && refuse(turn, reordered)) return CLUMP_IO_OUSTER_REFUSE;
    const bool follows = ahead > 0 && ahead <= OUSTER_TURN_LOST;
    if (follows)
        *lost += count_missing(info, turn->first, turn->seen) + (uint64_t)(ahead - 1) * count_missing(info, 0, NULL);
    open_frame(turn, frame, start, packet, !follows);
    return CLUMP_IO_OUSTER_CUT;
}
