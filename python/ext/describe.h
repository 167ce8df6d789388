/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.h: clusters as rows of bytes, which Python sees as a structured array.
 */
#ifndef CLUMP_PYTHON_DESCRIBE_H
#define CLUMP_PYTHON_DESCRIBE_H

#include "arrays.h"

/* An array of bytes that holds clump_cluster structs. */
int py_clusters_get(PyObject *module, PyObject *object, py_array *out, int32_t *capacity);

/* Turns boxes such that the length is never shorter than the width, as the program does: yaw is then [0, 180). */
void py_clusters_turn(clump_cluster *clusters, int32_t count);

#endif
