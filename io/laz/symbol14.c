/* SPDX-License-Identifier: BSD-3-Clause
 *
 * symbol14.c: the layers of classification, flags and user data: a symbol per point, whose model is chosen by the value of
 * the channel's last point.
 */
#include "laz/layers.h"

#include "common/assert.h"

/* The value of a point. Flags are without the channel: 4 flags of the class, direction, edge. */
CLUMP_IO_LAZ_INLINE uint8_t get_symbol(const unsigned char *record, clump_io_laz_symbol_kind kind)
{
    const uint8_t flags = record[CLUMP_IO_LAZ_AT_FLAGS];
    if (kind == CLUMP_IO_LAZ_SYMBOL_FLAGS) return (uint8_t)((flags & 15u) | (flags >> 2 & 0x30u));
    return record[kind == CLUMP_IO_LAZ_SYMBOL_CLASS ? CLUMP_IO_LAZ_AT_CLASS : CLUMP_IO_LAZ_AT_USER];
}

CLUMP_IO_LAZ_INLINE void put_symbol(unsigned char *record, clump_io_laz_symbol_kind kind, uint32_t symbol)
{
    const unsigned channel = record[CLUMP_IO_LAZ_AT_FLAGS] & 0x30u;
    if (kind == CLUMP_IO_LAZ_SYMBOL_FLAGS)
        record[CLUMP_IO_LAZ_AT_FLAGS] = (uint8_t)((symbol & 15u) | channel | (symbol & 0x30u) << 2);
    else
        record[kind == CLUMP_IO_LAZ_SYMBOL_CLASS ? CLUMP_IO_LAZ_AT_CLASS : CLUMP_IO_LAZ_AT_USER] = (uint8_t)symbol;
}

void clump_io_laz_symbols_begin(clump_io_laz_symbols *layer, clump_io_laz_symbol_kind kind, const unsigned char *first)
{
    layer->kind = kind;
    layer->channel = clump_io_laz_channel_of(first);
    layer->used = 1u << layer->channel;
    layer->last[layer->channel] = get_symbol(first, kind);
    memset(layer->ready, 0, sizeof layer->ready);
}

static void enter(clump_io_laz_symbols *layer, unsigned channel)
{
    CLUMP_ASSERT(channel < 4);
    if (!(layer->used >> channel & 1u)) layer->last[channel] = layer->last[layer->channel];
    layer->used |= 1u << channel;
    layer->channel = channel;
}

/* Returns the model of the next point, in the layer's channel. */
CLUMP_IO_LAZ_INLINE clump_io_laz_model256 *model_of(clump_io_laz_symbols *layer, clump_io_laz_symbol_kind kind,
                                                    clump_io_laz_mark mark)
{
    const unsigned channel = layer->channel, last = layer->last[channel];
    unsigned context = last;
    if (kind == CLUMP_IO_LAZ_SYMBOL_CLASS) context = (last & 31u) << 1 | (clump_io_laz_mark_place(mark) == 3);
    if (kind == CLUMP_IO_LAZ_SYMBOL_USER) context = last >> 2;
    clump_io_laz_model256 *const model = &layer->models[channel][context];
    if (__builtin_expect(!(layer->ready[channel] >> context & 1u), 0)) {
        clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(model), kind == CLUMP_IO_LAZ_SYMBOL_FLAGS ? 64 : 256);
        layer->ready[channel] |= (uint64_t)1 << context;
    }
    return model;
}

CLUMP_IO_LAZ_INLINE void decode(clump_io_laz_symbols *layer, clump_io_laz_symbol_kind kind,
                                clump_io_laz_decoder *decoder, const clump_io_laz_span *span)
{
    clump_io_laz_decoder d = *decoder;
    unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        const unsigned channel = clump_io_laz_mark_channel(span->marks[i]);
        if (__builtin_expect(channel != layer->channel, 0)) enter(layer, channel);
        clump_io_laz_model256 *const model = model_of(layer, kind, span->marks[i]);
        const uint32_t symbol = clump_io_laz_decode_again(&d, CLUMP_IO_LAZ_PARTS(model), layer->last[channel]);
        layer->last[channel] = (uint8_t)symbol;
        put_symbol(record, kind, symbol);
    }
    *decoder = d;
}

CLUMP_IO_LAZ_INLINE void encode(clump_io_laz_symbols *layer, clump_io_laz_symbol_kind kind,
                                clump_io_laz_encoder *encoder, const clump_io_laz_span *span)
{
    clump_io_laz_encoder e = *encoder;
    const unsigned char *record = span->records;
    for (size_t i = 0; i < span->count; i++, record += span->record) {
        const unsigned channel = clump_io_laz_mark_channel(span->marks[i]);
        if (__builtin_expect(channel != layer->channel, 0)) enter(layer, channel);
        clump_io_laz_model256 *const model = model_of(layer, kind, span->marks[i]);
        const uint8_t symbol = get_symbol(record, kind);
        clump_io_laz_encode(&e, CLUMP_IO_LAZ_PARTS(model), symbol);
        layer->last[channel] = symbol;
    }
    *encoder = e;
}

/* Each case is a loop of its own, for one kind. */
#define FOR_EACH_KIND(work, coder)                                                                                     \
    switch (layer->kind) {                                                                                             \
    case CLUMP_IO_LAZ_SYMBOL_CLASS:                                                                                    \
        work(layer, CLUMP_IO_LAZ_SYMBOL_CLASS, coder, span);                                                           \
        break;                                                                                                         \
    case CLUMP_IO_LAZ_SYMBOL_FLAGS:                                                                                    \
        work(layer, CLUMP_IO_LAZ_SYMBOL_FLAGS, coder, span);                                                           \
        break;                                                                                                         \
    case CLUMP_IO_LAZ_SYMBOL_USER:                                                                                     \
        work(layer, CLUMP_IO_LAZ_SYMBOL_USER, coder, span);                                                            \
        break;                                                                                                         \
    }

void clump_io_laz_symbols_decode(clump_io_laz_symbols *layer, clump_io_laz_decoder *decoder,
                                 const clump_io_laz_span *span)
{
    FOR_EACH_KIND(decode, decoder)
}

void clump_io_laz_symbols_encode(clump_io_laz_symbols *layer, clump_io_laz_encoder *encoder,
                                 const clump_io_laz_span *span)
{
    FOR_EACH_KIND(encode, encoder)
}
