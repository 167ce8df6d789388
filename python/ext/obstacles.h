/* SPDX-License-Identifier: BSD-3-Clause
 *
 * obstacles.h: options of the ground and of the elevation map, which several functions have.
 */
#ifndef CLUMP_PYTHON_OBSTACLES_H
#define CLUMP_PYTHON_OBSTACLES_H

#include "module.h"

/* From a tuple (method, sigma, up, flip, sensor, sensor_height, window, extent, tile, slope, bin, step). inside: of a function
 * that does more than find the ground, and calls them ground, ground_extent and ground_tile. */
int py_ground_options(PyObject *module, PyObject *tuple, bool inside, clump_ground_options *options);

/* From a tuple (cell, extent, extent_columns, reach, alpha, tau, beta). */
int py_map_options(PyObject *module, PyObject *tuple, clump_erccl_options *options);

#endif
