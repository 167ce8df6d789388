/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hesai_calibration.c: the angles of one sensor, from the CSV file that its web page offers.
 *
 *     Laser id,Elevation,Azimuth
 *     1,14.882,-1.042
 *
 * Lines that do not begin with a digit are titles or checksums and are passed over.
 */
#include "number.h"
#include "sensors/hesai.h"

/* Reads the next number of the row and the comma before it, if `comma`. False: there is none. */
static bool read_column(const char **p, const char *end, bool comma, clump_io_number *number)
{
    while (*p < end && clump_io_is_blank(**p)) ++*p;
    if (comma) {
        if (*p == end || (**p != ',' && **p != ';')) return false;
        ++*p;
        while (*p < end && clump_io_is_blank(**p)) ++*p;
    }
    if (!clump_io_scan(*p, end, number) || number->special) return false;
    *p = number->end;
    return true;
}

static bool read_row(const char *p, const char *end, size_t channels, size_t *channel, clump_io_hesai_beam *beam)
{
    clump_io_number id, elevation, azimuth;
    uint64_t number;
    if (!read_column(&p, end, false, &id) || !clump_io_to_unsigned(&id, channels, &number) || number == 0) return false;
    if (!read_column(&p, end, true, &elevation) || !read_column(&p, end, true, &azimuth)) return false;
    *channel = (size_t)number - 1;
    beam->elevation = clump_io_to_float(&elevation);
    beam->azimuth = clump_io_to_float(&azimuth);
    return beam->elevation >= -90 && beam->elevation <= 90 && beam->azimuth >= -360 && beam->azimuth <= 360;
}

clump_status clump_io_hesai_read_beams(const clump_io_sensor_setup *setup, size_t channels, clump_io_hesai_beam *beams)
{
    const clump_io_where where = {setup->calibration_name, setup->where.message};
    const char *p = setup->calibration, *end = p + setup->calibration_size;
    bool seen[CLUMP_IO_HESAI_CHANNELS] = {false};
    size_t found = 0;
    for (unsigned long line = 1; p < end; line++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *row = p, *row_end = newline ? newline : end;
        p = newline ? newline + 1 : end;
        if (*row < '0' || *row > '9') continue;
        size_t channel;
        clump_io_hesai_beam beam;
        if (!read_row(row, row_end, channels, &channel, &beam))
            return clump_io_fail(&where, CLUMP_ERR_IO_FORMAT,
                                 "line %lu is not a channel from 1 to %zu, its elevation and its azimuth in degrees",
                                 line, channels);
        if (seen[channel])
            return clump_io_fail(&where, CLUMP_ERR_IO_FORMAT, "line %lu has channel %zu for the second time", line,
                                 channel + 1);
        seen[channel] = true;
        beams[channel] = beam;
        found++;
    }
    if (found < channels)
        return clump_io_fail(&where, CLUMP_ERR_IO_FORMAT, "the file has angles of %zu channels; the sensor has %zu",
                             found, channels);
    return CLUMP_OK;
}
