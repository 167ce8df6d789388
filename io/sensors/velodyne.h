/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne.h: what the files velodyne*.c share.
 *
 *     velodyne_models.c       what the models are: lasers, timing
 *     velodyne_calibration.c  reads the YAML file of the ROS driver
 *     velodyne_order.c        time, order and loss of packets
 *     velodyne_points.c       from distances to coordinates
 *     velodyne.c              the sensor
 *
 * A data packet has 1206 bytes, little-endian:
 *
 *     12 blocks of 100 bytes: u16 flag, u16 azimuth (0.01 degrees), 32 x {u16 distance, u8 intensity}
 *     u32 time of the first firing, microseconds of the hour; u8 return mode; u8 product
 *
 * A firing is what all lasers measure in one turn of the electronics. Blocks of one firing have the same azimuth: four
 * banks of 32 lasers (VLS-128), two banks (HDL-64E), or two returns. A block of a sensor with 16 lasers has two rounds
 * of its lasers.
 */
#ifndef CLUMP_IO_SENSORS_VELODYNE_H
#define CLUMP_IO_SENSORS_VELODYNE_H

#include "endian.h"
#include "sensors/sensor.h"

enum {
    VELODYNE_PACKET_BYTES = 1206,
    VELODYNE_BLOCKS = 12,
    VELODYNE_BLOCK_BYTES = 100,
    VELODYNE_SLOTS = 32,       /* measurements per block */
    VELODYNE_MAX_LASERS = 128, /* and slots of all banks */
    VELODYNE_TURN = 36000,     /* azimuth units of a turn */
    VELODYNE_DUAL = 0x39       /* return mode: two returns */
};

/* --- models -------------------------------------------------------------------------------------- */

/* How one laser is mounted. Radians and metres, with the signs of the ROS driver's calibration files. */
typedef struct clump_velodyne_laser {
    double rotation;   /* subtracted from the azimuth */
    double elevation;  /* upwards */
    double distance;   /* added to each distance */
    double distance_x; /* the same near x = 2.4 and y = 1.93, if two_points: between there and 25.04 it is linear */
    double distance_y;
    double up, aside; /* offsets from the centre */
    bool two_points;
} clump_velodyne_laser;

typedef struct clump_velodyne_model {
    const char *name; /* "Velodyne VLP-16" */
    unsigned lasers, banks;
    double unit;         /* of distances, in metres */
    double firing_us;    /* from one firing to the next, as the blocks have them */
    double group_us;     /* from one group of lasers to the next */
    unsigned group_size; /* lasers that fire at the same time */
    double round_us;     /* from the first round of the lasers to the second in one block */
    unsigned pause;      /* after this many groups, one group's time passes without a shot; 0: never */
} clump_velodyne_model;

/* Returns the model of a data packet; null: unknown. */
const clump_velodyne_model *clump_velodyne_model_of(const unsigned char *packet);

/* Fills in the lasers of a model as it is built. */
void clump_velodyne_model_lasers(const clump_velodyne_model *model, clump_velodyne_laser *lasers);

/* Returns the bank of a block, 0 to 3, or -1 if the flag is none of this model. */
int clump_velodyne_bank_of(const clump_velodyne_model *model, const unsigned char *block);

/* In velodyne_hdl64.c: the lasers of one HDL-64E S3. */
void clump_velodyne_hdl64_lasers(clump_velodyne_laser *lasers);

/* --- calibration --------------------------------------------------------------------------------- */

/* Reads a calibration file. It must describe every laser of the model. *unit is that of the file, and is kept
 * where the file has none. */
clump_status clump_velodyne_calibration_read(const clump_io_sensor_setup *setup, const clump_velodyne_model *model,
                                             clump_velodyne_laser *lasers, double *unit);

/* --- points -------------------------------------------------------------------------------------- */

enum { VELODYNE_TURNINGS = 8 };

/* By how much the direction of each slot differs from the azimuth of its block, if the sensor turns by `gap` per
 * firing. */
