/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device_view.h: the type DeviceView: an array in memory of a GPU, or of the host, that belongs to another library or to
 * the view itself. It is what the functions of this module take in place of a buffer where the memory is on a GPU.
 *
 *     view.c          types of elements, shapes, new views
 *     dlpack.c        capsules
 *     view_make.c     views of addresses and of new memory; views as arguments
 *     device_view.c   the type
 */
#ifndef CLUMP_PYTHON_DEVICE_VIEW_H
#define CLUMP_PYTHON_DEVICE_VIEW_H

#include "arrays.h"
#include "dlpack.h"

enum { PY_VIEW_DIMENSIONS = 4 };

typedef struct py_view {
    PyObject_HEAD
    char *data; /* element 0; null where there are no elements */
    int ndim;
    Py_ssize_t shape[PY_VIEW_DIMENSIONS];
    Py_ssize_t strides[PY_VIEW_DIMENSIONS]; /* in bytes */
    char type;                              /* a letter of the module struct: 'f', 'i' ... */
    char format[2];                         /* the same, as a string */
    Py_ssize_t item;                        /* bytes of an element */
    dl_device device;
    bool read_only;
    py_stream stream; /* on which calls on this memory run; for memory on a GPU */

    /* What keeps the memory alive; all null: the caller does. */
    PyObject *owner;
    dl_managed *managed;
    dl_versioned *versioned;
    PyObject *context; /* the memory was allocated with this context and is released with it */
} py_view;

/* The types of elements. */
typedef struct py_view_type {
    char letter;
    uint8_t code, bits;  /* of DLPack */
    const char *name;    /* of NumPy, "float32" */
    const char *typestr; /* of NumPy, "<f4" */
} py_view_type;

/* Return the type of a letter, a DLPack type or a typestr; null where views do not have it. */
const py_view_type *py_view_type_of(char letter);
const py_view_type *py_view_type_of_dlpack(dl_type type);
const py_view_type *py_view_type_of_typestr(const char *typestr);

/* Returns whether the object is a view. */
bool py_view_check(PyObject *module, PyObject *object);

/* Returns whether the memory of a view is on a GPU; else the host can use it. */
bool py_view_on_gpu(const py_view *view);

/* Returns a new view without memory, of the type `type` and with ndim = 0; null with an exception set. */
py_view *py_view_new(PyObject *module, const py_view_type *type);

/* Sets shape and strides; strides in elements, null for C order. Returns -1 with an exception set where they are not
 * possible. */
int py_view_shape(PyObject *module, py_view *view, int ndim, const int64_t *shape, const int64_t *strides);

/* Returns the number of elements, and whether they are in C order, without gaps. */
Py_ssize_t py_view_elements(const py_view *view);
bool py_view_in_c_order(const py_view *view);

/* Take a view as points and as an array of a type, as py_points_get and py_array_get do with buffers; the caller checks
 * the number of elements. They return -1 with an exception set where the view does not fit. */
int py_view_points(PyObject *module, PyObject *object, py_points *out);
int py_view_array(PyObject *module, PyObject *object, const char *name, char type, bool writable, py_array *out);

/* dlpack.c. Consumes a capsule: a new view, or null with an exception set and the capsule left as it was. */
PyObject *py_view_from_capsule(PyObject *module, PyObject *capsule);

/* Returns a new capsule of the view's memory. The capsule keeps the view alive, and so does its consumer. */
PyObject *py_view_to_capsule(PyObject *module, py_view *view, bool versioned);

#endif
