/* SPDX-License-Identifier: BSD-3-Clause
 *
 * arrays.h: objects with the buffer protocol, and DeviceViews, as points and as arrays of numbers. Nothing is copied: what does not fit is
 * refused. python/clump/_points.py makes arrays that fit.
 */
#ifndef CLUMP_PYTHON_ARRAYS_H
#define CLUMP_PYTHON_ARRAYS_H

#include "module.h"

typedef struct py_points {
    clump_points points;
    py_stream stream; /* of points on a GPU */
    Py_buffer buffer;
    bool held; /* buffer must be released */
} py_points;

/* A float32 array of shape (N, 3 or more); rows have any stride that clump_points allows, columns follow each other.
 * Returns 0, or -1 with an exception set. *out must be zeroed, may be released in any case. */
int py_points_get(PyObject *module, PyObject *object, py_points *out);
void py_points_release(py_points *points);

typedef struct py_array {
    void *data; /* null where the object was None */
    size_t count;
    clump_place place;
    py_stream stream; /* of an array on a GPU */
    Py_buffer buffer;
    bool held;
} py_array;

/* A contiguous array of any number of dimensions with `count` elements of a type: 'i' int32, 'q' int64, 'H' uint16, 'B'
 * uint8 or bool, 'f' float32, 'd' float64. A view may have int16 in place of uint16: not every library has the latter. None gives null where `optional`. Returns as py_points_get. */
typedef enum py_access { PY_READ = 0, PY_WRITE = 1, PY_READ_OPTIONAL = 2, PY_WRITE_OPTIONAL = 3 } py_access;

#define PY_ANY_COUNT SIZE_MAX

int py_array_get(PyObject *module, PyObject *object, const char *name, char type, py_access access, size_t count,
                 py_array *out);
void py_array_release(py_array *array);

/* A float32 array of one dimension, of `count` elements, with any stride that is a multiple of 4; *stride is in bytes. None
 * gives null. */
int py_column_get(PyObject *module, PyObject *object, const char *name, size_t count, py_array *out, size_t *stride);

/* What a call that counts clusters gets for its result: null for points on the device, where to count means to wait. */
static inline int32_t *py_counted(const py_points *points, int32_t *clusters)
{
    return points->points.place == CLUMP_PLACE_DEVICE ? NULL : clusters;
}

#endif