typedef struct clump_velodyne_turning {
    int gap; /* -1: unused */
    float cosine[VELODYNE_MAX_LASERS], sine[VELODYNE_MAX_LASERS];
} clump_velodyne_turning;

/* Constants per slot: slot 32 b + i is measurement i of a block of bank b. */
typedef struct clump_velodyne_optics {
    float unit;
    bool corrected; /* some laser has a correction that needs the whole formula */
    float cosine[VELODYNE_MAX_LASERS], sine[VELODYNE_MAX_LASERS]; /* of the elevation */
    float flat_offset[VELODYNE_MAX_LASERS], up_offset[VELODYNE_MAX_LASERS];
    float time[VELODYNE_MAX_LASERS]; /* seconds after the beginning of the firing */
    uint16_t ring[VELODYNE_MAX_LASERS];
    clump_velodyne_laser laser[VELODYNE_MAX_LASERS];
    double share[VELODYNE_MAX_LASERS]; /* of the time of a firing */
    clump_velodyne_turning turnings[VELODYNE_TURNINGS];
    float turn_cosine[VELODYNE_TURN], turn_sine[VELODYNE_TURN];
} clump_velodyne_optics;

void clump_velodyne_optics_set(clump_velodyne_optics *optics, const clump_velodyne_model *model,
                               const clump_velodyne_laser *lasers, double unit);

/* A block, ready to become points. */
typedef struct clump_velodyne_block {
    const unsigned char *bytes;
    const unsigned char *twin; /* the block with the first return of the same lasers; null: none */
    unsigned azimuth, gap;     /* gap: by how much the sensor turns until the next firing */
    unsigned bank, firing;
} clump_velodyne_block;

/* Appends the points of a block. since: seconds from the stamp of the frame to the block. */
void clump_velodyne_points_append(clump_velodyne_optics *optics, const clump_velodyne_block *block, float since,
                                  bool with_return, clump_io_filling *to);

/* --- order --------------------------------------------------------------------------------------- */

typedef struct clump_velodyne_order {
    bool begun;
    uint32_t clock;   /* of the last packet in order, microseconds of the hour */
    int64_t offset;   /* nanoseconds from the sensor's hour to that of the recording; 0: the clocks agree */
    double period;    /* microseconds from packet to packet; 0: not known yet */
    double candidate; /* for the period, while that is not known; seen `repeats` times in a row */
    unsigned repeats;
    double rate;     /* of rotation, azimuth units per microsecond; 0: not known yet */
    unsigned first;  /* azimuth of the first block of the last packet in order */
    unsigned cut;    /* frames begin where the sensor passes this azimuth */
    unsigned masked; /* width of the sector around `cut` that the sensor does not send; 0: none */
    unsigned char newest[VELODYNE_PACKET_BYTES]; /* the last packet in order */
} clump_velodyne_order;

/* What a packet is, compared with those before. */
typedef struct clump_velodyne_arrival {
    bool repeated; /* the last packet once more: not to be used */
    bool late;     /* belongs before the last packet */
    bool broken;   /* a turn or more is missing before it: a frame begins */
    uint64_t lost; /* packets missing before it */
    int64_t time;  /* of its first firing, nanoseconds since 1970 */
} clump_velodyne_arrival;

/* Forgets all packets. period 0: the packets tell it. */
void clump_velodyne_order_start(clump_velodyne_order *order, double period);

/* Takes the next packet; `first` is the azimuth of its first block. */
clump_velodyne_arrival clump_velodyne_order_take(clump_velodyne_order *order, const clump_io_packet *packet,
                                                 unsigned first);

/* The sensor skips a sector from one azimuth to the other: frames are cut in its middle. */
void clump_velodyne_order_mask(clump_velodyne_order *order, unsigned from, unsigned to);

/* Returns how far the sensor turns from one azimuth to the other. */
static inline unsigned clump_velodyne_turn(unsigned from, unsigned to)
{
    return (to + VELODYNE_TURN - from) % VELODYNE_TURN;
}

#endif
