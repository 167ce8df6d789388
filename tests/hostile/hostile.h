/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hostile.h: a generator of clouds that attack grids, trees and float32 arithmetic. clouds.h has the clouds that broke
 * clustering programs before; the kinds here aim at the limits of the rules in src/rules: ties, cell edges, the far
 * limit of cell.h, radii of many magnitudes, overflow and underflow.
 */
#ifndef CLUMP_TESTS_HOSTILE_H
#define CLUMP_TESTS_HOSTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hostile_kind {
    HOSTILE_GRID,       /* points on a grid, distance a tie or one float beside it */
    HOSTILE_COPIES,     /* few places, many points */
    HOSTILE_DENORMAL,   /* denormal coordinates, the smallest distances */
    HOSTILE_OFFSET,     /* a small cloud far from the origin, as in UTM coordinates */
    HOSTILE_SCALES,     /* every coordinate of another magnitude */
    HOSTILE_LINE,       /* steps of the distance along a line, a few floats more or less */
    HOSTILE_PLANE,      /* flat or tilted */
    HOSTILE_SMALL_D,    /* a distance far below the spacing, and pairs at exactly that distance */
    HOSTILE_LARGE_D,    /* a distance far above the size of the cloud */
    HOSTILE_PLATES,     /* parallel plates, the distance apart */
    HOSTILE_SHELL,      /* a centre and a sphere around it with the distance as radius */
    HOSTILE_SHELLS,     /* two spheres, the distance apart */
    HOSTILE_CIRCLE,     /* a circle and a piece of its axis, about the distance apart: no box separates them */
    HOSTILE_BALL,       /* a small ball and a sphere around it, the same */
    HOSTILE_CELL_EDGES, /* points at the edges of the cells of rules/cell.h, a few floats to either side */
    HOSTILE_CELL_PAIRS, /* lonely pairs that begin at the corner of a cell or voxel and end at the limit of the rules */
    HOSTILE_BLOCK_EDGES, /* the same at the edges of blocks of 4 x 4 x 4 cells, in many blocks */
    HOSTILE_VOXEL_EDGES, /* the same at the edges of the voxels */
    HOSTILE_FAR_LIMIT,   /* around the coordinate from which on every float is a cell */
    HOSTILE_FAR_PAIRS,   /* a few points on both sides of that coordinate, the others equal: the gap of the numbers */
    HOSTILE_EXPONENTIAL, /* coordinates are powers of a base */
    HOSTILE_OCTAVES,     /* heaps at ranges of every power of two, as wide as their range allows */
    HOSTILE_CANTOR,      /* Cantor dust: gaps of all sizes */
    HOSTILE_STAR,        /* rays from a centre */
    HOSTILE_LATTICE,     /* whole numbers, distances whose squares are whole */
    HOSTILE_HEAPS,       /* round heaps that touch */
    HOSTILE_CORNERS,     /* corners of cubes whose diagonal is the distance */
    HOSTILE_HELIX,       /* a curve with steps of the distance */
    HOSTILE_PAIRS,       /* lonely pairs, each at the distance or one float beside it */
    HOSTILE_STRIDES,     /* cells whose numbers differ by powers of two: bad for hash tables */
    HOSTILE_OVERFLOW,    /* coordinates up to FLT_MAX: differences and squares overflow */
    HOSTILE_NOT_FINITE,  /* NaN, infinities, signed zeros, the largest and smallest floats */
    HOSTILE_CLASSIC,     /* one of clouds.h */
    HOSTILE_UNION,       /* two other kinds in one cloud */
    HOSTILE_KINDS
} hostile_kind;

const char *hostile_kind_name(hostile_kind kind);

/* Fills xyz, three floats per point, and returns a distance that is valid for clump_ec and hits the limits of the
 * kind. */
float hostile_fill(hostile_kind kind, float *xyz, size_t count, uint64_t *random);

/* The kinds `circle` and `ball`: point 0 is the centre, every second point is near it, and the others are at a distance of
 * `radius` from it. The axis of the circle is parallel to x. */
void hostile_around(hostile_kind kind, float *xyz, size_t count, const float *centre, double radius, uint64_t *random);

/* Returns whether clump_ec accepts this distance: its square is a normal float32. */
bool hostile_valid_distance(float d);

/* Returns a random integer in 0 ... n - 1. */
int hostile_below(uint64_t *random, int n);

/* Returns a random positive float with its exponent in low ... high - 1, all exponents equally likely. */
float hostile_magnitude(uint64_t *random, int low, int high);

/* Returns a float 0 to a few floats away from x, mostly 0 or 1. */
float hostile_nudge(float x, uint64_t *random);

#endif
