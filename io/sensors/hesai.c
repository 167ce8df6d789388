/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hesai.c: to come.
 */
#include "sensors/sensor.h"

static bool recognise(const unsigned char *packet, size_t size)
{
    (void)packet, (void)size;
    return false;
}

const clump_io_sensor clump_io_sensor_hesai = {.maker = "Hesai", .recognise = recognise};
