/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hesai.h: what the files of the Hesai decoder share.
 *
 *     hesai_models.c       layouts of packets, recognition
 *     hesai_beams.c        angles and firing times of the models
 *     hesai_calibration.c  angles from a file of the sensor
 *     hesai_counters.c     packet counter, clock, position in the turn
 *     hesai.c              packets to points
 */
#ifndef CLUMP_IO_SENSORS_HESAI_H
#define CLUMP_IO_SENSORS_HESAI_H

#include "endian.h"
#include "sensors/sensor.h"

#include <string.h>

#define CLUMP_IO_HESAI_CHANNELS 128 /* of the largest model */

/* Direction of a channel in degrees; the azimuth is added to that of the block, clockwise seen from above. */
typedef struct clump_io_hesai_beam {
    float elevation, azimuth;
} clump_io_hesai_beam;

/* A packet has `blocks` blocks behind its header. A block is an azimuth and one measurement per channel:
 *
 *     header | [FF EE] azimuth u16 | channels x {distance u16, reflectivity u8, [confidence u8]} | ... | tail
 *
 * Members *_at are bytes from the beginning of the packet. */
typedef struct clump_io_hesai_model {
    const char *name;                 /* "Hesai XT32" */
    const clump_io_hesai_beam *beams; /* one per channel */
    uint16_t channels, blocks;
    uint16_t header;         /* bytes before the first block */
    uint8_t block_mark;      /* bytes FF EE at the beginning of each block: 2, or 0 */
    uint8_t measurement;     /* bytes */
    unsigned char start[4];  /* of the packet; unused where blocks have marks */
    uint16_t sizes[2];       /* of packets */
    uint16_t unit_at;        /* millimetres per unit of distance; 0: always 4 */
    uint16_t return_mode_at; /* u8 */
    uint16_t speed_at;       /* u16, turns per minute */
    uint16_t date_at;        /* year month day hour minute second */
    uint16_t micros_at;      /* u32, microseconds of the second */
    uint16_t sequence_at;    /* u32, there if the packet is long enough */
    uint16_t nearest;        /* millimetres: the model measures nothing nearer, and reports its own cover */

    /* Time of a measurement after the time of the packet, nanoseconds: block_first + block_step x b + firing of the channel.
     * b counts blocks of different azimuth from the first, or is negative and counts to the last. */
    int32_t block_first, block_step;
    bool block_to_last;
    const int32_t *firing; /* per channel; null: firing_step x (channel modulo firing_group) */
    uint16_t firing_step, firing_group;
} clump_io_hesai_model;

/* Returns the model that sends such packets. Null: none that is known. */
const clump_io_hesai_model *clump_io_hesai_model_of(const unsigned char *packet, size_t size);

/* Returns the name of a model whose packets are recognised but not decoded. Null: no such packet, or a packet of wrong
 * size of a model that is decoded. */
const char *clump_io_hesai_other_model(const unsigned char *packet, size_t size);

/* "Pandar40P, Pandar64 ...": the models that are decoded. */
#define CLUMP_IO_HESAI_MODELS "Pandar40P, Pandar64, QT64, QT128, XT16, XT32 and XT32M2X"

extern const clump_io_hesai_beam clump_io_hesai_beams_40p[40], clump_io_hesai_beams_64[64],
    clump_io_hesai_beams_qt64[64], clump_io_hesai_beams_qt128[128], clump_io_hesai_beams_xt16[16],
    clump_io_hesai_beams_xt32[32], clump_io_hesai_beams_xt32m[32];
extern const int32_t clump_io_hesai_firing_40p[40], clump_io_hesai_firing_64[64], clump_io_hesai_firing_qt64[64];

/* Reads the angles of `channels` channels from a CSV file: rows of channel (from 1), elevation, azimuth. */
clump_status clump_io_hesai_read_beams(const clump_io_sensor_setup *setup, size_t channels, clump_io_hesai_beam *beams);

/* --- counters (hesai_counters.c) ------------------------------------------------------------------ */

/* The last packets by their counter. A packet counts as lost when CLUMP_IO_HESAI_WINDOW later ones have come: a late
 * packet is no loss. */
#define CLUMP_IO_HESAI_WINDOW 8
typedef struct clump_io_hesai_sequence {
    bool known;
    uint32_t highest;
    uint32_t received; /* bit i: packet highest - i was received */
    uint32_t micros;   /* of the last packet */
} clump_io_hesai_sequence;

/* Counts a packet. Returns false for a packet that came before, byte for byte as far as counter and time tell. */
bool clump_io_hesai_count(clump_io_hesai_sequence *sequence, uint32_t number, uint32_t micros, uint64_t *lost,
                          uint64_t *reordered);

/* The clock of the sensor and that of the recording. */
typedef struct clump_io_hesai_clock {
    bool known;
    int64_t offset; /* added to the sensor's time */
} clump_io_hesai_clock;

/* Returns the time of a packet: of the sensor's clock where that agrees with `received` within a second. A clock that was
 * never set is moved by a constant, so that times within a recording stay as even as the sensor measured them. */
int64_t clump_io_hesai_time(clump_io_hesai_clock *clock, const unsigned char date[6], uint32_t micros,
                            int64_t received);

/* Position in the turn. */
typedef struct clump_io_hesai_turn {
    bool known;
    int64_t angle;      /* hundredths of a degree since the first block; not reduced to one turn */
    int64_t frame_turn; /* turn that the frame belongs to */
    int64_t time;       /* of the last block */
} clump_io_hesai_turn;

/* Returns whether a frame begins with the block. azimuth is in hundredths of a degree, below 36000; period is the time of
 * one turn. */
bool clump_io_hesai_turns(clump_io_hesai_turn *turn, int32_t azimuth, int64_t time, int64_t period);

#endif
