/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne.c: sensors of Velodyne, from packets to parts of frames. A part is a block.
 */
#include "sensors/velodyne.h"

#include "common/assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VELODYNE_POSITION_BYTES = 512, /* a packet of the GPS receiver */
    VELODYNE_MODE_AT = 1204,
    VELODYNE_PRODUCT_AT = 1205,
    VELODYNE_MAX_GAP = 200,   /* 0.01 degrees per firing: 20 turns per second are 80 */
    VELODYNE_MIN_MASK = 1000, /* a larger skip inside of a packet is a sector that the sensor does not send */
    VELODYNE_JITTER = 300     /* the azimuth may go back by this much without a new turn */
};

typedef struct velodyne_state {
    const clump_velodyne_model *model;
    bool dual;      /* the first packet had two returns: points have the field "return" */
    bool mode_dual; /* the last packet had two returns */
    clump_velodyne_order order;
    clump_velodyne_arrival arrival; /* of the current packet */
    clump_velodyne_block blocks[VELODYNE_BLOCKS];
    size_t block_count;
    unsigned gap;    /* the last that was plausible */
    unsigned passed; /* azimuth of the last part */
    bool has_passed;
    char note[192]; /* "": none */
    clump_velodyne_optics optics;
} velodyne_state;

static bool recognise(const unsigned char *packet, size_t size)
{
    return size == VELODYNE_PACKET_BYTES && packet[0] == 0xFF && packet[1] == 0xEE &&
           clump_io_u16(packet + 2) < VELODYNE_TURN;
}

static bool is_dual(const velodyne_state *state, const unsigned char *packet)
{
    return packet[VELODYNE_MODE_AT] == VELODYNE_DUAL && state->model->banks != 2; /* HDL-64E: no mode byte */
}

static unsigned blocks_per_firing(const velodyne_state *state, bool dual)
{
    return state->model->banks * (dual ? 2 : 1);
}

/* Returns the manual's interval of packets in microseconds; 0 for an HDL-64E, whose versions differ. */
static double packet_period(const velodyne_state *state, bool dual)
{
    if (state->model->banks == 2) return 0;
    const unsigned firings = VELODYNE_BLOCKS / blocks_per_firing(state, dual);
    return firings * state->model->firing_us;
}

/* The name of the calibration file, without its folder. */
static const char *base_name(const clump_io_sensor_setup *setup)
{
    return clump_io_base_name(setup->calibration_name ? setup->calibration_name : "calibration");
}

/* The unit of distances is that of the model: it is a fact of its packets. The file of the ROS driver for the VLS-128 has
 * 0.007 m, which that driver does not use either. */
static clump_status create(const clump_io_sensor_setup *setup, const clump_io_packet *first, void **out)
{
    *out = NULL;
    if (!recognise(first->bytes, first->size))
        return clump_io_fail(&setup->where, CLUMP_ERR_IO_FORMAT, "no data packet of a Velodyne sensor");
    const clump_velodyne_model *const model = clump_velodyne_model_of(first->bytes);
    if (!model)
        return clump_io_fail(&setup->where, CLUMP_ERR_IO_UNSUPPORTED, "Velodyne sensor of the unknown model 0x%02x",
                             first->bytes[VELODYNE_PRODUCT_AT]);
    clump_velodyne_laser lasers[VELODYNE_MAX_LASERS];
    double file_unit = model->unit;
    clump_velodyne_model_lasers(model, lasers);
    if (setup->calibration) CLUMP_IO_TRY(clump_velodyne_calibration_read(setup, model, lasers, &file_unit));

    velodyne_state *const state = calloc(1, sizeof *state);
    if (!state) return clump_io_no_memory(&setup->where, sizeof *state);
    state->model = model;
    state->dual = state->mode_dual = is_dual(state, first->bytes);
    if (fabs(file_unit - model->unit) > 1e-6)
        snprintf(state->note, sizeof state->note,
                 "%.80s: distance_resolution %g m is not used: distances of %s count %g m", base_name(setup), file_unit,
                 model->name, model->unit);
    clump_velodyne_optics_set(&state->optics, model, lasers, model->unit);
    clump_velodyne_order_start(&state->order, packet_period(state, state->dual));
    *out = state;
    return CLUMP_OK;
}

static const char *note(const void *state)
{
    return ((const velodyne_state *)state)->note;
}

static const char *model_name(const void *state)
{
    return ((const velodyne_state *)state)->model->name;
}

static const clump_io_shape *fields(const void *state, size_t *count)
{
    return clump_io_usual_fields(((const velodyne_state *)state)->dual, count);
}

static size_t most_points(const void *state)
{
    (void)state;
    return VELODYNE_SLOTS;
}

/* --- packets ------------------------------------------------------------------------------------------ */

/* Finds the blocks that can be used. Returns whether all can: a VLS-128 with two returns leaves blocks empty. */
static bool find_blocks(velodyne_state *state, const unsigned char *packet)
{
    const bool dual = is_dual(state, packet);
    const unsigned per_firing = blocks_per_firing(state, dual);
    bool complete = true;
    state->block_count = 0;
    for (unsigned i = 0; i < VELODYNE_BLOCKS; i++) {
        const unsigned char *const bytes = packet + i * VELODYNE_BLOCK_BYTES;
        const int bank = clump_velodyne_bank_of(state->model, bytes);
        const unsigned azimuth = clump_io_u16(bytes + 2);
        if (bank < 0 || azimuth >= VELODYNE_TURN) {
            complete = complete && bytes[0] == 0 && bytes[1] == 0;
            continue;
        }
        CLUMP_ASSERT(bank <= 3 && state->block_count < VELODYNE_BLOCKS);
        clump_velodyne_block *const block = &state->blocks[state->block_count++];
        *block = (clump_velodyne_block){
            .bytes = bytes, .azimuth = azimuth, .bank = (unsigned)bank, .firing = i / per_firing};
        if (dual && i % 2 && memcmp(bytes - VELODYNE_BLOCK_BYTES, bytes, 4) == 0)
            block->twin = bytes - VELODYNE_BLOCK_BYTES;
    }
    return complete;
}

