/* SPDX-License-Identifier: BSD-3-Clause
 *
 * colour14.c: the layers of red green blue, and of infrared.
 *
 *     changes   which bytes differ from the last colour, and whether the three colours differ from each other
 *     bytes     of red: the difference from the last one
 *               of green: the same, plus the step of red; of blue: plus the mean of both steps
 *
 * 8-bit colours that fill 16 bits in either way so cost no more than 8 bits.
 */
#include "laz/layers.h"

#include "common/assert.h"

enum { RED_LOW = 1, RED_HIGH = 2, GREEN_LOW = 4, GREEN_HIGH = 8, BLUE_LOW = 16, BLUE_HIGH = 32, COLOURED = 64 };

static void set_up(clump_io_laz_colours *layer, unsigned channel, unsigned changes, size_t bytes)
{
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&layer->changes[channel]), changes);
    for (size_t i = 0; i < bytes; i++) clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&layer->bytes[channel][i]), 256);
}

/* Enters the channel of a point; returns the last colour to predict from and to replace. */
CLUMP_IO_LAZ_INLINE uint16_t *enter(clump_io_laz_colours *layer, unsigned channel, unsigned changes, size_t bytes)
{
    unsigned from;
    bool is_new;
    const unsigned owner = clump_io_laz_follow(&layer->follower, channel, &from, &is_new);
    if (__builtin_expect(is_new, 0)) {
        set_up(layer, owner, changes, bytes);
        memcpy(layer->last[owner], layer->last[from], sizeof layer->last[owner]);
    }
    return layer->last[owner];
}

/* Value plus step, within a byte. */
static inline int32_t clamp(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* --- red green blue --------------------------------------------------------------------------- */

/* The bytes of a colour, or of half of three colours: [0] red, [1] green, [2] blue. */
typedef struct triple {
    int32_t of[3];
} triple;

static inline triple half(const uint16_t colour[3], unsigned shift)
{
    return (triple){{colour[0] >> shift & 255, colour[1] >> shift & 255, colour[2] >> shift & 255}};
}

/* What green and blue are predicted from, where their byte changes. */
static inline int32_t expect_green(const triple *last, const triple *now)
{
    return clamp(now->of[0] - last->of[0] + last->of[1]);
}
static inline int32_t expect_blue(const triple *last, const triple *now)
{
    return clamp((now->of[0] - last->of[0] + now->of[1] - last->of[1]) / 2 + last->of[2]);
}

/* Decodes byte k of six, if it changed: low bytes are 0 2 4, high bytes 1 3 5. */
CLUMP_IO_LAZ_INLINE int32_t decode_byte(clump_io_laz_decoder *d, clump_io_laz_model256 *models, unsigned changes,
                                        unsigned k, int32_t last, int32_t expected)
{
    CLUMP_ASSERT(k < 6);
    if (!(changes >> k & 1u)) return last;
    return (expected + (int32_t)clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&models[k]))) & 255;
}

void clump_io_laz_rgb_begin(clump_io_laz_colours *layer, const unsigned char *first, unsigned version)
{
    layer->follower = clump_io_laz_follower_of(first, version);
    set_up(layer, layer->follower.channel, 128, 6);
    memcpy(layer->last[layer->follower.channel], first + CLUMP_IO_LAZ_AT_RGB, 6);
}

/* Green and blue of one half, low or high. */
CLUMP_IO_LAZ_INLINE void decode_others(clump_io_laz_decoder *d, clump_io_laz_model256 *models, unsigned changes,
                                       unsigned high, const triple *last, triple *now)
{
    now->of[1] = decode_byte(d, models, changes, 2 + high, last->of[1], expect_green(last, now));
    now->of[2] = decode_byte(d, models, changes, 4 + high, last->of[2], expect_blue(last, now));
}

void clump_io_laz_rgb_decode(clump_io_laz_colours *layer, clump_io_laz_decoder *decoder, const clump_io_laz_span *span)
{
    clump_io_laz_decoder d = *decoder;
    unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        uint16_t *const colour = enter(layer, clump_io_laz_mark_channel(span->marks[i]), 128, 6);
        clump_io_laz_model256 *const models = layer->bytes[layer->follower.context];
        const unsigned changes = clump_io_laz_decode(&d, CLUMP_IO_LAZ_PARTS(&layer->changes[layer->follower.context]));
        const triple last_low = half(colour, 0), last_high = half(colour, 8);
        triple low, high;
        low.of[0] = decode_byte(&d, models, changes, 0, last_low.of[0], last_low.of[0]);
        high.of[0] = decode_byte(&d, models, changes, 1, last_high.of[0], last_high.of[0]);
        if (changes & COLOURED) {
            decode_others(&d, models, changes, 0, &last_low, &low);
            decode_others(&d, models, changes, 1, &last_high, &high);
        } else {
            low.of[1] = low.of[2] = low.of[0];
            high.of[1] = high.of[2] = high.of[0];
        }
        for (size_t k = 0; k < 3; k++) colour[k] = (uint16_t)(low.of[k] | high.of[k] << 8);
        memcpy(record + CLUMP_IO_LAZ_AT_RGB, colour, 6);
    }
    *decoder = d;
}

