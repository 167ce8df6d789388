/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hesai.c: packets of Hesai sensors to points.
 *
 * A part is a block, or with several returns the blocks of one azimuth. With azimuth a of the block, offset o and elevation
 * e of the channel, a measurement at distance d is
 *
 *     x = d cos(e) sin(a + o)   y = d cos(e) cos(a + o)   z = d sin(e)        y is where azimuth 0 points, z is up
 *
 * Sine and cosine of a are computed once per part; those of o and e once per sensor. The addition theorem does the rest.
 */
#include "sensors/hesai.h"

#include "common/assert.h"

#include <math.h>
#include <stdlib.h>

/* What is computed once per channel. */
typedef struct hesai_channel {
    float along, across; /* cos(e) cos(o), cos(e) sin(o) */
    float up;            /* sin(e) */
    float delay;         /* seconds after the part */
    uint16_t ring;
} hesai_channel;

typedef struct hesai_state {
    const clump_io_hesai_model *model;
    hesai_channel channels[CLUMP_IO_HESAI_CHANNELS];
    int64_t first_delay; /* nanoseconds, the least of all channels */
    size_t stride;       /* bytes per block */
    bool several;        /* the first packet had several returns: points have the field "return" */
    clump_io_hesai_sequence sequence;
    clump_io_hesai_clock clock;
    clump_io_hesai_turn turn;

    /* The packet. */
    const unsigned char *blocks;
    size_t returns; /* blocks per part */
    uint32_t unit;  /* millimetres */
    int64_t time, period;
} hesai_state;

static bool recognise(const unsigned char *packet, size_t size)
{
    return clump_io_hesai_model_of(packet, size) || clump_io_hesai_other_model(packet, size);
}

static int64_t firing_time(const clump_io_hesai_model *model, size_t channel)
{
    CLUMP_ASSERT(channel < model->channels);
    return model->firing ? model->firing[channel]
                         : (int64_t)model->firing_step * (int64_t)(channel % model->firing_group);
}

/* Whether channel a is below channel b. Equal elevations are in the order of the channels. */
static bool is_lower(const clump_io_hesai_beam *beams, size_t a, size_t b)
{
    return beams[a].elevation < beams[b].elevation || (a < b && !(beams[a].elevation > beams[b].elevation));
}

static void prepare_channels(hesai_state *state, const clump_io_hesai_beam *beams)
{
    const double degree = 3.14159265358979323846 / 180;
    const size_t count = state->model->channels;
    state->first_delay = INT64_MAX;
    for (size_t c = 0; c < count; c++) {
        const int64_t delay = firing_time(state->model, c);
        if (delay < state->first_delay) state->first_delay = delay;
    }
    for (size_t c = 0; c < count; c++) {
        hesai_channel *channel = &state->channels[c];
        const double elevation = (double)beams[c].elevation * degree, azimuth = (double)beams[c].azimuth * degree;
        channel->along = (float)(cos(elevation) * cos(azimuth));
        channel->across = (float)(cos(elevation) * sin(azimuth));
        channel->up = (float)sin(elevation);
        channel->delay = (float)((double)(firing_time(state->model, c) - state->first_delay) * 1e-9);
        for (size_t other = 0; other < count; other++)
            if (is_lower(beams, other, c)) channel->ring++;
    }
}

static const unsigned char *block_at(const hesai_state *state, size_t block)
{
    return state->blocks + block * state->stride + state->model->block_mark;
}

/* Returns the number of blocks per azimuth. */
static size_t count_returns(const hesai_state *state, unsigned char mode)
{
    switch (mode) {
    case 0x33:
    case 0x34:
    case 0x37:
    case 0x38:
        return 1; /* first, second, strongest, last */
    case 0x39:
    case 0x3a:
    case 0x3b:
    case 0x3c:
    case 0x3e:
        return 2;
    case 0x3d:
        return 3;
    default:
        return clump_io_u16(block_at(state, 0)) == clump_io_u16(block_at(state, 1)) ? 2 : 1;
    }
}

static clump_status create(const clump_io_sensor_setup *setup, const clump_io_packet *first, void **out)
{
    *out = NULL;
    const clump_io_hesai_model *model = clump_io_hesai_model_of(first->bytes, first->size);
    if (!model) {
        const char *name = clump_io_hesai_other_model(first->bytes, first->size);
        return clump_io_fail(&setup->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "packets of %zu bytes of a Hesai %s are not decoded; those of %s are", first->size,
                             name ? name : "sensor", CLUMP_IO_HESAI_MODELS);
    }
    clump_io_hesai_beam beams[CLUMP_IO_HESAI_CHANNELS];
    if (setup->calibration)
        CLUMP_IO_TRY(clump_io_hesai_read_beams(setup, model->channels, beams));
    else
        memcpy(beams, model->beams, model->channels * sizeof *beams);
    hesai_state *state = calloc(1, sizeof *state);
    if (!state) return clump_io_no_memory(&setup->where, sizeof *state);
    state->model = model;
    state->stride = model->block_mark + 2u + (size_t)model->channels * model->measurement;
    prepare_channels(state, beams);
    state->blocks = first->bytes + model->header;
    state->several = count_returns(state, first->bytes[model->return_mode_at]) > 1;
    *out = state;
    return CLUMP_OK;
}

static const char *model_name(const void *state)
{
    return ((const hesai_state *)state)->model->name;
}

static const clump_io_shape *fields(const void *state, size_t *count)
{
    return clump_io_usual_fields(((const hesai_state *)state)->several, count);
}

static size_t most_points(const void *state)
{
    return (size_t)3 * ((const hesai_state *)state)->model->channels;
}

