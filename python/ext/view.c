/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view.c: what a view is: types of elements, shapes, new views. See device_view.h.
 */
#include "device_view.h"

#include <string.h>

/* --- types of elements ----------------------------------------------------------------------- */

static const py_view_type types[] = {
    {'f', DL_FLOAT, 32, "float32", "<f4"}, {'i', DL_INT, 32, "int32", "<i4"},   {'B', DL_UINT, 8, "uint8", "|u1"},
    {'?', DL_BOOL, 8, "bool", "|b1"},      {'q', DL_INT, 64, "int64", "<i8"},   {'d', DL_FLOAT, 64, "float64", "<f8"},
    {'e', DL_FLOAT, 16, "float16", "<f2"}, {'b', DL_INT, 8, "int8", "|i1"},     {'h', DL_INT, 16, "int16", "<i2"},
    {'H', DL_UINT, 16, "uint16", "<u2"},   {'I', DL_UINT, 32, "uint32", "<u4"}, {'Q', DL_UINT, 64, "uint64", "<u8"},
};

enum { TYPES = sizeof types / sizeof *types };

const py_view_type *py_view_type_of(char letter)
{
    for (int k = 0; k < TYPES; k++)
        if (types[k].letter == letter) return &types[k];
    return NULL;
}

const py_view_type *py_view_type_of_dlpack(dl_type type)
{
    for (int k = 0; k < TYPES; k++)
        if (types[k].code == type.code && types[k].bits == type.bits) return &types[k];
    return NULL;
}

const py_view_type *py_view_type_of_typestr(const char *typestr)
{
    for (int k = 0; k < TYPES; k++)
        if (!strcmp(types[k].typestr, typestr)) return &types[k];
    return NULL;
}

/* --- shapes ---------------------------------------------------------------------------------- */

int py_view_shape(PyObject *module, py_view *view, int ndim, const int64_t *shape, const int64_t *strides)
{
    Py_ssize_t bytes = view->item;
    view->ndim = ndim;
    for (int k = ndim - 1; k >= 0; k--) {
        if (shape[k] < 0) return py_refuse(module, "dimension %d of an array is %lld long", k, (long long)shape[k]);
        view->shape[k] = (Py_ssize_t)shape[k];
        view->strides[k] = bytes;
        if (strides && __builtin_mul_overflow(strides[k], view->item, &view->strides[k]))
            return py_refuse(module, "the strides of an array are too large");
        if (__builtin_mul_overflow(bytes, shape[k] ? shape[k] : 1, &bytes))
            return py_refuse(module, "an array is too large");
    }
    return 0;
}

Py_ssize_t py_view_elements(const py_view *view)
{
    Py_ssize_t count = 1;
    for (int k = 0; k < view->ndim; k++) count *= view->shape[k];
    return count;
}

bool py_view_in_c_order(const py_view *view)
{
    Py_ssize_t bytes = view->item;
    if (py_view_elements(view) == 0) return true;
    for (int k = view->ndim - 1; k >= 0; k--) {
        if (view->shape[k] > 1 && view->strides[k] != bytes) return false;
        bytes *= view->shape[k];
    }
    return true;
}

/* --- new views ------------------------------------------------------------------------------- */

bool py_view_check(PyObject *module, PyObject *object)
{
    return (PyObject *)Py_TYPE(object) == py_state_of(module)->view_type;
}

bool py_view_on_gpu(const py_view *view)
{
    return view->device.type == DL_CUDA || view->device.type == DL_CUDA_MANAGED;
}

py_view *py_view_new(PyObject *module, const py_view_type *type)
{
    py_view *view = (py_view *)py_new((PyTypeObject *)py_state_of(module)->view_type);
    if (!view) return NULL;
    view->type = view->format[0] = type->letter;
    view->item = type->bits / 8;
    return view;
}
