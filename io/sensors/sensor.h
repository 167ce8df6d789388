/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sensor.h: from the packets of a sensor to frames. One maker of sensors per file NAME.c, its tables beside it.
 *
 *     io/recordings or io/messages  packets  ->  frames.c  begin, cuts, append  ->  clump_frame
 *
 * A packet has parts: blocks, firings or columns, each measured in one direction. frames.c asks before each part whether
 * a new frame begins with it, and then lets the sensor append the points of the part.
 *
 * A packet is hostile: a sensor checks its size and every byte that it relies on.
 *
 *     frames.c      cuts packets into frames; the list of sensors
 *     velodyne*.c   Velodyne (velodyne.h)
 *     ouster*.c     Ouster (ouster.h); json.c: reads the file of the sensor
 *     hesai*.c      Hesai (hesai.h)
 *     livox.c       Livox
 *     nclt.c        the NCLT data set: packets of points
 *
 * Words of the room: a `packet` is the payload of one UDP datagram. A `part` is the measurements in it that were made
 * in one direction. A `block` is one of a packet, as its manual has it. A `cut` is the place between two parts where a
 * frame ends and the next begins. A `slot` of Velodyne is one measurement of a block.
 */
#ifndef CLUMP_IO_SENSORS_SENSOR_H
#define CLUMP_IO_SENSORS_SENSOR_H

#include "format.h"

typedef struct clump_io_packet {
    const unsigned char *bytes;
    size_t size;
    int64_t received; /* nanoseconds since 1970 */
} clump_io_packet;

/* What the caller knows of the sensor. */
typedef struct clump_io_sensor_setup {
    const char *metadata; /* text of the JSON file of an Ouster sensor; null: none */
    size_t metadata_size;
    const char *metadata_name; /* of the file, for messages; null: it is in the recording or beside it */
    const char *calibration;   /* text of a calibration file; null: the model's own */
    size_t calibration_size;
    const char *calibration_name; /* for messages */
    bool organised;
    bool count_only;      /* frames have their times, and no points: many sensors can be counted at a time */
    clump_io_where where; /* for messages of create() */
} clump_io_sensor_setup;

/* The frame that is being filled. Sensors write at index `count` and behind, as far as `room` allows, and then add to
 * count. */
typedef struct clump_io_filling {
    clump_cloud *cloud; /* has the sensor's fields */
    size_t count, room; /* points; frames.c makes room before each part */
    float *xyz;         /* of the cloud */
    void *fields[12];   /* data of the sensor's fields, in the order of `fields` below */
    int64_t stamp;      /* time of the first part of the frame; 0: no part yet. Set by frames.c from part_time() */
    uint64_t lost;      /* packets known to be missing */
} clump_io_filling;

typedef struct clump_io_sensor {
    const char *maker; /* "Velodyne" */

    /* Whether the payload looks like a data packet of this maker. */
    bool (*recognise)(const unsigned char *packet, size_t size);

    /* Creates the state for the model that the first packet names. On failure the message says what is missing, for
     * example the JSON file. */
    clump_status (*create)(const clump_io_sensor_setup *setup, const clump_io_packet *first, void **state);
    void (*destroy)(void *state);
    const char *(*model)(const void *state); /* "Velodyne VLP-16" */
    const char *(*note)(const void *state);  /* what a user should know of the setup; "": nothing. Optional */

    /* Fields besides x y z, the same for all frames. Where a sensor has them, they are first: intensity float32, ring
     * uint16 (0 is the lowest beam), time float32 (seconds after the stamp of the frame); return uint8 of sensors with two
     * returns. */
    const clump_io_shape *(*fields)(const void *state, size_t *count);
    size_t (*most_points)(const void *state);                        /* per part */
    void (*shape)(const void *state, size_t *width, size_t *height); /* of an organised frame: frames.c then fills all
                          * points with NaN and 0 first, and the sensor writes each point at its place; count is width x
                          * height from the beginning. Null, or width 0: not organised */

    /* Begins a packet. Returns the number of its parts; 0: it is no data packet (a GPS packet), or it is damaged, which
     * *damaged says. lost and reordered count what the sensor's own counters tell. The bytes stay valid until the next
     * begin(). */
    size_t (*begin)(void *state, const clump_io_packet *packet, bool *damaged, uint64_t *lost, uint64_t *reordered);

    /* Whether part i begins a new frame. Called once per part, in order, before append(). */
    bool (*cuts)(void *state, size_t part);
    int64_t (*part_time)(const void *state, size_t part); /* nanoseconds since 1970, of the first point of the part */
    void (*append)(void *state, size_t part, clump_io_filling *to);

    /* Forgets the position in the turn, after a seek. Optional. */
    void (*restart)(void *state);

    /* The direction of part i in the turn, in hundredths of a degree, 0 ... 35999. Null: not known, or no turns. */
    int (*azimuth)(const void *state, size_t part);
} clump_io_sensor;

extern const clump_io_sensor clump_io_sensor_velodyne, clump_io_sensor_ouster, clump_io_sensor_hesai,
    clump_io_sensor_nclt, clump_io_sensor_livox;

/* The makers whose packets are recognised by their content; ends with null. In frames.c. */
extern const clump_io_sensor *const clump_io_sensors[];

/* Returns the fields intensity, ring and time; with several returns per direction also return. */
static inline const clump_io_shape *clump_io_usual_fields(bool several_returns, size_t *count)
{
    static const clump_io_shape shapes[] = {{"intensity", 0, CLUMP_TYPE_F32, 1},
                                            {"ring", 0, CLUMP_TYPE_U16, 1},
                                            {"time", 0, CLUMP_TYPE_F32, 1},
                                            {"return", 0, CLUMP_TYPE_U8, 1}};
    *count = several_returns ? 4 : 3;
    return shapes;
}

/* --- frames.c: cuts packets into frames -------------------------------------------------------------- */

typedef struct clump_io_frames clump_io_frames;

/* maker null: recognised from the packets. Packets before the first that is recognised are counted as damaged. */
clump_status clump_io_frames_create(const clump_io_where *where, const clump_io_sensor *maker,
                                    const clump_io_sensor_setup *setup, clump_io_frames **out);
void clump_io_frames_destroy(clump_io_frames *frames);

/* Gives the next packet. The bytes must stay until clump_io_frames_take() has returned *ready false. */
clump_status clump_io_frames_give(clump_io_frames *frames, const clump_io_packet *packet,
                                  clump_recording_losses *losses);

/* Takes a finished frame, if there is one: its cloud changes places with the caller's. All calls until *ready is false
 * go through the packet; then the next packet can be given. */
clump_status clump_io_frames_take(clump_io_frames *frames, clump_frame *frame, bool *ready);

/* The same for the last frame, which no cut has ended. *ready is false when it has no points. */
clump_status clump_io_frames_finish(clump_io_frames *frames, clump_frame *frame, bool *ready);

void clump_io_frames_restart(clump_io_frames *frames); /* after a seek: drops the frame that is being filled */
const char *clump_io_frames_model(const clump_io_frames *frames); /* null: no packet yet */

#endif
