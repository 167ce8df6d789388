/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.c: updates of the adaptive models.
 *
 * Invariants that decoding relies on, for any symbols: counts are at least 1 and their sum at most 2^15 when shares
 * are computed, so shares ascend strictly and the last one is below 2^15. Between two updates a count grows by at most
 * (2048 + 6) x 8 and stays below 2^16.
 */
#include "laz/model.h"

enum {
    MODEL_LIMIT = 1 << CLUMP_IO_LAZ_SHARE_BITS,
    MODEL_BIT_LIMIT = 1 << CLUMP_IO_LAZ_BIT_BITS,
    MODEL_BIT_CYCLE = 64 /* longest cycle of a bit */
};

void clump_io_laz_model_update(clump_io_laz_head *head, clump_io_laz_slot *slots)
{
    const uint32_t symbols = head->symbols;
    uint32_t total = head->total + head->cycle;
    if (total > MODEL_LIMIT) {
        total = 0;
        for (uint32_t s = 0; s < symbols; s++) {
            slots[s].count = (uint16_t)((slots[s].count + 1) >> 1);
            total += slots[s].count;
        }
    }
    head->total = total;
    const uint32_t scale = 0x80000000u / total;
    uint32_t sum = 0;
    for (uint32_t s = 0; s < symbols; s++) {
        slots[s].low = (uint16_t)(scale * sum >> (31 - CLUMP_IO_LAZ_SHARE_BITS));
        sum += slots[s].count;
    }
    const uint32_t places = symbols > CLUMP_IO_LAZ_NO_TABLE ? (1u << CLUMP_IO_LAZ_TABLE_BITS) + 1 : 1;
    for (uint32_t t = 0, s = 0; t < places; t++) {
        while (slots[s + 1].low <= t << (CLUMP_IO_LAZ_SHARE_BITS - CLUMP_IO_LAZ_TABLE_BITS)) s++;
        head->table[t] = (uint16_t)s;
    }
    const uint32_t cycle = 5u * head->cycle >> 2, longest = (symbols + 6) << 3;
    head->left = head->cycle = (uint16_t)(cycle < longest ? cycle : longest);
}

void clump_io_laz_model_begin(clump_io_laz_head *head, clump_io_laz_slot *slots, unsigned symbols)
{
    head->total = 0;
    head->symbols = head->cycle = (uint16_t)symbols;
    head->shift = symbols > CLUMP_IO_LAZ_NO_TABLE ? CLUMP_IO_LAZ_SHARE_BITS - CLUMP_IO_LAZ_TABLE_BITS
                                                  : CLUMP_IO_LAZ_SHARE_BITS + 1;
    for (unsigned s = 0; s < symbols; s++) slots[s].count = 1;
    slots[symbols].low = UINT16_MAX;
    clump_io_laz_model_update(head, slots);
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