/* Sets by how much the sensor turns during each firing, and finds a sector that is not sent. A skip counts only with
 * equal steps around it: a damaged azimuth looks like two skips, or like one at the end. */
static void measure_gaps(velodyne_state *state)
{
    clump_velodyne_block *const blocks = state->blocks;
    unsigned skips = 0, from = 0, to = 0;
    bool ends_well = false;
    for (size_t i = 0, next; i < state->block_count; i = next) {
        for (next = i; next < state->block_count && blocks[next].firing == blocks[i].firing;) next++;
        if (next < state->block_count) {
            const unsigned gap = clump_velodyne_turn(blocks[i].azimuth, blocks[next].azimuth);
            ends_well = gap <= VELODYNE_MAX_GAP;
            if (ends_well && blocks[next].firing == blocks[i].firing + 1) state->gap = gap;
            if (!ends_well) skips++, from = blocks[i].azimuth, to = blocks[next].azimuth;
        }
        for (size_t k = i; k < next; k++) blocks[k].gap = state->gap;
    }
    if (skips == 1 && ends_well && clump_velodyne_turn(from, to) >= VELODYNE_MIN_MASK &&
        clump_velodyne_turn(from, to) <= VELODYNE_TURN - VELODYNE_MIN_MASK)
        clump_velodyne_order_mask(&state->order, from, to);
}

static size_t begin(void *opaque, const clump_io_packet *packet, bool *damaged, uint64_t *lost, uint64_t *reordered)
{
    velodyne_state *const state = opaque;
    *damaged = false;
    state->block_count = 0;
    if (packet->size == VELODYNE_POSITION_BYTES) return 0;
    if (packet->size != VELODYNE_PACKET_BYTES || clump_velodyne_model_of(packet->bytes) != state->model) {
        *damaged = true;
        return 0;
    }
    *damaged = !find_blocks(state, packet->bytes) || state->block_count == 0;
    if (state->block_count == 0) return 0;
    state->arrival = clump_velodyne_order_take(&state->order, packet, state->blocks[0].azimuth);
    const bool dual = is_dual(state, packet->bytes);
    if (dual != state->mode_dual) state->order.period = packet_period(state, dual); /* up to the next packet */
    state->mode_dual = dual;
    *lost += state->arrival.lost;
    *reordered += state->arrival.late || state->arrival.repeated;
    if (state->arrival.repeated) state->block_count = 0;
    measure_gaps(state);
    return state->block_count;
}

static bool cuts(void *opaque, size_t part)
{
    CLUMP_ASSERT(part < ((const velodyne_state *)opaque)->block_count);
    velodyne_state *const state = opaque;
    if (state->arrival.late) return false;
    const unsigned azimuth = state->blocks[part].azimuth, cut = state->order.cut;
    const bool broken = part == 0 && state->arrival.broken;
    bool begins = broken;
    if (state->has_passed && !broken) {
        if (clump_velodyne_turn(state->passed, azimuth) > VELODYNE_TURN - VELODYNE_JITTER) return false;
        begins = clump_velodyne_turn(cut, azimuth) < clump_velodyne_turn(cut, state->passed);
    }
    state->passed = azimuth;
    state->has_passed = true;
    return begins;
}

static int64_t part_time(const void *opaque, size_t part)
{
    CLUMP_ASSERT(part < ((const velodyne_state *)opaque)->block_count);
    const velodyne_state *const state = opaque;
    const int64_t later = (int64_t)(state->blocks[part].firing * state->model->firing_us * 1000);
    int64_t time;
    return __builtin_add_overflow(state->arrival.time, later, &time) ? state->arrival.time : time;
}

static int part_azimuth(const void *opaque, size_t part)
{
    CLUMP_ASSERT(part < ((const velodyne_state *)opaque)->block_count);
    return (int)(((const velodyne_state *)opaque)->blocks[part].azimuth % VELODYNE_TURN);
}

static void append(void *opaque, size_t part, clump_io_filling *to)
{
    CLUMP_ASSERT(part < ((const velodyne_state *)opaque)->block_count);
    velodyne_state *const state = opaque;
    const int64_t since = (int64_t)((uint64_t)part_time(state, part) - (uint64_t)to->stamp);
    clump_velodyne_points_append(&state->optics, &state->blocks[part], (float)((double)since * 1e-9), state->dual, to);
}

static void restart(void *opaque)
{
    velodyne_state *const state = opaque;
    state->has_passed = false;
    state->mode_dual = state->dual;
    state->gap = 0;
    clump_velodyne_order_start(&state->order, packet_period(state, state->dual));
}

const clump_io_sensor clump_io_sensor_velodyne = {.maker = "Velodyne",
                                                  .recognise = recognise,
                                                  .create = create,
                                                  .destroy = free,
                                                  .model = model_name,
                                                  .note = note,
                                                  .fields = fields,
                                                  .most_points = most_points,
                                                  .begin = begin,
                                                  .cuts = cuts,
                                                  .part_time = part_time,
                                                  .append = append,
                                                  .restart = restart,
                                                  .azimuth = part_azimuth};
