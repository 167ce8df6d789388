/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.h: arguments of clump_objects, which clump_detect has, too.
 */
#ifndef CLUMP_PYTHON_OBJECTS_H
#define CLUMP_PYTHON_OBJECTS_H

#include "arrays.h"

/* From a tuple (d, eps_per_metre, levels, boxes, people, neighbours, columns). levels is a sequence of factors. boxes is
 * None, or a sequence of tuples (length, width, least_top, most_top, most_bottom, fits). */
int py_object_options(PyObject *module, PyObject *tuple, clump_objects_options *options);

/* One ring per point, uint16; None: not given. */
int py_rings_get(PyObject *module, PyObject *object, size_t count, py_array *out, clump_objects_options *options);

/* Memory for the list of clusters: bytes of any number of clump_objects; None: no list. */
int py_found_get(PyObject *module, PyObject *object, py_array *out, clump_objects_options *options);

#endif
