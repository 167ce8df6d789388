/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_shape.h: how a scan of a street looks to statistics: where its points are by range, by beam and by density. With
 * it a simulated scan is compared with real ones, and real ones with each other.
 *
 * Files of points do not always say which beam a point is of; the elevation of the point as seen from the sensor does.
 * The sensor is at 0, 0, 0 and z is up. Points nearer than 3 m are left out (they are on the car that carries the
 * sensor), and so are points farther than 80 m.
 */
#ifndef CLUMP_BENCH_SCAN_SHAPE_H
#define CLUMP_BENCH_SCAN_SHAPE_H

#include <clump/clump.h>
#include <clump/io.h>
#include <clump/sim.h>

typedef enum scan_measure {
    SCAN_RANGE = 0,     /* horizontal distance from the sensor; bins of 1 m */
    SCAN_ELEVATION = 1, /* angle above the horizon; bins of 0.5 degrees from -32 to 32 */
    SCAN_DENSITY = 2,   /* points in the cube of 1 m that has the point; bins of a quarter octave: 1, 1.19, 1.41 ... */
    SCAN_MEASURES = 3
} scan_measure;

enum { SCAN_BINS = 128 };

typedef struct scan_shape {
    size_t points;                          /* that count */
    double share[SCAN_MEASURES][SCAN_BINS]; /* of the points, per bin; each measure sums to 1 (no points: 0) */
} scan_shape;

const char *scan_measure_name(scan_measure measure); /* "range"; null for a value that does not exist */

/* Measures a scan. Returns false where memory is missing. */
bool scan_shape_of(clump_points points, scan_shape *out);

/* Returns the two-sample distance of Kolmogorov and Smirnov, taken at the edges of the bins: the largest difference of the
 * cumulative shares. 0: equal; 1: nothing in common. */
double scan_distance(const scan_shape *a, const scan_shape *b, scan_measure measure);

/* Returns the value below which this share of the points lies: metres, degrees or points. */
double scan_quantile(const scan_shape *shape, scan_measure measure, double share);

/* --- likeness.c: real scans, and for each the simulated scan that is most like it. scan_shape.h says how far apart
 * they are. */

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
