/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_stage.h: the solids around the sensor in one frame, and the things that are made of them.
 *
 * The simulated sensor, from parameters to points:
 *
 *     lidar.c           public functions: parameters, a scan
 *     lidar_model.c     the sensors
 *     lidar_scene.c     which things stand where
 *     lidar_street.c    what stands on one side of a street
 *     lidar_things.c    things, made of solids
 *     lidar_cast.c      rays through the stage
 *     lidar_solid.c     where a ray meets a solid
 *     lidar_surface.c   what surfaces do to rays
 *
 * Words: the `world` is what is around the sensor, without an end, by seed. A `scene` is its kind: street, square ... A
 * `thing` is what has an instance: a car, a person, a tree. A `section` is 48 m of the world along the road, a `plot`
 * one side of a street in it. A `solid` is a shape of which things are made, a `profile` a solid cut by the vertical
 * plane of a direction.
 *
 * Other synthetic clouds: factors.c (four factors of Nguyen et al. 2020), survey.c with survey_plot.c (an airborne
 * survey). refuse.c says why parameters are refused.
 */
#ifndef CLUMP_SIM_LIDAR_STAGE_H
#define CLUMP_SIM_LIDAR_STAGE_H

#include "exact.h"
#include "lidar_solid.h"

#include <clump/sim.h>

/* Classes of SemanticKITTI. */
enum {
    LIDAR_CAR = 10,
    LIDAR_BUS = 13,
    LIDAR_TRUCK = 18,
    LIDAR_OTHER_VEHICLE = 20,
    LIDAR_PERSON = 30,
    LIDAR_ROAD = 40,
    LIDAR_SIDEWALK = 48,
    LIDAR_BUILDING = 50,
    LIDAR_FENCE = 51,
    LIDAR_MARKING = 60,
    LIDAR_VEGETATION = 70,
    LIDAR_TRUNK = 71,
    LIDAR_TERRAIN = 72,
    LIDAR_POLE = 80,
    LIDAR_SIGN = 81
};

/* The solids of a frame. Solids beyond `far` are left out. */
typedef struct lidar_stage {
    lidar_solid *solids;
    size_t count, room;
    bool failed;       /* memory was short: the list is incomplete */
    double x, y, far;  /* the sensor, world; how far it sees */
    double time;       /* since frame 0, s */
    lidar_solid spare; /* where a solid goes that is left out */
} lidar_stage;

/* Numbers drawn in a fixed order. Equal keys give equal numbers. C does not order the arguments of a call: draw at most
 * one number per expression. */
typedef struct lidar_dice {
    uint64_t key, drawn;
} lidar_dice;

static inline double lidar_between(lidar_dice *dice, double least, double most)
{
    return least + (most - least) * exact_random(dice->key, dice->drawn++);
}

static inline bool lidar_chance(lidar_dice *dice, double share)
{
    return exact_random(dice->key, dice->drawn++) < share;
}

/* Where a thing stands. */
typedef struct lidar_spot {
    double x, y;   /* world */
    double ux, uy; /* its direction */
    double base;   /* height of the ground there, above the road */
    double vx, vy; /* its velocity */
    uint16_t instance;
} lidar_spot;

/* Adds a solid and returns it for more settings. `ahead` and `left` shift it from the spot; low and high are above the
 * ground of the spot. */
lidar_solid *lidar_add_box(lidar_stage *stage, const lidar_spot *spot, double ahead, double left, const double half[2],
                           double low, double high);
lidar_solid *lidar_add_round(lidar_stage *stage, const lidar_spot *spot, lidar_shape shape, double ahead, double left,
                             double radius, double low, double high);

/* Cuts a box by the slanted face through two places (along its length, height above its ground). */
void lidar_add_slant(lidar_solid *box, double base, const double from[2], const double to[2]);

void lidar_add_car(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_truck(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_bus(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_lorry(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_digger(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_person(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_tree(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_bush(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_lamp(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);
void lidar_add_sign(lidar_stage *stage, const lidar_spot *spot, lidar_dice *dice);

/* A house whose front is at the spot and looks along the direction of the spot; `width` is the length of the front. */
void lidar_add_house(lidar_stage *stage, const lidar_spot *spot, double width, lidar_dice *dice);

/* A hedge or a fence along the direction of the spot, `length` long, around the spot. */
void lidar_add_hedge(lidar_stage *stage, const lidar_spot *spot, double length, lidar_dice *dice);
void lidar_add_fence(lidar_stage *stage, const lidar_spot *spot, double length, lidar_dice *dice);

/* --- lidar_scene.c: which things stand where -------------------------------------------------------- */

/* Fills a stage, whose sensor, reach and time are set, with the things of the scene. A failure is in stage->failed. */
void lidar_set_stage(const clump_lidar *lidar, lidar_stage *stage);

/* Returns half the width of the carriageway if it has markings, else 0. */
double lidar_lanes_end(clump_lidar_scene scene);

#endif
