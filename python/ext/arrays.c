/* SPDX-License-Identifier: BSD-3-Clause
 *
 * arrays.c: see arrays.h.
 */
#include "arrays.h"

#include <string.h>

#include "device_view.h"
#include "values.h"

/* The type of the elements, as in arrays.h: NumPy writes int64 as 'l', bool as '?'. 0: another type. */
static char element_type(const Py_buffer *buffer)
{
    const char *format = buffer->format ? buffer->format : "B";
    if (*format == '@' || *format == '=') format++;
    if (!*format || format[1]) return 0;
    switch (*format) {
    case 'f':
        return 'f';
    case 'd':
        return 'd';
    case 'B':
    case '?':
        return 'B';
    case 'H':
        return 'H';
    case 'i':
    case 'l':
    case 'q':
        return buffer->itemsize == 4 ? 'i' : buffer->itemsize == 8 ? 'q' : 0;
    default:
        return 0;
    }
}

static const char *type_name(char type)
{
    switch (type) {
    case 'i':
        return "int32";
    case 'q':
        return "int64";
    case 'B':
        return "bool or uint8";
    case 'H':
        return "uint16";
    case 'f':
        return "float32";
    default:
        return "float64";
    }
}

/* PyObject_GetBuffer, with a TypeError that names the argument. */
static int get_buffer(PyObject *object, const char *name, int flags, Py_buffer *buffer)
{
    if (!PyObject_CheckBuffer(object)) {
        py_type_error(name, "an array", object);
        return -1;
    }
    return PyObject_GetBuffer(object, buffer, flags);
}

int py_points_get(PyObject *module, PyObject *object, py_points *out)
{
    if (py_view_check(module, object)) return py_view_points(module, object, out);
    if (get_buffer(object, "points", PyBUF_STRIDES | PyBUF_FORMAT, &out->buffer)) return -1;
    out->held = true;
    const Py_buffer *b = &out->buffer;
    if (b->ndim != 2) return py_refuse(module, "points have %d dimensions; (N, 3) is needed", b->ndim);
    if (element_type(b) != 'f') return py_refuse(module, "points must be float32 here");
    if (b->shape[1] < 3)
        return py_refuse(module, "points have %zd column%s; x, y and z are needed", b->shape[1],
                         b->shape[1] == 1 ? "" : "s");
    out->points = (clump_points){.xyz = b->buf, .count = (size_t)b->shape[0], .place = CLUMP_PLACE_HOST};
    if (b->strides[1] != 4) return py_refuse(module, "the columns of the points must follow each other here");
    if (b->shape[0] > 1) {
        if (b->strides[0] < 12 || b->strides[0] % 4)
            return py_refuse(module, "the rows of the points are %zd bytes apart, which cannot be used here",
                             b->strides[0]);
        out->points.stride = (size_t)b->strides[0];
    }
    if ((uintptr_t)b->buf % 4) return py_refuse(module, "the points are not aligned to 4 bytes");
    return 0;
}

void py_points_release(py_points *points)
{
    if (points->held) PyBuffer_Release(&points->buffer);
    points->held = false;
}

static int check_count(PyObject *module, const char *name, size_t count, const py_array *array)
{
    if (count == PY_ANY_COUNT || array->count == count) return 0;
    return py_refuse(module, "%s has %zu elements, but %zu are needed", name, array->count, count);
}

int py_array_get(PyObject *module, PyObject *object, const char *name, char type, py_access access, size_t count,
                 py_array *out)
{
    const bool optional = access & 2, writable = access & 1;
    if (optional && object == Py_None) return 0;
    if (py_view_check(module, object)) {
        if (py_view_array(module, object, name, type, writable, out)) return -1;
        return check_count(module, name, count, out);
    }
    const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (get_buffer(object, name, flags, &out->buffer)) return -1;
    out->held = true;
    if (element_type(&out->buffer) != type) {
        PyErr_Format(PyExc_TypeError, "%s must be an array of %s", name, type_name(type));
        return -1;
    }
    if ((uintptr_t)out->buffer.buf % (uintptr_t)out->buffer.itemsize)
        return py_refuse(module, "%s is not aligned to %zd bytes", name, out->buffer.itemsize);
    out->data = out->buffer.buf;
    out->count = (size_t)(out->buffer.len / out->buffer.itemsize);
    out->place = CLUMP_PLACE_HOST;
    return check_count(module, name, count, out);
}

int py_column_get(PyObject *module, PyObject *object, const char *name, size_t count, py_array *out, size_t *stride)
{
    if (object == Py_None) return 0;
    *stride = 4;
    if (py_view_check(module, object)) {
        if (py_view_array(module, object, name, 'f', false, out)) return -1;
        return check_count(module, name, count, out);
    }
    if (get_buffer(object, name, PyBUF_STRIDES | PyBUF_FORMAT, &out->buffer)) return -1;
    out->held = true;
    const Py_buffer *b = &out->buffer;
    if (element_type(b) != 'f') {
        PyErr_Format(PyExc_TypeError, "%s must be an array of float32", name);
        return -1;
    }
    if (b->ndim != 1) return py_refuse(module, "%s has %d dimensions, but one is needed", name, b->ndim);
    if ((size_t)b->shape[0] != count)
        return py_refuse(module, "%s has %zd elements, but %zu are needed", name, b->shape[0], count);
    if (count > 1) {
        if (b->strides[0] < 4 || b->strides[0] % 4)
            return py_refuse(module, "the elements of %s are %zd bytes apart, which cannot be used here", name,
                             b->strides[0]);
        *stride = (size_t)b->strides[0];
    }
    if ((uintptr_t)b->buf % 4) return py_refuse(module, "%s is not aligned to 4 bytes", name);
    out->data = b->buf;
    out->count = count;
    out->place = CLUMP_PLACE_HOST;
    return 0;
}

void py_array_release(py_array *array)
{
    if (array->held) PyBuffer_Release(&array->buffer);
    array->held = false;
}
