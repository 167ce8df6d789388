/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.h: adaptive models of the range coder: how likely each symbol is, learned from the symbols so far.
 *
 *     lows     0    3000   3100   9000 ...  32768     share of the symbols before this one, of 2^15
 *     counts   30   1      59     ...                 how often it was seen
 *     table    first symbol to look at, per 1/64 of the share
 *
 * Encoder and decoder update a model after the same symbols: every `cycle` of them, first often, then rarely.
 * Counts, shares and cycles are those of LASzip. The table is only a short cut and could be any.
 */
#ifndef CLUMP_IO_LAZ_MODEL_H
#define CLUMP_IO_LAZ_MODEL_H

#include <stdint.h>

#define CLUMP_IO_LAZ_SHARE_BITS 15 /* shares of symbols are of 2^15 */
#define CLUMP_IO_LAZ_BIT_BITS   13 /* shares of bits are of 2^13 */
#define CLUMP_IO_LAZ_TABLE_BITS 6  /* measured on Neoverse V1: decoding is 5 % slower with 5 bits, 1 % with 7 bits */
#define CLUMP_IO_LAZ_PART_BITS  9  /* of a share, per place in the table */
#define CLUMP_IO_LAZ_SENTINELS  4  /* entries behind the last symbol; the search reads 4 at once */

typedef struct clump_io_laz_head {
    uint32_t total;          /* of all counts, when they were last summed */
    uint16_t symbols, cycle; /* cycle: symbols between two updates */
    uint16_t left;           /* symbols until the next update */
    uint16_t table[(1 << CLUMP_IO_LAZ_TABLE_BITS) + 1];
} clump_io_laz_head;

/* The type of a model with n symbols, 2 to 2048. The lows of sentinels are 2^15. */
#define CLUMP_IO_LAZ_MODEL(n)                                                                                          \
    struct {                                                                                                           \
        clump_io_laz_head head;                                                                                        \
        uint16_t lows[(n) + CLUMP_IO_LAZ_SENTINELS], counts[n];                                                        \
    }
typedef CLUMP_IO_LAZ_MODEL(256) clump_io_laz_model256;

/* The three arguments that functions take for a model of any size. */
#define CLUMP_IO_LAZ_PARTS(model) &(model)->head, (model)->lows, (model)->counts

/* Makes all symbols equally likely. lows has symbols + CLUMP_IO_LAZ_SENTINELS entries, counts has symbols. */
void clump_io_laz_model_begin(clump_io_laz_head *head, uint16_t *lows, uint16_t *counts, unsigned symbols);

/* Computes the shares from the counts. */
void clump_io_laz_model_update(clump_io_laz_head *head, uint16_t *lows, uint16_t *counts);

/* A model of two symbols, with shares of its own precision. */
typedef struct clump_io_laz_bit {
    uint16_t zeros, total, share; /* share of the zeros */
    uint16_t cycle, left;
} clump_io_laz_bit;
void clump_io_laz_bit_begin(clump_io_laz_bit *bit);
void clump_io_laz_bit_update(clump_io_laz_bit *bit);

#endif
