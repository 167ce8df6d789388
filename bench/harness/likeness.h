/* SPDX-License-Identifier: BSD-3-Clause
 *
 * likeness.h: real scans, and for each the simulated scan that is most like it. scan_shape.h says how far apart they are.
 */
#ifndef CLUMP_BENCH_LIKENESS_H
#define CLUMP_BENCH_LIKENESS_H

#include "harness/scan_shape.h"

#include <clump/io.h>
#include <clump/sim.h>

typedef struct likeness {
    const char *name; /* "KITTI 00": no comma */
    const char *path; /* in the folder of the scans */
    bool recording;   /* frame 1 of it: frame 0 begins somewhere in a turn */
    clump_lidar_model model;
    clump_lidar_scene scene;
    double rate, height;
} likeness;

enum { LIKENESS_COUNT = 7 };
extern const likeness likenesses[LIKENESS_COUNT];

/* All recordings of a VLP-16 at hand are of rooms: only the elevations of the beams can be compared. */
extern const likeness likeness_of_room;

/* Reads frame 1 of a recording in the folder. Returns false where it cannot be read. The caller releases the frame. */
bool likeness_read_frame(const char *folder, const char *path, clump_frame *frame);

/* Measures the real scan. Returns false where it cannot be read. */
bool likeness_measure_real(const likeness *row, const char *folder, scan_shape *out);

/* Measures the simulated scan in the world of a seed. Returns false where memory is missing. */
bool likeness_measure_simulated(const likeness *row, uint64_t seed, scan_shape *out);

#endif
