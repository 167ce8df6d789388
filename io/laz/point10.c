/* SPDX-License-Identifier: BSD-3-Clause
 *
 * point10.c: the tables and models of the first 20 bytes of a point.
 */
#include "laz/point10.h"

/* As LASzip has it: row: number of returns, column: return number. */
const uint8_t clump_io_laz_return_map[8][8] = {
    {15, 14, 13, 12, 11, 10, 9, 8},  {14, 0, 1, 3, 6, 10, 10, 9},    {13, 1, 2, 4, 7, 11, 11, 10},
    {12, 3, 4, 5, 8, 12, 12, 11},    {11, 6, 7, 8, 9, 13, 13, 12},   {10, 10, 11, 12, 13, 14, 14, 13},
    {9, 10, 11, 12, 13, 14, 15, 14}, {8, 9, 10, 11, 12, 13, 14, 15},
};

void clump_io_laz_byte_model_begin(clump_io_laz_byte_models *models, uint8_t value)
{
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&models->models[value]), 256);
    models->ready[value >> 6] |= (uint64_t)1 << (value & 63);
}

void clump_io_laz_point10_begin(clump_io_laz_point10 *state)
{
    clump_io_laz_integer_begin(&state->x, 32);
    clump_io_laz_integer_begin(&state->y, 32);
    clump_io_laz_integer_begin(&state->z, 32);
    clump_io_laz_integer_begin(&state->intensity, 16);
    clump_io_laz_integer_begin(&state->source, 16);
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&state->changed), 64);
    for (int i = 0; i < 2; i++) clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&state->angle[i]), 256);
    memset(state->x_steps, 0, sizeof state->x_steps);
    memset(state->y_steps, 0, sizeof state->y_steps);
    memset(state->heights, 0, sizeof state->heights);
    memset(state->intensities, 0, sizeof state->intensities);
    memset(state->flags.ready, 0, sizeof state->flags.ready);
    memset(state->classes.ready, 0, sizeof state->classes.ready);
    memset(state->users.ready, 0, sizeof state->users.ready);
}
