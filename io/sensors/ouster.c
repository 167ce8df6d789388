/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ouster.c: to come.
 */
#include "sensors/sensor.h"

static bool recognise(const unsigned char *packet, size_t size)
{
    (void)packet, (void)size;
    return false;
}

const clump_io_sensor clump_io_sensor_ouster = {.maker = "Ouster", .recognise = recognise};