/* Returns the time of one turn. Speeds that no model has mean the usual 10 turns per second. */
static int64_t turn_time(unsigned speed)
{
    return speed >= 60 && speed <= 3000 ? 60000000000LL / speed : 100000000;
}

/* Whether a packet is one of those that sensors send besides data: positions (512 bytes), faults (CD DC). */
static bool is_side_packet(const clump_io_packet *packet)
{
    if (packet->size < 2) return false;
    return (packet->size == 512 && packet->bytes[0] == 0xff && packet->bytes[1] == 0xee) ||
           (packet->bytes[0] == 0xcd && packet->bytes[1] == 0xdc);
}

static size_t begin(void *at, const clump_io_packet *packet, bool *damaged, uint64_t *lost, uint64_t *reordered)
{
    hesai_state *state = at;
    const clump_io_hesai_model *model = state->model;
    *damaged = false, *lost = *reordered = 0;
    if (clump_io_hesai_model_of(packet->bytes, packet->size) != model) {
        *damaged = !is_side_packet(packet);
        return 0;
    }
    const unsigned char *bytes = packet->bytes;
    state->blocks = bytes + model->header;
    state->unit = model->unit_at ? bytes[model->unit_at] : 4;
    state->returns = count_returns(state, bytes[model->return_mode_at]);
    bool sound = state->unit > 0 && model->blocks % state->returns == 0;
    for (size_t b = 0; b < model->blocks; b++) sound = sound && clump_io_u16(block_at(state, b)) <= 36000;
    if (!sound) {
        *damaged = true;
        return 0;
    }
    const uint32_t micros = clump_io_u32(bytes + model->micros_at);
    if (packet->size >= model->sequence_at + 4u &&
        !clump_io_hesai_count(&state->sequence, clump_io_u32(bytes + model->sequence_at), micros, lost, reordered))
        return 0;
    state->time = clump_io_hesai_time(&state->clock, bytes + model->date_at, micros, packet->received);
    state->period = turn_time(clump_io_u16(bytes + model->speed_at));
    return model->blocks / state->returns;
}

static int64_t part_time(const void *at, size_t part)
{
    const hesai_state *state = at;
    const clump_io_hesai_model *model = state->model;
    const int64_t last = (int64_t)(model->blocks / state->returns) - 1;
    const int64_t steps = (int64_t)part - (model->block_to_last ? last : 0);
    return state->time + model->block_first + model->block_step * steps + state->first_delay;
}

static int part_azimuth(const void *at, size_t part)
{
    const hesai_state *state = at;
    return clump_io_u16(block_at(state, part * state->returns)) % 36000;
}

static bool cuts(void *at, size_t part)
{
    hesai_state *state = at;
    return clump_io_hesai_turns(&state->turn, part_azimuth(state, part), part_time(state, part), state->period);
}

/* Whether an earlier return of the part has the same distance: the sensor repeats a return where there is no other. */
static bool is_repeated(const hesai_state *state, size_t block, size_t nth, size_t offset, uint16_t distance)
{
    for (size_t r = 0; r < nth; r++)
        if (clump_io_u16(block_at(state, block + r) + offset) == distance) return true;
    return false;
}

static void append(void *at, size_t part, clump_io_filling *to)
{
    const hesai_state *state = at;
    const clump_io_hesai_model *model = state->model;
    if (to->room < to->count || to->room - to->count < most_points(state)) return;
    const size_t block = part * state->returns;
    const double azimuth = clump_io_u16(block_at(state, block)) * (3.14159265358979323846 / 18000);
    const float sine = (float)sin(azimuth), cosine = (float)cos(azimuth), minus_sine = -sine;
    const float time = (float)((double)(part_time(state, part) - to->stamp) * 1e-9);
    /* A sum beside a difference would become a fused multiply-add under AVX2 (gcc 12), with other bits: minus_sine. */
    float *intensity = to->fields[0], *times = to->fields[2];
    uint16_t *ring = to->fields[1];
    uint8_t *returns = state->several ? to->fields[3] : NULL;
    size_t n = to->count;
    for (size_t r = 0; r < state->returns; r++) {
        const unsigned char *measurements = block_at(state, block + r) + 2;
        for (size_t c = 0; c < model->channels; c++) {
            const unsigned char *measurement = measurements + c * model->measurement;
            const uint16_t units = clump_io_u16(measurement);
            const uint32_t millimetres = units * state->unit;
            if (millimetres < model->nearest) continue;
            if (r > 0 && is_repeated(state, block, r, 2 + c * model->measurement, units)) continue;
            const hesai_channel *channel = &state->channels[c];
            const float distance = (float)millimetres / 1000;
            to->xyz[3 * n] = distance * (sine * channel->along + cosine * channel->across);
            to->xyz[3 * n + 1] = distance * (cosine * channel->along + minus_sine * channel->across);
            to->xyz[3 * n + 2] = distance * channel->up;
            intensity[n] = measurement[2];
            ring[n] = channel->ring;
            times[n] = time + channel->delay;
            if (returns) returns[n] = (uint8_t)r;
            n++;
        }
    }
    to->count = n;
}

static void restart(void *at)
{
    hesai_state *state = at;
    state->sequence.known = false;
    state->turn.known = false;
}

const clump_io_sensor clump_io_sensor_hesai = {.maker = "Hesai",
                                               .recognise = recognise,
                                               .create = create,
                                               .destroy = free,
                                               .model = model_name,
                                               .fields = fields,
                                               .most_points = most_points,
                                               .begin = begin,
                                               .cuts = cuts,
                                               .part_time = part_time,
                                               .append = append,
                                               .restart = restart,
                                               .azimuth = part_azimuth};
