/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_velodyne.c: the fuzz target for packets and calibration files of Velodyne. The first byte is odd for a
 * calibration file: the second is then the product. Else packets of 1206 bytes follow, the last may be shorter.
 */
#include "target.h"

#include "support/velodyne_run.h"
#include "support/velodyne_sample.h"

#include <math.h>

static void check_frame(void *user, const clump_io_filling *filling)
{
    (void)user;
    for (size_t i = 0; i < 3 * filling->count; i++)
        if (!isfinite(filling->xyz[i])) abort();
}

FUZZ_TARGET(velodyne)
{
    velodyne_run run = {.sensor = &clump_io_sensor_velodyne, .frame = check_frame};
    if (size < 2) return 0;
    if (data[0] & 1) {
        velodyne_sample sample = sample_vlp16();
        static unsigned char packet[SAMPLE_BYTES];
        sample.product = data[1];
        if (data[1] == 2) sample = sample_hdl64();
        run.setup.calibration = (const char *)data + 2, run.setup.calibration_size = size - 2;
        for (int i = 0; i < 2; i++) {
            sample_packet(&sample, packet);
            velodyne_run_give(&run, packet, sizeof packet, 5);
        }
        if (!run.state && !run.why.text[0]) abort();
    } else {
        for (size_t at = 1; at < size; at += SAMPLE_BYTES)
            velodyne_run_give(&run, data + at, size - at < SAMPLE_BYTES ? size - at : SAMPLE_BYTES,
                              (int64_t)((uint64_t)at << data[0] / 4));
    }
    velodyne_run_close(&run);
    return 0;
}
