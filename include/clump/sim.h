/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sim.h: synthetic clouds (library clump_sim). Tests, bench, demo and `clump gen` share them, so a cloud in a report
 * can be reproduced from its parameters. Equal parameters and seed give equal bytes on every machine.
 */
#ifndef CLUMP_SIM_H
#define CLUMP_SIM_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Clouds with four factors n, c, k, D (clump_factors), for the distance d = 1. Clusters are about 10 apart. Point i
 * belongs to cluster D * (i / (D * m)) + i mod D, with m = n / c. */
typedef enum clump_layout {
    CLUMP_LAYOUT_JOINTS = 0, /* chains of unit segments along x, y, z in turn, k points each */
    CLUMP_LAYOUT_LINE = 1,   /* long thin clusters along x, spacing 2/(k+1): the worst case for label propagation */
    CLUMP_LAYOUT_BLOB = 2,   /* points uniform in a cube; k neighbours except near its faces */
    CLUMP_LAYOUT_SLABS = 3   /* two dense plates 1.01 apart: no pair of them is within d, every distance test fails */
} clump_layout;

typedef struct clump_factors {
    uint32_t cookie; /* set by clump_factors_defaults(), do not touch */
    clump_layout layout;
    size_t points;   /* n; 262144 */
    size_t clusters; /* c, a divisor of n; 128 (slabs: 2) */
    double degree;   /* k, mean number of neighbours, at least 1, k * c <= n; 32 */
    size_t distance; /* D, difference of indices of neighbours in a cluster, a divisor of c; 4 */
    uint64_t seed;   /* 1 */
} clump_factors;

CLUMP_API clump_factors clump_factors_defaults(void);

CLUMP_API const char *clump_layout_name(clump_layout layout); /* null for a value that does not exist */
CLUMP_API bool clump_layout_from_name(const char *name, clump_layout *layout);

/* Fills a cloud.
 * xyz      output: 3 * points floats
 * truth    output, may be null: the cluster that each point was generated for. With a small k a cluster can fall apart
 *          at d = 1, so clustering may find others.
 * message  may be null */
CLUMP_API clump_status clump_sim_factors(const clump_factors *factors, float *xyz, int32_t *truth,
                                         clump_message *message);

/* --- a simulated LiDAR sensor ------------------------------------------------------------------- */

/* Rotating sensors. Angles of the beams, firings per second and reach are those of the data sheets. */
typedef enum clump_lidar_model {
    CLUMP_LIDAR_VLP16 = 0,  /* "vlp-16": 16 beams, -15 to 15 degrees, 100 m */
    CLUMP_LIDAR_HDL32E = 1, /* "hdl-32e": 32 beams, -30.67 to 10.67 degrees, 100 m */
    CLUMP_LIDAR_HDL64E = 2, /* "hdl-64e": 64 beams, -24.33 to 2 degrees, 120 m: the sensor of KITTI */
    CLUMP_LIDAR_128 = 3     /* "128": 128 beams, -25 to 15 degrees, closest together near the horizon, 200 m */
} clump_lidar_model;

/* Kinds of scenes. All have no end: the world goes on as far as the sensor travels along x. */
typedef enum clump_lidar_scene {
    CLUMP_SCENE_STREET = 0,     /* "street": houses, parked cars, trees, lamps, people */
    CLUMP_SCENE_T_JUNCTION = 1, /* "t-junction": a street with side streets to the left */
    CLUMP_SCENE_ROAD = 2,       /* "road": a wide road between meadows: traffic, guard rails, signs, few trees */
    CLUMP_SCENE_SQUARE = 3,     /* "square": an open place with houses far away, people and parked cars */
    CLUMP_SCENE_TREES = 4,      /* "trees": a lane in a park: many trees and bushes */
    CLUMP_SCENE_PEOPLE = 5,     /* "people": a shopping street full of people */
    CLUMP_SCENE_CROSSROAD = 6,  /* "crossroad": a street with side streets to both sides */
    CLUMP_SCENE_PAIRS = 7, /* "pairs": an open place with pairs of people who walk side by side, 0.3 to 1 m apart */
    CLUMP_SCENE_YARD = 8   /* "yard": an open place with buses, lorries with trailers, excavators, rows of cars */
} clump_lidar_scene;

typedef struct clump_lidar {
    uint32_t cookie; /* set by clump_lidar_defaults(), do not touch */
    clump_lidar_model model;
    clump_lidar_scene scene;
    uint64_t seed;   /* 1; another seed gives another world of the same kind */
    double rate;     /* turns per second, 1 to 50; 10. A fast turn has fewer directions. */
    double height;   /* of the sensor above the road in m, 0.3 to 10; 1.73 */
    double reach;    /* of the sensor in m, at most 300; 0, the default: the reach of the model */
    double noise;    /* standard deviation of a range in m, at most 1; 0.012 */
    double dropout;  /* share of the rays that are lost at random, 0 to 1; 0.01. Weak echoes are lost anyway. */
    double speed;    /* of the sensor along x in m/s, at most 100; 8. Negative: backwards */
    double slope;    /* of the ground along x in per cent, -30 to 30; 0. The sensor stays level. */
    double kerb;     /* height of the pavements above the road in m, 0 to 0.5; 0.12 */
    bool vehicle;    /* true: the roof of the vehicle below the sensor hides what is behind it */
    bool distortion; /* false. true: sensor and things move during the turn; points are not corrected for it */
} clump_lidar;

CLUMP_API clump_lidar clump_lidar_defaults(void);

