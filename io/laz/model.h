/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.h: adaptive models of the range coder: how likely each symbol is, learned from the symbols so far.
 *
 *     slots   low    0    3000   3100   9000 ...  65535     share of the symbols before this one, of 2^15
 *             count  30   1      59     ...                 how often it was seen
 *     table   first symbol to look at, per 1/64 of the share
 *
 * Encoder and decoder update a model after the same symbols: every `cycle` of them, first often, then rarely.
 * Counts, shares and cycles are those of LASzip. The table is only a short cut and could be any.
 */
#ifndef CLUMP_IO_LAZ_MODEL_H
#define CLUMP_IO_LAZ_MODEL_H

#include <stdint.h>

#define CLUMP_IO_LAZ_SHARE_BITS 15 /* shares of symbols are of 2^15 */
#define CLUMP_IO_LAZ_BIT_BITS   13 /* shares of bits are of 2^13 */
#define CLUMP_IO_LAZ_TABLE_BITS 6
#define CLUMP_IO_LAZ_NO_TABLE   16 /* symbols: models of at most this many are searched from the first symbol on */

typedef struct clump_io_laz_slot {
    uint16_t low, count;
} clump_io_laz_slot;

typedef struct clump_io_laz_head {
    uint32_t total;          /* of all counts, when they were last summed */
    uint16_t symbols, cycle; /* cycle: symbols between two updates */
    uint16_t left;           /* symbols until the next update */
    uint16_t shift;          /* share >> shift is a place in the table */
    uint16_t table[(1 << CLUMP_IO_LAZ_TABLE_BITS) + 1];
} clump_io_laz_head;

/* The type of a model with n symbols, 2 to 2048. The last slot is a sentinel. */
#define CLUMP_IO_LAZ_MODEL(n)                                                                                          \
    struct {                                                                                                           \
        clump_io_laz_head head;                                                                                        \
        clump_io_laz_slot slots[(n) + 1];                                                                              \
    }
typedef CLUMP_IO_LAZ_MODEL(256) clump_io_laz_model256;

/* The two arguments that functions take for a model of any size. */
#define CLUMP_IO_LAZ_PARTS(model) &(model)->head, (model)->slots

/* Makes all symbols equally likely. slots has symbols + 1 entries. */
void clump_io_laz_model_begin(clump_io_laz_head *head, clump_io_laz_slot *slots, unsigned symbols);

/* Computes the shares from the counts. */
void clump_io_laz_model_update(clump_io_laz_head *head, clump_io_laz_slot *slots);

/* A model of two symbols, with shares of its own precision. */
typedef struct clump_io_laz_bit {
    uint16_t zeros, total, share; /* share of the zeros */
    uint16_t cycle, left;
} clump_io_laz_bit;
void clump_io_laz_bit_begin(clump_io_laz_bit *bit);
void clump_io_laz_bit_update(clump_io_laz_bit *bit);

#endif
