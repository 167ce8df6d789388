/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_solid.h: the shapes of which a simulated world is made, and where a ray meets them.
 *
 * Everything stands upright. A sensor that turns looks in one horizontal direction with all its beams. So the work is
 * split: lidar_profile_of() cuts a solid with the vertical plane of a direction, once for all beams. lidar_meet() finds
 * the stretch of one beam inside the solid. A place on a ray is given by its horizontal distance t from the sensor.
 *
 *     z above the road |        beam: z = eye + rise * t
 *          eye   -- sensor ____
 *                      |       \____ +------+ high
 *                      |            \|      |
 *          0     ------+-------------+------+--- t
 *                                  near    far
 */
#ifndef CLUMP_SIM_LIDAR_SOLID_H
#define CLUMP_SIM_LIDAR_SOLID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lidar_shape {
    LIDAR_BOX,    /* may have slanted faces besides its six */
    LIDAR_ROUND,  /* an upright cylinder */
    LIDAR_ROUNDED /* an ellipsoid of revolution with an upright axis */
} lidar_shape;

/* What the surface does to a ray. */
typedef enum lidar_skin {
    LIDAR_PLAIN,
    LIDAR_FACADE, /* has windows */
    LIDAR_GLASS,  /* lets most rays pass, which are then lost */
    LIDAR_PAVED,  /* ground */
    LIDAR_ROUGH   /* ground with grass */
} lidar_skin;

/* A face of a box that is neither upright nor level: x * (place along the box) + z * (height) <= limit. */
typedef struct lidar_slant {
    double x, z, limit;
} lidar_slant;

enum { LIDAR_SLANTS_MOST = 3 };

typedef struct lidar_solid {
    lidar_shape shape;
    lidar_skin skin;
    uint16_t semantic, instance;
    double x, y;      /* middle, at the start of the frame; world, m */
    double vx, vy;    /* velocity, m/s */
    double ux, uy;    /* direction of the box's length */
    double hx, hy;    /* half length and half width of a box; round: both are the radius */
    double low, high; /* above the road */
    double shine;     /* share of the light that the surface returns */
    double filled;    /* share of the space inside that stops light; 1: the surface does */
    size_t slants;
    lidar_slant slant[LIDAR_SLANTS_MOST];
} lidar_solid;

/* One horizontal direction of the sensor. */
typedef struct lidar_gaze {
    double x, y;   /* the sensor, world */
    double ux, uy; /* the direction, world */
    double eye;    /* height of the sensor above the road */
    double late;   /* time since the start of the frame, s */
} lidar_gaze;

/* A solid cut by the vertical plane of a direction. */
typedef struct lidar_profile {
    const lidar_solid *solid;
    double near, far;     /* horizontal distances where the plane enters and leaves */
    double facing;        /* cosine between direction and the face at `near` */
    double along, change; /* box: place along its length at t is along + change * t; rounded: t nearest to the axis */
    double across, drift; /* box: the same of its width; rounded: the squared distance of the axis from the sensor */
} lidar_profile;

/* One beam in the current direction. */
typedef struct lidar_beam {
    double eye;
    double rise;     /* height per horizontal distance; not 0 */
    double per_rise; /* 1 / rise */
} lidar_beam;

/* A beam inside a solid. */
typedef struct lidar_meeting {
    double enter, leave; /* horizontal distances, 0 <= enter < leave */
    double facing;       /* cosine between beam and face, for a beam of horizontal length 1 */
    bool side, top;      /* which face of a box was met */
} lidar_meeting;

/* Cuts a solid with the plane of a direction. Returns whether they meet within `reach`. */
bool lidar_profile_of(const lidar_solid *solid, const lidar_gaze *gaze, double reach, lidar_profile *profile);

/* Finds the stretch of a beam inside a solid. Returns whether there is one. */
bool lidar_meet(const lidar_profile *profile, const lidar_beam *beam, lidar_meeting *meeting);

#endif