CLUMP_API const char *clump_lidar_model_name(clump_lidar_model model); /* null for a value that does not exist */
CLUMP_API bool clump_lidar_model_from_name(const char *name, clump_lidar_model *model);
CLUMP_API const char *clump_lidar_scene_name(clump_lidar_scene scene); /* null for a value that does not exist */
CLUMP_API bool clump_lidar_scene_from_name(const char *name, clump_lidar_scene *scene);

/* Returns the number of rays per turn, which is the largest number of points of a scan. 0: wrong parameters. */
CLUMP_API size_t clump_lidar_rays(const clump_lidar *lidar);

/* Arrays of the caller, each with room for clump_lidar_rays() points. All but xyz may be null.
 *
 * Order of the points: "hdl-64e" ring by ring from the highest beam, each ring counter-clockwise from the front, as the
 * files of KITTI. The others in the order of measurement, as packets. Every sensor turns clockwise, seen from above. A
 * turn begins and ends at the rear, in the middle of it the sensor looks ahead. */
typedef struct clump_lidar_scan {
    float *xyz;         /* 3 floats per point, in m: x ahead, y left, z up, the sensor is at 0, 0, 0 */
    float *intensity;   /* 0 to 1 */
    uint16_t *ring;     /* the beam; 0 is the lowest */
    float *time;        /* in s since the start of the turn */
    uint16_t *semantic; /* the class, with the numbers of SemanticKITTI: 40 road, 10 car ... (docs/simulation.md) */
    uint16_t *instance; /* the thing: car, person, tree, pole, bush ...; the same in all frames; 0: ground and walls */
} clump_lidar_scan;

/* A world and its sensor. It does not change after it was made: any number of threads may scan it at once. */
typedef struct clump_lidar_world clump_lidar_world;

/* Makes a world. message may be null. *world is null after a failure. */
CLUMP_API clump_status clump_sim_lidar_create(const clump_lidar *lidar, clump_lidar_world **world,
                                              clump_message *message);
CLUMP_API void clump_sim_lidar_destroy(clump_lidar_world *world); /* may be null */

/* Scans the world in turn `frame`. The result depends on the parameters and `frame` alone: frames may be made in any
 * order.
 * out      output: the points
 * count    output: their number
 * pose     output, may be null: 3 x 4 matrix, row by row, that takes points of this frame to those of frame 0. With
 *          distortion it is the pose at the start of the turn.
 * message  may be null */
CLUMP_API clump_status clump_sim_lidar_scan(const clump_lidar_world *world, size_t frame, const clump_lidar_scan *out,
                                            size_t *count, double pose[12], clump_message *message);

/* A thing of the truth: what has an instance. Coordinates are those of frame 0, in m. */
typedef struct clump_lidar_thing {
    uint16_t instance, semantic; /* semantic: the least of its classes: a tree is 70, a sign 80 */
    double lower[3], upper[3];   /* box along the axes, at the start of the turn */
    double velocity[3];          /* over ground, m/s */
} clump_lidar_thing;

/* Lists the things around the sensor in turn `frame`, hidden ones too, by ascending instance.
 * things   output, room for `capacity`; things beyond it are not written. May be null where capacity is 0
 * count    output: how many there are
 * message  may be null */
CLUMP_API clump_status clump_sim_lidar_things(const clump_lidar_world *world, size_t frame, clump_lidar_thing *things,
                                              size_t capacity, size_t *count, clump_message *message);

/* --- a synthetic airborne survey ------------------------------------------------------------------ */

/* Hills, woods and towns from above, 20 points per square metre, in the order of flight lines: strip after strip. With the
 * ground left out and d = 0.5 m there are clusters of all sizes: single points, poles, buildings, trees, woods, and a net of
 * hedges that crosses the whole survey. Coordinates are whole millimetres from the corner of the survey. */
typedef struct clump_survey {
    uint32_t cookie; /* set by clump_survey_defaults(), do not touch */
    uint64_t points; /* 1000000 */
    uint64_t seed;   /* 1 */
} clump_survey;

#define CLUMP_SURVEY_MOST_POINTS 10000000000000 /* 10^13: 707 km x 707 km */

CLUMP_API clump_survey clump_survey_defaults(void);

/* The classes of LAS that the points have. */
enum {
    CLUMP_SURVEY_OTHER = 1, /* poles */
    CLUMP_SURVEY_GROUND = 2,
    CLUMP_SURVEY_SHRUBS = 4, /* and hedges */
    CLUMP_SURVEY_TREES = 5,
    CLUMP_SURVEY_BUILDINGS = 6
};

/* A point: a record of LAS point format 0. */
typedef struct clump_survey_point {
    int32_t xyz[3];         /* mm */
    uint16_t intensity;     /* 0 to 4095 */
    uint8_t returns;        /* the only return of its pulse */
    uint8_t classification; /* CLUMP_SURVEY_GROUND ... */
    int8_t angle;           /* of the scan, in degrees */
    uint8_t unused;
    uint16_t strip; /* from 1 to 65535, then from 1 again */
} clump_survey_point;

/* Makes points first ... first + count - 1 of a survey. They depend on the parameters alone: blocks may be made in any order
 * and at the same time. A block should have some ten thousand points or more, else the landscape is made too often.
 * out      output: `count` points
 * message  may be null */
CLUMP_API clump_status clump_sim_survey(const clump_survey *survey, uint64_t first, size_t count,
                                        clump_survey_point *out, clump_message *message);

#ifdef __cplusplus
}
#endif
#endif
