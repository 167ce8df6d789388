/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shared.h: arguments that several jobs have.
 */
#ifndef CLUMP_PYTHON_SHARED_H
#define CLUMP_PYTHON_SHARED_H

#include "arrays.h"

/* ----- clusters as rows of bytes, which Python sees as a structured array: describe.c ------------------------------- */

/* An array of bytes that holds clump_cluster structs. */
int py_clusters_get(PyObject *module, PyObject *object, py_array *out, int32_t *capacity);

/* Turns boxes such that the length is never shorter than the width, as the program does: yaw is then [0, 180). */
void py_clusters_turn(clump_cluster *clusters, int32_t count);

/* ----- the ground and the elevation map: obstacles.c ---------------------------------------------------------------- */

/* From a tuple (method, sigma, up, flip, sensor, sensor_height, window, extent, tile, slope, bin, step). inside: of a function
 * that does more than find the ground, and calls them ground, ground_extent and ground_tile. */
int py_ground_options(PyObject *module, PyObject *tuple, bool inside, clump_ground_options *options);

/* From a tuple (cell, extent, extent_columns, reach, alpha, tau, beta). */
int py_map_options(PyObject *module, PyObject *tuple, clump_erccl_options *options);

/* ----- clump_objects: objects.c ------------------------------------------------------------------------------------- */

/* From a tuple (d, eps_per_metre, levels, boxes, people, neighbours, columns). levels is a sequence of factors. boxes is
 * None, or a sequence of tuples (length, width, least_top, most_top, most_bottom, fits). */
int py_object_options(PyObject *module, PyObject *tuple, clump_objects_options *options);

/* One ring per point, uint16; None: not given. */
int py_rings_get(PyObject *module, PyObject *object, size_t count, py_array *out, clump_objects_options *options);

/* Memory for the list of clusters: bytes of any number of clump_objects; None: no list. */
int py_found_get(PyObject *module, PyObject *object, py_array *out, clump_objects_options *options);

#endif
