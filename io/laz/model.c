/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.c: updates of the adaptive models.
 *
 * Invariants that decoding relies on, for any symbols: counts are at least 1 and their sum at most 2^15 when shares
 * are computed, so shares ascend strictly and the last one is below 2^15. Between two updates a count grows by at most
 * (2048 + 6) x 8 and stays below 2^16.
 */
#include "laz/model.h"

#include "common/assert.h"

#include <string.h>

enum {
    MODEL_LIMIT = 1 << CLUMP_IO_LAZ_SHARE_BITS,
    MODEL_BIT_LIMIT = 1 << CLUMP_IO_LAZ_BIT_BITS,
    MODEL_BIT_CYCLE = 64, /* longest cycle of a bit */
    MODEL_PLACES = (1 << CLUMP_IO_LAZ_TABLE_BITS) + 1
};

/* Sets table[t] to the last symbol whose low is at most t << CLUMP_IO_LAZ_PART_BITS. Without branches on lows, which
 * nothing predicts. */
static void fill_table(uint16_t *table, const uint16_t *lows, uint32_t symbols)
{
    const uint32_t part = 1u << CLUMP_IO_LAZ_PART_BITS;
    memset(table, 0, MODEL_PLACES * sizeof *table);
    for (uint32_t s = 0; s < symbols; s++) table[(lows[s] + part - 1) / part] = (uint16_t)s;
    for (uint32_t t = 1; t < MODEL_PLACES; t++) table[t] = table[t] > table[t - 1] ? table[t] : table[t - 1];
}

void clump_io_laz_model_update(clump_io_laz_head *head, uint16_t *lows, uint16_t *counts)
{
    const uint32_t symbols = head->symbols;
    uint32_t total = head->total + head->cycle;
    if (total > MODEL_LIMIT) {
        total = 0;
        for (uint32_t s = 0; s < symbols; s++) {
            counts[s] = (uint16_t)((counts[s] + 1) >> 1);
            total += counts[s];
        }
    }
    head->total = total;
    const uint32_t scale = 0x80000000u / total;
    uint32_t sum = 0;
    for (uint32_t s = 0; s < symbols; s++) {
        lows[s] = (uint16_t)(scale * sum >> (31 - CLUMP_IO_LAZ_SHARE_BITS));
        sum += counts[s];
    }
    fill_table(head->table, lows, symbols);
    const uint32_t cycle = 5u * head->cycle >> 2, longest = (symbols + 6) << 3;
    head->left = head->cycle = (uint16_t)(cycle < longest ? cycle : longest);
}

void clump_io_laz_model_begin(clump_io_laz_head *head, uint16_t *lows, uint16_t *counts, unsigned symbols)
{
    CLUMP_ASSERT(symbols >= 2);
    head->total = 0;
    head->symbols = head->cycle = (uint16_t)symbols;
    for (unsigned s = 0; s < symbols; s++) counts[s] = 1;
    for (unsigned s = symbols; s < symbols + CLUMP_IO_LAZ_SENTINELS; s++) lows[s] = MODEL_LIMIT;
    clump_io_laz_model_update(head, lows, counts);
    head->left = head->cycle = (uint16_t)((symbols + 6) >> 1);
}

void clump_io_laz_bit_begin(clump_io_laz_bit *bit)
{
    *bit = (clump_io_laz_bit){.zeros = 1, .total = 2, .share = MODEL_BIT_LIMIT / 2, .cycle = 4, .left = 4};
}

void clump_io_laz_bit_update(clump_io_laz_bit *bit)
{
    uint32_t total = (uint32_t)bit->total + bit->cycle, zeros = bit->zeros;
    if (total > MODEL_BIT_LIMIT) {
        total = (total + 1) >> 1;
        zeros = (zeros + 1) >> 1;
        if (zeros == total) total++;
    }
    const uint32_t scale = 0x80000000u / total, cycle = 5u * bit->cycle >> 2;
    bit->zeros = (uint16_t)zeros;
    bit->total = (uint16_t)total;
    bit->share = (uint16_t)(zeros * scale >> (31 - CLUMP_IO_LAZ_BIT_BITS));
    bit->left = bit->cycle = (uint16_t)(cycle < MODEL_BIT_CYCLE ? cycle : MODEL_BIT_CYCLE);
}
