/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cloud.h: clouds of files as Python objects. The functions of cloud.c and recording.c are thin: _files.py makes them a
 * pleasant interface.
 *
 * A cloud changes only by cloud_set_field(). That frees the memory of a field whose type changes, so it is refused while a
 * view of a field exists, or while another thread works on the cloud without the GIL.
 */
#ifndef CLUMP_PYTHON_CLOUD_H
#define CLUMP_PYTHON_CLOUD_H

#include "module.h"

#include <clump/io.h>

typedef struct py_cloud {
    PyObject_HEAD
    clump_cloud *cloud;
    Py_ssize_t field_views; /* views of fields that exist */
    Py_ssize_t workers;     /* calls that work on the cloud without the GIL */
} py_cloud;

/* Makes a Python object of a cloud and takes the cloud over, also on failure. Null: exception set. */
PyObject *py_cloud_wrap(PyObject *module, clump_cloud *cloud);

/* Returns the object as cloud; null with an exception set where it is none. */
py_cloud *py_cloud_of(PyObject *module, PyObject *object);

/* Text of a file: bytes that are not UTF-8 become surrogates, as Python has them in file names. */
PyObject *py_text(const char *text);

/* --- cloud_view.c: a view of the memory of a cloud, for the buffer protocol ------------------------- */

extern PyType_Spec py_cloud_view_spec;

/* Returns a view of (points, columns) numbers; of (points,) for a field of one element. Null: exception set. */
PyObject *py_cloud_view_create(PyObject *module, py_cloud *cloud, void *data, clump_type kind, size_t columns,
                               bool is_field);

#endif
