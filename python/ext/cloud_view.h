/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cloud_view.h: a view of the memory of a cloud, for the buffer protocol.
 */
#ifndef CLUMP_PYTHON_CLOUD_VIEW_H
#define CLUMP_PYTHON_CLOUD_VIEW_H

#include "cloud.h"

extern PyType_Spec py_cloud_view_spec;

/* Returns a view of (points, columns) numbers; of (points,) for a field of one element. Null: exception set. */
PyObject *py_cloud_view_create(PyObject *module, py_cloud *cloud, void *data, clump_type kind, size_t columns,
                               bool is_field);

#endif