CLUMP_IO_LAZ_INLINE void encode_byte(clump_io_laz_encoder *e, clump_io_laz_model256 *models, unsigned changes,
                                     unsigned k, int32_t now, int32_t expected)
{
    if (changes >> k & 1u) clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&models[k]), (uint32_t)(now - expected) & 255u);
}

/* Which of the six bytes differ; and whether the colours do, by which all bytes count. */
static inline unsigned compare(const uint16_t last[3], const uint16_t now[3])
{
    unsigned changes = now[0] != now[1] || now[0] != now[2] ? COLOURED : 0;
    for (unsigned k = 0; k < 3; k++) {
        const unsigned differs = (unsigned)(last[k] ^ now[k]);
        changes |= (differs & 255u ? 1u : 0u) << (2 * k) | (differs >> 8 ? 2u : 0u) << (2 * k);
    }
    return changes;
}

void clump_io_laz_rgb_encode(clump_io_laz_colours *layer, clump_io_laz_encoder *encoder, const clump_io_laz_span *span)
{
    clump_io_laz_encoder e = *encoder;
    const unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        uint16_t *const colour = enter(layer, clump_io_laz_mark_channel(span->marks[i]), 128, 6), now[3];
        clump_io_laz_model256 *const models = layer->bytes[layer->follower.context];
        memcpy(now, record + CLUMP_IO_LAZ_AT_RGB, 6);
        const unsigned changes = compare(colour, now);
        clump_io_laz_encode(&e, CLUMP_IO_LAZ_PARTS(&layer->changes[layer->follower.context]), changes);
        const triple last_low = half(colour, 0), last_high = half(colour, 8), low = half(now, 0), high = half(now, 8);
        encode_byte(&e, models, changes, 0, low.of[0], last_low.of[0]);
        encode_byte(&e, models, changes, 1, high.of[0], last_high.of[0]);
        if (changes & COLOURED) {
            encode_byte(&e, models, changes, 2, low.of[1], expect_green(&last_low, &low));
            encode_byte(&e, models, changes, 4, low.of[2], expect_blue(&last_low, &low));
            encode_byte(&e, models, changes, 3, high.of[1], expect_green(&last_high, &high));
            encode_byte(&e, models, changes, 5, high.of[2], expect_blue(&last_high, &high));
        }
        memcpy(colour, now, 6);
    }
    *encoder = e;
}

/* --- infrared --------------------------------------------------------------------------------- */

void clump_io_laz_nir_begin(clump_io_laz_colours *layer, const unsigned char *first, unsigned version)
{
    layer->follower = clump_io_laz_follower_of(first, version);
    set_up(layer, layer->follower.channel, 4, 2);
    memcpy(layer->last[layer->follower.channel], first + CLUMP_IO_LAZ_AT_NIR, 2);
}

void clump_io_laz_nir_decode(clump_io_laz_colours *layer, clump_io_laz_decoder *decoder, const clump_io_laz_span *span)
{
    clump_io_laz_decoder d = *decoder;
    unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        uint16_t *const nir = enter(layer, clump_io_laz_mark_channel(span->marks[i]), 4, 2);
        clump_io_laz_model256 *const models = layer->bytes[layer->follower.context];
        const unsigned changes = clump_io_laz_decode(&d, CLUMP_IO_LAZ_PARTS(&layer->changes[layer->follower.context]));
        const int32_t low = decode_byte(&d, models, changes, 0, *nir & 255, *nir & 255);
        const int32_t high = decode_byte(&d, models, changes, 1, *nir >> 8, *nir >> 8);
        *nir = (uint16_t)(low | high << 8);
        memcpy(record + CLUMP_IO_LAZ_AT_NIR, nir, 2);
    }
    *decoder = d;
}

void clump_io_laz_nir_encode(clump_io_laz_colours *layer, clump_io_laz_encoder *encoder, const clump_io_laz_span *span)
{
    clump_io_laz_encoder e = *encoder;
    const unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        uint16_t *const nir = enter(layer, clump_io_laz_mark_channel(span->marks[i]), 4, 2), now;
        clump_io_laz_model256 *const models = layer->bytes[layer->follower.context];
        memcpy(&now, record + CLUMP_IO_LAZ_AT_NIR, 2);
        const unsigned differs = (unsigned)(*nir ^ now),
                       changes = (differs & 255u ? 1u : 0u) | (differs >> 8 ? 2u : 0u);
        clump_io_laz_encode(&e, CLUMP_IO_LAZ_PARTS(&layer->changes[layer->follower.context]), changes);
        encode_byte(&e, models, changes, 0, now & 255, *nir & 255);
        encode_byte(&e, models, changes, 1, now >> 8, *nir >> 8);
        *nir = now;
    }
    *encoder = e;
}
